package ocs

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// In games of random commands and random standing orders each answer by order is one that the seat may give by hand,
// does what was ordered, and gives nothing away that need not be. The events replay to the same position.
func TestOrdersUnderRandomPlay(t *testing.T) {
	t.Parallel()
	followed := map[string]int{}
	skies := func(t testing.TB) *table {
		return inSkies(t, wings).put("07.07", "b-bf b-st b-st2").hex("07.07", "air_base=2").
			put("12.07", "r-lagg r-il").hex("12.07", "air_base=1").segment(SegAirNaval, Red)
	}
	for _, begin := range []func(testing.TB) *table{battlefield, skies} {
		for seed := range uint64(6) {
			p, src, rnd := begin(t).p, dice.NewSeeded(seed+21), dice.NewSeeded(seed+41)
			for seat := range numSeats {
				for _, o := range []int{orderUsual, orderAirCombat, orderIntercept} {
					c := only(KindOrders)
					c.Choice, c.N = o, min(orders[o].most, interceptBest)
					p.tried(t, seat, c, src, followed)
				}
			}
			for n := 0; n < 30 && !p.over(); n++ {
				_, seats := p.ask()
				seat, list := firstOf(seats), []Command(nil)
				if rnd.Below(2) == 0 {
					seat, list = p.someOrders(rnd)
				} else {
					list = p.fighting(seat)
				}
				if len(list) > 0 {
					p.tried(t, seat, list[rnd.Below(uint32(len(list)))], src, followed)
				}
			}
		}
	}
	for _, id := range []string{"losses", "combat-supply", "lead", "retreat", "advance", "intercept", "stand-down"} {
		if followed[id] == 0 {
			t.Errorf("no order answers %s: %v", id, followed)
		}
	}
}

// fighting are the commands of a seat that begin a combat or a mission, or all of them if none does.
func (p *Position) fighting(seat rules.Seat) (list []Command) {
	var others []Command
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		switch c.Kind {
		case KindAttack, KindOverrun, KindAirBarrage, KindSweep:
			list = append(list, c)
		default:
			if !kinds[c.Kind].Offer {
				others = append(others, c)
			}
		}
		return true
	})
	if len(list) == 0 {
		return others
	}
	return list
}

// someOrders are orders that a seat may give: for the whole game, for a unit or for a hex.
func (p *Position) someOrders(rnd *dice.Seeded) (seat rules.Seat, list []Command) {
	seat = rules.Seat(rnd.Below(uint32(numSeats)))
	f, units := rules.Filter{Kind: "orders"}, []Unit(nil)
	for u := range p.units {
		if p.units[u].seat == seat && p.spot(Unit(u)).onMap() {
			units = append(units, Unit(u))
		}
	}
	if len(units) == 0 {
		return seat, nil
	}
	u := units[rnd.Below(uint32(len(units)))]
	switch at := p.units[u].place; rnd.Below(3) {
	case 0:
		f.Piece = p.id(u)
	case 1:
		if !at.onMap() {
			return seat, nil
		}
		f.Space = p.sc.PlaceID(at)
	}
	p.Legal(seat, f, func(c Command) bool {
		if c.Choice != orderUsual && !c.Drop {
			list = append(list, c)
		}
		return true
	})
	return seat, list
}

// tried plays a command and replays its events. Before each answer by order it looks at what is answered.
func (p *Position) tried(t *testing.T, seat rules.Seat, c Command, src dice.Source, followed map[string]int) {
	t.Helper()
	q := p.Clone()
	out, _ := apply(t, p, seat, c, src)
	for i := range out.Events {
		if f, ok := out.Events[i].Event.(*event).GetFact().(*ocsv1.Event_OrderFollowed); ok {
			who := rules.Seat(slices.Index(seatIDs[:], f.OrderFollowed.GetSeat()))
			ask, _ := q.ask()
			followed[questions[ask].id]++
			q.answersWell(t, ask, who)
		}
		replay(t, q, &rules.Outcome{Events: out.Events[i : i+1]})
	}
	if diff := cmp.Diff(p.format(), q.format()); diff != "" {
		t.Fatalf("%s (-played +replayed)\n%s", q.formatCommand(c), diff)
	}
}

