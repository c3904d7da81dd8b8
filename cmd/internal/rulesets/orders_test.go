package rulesets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/kit"
)

// orderSample is a standing order as the clients write it, in a game that would take it after the orders before.
type orderSample struct {
	Ruleset, Scenario, Seat, Before, Notation string
}

func orderSamples(t *testing.T) []orderSample {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "clients/testdata/orders.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Written []orderSample }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all.Written
}

// TestClientsWriteOrders: the rules take every order that the clients are tested to write, and write it in the same
// words.
func TestClientsWriteOrders(t *testing.T) {
	t.Parallel()
	begun := map[string]rules.Game{}
	for _, s := range orderSamples(t) {
		g, seat := begun[s.Ruleset+s.Scenario], rules.NoSeat
		if g == nil {
			g = beginning(t, s.Ruleset, s.Scenario)
			begun[s.Ruleset+s.Scenario] = g
		}
		g = g.Clone()
		for i, info := range g.Ruleset().About().Seats {
			if info.ID == s.Seat {
				seat = rules.Seat(i)
			}
		}
		for _, text := range []string{s.Before, s.Notation} {
			if text == "" {
				continue
			}
			c, err := g.ParseCommand(text)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if got := g.FormatCommand(c); got != text {
				t.Errorf("%q is %q to the rules", text, got)
			}
			if err := g.Apply(seat, c, dice.NewSeeded(1), new(rules.Outcome)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// beginning is a scenario's game at its first decision.
func beginning(t *testing.T, ruleset, scenario string) rules.Game {
	t.Helper()
	reg, err := Registry(false)
	if err != nil {
		t.Fatal(err)
	}
	set, ok := reg.Find(ruleset)
	if !ok {
		t.Fatalf("no ruleset %s", ruleset)
	}
	docs := set.ScenarioDocuments()
	i := slices.IndexFunc(docs, func(d rules.Document) bool { return d.ID == scenario })
	if i < 0 {
		t.Fatalf("%s has no scenario %s", ruleset, scenario)
	}
	sc, faults := set.LoadScenario(docs[i].Data)
	if sc == nil {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, o)
	if _, err := g.Start(dice.NewSeeded(1)); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestClientsKnowEveryOrder: the samples have every standing order of each contract, with every choice or value that
// the rules list, and every way to limit one. So the clients write them all.
func TestClientsKnowEveryOrder(t *testing.T) {
	t.Parallel()
	had := map[string]bool{}
	for _, s := range orderSamples(t) {
		for _, part := range strings.Fields(s.Notation) {
			had[s.Ruleset+" "+part] = true
		}
		had[withoutScope(s.Notation)] = true
	}
	want := []string{"ocs once=true", "ocs drop=true", "ocs at=11.07", "downfall at", "downfall of", "downfall -"}
	for _, id := range kit.EnumWords(ocsv1.StandingOrder(0), "")[1:] {
		want = append(want, "ocs order="+id)
	}
	for _, id := range kit.EnumWords(downfallv1.StandingOrder(0), "")[1:] {
		want = append(want, "downfall "+id)
	}
	for _, id := range slices.Concat(kit.EnumWords(anniversaryv1.SubmarineOrder(0), "")[1:],
		kit.EnumWords(anniversaryv1.Consent(0), "")[1:]) {
		want = append(want, "anniversary "+id)
	}
	fields := new(anniversaryv1.StandingOrders).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		want = append(want, "anniversary "+string(fields.Get(i).Name()))
	}
	ground := beginning(t, "ocs", "proving-ground")
	for _, f := range []rules.Filter{{}, {Piece: "bl-1-inf"}, {Space: "07.07"}} {
		f.Kind = "orders"
		want = append(want, listedOrders(ground, 0, f)...)
	}
	want = append(want, listedOrders(beginning(t, "ocs", "proving-skies"), 0,
		rules.Filter{Kind: "orders", Piece: "bl-f1"})...)
	for seat := range rules.Seat(2) {
		want = append(want, listedOrders(beginning(t, "downfall", "olympic"), seat, rules.Filter{Kind: "standing"})...)
	}
	for _, w := range want {
		if !had[w] {
			t.Errorf("no client is tested to write %s", w)
		}
	}
}

// listedOrders are the orders that a list has, for whatever part of the game. Those into a zone are all like the first.
func listedOrders(g rules.Game, seat rules.Seat, f rules.Filter) (list []string) {
	for c := range g.Legal(seat, f) {
		text := withoutScope(g.FormatCommand(c))
		if !strings.HasPrefix(text, "standing zones ") && !strings.HasSuffix(text, " ask") &&
			!strings.HasSuffix(text, " -") && strings.Contains(text, "value=") == strings.HasPrefix(text, "order=") {
			list = append(list, text)
		}
	}
	return list
}

// withoutScope is an order without what it is limited to, and without what limits it.
func withoutScope(notation string) string {
	if at := strings.Index(notation, "order="); at >= 0 {
		text, _, _ := strings.Cut(notation[at:], " at=")
		text, _, _ = strings.Cut(text, " once=")
		return text
	}
	text, _, _ := strings.Cut(notation, " at ")
	text, _, _ = strings.Cut(text, " of ")
	return text
}
