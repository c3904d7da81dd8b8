package ocs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// usual gives both seats the usual standing orders.
func (g *table) usual() *table {
	g.t.Helper()
	for seat := range numSeats {
		g.as(seat, "orders order=usual value=1")
	}
	return g
}

// apply plays a command of a seat and counts what standing orders answered.
func apply(t testing.TB, p *Position, seat rules.Seat, c Command, src dice.Source) (out *rules.Outcome, followed int) {
	t.Helper()
	out = new(rules.Outcome)
	if err := rules.Play(referee{}, p, seat, c, src, out); err != nil {
		t.Fatalf("%s: %v", p.formatCommand(c), err)
	}
	facts(out, func(e *event) {
		if _, ok := e.GetFact().(*ocsv1.Event_OrderFollowed); ok {
			followed++
		}
	})
	return out, followed
}

// A regular attack is one command and no hand-over if both sides have the usual standing orders, whatever the dice, and
// an overrun too. The aim is 3 and 2, and 2 and 1. Without orders the same answers are counted for comparison.
func TestOrdersSpareQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command string
		begin   func(t *testing.T) *table
	}{
		{"attack x-gr,x-mc 11.07", func(t *testing.T) *table { return battlefield(t) }},
		{"overrun x-1,x-2 09.03",
			func(t *testing.T) *table { return onOverrun(t, "09.03").segment(SegMovement, Blue) }},
	} {
		bare := c.begin(t)
		g := c.begin(t).usual()
		least, most, handed := 1000, 0, 0
		for seed := range uint64(20) {
			n, h := countedByHand(t, bare.p.Clone(), *bare.parsed(c.command), g.p.registers, dice.NewSeeded(seed+1))
			least, most, handed = min(least, n), max(most, n), max(handed, h)
		}
		if t.Logf("%s by hand: %d to %d commands, at most %d hand-overs", c.command, least, most, handed); least < 7 {
			t.Errorf("%s takes %d commands without orders", c.command, least)
		}
		for seed := range uint64(20) {
			q := g.p.Clone()
			_, followed := apply(t, q, Blue, *g.parsed(c.command), dice.NewSeeded(seed+1))
			ask, seats := q.ask()
			if ask == AskNothing || len(q.frames) > 0 || !seats.Has(Blue) || followed < 4 {
				t.Errorf("%s: seed %d: after %d answers %s is asked of %v",
					c.command, seed, followed, questions[ask].id, seats)
			}
		}
	}
}

// countedByHand plays an attack of Blue with the answers that orders would give, and counts commands and hand-overs
// until Blue goes on with something else.
func countedByHand(
	t *testing.T, p *Position, c Command, orders [numSeats][numRegisters]int32, src dice.Source,
) (commands, handed int) {
	t.Helper()
	apply(t, p, Blue, c, src)
	last := rules.Seat(Blue)
	for commands = 1; len(p.frames) > 0; commands++ {
		_, seats := p.ask()
		if who := firstOf(seats); who != last {
			handed, last = handed+1, who
		}
		p.byHand(t, orders, src)
	}
	if last != Blue {
		handed++
	}
	return commands, handed
}

// Only its seat sees a standing order, and that one answered.
func TestOrdersAreSecret(t *testing.T) {
	t.Parallel()
	g := battlefield(t).usual()
	if n := len(g.p.view(rules.SeatViewer(Red)).GetRegisters()); n == 0 {
		t.Fatal("a seat does not see its own orders")
	}
	for _, r := range g.p.view(rules.SeatViewer(Red)).GetRegisters() {
		if r.GetSeat() != seatIDs[Red] {
			t.Errorf("red sees %v", r)
		}
	}
	out, _ := apply(t, g.p.Clone(), Blue, *g.parsed("attack x-gr 11.07"), dice.NewSeeded(1))
	for _, e := range out.Events {
		k, ok := e.Event.(*event).GetFact().(*ocsv1.Event_OrderFollowed)
		if ok && rules.SeatViewer(rules.Seat(1-g.p.seatOf(k.OrderFollowed.GetSeat()))).MaySee(e.Audience) {
			t.Errorf("the enemy sees %v", e.Event)
		}
	}
	if known, _ := g.p.Known(rules.SeatViewer(Red)); known.ordersAny(Blue) || !known.ordersAny(Red) {
		t.Error("a seat knows the orders of the other")
	}
}

