package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Chapter 4: victory. Only the US scores (DF 4.1-a): points are earned in phase IV and lost when the
// losing event is settled.

// stepVictory is the Victory Check Phase (DF 5.2-IV): it earns the next award that is due, in the order of the
// scenario, then ends the turn or the game.
func (p *Position) stepVictory(x *exec) {
	for i := range p.sc.Chart.Awards {
		a := &p.sc.Chart.Awards[i]
		if p.earned&(1<<i) == 0 && int(p.turn) >= a.From && int(p.turn) <= a.To && p.earns(a) {
			emit(x, &downfallv1.AwardEarned{
				Award: a.ID, Points: uint32(a.Points), Total: int32(p.vp) + int32(a.Points),
			})
			return
		}
	}
	if int(p.turn) == p.sc.Chart.LastTurn() {
		p.finalScore(x)
		return
	}
	p.nextPhase(x)
}

// earns reports whether what an award looks at is so now. Supply is that of the last check (D-04).
func (p *Position) earns(a *scenario.AwardInfo) bool {
	switch a.Kind {
	case downfallv1.AwardKind_AWARD_KIND_TOWNS: // DF 4.2, DF 4.3; a bombed town does not count (DF 6.10-c)
		return p.held(a, func(h Hex) bool { return p.sc.Terrains[p.terrain(h)].Town && p.suppliedControl(h) })
	case downfallv1.AwardKind_AWARD_KIND_AIR_BASE: // DF 4.4, DF 4.5: occupied (D-06), never bombed
		return p.held(a, func(h Hex) bool {
			return !p.exploded.Has(h) && (p.groundOf(US, h) != 0 || p.on(AirBaseControl)) && p.suppliedControl(h)
		})
	case downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND: // DF 4.6
		return p.onMap&p.tab.asco != 0
	case downfallv1.AwardKind_AWARD_KIND_CONTROL: // DF 4.7, DF 4.8, DF 4.9, bombed or not
		return p.held(a, p.suppliedControl)
	case downfallv1.AwardKind_AWARD_KIND_LINKED: // DF 4.10; sea hexsides block ZOC, US units don't
		for _, h := range p.sc.CoastSouth {
			if p.groundOf(enemy(US), h) != 0 || p.inZOC(enemy(US), h) {
				return false
			}
		}
		return true
	}
	return false
}

func (p *Position) held(a *scenario.AwardInfo, ok func(Hex) bool) bool {
	n := 0
	for _, h := range a.Hexes {
		if ok(h) {
			n++
		}
	}
	return n >= a.Need
}

// finalScore ends the game after the last check (DF 4.14).
func (p *Position) finalScore(x *exec) {
	winner := seatIDs[Japan]
	switch s := &p.sc.Chart.Scoring; {
	case int(p.vp) >= s.USWins:
		winner = seatIDs[US]
	case int(p.vp) >= s.Draw:
		winner = ""
	}
	x.Emit(eventEnd(winner, downfallv1.EndLevel_END_LEVEL_FINAL, p.vp))
}

// lose takes victory points. The caller calls checkDefeat when all that an event costs is taken.
func (p *Position) lose(x *exec, points int, rule string) {
	if points > 0 {
		emit(x, &downfallv1.PointsLost{Points: uint32(points), Total: int32(int(p.vp) - points), Rule: rule})
	}
}

// checkDefeat ends the game at once if deductions since the total was before left 0 or less (DF 4.13). A total of 0
// that was never positive goes on, as nothing was deducted.
func (p *Position) checkDefeat(x *exec, before int16) {
	if p.vp < before && p.vp <= 0 && !p.over() {
		x.Emit(eventEnd(seatIDs[Japan], downfallv1.EndLevel_END_LEVEL_SUDDEN, p.vp))
	}
}

// loseBeachhead removes a beachhead: it never returns (DF 8.5-c), and costs points (DF 4.12, DF 8.5-S6).
func (p *Position) loseBeachhead(x *exec, f scenario.Formation) {
	emit(x, &downfallv1.BeachheadLost{
		Beachhead: p.sc.Beachheads[f].ID, Hex: p.num(p.beachhead[f].Hex()),
	})
	p.lose(x, p.sc.Chart.Scoring.Beachhead, "DF 4.12")
}

// loseService removes 6/ASCO for good; it costs the points of its award, earned or not, whatever the
// cause (DF 4.6, D-07).
func (p *Position) loseService(x *exec, rule string) {
	x.Emit(p.eventEliminated(p.sc.Service, true, rule))
	for i := range p.sc.Chart.Awards {
		if p.sc.Chart.Awards[i].Kind == downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND &&
			p.earned&^p.lost&(1<<i) != 0 {
			p.loseAward(x, i)
		}
	}
	p.lose(x, p.sc.Chart.Scoring.Service, "DF 4.6")
}

func (p *Position) loseAward(x *exec, i int) {
	emit(x, &downfallv1.AwardLost{Award: p.sc.Chart.Awards[i].ID})
}

// airBases takes away the awards for air bases that Japan has taken (DF 4.4, DF 4.5): by a unit in the hex, or by the
// switch of D-06 control. They are never regained.
func (p *Position) airBases(x *exec) {
	for rest := p.earned &^ p.lost; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		a := &p.sc.Chart.Awards[i]
		if a.Kind == downfallv1.AwardKind_AWARD_KIND_AIR_BASE && p.taken(a) {
			p.loseAward(x, i)
			p.lose(x, a.Points, a.Rule)
		}
	}
}

func (p *Position) taken(a *scenario.AwardInfo) bool {
	for _, h := range a.Hexes {
		if p.groundOf(Japan, h) != 0 || p.on(AirBaseControl) && p.controls(Japan, h) {
			return true
		}
	}
	return false
}

// unsupplied reports whether a step lost by a unit costs points by its state: OOS, AIR or COAST (DF 4.11, DF 9.5-d).
func (p *Position) unsupplied(u Unit) bool { return p.supply[u] >= Air }
