package ocs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// want compares facts, see fact.
func (g *table) want(facts ...any) *table {
	g.t.Helper()
	for i := 0; i+1 < len(facts); i += 2 {
		if got := g.fact(facts[i].(string)); got != facts[i+1] {
			g.t.Errorf("%s is %v, want %v", facts[i], got, facts[i+1])
		}
	}
	return g
}

// fact is what a position says about:
//
//	asks, segment, phasing, turn          a question, segment or seat by id; a number
//	place UNIT                            the id of a place
//	mode UNIT, face UNIT                  "combat", "move", "reserve", "strat", "dg", "exploitation"; "combat" or
//	                                      "move"
//	lost UNIT, points UNIT, load UNIT     numbers
//	spent UNIT                            MP: "2 1/2"
//	stocks UNIT, fuel UNIT                "full", "low", "exhausted"; "none", "phase", "lasting"
//	mark UNIT MARK                        true or false, MARK as in the notation: "out-of-supply"
//	at HEX                                the units in a hex, in order, joined by spaces
//	ground HEX SEAT                       tokens
//	owner HEX, hedgehog HEX, base HEX, hits HEX, gauge HEX
//	hexmark HEX MARK                      true or false
//	zoc HEX SEAT                          true if the seat has a ZOC there
//	register SEAT NAME                    a number: "register blue rail-used"
//	frame                                 the innermost procedure: "combat", "" for none
func (g *table) fact(name string) any {
	g.t.Helper()
	w := strings.Fields(name)
	if got, ok := g.factOfGame(w); ok {
		return got
	}
	if got, ok := g.factOfHex(w); ok {
		return got
	}
	s := &g.p.units[g.unit(w[1])]
	switch w[0] {
	case "place":
		return g.sc.PlaceID(s.place)
	case "mode":
		return [...]string{"combat", "move", "reserve", "strat", "dg", "exploitation"}[s.mode()]
	case "face":
		return kit.EnumWord(ocsv1.Face(0).Descriptor(), ocsv1.Face(s.face).Number())
	case "lost":
		return int(s.lost)
	case "points":
		return int(s.points)
	case "load":
		return int(s.load)
	case "spent":
		return formatCost(s.spent)
	case "stocks":
		return kit.EnumWord(ocsv1.Stocks(0).Descriptor(), ocsv1.Stocks(s.stocks).Number())
	case "fuel":
		return kit.EnumWord(ocsv1.Fuel(0).Descriptor(), ocsv1.Fuel(s.fuel).Number())
	case "mark":
		for m := ocsv1.UnitMark(1); m < numUnitMarks; m++ {
			if kit.EnumWord(m.Descriptor(), m.Number()) == w[2] {
				return s.marks.has(m)
			}
		}
	}
	g.t.Fatalf("no fact %q", name)
	return nil
}

func (g *table) factOfGame(w []string) (any, bool) {
	g.t.Helper()
	p := g.p
	switch w[0] {
	case "asks":
		a, _ := p.ask()
		return questions[a].id, true
	case "segment":
		return segments[p.segment].id, true
	case "phasing":
		return seatID(p.phasing), true
	case "turn":
		return int(p.turn), true
	case "frame":
		if f := p.top(); f != nil {
			return kit.EnumWord(ocsv1.FrameKind(0).Descriptor(), f.kind().Number()), true
		}
		return "", true
	case "register":
		for r := ocsv1.Register(1); r < numRegisters; r++ {
			if kit.EnumWord(r.Descriptor(), r.Number()) == w[2] {
				return p.register(p.seatOf(w[1]), r), true
			}
		}
		g.t.Fatalf("no register %q", w[2])
	}
	return nil, false
}

func (g *table) factOfHex(w []string) (any, bool) {
	g.t.Helper()
	switch w[0] {
	case "at", "ground", "owner", "hedgehog", "base", "hits", "gauge", "hexmark", "zoc":
	default:
		return nil, false
	}
	at := g.place(w[1])
	c := g.p.cell(at)
	switch w[0] {
	case "at":
		var ids []string
		for u := range g.p.at(at) {
			ids = append(ids, g.p.id(u))
		}
		return strings.Join(ids, " "), true
	case "ground":
		return int(c.ground[g.p.seatOf(w[2])]), true
	case "owner":
		return seatID(c.owner), true
	case "hedgehog":
		return int(c.hedgehog), true
	case "base":
		return int(c.base), true
	case "hits":
		return int(c.hits), true
	case "gauge":
		return int(c.gauge), true
	case "zoc":
		return c.zoc[g.p.seatOf(w[2])] > 0, true
	}
	for m := ocsv1.HexMark(1); m < 16; m++ {
		if kit.EnumWord(m.Descriptor(), m.Number()) == w[2] {
			return c.marks.has(m), true
		}
	}
	g.t.Fatalf("no mark %q", w[2])
	return nil, false
}

// rolls tells the dice of an outcome with their reasons: "weather 2, attrition 5".
func rolls(out *rules.Outcome) string {
	var list []string
	for _, r := range out.Rolls {
		list = append(list, fmt.Sprintf("%s %d", r.Reason, r.Value))
	}
	return strings.Join(list, ", ")
}

// told tells an outcome in English, a sentence for each event that has one.
func (g *table) told(out *rules.Outcome) string {
	var list []string
	for _, e := range out.Events {
		if t := narrate(g.sc, e.Event.(*event)); t.Key != "" {
			list = append(list, catalogue.Format(rules.English, t))
		}
	}
	return strings.Join(list, " ")
}

// seen are the units in a place of a view, in order of their ids.
func seen(v *ocsv1.Position, at string) string {
	var ids []string
	for _, u := range v.GetUnits() {
		if u.GetPlace() == at {
			ids = append(ids, u.GetId())
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func TestTable(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue division other infantry 14-4-3leg 7-4-8leg").
		put("09.07", "x-1/lost=1 bl-31-tk/move pax-blue truck-blue/points_t=8,load_t=4").put("12.07", "rd-1-inf").
		dump("09.07", Blue, 6).hex("09.07", "hedgehog=2").segment(SegMovement, Blue)
	g.want("asks", "move", "segment", "movement", "phasing", "blue", "turn", 1, "place x-1", "09.07", "lost x-1", 1,
		"mode bl-31-tk", "move",
		"at 09.07", "bl-31-tk x-1 pax-blue.1 truck-blue.1", "load truck-blue.1", 4, "ground 09.07 blue", 6,
		"hedgehog 09.07", 2, "owner 09.07", "blue",
		"zoc 11.07 red", true, "zoc 10.07 red", false, "stocks x-1", "full", "fuel x-1", "none", "frame", "",
		"register blue rail-used", 0)
}