// What can't be read is refused, and an order that is taken back asks again.
func TestOrdersAreGivenAndTakenBack(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	for _, command := range []string{"orders", "orders order=lead value=2", "orders order=usual value=7",
		"orders order=intercept value=3"} {
		if _, err := g.try(Blue, command); err == nil {
			t.Errorf("%s is accepted", command)
		}
	}
	g.do("orders order=intercept value=2")
	g.do("orders order=intercept value=0")
	g.do("orders order=attack-supply value=4")
	before := g.p.format()
	g.do("orders order=usual value=1")
	if g.p.ordered(Blue, orderAttackSupply) != attackPays || g.p.ordered(Blue, orderPass) != 0 {
		t.Error("the usual orders are others")
	}
	g.do("orders order=usual")
	if g.p.ordersAny(Blue) {
		t.Error("orders are left")
	}
	again, err := parsePosition(g.sc, before)
	if err != nil || again.format() != before || again.ordered(Blue, orderAttackSupply) != 4 {
		t.Errorf("the notation loses orders: %v", err)
	}
	if list := g.lists("orders"); len(list) < 20 {
		t.Errorf("the list has %d orders", len(list))
	}
	if g.p.firstListed(Blue, KindOrders) {
		t.Error("orders are listed although nobody asks for them")
	}
}

// firstListed reports whether the list without a filter has a kind.
func (p *Position) firstListed(seat rules.Seat, k Kind) (found bool) {
	p.Legal(seat, rules.Filter{}, func(c Command) bool { found = c.Kind == k; return !found })
	return found
}

// In each store as much stays as the order says.
func TestOrdersKeepSupply(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	g.do("orders order=attack-supply value=20") // 19T of the 20T in 10.06 stay
	g.do("attack x-gr 11.07")
	g.want("asks", "combat-supply", "ground 10.06 blue", 20) // 2T are needed
	if g.asked() != Blue {
		t.Error("blue is not asked")
	}
	g.do("orders order=attack-supply value=19")
	g.want("ground 10.06 blue", 18)
	if g.asked() != Red {
		t.Error("blue is asked although its orders pay")
	}
}

// Games with standing orders come out as games in which the same answers are given by hand.
func TestOrdersAreAnswers(t *testing.T) {
	t.Parallel()
	followed := 0
	for seed := range uint64(4) {
		on, off := begun(t, "proving-ground").p, begun(t, "proving-ground").p
		a, b, rnd := dice.NewSeeded(seed+1), dice.NewSeeded(seed+1), dice.NewSeeded(seed+100)
		for seat := range numSeats {
			c := only(KindOrders)
			c.Choice, c.N = orderUsual, 1
			apply(t, on, seat, c, a)
			c.Choice = orderPass
			apply(t, on, seat, c, a)
		}
		orders := on.registers
		for n := 0; n < 250 && !on.over(); n++ {
			_, seats := on.ask()
			seat := firstOf(seats)
			var list []Command
			on.Legal(seat, rules.Filter{}, func(c Command) bool {
				if !kinds[c.Kind].Offer {
					list = append(list, c)
				}
				return true
			})
			c := list[rnd.Below(uint32(len(list)))]
			_, more := apply(t, on, seat, c, a)
			apply(t, off, seat, c, b)
			for range more {
				off.byHand(t, orders, b)
			}
			followed += more
		}
		on.forget()
		if diff := cmp.Diff(off.format(), on.format()); diff != "" {
			t.Fatalf("seed %d (-by hand +by orders):\n%s", seed, diff)
		}
	}
	if followed < 20 {
		t.Errorf("orders answered %d times", followed)
	}
}

// byHand gives the answer that orders would give.
func (p *Position) byHand(t *testing.T, orders [numSeats][numRegisters]int32, src dice.Source) {
	t.Helper()
	q := p.Clone()
	for seat := range numSeats {
		copy(q.registers[seat][firstOrder:], orders[seat][firstOrder:])
	}
	ask, seats := q.ask()
	for seat := range seats.Each {
		if c, ok := q.byOrder(ask, seat); ok && q.check(seat, &c) == nil {
			apply(t, p, seat, c, src)
			return
		}
	}
	t.Fatalf("no order answers %s", questions[ask].id)
}

// forget takes all standing orders back.
func (p *Position) forget() {
	for seat := range numSeats {
		clear(p.registers[seat][firstOrder:])
	}
}

// A command may be as long as 65,536 bytes.
func TestLengthOfACommand(t *testing.T) {
	t.Parallel()
	g := battlefield(t)
	const command = "orders order=lead value=1"
	for length, want := range map[int]bool{1 << 16: true, 1<<16 + 1: false} {
		if _, r := g.p.parseCommand(command + strings.Repeat(" ", length-len(command))); (r == nil) != want {
			t.Errorf("%d bytes: %v", length, r)
		}
	}
}
