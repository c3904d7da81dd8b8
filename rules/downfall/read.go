package downfall

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

//go:generate go run ../../internal/eventreader read.gen.go

// A reader reads stored events straight from their bytes, without reflection and, once it has seen a kind of event, nearly without allocating. What it
// does not know how to read, or finds broken, it leaves to proto.Unmarshal, so that it only has to be right about what it accepts: fields of the contract
// in the shape in which they are written. Its messages are used again, as far as they are folded and nobody keeps them.
type reader struct {
	event event
	facts *facts
	ids   *idCache
	// data is the whole event, of which data[at:end] is left of the message that is being read. Indexes move, and no slices, since the collector
	// wants to know of every pointer that is written.
	data    []byte
	at, end int
	// tag of the field at hand.
	tag byte
	// bad is true once there was something that is not read here.
	bad bool
}

// Tags of the fields from 1 on that hold a number (n) and bytes (b): each is one byte.
const (
	n1, b1 = 1 << 3, 1<<3 | 2
	n2, b2 = 2 << 3, 2<<3 | 2
	n3, b3 = 3 << 3, 3<<3 | 2
	n4, b4 = 4 << 3, 4<<3 | 2
	n5, b5 = 5 << 3, 5<<3 | 2
	n6     = 6 << 3
	n7     = 7 << 3
	n8     = 8 << 3
)

// wireBytes is the wire type of messages and strings, in the low bits of a tag.
const wireBytes = 2

func newReader(sc *Scenario) *reader { return &reader{facts: new(facts), ids: sc.tab.ids} }

// read gives the event that proto.Unmarshal makes of the bytes, good until the next; false if it is left to proto.Unmarshal.
func (r *reader) read(data []byte) (*event, bool) {
	r.data, r.at, r.end, r.bad = data, 0, len(data), false
	tag := r.varint()
	if tag&7 != wireBytes || tag > 1<<10 {
		return nil, false
	}
	if after := r.open(); r.end != after || r.bad || !r.fact(int(tag>>3)) || r.bad {
		return nil, false
	}
	return &r.event, true
}

// field goes on to the next field of a message; false at its end.
func (r *reader) field() bool {
	if r.at >= r.end || r.bad {
		return false
	}
	r.tag = r.data[r.at]
	r.at++
	return true
}

// varint reads a number of any length.
func (r *reader) varint() uint64 {
	if r.at < r.end {
		if v := r.data[r.at]; v < 0x80 {
			r.at++
			return uint64(v)
		}
	}
	v, n := binary.Uvarint(r.data[r.at:r.end])
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.at += n
	return v
}

func (r *reader) number() uint32 { return uint32(r.varint()) }

func (r *reader) flag() bool { return r.varint() != 0 }

// signed reads a sint32: small numbers of either sign are short.
func (r *reader) signed() int32 {
	n := r.number()
	return int32(n>>1) ^ -int32(n&1)
}

// open goes into a field of bytes, and gives the end of what it lies in, for close.
func (r *reader) open() (after int) {
	size := r.varint()
	after = r.end
	if size > uint64(r.end-r.at) {
		r.bad = true
		return after
	}
	r.end = r.at + int(size)
	return after
}

// close goes back to what a field lies in.
func (r *reader) close(after int) { r.at, r.end = r.end, after }

// text reads a string.
func (r *reader) text() string {
	after := r.open()
	b := r.data[r.at:r.end]
	r.close(after)
	if len(b) == 0 {
		return ""
	}
	if id := *r.ids.place(b); id == string(b) {
		return id
	}
	if !utf8.Valid(b) {
		r.bad = true
	}
	return string(b)
}

// numbers adds numbers that are written one behind the other in one field.
func (r *reader) numbers(list []uint32) []uint32 {
	after := r.open()
	for r.at < r.end && !r.bad {
		list = append(list, r.number())
	}
	r.close(after)
	return list
}

// another adds a message to a list, one that was in it before if there is any. New ones are made many at a time.
func another[M any](list []*M) []*M {
	n := len(list)
	if n == cap(list) || list[:n+1][n] == nil {
		block := make([]M, max(n, 4))
		list = slices.Grow(list, len(block))[:n+len(block)]
		for i := range block {
			list[n+i] = &block[i]
		}
	}
	return list[:n+1]
}

// idCache has the ids of a scenario by a hash, so that a reader need not make those strings anew. One that has the hash of another is left out.
type idCache [1024]string

// place is where an id is if it is there; it has a letter at least. Ids differ in the middle and before their last few letters.
func (c *idCache) place(id []byte) *string {
	last := len(id) - 1
	hash := uint32(last)
	for _, back := range [...]int{0, 4, 5, 6, last / 2} {
		hash = hash*37 + uint32(id[last-min(last, back)])
	}
	return &c[hash*0x9E3779B1>>22%uint32(len(c))]
}

// newIDCache has the ids that events name: units, beachheads, zones, awards and seats.
func newIDCache(sc *Scenario) *idCache {
	c := new(idCache)
	add := func(id string) {
		if id != "" {
			*c.place([]byte(id)) = id
		}
	}
	for i := range sc.Units {
		add(sc.Units[i].ID)
	}
	for i := range sc.Beachheads {
		add(sc.Beachheads[i].ID)
	}
	for i := range sc.Zones {
		add(sc.Zones[i].ID)
	}
	for i := range sc.Chart.Awards {
		add(sc.Chart.Awards[i].ID)
	}
	for _, id := range seatIDs {
		add(id)
	}
	return c
}
