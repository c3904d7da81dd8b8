package downfall

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
)

// downfall is the ruleset as tests name it in rulestest.Proves.
var downfall = New()

// table is a game on the flower (or any scenario) that a case sets up and plays with commands in the notation, in which
// hexes may be called by their names on the flower.
type table struct {
	t  testing.TB
	p  *Position
	sc *Scenario
}

// onFlower is the fixture's position in the actions of a side: turn 5, VP 6, CP 6, Japanese MF 3, no ban, four air
// markers and four naval markers in Limousine unused, nobody has acted, no unit on the map and no beachhead.
func onFlower(t testing.TB, phase Phase, edits ...func(*flower.Flower)) *table {
	t.Helper()
	return on(t, flowerScenario(t, edits...), phase, 0)
}

// on is the same for a scenario and options.
func on(t testing.TB, sc *Scenario, phase Phase, opt OptionSet) *table {
	t.Helper()
	p := newPosition(sc, opt)
	p.turn, p.vp, p.cp = 5, 6, 6
	p.kamikaze, p.usCP, p.jpMF = true, 6, 3
	p.air, p.navalHere, p.navalReady = 4, 0b1111, 0b1111
	for m := range 4 {
		p.navalZone[m] = 0
	}
	p.bombsLeft, p.bombsDeclared = 9, 0
	g := &table{t: t, p: p, sc: sc}
	g.phase(phase)
	return g
}

// phase puts the clock into a phase, with its player's CP as they are.
func (g *table) phase(phase Phase) *table {
	g.p.phase, g.p.step, g.p.ended = phase, 0, false
	return g
}

func (g *table) hex(name string) Hex { g.t.Helper(); return at(g.t, g.sc, name) }

func (g *table) unit(id string) Unit {
	g.t.Helper()
	u, ok := g.sc.UnitByID(id)
	if !ok {
		g.t.Fatalf("no unit %q", id)
	}
	return u
}

// put places units at full strength, US ones in supply state LINE, and beachheads.
func (g *table) put(hex string, ids ...string) *table {
	g.t.Helper()
	h := g.hex(hex)
	for _, id := range ids {
		if f, ok := g.sc.BeachheadByID(id); ok {
			g.p.beachhead[f] = Place(h)
			continue
		}
		u := g.unit(id)
		g.p.steps[u] = uint8(g.sc.Units[u].Steps)
		g.p.put(u, Place(h))
		if g.sc.Units[u].Owner == US {
			g.p.supply[u] = Line
		}
	}
	return g
}

// box puts units into a box at full strength; into the boxes of the eliminated with no steps.
func (g *table) box(box Place, ids ...string) *table {
	g.t.Helper()
	for _, id := range ids {
		if f, ok := g.sc.BeachheadByID(id); ok {
			g.p.beachhead[f] = box
			continue
		}
		u := g.unit(id)
		g.p.steps[u] = uint8(g.sc.Units[u].Steps)
		if box == Eliminated || box == Removed || box == Fallen {
			g.p.steps[u] = 0
		}
		g.p.put(u, box)
	}
	return g
}

// reduce leaves units one step.
func (g *table) reduce(ids ...string) *table {
	g.t.Helper()
	for _, id := range ids {
		g.p.steps[g.unit(id)] = 1
	}
	return g
}

// supply gives US units a supply state.
func (g *table) supply(s Supply, ids ...string) *table {
	g.t.Helper()
	for _, id := range ids {
		g.p.supply[g.unit(id)] = s
	}
	return g
}

var flowerWord = regexp.MustCompile(`\b[NKE][1-6]\b|\bC\b`)

// spelled puts printed numbers for the names of the flower.
func (g *table) spelled(command string) string {
	if g.sc.ScenarioID() != "flower" {
		return command
	}
	return flowerWord.ReplaceAllStringFunc(command, flower.ID)
}

// asked is the seat that must decide.
func (g *table) asked() rules.Seat { _, who := g.p.ask(); return who }

// parse reads a command; hexes may be names of the flower.
func (g *table) parse(command string) (Command, *rules.Refusal) {
	return g.p.parseCommand(g.spelled(command))
}

