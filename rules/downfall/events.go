package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

//go:generate go run ../../internal/facts

// event is one fact of this ruleset.
type event = downfallv1.Event

// seatIDs are the ids of the seats.
var seatIDs = [2]string{US: "us", Japan: "japan"}

// usOnly is the audience of what only the US may know (Part 3).
var usOnly = rules.OnlySeats(US)

// id is the id of a unit, empty for NoUnit.
func (p *Position) id(u Unit) string { return p.sc.UnitID(u) }

// ids are the ids of a set of units, in order.
func (p *Position) ids(s UnitSet) []string {
	if s == 0 {
		return nil
	}
	out := make([]string, 0, s.Len())
	for ; s != 0; s &= s - 1 {
		out = append(out, p.sc.Units[s.First()].ID)
	}
	return out
}

// num is the printed number of a hex, 0 for NoHex.
func (p *Position) num(h Hex) uint32 {
	if h == NoHex {
		return 0
	}
	return p.tab.number[h]
}

func (p *Position) nums(path []Hex) []uint32 {
	out := make([]uint32, len(path))
	for i, h := range path {
		out[i] = p.tab.number[h]
	}
	return out
}

// markerNumbers are the numbers of naval markers, from 1.
func markerNumbers(set uint32) []uint32 {
	var out []uint32
	for m := uint32(0); m < maxNaval; m++ {
		if set&(1<<m) != 0 {
			out = append(out, m+1)
		}
	}
	return out
}

func eventPoints(seat rules.Seat, die, bonus, paid, points int) *event {
	return fact(&downfallv1.PointsGiven{
		Seat: seatIDs[seat], Die: uint32(die), Bonus: uint32(bonus), Paid: uint32(paid), Points: uint32(points),
	})
}

func eventEnd(winner string, level downfallv1.EndLevel, points int16) *event {
	return fact(&downfallv1.GameEnded{Winner: winner, Level: level, Points: int32(points)})
}

// eventBomb tells of a bomb's target in either of its two shapes.
func (p *Position) eventBombTarget(at Place) *event {
	h, unit := p.bombNames(at)
	return fact(&downfallv1.BombTargeted{Hex: h, Unit: unit})
}

// bombNames are the hex or the unit of a bomb's target.
func (p *Position) bombNames(at Place) (uint32, string) {
	if at >= bombUnit && at < boxes {
		return 0, p.id(Unit(at - bombUnit))
	}
	return p.num(Hex(at)), ""
}

func (p *Position) eventMoved(u Unit, path []Hex, cp int, followers UnitSet, mixed bool) *event {
	return fact(&downfallv1.UnitMoved{
		Unit: p.id(u), Path: p.nums(path), Cp: uint32(cp), Followers: p.ids(followers), Mixed: mixed,
	})
}

func (p *Position) eventEliminated(u Unit, final bool, rule string) *event {
	return fact(&downfallv1.UnitEliminated{Unit: p.id(u), Final: final, Rule: rule})
}

// eventCombatEnded ends the combat and says who holds its hex.
func (p *Position) eventCombatEnded() *event {
	e := &downfallv1.CombatEnded{Hex: p.num(p.fight.target)}
	for seat := range rules.Seat(len(seatIDs)) {
		if p.groundOf(seat, p.fight.target) != 0 {
			e.Seat = seatIDs[seat]
		}
	}
	return fact(e)
}

func (p *Position) eventStage(s Stage, firing UnitSet) *event {
	return fact(&downfallv1.CombatStage{Stage: downfallv1.Stage(s), Firing: p.ids(firing)})
}
