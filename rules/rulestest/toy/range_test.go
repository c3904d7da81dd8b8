package toy

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// opened is the position at the start of a game of the ridge.
func opened(t *testing.T) *State {
	t.Helper()
	set := Ruleset()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults != nil {
		t.Fatal(faults)
	}
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Referee{}.New(sc.(*Scenario), options)
}

// A command with a field out of range is malformed, whichever field it is.
func TestFieldsOutOfRange(t *testing.T) {
	t.Parallel()
	p := opened(t)
	units, hexes := len(p.units), p.sc.board.Len()
	for name, c := range map[string]Command{
		"no kind":   {},
		"kind":      {Kind: numKinds},
		"unit":      {Kind: KindAttack, Unit: Unit(units)},
		"target":    {Kind: KindAttack, Target: Unit(units)},
		"hex":       {Kind: KindAttack, Hex: hex.Index(hexes)},
		"last ones": {Kind: KindAttack, Unit: Unit(units - 1), Target: Unit(units - 1), Hex: hex.Index(hexes - 1)},
	} {
		r := p.check(Red, c)
		if r == nil || (r.Reason == rules.ReasonMalformed) != (name != "last ones") {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// An event must name a unit that is on the map.
func TestEventsNameUnitsOnTheMap(t *testing.T) {
	t.Parallel()
	p := opened(t)
	p.units[0].steps = 2
	p.units[1].steps = 0
	for id, want := range map[string]bool{p.id(0): true, p.id(1): false, "nobody": false} {
		f := fold{p: p}
		f.unit(id)
		if (f.err == nil) != want || !want && !strings.Contains(f.err.Error(), "not on the map") {
			t.Errorf("%s: %v", id, f.err)
		}
	}
}

// The policies say how the attacker answers when its target has retreated (TY 5.5).
func TestPursuitIsAnsweredByItsPolicy(t *testing.T) {
	t.Parallel()
	p := opened(t)
	options, err := about.NewOptions(map[string]string{optionPursuit: "true"})
	if err != nil {
		t.Fatal(err)
	}
	p.first, p.phase, p.options = Red, PhaseAct, options
	p.stack = []frame{{step: stepRetreated, unit: 0, target: 1, vacated: p.units[1].at}}
	for policy, want := range map[string]Kind{pursuitAdvances: KindAdvance, pursuitHold: KindHold} {
		given, faults := rules.NewPolicies(policies, map[string]string{policyPursuit: policy})
		if faults != nil {
			t.Fatal(faults)
		}
		if seat, c := answer(p, given); seat != p.sc.units[0].seat || c.Kind != want {
			t.Errorf("%s: seat %d says %d, want %d", policy, seat, c.Kind, want)
		}
	}
}

// What a policy answers in an attack is legal: the unit that was hit goes to a hex where it may (TY 5.4).
func TestPoliciesAnswerLegally(t *testing.T) {
	t.Parallel()
	retreating, faults := rules.NewPolicies(policies, map[string]string{policyHit: hitRetreat})
	if faults != nil {
		t.Fatal(faults)
	}
	answered := 0
	for at := range hex.Index(opened(t).sc.board.Len()) {
		p := opened(t)
		target := Unit(len(p.units) - 1)
		if p.sc.terrain[at] == water || p.unitAt(at) != noUnit {
			continue
		}
		p.units[target].at, p.phase, p.turn, p.first, p.active, p.begun = at, PhaseAct, 1, Red, Red, true
		p.stack = []frame{{unit: 0, target: target, step: stepHit}}
		if q, _ := p.asked(); q != askLoss {
			continue
		}
		answered++
		if seat, c := answer(p, retreating); c.Kind != KindRetreat || p.check(seat, c) != nil {
			t.Errorf("in %s: %+v, %v", p.hexID(at), c, p.check(seat, c))
		}
	}
	if answered == 0 {
		t.Error("no unit that was hit may retreat")
	}
}

// A unit that is left is told with its steps, one that is lost with none.
func TestStepsLeftAreTold(t *testing.T) {
	t.Parallel()
	p := opened(t)
	p.units[0].steps, p.units[1].steps = 2, 0
	if _, counts := p.stepsLeft(0); len(counts) != 1 || counts[0].N != 2 {
		t.Errorf("of two steps: %v", counts)
	}
	if _, counts := p.stepsLeft(1); counts != nil {
		t.Errorf("of none: %v", counts)
	}
	if p.owns(Red, Unit(len(p.units))) {
		t.Error("a seat owns a unit that is not there")
	}
}
