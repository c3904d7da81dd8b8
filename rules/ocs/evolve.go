package ocs

import (
	"fmt"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// folder reads a change's ids against a position; the first thing that does not fit stays in err.
type folder struct {
	p   *Position
	err error
}

func (f *folder) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("ocs: "+format, args...)
	}
}

// evolve folds an event: its changes, one after the other. The fact changes nothing.
func (p *Position) evolve(e *event) error {
	f := folder{p: p}
	for _, c := range e.GetChanges() {
		f.change(c)
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

func (f *folder) change(c *ocsv1.Change) {
	switch k := c.GetKind().(type) {
	case *ocsv1.Change_Unit:
		f.unitChange(k.Unit)
	case *ocsv1.Change_Hex:
		f.hexChange(k.Hex)
	case *ocsv1.Change_Frame:
		f.frameChange(k.Frame)
	case *ocsv1.Change_Clock:
		f.clockChange(k.Clock)
	case *ocsv1.Change_Register:
		f.registerChange(k.Register)
	case *ocsv1.Change_Weather:
		f.weatherChange(k.Weather)
	case *ocsv1.Change_Forget:
		f.forget(k.Forget)
	case *ocsv1.Change_Mark:
		bits := unitMarkBits(f, []ocsv1.UnitMark{k.Mark.GetMark()})
		for _, id := range k.Mark.GetUnits() {
			u := f.unit(id)
			s := f.p.units[u]
			s.marks |= bits
			f.p.set(u, s)
		}
	case *ocsv1.Change_Motion:
		f.p.motion = f.units(k.Motion.GetUnits())
	case *ocsv1.Change_Outcome:
		f.outcome(k.Outcome)
	case *ocsv1.Change_Taint:
		f.taint(k.Taint)
	case *ocsv1.Change_Orders:
		f.orders(k.Orders)
	default:
		f.fail("a change of unknown kind %T", k)
	}
}

// unit reads a unit that exists.
func (f *folder) unit(id string) Unit {
	u, fresh, ok := f.p.unitByID(id)
	if !ok || fresh {
		f.fail("no unit %.60q in the game", id)
		return 0
	}
	return u
}

// maybeUnit reads a unit, NoUnit for none.
func (f *folder) maybeUnit(id string) Unit {
	if id == "" {
		return NoUnit
	}
	return f.unit(id)
}

func (f *folder) units(ids []string) []Unit {
	if len(ids) == 0 {
		return nil
	}
	list := make([]Unit, len(ids))
	for i, id := range ids {
		list[i] = f.unit(id)
	}
	return list
}

// place reads any place; an empty id is Nowhere.
func (f *folder) place(id string) Place {
	switch id {
	case "":
		return Nowhere
	case "waiting":
		return Waiting
	case "dead":
		return Dead
	case "gone":
		return Gone
	case "returning":
		return Returning
	case "aboard":
		return Aboard
	}
	at, ok := f.p.sc.names[id]
	if !ok {
		f.fail("no hex or box %.60q", id)
		return Gone
	}
	return at
}

// seat reads a seat; empty means none.
func (f *folder) seat(id string) rules.Seat {
	switch id {
	case "":
		return rules.NoSeat
	case seatIDs[Blue]:
		return Blue
	case seatIDs[Red]:
		return Red
	}
	f.fail("no seat %.20q", id)
	return rules.NoSeat
}

// owner reads a seat that must be there.
func (f *folder) owner(id string) rules.Seat {
	seat := f.seat(id)
	if seat >= numSeats {
		f.fail("no seat is named")
		return Blue
	}
	return seat
}

func (f *folder) amount(n uint32, most uint32, what string) uint16 {
	if n > most {
		f.fail("%s is %d, expected at most %d", what, n, most)
		return 0
	}
	return uint16(n)
}

func unitMarkBits(f *folder, list []ocsv1.UnitMark) (bits unitMarks) {
	for _, m := range list {
		if m < 1 || m >= numUnitMarks {
			f.fail("no mark %d of units", m)
			continue
		}
		bits |= 1 << m
	}
	return bits
}

// unitChange changes a unit, or makes one.
func (f *folder) unitChange(m *ocsv1.UnitChange) {
	p := f.p
	u, fresh, ok := p.unitByID(m.GetUnit())
	if !ok {
		f.fail("no unit %.60q in the game", m.GetUnit())
		return
	}
	if fresh {
		p.units = append(p.units, freshUnit(p.sc, p.kindOf(m.GetUnit())))
	}
	s := p.units[u]
	if m.Place != nil {
		if s.place = f.place(m.GetPlace()); s.place == Nowhere {
			f.fail("unit %s is put nowhere", m.GetUnit())
			return
		}
	}
	if m.Origin != nil {
		s.origin = f.place(m.GetOrigin())
	}
	if m.Aboard != nil {
		s.aboard = f.maybeUnit(m.GetAboard())
	}
	if m.Plan != nil {
		if s.plan = f.place(m.GetPlan()); s.plan != Nowhere && s.plan.Hex() == NoHex {
			f.fail("a plan for %.60q, which is no hex", m.GetPlan())
		}
	}
	if m.Face != 0 {
		if s.face = Face(m.GetFace()); s.face > MoveFace || !p.sc.Counters[s.counter].Faces[s.face].Exists {
			f.fail("unit %s has no face %d", m.GetUnit(), m.GetFace())
			return
		}
	}
	s.marker = Marker(f.either(uint8(s.marker), int32(m.GetMarker()), int32(Exploitation)))
	s.stocks = f.either(s.stocks, int32(m.GetStocks()), int32(stocksExhausted))
	s.fuel = f.either(s.fuel, int32(m.GetFuel()), int32(lastingFuel))
	s.checked = f.either(s.checked, int32(m.GetSupplied()), int32(ocsv1.Supplied_SUPPLIED_OUT))
	f.unitNumbers(&s, m)
	s.marks &^= unitMarkBits(f, m.GetUnset())
	s.marks |= unitMarkBits(f, m.GetSet())
	if f.err == nil {
		p.set(u, s)
	}
}

// kindOf is the counter of a unit's id that was found.
func (p *Position) kindOf(id string) uint16 {
	for i := range id {
		if id[i] == '.' {
			return p.sc.kinds[id[:i]]
		}
	}
	return p.sc.kinds[id]
}

// either is a number of the contract, or what was there if none is given.
func (f *folder) either(was uint8, n, most int32) uint8 {
	if n < 0 || n > most {
		f.fail("%d is out of range", n)
		return was
	}
	if n == 0 {
		return was
	}
	return uint8(n)
}

func (f *folder) unitNumbers(s *unit, m *ocsv1.UnitChange) {
	if m.Lost != nil {
		s.lost = uint8(f.amount(m.GetLost(), 20, "steps lost"))
	}
	if m.SpentTwelfths != nil {
		s.spent = Cost(f.amount(m.GetSpentTwelfths(), 0xFFFF, "MP spent"))
	}
	if m.PointsT != nil {
		s.points = f.amount(m.GetPointsT(), 0xFFFF, "transport points")
	}
	if m.LoadT != nil {
		s.load = f.amount(m.GetLoadT(), 0xFFFF, "load")
	}
	if m.Returns != nil {
		s.returns = f.amount(m.GetReturns(), 0xFFFF, "turn")
	}
	if m.PlanTurn != nil {
		s.due = f.amount(m.GetPlanTurn(), maxTurns, "turn")
	}
	if m.Carried != nil {
		s.carried = uint8(f.amount(uint32(m.GetCarried()), uint32(ocsv1.Carriage_CARRIAGE_SEA), "carriage"))
	}
}

func (f *folder) frameChange(m *ocsv1.FrameChange) {
	p := f.p
	if m.GetFrame() == nil {
		if len(p.frames) == 0 {
			f.fail("a procedure ends that did not begin")
			return
		}
		ended := p.top()
		p.frames = p.frames[:len(p.frames)-1]
		if _, beach := ended.(*beachAssault); !beach {
			f.spent(ended)
		}
		return
	}
	g := f.frame(m.GetFrame())
	switch {
	case g == nil:
	case m.GetPush() && len(p.frames) < 64:
		p.frames = append(p.frames, g)
	case len(p.frames) == 0 || m.GetPush():
		f.fail("a procedure goes on that did not begin, or too many are under way")
	default:
		if was, ok := p.top().(*beachAssault); ok && was.step == beachChoice {
			f.spent(was)
		}
		p.frames[len(p.frames)-1] = g
	}
}

func (f *folder) clockChange(m *ocsv1.ClockChange) {
	p := f.p
	if m.Turn != nil {
		p.turn = f.amount(m.GetTurn(), maxTurns+1, "turn")
	}
	if m.GetSegment() != 0 {
		if _, ok := ocsv1.Segment_name[int32(m.GetSegment())]; !ok {
			f.fail("no segment %d", m.GetSegment())
			return
		}
		p.segment = Segment(m.GetSegment())
	}
	if m.Stage != nil {
		p.stage = Stage(f.amount(uint32(m.GetStage()), uint32(closing), "stage"))
	}
	if m.Step != nil {
		p.step = uint8(f.amount(m.GetStep(), 255, "step"))
	}
	if m.Phasing != nil {
		p.phasing = f.seat(m.GetPhasing())
	}
	if m.First != nil {
		p.first = f.seat(m.GetFirst())
	}
	if m.Chooser != nil {
		p.chooser = f.seat(m.GetChooser())
	}
	if m.Simultaneous != nil {
		p.together = m.GetSimultaneous()
	}
	if m.GetClearEnded() {
		p.ended = 0
	}
	for _, id := range m.GetEnded() {
		p.ended |= rules.SeatsOf(f.owner(id))
	}
}

func (f *folder) registerChange(m *ocsv1.RegisterChange) {
	seat := f.owner(m.GetSeat())
	if m.GetRegister() < 1 || m.GetRegister() >= numRegisters {
		f.fail("no register %d", m.GetRegister())
		return
	}
	f.p.registers[seat][m.GetRegister()] = m.GetValue()
}

func (f *folder) weatherChange(m *ocsv1.WeatherChange) {
	g := slices.Index(f.p.sc.Grounds, m.GetGround())
	flight, ok := flightByID(m.GetFlight())
	if g < 0 || !ok {
		f.fail("no weather %.20q, %.20q", m.GetGround(), m.GetFlight())
		return
	}
	f.p.ground, f.p.flight, f.p.rough = uint8(g), flight, m.GetSea() == "rough"
}

func (f *folder) outcome(m *ocsv1.Outcome) {
	f.p.winner, f.p.level, f.p.points = f.seat(m.GetWinner()), uint8(f.amount(m.GetLevel(), 100, "level")),
		m.GetPoints()
	if f.p.level == 0 {
		f.fail("an outcome without a level")
	}
}

// forget takes marks away from everything.
func (f *folder) forget(m *ocsv1.Forgetting) {
	p := f.p
	units, hexes := unitMarkBits(f, m.GetUnits()), hexMarkBits(f, m.GetHexes())
	for u := range p.units {
		s := p.units[u]
		s.marks &^= units
		if m.GetPhase() {
			s.spent, s.carried, s.origin = 0, 0, s.place
			if s.fuel == phaseFuel {
				s.fuel = noFuel
			}
		}
		if s != p.units[u] {
			p.set(Unit(u), s)
		}
	}
	for i := range p.cells {
		p.cells[i].marks &^= hexes
		if m.GetFlownIn() {
			p.cells[i].flown = 0
		}
		if m.GetHandled() {
			p.cells[i].handled = 0
		}
		if m.GetPhase() {
			p.cells[i].shipped = 0
		}
	}
	if m.GetPhase() {
		p.taint, p.motion = nil, nil
	}
	if m.GetCrossed() {
		for seat := range numSeats {
			p.registers[seat][ocsv1.Register_REGISTER_CROSSED_OUT],
				p.registers[seat][ocsv1.Register_REGISTER_CROSSED_BACK] = 0, 0
		}
	}
}