// try lets a seat command with dice, on a copy; the position changes only if it is accepted.
func (g *table) try(seat rules.Seat, command string, throws ...uint32) (*rules.Outcome, error) {
	g.t.Helper()
	c, r := g.parse(command)
	if r != nil {
		return nil, r
	}
	next, out, src := g.p.Clone(), new(rules.Outcome), dice.NewManual(throws)
	if err := rules.Play(referee{}, next, seat, c, src, out); err != nil {
		return nil, err
	}
	if err := src.Done(); err != nil {
		return nil, err
	}
	g.p = next
	return out, nil
}

// do lets the seat that is asked command with dice, and fails the test if it is refused.
func (g *table) do(command string, throws ...uint32) *rules.Outcome {
	g.t.Helper()
	return g.as(g.asked(), command, throws...)
}

// as lets a seat command with dice.
func (g *table) as(seat rules.Seat, command string, throws ...uint32) *rules.Outcome {
	g.t.Helper()
	out, err := g.try(seat, command, throws...)
	if err != nil {
		g.t.Fatalf("%s: %v", command, describe(err))
	}
	return out
}

// refused expects a refusal of the asked seat's command by a rule, and that nothing changes.
func (g *table) refused(rule, command string, throws ...uint32) *rules.Refusal {
	g.t.Helper()
	return g.refusedTo(g.asked(), rule, command, throws...)
}

// refusedTo expects a refusal of a seat's command by a rule.
func (g *table) refusedTo(seat rules.Seat, rule, command string, throws ...uint32) *rules.Refusal {
	g.t.Helper()
	before := *g.p
	_, err := g.try(seat, command, throws...)
	var r *rules.Refusal
	switch {
	case err == nil:
		g.t.Fatalf("%s: accepted, expected a refusal by %s", command, rule)
	case !errors.As(err, &r):
		g.t.Fatalf("%s: %v, expected a refusal by %s", command, err, rule)
	case r.Rule != rule:
		g.t.Fatalf("%s: refused by %q (%v), expected %q", command, r.Rule, describe(err), rule)
	}
	if g.p.cp != before.cp || g.p.vp != before.vp || g.p.place != before.place || g.p.steps != before.steps {
		g.t.Fatalf("%s: refused and changed something", command)
	}
	return r
}

func describe(err error) string {
	var r *rules.Refusal
	if errors.As(err, &r) && r.Words == "" {
		return catalogue.Format(rules.English, r.Text) + " (" + r.Rule + ", " + string(r.Reason) + ")"
	}
	return err.Error()
}

// legal reports whether a command is in the list of the asked seat.
func (g *table) legal(command string) bool {
	g.t.Helper()
	c, r := g.parse(command)
	if r != nil {
		return false
	}
	want, found := g.p.formatCommand(c), false
	g.p.Legal(g.asked(), rules.Filter{}, func(c Command) bool {
		found = found || g.p.formatCommand(c) == want
		return !found
	})
	return found
}

// where is the place of a unit or beachhead: a name of the flower, an id, or a box.
func (g *table) where(id string) string {
	g.t.Helper()
	place := Out
	if f, ok := g.sc.BeachheadByID(id); ok {
		place = g.p.beachhead[f]
	} else {
		place = g.p.place[g.unit(id)]
	}
	if h := place.Hex(); h != NoHex {
		for _, name := range flower.Names() {
			if g.sc.ScenarioID() == "flower" && flower.ID(name) == g.sc.HexID(h) {
				return name
			}
		}
		return g.sc.HexID(h)
	}
	return strings.ToLower(strings.TrimPrefix(downfallv1.Box(place-boxes).String(), "BOX_"))
}

// want compares facts: "cp", "vp", "turn", "bombs", or a unit or beachhead with its place and,
// after a colon, its steps.
func (g *table) want(facts ...any) *table {
	g.t.Helper()
	for i := 0; i+1 < len(facts); i += 2 {
		name := facts[i].(string)
		var got any
		switch name {
		case "cp":
			got = int(g.p.cp)
		case "vp":
			got = int(g.p.vp)
		case "turn":
			got = int(g.p.turn)
		case "bombs":
			got = int(g.p.bombsLeft)
		default:
			got = g.where(name)
			if text, _ := facts[i+1].(string); strings.Contains(text, ":") {
				got = fmt.Sprintf("%s:%d", got, g.p.steps[g.unit(name)])
			}
		}
		if got != facts[i+1] {
			g.t.Errorf("%s is %v, want %v", name, got, facts[i+1])
		}
	}
	return g
}
