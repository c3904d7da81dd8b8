package ocs

import (
	"fmt"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// sides reads what the scenario says about the two sides.
func (l *loader) sides() {
	if len(l.doc.GetSides()) != int(numSeats) || l.sc.Map == nil {
		return
	}
	for i, s := range l.doc.GetSides() {
		path := fmt.Sprintf("sides[%d]", i)
		info := &l.sc.Seats[i]
		*info = SideInfo{ID: s.GetId(), Name: l.sc.words(s.GetName()), Doc: s}
		if !docID.MatchString(s.GetId()) {
			l.Fault(path+".id", "%.40q is no id", s.GetId())
		}
		if int(s.GetGauge()) > len(l.doc.GetMap().GetGauges()) {
			l.Fault(path+".gauge", "%d, expected at most %d", s.GetGauge(), len(l.doc.GetMap().GetGauges()))
		}
		info.Gauge = uint8(s.GetGauge())
		for j, e := range s.GetEntries() {
			info.Entries = append(info.Entries, EntryInfo{
				ID: e.GetId(), At: l.place(fmt.Sprintf("%s.entries[%d].at", path, j), e.GetAt()), Rail: e.GetRail(),
				Port: e.GetPort(),
			})
		}
		for j, e := range s.GetSources() {
			at := fmt.Sprintf("%s.sources[%d]", path, j)
			h := l.hex(at+".hex", e.GetHex())
			if e.GetPort() && l.sc.Hexes[h].Port == 0 {
				l.Fault(at+".port", "%s has no port", e.GetHex())
			}
			info.Sources = append(info.Sources, SourceInfo{At: h, Port: e.GetPort()})
		}
		l.arrivals(path, rules.Seat(i), s)
		l.periods(path, s)
	}
}

// entry checks that a side has an entry.
func (l *loader) entry(path string, seat rules.Seat, id string) {
	if l.sc.Seats[seat].entry(id) < 0 {
		l.Fault(path, "the side has no entry %.40q", id)
	}
}

// entry is the index of an entry, -1 if none has that id.
func (s *SideInfo) entry(id string) int {
	for i := range s.Entries {
		if s.Entries[i].ID == id {
			return i
		}
	}
	return -1
}

func (l *loader) arrivals(path string, seat rules.Seat, s *ocsv1.Side) {
	for i, a := range s.GetArrivals() {
		at := fmt.Sprintf("%s.arrivals[%d]", path, i)
		l.turn(at+".turn", a.GetTurn())
		l.entry(at+".at", seat, a.GetAt())
		for _, id := range a.GetUnits() {
			l.once(at+".units", seat, id, CombatUnit)
		}
		for _, id := range a.GetOrganic() {
			l.once(at+".organic", seat, id, OrganicUnit)
		}
		l.transports(at+".transports", seat, a.GetTransports())
		if a.GetWhileHeld() != "" {
			l.hex(at+".while_held", a.GetWhileHeld())
		}
	}
	for i, w := range s.GetWithdrawals() {
		at := fmt.Sprintf("%s.withdrawals[%d]", path, i)
		l.turn(at+".turn", w.GetTurn())
		for _, id := range w.GetUnits() {
			l.piece(at+".units", seat, id, CombatUnit)
		}
		for _, id := range w.GetOrganic() {
			l.piece(at+".organic", seat, id, OrganicUnit)
		}
	}
	for i, id := range s.GetBreakoutReturn() {
		l.entry(fmt.Sprintf("%s.breakout_return[%d]", path, i), seat, id)
	}
	for i, t := range s.GetSupply() {
		at := fmt.Sprintf("%s.supply[%d]", path, i)
		l.span(at, t.GetFrom(), t.GetTo())
		if n := len(t.GetRowsT()); t.GetFixedT() == 0 && n != 11 {
			l.Fault(at+".rows_t", "%d rows, expected 11 for 2 to 12", n)
		}
		for _, id := range t.GetAt() {
			l.entry(at+".at", seat, id)
		}
	}
	for i, t := range s.GetReplacements() {
		at := fmt.Sprintf("%s.replacements[%d]", path, i)
		l.span(at, t.GetFrom(), t.GetTo())
		if n := len(t.GetRows()); t.GetFixed() == nil && n != 11 {
			l.Fault(at+".rows", "%d rows, expected 11 for 2 to 12", n)
		}
		for _, id := range append(append([]string(nil), t.GetAt()...), t.GetOnePaxAt()...) {
			l.entry(at+".at", seat, id)
		}
	}
}

func (l *loader) periods(path string, s *ocsv1.Side) {
	check := func(name string, list []*ocsv1.Period) {
		for i, p := range list {
			at := fmt.Sprintf("%s.%s[%d]", path, name, i)
			l.span(at, p.GetFrom(), p.GetTo())
			l.amount(at+".value", p.GetValue())
		}
	}
	check("reserve_markers", s.GetReserveMarkers())
	check("rail_capacity_t", s.GetRailCapacityT())
	check("sea_capacity_t", s.GetSeaCapacityT())
}

func (l *loader) turn(path string, n uint32) {
	if n == 0 || int(n) > len(l.doc.GetTurns()) {
		l.Fault(path, "turn %d, expected 1 to %d", n, len(l.doc.GetTurns()))
	}
}

func (l *loader) span(path string, from, to uint32) {
	l.turn(path+".from", from)
	l.turn(path+".to", to)
	if from > to {
		l.Fault(path, "from turn %d to %d", from, to)
	}
}

// piece finds a counter of a side.
func (l *loader) piece(path string, seat rules.Seat, id string, kind CounterKind) (uint16, bool) {
	n, ok := l.sc.kinds[id]
	if !ok || l.sc.Counters[n].Kind != kind && !(kind == CombatUnit && l.sc.Counters[n].Kind == Breakdown) {
		l.Fault(path, "no such piece: %.40q", id)
		return 0, false
	}
	if l.sc.Counters[n].Seat != seat {
		l.Fault(path, "%s belongs to the other side", id)
		return 0, false
	}
	return n, true
}

// once is piece for a unit that is put somewhere: only one set-up or arrival may name it.
func (l *loader) once(path string, seat rules.Seat, id string, kind CounterKind) {
	n, ok := l.piece(path, seat, id, kind)
	if !ok || int(n) >= l.sc.Fixed {
		return
	}
	if l.used == nil {
		l.used = map[string]string{}
	}
	if before, twice := l.used[id]; twice {
		l.Fault(path, "%s is at %s already", id, before)
	}
	l.used[id] = path
}

func (l *loader) transports(path string, seat rules.Seat, list []*ocsv1.Transports) {
	for i, t := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		n, ok := l.sc.kinds[t.GetKind()+"-"+seatIDs[seat]]
		if !ok || l.sc.Counters[n].Kind != TransportPoints {
			l.Fault(at+".kind", "the side has no transports of kind %.40q", t.GetKind())
			continue
		}
		if l.amount(at+".points_t", t.GetPointsT()) == 0 {
			l.Fault(at+".points_t", "no points")
		}
		if t.GetLoadT() > t.GetPointsT() {
			l.Fault(at+".load_t", "%d tokens on %d points", t.GetLoadT(), t.GetPointsT()) // OCS 13.2c
		}
		kind := l.doc.GetCounters().GetTransports()[l.sc.Counters[n].Transport]
		if t.GetExtender() && (kind.GetExtenderT() == 0 || t.GetPointsT() != kind.GetExtenderT() || t.GetLoadT() != 0) {
			l.Fault(at+".extender", "an extender is %d empty points", kind.GetExtenderT()) // OCS 12.7d
		}
	}
}

