package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

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

// packed is an event with its parts in one piece of memory, for those that there are many of.
type packed[In, Fact any] struct {
	event event
	in    In
	fact  Fact
}

func eventPhase(turn uint8, phase Phase) *event {
	t := new(packed[downfallv1.Event_PhaseBegan, downfallv1.PhaseBegan])
	t.fact.Turn, t.fact.Phase = uint32(turn), downfallv1.Phase(phase)
	t.in.PhaseBegan, t.event.Kind = &t.fact, &t.in
	return &t.event
}

func eventPhaseEnd(phase Phase) *event {
	t := new(packed[downfallv1.Event_PhaseEnded, downfallv1.PhaseEnded])
	t.fact.Phase = downfallv1.Phase(phase)
	t.in.PhaseEnded, t.event.Kind = &t.fact, &t.in
	return &t.event
}

func eventPoints(seat rules.Seat, die, bonus, paid, points int) *event {
	t := new(packed[downfallv1.Event_PointsGiven, downfallv1.PointsGiven])
	f := &t.fact
	f.Seat, f.Die, f.Bonus, f.Paid, f.Points = seatIDs[seat], uint32(die), uint32(bonus), uint32(paid), uint32(points)
	t.in.PointsGiven, t.event.Kind = f, &t.in
	return &t.event
}

func eventPointsLost(points, total int, rule string) *event {
	return &event{Kind: &downfallv1.Event_PointsLost{PointsLost: &downfallv1.PointsLost{Points: uint32(points), Total: int32(total), Rule: rule}}}
}

func eventEnd(winner string, level downfallv1.EndLevel, points int16) *event {
	return &event{Kind: &downfallv1.Event_GameEnded{GameEnded: &downfallv1.GameEnded{Winner: winner, Level: level, Points: int32(points)}}}
}

// eventBomb tells of a bomb's target in either of its two shapes.
func (p *Position) eventBombTarget(at Place) *event {
	h, unit := p.bombNames(at)
	return &event{Kind: &downfallv1.Event_BombTargeted{BombTargeted: &downfallv1.BombTargeted{Hex: h, Unit: unit}}}
}

// bombNames are the hex or the unit of a bomb's target.
func (p *Position) bombNames(at Place) (uint32, string) {
	if at >= bombUnit && at < boxes {
		return 0, p.id(Unit(at - bombUnit))
	}
	return p.num(Hex(at)), ""
}

func (p *Position) eventMoved(u Unit, path []Hex, cp int, followers UnitSet, mixed bool) *event {
	t := new(struct {
		packed[downfallv1.Event_UnitMoved, downfallv1.UnitMoved]
		path [6]uint32 // as long as nearly all
	})
	f := &t.fact
	f.Unit, f.Cp, f.Followers, f.Mixed = p.id(u), uint32(cp), p.ids(followers), mixed
	f.Path = t.path[:0]
	for _, h := range path {
		f.Path = append(f.Path, p.tab.number[h])
	}
	t.in.UnitMoved, t.event.Kind = f, &t.in
	return &t.event
}

func eventTraced(line []string) *event {
	t := new(packed[downfallv1.Event_SupplyTraced, downfallv1.SupplyTraced])
	t.fact.Line = line
	t.in.SupplyTraced, t.event.Kind = &t.fact, &t.in
	return &t.event
}

func eventSettled(coast, oos []string) *event {
	t := new(packed[downfallv1.Event_SupplySettled, downfallv1.SupplySettled])
	t.fact.Coast, t.fact.Oos = coast, oos
	t.in.SupplySettled, t.event.Kind = &t.fact, &t.in
	return &t.event
}

func (p *Position) eventEntered(u Unit, path []Hex, cp int) *event {
	return &event{Kind: &downfallv1.Event_UnitEntered{UnitEntered: &downfallv1.UnitEntered{Unit: p.id(u), Path: p.nums(path), Cp: uint32(cp)}}}
}

func (p *Position) eventSupply(u Unit, s Supply) *event {
	return &event{Kind: &downfallv1.Event_SupplyChanged{SupplyChanged: &downfallv1.SupplyChanged{Unit: p.id(u), Supply: downfallv1.Supply(s)}}}
}

func (p *Position) eventEliminated(u Unit, final bool, rule string) *event {
	return &event{Kind: &downfallv1.Event_UnitEliminated{UnitEliminated: &downfallv1.UnitEliminated{Unit: p.id(u), Final: final, Rule: rule}}}
}

func (p *Position) eventStage(s Stage, firing UnitSet) *event {
	return &event{Kind: &downfallv1.Event_CombatStage{CombatStage: &downfallv1.CombatStage{Stage: downfallv1.Stage(s), Firing: p.ids(firing)}}}
}
