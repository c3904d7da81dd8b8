package rules

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"unicode/utf8"
)

// Wire types of numbers and of what is written as bytes, in the low bits of a field's tag.
const wireVarint, wireBytes, wireBits = 0, 2, 3

// leastRoom is the smallest capacity of a list.
const leastRoom = 4

// deepest is how deep messages may be nested to be decoded here.
const deepest = 32

// Texts that events repeat, such as ids of units and spaces, are kept once: one for each value of their hash, if they
// are short enough.
const (
	keptTexts    = 1024
	keptTextSize = 64
)

// filled is a message that is used again. set has the bits of what has been set since it was cleared.
type filled struct {
	ptr, body reflect.Value
	set       uint64
}

func newFilled(ptr reflect.Value) *filled { return &filled{ptr: ptr, body: ptr.Elem()} }

// clear empties what was set. Lists keep their memory.
func (m *filled) clear(l *layout) {
	for ; m.set != 0; m.set &= m.set - 1 {
		bit := bits.TrailingZeros64(m.set)
		if f := m.body.Field(l.bits[bit]); l.lists>>bit&1 != 0 {
			f.SetLen(0)
		} else {
			f.SetZero()
		}
	}
}

// cell is the target of a pointer in a struct, and the value in it. The pointer is kept in the form that the struct
// holds, which is an interface for a field of a oneof. Otherwise reflection would look up the implementation each time
// that it makes one.
type cell struct{ held, value reflect.Value }

// refiller decodes an event into messages that it has made before. What it gives is good until the next.
type refiller struct {
	// made are the messages by the place of their layout, of which as many as used says are in use; cells those by
	// the place of their slot.
	made      [][]*filled
	used      []int
	cells     [][]cell
	usedCells []int
	texts     *[keptTexts]string
}

func newRefiller(ls *layouts) *refiller {
	return &refiller{
		made: make([][]*filled, ls.count), used: make([]int, ls.count), cells: make([][]cell, ls.cells),
		usedCells: make([]int, ls.cells),
		texts:     new([keptTexts]string),
	}
}

// refill decodes a message. It says false, and may leave some of it, if there is anything that
// proto.Unmarshal must judge.
func (r *refiller) refill(l *layout, m *filled, data []byte) bool {
	clear(r.used)
	clear(r.usedCells)
	m.clear(l)
	return r.message(l, m, data, deepest)
}

// take returns a message that is empty and not in use.
func (r *refiller) take(l *layout) *filled {
	n := r.used[l.place]
	r.used[l.place]++
	if n < len(r.made[l.place]) {
		m := r.made[l.place][n]
		m.clear(l)
		return m
	}
	m := newFilled(reflect.New(l.typ))
	r.made[l.place] = append(r.made[l.place], m)
	return m
}

// takeCell returns a cell that is not in use.
func (r *refiller) takeCell(s *slot) cell {
	n := r.usedCells[s.place]
	r.usedCells[s.place]++
	if n == len(r.cells[s.place]) {
		ptr := reflect.New(s.cell)
		c := cell{held: ptr, value: ptr.Elem()}
		if s.cell.Kind() == reflect.Struct {
			c.value, c.held = c.value.Field(0), reflect.New(s.holder).Elem()
			c.held.Set(ptr)
		}
		r.cells[s.place] = append(r.cells[s.place], c)
	}
	return r.cells[s.place][n]
}

func (r *refiller) message(l *layout, m *filled, data []byte, depth int) bool {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>wireBits >= uint64(len(l.slots)) {
			return false
		}
		s := &l.slots[tag>>wireBits]
		value, k := binary.Uvarint(data[n:]) // the number, or the length of the bytes
		if k <= 0 || s.form == formUnknown || s.once && m.set&s.bit != 0 {
			return false
		}
		data = data[n+k:]
		switch tag & (1<<wireBits - 1) {
		case wireVarint:
			if s.form >= formText {
				return false
			}
			put(s.form, r.room(s, m), value)
		case wireBytes:
			if value > uint64(len(data)) || !r.bytes(s, m, data[:value], depth) {
				return false
			}
			data = data[value:]
		default:
			return false
		}
	}
	return true
}

// bytes decodes a field that is written as bytes.
func (r *refiller) bytes(s *slot, m *filled, data []byte, depth int) bool {
	switch {
	case s.form == formText:
		text, ok := r.text(data)
		if ok {
			r.room(s, m).SetString(text)
		}
		return ok
	case s.form == formMessage:
		if depth == 0 {
			return false
		}
		inner := r.take(s.of)
		if !r.message(s.of, inner, data, depth-1) {
			return false
		}
		r.room(s, m).Set(inner.ptr)
		return true
	case s.list: // numbers, packed
		for len(data) > 0 {
			value, n := binary.Uvarint(data)
			if n <= 0 {
				return false
			}
			put(s.form, r.room(s, m), value)
			data = data[n:]
		}
		return true
	}
	return false
}

// room is where the next value of a field goes.
func (r *refiller) room(s *slot, m *filled) reflect.Value {
	f := m.body.Field(s.index)
	m.set |= s.bit
	switch {
	case s.list:
		n := f.Len()
		if n == f.Cap() {
			f.Grow(max(n, leastRoom))
		}
		f.SetLen(n + 1)
		return f.Index(n)
	case s.cell != nil:
		c := r.takeCell(s)
		f.Set(c.held)
		return c.value
	}
	return f
}

// put sets a number, cut to its size as protobuf cuts it.
func put(form form, to reflect.Value, x uint64) {
	switch form {
	case formBool:
		to.SetBool(x != 0)
	case formUint32:
		to.SetUint(uint64(uint32(x)))
	case formUint64:
		to.SetUint(x)
	case formInt32:
		to.SetInt(int64(int32(x)))
	case formInt64:
		to.SetInt(int64(x))
	case formSint32:
		x = uint64(uint32(x))
		to.SetInt(int64(int32(x>>1) ^ -int32(x&1)))
	case formSint64:
		to.SetInt(int64(x>>1) ^ -int64(x&1))
	}
}

// text makes a string, the same for the same bytes where it can. It says false if the bytes are none
// that a string may have.
func (r *refiller) text(data []byte) (string, bool) {
	if len(data) > keptTextSize {
		return string(data), utf8.Valid(data)
	}
	hash := uint32(len(data))
	for _, b := range data {
		hash = hash*31 + uint32(b)
	}
	kept := &r.texts[hash*0x9E3779B1>>22%keptTexts] // the upper bits of the product depend on the whole hash
	if *kept != string(data) {
		if !utf8.Valid(data) {
			return "", false
		}
		*kept = string(data)
	}
	return *kept, true
}
