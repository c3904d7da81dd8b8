package scenario

import (
	"fmt"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// side looks up the hexside between two hexes.
func (l *loader) side(path string, p *downfallv1.HexPair) (a Hex, d hex.Dir, ok bool) {
	a, b := l.hex(path+".a", p.GetA()), l.hex(path+".b", p.GetB())
	if a == NoHex || b == NoHex {
		return NoHex, 0, false
	}
	if d, ok = l.sc.Map.DirTo(a, b); !ok {
		l.Fault(path, "hexes %s and %s are not adjacent", p.GetA(), p.GetB())
	}
	return a, d, ok
}

func (l *loader) hexsides() {
	total := 0
	for _, g := range l.doc.GetHexsides() {
		total += len(g.GetSides())
	}
	if !l.Count("hexsides", total, 0, maxSides) || l.sc.Map == nil {
		return
	}
	taken := map[hex.SideIndex]string{}
	for i, g := range l.doc.GetHexsides() {
		path := fmt.Sprintf("hexsides[%d]", i)
		if g.GetName() != nil {
			l.Words(path+".name", g.GetName(), maxName)
		}
		bits := l.sc.Rivers
		switch g.GetKind() {
		case downfallv1.HexsideKind_HEXSIDE_KIND_RIVER:
		case downfallv1.HexsideKind_HEXSIDE_KIND_SEA:
			bits = l.sc.Seas
		default:
			l.Fault(path+".kind", "%s, expected river or sea", g.GetKind())
		}
		for j, p := range g.GetSides() {
			at := fmt.Sprintf("%s.sides[%d]", path, j)
			a, d, ok := l.side(at, p)
			if !ok {
				continue
			}
			side := l.sc.Map.Side(a, d)
			if first, twice := taken[side]; twice {
				l.Fault(at, "the hexside of %s and %s is given twice, by %s as well", p.GetA(), p.GetB(), first)
				continue
			}
			taken[side] = at
			bits[a] |= 1 << d
			bits[l.sc.Near[a][d]] |= 1 << d.Opposite()
		}
	}
	l.coasts()
	l.line()
}

// coasts closes sea hexsides, finds which zones serve a hex, and warns where the coast looks wrong.
func (l *loader) coasts() {
	s := l.sc
	sea := map[hex.Coord]bool{}
	g := s.Map.Geometry()
	for _, id := range l.doc.GetSea() {
		if c, err := g.Parse(id); err == nil {
			sea[c] = true
		}
	}
	for i := range Hex(s.Map.Len()) {
		if z := s.Zone[i]; z != NoZone {
			s.Served[i] |= 1 << z
		}
		wet, edge := s.Seas[i] != 0, false
		for d, to := range s.Near[i] {
			switch {
			case to == NoHex && sea[g.Neighbor(s.Map.Coord(i), hex.Dir(d))]:
				wet = true
			case to == NoHex:
				edge = true
			case s.Seas[i].Has(hex.Dir(d)):
				s.Ground[i][d] = NoHex
			}
			if to != NoHex && s.Is(to, Coastal) {
				s.Flags[i] |= NextCoast
				if z := s.Zone[to]; z != NoZone {
					s.Served[i] |= 1 << z
				}
			}
		}
		path := fmt.Sprintf("land[%d].coastal", l.rowOf[i])
		switch {
		case wet && !s.Is(i, Coastal):
			l.Warn(path, "hex %s touches the sea and is not coastal", s.Map.ID(i))
		case s.Is(i, Coastal) && !wet && !edge && len(sea) > 0:
			l.Warn(path, "hex %s is coastal and touches no sea", s.Map.ID(i))
		}
	}
	for i, z := range s.Zones {
		if len(z.Hexes) == 0 {
			l.Warn(fmt.Sprintf("zones[%d]", i), "zone %s has no hexes", z.ID)
		}
	}
}

// line checks the Linked Beachheads Line as drawn against the hexes south of it (DF 4.10).
func (l *loader) line() {
	pairs := l.doc.GetBeachheadsLine()
	if !l.Count("beachheads_line", len(pairs), 0, maxSides) || len(pairs) == 0 {
		return
	}
	drawn := l.sc.Map.NewSideSet()
	for i, p := range pairs {
		path := fmt.Sprintf("beachheads_line[%d]", i)
		a, d, ok := l.side(path, p)
		if !ok {
			continue
		}
		side := l.sc.Map.Side(a, d)
		if drawn.Has(side) {
			l.Fault(path, "the hexside of %s and %s is given twice", p.GetA(), p.GetB())
		}
		drawn.Add(side)
		if l.sc.Is(a, South) == l.sc.Is(l.sc.Near[a][d], South) {
			l.Warn(path, "hexes %s and %s are on the same side of the line", p.GetA(), p.GetB())
		}
	}
	for i := range hex.SideIndex(l.sc.Map.NumSides()) {
		s := l.sc.Map.SideAt(i)
		if s.Other != NoHex && !drawn.Has(i) && l.sc.Is(s.Hex, South) != l.sc.Is(s.Other, South) {
			l.Warn("beachheads_line",
				"the hexside of %s and %s is not on the line, yet only one of them is south of it",
				l.sc.Map.ID(s.Hex), l.sc.Map.ID(s.Other))
		}
	}
}

func (l *loader) places() {
	if !l.Count("places", len(l.doc.GetPlaces()), 0, maxLand) || l.sc.Map == nil {
		return
	}
	named := map[Hex]int{}
	l.sc.Names = make([]rules.Words, l.sc.Map.Len())
	for i, p := range l.doc.GetPlaces() {
		path := fmt.Sprintf("places[%d]", i)
		l.Words(path+".name", p.GetName(), maxName)
		if _, ok := downfallv1.PlaceKind_name[int32(p.GetKind())]; !ok {
			l.Fault(path+".kind", "%s, expected one of the kinds of place", p.GetKind())
		}
		h := l.hex(path+".hex", p.GetHex())
		if h == NoHex {
			continue
		}
		if j, twice := named[h]; twice {
			l.Fault(path+".hex", "hex %s has a name already by places[%d]", p.GetHex(), j)
		}
		named[h] = i
		l.sc.Names[h] = rules.Words{En: p.GetName().GetEn() + " " + p.GetHex()}
		if ja := p.GetName().GetJa(); ja != "" {
			l.sc.Names[h].Ja = ja + " " + p.GetHex()
		}
	}
}
