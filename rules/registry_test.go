package rules_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// described is Outpost with another description of itself, or other documents.
type described struct {
	rules.Ruleset
	about *rules.About
	docs  []rules.Document
}

func (d described) About() *rules.About                 { return d.about }
func (d described) ScenarioDocuments() []rules.Document { return d.docs }

func TestRegistryFaults(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	doc := set.ScenarioDocuments()[0]
	for name, c := range map[string]struct {
		change func(*described)
		says   string
	}{
		"a name in capitals": {func(d *described) { d.about.Name = "Toy" }, `the name is "Toy"`},
		"no name":            {func(d *described) { d.about.Name = "" }, `the name is ""`},
		"no Japanese title": {func(d *described) { d.about.Title = rules.Words{En: "x"} },
			"no title in ja"},
		"no Japanese paragraph": {func(d *described) {
			d.about.Description = rules.Words{En: "x"}
		}, "no description in ja"},
		"no version":        {func(d *described) { d.about.Version = 0 }, "version 0"},
		"no schema version": {func(d *described) { d.about.SchemaVersion = 0 }, "schema version 0"},
		"no catalogue":      {func(d *described) { d.about.Catalogue = nil }, "no catalogue"},
		"no rulebook":       {func(d *described) { d.about.Rulebook = nil }, "no rulebook"},
		"no command type":   {func(d *described) { d.about.CommandType = nil }, "no type of commands"},
		"no event type":     {func(d *described) { d.about.EventType = nil }, "no type of commands or events"},
		"no seats":          {func(d *described) { d.about.Seats = nil }, "0 seats, expected 1 to 31"},
		"too many seats":    {func(d *described) { d.about.Seats = make([]rules.SeatInfo, 32) }, "32 seats"},
		"a seat twice": {func(d *described) { d.about.Seats[1] = d.about.Seats[0] },
			"seat red is given twice"},
		"a seat without an id":  {func(d *described) { d.about.Seats[1].ID = "" }, `seat "": expected an id`},
		"a seat without a name": {func(d *described) { d.about.Seats[1].Key = "nix" }, "seat blue has no name"},
		"a seat not to be taken": {func(d *described) {
			d.about.Seating = func(players []rules.Seats) *rules.Refusal {
				if len(players) > 0 && players[0].Has(1) {
					return rules.Refuse("TY 4.1", "", "")
				}
				return nil
			}
		}, "seat blue cannot be taken first"},
		"a table not to be left": {func(d *described) {
			d.about.Seating = func(players []rules.Seats) *rules.Refusal {
				if len(players) == 0 {
					return rules.Malformed("sit down")
				}
				return nil
			}
		}, "the table cannot be empty: sit down"},
		"an option undescribed": {func(d *described) { d.about.Options[0].Key = "nix" },
			"option length has no description"},
		"an option without a rule": {func(d *described) { d.about.Options[0].Rule = "TY 99" }, "names the rule TY 99"},
		"an option without values": {func(d *described) { d.about.Options[0].Values = nil }, "has 0 values"},
		"an option with one":       {func(d *described) { d.about.Options[0].Values = []string{"x"} }, "has 1 values"},
		"an option value twice": {func(d *described) { d.about.Options[0].Values = []string{"x", "x"} },
			`the value "x" twice`},
		"an option twice": {func(d *described) { d.about.Options[1] = d.about.Options[0] },
			"option length is given twice"},
		"an option with a dash": {func(d *described) { d.about.Options[0].ID = "fog-of-war" }, "expected an id"},
		"no commands":           {func(d *described) { d.about.Commands = nil }, "no kinds of command"},
		"a command twice": {func(d *described) { d.about.Commands[1] = d.about.Commands[0] },
			"command plan is given twice"},
		"a command with a space":   {func(d *described) { d.about.Commands[0].ID = "make plan" }, "expected an id"},
		"a generating set, unsaid": {func(d *described) { d.about.Commands[0].Generating = true }, "does not say how"},
		"a scenario that is broken": {func(d *described) { d.docs = []rules.Document{{ID: "x", Data: []byte("{}")}} },
			`scenario x: id: "", expected`},
		"a scenario misnamed": {func(d *described) { d.docs[0].ID = "hill" }, "scenario hill calls itself ridge"},
		"a scenario twice":    {func(d *described) { d.docs = append(d.docs, doc) }, "scenario ridge is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			about := *set.About()
			about.Seats = append([]rules.SeatInfo(nil), about.Seats...)
			about.Options = append([]rules.Option(nil), about.Options...)
			about.Commands = append([]rules.CommandKind(nil), about.Commands...)
			d := described{set, &about, []rules.Document{doc}}
			c.change(&d)
			if _, err := rules.NewRegistry(d); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want a fault with %q", err, c.says)
			}
		})
	}
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	second := *set.About()
	second.Name = "aaa"
	r, err := rules.NewRegistry(set, described{set, &second, nil})
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := r.Find("toy"); !ok || s.About().Name != "toy" {
		t.Error("toy is not found")
	}
	if _, ok := r.Find("nix"); ok {
		t.Error("nix is found")
	}
	if all := r.All(); len(all) != 2 || all[0].About().Name != "aaa" {
		t.Errorf("%d rulesets, or not by name", len(all))
	}
	if _, err := rules.NewRegistry(set, set); err == nil || !strings.Contains(err.Error(), "registered twice") {
		t.Errorf("got %v", err)
	}
	var none rules.Registry
	if _, ok := none.Find("toy"); ok || len(none.All()) != 0 {
		t.Error("the zero registry is not empty")
	}
}

func TestAdaptedTypes(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	if _, ok := set.NewCommand().(*toyv1.Command); !ok {
		t.Errorf("a command is a %T", set.NewCommand())
	}
	if _, ok := set.NewEvent().(*toyv1.Event); !ok {
		t.Errorf("an event is a %T", set.NewEvent())
	}
	if set.NewCommand() == set.NewCommand() {
		t.Error("two commands are one")
	}
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	began, _ := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_TurnBegan{TurnBegan: &toyv1.TurnBegan{Turn: 2}}})
	ended, _ := proto.Marshal(&toyv1.Event{Event: &toyv1.Event_AttackEnded{AttackEnded: &toyv1.AttackEnded{}}})
	for name, c := range map[string]struct {
		event []byte
		lang  rules.Lang
		want  string
	}{
		"told":             {began, rules.English, "Turn 2 begins."},
		"told in Japanese": {began, rules.Japanese, "第2ターン開始。"},
		"nothing to tell":  {ended, rules.English, ""},
		"unreadable":       {[]byte{0xff}, rules.English, ""},
		"empty":            {nil, rules.English, ""},
	} {
		if got := set.Narrate(sc, c.lang, c.event); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
