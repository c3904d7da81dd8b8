package listings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// listedTexts is a list in notation.
func listedTexts(g rules.Game, list rules.Listing) string {
	var b strings.Builder
	for i := range list.Len() {
		b.WriteString(g.FormatCommand(list.At(i)) + "\n")
	}
	return b.String()
}

// TestListingsMakeNoDifference has many callers list many positions at once, with what others left: every list
// is as one made afresh.
func TestListingsMakeNoDifference(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	sc, _ := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	options, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := &Lists{Limit: 3}
	var callers sync.WaitGroup
	for caller := range uint64(8) {
		callers.Go(func() {
			rnd := rand.New(rand.NewPCG(caller, 1))
			g := set.New(sc, options)
			if _, err := g.Start(dice.NewSeeded(caller)); err != nil {
				t.Error(err)
				return
			}
			for n := range 60 {
				for seat := range g.Waiting().Each {
					filter := rules.Filter{Kind: []string{"", "move", "plan"}[rnd.IntN(3)]}
					name := fmt.Sprint("game ", caller%4) // two callers at a game
					list := g.List(seat, filter, kept.Take(name, "toy"))
					if got, want := listedTexts(g, list), listedTexts(g, g.List(seat, filter, nil)); got != want {
						t.Errorf("caller %d, step %d: got\n%swant\n%s", caller, n, got, want)
						return
					}
					kept.Put(name, "toy", list)
					all := g.List(seat, rules.Filter{}, nil)
					next, _, err := g.Play(seat, all.At(rnd.IntN(all.Len())), dice.NewSeeded(rnd.Uint64()))
					if err != nil {
						t.Error(err)
						return
					}
					g = next
					break
				}
				if g.Ending() != nil {
					return
				}
			}
		})
	}
	callers.Wait()
	if n := len(kept.kept); n > 3 || n == 0 {
		t.Errorf("%d lists are kept, want at most 3", n)
	}
}

// TestListingsAreLetGo: a list is used by one at a time, is the game's own where there is one, and of another game only
// when there are as many as there may be; what nobody uses goes.
func TestListingsAreLetGo(t *testing.T) {
	t.Parallel()
	type list struct{ rules.Listing }
	l := &Lists{Limit: 2}
	a, b := &list{}, &list{}
	l.Put("a", "toy", a)
	if l.Take("b", "toy") != nil {
		t.Error("a list is taken from a game while there is room")
	}
	l.Put("b", "toy", b)
	if got := l.Take("c", "chess"); got != nil {
		t.Error("a list of another ruleset")
	}
	if got := l.Take("c", "toy"); got != a {
		t.Errorf("got %p, want the list that was used longest ago", got)
	}
	if got := l.Take("b", "toy"); got != b || l.Take("b", "toy") != nil {
		t.Error("a game's own list is not its own, or is given twice")
	}
	for _, name := range []string{"a", "b", "c"} {
		l.Put(name, "toy", &list{})
	}
	if len(l.kept) != 2 || l.kept[0].game != "b" {
		t.Errorf("kept %v", l.kept)
	}
	l.Forget(time.Now(), time.Hour)
	if len(l.kept) != 2 {
		t.Error("what was just used is let go")
	}
	l.Forget(time.Now().Add(time.Hour), time.Hour)
	if len(l.kept) != 0 {
		t.Error("what nobody uses stays")
	}
	none := new(Lists)
	none.Put("a", "toy", a)
	if len(none.kept) != 0 || none.Take("a", "toy") != nil {
		t.Error("a list is kept where none shall be")
	}
}
