package anniversary

import (
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// turnEvent folds events of rounds, turns and phases; false for others.
func (f *folder) turnEvent(e proto.Message) bool {
	p := f.p
	switch e := e.(type) {
	case *anniversaryv1.RoundBegan:
		p.round, p.turn, p.power, p.acting, p.phase = uint16(f.small(e.Round, 60000, "the round")), 0, NoPower,
			NoPower, PhaseNone
	case *anniversaryv1.TurnBegan:
		f.turnBegan(e)
	case *anniversaryv1.PhaseBegan:
		f.phaseBegan(e)
	case *anniversaryv1.PhaseEnded:
		p.step++
	case *anniversaryv1.TurnEnded:
		f.clearTurn()
	case *anniversaryv1.OrderChosen:
		p.chinaFirst, p.step = e.ChinaFirst, 3
	default:
		return false
	}
	return true
}

// turnBegan takes the start-of-turn state (AA 4.2.6).
func (f *folder) turnBegan(e *anniversaryv1.TurnBegan) {
	p := f.p
	p.power = f.seat(e.Power)
	p.acting, p.turn, p.phase, p.step = p.power,
		uint8(f.small(e.Place, uint32(NumSeats)-1, "the place in the turn order")), PhaseNone, 0
	p.startOwner, p.startComplex, p.startHostile = p.owner, p.complexes, f.set(e.Hostile)
	p.canals = 0
	for _, id := range e.Canals {
		for i := range p.sc.Canals {
			if p.sc.Canals[i].ID == id {
				p.canals |= 1 << i
			}
		}
	}
	p.measureHome()
}

// measureHome finds from everywhere the flight to the nearest territory that was friendly when the turn began.
func (p *Position) measureHome() {
	n := p.sc.Len()
	var queue [MaxSpaces]Space
	head, tail := 0, 0
	for s := range Space(n) {
		p.home[s] = scenario.Far
		if p.wasFriendly(s) {
			p.home[s] = 0
			queue[tail] = s
			tail++
		}
	}
	for ; head < tail; head++ {
		s := queue[head]
		for _, t := range p.sc.Near[s] {
			if p.home[t] == scenario.Far {
				p.home[t] = p.home[s] + 1
				queue[tail] = t
				tail++
			}
		}
	}
}

func (f *folder) phaseBegan(e *anniversaryv1.PhaseBegan) {
	p := f.p
	if e.Phase < 1 || e.Phase > anniversaryv1.Phase(PhaseIncome) {
		f.fail("no phase %d", e.Phase)
		return
	}
	p.phase, p.acting, p.swapped, p.step = Phase(e.Phase), f.power(e.Acting), e.Second, 0
	if p.phase == PhaseCombat { // what one power fought for, the other may still attack (AA 5.4.2)
		for s := range p.sc.Land {
			p.fought.Remove(s)
		}
	}
	p.plan, p.entries = p.plan[:0], 0
}

// clearTurn forgets what lasts for a turn.
func (f *folder) clearTurn() {
	p := f.p
	p.rest()
	p.power, p.acting, p.phase, p.step = NoPower, NoPower, PhaseNone, 0
	p.turn++
	p.swapped, p.chinaFirst = false, false
	p.fought, p.ignored, p.rocketFrom, p.rocketAt = SpaceSet{}, SpaceSet{}, SpaceSet{}, SpaceSet{}
	p.placed, p.unnamed = [MaxSpaces]uint8{}, [MaxSpaces]uint8{}
	p.denied = 0
	p.plan, p.entries = p.plan[:0], 0
}

// ordersGiven reads standing orders as a command gives them.
func (f *folder) ordersGiven(e *anniversaryv1.OrdersGiven) {
	x := f.p.ordering(kit.Phrase{Shape: kit.Decode})
	orders := x.takeOrders(e.GetOrders())
	switch {
	case e.GetOrders() == nil:
		f.fail("no standing orders are given")
	case x.Refusal != nil:
		f.fail("%s", x.Refusal.Words)
	}
	f.p.orders[f.seat(e.Power)] = *orders
}

// unitOf reads a type, the hull included.
func unitOf(u anniversaryv1.Unit) Unit { return Unit(u - 1) }

func (f *folder) concession(e *anniversaryv1.ConcessionChanged) {
	if seat := f.seat(e.Power).Seat(); e.Conceded {
		f.p.conceded |= rules.SeatsOf(seat)
	} else {
		f.p.conceded &^= rules.SeatsOf(seat)
	}
}

func (f *folder) gameEnded(e *anniversaryv1.GameEnded) {
	f.p.winner = Allies
	if e.Axis {
		f.p.winner = Axis
	}
	if f.p.level = uint8(f.small(uint32(e.End), levelConcession, "the end")); f.p.level == levelNone {
		f.fail("the game ended without a reason")
	}
}
