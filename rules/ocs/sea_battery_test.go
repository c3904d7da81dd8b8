package ocs

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// seas offers the scenario of the war at sea only.
type seas struct{ rules.Ruleset }

func (s seas) ScenarioDocuments() []rules.Document {
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-seas" {
			return []rules.Document{d}
		}
	}
	return nil
}

// Random games of the war at sea hold to the contract, and nobody sees what is hidden of the other side's ships.
func TestSeaBattery(t *testing.T) {
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS 18.3c")
	log := voyages{kinds: map[string]int{}}
	rulestest.Battery(t, seas{ruleset}, rulestest.Config{
		Games: 1, Choices: 1, Commands: 20000, Sample: 60, Listed: 10, Secrets: true, Pick: log.pick, Hide: hideSea,
		Parted: dumpsDiffer,
		Open:   func(string) bool { return true },
	})
	t.Logf("%v", log.kinds)
	// a landing rolls on the table
	for _, kind := range []string{"sail", "naval-barrage", "aim", "embark", "land", "ship"} {
		if log.kinds[kind] == 0 && os.Getenv("RULESTEST_SEED") == "" { // with other seeds chance decides
			t.Errorf("no game came to %s", kind)
		}
	}
}

// voyages counts the kinds of what random games play.
type voyages struct {
	mu    sync.Mutex
	kinds map[string]int
}

// pick is brisk, but now and then takes any kind but the sailing of which there is so much, so that
// ships load, land and fire.
func (v *voyages) pick(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	choice := -1
	if below(4) == 0 {
		first := map[string][]int{}
		var kinds []string
		for i := range list.Len() {
			kind, _, _ := strings.Cut(g.FormatCommand(list.At(i)), " ")
			if !slices.Contains([]string{"embark", "disembark", "land", "ship", "beach-assault", "naval-barrage",
				"lst-port", "ashore"}, kind) {
				continue
			}
			if first[kind] == nil {
				kinds = append(kinds, kind)
			}
			first[kind] = append(first[kind], i)
		}
		if first["land"] != nil { // it comes up rarely
			kinds = []string{"land"}
		}
		if len(kinds) > 0 {
			some := first[kinds[below(uint32(len(kinds)))]]
			choice = some[below(uint32(len(some)))]
		}
	}
	if choice < 0 {
		choice = brisk(g, seat, list, below)
	}
	kind, _, _ := strings.Cut(g.FormatCommand(list.At(choice)), " ")
	v.mu.Lock()
	v.kinds[kind]++
	v.mu.Unlock()
	return choice
}

// hideSea is hide, and changes of ships that lie under others, of what ships carry, and of what lies
// under the top air unit.
func hideSea(g rules.Game, v rules.Viewer) []rules.Game {
	return append(hide(g, v), hidden(g, v, otherWings, otherFleet, otherCargo)...)
}

// otherFleet changes the damage of ships that are not seen, while no procedure is under way.
func otherFleet(p *Position, seat rules.Seat) bool {
	some := false
	if len(p.frames) > 0 {
		return false
	}
	for _, u := range p.navy(seat) {
		if s := p.units[u]; p.topShip(seat, s.place) != u && !p.isCraft(u) {
			s.lost = 1 - s.lost
			p.set(u, s)
			some = true
		}
	}
	return some
}

// otherCargo exchanges two units aboard ships, or one of them and one that lies under others ashore, which weigh, fight
// and land alike; none of them has done anything in the phase. Failing that, it puts a unit aboard other landing craft.
func otherCargo(p *Position, seat rules.Seat) bool {
	if p.turn == 0 || len(p.frames) > 0 {
		return false
	}
	var hold, all []Unit
	for u := range p.units {
		u, s := Unit(u), &p.units[u]
		switch {
		case s.seat != seat || !p.isCombat(u):
		case s.place == Aboard && s.aboard != NoUnit && p.isShip(s.aboard):
			hold = append(hold, u)
			all = append(all, u)
		case s.place.Hex() != NoHex && p.topOf(seat, s.place) != u && !p.hasZOC(u) && !p.attackCapable(u):
			all = append(all, u)
		}
	}
	for _, a := range hold {
		for _, b := range all {
			x, y := p.units[a], p.units[b]
			if x.aboard == y.aboard || x.marks != y.marks || p.re(a) != p.re(b) || p.freight(a) != p.freight(b) ||
				p.capacity([]Unit{a}) != p.capacity([]Unit{b}) ||
				p.attackCapable(a) != p.attackCapable(b) || p.marines(a) != p.marines(b) {
				continue
			}
			x.place, x.aboard, x.origin, y.place, y.aboard, y.origin = y.place, y.aboard, y.origin, x.place,
				x.aboard, x.origin
			p.set(a, x)
			p.set(b, y)
			return x.place == Aboard || p.topOf(seat, x.place) != a
		}
	}
	for _, a := range hold { // there is none like it: it is aboard other landing craft
		for _, on := range p.bearers(seat) {
			if s := p.units[a]; s.aboard != on && p.isCraft(on) && p.isCraft(s.aboard) && p.craftKind(on) != dukw &&
				p.holdLeft(on) >= p.freight(a) {
				s.aboard = on
				p.set(a, s)
				return true
			}
		}
	}
	return false
}

// What hideSea makes of a position with troops aboard differs in them, which the enemy does not see (OCS 4.9a).
func TestOtherCargo(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a")
	two := landing(t).put("04.08", "lst/points_t=12 lc/points_t=12 x-1 x-2").aboard("lst.1", "x-1").
		aboard("lc.1", "x-2")
	one := landing(t).put("04.08", "lst/points_t=12 lc/points_t=12 x-1").aboard("lst.1", "x-1")
	for name, g := range map[string]*table{"two": two, "one": one} {
		g.p.turn = 1
		before := g.p.Clone()
		if !otherCargo(g.p, Blue) || g.p.units[g.unit("x-1")].aboard != g.unit("lc.1") {
			t.Errorf("%s: it stays where it is", name)
		}
		if v := rules.SeatViewer(Red); !proto.Equal(before.Board(v, rules.English), g.p.Board(v, rules.English)) {
			t.Errorf("%s: the enemy sees another board", name)
		}
	}
}
