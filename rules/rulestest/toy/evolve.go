package toy

import (
	"fmt"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// fold reads the ids of an event. It keeps the first error and, after it, gives harmless answers.
type fold struct {
	p   *State
	err error
}

func (f *fold) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("toy: "+format, args...)
	}
}

// seat is what a seat has, by id.
func (f *fold) seat(id string) (rules.Seat, *seatState) {
	s, ok := about.SeatByID(id)
	if !ok {
		f.fail("the event names the unknown seat %q", id)
		return Red, &seatState{}
	}
	return s, &f.p.seats[s]
}

// unit is a unit on the map, by id.
func (f *fold) unit(id string) (Unit, *unitState) {
	u, ok := f.p.sc.unitByID(id)
	if !ok || f.p.units[u].steps == 0 {
		f.fail("the event names the unit %q, which is not on the map", id)
		return 0, &unitState{}
	}
	return u, &f.p.units[u]
}

// hex is a hex of the map, by id; an empty id means none.
func (f *fold) hex(id string) hex.Index {
	if id == "" {
		return hex.None
	}
	at, err := f.p.sc.board.ByID(id)
	if err != nil {
		f.fail("the event names the %w", err)
	}
	return at
}

// outpost is the holder of an outpost, by the id of its hex.
func (f *fold) outpost(id string) *rules.Seat {
	o, ok := f.p.sc.outpostAt(f.hex(id))
	if !ok {
		f.fail("the event names the unknown outpost %q", id)
		return new(rules.Seat)
	}
	return &f.p.holders[o]
}

// attack is the attack in progress.
func (f *fold) attack() *frame {
	if a := f.p.attack(); a != nil {
		return a
	}
	f.fail("the event belongs to an attack, and there is none")
	return &frame{}
}

// result is what the die said.
func (f *fold) result(r toyv1.AttackResult) step {
	if r < 1 || r > toyv1.AttackResult(stepHit) {
		f.fail("the event has the unknown result %d", r)
		return stepNoEffect
	}
	return step(r)
}

// place puts a unit into a hex.
func (f *fold) place(id, to string) *unitState {
	_, unit := f.unit(id)
	at := f.hex(to)
	if at == hex.None {
		f.fail("the event puts %q nowhere", id)
		return unit
	}
	unit.at = at
	return unit
}

func (f *fold) event(e *toyv1.Event) {
	p := f.p
	switch e := factOf(e).(type) {
	case *toyv1.InitiativeWon:
		p.first, _ = f.seat(e.Seat)
	case *toyv1.PlanMade:
		_, s := f.seat(e.Seat)
		s.plan = f.hex(e.Hex)
	case *toyv1.PlanSealed:
		f.seat(e.Seat)
	case *toyv1.TurnBegan:
		p.phase, p.active, p.scored, p.turn = PhaseAct, p.first, false, uint8(e.Turn)
	case *toyv1.PlayerTurnBegan:
		p.active, _ = f.seat(e.Seat)
		p.begun = true
	case *toyv1.Moved:
		f.place(e.Unit, e.To).moved = true
	case *toyv1.AttackBegan:
		u, unit := f.unit(e.Unit)
		target, _ := f.unit(e.Target)
		unit.fought = true
		p.stack = append(p.stack, frame{step: stepDeclared, unit: u, target: target, vacated: hex.None})
	case *toyv1.AttackRolled:
		f.attack().step = f.result(e.Result)
	case *toyv1.StepLost:
		f.stepLost(e)
	case *toyv1.Retreated:
		a := f.attack()
		a.step, a.vacated = stepRetreated, f.hex(e.From)
		f.place(e.Unit, e.To)
	case *toyv1.Pursued:
		f.attack().step = stepDone
		if e.To != "" {
			f.place(e.Unit, e.To)
		}
	case *toyv1.AttackEnded:
		f.attack()
		p.stack = p.stack[:max(0, len(p.stack)-1)]
	case *toyv1.Scouted:
		_, s := f.seat(e.Seat)
		s.scouted = true
	case *toyv1.ScoutReported:
		_, s := f.seat(e.Seat)
		s.found = f.hex(e.Hex)
	case *toyv1.Rallied:
		f.rallied(e)
	case *toyv1.OutpostTaken:
		holder := f.outpost(e.Hex)
		*holder, _ = f.seat(e.Seat)
	case *toyv1.PlayerTurnEnded:
		f.playerTurnEnded(e)
	case *toyv1.Scored:
		p.scored = true
		p.seats[Red].score += uint8(e.Red)
		p.seats[Blue].score += uint8(e.Blue)
	case *toyv1.PlanRevealed:
		_, s := f.seat(e.Seat)
		s.bared, s.plan = true, f.hex(e.Hex)
		s.score += uint8(e.Points)
	case *toyv1.DrawOffered:
		_, s := f.seat(e.Seat)
		s.offersDraw = true
	case *toyv1.GameEnded:
		f.gameEnded(e)
	default:
		f.fail("the event is of an unknown kind: %T", e)
	}
}

// stepLost takes a step; a unit without steps leaves the map. Losing a step is all that comes of the attack.
func (f *fold) stepLost(e *toyv1.StepLost) {
	_, unit := f.unit(e.Unit)
	unit.steps = uint8(e.Left)
	if unit.steps == 0 {
		*unit = unitState{at: hex.None}
	}
	f.attack().step = stepDone
}

func (f *fold) rallied(e *toyv1.Rallied) {
	u, unit := f.unit(e.Unit)
	if f.err != nil {
		return
	}
	s := &f.p.seats[f.p.sc.units[u].seat]
	if e.Supply > uint32(s.supply) || uint32(unit.steps)+e.Steps > uint32(f.p.sc.units[u].Steps) {
		f.fail("the event rallies %q beyond its steps or supply", e.Unit)
		return
	}
	unit.steps += uint8(e.Steps)
	s.supply -= uint8(e.Supply)
}

// playerTurnEnded turns to the other seat, or to nobody after both; units are fresh and offers lapse.
func (f *fold) playerTurnEnded(e *toyv1.PlayerTurnEnded) {
	p := f.p
	seat, _ := f.seat(e.Seat)
	p.begun = false
	p.active = rules.NoSeat
	if seat == p.first {
		p.active = rival(seat)
	}
	for u := range p.units {
		p.units[u].moved, p.units[u].fought = false, false
	}
	for s := range p.seats {
		p.seats[s].offersDraw = false
	}
}

func (f *fold) gameEnded(e *toyv1.GameEnded) {
	p := f.p
	p.phase, p.begun, p.active = PhaseOver, false, rules.NoSeat
	p.stack = p.stack[:0]
	p.end = ending{level: e.Level}
	for _, id := range e.Winners {
		seat, _ := f.seat(id)
		p.end.winners |= rules.SeatsOf(seat)
	}
}
