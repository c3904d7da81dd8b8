package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// view is the typed position as the viewer may see it: the same secrets are left out as on the board.
func (p *Position) view(v rules.Viewer) *downfallv1.PositionView {
	m := &downfallv1.PositionView{
		Turn: uint32(p.turn), Phase: downfallv1.Phase(p.phase), Points: int32(p.vp), Cp: uint32(max(p.cp, 0)),
		UsCp:    uint32(p.usCP),
		JapanMf: uint32(p.jpMF), Ban: p.ban, Air: uint32(p.air), AirSupply: p.num(p.airSupply.Hex()),
		BombsUsed: uint32(p.bombsUsed),
		Level:     downfallv1.EndLevel(p.level), Planned: p.ixTurn > 0,
	}
	p.viewPieces(v, m)
	for h := range p.exploded.All() {
		m.Exploded = append(m.Exploded, p.num(h))
	}
	for h := range p.attacked.All() {
		m.Attacked = append(m.Attacked, p.num(h))
	}
	p.viewSecrets(v, m)
	for i := range p.sc.Chart.Awards {
		if p.earned&(1<<i) != 0 {
			m.Earned = append(m.Earned, p.sc.Chart.Awards[i].ID)
		}
		if p.lost&(1<<i) != 0 {
			m.Lost = append(m.Lost, p.sc.Chart.Awards[i].ID)
		}
	}
	p.viewProcedures(m)
	if p.offer > 0 {
		m.Offer = seatIDs[(p.offer-1)&1]
	}
	if int(p.winner) < len(seatIDs) {
		m.Winner = seatIDs[p.winner]
	}
	if a, seat := p.ask(); a != AskNothing {
		m.Decides = seatIDs[seat]
	}
	for seat := range p.orders {
		if list := p.orders[seat]; len(list) > 0 && v.Holds(rules.Seat(seat)) {
			m.Standing = append(m.Standing,
				&downfallv1.StandingView{Seat: seatIDs[seat], Orders: p.standingMessages(list)})
		}
	}
	return m
}

// viewSecrets adds what the viewer may know of plans and bombs. That a landing is planned, and since
// when, is open (DF 8.6-a).
func (p *Position) viewSecrets(v rules.Viewer, m *downfallv1.PositionView) {
	if m.Planned {
		m.PlanMade = uint32(p.ixMade)
	}
	if p.countsBombs(v) {
		m.BombsLeft = new(uint32(p.bombsLeft))
	}
	if !p.secrets(v) {
		return
	}
	if p.ixTurn > 0 {
		m.Plan = &downfallv1.PlanView{Hex: p.num(p.ixHex), Turn: uint32(p.ixTurn)}
	}
	if p.on(Airborne11) {
		m.Orders = &downfallv1.OrdersView{Mode: downfallv1.Mode(p.mode), DropHex: p.num(p.dropHex),
			DropTurn: uint32(p.dropTurn)}
	}
}

func (p *Position) viewPieces(v rules.Viewer, m *downfallv1.PositionView) {
	for i := range p.sc.Units {
		u := Unit(i)
		info, at := &p.sc.Units[i], p.place[i]
		unit := &downfallv1.UnitView{
			Unit: info.ID, Steps: uint32(p.steps[i]), Supply: downfallv1.Supply(p.supply[i]), Acted: p.acted.Has(u),
			Arrived:  p.arrived.Has(u),
			Refitted: p.refitted.Has(u) || p.boxed.Has(u), Bombed: p.bombed.Has(u),
		}
		if h := at.Hex(); h != NoHex {
			unit.Hex = p.num(h)
		} else {
			unit.Box = downfallv1.Box(at - boxes)
		}
		if !p.neutral(u, v) {
			unit.Strength = uint32(info.Strength[min(int(p.steps[i]), 2)])
		}
		m.Units = append(m.Units, unit)
	}
	for f, at := range p.beachhead {
		m.Beachheads = append(m.Beachheads,
			&downfallv1.BeachheadView{Beachhead: p.sc.Beachheads[f].ID, Hex: p.num(at.Hex()), Lost: at == Removed})
	}
	for n := range maxNaval {
		if p.navalHere&(1<<n) == 0 {
			continue
		}
		marker := &downfallv1.NavalView{Number: uint32(n + 1), Ready: p.navalReady&(1<<n) != 0}
		if z := p.navalZone[n]; z != NoZone {
			marker.Zone = zoneID(p.sc, z)
		}
		m.Naval = append(m.Naval, marker)
	}
}

func (p *Position) viewProcedures(m *downfallv1.PositionView) {
	if f := &p.fight; f.on {
		m.Combat = &downfallv1.CombatView{
			Stage: downfallv1.Stage(f.stage), From: p.num(f.from), Target: p.num(f.target),
			Attackers: p.ids(f.attackers),
			Defenders: p.ids(f.defenders), Air: f.air, Naval: uint32(f.naval), Chemical: uint32(f.chemical),
			Firing:  p.ids(f.toFire),
			Shooter: p.id(f.shooter), Shots: uint32(f.shots), BonusHit: f.bonusHit,
		}
	}
	if d := &p.decl; d.on {
		m.Consecutive = &downfallv1.ConsecutiveView{
			Target: p.num(d.target), From: p.nums(d.from[:d.count]), Declared: d.declared, Begun: uint32(d.begun),
			Air:   uint32(d.air),
			Naval: markerNumbers(d.naval),
		}
	}
}
