package anniversary

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// folder reads an event against a position; the first thing that does not fit stays in err.
type folder struct {
	p   *Position
	err error
}

func (f *folder) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("anniversary: "+format, args...)
	}
}

// space reads a space; an empty id means none.
func (f *folder) space(id string) Space {
	if id == "" {
		return NoSpace
	}
	s, ok := f.p.tab.space[id]
	if !ok {
		f.fail("no space %q in the scenario", id)
		return NoSpace
	}
	return s
}

// place reads a space that must be given.
func (f *folder) place(id string) Space {
	s := f.space(id)
	if s == NoSpace {
		f.fail("an event without its space")
		return 0
	}
	return s
}

func (f *folder) set(ids []string) SpaceSet {
	var s SpaceSet
	for _, id := range ids {
		s.Add(f.place(id))
	}
	return s
}

// power reads a power that must be given.
func (f *folder) power(w anniversaryv1.Power) Power {
	if w < 1 || w > anniversaryv1.Power(NumPowers) {
		f.fail("no power %d", w)
		return Germany
	}
	return Power(w - 1)
}

// seat reads a power that has a seat.
func (f *folder) seat(w anniversaryv1.Power) Power {
	if s := f.power(w); s < NumSeats {
		return s
	}
	f.fail("China where an income power is expected")
	return Germany
}

// holder reads who controls a territory; none is NoPower.
func (f *folder) holder(w anniversaryv1.Power) Power {
	if w == anniversaryv1.Power_POWER_UNSPECIFIED {
		return NoPower
	}
	return f.power(w)
}

func (f *folder) unit(u anniversaryv1.Unit) Unit {
	if u < 1 || u > anniversaryv1.Unit(NumUnits) {
		f.fail("no unit %d", u)
		return Infantry
	}
	return Unit(u - 1)
}

// small checks a number against the largest that it can be.
func (f *folder) small(n, most uint32, what string) uint32 {
	if n > most {
		f.fail("%s is %d, expected at most %d", what, n, most)
		return 0
	}
	return n
}

// key reads a stack; none is 0.
func (f *folder) key(s *anniversaryv1.Stack) Key {
	if s == nil {
		return 0
	}
	u := f.unit(s.Unit)
	if u == Complex {
		f.fail("an industrial complex is no unit on the map")
	}
	k := keyOf(f.place(s.Space), f.power(s.Power), u).use(uint8(f.small(s.Used, 15, "movement used")))
	for _, m := range s.Marks {
		if m < 1 || m > numMarks {
			f.fail("no mark %d", m)
			return 0
		}
		k = k.mark(1 << (m - 1))
	}
	if s.From != "" {
		k = k.cameFrom(f.place(s.From))
	}
	if s.Target != "" {
		k = k.aimedAt(f.place(s.Target))
	}
	if len(s.Cargo) == 0 {
		return k
	}
	if len(s.Cargo) > 2 {
		f.fail("%d units aboard, expected at most 2", len(s.Cargo))
		return 0
	}
	var cargo [2]Cargo
	for i, c := range s.Cargo {
		cargo[i] = f.cargo(c, u)
	}
	return k.carrying(cargo)
}

func (f *folder) cargo(c *anniversaryv1.Cargo, on Unit) Cargo {
	u := f.unit(c.Unit)
	if (on == Carrier) != (u == Fighter) || on != Carrier && u > AAGun {
		f.fail("%s can't be aboard of %s", u.ID(), on.ID())
	}
	out := cargoOf(u, f.power(c.Power))
	if on == Carrier {
		out = guestOf(f.power(c.Power))
	}
	if c.Loaded {
		out |= loaded
	}
	if c.Lands {
		out |= lands
	}
	return out
}

// apply folds changes.
func (f *folder) apply(list []*anniversaryv1.Change) {
	for _, c := range list {
		f.become(f.key(c.Before), f.key(c.After), c.Count)
	}
}

// become turns units into others.
func (f *folder) become(before, after Key, count uint32) {
	n := uint16(f.small(count, 60000, "a number of units"))
	if f.err != nil || n == 0 {
		return
	}
	if before != 0 && !f.p.take(before, n) {
		f.fail("%d %s of %s in %s, as the event says them, are not there",
			n, before.Unit().ID(), before.Power().ID(), f.p.sc.SpaceID(before.At()))
		return
	}
	if after != 0 {
		f.p.put(after, n)
	}
}

// pay takes IPCs.
func (f *folder) pay(w Power, n uint32) {
	if n > uint32(f.p.ipc[w]) {
		f.fail("%s pays %d IPCs and has %d", w.ID(), n, f.p.ipc[w])
		return
	}
	f.p.ipc[w] -= uint16(n)
}

