package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// ask is what the game waits for and from whom; AskNothing when the next step is the engine's. The innermost procedure
// comes first.
func (p *Position) ask() (Ask, rules.Seats) {
	switch {
	case p.over() || p.segment == SegNone:
		return AskNothing, 0
	case len(p.frames) > 0:
		return p.top().asks(p)
	case p.wonEarly():
		return AskNothing, 0
	case p.stage == open:
		if seats := p.acting() &^ p.ended; seats != 0 {
			return segments[p.segment].ask, seats
		}
	}
	return AskNothing, 0
}

// stepOn takes the next step that no one decides: of the innermost procedure, of the stage of the segment, or to the
// next segment (OCS 2.1).
func (p *Position) stepOn(x *exec) {
	hooks := p.hooks()
	switch {
	case p.segment == SegNone:
		p.setUp(x)
	case len(p.frames) > 0:
		p.top().proceed(p, x)
	case p.wonEarly():
		p.endGame(x)
	case int(p.step) < len(hooks):
		// The step is counted before it is taken, so that a procedure that it begins finds it done.
		p.stepped(x, &ocsv1.ClockChange{Step: proto.Uint32(uint32(p.step) + 1)})
		hooks[p.step-1](p, x)
	case p.stage == opening && p.acting() != 0:
		p.stepped(x, &ocsv1.ClockChange{Stage: ocsv1.Stage_STAGE_OPEN.Enum(), Step: proto.Uint32(0)})
	case p.stage != closing && len(closingHooks(p.segment)) > 0:
		p.stepped(x, &ocsv1.ClockChange{Stage: ocsv1.Stage_STAGE_CLOSING.Enum(), Step: proto.Uint32(0)})
	default:
		p.nextSegment(x)
	}
}

// stepped emits a step of the clock that tells nothing.
func (p *Position) stepped(x *exec, m *ocsv1.ClockChange) {
	c := p.changed()
	c.clock(m)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SegmentStepped{SegmentStepped: &ocsv1.SegmentStepped{}}})
}

// nextSegment begins what comes next (OCS 2.2): the second player turn is the same list with the other side (OCS
// 2.3-K); a simultaneous turn runs through a shorter list once (OCS 2.4).
func (p *Position) nextSegment(x *exec) {
	turn, next, phasing := int(p.turn), p.segment+1, p.phasing
	switch {
	case p.segment == SegSetupSecond:
		turn = 1
	case p.segment == SegFirstPlayer || p.segment == SegAgreement && p.together:
		next, phasing = SegRefit, p.first
	case p.segment == SegCleanUp && !p.together && p.phasing == p.first:
		next, phasing = SegRefit, enemy(p.first)
	case p.segment == SegCleanUp:
		phasing = rules.NoSeat
	case p.segment == SegTurnEnd && turn >= p.sc.Turns():
		p.endGame(x)
		return
	case p.segment == SegTurnEnd:
		turn, next = turn+1, SegWeather // OCS 2.3-L
	}
	p.begin(x, turn, p.played(next), phasing)
}

// played is a segment, or the first after it that is played; numSegments if none exists. Segments have their numbers
// in the order of the sequence of play.
func (p *Position) played(s Segment) Segment {
	for s < numSegments && p.leftOut(s) {
		s++
	}
	return s
}

// endsPhase reports whether the segment is the last of its phase that is played.
func (p *Position) endsPhase() bool {
	next := p.played(p.segment + 1)
	return next >= numSegments || segments[next].begins
}

// leftOut reports whether a segment is not played: what only air and sea units do, the question for a simultaneous turn
// without that option, and what a simultaneous turn leaves out (OCS 2.4).
func (p *Position) leftOut(s Segment) bool {
	i := &segments[s]
	return i.air && !p.sc.Flies && !(i.sea && p.sc.Sails) || s == SegAgreement && !p.opt.simultaneous ||
		s.inPlayerTurn() && p.together && !i.together
}

// begin begins a segment. At the beginning of a phase what lasts for a phase is forgotten, and it is noted where units
// stand (OCS 8.1) and which are in an enemy ZOC (OCS 4.5a-A).
func (p *Position) begin(x *exec, turn int, s Segment, phasing rules.Seat) {
	c := p.changed()
	f := &ocsv1.Forgetting{
		Units: []ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_ATTACKED},
		Hexes: []ocsv1.HexMark{ocsv1.HexMark_HEX_MARK_ATTACKED},
	}
	if segments[s].begins {
		f.Phase = true
		f.Units = append(f.Units, phaseUnitMarks[:]...)
		f.Hexes = append(f.Hexes, phaseHexMarks[:]...)
	}
	clock := &ocsv1.ClockChange{
		Segment: ocsv1.Segment(s), Stage: ocsv1.Stage_STAGE_UNSPECIFIED.Enum(), Step: proto.Uint32(0),
		Phasing:    proto.String(seatID(phasing)),
		ClearEnded: true, Turn: proto.Uint32(uint32(turn)),
	}
	f.FlownIn = p.sc.Flies // OCS 14.9f
	if s == SegWeather {
		f.Handled, f.Crossed = p.opt.aircraftHandlingLimit, p.opt.straitIce
		f.Units = append(f.Units, turnUnitMarks[:]...)
		f.Hexes = append(f.Hexes, turnHexMarks[:]...)
		clock.First, clock.Chooser, clock.Simultaneous = proto.String(""), proto.String(""), proto.Bool(false)
	}
	after := Position{sc: p.sc, segment: s, phasing: phasing, together: p.together, chooser: p.chooser}
	if len(openingHooks(s)) == 0 && after.acting() != 0 {
		clock.Stage = ocsv1.Stage_STAGE_OPEN.Enum()
	}
	c.forget(f)
	c.clock(clock)
	if segments[s].begins {
		zoc, combat := p.startOfPhase()
		c.markAll(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_ZOC, zoc)
		c.markAll(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT, combat)
	}
	fact := &ocsv1.SegmentBegan{Turn: uint32(turn), Segment: ocsv1.Segment(s), Phasing: seatID(phasing)}
	for seat := range after.acting().Each {
		fact.Acting = append(fact.Acting, seatIDs[seat])
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SegmentBegan{SegmentBegan: fact}})
}

