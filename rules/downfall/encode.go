package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/kit"
)

// encode makes the message of a command.
func (p *Position) encode(c Command) *downfallv1.Command {
	m := &downfallv1.Command{}
	if !p.encodeSegment(c, m) && !p.encodeAction(c, m) && !p.encodeCombat(c, m) {
		encodeBare(c.Kind, m)
	}
	return m
}

// encodeSegment makes the commands of set-up, of the unconventional weapons and of the supply check.
func (p *Position) encodeSegment(c Command, m *downfallv1.Command) bool {
	hex, unit := p.num(c.Hex), p.id(c.Unit)
	switch c.Kind {
	case KindPlace:
		m.Kind = &downfallv1.Command_Place{Place: &downfallv1.PlaceUnit{Unit: unit, Hex: hex}}
	case KindOrders:
		m.Kind = &downfallv1.Command_Orders{Orders: &downfallv1.GiveOrders{
			Mode: downfallv1.ArrivalMode(c.arrival()), DropHex: hex, DropTurn: uint32(c.turn()),
		}}
	case KindPlan:
		m.Kind = &downfallv1.Command_Plan{Plan: &downfallv1.PlanLanding{Hex: hex, Turn: uint32(c.turn())}}
	case KindZones:
		d := &downfallv1.DeployNaval{}
		for i := range int(c.Count) {
			d.Zones = append(d.Zones, zoneID(p.sc, Zone(c.Detail>>(zoneBits*i)&zoneMask)))
		}
		m.Kind = &downfallv1.Command_Zones{Zones: d}
	case KindRemove:
		m.Kind = &downfallv1.Command_Remove{Remove: &downfallv1.RemoveNaval{Markers: markerNumbers(uint32(c.Detail))}}
	case KindBombs:
		m.Kind = &downfallv1.Command_Bombs{Bombs: &downfallv1.DeclareBombs{Count: uint32(c.Count)}}
	case KindTarget:
		m.Kind = &downfallv1.Command_Target{Target: &downfallv1.TargetBomb{Hex: hex, Unit: unit}}
	case KindBomb:
		m.Kind = &downfallv1.Command_Bomb{Bomb: &downfallv1.ExplodeBomb{Hex: hex, Unit: unit}}
	case KindLosses:
		l := &downfallv1.TakeBombLosses{}
		for u := range c.Units.Each {
			l.Losses = append(l.Losses, &downfallv1.UnitLoss{Unit: p.id(u), Steps: uint32(c.loss(u))})
		}
		m.Kind = &downfallv1.Command_Losses{Losses: l}
	case KindSupply:
		m.Kind = &downfallv1.Command_Supply{Supply: &downfallv1.PlaceAirSupply{Hex: hex}}
	default:
		return false
	}
	return true
}

// arrival is the mode that orders name; a drop plan means airborne (DF 15.6-b).
func (c *Command) arrival() uint8 {
	if c.Hex != NoHex && c.Count == 0 {
		return modeAirborne
	}
	return c.Count
}

// loss is how many steps a unit loses to a bomb.
func (c *Command) loss(u Unit) int {
	if c.twice().Has(u) {
		return 2
	}
	return 1
}

