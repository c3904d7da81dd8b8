package ocs

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

func newSeeded(seed uint64) dice.Source { return dice.NewSeeded(seed) }

// replay folds the events of an outcome from their bytes, as a stored game is folded.
func replay(t *testing.T, p *Position, out *rules.Outcome) {
	t.Helper()
	for _, e := range out.Events {
		data, err := proto.Marshal(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		stored := &event{}
		if err := proto.Unmarshal(data, stored); err != nil {
			t.Fatal(err)
		}
		if err := p.evolve(stored); err != nil {
			t.Fatal(err)
		}
	}
}

// The counts that stacks.go keeps are those of a plain look at the units.
func checkCounts(t *testing.T, p *Position) {
	t.Helper()
	plain := newPosition(p.sc, p.opt)
	for u := range p.units {
		s := p.units[u]
		if u >= len(plain.units) {
			plain.units = append(plain.units, freshUnit(p.sc, s.counter))
		}
		plain.set(Unit(u), s)
	}
	for i := range p.cells {
		a, b := &p.cells[i], &plain.cells[i]
		if a.zoc != b.zoc || a.combat != b.combat || a.pieces != b.pieces || a.head != b.head {
			t.Fatalf("%s: kept %v %v %v, plainly %v %v %v",
				p.sc.PlaceID(p.placeOf(i)), a.zoc, a.combat, a.pieces, b.zoc, b.combat, b.pieces)
		}
	}
}

// What is printed is read back, at every decision of a game of random commands.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"proving-ground", "crimea-ishun"} {
		p := newPosition(shipped(t, id), options{})
		src := dice.NewSeeded(7)
		if err := rules.Start(referee{}, p, src, new(rules.Outcome)); err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 300 && p.Ending() == nil; n++ {
			_, seats := p.ask()
			for seat := range seats.Each {
				var list []Command
				p.Legal(seat, rules.Filter{}, func(c Command) bool {
					if c.Kind != KindConcede {
						list = append(list, c)
					}
					return true
				})
				a, errA := src.Roll(100, "test")
				b, errB := src.Roll(100, "test")
				if errA != nil || errB != nil {
					t.Fatal(errA, errB)
				}
				c := list[(int(a)*100+int(b))%len(list)]
				text := p.formatCommand(c)
				again, r := p.parseCommand(text)
				if r != nil || p.formatCommand(again) != text {
					t.Fatalf("%s is read as %s (%v)", text, p.formatCommand(again), r)
				}
				if err := rules.Play(referee{}, p, seat, c, src, new(rules.Outcome)); err != nil {
					t.Fatalf("%s: %v", text, explain(err))
				}
			}
			if n%10 != 0 {
				continue
			}
			checkCounts(t, p)
			text := p.format()
			read, err := parsePosition(p.sc, text)
			if err != nil || read.format() != text {
				t.Fatalf("a position is not read back: %v\n%s", err, text)
			}
			checkCounts(t, read)
		}
	}
}