// What is forgotten when a phase, or a turn, begins.
var (
	phaseUnitMarks = [...]ocsv1.UnitMark{
		ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE, ocsv1.UnitMark_UNIT_MARK_COMMITTED,
		ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_ZOC,
		ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT, ocsv1.UnitMark_UNIT_MARK_RELEASED,
		ocsv1.UnitMark_UNIT_MARK_CHANGED_MODE,
		ocsv1.UnitMark_UNIT_MARK_BARRAGED, ocsv1.UnitMark_UNIT_MARK_RAILED,
		ocsv1.UnitMark_UNIT_MARK_GAVE_FUEL, ocsv1.UnitMark_UNIT_MARK_CONVERTED_ONE,
		ocsv1.UnitMark_UNIT_MARK_CONVERTED_TWO,
		ocsv1.UnitMark_UNIT_MARK_CONVERTED_FOUR, ocsv1.UnitMark_UNIT_MARK_BUILDING, ocsv1.UnitMark_UNIT_MARK_HALTED,
		ocsv1.UnitMark_UNIT_MARK_FLOWN, ocsv1.UnitMark_UNIT_MARK_AIRLIFTED,
		ocsv1.UnitMark_UNIT_MARK_SHELLED, ocsv1.UnitMark_UNIT_MARK_DECK_USED, ocsv1.UnitMark_UNIT_MARK_SHIPPED,
		ocsv1.UnitMark_UNIT_MARK_LANDED,
	}
	phaseHexMarks = [...]ocsv1.HexMark{
		ocsv1.HexMark_HEX_MARK_BARRAGED, ocsv1.HexMark_HEX_MARK_BLUE_DESTROYED, ocsv1.HexMark_HEX_MARK_RED_DESTROYED,
		ocsv1.HexMark_HEX_MARK_HEDGEHOG_CHANGED, ocsv1.HexMark_HEX_MARK_AIR_BASE_CHANGED,
		ocsv1.HexMark_HEX_MARK_PORT_CHANGED,
		ocsv1.HexMark_HEX_MARK_REFITTED, ocsv1.HexMark_HEX_MARK_GODZILLA, ocsv1.HexMark_HEX_MARK_LANDED,
	}
	turnUnitMarks = [...]ocsv1.UnitMark{
		ocsv1.UnitMark_UNIT_MARK_ARRIVED, ocsv1.UnitMark_UNIT_MARK_BUILT, ocsv1.UnitMark_UNIT_MARK_DROPPED,
		ocsv1.UnitMark_UNIT_MARK_MARCHED,
		ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL, ocsv1.UnitMark_UNIT_MARK_BOMBARDED,
		ocsv1.UnitMark_UNIT_MARK_LANDED_TROOPS,
	}
	turnHexMarks = [...]ocsv1.HexMark{
		ocsv1.HexMark_HEX_MARK_CONVERTED, ocsv1.HexMark_HEX_MARK_RELEASE_BARRED, ocsv1.HexMark_HEX_MARK_RELEASE_ROLLED,
		ocsv1.HexMark_HEX_MARK_CLEARED,
	}
)

// startOfPhase are the units in an enemy ZOC, and those in Combat mode.
func (p *Position) startOfPhase() (zoc, combat []Unit) {
	for u := range p.units {
		s := &p.units[u]
		h := s.place.Hex()
		if h == NoHex || !p.counter(Unit(u)).Kind.Land() {
			continue
		}
		if p.inZOC(enemy(s.seat), h) {
			zoc = append(zoc, Unit(u))
		}
		if p.isCombat(Unit(u)) && s.mode() == CombatMode {
			combat = append(combat, Unit(u))
		}
	}
	return zoc, combat
}

// checkEnd checks whether a seat may end the segment (OCS 2.1). What a chapter demands before the end is in mayEnd.
func (p *Position) checkEnd(seat rules.Seat, _ *Command) *rules.Refusal {
	if segments[p.segment].phase == setUpPhase {
		return p.checkSetUp(seat)
	}
	return p.mayEnd(seat)
}

