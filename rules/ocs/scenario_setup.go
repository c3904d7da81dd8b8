package ocs

import (
	"fmt"
	"regexp"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// setup checks what is put on the map (OCS Intro-IV): every unit once, in a hex that it could enter, and no
// stack over the limit.
func (l *loader) setup() {
	if l.sc.Map == nil || len(l.doc.GetSides()) != int(numSeats) {
		return
	}
	l.seat("sets_up_first", l.doc.GetSetsUpFirst())
	l.seat("control", l.doc.GetControl())
	for i, id := range l.doc.GetControlledByOther() {
		l.hex(fmt.Sprintf("controlled_by_other[%d]", i), id)
	}
	for i, g := range l.doc.GetGauges() {
		path := fmt.Sprintf("gauges[%d]", i)
		if g.GetGauge() == 0 || int(g.GetGauge()) > len(l.doc.GetMap().GetGauges()) {
			l.Fault(path+".gauge", "%d, expected 1 to %d", g.GetGauge(), len(l.doc.GetMap().GetGauges()))
		}
		for _, id := range g.GetHexes() {
			if h := l.hex(path+".hexes", id); !l.sc.Hexes[h].Rail {
				l.Fault(path+".hexes", "%s has no railway", id)
			}
		}
	}
	stacked := map[Place]uint16{}
	holders := map[Place]rules.Seat{}
	for i, s := range l.doc.GetSetup() {
		path := fmt.Sprintf("setup[%d]", i)
		seat, at := l.seat(path+".seat", s.GetSeat()), l.place(path+".at", s.GetAt())
		if holder, taken := holders[at]; taken && holder != seat {
			l.Fault(path+".at", "%s holds pieces of both sides", s.GetAt())
		}
		holders[at] = seat
		stacked[at] += l.stack(path, seat, at, s)
		if limit := uint16(l.sc.Constants.GetStackingRe()) * oneRE; at.Hex() != NoHex && stacked[at] > limit {
			l.Fault(path+".units", "%s is over the stacking limit (OCS Intro-IV-E)", s.GetAt())
		}
	}
}

// stack checks one stack and gives its REs in quarters.
func (l *loader) stack(path string, seat rules.Seat, at Place, s *ocsv1.Stack) (quarters uint16) {
	lost := map[string]uint32{}
	for i, st := range s.GetStates() {
		lost[st.GetUnit()] = st.GetLost()
		l.state(fmt.Sprintf("%s.states[%d]", path, i), s, st)
	}
	if at.inBox() && l.sc.Boxes[at-boxes].Seat != seat {
		l.Fault(path+".at", "the box is the other side's (OCS Intro-I-F)")
	}
	for _, id := range s.GetUnits() {
		l.once(path+".units", seat, id, CombatUnit)
		n, ok := l.sc.kinds[id]
		if !ok {
			continue
		}
		c := &l.sc.Counters[n]
		quarters += c.RE
		if c.Division {
			quarters -= min(quarters, uint16(lost[id])*oneRE)
		}
		if at.Hex() != NoHex && !l.sc.Hexes[at.Hex()].Land {
			l.Fault(path+".at", "%s can't be in %s (OCS Intro-IV-I)", id, s.GetAt())
		}
	}
	for _, o := range s.GetOrganic() {
		l.once(path+".organic", seat, o.GetId(), OrganicUnit)
		if n, ok := l.sc.kinds[o.GetId()]; ok && o.GetLoadT() > uint32(l.sc.Counters[n].Capacity) {
			l.Fault(path+".organic", "%s carries %d tokens, has room for %d",
				o.GetId(), o.GetLoadT(), l.sc.Counters[n].Capacity)
		}
	}
	l.airStack(path, seat, at, s)
	l.cargoOf(path+".cargo", seat, s)
	l.transports(path+".transports", seat, s.GetTransports())
	l.amount(path+".dump_t", s.GetDumpT())
	if s.GetHedgehog() > 4 { // OCS 16.0a
		l.Fault(path+".hedgehog", "level %d, expected at most 4", s.GetHedgehog())
	}
	if b := s.GetAirBase(); b > 3 && b != airstrip {
		l.Fault(path+".air_base", "level %d, expected at most 3, or 9 for an airstrip", b)
	}
	if s.GetPortHits() > 4 || s.GetPortHits() > 0 && (at.Hex() == NoHex || l.sc.Hexes[at.Hex()].Port == 0) {
		l.Fault(path+".port_hits", "%d hits, or no port", s.GetPortHits())
	}
	if s.GetPax() > 99 || s.GetEq() > 99 || s.GetWithin() > 50 {
		l.Fault(path, "a number is out of range")
	}
	return quarters + uint16(min(s.GetPax()+s.GetEq(), 99))
}

func (l *loader) state(path string, s *ocsv1.Stack, st *ocsv1.UnitState) {
	listed := false
	for _, id := range slices.Concat(s.GetUnits(), s.GetAir(), s.GetShips()) {
		listed = listed || id == st.GetUnit()
	}
	n, ok := l.sc.kinds[st.GetUnit()]
	if !listed || !ok {
		l.Fault(path+".unit", "%.40q is not in the stack", st.GetUnit())
		return
	}
	if st.GetLost() >= uint32(l.sc.Counters[n].Steps) {
		l.Fault(path+".lost", "%d steps of %d are lost", st.GetLost(), l.sc.Counters[n].Steps)
	}
	if _, ok := ocsv1.Marker_name[int32(st.GetMarker())]; !ok {
		l.Fault(path+".marker", "no marker %d", st.GetMarker())
	}
	if f := Face(st.GetFace()); f > MoveFace || f != NoFace && !l.sc.Counters[n].Faces[f].Exists {
		l.Fault(path+".face", "it has no face %d", st.GetFace())
	}
	if _, ok := ocsv1.Stocks_name[int32(st.GetStocks())]; !ok {
		l.Fault(path+".stocks", "no level %d", st.GetStocks())
	}
	if _, ok := ocsv1.Fuel_name[int32(st.GetFuel())]; !ok {
		l.Fault(path+".fuel", "no fuel %d", st.GetFuel())
	}
}

func (l *loader) victory() {
	v := l.doc.GetVictory()
	if l.sc.Map == nil {
		return
	}
	if v == nil || len(v.GetLevels()) == 0 {
		l.Fault("victory", "no victory conditions")
		return
	}
	l.seat("victory.seat", v.GetSeat())
	for i, h := range v.GetHexes() {
		l.hex(fmt.Sprintf("victory.hexes[%d].hex", i), h.GetHex())
	}
	for i, id := range v.GetEarlyControls() {
		l.hex(fmt.Sprintf("victory.early_controls[%d]", i), id)
	}
	for i, t := range v.GetAdjust() {
		path := fmt.Sprintf("victory.adjust[%d]", i)
		switch t.GetKind() {
		case "control_by", "first_control":
			l.hex(path+".hex", t.GetHex())
			l.seat(path+".seat", t.GetSeat())
			l.span(path, t.GetFrom(), t.GetTo())
		case "dead_at_end":
			if t.GetPer() == 0 {
				l.Fault(path+".per", "0, expected 1 or more")
			}
			if t.GetUnit() != "" {
				if _, ok := l.sc.kinds[t.GetUnit()]; !ok {
					l.Fault(path+".unit", "no unit %.40q", t.GetUnit())
				}
			} else {
				l.nation(path+".nationality", t.GetNationality())
			}
		case "ships_sunk":
			l.seat(path+".seat", t.GetSeat())
		default:
			l.Fault(path+".kind", "%.40q is no kind of condition", t.GetKind())
		}
	}
	for i, x := range v.GetLevels() {
		path := fmt.Sprintf("victory.levels[%d]", i)
		if x.GetWinner() != "" {
			l.seat(path+".winner", x.GetWinner())
		}
		if i > 0 && x.GetMin() >= v.GetLevels()[i-1].GetMin() {
			l.Fault(path+".min", "%d, expected less than that of the level before", x.GetMin())
		}
	}
}

// specialRules are the special rules that the program knows.
var specialRules = [...]string{"siege-guns", "surprised-front", "warship-lift", "rough-sea", "assault-boats", ruleIce}

func (l *loader) specials() {
	for i, r := range l.doc.GetSpecial() {
		known := false
		for _, id := range specialRules {
			known = known || id == r.GetId()
		}
		if !known {
			l.Fault(fmt.Sprintf("special[%d].id", i), "the program has no special rule %.40q", r.GetId())
		}
		if r.GetId() == ruleIce {
			l.iceRule(fmt.Sprintf("special[%d]", i), r)
		}
	}
}

var resultCell = regexp.MustCompile(`^(A(L[1-9])?(o[1-9])?(e[1-9])?)?(, )?(D(L[1-9])?(o[1-9])?(DG)?)?$`)

// barrageCell is a result of the barrage table (OCS 10.0a).
var barrageCell = regexp.MustCompile(`^(-|DG|1/2|\[1/2\]|[1-9])$`)

// charts checks the shapes of the tables.
func (l *loader) charts() {
	c := l.doc.GetCharts()
	if c.GetCombat() == nil || c.GetSurprise() == nil || c.GetBarrage() == nil || c.GetFacility() == nil ||
		c.GetAttrition() == nil || c.GetCapture() == nil {
		l.Fault("charts", "a chart is missing: combat, surprise, barrage, facility, attrition and capture are needed")
		return
	}
	l.sc.Charts = c
	if len(c.GetCombat().GetOdds()) != int(numCategories) {
		l.Fault("charts.combat.odds", "%d rows, expected %d", len(c.GetCombat().GetOdds()), numCategories)
		return
	}
	columns := len(c.GetCombat().GetOdds()[0].GetColumns())
	for i, o := range c.GetCombat().GetOdds() {
		if o.GetCategory() != categoryIDs[i] || len(o.GetColumns()) != columns || columns == 0 {
			l.Fault(fmt.Sprintf("charts.combat.odds[%d]", i), "expected the category %s with %d columns",
				categoryIDs[i], columns)
		}
	}
	for i, r := range c.GetCombat().GetRows() {
		path := fmt.Sprintf("charts.combat.rows[%d]", i)
		if int(r.GetRoll()) != i+1 || len(r.GetCells()) != columns {
			l.Fault(path, "roll %d with %d cells, expected %d with %d", r.GetRoll(), len(r.GetCells()), i+1, columns)
		}
		for _, cell := range r.GetCells() {
			if !resultCell.MatchString(cell) {
				l.Fault(path+".cells", "%.20q is no result", cell)
			}
		}
	}
	for i, r := range c.GetBarrage().GetRows() {
		if int(r.GetRoll()) != i+2 || len(r.GetCells()) != len(c.GetBarrage().GetColumns()) {
			l.Fault(fmt.Sprintf("charts.barrage.rows[%d]", i), "roll %d with %d cells", r.GetRoll(), len(r.GetCells()))
		}
	}
	for i, r := range c.GetBarrage().GetRows() {
		for _, cell := range r.GetCells() {
			if !barrageCell.MatchString(cell) {
				l.Fault(fmt.Sprintf("charts.barrage.rows[%d].cells", i), "%.20q is no result", cell)
			}
		}
	}
	for i, r := range c.GetFacility().GetRows() {
		if len(r.GetCells()) != len(c.GetFacility().GetColumns()) || len(r.GetCells()) == 0 {
			l.Fault(fmt.Sprintf("charts.facility.rows[%d]", i), "%d cells, expected one for each column",
				len(r.GetCells()))
		}
	}
	if len(c.GetBarrage().GetColumns()) == 0 {
		l.Fault("charts.barrage.columns", "no columns")
	}
	for _, n := range []struct {
		path      string
		got, want int
	}{
		{"charts.combat.rows", len(c.GetCombat().GetRows()), 15},
		{"charts.barrage.rows", len(c.GetBarrage().GetRows()), 11},
		{"charts.facility.rows", len(c.GetFacility().GetRows()), 6},
		{"charts.destruction_percent", len(c.GetDestructionPercent()), 6},
		{"charts.port_percent", len(c.GetPortPercent()), 5},
	} {
		if n.got != n.want {
			l.Fault(n.path, "%d rows, expected %d", n.got, n.want)
		}
	}
	l.shares("charts.destruction_percent", c.GetDestructionPercent())
	for i, k := range c.GetCapture().GetColumns() {
		if len(k.GetPercent()) != 6 {
			l.Fault(fmt.Sprintf("charts.capture.columns[%d]", i), "%d rows, expected 6", len(k.GetPercent()))
		}
		l.shares(fmt.Sprintf("charts.capture.columns[%d].percent", i), k.GetPercent())
	}
}

// shares checks percentages of what is there: more than all of it would make supply out of nothing.
func (l *loader) shares(path string, list []uint32) {
	for i, n := range list {
		if n > 100 {
			l.Tolerate(fmt.Sprintf("%s[%d]", path, i), "%d per cent, expected at most 100", n)
		}
	}
}
