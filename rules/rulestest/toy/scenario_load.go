package toy

import (
	"fmt"
	"slices"
	"strings"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// loader reads a document and collects what is wrong with it.
type loader struct {
	kit.Loader
	sc *Scenario
}

func (l *loader) load(doc *toyv1.Scenario) {
	if l.Fill("", doc, l.sc); doc.GetTitle().GetJa() == "" {
		l.Warn("title.ja", "missing: English is shown instead")
	}
	l.hexes(doc.GetHexes())
	if l.sc.board != nil {
		l.units(doc.GetUnits())
	}
}

// hexes builds the map if every hex can be read.
func (l *loader) hexes(list []*toyv1.ScenarioHex) {
	if !l.Count("hexes", len(list), 2, maxHexes) {
		return
	}
	coords, before := make([]hex.Coord, len(list)), len(l.Faults)
	for i, h := range list {
		c, err := geometry.Parse(h.GetId())
		if path := fmt.Sprintf("hexes[%d].id", i); err != nil {
			l.Fault(path, "%v", err)
		} else if slices.Contains(coords[:i], c) {
			l.Fault(path, "%s is there twice", h.GetId())
		}
		coords[i] = c
	}
	if len(l.Faults) > before {
		return
	}
	board, err := hex.NewMap(geometry, coords)
	if err != nil {
		l.Fault("hexes", "%v", err)
		return
	}
	l.sc.board = board
	l.terrain(list, coords)
}

func (l *loader) terrain(list []*toyv1.ScenarioHex, coords []hex.Coord) {
	sc := l.sc
	sc.terrain, sc.names = make([]terrain, sc.board.Len()), make([]string, sc.board.Len())
	outposts := sc.board.NewSet()
	for i, h := range list {
		path, at, kind := fmt.Sprintf("hexes[%d]", i), sc.board.At(coords[i]),
			slices.Index(terrainNames[:], h.GetTerrain())
		if l.name(path+".name", h.GetName()); kind < 0 {
			l.Fault(path+".terrain", "expected clear, rough or water, not %.40q", h.GetTerrain())
			continue
		}
		sc.names[at], sc.terrain[at] = h.GetName(), terrain(kind)
		if h.GetOutpost() {
			outposts.Add(at)
		}
		if h.GetOutpost() && terrain(kind) == water {
			l.Fault(path+".outpost", "%s is water", h.GetId())
		}
	}
	if sc.outposts = slices.Collect(outposts.All()); len(sc.outposts) == 0 {
		l.Fault("hexes", "expected an outpost")
	}
}

// name checks a name of the document. An @ at its beginning would be read as a reference to a message.
func (l *loader) name(path, name string) {
	if strings.HasPrefix(name, "@") || len(name) > 60 || strings.ContainsAny(name, "\t\r\n") {
		l.Fault(path, "expected up to 60 bytes without line breaks that do not begin with @")
	}
}

func (l *loader) units(list []*toyv1.ScenarioUnit) {
	if !l.Count("units", len(list), 0, maxUnits) {
		return
	}
	taken := map[hex.Index]bool{}
	var count [numSeats]int
	for i, u := range list {
		path, info := fmt.Sprintf("units[%d]", i), unitInfo{}
		l.Fill(path, u, &info)
		if info.Name == "" {
			info.Name = info.ID
		}
		l.name(path+".name", info.Name)
		var known bool
		if info.seat, known = about.SeatByID(u.GetSeat()); known {
			count[info.seat]++
		} else {
			l.Fault(path+".seat", "expected red or blue, not %.40q", u.GetSeat())
		}
		info.at = l.start(path+".hex", u.GetHex(), taken)
		l.sc.units = append(l.sc.units, info)
	}
	for seat, n := range count {
		if n == 0 {
			l.Fault("units", "expected a unit of %s", about.Seats[seat].ID)
		}
	}
}

// start is the hex that a unit begins in: land, and of this unit alone.
func (l *loader) start(path, id string, taken map[hex.Index]bool) hex.Index {
	at, err := l.sc.board.ByID(id)
	switch {
	case err != nil:
		l.Fault(path, "%v", err)
		return hex.None
	case l.sc.terrain[at] == water:
		l.Fault(path, "%s is water", id)
	case taken[at]:
		l.Fault(path, "%s holds another unit", id)
	}
	taken[at] = true
	return at
}