// receive adds IPCs.
func (f *folder) receive(w Power, n uint32) {
	f.p.ipc[w] += uint16(f.small(n, 60000-uint32(min(f.p.ipc[w], 60000)), "a sum of IPCs"))
}

// stage reads a stage of a combat.
func (f *folder) stage(s anniversaryv1.Stage) Stage {
	if s < 0 || s > anniversaryv1.Stage(StageConclude) {
		f.fail("no stage %d", s)
		return StageOpen
	}
	return Stage(s)
}

// changing is an event that turns units into others, staging one that takes a combat to a step.
type (
	changing interface {
		GetChanges() []*anniversaryv1.Change
	}
	staging interface{ GetStage() anniversaryv1.Stage }
)

// evolve folds an event into the position. It knows no rules: the event states the outcome.
func (p *Position) evolve(e *event) error {
	f := folder{p: p}
	switch e := factOf(e).(type) {
	case *anniversaryv1.UnitsMoved:
		f.unitsMoved(e)
	case *anniversaryv1.ConsentAnswered:
		f.consentAnswered(e)
	default:
		if e, ok := e.(changing); ok {
			f.apply(e.GetChanges())
		}
		if !f.boardEvent(e) && !f.turnEvent(e) && !f.economyEvent(e) && !f.combatEvent(e) {
			f.fail("the event is of an unknown kind: %T", e)
		}
		if e, ok := e.(staging); ok && e.GetStage() != anniversaryv1.Stage_STAGE_UNSPECIFIED {
			p.battle.stage = f.stage(e.GetStage())
		}
	}
	return f.err
}

// boardEvent folds events of movement, of what has no place in a phase, and of the end; false for others.
func (f *folder) boardEvent(e proto.Message) bool {
	switch e := e.(type) {
	case *anniversaryv1.FightersDiverted, *anniversaryv1.AirUnitsLost, *anniversaryv1.LandingFailed,
		*anniversaryv1.TransportsSunk,
		*anniversaryv1.AntiaircraftFired, *anniversaryv1.ParatroopersDropped, *anniversaryv1.CasualtiesRemoved,
		*anniversaryv1.ForcedAnswer:
		// nothing but changes
	case *anniversaryv1.MoveRecalled:
		f.moveRecalled(e)
	case *anniversaryv1.TerritoryTaken:
		f.territoryTaken(e)
	case *anniversaryv1.ConsentAsked:
		f.consentAsked(e)
	case *anniversaryv1.UnitsMobilized:
		f.unitsMobilized(e)
	case *anniversaryv1.ConsentsChanged:
		o := &f.p.orders[f.seat(e.Power)]
		o.carriers = Policy(f.small(uint32(e.Carriers), 2, "a consent"))
		o.transports = Policy(f.small(uint32(e.Transports), 2, "a consent"))
	case *anniversaryv1.OrdersGiven:
		f.ordersGiven(e)
	case *anniversaryv1.ConcessionChanged:
		f.concession(e)
	case *anniversaryv1.GameEnded:
		f.gameEnded(e)
	default:
		return false
	}
	return true
}

func (f *folder) unitsMoved(e *anniversaryv1.UnitsMoved) {
	p, via := f.p, f.space(e.Blitzed)
	for _, c := range e.Changes {
		before, after := f.key(c.Before), f.key(c.After)
		if f.become(before, after, c.Count); e.Combat && f.err == nil {
			p.plan = append(p.plan,
				planned{before: before, after: after, n: uint16(c.Count), entry: p.entries, via: via})
		}
	}
	if e.Combat {
		p.entries++
	}
}

// moveRecalled forgets the entry; later ones keep their numbers.
func (f *folder) moveRecalled(e *anniversaryv1.MoveRecalled) {
	p := f.p
	kept := p.plan[:0]
	for _, m := range p.plan {
		if uint32(m.entry) != e.Entry {
			kept = append(kept, m)
		}
	}
	p.plan = kept
	if e.Restored != "" {
		p.owner[f.place(e.Restored)] = f.power(e.Owner)
	}
}

// territoryTaken changes hands; a treasury goes from the owner of the capital.
func (f *folder) territoryTaken(e *anniversaryv1.TerritoryTaken) {
	p, s := f.p, f.place(e.Territory)
	if e.Seized > 0 {
		victim, by := f.p.sc.Spaces[s].Capital, f.seat(e.By)
		if victim >= NumSeats {
			f.fail("a treasury is seized in %q, which is no capital", e.Territory)
			return
		}
		f.pay(victim, e.Seized)
		f.receive(by, e.Seized)
	}
	p.owner[s] = f.power(e.To)
	for _, r := range e.Reverted {
		p.owner[f.place(r.Territory)] = f.power(r.To)
	}
}
