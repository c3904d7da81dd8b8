package rulesets

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// TestLabelsTellActionsApart plays random games of every shipped scenario. No two entries of a list read alike, in
// either language: whoever chooses by the words knows what is chosen. An OCS command names what it aims at, and not who
// pays.
func TestLabelsTellActionsApart(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("rules start no goroutines: the run without the race detector reads all lists")
	}
	reg, err := Registry(true)
	if err != nil {
		t.Fatal(err)
	}
	const games, decisions = uint64(2), 120
	for _, set := range reg.All() {
		for _, doc := range set.ScenarioDocuments() {
			t.Run(set.About().Name+"/"+doc.ID, func(t *testing.T) {
				t.Parallel()
				sc, faults := set.LoadScenario(doc.Data)
				if sc == nil {
					t.Fatal(faults)
				}
				o, _ := set.About().NewOptions(nil)
				r := reader{set: set, alike: map[string]int{}, sample: map[string]string{}, names: map[string]string{}}
				for seed := range games {
					if err := r.play(set.New(sc, o), dice.NewSeeded(seed+1), decisions); err != nil {
						t.Fatal(err)
					}
				}
				r.report(t)
			})
		}
	}
}

// reader reads lists of actions as a player does.
type reader struct {
	set     rules.Ruleset
	entries int
	// aimed counts OCS commands with a target; names are those of spaces and boxes.
	aimed int
	names map[string]string
	// alike counts entries that read as another does, by kind and language, and sample has some of them.
	alike  map[string]int
	sample map[string]string
}

// play makes random decisions, of each list a kind first: games get on, and rare kinds are seen.
func (r *reader) play(g rules.Game, d *dice.Seeded, decisions int) error {
	if _, err := g.Start(d); err != nil {
		return err
	}
	chart := r.set.Map(g.Scenario(), rules.English)
	for _, s := range chart.Spaces {
		r.names[s.Id] = s.Name
	}
	for _, b := range chart.Boxes {
		r.names[b.Id] = b.Name
	}
	var list rules.Listing
	for range decisions {
		seat := rules.NoSeat
		for s := range g.Waiting().Each {
			seat = s
			break
		}
		if seat == rules.NoSeat {
			return nil
		}
		list = g.List(seat, rules.Filter{}, list)
		byKind := map[string][]rules.Command{}
		for i := range list.Len() {
			if c := list.At(i); !rules.IsOffer(g, c) {
				byKind[g.KindOf(c)] = append(byKind[g.KindOf(c)], c)
			}
		}
		r.read(g, seat, list)
		kinds := slices.Sorted(maps.Keys(byKind))
		of := byKind[kinds[d.Below(uint32(len(kinds)))]]
		if err := g.Apply(seat, of[d.Below(uint32(len(of)))], d, new(rules.Outcome)); err != nil {
			return err
		}
	}
	return nil
}

// read compares the words of all entries of a list.
func (r *reader) read(g rules.Game, seat rules.Seat, list rules.Listing) {
	for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
		words := map[string][]rules.Command{}
		for i := range list.Len() {
			d := g.Describe(seat, list.At(i))
			if lang == rules.English {
				r.aims(g, list.At(i), d)
			}
			text := r.set.About().Catalogue.Format(lang, d.Label)
			if d.Cost.Key != "" {
				text += " (" + r.set.About().Catalogue.Format(lang, d.Cost) + ")"
			}
			words[text] = append(words[text], list.At(i))
		}
		r.entries += list.Len()
		for text, of := range words {
			if len(of) < 2 {
				continue
			}
			key := fmt.Sprintf("%s, %s", g.KindOf(of[0]), lang)
			r.alike[key] += len(of)
			r.sample[key] = fmt.Sprintf("%q: %s",
				text, strings.Join([]string{g.FormatCommand(of[0]), g.FormatCommand(of[1])},
					" | "))
		}
	}
}

// target finds what an OCS command aims at in its notation, outside the brackets of whoever pays.
var target = regexp.MustCompile(`^(?:[^\[\]]|\[[^\]]*\])*? at=([^ ,\]]+)`)

// aims checks that a command with a target names it last, for a frame on the board, and in its words.
func (r *reader) aims(g rules.Game, c rules.Command, d rules.Description) {
	at := target.FindStringSubmatch(g.FormatCommand(c))
	if r.set.About().Name != "ocs" || at == nil {
		return
	}
	r.aimed++
	label := r.set.About().Catalogue.Format(rules.English, d.Label)
	if !strings.Contains(label, r.names[at[1]]) || d.Spaces[len(d.Spaces)-1] != at[1] {
		r.alike["target of "+d.Kind]++
		r.sample["target of "+d.Kind] = fmt.Sprintf("%q at %v: %s", label, d.Spaces, g.FormatCommand(c))
	}
}

func (r *reader) report(t *testing.T) {
	all := 0
	for _, key := range slices.SortedFunc(maps.Keys(r.alike), func(a, b string) int {
		return cmp.Compare(r.alike[b],
			r.alike[a])
	}) {
		all += r.alike[key]
		t.Errorf("%s: %d, such as %s", key, r.alike[key], r.sample[key])
	}
	if all > 0 {
		t.Errorf("%d of %d entries read as another of their list does, or name no target", all, r.entries)
	}
	if r.set.About().Name == "ocs" && r.aimed == 0 {
		t.Error("no command aimed at anything, so the test proves nothing")
	}
}