// answersWell looks at what a seat's orders answer.
func (p *Position) answersWell(t *testing.T, ask Ask, seat rules.Seat) {
	t.Helper()
	c, ok := p.byOrder(ask, seat)
	if r := p.check(seat, &c); !ok || r != nil {
		t.Fatalf("by order %s (%t): %v", p.formatCommand(c), ok, r)
	}
	ordered := func(order int, u Unit) int {
		s := p.subjectOf(seat)
		s.units = []Unit{u}
		return p.orderedIn(seat, order, s)
	}
	wrong := ""
	switch c.Kind {
	case KindLosses, KindSuffer:
		units, leader := p.losing(c.Kind, seat)
		turn := func(u Unit) int { return [...]int{1, 0, 2}[ordered(orderLoses, u)] }
		for _, a := range units {
			for _, b := range units {
				if turn(a) > turn(b) && a != leader && steps(c.Lines, a) > 0 && steps(c.Lines, b) == 0 {
					wrong = p.id(a) + " loses before " + p.id(b)
				}
			}
		}
		if c.Kind == KindLosses && p.wastes(&c, seat) {
			wrong = "more is lost than must be"
		}
	case KindPay:
		wrong = p.paysAgainst(&c, seat)
	case KindIntercept:
		if c.Unit != NoUnit && ordered(orderGrounded, c.Unit) > 0 {
			wrong = p.id(c.Unit) + " is grounded"
		}
	case KindAdvance:
		if none := only(KindAdvance); p.ordered(seat, orderAdvance) == advanceNobody && len(c.Units) > 0 &&
			p.check(seat, &none) == nil {
			wrong = "somebody advances"
		}
	case KindLead:
		for _, u := range p.fighters(inner[*combat](p), seat) {
			other := only(KindLead)
			if other.Unit = u; p.check(seat, &other) == nil && p.rating(u) > p.rating(c.Unit) {
				wrong = p.id(u) + " leads better"
			}
		}
	default:
		if kinds[c.Kind].Offer {
			wrong = "it is an offer"
		}
	}
	if wrong != "" {
		t.Errorf("by order %s: %s", p.formatCommand(c), wrong)
	}
}

// losing are the units of a question of losses, and the one that loses first whatever is ordered.
func (p *Position) losing(kind Kind, seat rules.Seat) (units []Unit, leader Unit) {
	if kind == KindSuffer {
		units, _ = p.unsupplied(seat, p.top().base().at)
		return units, NoUnit
	}
	w := p.lossOf(p.top())
	return w.units, w.leader
}

// wastes reports whether more steps are lost than must be, although options are ordered to be retreats.
func (p *Position) wastes(c *Command, seat rules.Seat) bool {
	order, total := orderDefenceLosses, 0
	if f := inner[*combat](p); f != nil && f.seat == seat {
		order = orderAttackLosses
	}
	for _, l := range c.Lines {
		total += l.Count
	}
	w := p.lossOf(p.top())
	return total > min(w.due.losses, p.capacity(w.units)) && (w.ignore || p.ordered(seat, order) != lossesSteps)
}

// paysAgainst says what is wrong with a payment by order; empty for nothing.
func (p *Position) paysAgainst(c *Command, seat rules.Seat) string {
	f, total := inner[*combat](p), 0
	keep := p.ordered(seat, orderAttackSupply) - attackPays
	if seat != f.seat {
		keep = p.ordered(seat, orderDefenceSupply) - defencePays
	}
	for _, l := range c.Lines {
		total += l.Count
		stays := keep
		if n := p.orderedIn(seat, orderKeep, subject{at: l.At}); n > 0 {
			stays = n
		}
		if p.orderedIn(seat, orderStore, subject{at: l.At}) == storeNever {
			return p.sc.PlaceID(l.At) + " never pays"
		}
		if l.Unit == NoUnit && int(p.cell(l.At).ground[seat])-l.Count < stays {
			return "too little stays in " + p.sc.PlaceID(l.At)
		}
	}
	if total != p.combatPrice(f, seat, c.Units) {
		return "it pays another price"
	}
	return ""
}
