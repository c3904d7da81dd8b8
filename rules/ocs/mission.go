package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// missionStep is a step of an air mission. Declaring and moving (OCS 14.2f-A, OCS 14.2f-B) are the command.
type missionStep uint8

// The steps, by the numbers of the notation.
const (
	missionFights      missionStep = iota // OCS 14.2f-C
	missionStands                         // asks who aborts after air combat (OCS 14.3d-C)
	missionIntercepted                    // asks the enemy (OCS 14.2f-D)
	missionStandsAgain                    // asks who aborts after interception
	missionFlak                           // OCS 14.2f-E
	missionHit                            // asks which of equal units is hit (OCS 14.4f)
	missionUnload                         // asks what cargo is given up (OCS 14.4g)
	missionEffect                         // OCS 14.2f-F
	missionReturn                         // its units look for air bases
	missionLingers                        // asks who flies on (OCS 21.12a)
	missionUnloads                        // nobody flies on
)

// mission is an air mission (OCS 14.2f) of whoever flies it, at the mission hex. A unit that was shot down, aborted or
// has landed stays in the list and does not count any more: see missionUnits. What air units carry is aboard them.
type mission struct {
	head
	step    missionStep
	units   []Unit  // from the top of the mission to the bottom
	origins []Place // that they came from
	task    ocsv1.Mission
	target  int            // of a barrage, by the numbers of the contract
	extreme int            // weakest or strongest, while it is asked which is hit
	die     int            // that said so
	flights []ocsv1.Flight // how each unit flies cargo, if it can
	onward  bool           // it has flown on, which it does once (OCS 21.12a)
}

func (*mission) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_MISSION }

func (f *mission) wire(w *framing) {
	wireStep(w, &f.step)
	w.units(&f.units)
	w.places(&f.origins)
	wireNumber(w, &f.task)
	wireNumber(w, &f.target)
	wireNumber(w, &f.extreme)
	wireNumber(w, &f.die)
	wireList(w, &f.flights, maxMission)
	w.flag(&f.onward)
}

func (f *mission) stepped(to missionStep) *mission {
	next := *f
	next.step = to
	return &next
}

// missionInfo is what a kind of mission is like (OCS 14.2e). The segments in which it is flown are those of its
// command.
type missionInfo struct {
	id string
	// flak is true if it always meets flak and may be intercepted; zoned if only in an enemy patrol zone (OCS
	// 14.4a).
	flak, zoned bool
}

var missions = [...]missionInfo{
	ocsv1.Mission_MISSION_SWEEP:        {id: "sweep"},
	ocsv1.Mission_MISSION_BARRAGE:      {id: "barrage", flak: true},
	ocsv1.Mission_MISSION_HIP_SHOOT:    {id: "hip-shoot", flak: true},
	ocsv1.Mission_MISSION_TRAINBUSTING: {id: "trainbusting", flak: true},
	ocsv1.Mission_MISSION_TRANSPORT:    {id: "transport", zoned: true},
	ocsv1.Mission_MISSION_DROP:         {id: "drop", zoned: true},
	ocsv1.Mission_MISSION_TRANSFER:     {id: "transfer", zoned: true},
}

// info is what the kind of a mission is like; a frame from outside may name none.
func (f *mission) info() *missionInfo {
	if f.task > 0 && int(f.task) < len(missions) {
		return &missions[f.task]
	}
	return &missions[ocsv1.Mission_MISSION_SWEEP]
}

// flight is how a unit of a mission flies cargo.
func (f *mission) flight(u Unit) ocsv1.Flight {
	if i := slices.Index(f.units, u); i >= 0 && i < len(f.flights) {
		return f.flights[i]
	}
	return ocsv1.Flight_FLIGHT_UNSPECIFIED
}

// missionUnits are the units of a mission that are still with it, from the top.
func (p *Position) missionUnits(f *mission) (list []Unit) {
	for _, u := range f.units {
		if p.units[u].place == f.at && p.active(u) {
			list = append(list, u)
		}
	}
	return list
}

// origin is where a unit of a mission came from.
func (f *mission) origin(u Unit) Place {
	if i := slices.Index(f.units, u); i >= 0 && i < len(f.origins) {
		return f.origins[i]
	}
	return Nowhere
}