// playEnd ends a seat's part in the segment. When all have, the segment closes.
func (p *Position) playEnd(x *exec, seat rules.Seat, _ *Command) {
	c := p.changed()
	m := &ocsv1.ClockChange{Ended: []string{seatIDs[seat]}}
	if p.ended|rules.SeatsOf(seat) == p.acting() {
		m.Stage, m.Step = ocsv1.Stage_STAGE_CLOSING.Enum(), proto.Uint32(0)
	}
	c.clock(m)
	tell(x,
		&event{Changes: c.list,
			Fact: &ocsv1.Event_SegmentEnded{SegmentEnded: &ocsv1.SegmentEnded{Seat: seatIDs[seat]}}})
}

func listEnd(l *lister) { l.checked(only(KindEnd)) }

// playConcede ends the game: the other side wins.
func (p *Position) playConcede(x *exec, seat rules.Seat, _ *Command) {
	p.finish(x, enemy(seat), 0, p.victoryPoints(), seat)
}

func listConcede(l *lister) { l.checked(only(KindConcede)) }

// finish ends the game with a level of the scenario, from 1; 0 if a side conceded.
func (p *Position) finish(x *exec, winner rules.Seat, level, points int, conceded rules.Seat) {
	tell(x, &event{
		Changes: []*ocsv1.Change{{Kind: &ocsv1.Change_Outcome{Outcome: &ocsv1.Outcome{
			Winner: seatID(winner), Level: uint32(level) + 1, Points: int32(points),
		}}}},
		Fact: &ocsv1.Event_GameEnded{GameEnded: &ocsv1.GameEnded{
			Winner: seatID(winner), Level: uint32(level), Points: int32(points), Conceded: seatID(conceded),
		}},
	})
}

// hook is an automatic step of a segment: it emits events, and begins a procedure if someone must decide. It is called
// once, and only when no procedure is under way.
type hook func(*Position, *exec)

// hooks are the automatic steps of the stage that a segment is in, in their order. A chapter adds its own here.
func (p *Position) hooks() []hook {
	switch p.stage {
	case opening:
		return openingHooks(p.segment)
	case closing:
		return append(closingHooks(p.segment), p.optionHooks()...)
	}
	return nil
}

// openingHooks happen at the beginning of a segment.
func openingHooks(s Segment) []hook {
	switch s {
	case SegWeather:
		return []hook{(*Position).rollWeather}
	case SegFirstPlayer:
		return []hook{(*Position).rollInitiative}
	case SegRefit:
		return []hook{(*Position).refitDecks}
	case SegReinforcement:
		return []hook{(*Position).beginArrivals, (*Position).shipArrivals, (*Position).airArrivals}
	case SegSupply:
		return []hook{(*Position).beginSupply, (*Position).attrite}
	case SegCleanUp:
		return []hook{(*Position).cleanUp}
	}
	return nil
}

// closingHooks happen at the end of a segment.
func closingHooks(s Segment) []hook {
	switch {
	case s == SegSetupSecond:
		return []hook{(*Position).correctSetUp}
	case s == SegReinforcement: // OCS 13.6a
		return []hook{(*Position).settleDebts, (*Position).removeSaved, (*Position).absorbAll}
	case !s.inPlayerTurn():
		return nil
	case s == SegMovement:
		return []hook{(*Position).checkStacking, (*Position).resetCapacity, (*Position).absorbAll,
			(*Position).noteConditions}
	}
	return []hook{(*Position).checkStacking, (*Position).absorbAll, (*Position).noteConditions}
}

// mayEnd says why a seat may not end the segment yet; nil if it may. A chapter adds its own demands here.
func (p *Position) mayEnd(seat rules.Seat) *rules.Refusal {
	if r := p.mayEndRefit(seat); r != nil {
		return r
	}
	return p.mayEndMovement(seat)
}

// optionHooks are the automatic steps that optional rules add to the end of a segment.
func (p *Position) optionHooks() []hook {
	if !p.opt.raidEvasion {
		return nil
	}
	switch p.segment {
	case SegMovement, SegCombat:
		return []hook{(*Position).noteMarches}
	case SegExploitCombat:
		return []hook{(*Position).beginRaids}
	}
	return nil
}

// sequenceCommand are the commands of the sequence of play.
func sequenceCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindEnd:
		return commandRule{(*Position).checkEnd, (*Position).playEnd, listEnd}, true
	case KindOrder:
		return commandRule{free, (*Position).playOrder, listYesNo(KindOrder)}, true
	case KindAgree:
		return commandRule{free, (*Position).playAgree, listYesNo(KindAgree)}, true
	case KindConcede:
		return commandRule{free, (*Position).playConcede, listConcede}, true
	case KindOrders:
		return commandRule{(*Position).checkOrders, (*Position).playOrders, listOrders}, true
	case KindTop:
		return commandRule{(*Position).checkTop, (*Position).playTop, listTop}, true
	case KindPlace:
		return commandRule{(*Position).checkPlace, (*Position).playPlace, listPlace}, true
	case KindStow:
		return commandRule{(*Position).checkStow, (*Position).playStow, listStow}, true
	}
	return commandRule{}, false
}
