// Package packed makes maps smaller, for browsers on slow networks. Most of a board is points, each a message of two
// floating-point numbers, and where spaces are areas every border comes twice.
package packed

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// place is a point of whole numbers.
type place struct{ x, y int32 }

// line is what is drawn from place to place.
type line []place

// Map packs a map. Nobody may change the result, because it shares what is not packed with the map that it is made of.
func Map(m *boardv1.Map) *boardv1.Map {
	out := shallow(m)
	out.Spaces = make([]*boardv1.Space, len(m.GetSpaces()))
	places := map[string]int{}
	for i, s := range m.GetSpaces() {
		places[s.GetId()] = i
	}
	b := bordersOf(m)
	for i, s := range m.GetSpaces() {
		t := shallow(s)
		t.Outline = outline(s.GetOutline(), b)
		if steps, ok := neighbors(s, i, places); ok {
			t.Neighbors, t.NeighborSteps = nil, steps
		}
		spots(t)
		out.Spaces[i] = t
	}
	out.Decor = make([]*boardv1.Decor, len(m.GetDecor()))
	for i, d := range m.GetDecor() {
		e := shallow(d)
		e.Outline = outline(d.GetOutline(), nil)
		out.Decor[i] = e
	}
	if b != nil {
		out.Borders = b.made
	}
	return out
}

// shallow is a message with the same fields.
func shallow[M interface {
	*T
	ProtoReflect() protoreflect.Message
}, T any](m M) M {
	out := M(new(T))
	m.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		out.ProtoReflect().Set(field, v)
		return true
	})
	return out
}

// outline packs rings, of borders if there are some. A ring that is not of whole numbers stays as it is.
func outline(rings []*boardv1.Ring, b *borders) []*boardv1.Ring {
	out := make([]*boardv1.Ring, len(rings))
	for i, r := range rings {
		l, ok := lineOf(r)
		switch {
		case !ok:
			out[i] = r
		case b != nil:
			out[i] = &boardv1.Ring{Borders: b.split(l)}
		default:
			out[i] = &boardv1.Ring{Steps: l.steps()}
		}
	}
	return out
}

// lineOf reads a ring; false if it has no points or one that is not of whole numbers.
func lineOf(r *boardv1.Ring) (line, bool) {
	l := make(line, len(r.GetPoints()))
	for i, p := range r.GetPoints() {
		at, ok := placeOf(p)
		if !ok {
			return nil, false
		}
		l[i] = at
	}
	return l, len(l) > 0
}

// farthest is how far from the corner of the canvas a packed point may lie, so that no step overflows.
const farthest = 1 << 24

func placeOf(p *boardv1.Point) (place, bool) {
	whole := func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < farthest }
	if p == nil || !whole(p.GetX()) || !whole(p.GetY()) {
		return place{}, false
	}
	return place{int32(p.GetX()), int32(p.GetY())}, true
}

// steps are a line's points, each by how far it lies from the one before it.
func (l line) steps() []int32 {
	out := make([]int32, 0, 2*len(l))
	var last place
	for _, p := range l {
		out = append(out, p.x-last.x, p.y-last.y)
		last = p
	}
	return out
}

// neighbors are the adjacent spaces by their places; false if one is not on the map.
func neighbors(s *boardv1.Space, at int, places map[string]int) ([]int32, bool) {
	out := make([]int32, len(s.GetNeighbors()))
	for i, id := range s.GetNeighbors() {
		n, ok := places[id]
		if !ok {
			return nil, false
		}
		out[i] = int32(n - at) //nolint:gosec // a map has thousands of spaces
	}
	return out, true
}

// spots packs the centre, label and city of a space, up to the first that is missing or not of whole numbers.
func spots(s *boardv1.Space) {
	centre, ok := placeOf(s.GetCentre())
	if !ok {
		return
	}
	s.Spots, s.Centre = []int32{centre.x, centre.y}, nil
	for _, p := range []**boardv1.Point{&s.Label, &s.City} {
		at, ok := placeOf(*p)
		if !ok {
			return
		}
		s.Spots, *p = append(s.Spots, at.x-centre.x, at.y-centre.y), nil
	}
}

// size is how many bytes numbers take.
func size(all []int32) (n int) {
	for _, v := range all {
		n += protowire.SizeVarint(protowire.EncodeZigZag(int64(v)))
	}
	return n
}

// bordersOf finds the lines that the outlines of a map have in common. Where it takes fewer bytes to write each outline
// by itself, as with hexes, it is nil.
func bordersOf(m *boardv1.Map) *borders {
	var rings []line
	for _, s := range m.GetSpaces() {
		for _, r := range s.GetOutline() {
			if l, ok := lineOf(r); ok {
				rings = append(rings, l)
			}
		}
	}
	b := &borders{ends: endsOf(rings), known: map[string]int32{}}
	alone, shared := 0, 0
	for _, r := range rings {
		alone += size(r.steps())
		shared += size(b.split(r))
	}
	for _, one := range b.made {
		shared += size(one.GetSteps()) + 2
	}
	if shared >= alone {
		return nil
	}
	return &borders{ends: b.ends, known: map[string]int32{}}
}

// borders are the lines of which outlines are made, in the order in which they are first used.
type borders struct {
	// ends are the places where lines end.
	ends  map[place]bool
	known map[string]int32
	made  []*boardv1.Border
}

// side is a piece of an outline between two neighbouring points, in whichever direction.
type side [2]place

func sideOf(a, b place) side {
	if a.x < b.x || a.x == b.x && a.y < b.y {
		return side{a, b}
	}
	return side{b, a}
}

// endsOf are the places where outlines begin, and where the outlines that go along a line change.
func endsOf(rings []line) map[place]bool {
	of, ends := map[side][]int{}, map[place]bool{}
	for i, r := range rings {
		for k, p := range r {
			s := sideOf(p, r[(k+1)%len(r)])
			of[s] = append(of[s], i)
		}
	}
	for _, r := range rings {
		ends[r[0]] = true
		for k, p := range r {
			before, after := sideOf(r[(k+len(r)-1)%len(r)], p), sideOf(p, r[(k+1)%len(r)])
			if !slices.Equal(of[before], of[after]) {
				ends[p] = true
			}
		}
	}
	return ends
}

// split makes a ring of borders.
func (b *borders) split(ring line) (out []int32) {
	begun := line{ring[0]}
	for k := 1; k <= len(ring); k++ {
		p := ring[k%len(ring)]
		begun = append(begun, p)
		if k == len(ring) || b.ends[p] {
			out = append(out, b.number(begun))
			begun = line{p}
		}
	}
	return out
}

// number is what a ring says for a line: 0 for one that is new.
func (b *borders) number(l line) int32 {
	if n, ok := b.known[l.key()]; ok {
		return n
	}
	back := slices.Clone(l)
	slices.Reverse(back)
	if n, ok := b.known[back.key()]; ok {
		return -n
	}
	b.made = append(b.made, &boardv1.Border{Steps: l.steps()})
	b.known[l.key()] = int32(len(b.made)) //nolint:gosec // a map has thousands of lines
	return 0
}

// key is a line as the key of a map.
func (l line) key() string {
	var out []byte
	for _, v := range l.steps() {
		out = protowire.AppendVarint(out, protowire.EncodeZigZag(int64(v)))
	}
	return string(out)
}