// checkFlyers says why air units may not fly a mission together (OCS 14.0): 1 to 4 active ones of the seat that have
// flown none in this phase, in weather for it (OCS 14.1a, OCS 14.1f, OCS 14.2a, OCS 14.2e). They fly in the phases in
// which their seat moves (OCS 14.1g); no Reserve marker is asked for.
func (p *Position) checkFlyers(seat rules.Seat, list []Unit) *rules.Refusal {
	if len(list) == 0 {
		return rules.Malformed("a mission names air units")
	}
	if p.flight == noFlight {
		return rules.Refuse("OCS 14.1f", "refuse.no-flight")
	}
	if len(list) > maxMission {
		return rules.Refuse("OCS 14.2a", "refuse.mission-size", "n", len(list), "max", maxMission).About(p.ids(list)...)
	}
	for i, u := range list {
		if slices.Contains(list[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.checkFlyer(seat, u); r != nil {
			return r
		}
	}
	return nil
}

func (p *Position) checkFlyer(seat rules.Seat, u Unit) *rules.Refusal {
	id := p.id(u)
	switch {
	case u == NoUnit || p.units[u].seat != seat || !p.isPlane(u) || !p.spot(u).onMap():
		return rules.Refuse("OCS 14.2e", "refuse.no-plane",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case p.is(u, glider):
		return rules.Refuse("OCS 14.10e-B", "refuse.glider-alone", "unit", p.unitName(u)).About(id)
	case !p.active(u):
		return rules.Refuse("OCS 14.1a", "refuse.inactive", "unit", p.unitName(u)).About(id)
	case p.has(u, ocsv1.UnitMark_UNIT_MARK_FLOWN):
		return rules.Refuse("OCS 14.2e", "refuse.has-flown", "unit", p.unitName(u)).About(id)
	}
	return nil
}

// Flight conditions, by their place in flights.
const (
	fullFlight = iota
	limitedFlight
	noFlight
)

// flies reports whether a distance is at most times/parts of the range of an air unit, exactly (OCS 14.2d, OCS 14.9e);
// in limited flight ranges are halved.
func (p *Position) flies(u Unit, distance, times, parts int) bool {
	if p.flight == limitedFlight {
		parts *= 2
	}
	return distance*parts <= p.plane(u).Range*times
}

// checkRange says why an air unit can't reach a hex or box within times/parts of its range.
func (p *Position) checkRange(u Unit, to Place, times, parts int, rule string) *rules.Refusal {
	n, ok := p.airDistance(p.spot(u), to)
	if !ok || !p.flies(u, n, times, parts) {
		id := p.sc.PlaceID(to)
		return rules.Refuse(rule, "refuse.air-range", "unit", p.unitName(u), "range", p.plane(u).Range,
			"n", n).About(p.id(u)).At(id)
	}
	return nil
}

// fly declares a mission and moves its units straight from their air bases to the mission hex (OCS 14.2f-A, OCS
// 14.2f-B, OCS 14.2c), whatever lies between (OCS 14.2) and whichever enemy pieces are there (OCS 4.8c-D). What is in
// motion on the ground has finished (OCS 6.1g).
func (p *Position) fly(
	x *exec, seat rules.Seat, kind ocsv1.Mission, units []Unit, at Place, fill func(*changes, *mission),
) {
	f := newFrame[mission](seat, at)
	f.units, f.task = slices.Clone(units), kind
	c := p.changed()
	for _, u := range units {
		f.origins = append(f.origins, p.spot(u))
		c.move(u, at)
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_FLOWN)
	}
	if fill != nil {
		fill(c, f)
	}
	c.motion(nil)
	c.push(f)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_MissionFlown{MissionFlown: &ocsv1.MissionFlown{
		Seat: seatIDs[seat], Mission: kind, At: p.sc.PlaceID(at), Target: ocsv1.BarrageTarget(f.target),
	}}})
}

// asks asks at the steps that ask.
func (f *mission) asks(p *Position) (Ask, rules.Seats) {
	switch f.step {
	case missionStands, missionStandsAgain:
		if len(p.missionUnits(f)) > 0 {
			return AskStandDown, rules.SeatsOf(f.seat)
		}
	case missionIntercepted:
		if p.interceptable(f) && len(p.interceptors(f)) > 0 {
			return AskIntercept, rules.SeatsOf(enemy(f.seat))
		}
	case missionHit:
		if len(p.extremes(f)) > 1 {
			return AskTakeHit, rules.SeatsOf(f.seat)
		}
	case missionLingers:
		if p.mayFlyOn(f) {
			return AskFlyOn, rules.SeatsOf(f.seat)
		}
	case missionUnload:
		if p.overloaded(f) {
			return AskJettison, rules.SeatsOf(f.seat)
		}
	}
	return AskNothing, 0
}

// proceed takes the next step of a mission. When no unit is left in it before its effect, it is over.
func (f *mission) proceed(p *Position, x *exec) {
	if !f.done() && len(p.missionUnits(f)) == 0 {
		p.endMission(x, f)
		return
	}
	switch f.step {
	case missionFights:
		if !p.joinCombat(x, f) {
			p.goOn(x, f.stepped(missionIntercepted))
		}
	case missionStands:
		p.goOn(x, f.stepped(missionIntercepted))
	case missionIntercepted, missionStandsAgain:
		p.goOn(x, f.stepped(missionFlak))
	case missionFlak:
		p.flak(x, f)
	case missionHit:
		p.hitExtreme(x, f)
	case missionUnload:
		p.goOn(x, f.stepped(missionEffect))
	case missionEffect:
		p.missionDone(x, f)
	case missionLingers, missionUnloads:
		p.goOn(x, f.stepped(missionReturn))
		p.deliver(x, f)
	default:
		p.bringBack(x, f)
	}
}

