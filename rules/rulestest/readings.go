package rulestest

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Readings checks that every name of a list can be sorted and found as Japanese readers do it: no reading of a space, a
// box, a piece, a seat or a scenario has a Chinese character left.
func Readings(t *testing.T, set rules.Ruleset) {
	t.Helper()
	about, names := set.About(), []string{set.About().Title.In(rules.Japanese)}
	for _, s := range about.Seats {
		names = append(names, about.Catalogue.Format(rules.Japanese, rules.Text{Key: s.Key}))
	}
	for _, d := range set.ScenarioDocuments() {
		sc, faults := set.LoadScenario(d.Data)
		if faults.Fatal() {
			t.Fatal(faults)
		}
		names = append(names, sc.ScenarioTitle(rules.Japanese))
		m := set.Map(sc, rules.Japanese)
		for _, s := range m.GetSpaces() {
			names = append(names, s.GetName())
			if want := about.Readings.Of(s.GetName()); s.GetReading() != want {
				t.Errorf("the reading of %s on the map is %q, want %q", s.GetName(), s.GetReading(), want)
			}
		}
		for _, b := range m.GetBoxes() {
			names = append(names, b.GetName())
		}
		options, err := about.NewOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		g := set.New(sc, options)
		if _, err := g.Start(dice.NewSeeded(1)); err != nil {
			t.Fatal(err)
		}
		for _, p := range g.Board(rules.Viewer{All: true}, rules.Japanese).GetPieces() {
			names = append(names, p.GetName())
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		got := about.Readings.Of(name)
		if strings.ContainsFunc(got, func(c rune) bool { return unicode.Is(unicode.Han, c) }) {
			t.Errorf("readings.ja.tsv lacks a word of %s: %s", name, got)
		}
	}
}
