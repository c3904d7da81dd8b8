package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// opening is a usual first round of Germany in 1941: what it buys and where its groups move.
var opening = map[Ask][]string{
	AskPurchase: {"buy 7 infantry 2 tank"},
	AskMove: {
		"move 4 infantry 1 artillery 2 tank poland>east-poland",
		"move 3 infantry 1 artillery 2 tank bulgaria-romania>ukraine",
		"move 1 infantry 1 artillery 1 tank libya>egypt",
		"move 2 submarine sz-7>sz-9",
		"move 1 submarine sz-5>sz-6",
		"move 1 fighter poland>east-poland",
		"move 1 fighter norway>sz-6",
	},
	AskNoncombat: {"move 1 fighter east-poland>poland", "move 1 fighter sz-6>norway",
		"move 3 infantry 1 artillery germany>poland", "move 2 tank czechoslovakia-hungary>poland"},
	AskMobilize: {"place 7 infantry 2 tank germany"},
}

// playOpening plays Germany's first round, and counts its commands and those of the others.
func playOpening(t *testing.T, orders string, seed uint64) (germany, others int) {
	t.Helper()
	o, err := about.NewOptions(map[string]string{"forced_choices": "true"})
	if err != nil {
		t.Fatal(err)
	}
	ref, src, script := referee{}, dice.NewSeeded(seed), map[Ask]int{}
	p := ref.New(shippedScenario(t, "1941"), o)
	if err := rules.Start(ref, p, src, new(rules.Outcome)); err != nil {
		t.Fatal(err)
	}
	play := func(seat rules.Seat, c Command) {
		if err := rules.Play(ref, p, seat, c, src, new(rules.Outcome)); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, grammar.Format(p, c), err)
		}
	}
	parse := func(text string) Command {
		c, r := p.parseCommand(text)
		if r != nil {
			t.Fatalf("%s: %v", text, r)
		}
		return c
	}
	for seat := range NumSeats {
		if orders != "" {
			play(seat.Seat(), parse(orders))
		}
	}
	for p.power == Germany {
		ask, seats := p.ask()
		for seat := range seats.Each {
			c := p.firstAnswer(seat)
			for found := false; !found && script[ask] < len(opening[ask]); script[ask]++ {
				one := parse(opening[ask][script[ask]])
				if found = p.check(seat, &one) == nil; found {
					c = one
				} else if ask != AskNoncombat { // in which those that are lost do not move
					t.Fatalf("%s is illegal", opening[ask][script[ask]])
				}
			}
			if play(seat, c); seat == Germany.Seat() {
				germany++
			} else {
				others++
			}
			break
		}
	}
	return germany, others
}

// firstAnswer is the end of a phase, or the first answer in the list.
func (p *Position) firstAnswer(seat rules.Seat) (c Command) {
	p.Legal(seat, rules.Filter{}, func(one Command) bool {
		ends := one.Kind == KindEnd
		if !kinds[one.Kind].Offer && (c.Kind == KindNone || ends) {
			c = one
		}
		return !ends
	})
	return c
}

// Groups move in one command and casualties are one list. So Germany's first round with five combats takes at most 20
// commands, whatever the dice, with standing orders and forced choices. The orders of the others answer for them.
func TestOrdersSpareQuestions(t *testing.T) {
	t.Parallel()
	const aim = 20
	most, byHand, others := 0, 0, 0
	for seed := range uint64(20) {
		n, more := playOpening(t, "orders losses infantry retreat 1 submarines strike bombard divert agree", seed+1)
		m, _ := playOpening(t, "", seed+1)
		most, byHand, others = max(most, n), max(byHand, m), max(others, more)
	}
	t.Logf("at most %d commands of Germany and %d of others; %d without orders", most, others, byHand)
	if most > aim || others > 0 || byHand <= most {
		t.Errorf("at most %d commands of Germany (the aim is %d) and %d of others; %d without orders",
			most, aim, others, byHand)
	}
}