// turns reads the turns and the weather (OCS 17.0).
func (l *loader) turns() {
	if n := len(l.doc.GetTurns()); n == 0 || n > maxTurns {
		l.Fault("turns", "%d turns, expected 1 to %d", n, maxTurns)
	}
	columns := map[string]bool{}
	for i, c := range l.doc.GetWeather() {
		path := fmt.Sprintf("weather[%d]", i)
		columns[c.GetId()] = true
		if len(c.GetRows()) != 6 {
			l.Fault(path+".rows", "%d rows, expected 6", len(c.GetRows()))
		}
		for j, r := range c.GetRows() {
			l.weather(fmt.Sprintf("%s.rows[%d]", path, j), r)
		}
	}
	for i, t := range l.doc.GetTurns() {
		path := fmt.Sprintf("turns[%d]", i)
		if t.GetFixedWeather() != nil {
			l.weather(path+".fixed_weather", t.GetFixedWeather())
		} else if !columns[t.GetWeather()] {
			l.Fault(path+".weather", "no column %.40q", t.GetWeather())
		}
		if f := t.GetFirst(); f != "" && f != "roll" {
			l.seat(path+".first", f)
		}
	}
}

func (l *loader) weather(path string, w *ocsv1.WeatherRow) {
	if _, ok := l.ground1[w.GetGround()]; !ok {
		l.Fault(path+".ground", "%.40q is no ground condition", w.GetGround())
	}
	if _, ok := flightByID(w.GetFlight()); !ok {
		l.Fault(path+".flight", "%.40q, expected full, limited or none", w.GetFlight())
	}
	if w.GetSea() != "calm" && w.GetSea() != "rough" {
		l.Fault(path+".sea", "%.40q, expected calm or rough", w.GetSea())
	}
}

// flights are flight conditions, the best first.
var flights = [...]string{"full", "limited", "none"}

func flightByID(id string) (uint8, bool) {
	for i, f := range flights {
		if f == id {
			return uint8(i), true
		}
	}
	return 0, false
}