// done reports whether a mission has been carried out, but for what depends on who flies on.
func (f *mission) done() bool {
	switch f.step {
	case missionReturn, missionLingers, missionUnloads:
		return true
	}
	return false
}

// missionDone carries the mission out (OCS 14.2f-F). What a barrage needs of decisions is a frame inside this one.
func (p *Position) missionDone(x *exec, f *mission) {
	if p.mayFlyOn(f) {
		p.goOn(x, f.stepped(missionLingers))
		return
	}
	p.goOn(x, f.stepped(missionReturn))
	switch f.task {
	case ocsv1.Mission_MISSION_BARRAGE, ocsv1.Mission_MISSION_HIP_SHOOT:
		p.bomb(x, f)
	case ocsv1.Mission_MISSION_TRAINBUSTING:
		p.trainbust(x, f)
	case ocsv1.Mission_MISSION_TRANSPORT:
		p.deliver(x, f)
	case ocsv1.Mission_MISSION_DROP:
		p.drop(x, f)
	case ocsv1.Mission_MISSION_TRANSFER:
		p.transferred(x, f)
	}
}

// bringBack sends the units that are left back to air bases, where they are inactive (OCS 10.2a), within the range
// that their flight allows (OCS 14.1c, OCS 14.9e), and ends the mission.
func (p *Position) bringBack(x *exec, f *mission) {
	list := p.missionUnits(f)
	p.endMission(x, f)
	if f.task == ocsv1.Mission_MISSION_TRANSFER || len(list) == 0 {
		return
	}
	p.sendBack(x, f.seat, f.at, list, func(u Unit) ocsv1.Flight {
		if f.onward { // OCS 21.12a
			return ocsv1.Flight_FLIGHT_ONE_WAY
		}
		return f.flight(u)
	})
}

// endMission ends a mission.
func (p *Position) endMission(x *exec, f *mission) {
	c := p.changed()
	c.pop()
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_MissionEnded{MissionEnded: &ocsv1.MissionEnded{
		Seat: seatIDs[f.seat], Mission: f.task, At: p.sc.PlaceID(f.at),
	}}})
}

// transferred lands the units of a base transfer: a fighter within its range stays active while there is room for it,
// every other unit becomes inactive (OCS 14.11).
func (p *Position) transferred(x *exec, f *mission) {
	room := p.baseRoom(f.at) - len(p.activeIn(f.seat, f.at, false)) + len(p.missionUnits(f))
	for _, u := range p.missionUnits(f) {
		n, _ := p.airDistance(f.origin(u), f.at)
		stays := p.is(u, fighter) && p.flies(u, n, 1, 1) && room > 0 && !p.farFrom(u, n) && p.handles(f.at)
		if stays {
			room--
		}
		p.land(x, u, f.at, stays)
		if stays {
			p.handle(x, f.at)
		}
	}
}

// handles reports whether another air unit may come to an air base and be active in this turn: as many as its level,
// one at an airstrip (OCS 21.5).
func (p *Position) handles(at Place) bool {
	return !p.opt.aircraftHandlingLimit || int(p.cell(at).handled) < max(1, p.baseLevel(at))
}

// handle counts an air unit that came to an air base and is active.
func (p *Position) handle(x *exec, at Place) {
	if !p.opt.aircraftHandlingLimit {
		return
	}
	c := p.changed()
	c.hex(at).Handled = proto.Uint32(uint32(p.cell(at).handled) + 1)
	tell(x, &event{Changes: c.list})
}

// farFrom reports whether an air unit has flown half of its printed range or more, where that counts (OCS 21.4, OCS
// 21.4-C).
func (p *Position) farFrom(u Unit, distance int) bool {
	return p.opt.longFlights && 2*distance >= p.plane(u).Range
}

// far reports whether an air unit of a mission has come from far (OCS 21.4).
func (p *Position) far(f *mission, u Unit) bool {
	n, ok := p.airDistance(f.origin(u), f.at)
	return ok && slices.Contains(f.units, u) && p.farFrom(u, n)
}

// land puts an air unit on an air base.
func (p *Position) land(x *exec, u Unit, at Place, active bool) {
	c := p.changed()
	c.move(u, at)
	c.unit(u).Origin = c.unit(u).Place
	p.embark(c, u)
	if !active {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirUnitReturned{AirUnitReturned: &ocsv1.AirUnitReturned{
		Seat: seatIDs[p.units[u].seat], Unit: p.id(u), At: p.sc.PlaceID(at), Active: active,
	}}})
}
