package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// maxPath is the largest number of hexes of a path that is looked at: no unit has more movement factors.
const maxPath = 64

// decode reads the message of a command. It refuses what names no unit or hex of the scenario, has a number out of range, or says a thing twice;
// whether the rules allow it is Check's business.
func (p *Position) decode(m *downfallv1.Command) (Command, *rules.Refusal) {
	d := decoder{p: p}
	c, known := d.segment(m)
	if !known {
		c, known = d.action(m)
	}
	if !known {
		c, known = d.combat(m)
	}
	if !known {
		c = only(kindByID(kit.Chosen(m))) // says nothing but its kind, whose id is the name of the field
	}
	if c.Kind == KindNone {
		return Command{}, rules.Malformed("the command has no kind")
	}
	if d.refusal != nil {
		return Command{}, d.refusal
	}
	return c, nil
}

// decoder reads ids and numbers from outside and keeps the first refusal.
type decoder struct {
	p       *Position
	refusal *rules.Refusal
}

func (d *decoder) refuse(r *rules.Refusal) {
	if d.refusal == nil {
		d.refusal = r
	}
}

func (d *decoder) malformed(format string, args ...any) { d.refuse(rules.Malformed(format, args...)) }

// unit reads the id of a unit.
func (d *decoder) unit(id string) Unit {
	u, ok := d.p.tab.unit[id]
	switch {
	case id == "":
		d.malformed("the command names no unit where it must")
	case !ok:
		d.refuse(rules.Malformed("the scenario has no unit %.40q", id).For(rules.ReasonUnknownPiece).About(kit.Clip(id)))
	default:
		return u
	}
	return 0
}

// unless reads the id of a unit, NoUnit if it is not given.
func (d *decoder) unless(id string) Unit {
	if id == "" {
		return NoUnit
	}
	return d.unit(id)
}

// hex reads the number of a hex.
func (d *decoder) hex(n uint32) Hex {
	h := d.p.tab.hexOf(n)
	if h == NoHex {
		d.refuse(rules.Malformed("the map has no land hex %s", number(n)).For(rules.ReasonUnknownSpace).At(number(n)))
		return 0
	}
	return h
}

// maybe reads the number of a hex, NoHex for 0.
func (d *decoder) maybe(n uint32) Hex {
	if n == 0 {
		return NoHex
	}
	return d.hex(n)
}

// units reads ids of units, none twice.
func (d *decoder) units(ids []string) UnitSet {
	var s UnitSet
	for _, id := range ids {
		u := d.unit(id)
		if d.refusal != nil {
			return 0
		}
		d.add(&s, u)
	}
	return s
}

// add puts a unit into a set in which it must not be yet.
func (d *decoder) add(s *UnitSet, u Unit) {
	if d.refusal == nil && s.Has(u) {
		d.refuse(rules.Malformed("the unit %s is named twice", d.p.id(u)).About(d.p.id(u)))
	}
	*s |= bit(u)
}

// number reads a number that must not be larger than hi.
func (d *decoder) number(n uint32, hi int, what string) uint8 {
	if n > uint32(hi) {
		d.malformed("%s is %d, expected 0 to %d", what, n, hi)
		return 0
	}
	return uint8(n)
}

// markers reads numbers of naval markers, none twice.
func (d *decoder) markers(ns []uint32) uint64 {
	var s uint64
	for _, n := range ns {
		m := d.marker(n)
		if d.refusal == nil && s&m != 0 {
			d.malformed("the naval marker %d is named twice", n)
		}
		s |= m
	}
	return s
}

// marker reads the number of a naval marker.
func (d *decoder) marker(n uint32) uint64 {
	most := d.p.sc.Chart.Markers.USNaval + d.p.sc.Chart.Markers.BPFNaval
	if n < 1 || n > uint32(min(most, maxNaval)) {
		d.refuse(rules.Malformed("there is no naval marker %d; they are numbered from 1 to %d", n, most).For(rules.ReasonUnknownPiece))
		return 0
	}
	return 1 << (n - 1)
}

// path reads the hexes of a path, at least one.
func (d *decoder) path(ns []uint32) []Hex {
	if len(ns) == 0 || len(ns) > maxPath {
		d.malformed("a path has %d hexes, expected 1 to %d", len(ns), maxPath)
		return nil
	}
	path := make([]Hex, len(ns))
	for i, n := range ns {
		path[i] = d.hex(n)
	}
	return path
}

// routed gives a command its ways: in the short shape if it is one unit with a destination.
func (c Command) routed(routes []Route) Command {
	if len(routes) == 1 && len(routes[0].Path) == 1 {
		c.Unit, c.Hex = routes[0].Unit, routes[0].Path[0]
		return c
	}
	c.Routes = &routes
	return c
}

// route reads the way of one unit.
func (d *decoder) route(unit string, path []uint32) []Route {
	return []Route{{Unit: d.unit(unit), Path: d.path(path)}}
}

// support reads the support of a combat.
func (d *decoder) support(c Command, s *downfallv1.Support) Command {
	if s.GetAir() {
		c.Count = 1
	}
	if n := s.GetNaval(); n > 0 {
		c.Detail = d.marker(n)
	}
	return c
}
