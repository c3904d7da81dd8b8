package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

//go:generate go run ../../internal/facts

// event is one fact of this ruleset.
type event = anniversaryv1.Event

// exec carries out a command of this ruleset.
type exec = rules.Exec[*Position, *event]

// change is units that became others: zero before for new ones, zero after for those that are gone.
type change struct {
	before, after Key
	n             uint16
}

func protoPower(w Power) anniversaryv1.Power {
	if w >= NumPowers {
		return anniversaryv1.Power_POWER_UNSPECIFIED
	}
	return anniversaryv1.Power(w + 1)
}

func protoUnit(u Unit) anniversaryv1.Unit { return anniversaryv1.Unit(u + 1) }

// stack writes a key.
func (p *Position) stack(k Key) *anniversaryv1.Stack {
	if k == 0 {
		return nil
	}
	s := &anniversaryv1.Stack{Space: p.sc.SpaceID(k.At()), Power: protoPower(k.Power()), Unit: protoUnit(k.Unit()),
		Used: uint32(k.Used())}
	if m := k.Marks(); m != 0 {
		for i := range numMarks {
			if m&(1<<i) != 0 {
				s.Marks = append(s.Marks, anniversaryv1.Mark(i+1))
			}
		}
	}
	s.From, s.Target = p.sc.SpaceID(k.From()), p.sc.SpaceID(k.Target())
	guest := k.Unit() == Carrier
	for _, c := range k.Cargo() {
		if c == 0 {
			break
		}
		unit := protoUnit(c.Unit())
		if guest {
			unit = anniversaryv1.Unit_UNIT_FIGHTER
		}
		s.Cargo = append(s.Cargo,
			&anniversaryv1.Cargo{Unit: unit, Power: protoPower(c.Power()), Loaded: c&loaded != 0, Lands: c&lands != 0})
	}
	return s
}

func (p *Position) change(c change) *anniversaryv1.Change {
	return &anniversaryv1.Change{Count: uint32(c.n), Before: p.stack(c.before), After: p.stack(c.after)}
}

func (p *Position) changes(list []change) []*anniversaryv1.Change {
	if len(list) == 0 {
		return nil
	}
	out := make([]*anniversaryv1.Change, 0, len(list))
	for _, c := range list {
		if c.n > 0 && c.before != c.after {
			out = append(out, p.change(c))
		}
	}
	return out
}

func (p *Position) spaceIDs(s SpaceSet) []string {
	if s.Empty() {
		return nil
	}
	out := make([]string, 0, s.Len())
	for x := range s.Each {
		out = append(out, p.sc.SpaceID(x))
	}
	return out
}

func eventPhase(ph Phase, acting Power, second bool) *event {
	return fact(&anniversaryv1.PhaseBegan{
		Phase: anniversaryv1.Phase(ph), Acting: protoPower(acting), Second: second,
	})
}

func eventPhaseEnded(ph Phase) *event {
	return fact(&anniversaryv1.PhaseEnded{Phase: anniversaryv1.Phase(ph)})
}

func eventCombatStep(n uint8) *event {
	return fact(&anniversaryv1.CombatStepBegan{Step: uint32(n)})
}

func (p *Position) eventMoved(w Power, combat bool, path []Space, list []change, blitzed Space, raid bool) *event {
	m := &anniversaryv1.UnitsMoved{
		Power: protoPower(w), Combat: combat, Path: make([]string, len(path)), Changes: p.changes(list),
		Blitzed: p.sc.SpaceID(blitzed), Raid: raid,
	}
	for i, s := range path {
		m.Path[i] = p.sc.SpaceID(s)
	}
	return fact(m)
}

func eventWentOn(s Stage, round uint8, attacker, defender bool) *event {
	return fact(&anniversaryv1.BattleWentOn{
		Stage: anniversaryv1.Stage(s), Round: uint32(round), AttackingDestroyer: attacker, DefendingDestroyer: defender,
	})
}

func (p *Position) eventTaken(list []change, s Stage) *event {
	return fact(&anniversaryv1.CasualtiesTaken{
		Changes: p.changes(list), Stage: anniversaryv1.Stage(s),
	})
}

func (p *Position) eventRemoved(list []change, s Stage) *event {
	return fact(&anniversaryv1.CasualtiesRemoved{
		Changes: p.changes(list), Stage: anniversaryv1.Stage(s),
	})
}

func (p *Position) eventAirLost(list []change, rule string) *event {
	return fact(&anniversaryv1.AirUnitsLost{Changes: p.changes(list), Rule: rule})
}
