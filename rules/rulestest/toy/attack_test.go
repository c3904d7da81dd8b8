package toy_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// The row of a command of an attack names the units, where they stand and where one goes.
func TestRowsOfAttacks(t *testing.T) {
	t.Parallel()
	pursuing := strings.Replace(facing, "pursuit=false", "pursuit=true", 1)
	for _, c := range []struct {
		position, command string
		piece, target     string
		from, to          string
	}{
		{facing, "attack r1 b1", "r1", "b1", "0203", "0303"},
		{facing + "attack r1 b1 hit -\n", "lose", "b1", "", "0303", ""},
		{facing + "attack r1 b1 hit -\n", "retreat 0402", "b1", "", "0303", "0402"},
		{pursuing + "attack r1 b1 retreated 0402\n", "advance", "r1", "", "0203", "0402"},
		{pursuing + "attack r1 b1 retreated 0402\n", "hold", "r1", "", "0203", ""},
	} {
		g, err := toy.Ruleset().ParsePosition(ridge(t).Scenario(), c.position)
		if err != nil {
			t.Fatal(err)
		}
		about := g.Ruleset().Tensors(g.Scenario())
		name := func(list []string, at int16) string {
			if at < 0 {
				return ""
			}
			return list[at]
		}
		found, width := false, len(about.Row)
		for _, seat := range []rules.Seat{toy.Red, toy.Blue} {
			list := g.List(seat, rules.Filter{}, nil)
			rows := g.Rows(seat, list, nil)
			for i := range list.Len() {
				if g.FormatCommand(list.At(i)) != c.command {
					continue
				}
				row := rows[i*width : (i+1)*width]
				found = true
				got := [4]string{name(about.Pieces, row[rules.RowPiece]), name(about.Pieces, row[rules.RowTarget]),
					name(about.Spaces, row[rules.RowFrom]), name(about.Spaces, row[rules.RowTo])}
				if want := [4]string{c.piece, c.target, c.from, c.to}; got != want {
					t.Errorf("%s: %q, want %q", c.command, got, want)
				}
			}
		}
		if !found {
			t.Errorf("%s is not in the list", c.command)
		}
	}
}

// Each turn is scored once both seats have had their part of it (TY 7.1).
func TestEachTurnIsScored(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	for _, seat := range []rules.Seat{toy.Red, toy.Blue} {
		c, err := g.ParseCommand("end")
		if err != nil {
			t.Fatal(err)
		}
		if g, _, err = g.Play(seat, c, dice.NewSeeded(1)); err != nil {
			t.Fatal(err)
		}
	}
	text := g.Notation()
	if !strings.Contains(text, "turn 2 ") || strings.Count(text, "score 1 ") != 2 {
		t.Errorf("after the first turn:\n%s", text)
	}
}

// An event does not fold that names what the scenario does not have, or that belongs to an attack where there is none.
func TestEventsOfOtherGamesDoNotFold(t *testing.T) {
	t.Parallel()
	for says, e := range map[string]*toyv1.Event{
		"unknown kind":         {},
		`unknown seat "green"`: {Event: &toyv1.Event_InitiativeWon{InitiativeWon: &toyv1.InitiativeWon{Seat: "green"}}},
		"the event names the hex id": {Event: &toyv1.Event_PlanMade{
			PlanMade: &toyv1.PlanMade{Seat: "red", Hex: "9999"}}},
		"belongs to an attack": {Event: &toyv1.Event_AttackEnded{AttackEnded: &toyv1.AttackEnded{}}},
	} {
		event, err := proto.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := ridge(t).Fold(event); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// A number of steps out of range is refused with the number as it was typed.
func TestStepsOutOfRangeAreNamed(t *testing.T) {
	t.Parallel()
	for typed, named := range map[string]string{"0": "0", "5": "5", "10": "10", "256": "256", "257": "257",
		"4294967296": "4294967296", "many": "0"} {
		_, err := ridge(t).ParseCommand("rally r1 " + typed)
		if err == nil || !strings.HasSuffix(err.Error(), "steps must be 1 to 4, not "+named) {
			t.Errorf("%s: %v", typed, err)
		}
	}
}

// A target may have lost its last step only once the attack is done.
func TestTargetsWithoutSteps(t *testing.T) {
	t.Parallel()
	gone := strings.Replace(facing, "unit b1 0303 2", "unit b1 - 0", 1)
	weak := strings.Replace(facing, "unit b1 0303 2", "unit b1 0303 1", 1)
	for text, want := range map[string]bool{
		gone + "attack r1 b1 done -\n": true, gone + "attack r1 b1 hit -\n": false, weak + "attack r1 b1 hit -\n": true,
		strings.Replace(facing, "supply 2", "supply 256", 1):             false,
		strings.Replace(facing, "supply 2", "supply 255", 1):             true,
		strings.Replace(facing, "unit r1 0203 1", "unit r1 0203 256", 1): false,
	} {
		if _, err := toy.Ruleset().ParsePosition(ridge(t).Scenario(), text); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An attack is described with both units and the hex of its target, a rally with its steps, and only an end forgoes.
func TestCommandsAreDescribed(t *testing.T) {
	t.Parallel()
	g := ridge(t)
	for text, want := range map[string]string{"attack r1 b1": "r1; 0303", "end": "; ", "rally r1 2": "r1; "} {
		c, err := g.ParseCommand(text)
		if err != nil {
			t.Fatal(err)
		}
		d := g.Describe(toy.Red, c)
		if got := strings.Join(d.Pieces, " ") + "; " + strings.Join(d.Spaces, " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s touches %q, want %q", text, got, want)
		}
		if d.Forgoes != (text == "end") {
			t.Errorf("%s forgoes %v", text, d.Forgoes)
		}
		if label := g.Ruleset().About().Catalogue.Format(rules.English, d.Label); strings.Contains(label, "{") {
			t.Errorf("%s is labelled %q", text, label)
		}
	}
}
