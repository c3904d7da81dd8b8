package ocs

import (
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// maxConverted is how many hexes a railroad repair unit converts in a Movement Phase at most (OCS 13.3g-D).
const maxConverted = 4

// convertedMarks are the marks that count the hexes, as a binary number.
var convertedMarks = [...]ocsv1.UnitMark{
	ocsv1.UnitMark_UNIT_MARK_CONVERTED_ONE, ocsv1.UnitMark_UNIT_MARK_CONVERTED_TWO,
	ocsv1.UnitMark_UNIT_MARK_CONVERTED_FOUR,
}

// converted is how many hexes a unit has converted in the phase.
func (p *Position) converted(u Unit) (n int) {
	for i, m := range convertedMarks {
		if p.has(u, m) {
			n += 1 << i
		}
	}
	return n
}

// checkConvert says why a unit may not convert the hex that it has just entered (OCS 13.3f, OCS 13.3g). No hex in an
// enemy ZOC is converted, whatever friendly units are there (OCS 4.5a-E), but where the game lets them negate it.
func (p *Position) checkConvert(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	s, h, gauge := &p.units[u], p.units[u].place.Hex(), p.sc.Seats[seat].Gauge
	if !p.counter(u).RailRepair {
		return rules.Refuse("OCS 13.3g", "refuse.no-rail-repair", "unit", p.unitName(u)).About(p.id(u))
	}
	if h == NoHex || !p.sc.Hexes[h].Rail || gauge == 0 || p.cells[h].gauge == gauge {
		return rules.Refuse("OCS 13.3f", "refuse.nothing-to-convert", "unit", p.unitName(u)).About(p.id(u))
	}
	at := p.sc.Map.ID(h)
	zoc := p.inZOC(enemy(seat), h)
	if p.sc.Constants.GetConversionNegatable() {
		zoc = p.cut(seat, h)
	}
	most := min(maxConverted, int(p.shown(u).Movement/oneMP))
	switch m := p.mode(u); {
	case p.segment != SegMovement, s.face != CombatFace, m != CombatMode && m != DGMode:
		return rules.Refuse("OCS 13.3g-D", "refuse.convert-mode", "unit", p.unitName(u)).About(p.id(u))
	case p.converted(u) >= most:
		return rules.Refuse("OCS 13.3g-D", "refuse.converted", "unit", p.unitName(u), "n", most).About(p.id(u))
	case !p.inMotion(u) || s.spent == 0:
		return rules.Refuse("OCS 13.3f-B", "refuse.not-entered", "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
	case zoc:
		return rules.Refuse("OCS 13.3f-A", "refuse.convert-zoc", "hex", at).At(at)
	case p.sc.Constants.GetConversionContiguous() && !p.joins(h, gauge):
		return rules.Refuse("OCS 13.3f-B", "refuse.not-contiguous", "hex", at).At(at)
	}
	return nil
}

// joins reports whether a railway of a gauge leads into a hex.
func (p *Position) joins(h Hex, gauge uint8) bool {
	for d, n := range p.sc.Map.Neighbors(h) {
		if n != NoHex && p.sc.Hexes[h].Tracks[hex.Dir(d)] > 0 && p.cells[n].gauge == gauge {
			return true
		}
	}
	return false
}

// playConvert changes the gauge of the hex. Nothing else does, enemies that move over the rails neither (OCS 13.3d).
func (p *Position) playConvert(x *exec, seat rules.Seat, cmd *Command) {
	n, h := p.converted(cmd.Unit)+1, p.units[cmd.Unit].place
	gauge := uint32(p.sc.Seats[seat].Gauge)
	c := p.changed()
	k := c.unit(cmd.Unit)
	for i, m := range convertedMarks {
		if n&(1<<i) != 0 {
			k.Set = append(k.Set, m)
		} else {
			k.Unset = append(k.Unset, m)
		}
	}
	tell(x, &event{Changes: c.list})
	c = p.changed()
	m := c.hex(h)
	m.Gauge, m.Set = proto.Uint32(gauge), []ocsv1.HexMark{ocsv1.HexMark_HEX_MARK_CONVERTED}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GaugeConverted{GaugeConverted: &ocsv1.GaugeConverted{
		Seat: seatIDs[seat], Hex: p.sc.PlaceID(h), Gauge: gauge,
	}}})
}

func listConvert(l *lister) {
	for _, u := range l.p.motion {
		c := only(KindConvert)
		c.Unit = u
		l.checked(c)
	}
}
