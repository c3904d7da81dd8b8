package downfall

import (
	"fmt"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// selfPlay plays random commands from the lists to the end, and gives the number of decisions. visit sees every
// position that waits, with the command that is about to be played.
func selfPlay(t testing.TB, sc *Scenario, opt OptionSet, seed uint64, visit func(
	p *Position, seat rules.Seat, list []Command, c Command,
)) (*Position, int) {
	t.Helper()
	return selfPlayBy(t, sc, opt, seed, byKind, visit)
}

// selfPlayBy is selfPlay with another way to choose.
func selfPlayBy(t testing.TB, sc *Scenario, opt OptionSet, seed uint64, choose func(
	[]Command, *dice.Seeded,
) Command, visit func(p *Position, seat rules.Seat, list []Command, c Command)) (*Position, int) {
	t.Helper()
	var ref referee
	rng, pick := dice.NewSeeded(seed), dice.NewSeeded(seed^0x5DEECE66D)
	p := newPosition(sc, opt)
	var out rules.Outcome
	if err := rules.Start(ref, p, rng, &out); err != nil {
		t.Fatal(err)
	}
	var list []Command
	n := 0
	for ; !p.over(); n++ {
		_, who := p.ask()
		if who == rules.NoSeat {
			t.Fatalf("nobody decides in turn %d, phase %d", p.turn, p.phase)
		}
		list = list[:0]
		p.Legal(who, rules.Filter{}, func(c Command) bool {
			if !kinds[c.Kind].Offer {
				list = append(list, c)
			}
			return true
		})
		if len(list) == 0 {
			ask, _ := p.ask()
			t.Fatalf("seed %d: nothing is legal in turn %d, phase %d, question %d", seed, p.turn, p.phase, ask)
		}
		c := choose(list, pick)
		if visit != nil {
			visit(p, who, list, c)
		}
		out.Reset()
		if err := rules.Play(ref, p, who, c, rng, &out); err != nil {
			t.Fatalf("seed %d: %+v of turn %d: %v", seed, c, p.turn, err)
		}
	}
	return p, n
}

// anyOf picks any command with equal chance.
func anyOf(list []Command, pick *dice.Seeded) Command { return list[pick.Below(uint32(len(list)))] }

// byKind picks a kind and then a command of it, so that rare kinds are played as often as common ones; the end
// of a phase is put off.
func byKind(list []Command, pick *dice.Seeded) Command {
	var have []Kind
	seen := [numKinds]bool{}
	for _, c := range list {
		if !seen[c.Kind] && (c.Kind != KindEnd || len(list) == 1 || pick.Below(4) == 0) &&
			(c.Kind != KindHold || pick.Below(4) == 0) {
			seen[c.Kind] = true
			have = append(have, c.Kind)
		}
	}
	if len(have) == 0 {
		return list[pick.Below(uint32(len(list)))]
	}
	kind, n := have[pick.Below(uint32(len(have)))], 0
	var chosen Command
	for _, c := range list {
		if c.Kind == kind {
			n++
			if pick.Below(uint32(n)) == 0 {
				chosen = c
			}
		}
	}
	return chosen
}

// TestSelfPlay plays whole games, with every option, to the end, and checks that what is listed is accepted.
func TestSelfPlay(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for i := range uint64(100) {
		opt := OptionSet(0)
		if i > 0 {
			opt = OptionSet(dice.NewSeeded(i).Next()) & (1<<len(optionList) - 1)
		}
		t.Run(fmt.Sprintf("%d/%x", i, uint32(opt)), func(t *testing.T) {
			t.Parallel()
			kindsPlayed := [numKinds]int{}
			p, n := selfPlay(t, sc, opt, i, func(p *Position, seat rules.Seat, list []Command, c Command) {
				kindsPlayed[c.Kind]++
				for j := 0; j < len(list); j += 1 + len(list)/40 {
					if r := p.check(seat, list[j]); r != nil {
						t.Fatalf("listed, but refused: %+v: %v", list[j], r)
					}
				}
			})
			t.Logf("%d decisions, turn %d, %d points, level %d, kinds %v", n, p.turn, p.vp, p.level, kindsPlayed)
		})
	}
}
