package anniversary

import (
	"testing"
	"time"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// play plays a random game and reports its length.
func playRandom(
	t testing.TB, doc string, seed uint64, most int, given map[string]string,
) (p *Position, decisions, listed int) {
	t.Helper()
	sc := shippedScenario(t, doc)
	o, err := about.NewOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	ref := referee{}
	p = ref.New(sc, o)
	out := new(rules.Outcome)
	src, rnd := dice.NewSeeded(seed), dice.NewSeeded(seed+1000)
	if err := rules.Start(ref, p, src, out); err != nil {
		t.Fatal(err)
	}
	var list []Command
	for decisions = 0; decisions < most && !p.over(); decisions++ {
		seats := ref.Waiting(p)
		if seats == 0 {
			t.Fatalf("stall in phase %d step %d battle %+v", p.phase, p.step, p.battle)
		}
		var seat rules.Seat
		for s := range seats.Each {
			seat = s
			break
		}
		list = list[:0]
		ref.Legal(p, seat, rules.Filter{}, func(c Command) bool {
			if !kinds[c.Kind].Offer {
				list = append(list, c)
			}
			return true
		})
		if len(list) == 0 {
			a, _ := p.ask()
			t.Fatalf("no command for %s, phase %d step %d: %v", questions[a].id, p.phase, p.step, p.checkEnd())
		}
		listed += len(list)
		c := list[rnd.Below(uint32(len(list)))]
		out.Reset()
		if err := rules.Play(ref, p, seat, c, src, out); err != nil {
			t.Fatalf("decision %d: %s %+v: %v", decisions, kinds[c.Kind].ID, c, err)
		}
	}
	return p, decisions, listed
}

func TestRandomGames(t *testing.T) {
	for seed := range uint64(6) {
		start := time.Now()
		p, n, listed := playRandom(t, []string{"1941", "1942"}[seed%2], seed, 20000, nil)
		t.Logf("seed %d: %d decisions, list %d, round %d, over %v, axis %d, groups %d, %v",
			seed, n, listed/n, p.round, p.over(), p.citiesOf(Axis), len(p.groups), time.Since(start)/time.Duration(n))
	}
}
