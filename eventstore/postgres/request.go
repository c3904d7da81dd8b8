package postgres

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
)

// change is an append, or with no entries a change of metadata. It is never altered.
type change struct {
	stream       string
	expected     uint64          // version that the stream must have
	prev         eventstore.Hash // hash that it must have
	hash         eventstore.Hash // hash that it gets
	meta         []byte          // nil leaves the metadata as they are
	metaExpected uint64          // version that they must have
	size         int             // bytes of data
	weight       int             // bytes that there are to send, about

	// One of each for an entry.
	versions []int64
	keys     [][]byte // nil for none
	prev4s   [][]byte
	hashes   [][]byte
	data     [][]byte
}

// request is a change on its way to a writer.
type request struct {
	*change
	state atomic.Int32
	// What follows is the writer's, to be read after done.
	err    error
	stored bool
	clash  bool // an index refused it: see refuse
	// begun and ended are when the writer began with its batch and was done with it.
	begun, ended time.Time
	done         chan struct{}
}

// The states of a request. Whoever leaves stateQueued first decides: a caller that gives up before a writer has begun
// knows that nothing was stored.
const (
	stateQueued = iota
	stateTaken
	stateAbandoned
)

// never is a version that no stream has: what is beyond the database's numbers.
const never = -2

func number(version uint64) int64 {
	if version > math.MaxInt64 {
		return never
	}
	return int64(version)
}

// newAppend copies an append: its caller may go on before it is written.
func newAppend(a *eventstore.Append) *change {
	n := len(a.Entries)
	c := &change{
		stream: a.Stream, expected: a.Expected, prev: a.Entries[0].Prev, hash: a.Entries[n-1].Hash,
		versions: make([]int64, n), keys: make([][]byte, n), prev4s: make([][]byte, n), hashes: make([][]byte, n),
		data: make([][]byte, n),
	}
	for i := range a.Entries {
		c.size += len(a.Entries[i].Data)
	}
	c.weight = c.size + n*100
	data := make([]byte, 0, c.size)
	links := make([]byte, 0, n*(prevSize+len(c.hash)))
	for i := range a.Entries {
		e := &a.Entries[i]
		c.versions[i] = number(a.Expected + uint64(i) + 1)
		c.keys[i] = encodeKey(e.Key)
		c.prev4s[i], links = carve(links, e.Prev[:prevSize])
		c.hashes[i], links = carve(links, e.Hash[:])
		c.data[i], data = carve(data, e.Data)
	}
	if a.Meta != nil {
		c.setMeta(a.Meta, a.MetaExpected)
	}
	return c
}

// carve copies b to the end of room and returns the copy, which is not nil.
func carve(room, b []byte) (copied, rest []byte) {
	at := len(room)
	room = append(room, b...)
	return room[at:len(room):len(room)], room
}

func newMeta(stream string, meta []byte, expected uint64) *change {
	c := &change{stream: stream}
	c.setMeta(meta, expected)
	return c
}

func (c *change) setMeta(meta []byte, expected uint64) {
	c.meta, c.metaExpected = append([]byte{}, meta...), expected
	c.weight += len(meta)
}

// appends reports whether the change has entries.
func (c *change) appends() bool { return len(c.versions) > 0 }

func newRequest(c *change) *request { return &request{change: c, done: make(chan struct{})} }

// take claims the request for a writer, or for a caller that gives up.
func (r *request) take(state int32) bool { return r.state.CompareAndSwap(stateQueued, state) }

// Append implements [eventstore.Store].
func (s *Store) Append(ctx context.Context, a eventstore.Append) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := a.Validate(); err != nil {
		return err
	}
	return s.submit(ctx, newAppend(&a))
}

// SetMeta implements [eventstore.Store].
func (s *Store) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := eventstore.CheckMeta(meta); err != nil {
		return err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return err
	}
	return s.submit(ctx, newMeta(stream, meta, expected))
}

// submit hands a change to the writers and waits for their answer. A refused one is asked again when what refused it
// has gone: the stream has come to the version that was expected meanwhile.
func (s *Store) submit(ctx context.Context, c *change) error {
	if s.o.ReadOnly {
		return eventstore.ErrReadOnly
	}
	for {
		r := newRequest(c)
		if !s.queue.put(r) {
			return eventstore.ErrClosed
		}
		select {
		case <-r.done:
			r.trace(ctx)
		case <-ctx.Done():
			if r.take(stateAbandoned) {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", eventstore.ErrUncertain, ctx.Err())
		}
		if r.stored || r.err != nil {
			return r.err
		}
		if err := s.refuse(ctx, r); err != nil {
			return err
		}
	}
}
