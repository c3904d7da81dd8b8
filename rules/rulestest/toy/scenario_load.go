package toy

import (
	"fmt"
	"regexp"
	"strings"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// loader reads a document and collects what is wrong with it.
type loader struct {
	sc     *Scenario
	faults rules.Faults
}

var (
	scenarioID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	unitID     = regexp.MustCompile(`^[a-z0-9]{1,20}$`)
)

func (l *loader) load(doc *toyv1.Scenario) {
	if !scenarioID.MatchString(doc.GetId()) {
		l.faults.Add("id", "expected 1 to 40 lower-case letters, digits and dashes, not %.60q", doc.GetId())
	}
	if doc.GetTitle().GetEn() == "" {
		l.faults.Add("title.en", "expected a name")
	}
	if doc.GetTitle().GetJa() == "" {
		l.faults.Warn("title.ja", "missing: English is shown instead")
	}
	l.sc.turns = l.number("turns", doc.GetTurns(), 1, maxTurns)
	l.sc.supply = l.number("supply", doc.GetSupply(), 0, maxSupply)
	l.hexes(doc.GetHexes())
	if l.sc.board != nil {
		l.units(doc.GetUnits())
	}
}

func (l *loader) number(path string, n, lo, hi uint32) uint8 {
	if n < lo || n > hi {
		l.faults.Add(path, "expected %d to %d, not %d", lo, hi, n)
		return 0
	}
	return uint8(n)
}

// hexes builds the map if every hex can be read.
func (l *loader) hexes(list []*toyv1.ScenarioHex) {
	if len(list) < 2 || len(list) > maxHexes {
		l.faults.Add("hexes", "expected 2 to %d, not %d", maxHexes, len(list))
		return
	}
	coords := make([]hex.Coord, len(list))
	seen := make(map[hex.Coord]bool, len(list))
	whole := true
	for i, h := range list {
		c, err := geometry.Parse(h.GetId())
		switch {
		case err != nil:
			l.faults.Add(fmt.Sprintf("hexes[%d].id", i), "%v", err)
			whole = false
		case seen[c]:
			l.faults.Add(fmt.Sprintf("hexes[%d].id", i), "%s is there twice", h.GetId())
			whole = false
		}
		coords[i], seen[c] = c, true
	}
	if !whole {
		return
	}
	board, err := hex.NewMap(geometry, coords)
	if err != nil {
		l.faults.Add("hexes", "%v", err)
		return
	}
	l.sc.board = board
	l.terrain(list, coords)
}

func (l *loader) terrain(list []*toyv1.ScenarioHex, coords []hex.Coord) {
	sc := l.sc
	sc.terrain, sc.names = make([]terrain, sc.board.Len()), make([]string, sc.board.Len())
	outpost := make([]bool, sc.board.Len())
	for i, h := range list {
		at := sc.board.At(coords[i])
		sc.names[at], outpost[at] = h.GetName(), h.GetOutpost()
		l.name(fmt.Sprintf("hexes[%d].name", i), h.GetName())
		switch h.GetTerrain() {
		case "clear":
		case "rough":
			sc.terrain[at] = rough
		case "water":
			sc.terrain[at] = water
			if outpost[at] {
				l.faults.Add(fmt.Sprintf("hexes[%d].outpost", i), "%s is water", h.GetId())
			}
		default:
			l.faults.Add(fmt.Sprintf("hexes[%d].terrain", i), "expected clear, rough or water, not %.40q", h.GetTerrain())
		}
	}
	for at, is := range outpost {
		if is {
			sc.outposts = append(sc.outposts, hex.Index(at))
		}
	}
	if len(sc.outposts) == 0 {
		l.faults.Add("hexes", "expected an outpost")
	}
}

// name checks a name of the document. An @ at its beginning would be read as a reference to a message.
func (l *loader) name(path, name string) {
	if strings.HasPrefix(name, "@") || len(name) > 60 || strings.ContainsAny(name, "\t\r\n") {
		l.faults.Add(path, "expected up to 60 bytes without line breaks that do not begin with @")
	}
}

func (l *loader) units(list []*toyv1.ScenarioUnit) {
	if len(list) > maxUnits {
		l.faults.Add("units", "expected up to %d, not %d", maxUnits, len(list))
		return
	}
	ids, taken := map[string]bool{}, map[hex.Index]bool{}
	var count [numSeats]int
	for i, u := range list {
		path := fmt.Sprintf("units[%d]", i)
		info := unitInfo{id: u.GetId(), name: u.GetName()}
		if !unitID.MatchString(info.id) || ids[info.id] {
			l.faults.Add(path+".id", "expected 1 to 20 lower-case letters and digits that no other unit has, not %.40q", info.id)
		}
		ids[info.id] = true
		if info.name == "" {
			info.name = info.id
		}
		l.name(path+".name", info.name)
		info.strength = l.number(path+".strength", u.GetStrength(), 1, maxStrength)
		info.steps = l.number(path+".steps", u.GetSteps(), 1, maxSteps)
		var known bool
		if info.seat, known = about.SeatByID(u.GetSeat()); known {
			count[info.seat]++
		} else {
			l.faults.Add(path+".seat", "expected red or blue, not %.40q", u.GetSeat())
		}
		info.at = l.start(path+".hex", u.GetHex(), taken)
		l.sc.units = append(l.sc.units, info)
	}
	for seat, n := range count {
		if n == 0 {
			l.faults.Add("units", "expected a unit of %s", about.Seats[seat].ID)
		}
	}
}

// start is the hex that a unit begins in: land, and of this unit alone.
func (l *loader) start(path, id string, taken map[hex.Index]bool) hex.Index {
	at, err := l.sc.board.ByID(id)
	switch {
	case err != nil:
		l.faults.Add(path, "%v", err)
		return hex.None
	case l.sc.terrain[at] == water:
		l.faults.Add(path, "%s is water", id)
	case taken[at]:
		l.faults.Add(path, "%s holds another unit", id)
	}
	taken[at] = true
	return at
}