// encodeAction makes the commands that spend CP.
func (p *Position) encodeAction(c Command, m *downfallv1.Command) bool {
	hex, from, unit, units := p.num(c.Hex), p.num(c.From), p.id(c.Unit), p.ids(c.Units)
	switch c.Kind {
	case KindMove:
		move := &downfallv1.Move{}
		for _, r := range c.ways() {
			move.Units = append(move.Units, &downfallv1.UnitMove{Unit: p.id(r.Unit), Path: p.nums(r.Path)})
		}
		m.Kind = &downfallv1.Command_Move{Move: move}
	case KindFollow:
		r := c.ways()[0]
		m.Kind = &downfallv1.Command_Follow{Follow: &downfallv1.Follow{Unit: &downfallv1.UnitMove{Unit: p.id(r.Unit), Path: p.nums(r.Path)}}}
	case KindEnter:
		r := c.ways()[0]
		m.Kind = &downfallv1.Command_Enter{Enter: &downfallv1.EnterUnit{Unit: p.id(r.Unit), Path: p.nums(r.Path)}}
	case KindAttack:
		m.Kind = &downfallv1.Command_Attack{Attack: &downfallv1.Attack{From: from, Target: hex, Units: units, Support: c.support()}}
	case KindConsecutive:
		m.Kind = &downfallv1.Command_Consecutive{Consecutive: &downfallv1.BeginConsecutive{Target: hex, From: from, Units: units}}
	case KindAlso:
		m.Kind = &downfallv1.Command_Also{Also: &downfallv1.AddAttack{From: from, Units: units}}
	case KindDeclare:
		m.Kind = &downfallv1.Command_Declare{Declare: &downfallv1.DeclareConsecutive{Air: uint32(c.Count), Naval: markerNumbers(uint32(c.Detail))}}
	case KindLand:
		m.Kind = &downfallv1.Command_Land{Land: &downfallv1.LandCorps{Support: c.support()}}
	case KindRecover:
		m.Kind = &downfallv1.Command_Recover{Recover: &downfallv1.RecoverStep{Unit: unit}}
	case KindRebuild:
		m.Kind = &downfallv1.Command_Rebuild{Rebuild: &downfallv1.RebuildUnit{Unit: unit}}
	case KindStepUp:
		m.Kind = &downfallv1.Command_Stepup{Stepup: &downfallv1.StepUp{Unit: unit}}
	default:
		return false
	}
	return true
}

// ways are the routes of a command, at least one, in the shape of a list.
func (c *Command) ways() []Route {
	if rs := c.routes(); len(rs) > 0 {
		return rs
	}
	r := Route{Unit: c.Unit}
	if c.Hex != NoHex {
		r.Path = []Hex{c.Hex}
	}
	return []Route{r}
}

// support is the support of a command; nil for none.
func (c *Command) support() *downfallv1.Support {
	if c.Count == 0 && c.Detail == 0 {
		return nil
	}
	s := &downfallv1.Support{Air: c.Count > 0}
	if c.Detail != 0 {
		s.Naval = uint32(bits.TrailingZeros64(c.Detail)) + 1
	}
	return s
}

// encodeCombat makes the commands within a combat.
func (p *Position) encodeCombat(c Command, m *downfallv1.Command) bool {
	unit := p.id(c.Unit)
	switch c.Kind {
	case KindSupport:
		m.Kind = &downfallv1.Command_Support{Support: &downfallv1.GiveSupport{Support: c.support()}}
	case KindBombard:
		m.Kind = &downfallv1.Command_Bombard{Bombard: &downfallv1.Bombard{Target: unit}}
	case KindShot:
		m.Kind = &downfallv1.Command_Shot{Shot: &downfallv1.FireShot{Shooter: unit, Target: p.id(c.Other)}}
	case KindRetreat:
		m.Kind = &downfallv1.Command_Retreat{Retreat: &downfallv1.DeclareRetreat{Unit: unit}}
	case KindAbort:
		m.Kind = &downfallv1.Command_Abort{Abort: &downfallv1.AbortAttack{Unit: unit}}
	case KindWithdraw:
		w := &downfallv1.Withdraw{}
		for _, r := range p.withdrawals(c) {
			place := &downfallv1.UnitPlace{Unit: p.id(r.Unit)}
			if len(r.Path) > 0 {
				place.Hex = p.num(r.Path[0])
			}
			w.Units = append(w.Units, place)
		}
		m.Kind = &downfallv1.Command_Withdraw{Withdraw: w}
	case KindAdvance:
		m.Kind = &downfallv1.Command_Advance{Advance: &downfallv1.Advance{Units: p.ids(c.Units)}}
	case KindEliminate:
		m.Kind = &downfallv1.Command_Eliminate{Eliminate: &downfallv1.EliminateUnit{Unit: unit}}
	default:
		return false
	}
	return true
}

// withdrawals are the ways of a withdrawal, unit by unit.
func (p *Position) withdrawals(c Command) []Route {
	if c.Routes != nil {
		return *c.Routes
	}
	var all []Route
	if p.fight.on {
		for u := range p.retreating().Each {
			r := Route{Unit: u}
			if c.Hex != NoHex {
				r.Path = []Hex{c.Hex}
			}
			all = append(all, r)
		}
	}
	return all
}

// encodeBare makes the commands that say nothing but their kind, whose id is the name of their field.
func encodeBare(k Kind, m *downfallv1.Command) {
	if k != KindNone && k < numKinds {
		kit.Choose(m, kinds[k].id)
	}
}
