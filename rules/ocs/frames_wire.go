package ocs

import (
	"math"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// framing writes a frame into its message, or reads one from it. The wire of each kind says once which place of the
// message holds which fact, and serves both ways. Numbers have their places by order: a wire names them one after the
// other. Zeros at the end of the numbers are not written, but for those that a wire keeps.
type framing struct {
	p     *Position
	m     *ocsv1.Frame
	f     *folder // reads ids; not needed for an empty message
	reads bool
	used  framePlace
	n     int // numbers that were read or written
	kept  int // numbers that are written even if they are 0
}

// framePlace is a set of places of the message that not every kind has.
type framePlace uint8

const (
	stepPlace framePlace = 1 << iota
	fromPlace
	unitPlace
	enemyPlace
	unitsPlace
	enemiesPlace
	placesPlace
)

// frameMessage writes a frame.
func (p *Position) frameMessage(f frame) *ocsv1.Frame {
	h := f.base()
	m := &ocsv1.Frame{Kind: f.kind(), Seat: seatID(h.seat), At: p.sc.PlaceID(h.at)}
	w := framing{p: p, m: m}
	f.wire(&w)
	n := len(m.Numbers)
	for n > w.kept && m.Numbers[n-1] == 0 {
		n--
	}
	m.Numbers = m.Numbers[:n]
	return m
}

// frame reads a frame. A place or number that its kind does not have is refused.
func (f *folder) frame(m *ocsv1.Frame) frame {
	kind := m.GetKind()
	if kind < 0 || int(kind) >= len(blankFrames) || blankFrames[kind] == nil {
		f.fail("no procedure %d", kind)
		return nil
	}
	g := blankFrames[kind]()
	if kind == ocsv1.FrameKind_FRAME_KIND_RETREAT && m.GetStep() == uint32(groupStep) {
		g = new(retreatGroup)
	}
	w := framing{p: f.p, m: m, f: f, reads: true}
	*g.base() = head{f.owner(m.GetSeat()), f.place(m.GetAt())}
	g.wire(&w)
	if w.given()&^w.used != 0 || w.n < len(m.GetNumbers()) {
		f.fail("a procedure %d has facts that are not of its kind", kind)
	}
	return g
}

// given are the places that a message fills.
func (w *framing) given() (set framePlace) {
	m := w.m
	for i, filled := range [...]bool{
		m.Step != 0, m.From != "", m.Unit != "", m.Enemy != "", len(m.Units) > 0, len(m.Enemies) > 0, len(m.Places) > 0,
	} {
		if filled {
			set |= 1 << i
		}
	}
	return set
}

// wireStep is the step of a procedure, as its kind counts.
func wireStep[S ~uint8](w *framing, s *S) {
	w.used |= stepPlace
	if w.reads {
		*s = 0
		if n := w.m.GetStep(); n != 0 {
			*s = S(w.f.amount(n, 255, "a step"))
		}
		return
	}
	w.m.Step = uint32(*s)
}

// from is the hex or box that a procedure starts from.
func (w *framing) from(at *Place) {
	w.used |= fromPlace
	if !w.reads {
		w.m.From = w.p.sc.PlaceID(*at)
		return
	}
	*at = Nowhere
	if id := w.m.GetFrom(); id != "" {
		*at = w.f.place(id)
	}
}

// unit is a unit of the seat.
func (w *framing) unit(u *Unit) { w.one(unitPlace, &w.m.Unit, u) }

// enemy is a unit of the other side.
func (w *framing) enemy(u *Unit) { w.one(enemyPlace, &w.m.Enemy, u) }

func (w *framing) one(place framePlace, id *string, u *Unit) {
	w.used |= place
	if !w.reads {
		*id = w.p.id(*u)
		return
	}
	*u = NoUnit
	if *id != "" {
		*u = w.f.unit(*id)
	}
}

// units are units of the seat.
func (w *framing) units(list *[]Unit) { w.many(unitsPlace, &w.m.Units, list) }

// enemies are units of the other side.
func (w *framing) enemies(list *[]Unit) { w.many(enemiesPlace, &w.m.Enemies, list) }

func (w *framing) many(place framePlace, ids *[]string, list *[]Unit) {
	w.used |= place
	switch {
	case !w.reads:
		*ids = w.p.ids(*list)
	case len(*ids) > 0:
		*list = w.f.units(*ids)
	}
}

// places are hexes and boxes.
func (w *framing) places(list *[]Place) {
	w.used |= placesPlace
	if !w.reads {
		for _, at := range *list {
			w.m.Places = append(w.m.Places, w.p.sc.PlaceID(at))
		}
		return
	}
	for _, id := range w.m.GetPlaces() {
		*list = append(*list, w.f.place(id))
	}
}

// next writes a number, or reads the next one: 0 if there are no more.
func (w *framing) next(n int32) int32 {
	if !w.reads {
		if w.m.Numbers == nil {
			w.m.Numbers = make([]int32, 0, 12)
		}
		w.m.Numbers = append(w.m.Numbers, n)
		return n
	}
	if w.n >= len(w.m.GetNumbers()) {
		return 0
	}
	w.n++
	n = w.m.GetNumbers()[w.n-1]
	if n < 0 {
		w.f.fail("a procedure has the number %d", n)
		return 0
	}
	return n
}

// more is a fact on which it depends whether there are more numbers.
func (w *framing) more(on *bool) bool {
	if w.reads {
		*on = w.n < len(w.m.GetNumbers())
	}
	return *on
}

// keep has all numbers up to here written, whatever they are.
func (w *framing) keep() {
	if !w.reads {
		w.kept = len(w.m.Numbers)
	}
}

// integer is what a number of a frame may count.
type integer interface {
	~int | ~int16 | ~int32 | ~uint8
}

// wireNumber is the next number.
func wireNumber[N integer](w *framing, n *N) {
	if m := w.next(int32(*n)); w.reads { // what is written is shared between copies
		*n = N(m)
	}
}

// wireList is a number for each of a list, up to a most.
func wireList[N integer](w *framing, list *[]N, most int) {
	wireItems(w, list, most, func(n *N) { wireNumber(w, n) })
}

// wireItems are the numbers of each of a list, up to a most. They are always written.
func wireItems[T any](w *framing, list *[]T, most int, item func(*T)) {
	if w.reads {
		for len(*list) < most && w.n < len(w.m.GetNumbers()) {
			var t T
			item(&t)
			*list = append(*list, t)
		}
		return
	}
	for i := range *list {
		item(&(*list)[i])
	}
	if len(*list) > 0 {
		w.keep()
	}
}

// index is the next number as one of a count of things, which must be there. It is always written.
func (w *framing) index(i *int, count func() int) {
	wireNumber(w, i)
	w.keep()
	if w.f != nil && *i >= count() {
		w.f.fail("a procedure names number %d of %d", *i, count())
	}
}

// flag is the next number as a yes or no.
func (w *framing) flag(on *bool) {
	var n int32
	if *on {
		n = 1
	}
	if n = w.next(n); !w.reads {
		return
	}
	if *on = n == 1; n > 1 {
		w.f.fail("a procedure says yes with %d", n)
	}
}

// counted is the next number as a unit: 1 more than its number, 0 for none.
func (w *framing) counted(u *Unit) {
	if !w.reads {
		w.next(int32(*u + 1)) // of NoUnit 0
		return
	}
	n := w.next(0)
	if *u = Unit(n - 1); n > 0 && int(n) > len(w.p.units) {
		w.f.fail("a procedure names unit %d", n)
	}
}

// noTerrain is in the place of a terrain that is not chosen yet.
const noTerrain = -1

// terrain is the next number as a terrain of hexes: 1 more than its number, 0 for noTerrain.
func (w *framing) terrain(t *int16) {
	w.choice(t, func(n int16) bool { return int(n) < len(w.p.sc.Terrains) })
}

// terrains are the rest of the numbers as terrains of hexes or hexsides, as in a Line.
func (w *framing) terrains(list *[]int16) {
	wireItems(w, list, maxUnits, func(t *int16) {
		w.choice(t, func(n int16) bool { return w.p.sc.terrainID(n) != "" })
	})
}

func (w *framing) choice(t *int16, known func(int16) bool) {
	n := w.next(int32(*t) + 1)
	if !w.reads {
		return
	}
	if *t = int16(n - 1); n > math.MaxInt16 || n > 0 && !known(*t) {
		w.f.fail("a procedure names terrain %d", n)
	}
}
