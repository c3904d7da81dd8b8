package boltstore

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/warledger/warledger/eventstore"
)

// request is an append, or with no entries a change of metadata, on its way to the writer.
type request struct {
	stream   string
	expected uint64
	prev     eventstore.Hash // of the first entry
	base     uint64          // the version that the store's file has of the stream; for pending.add
	head     head            // when the append is stored
	entries  []record
	size     int    // bytes of data
	weight   int    // bytes that it adds to the value of a commit, about
	meta     []byte // encoded; nil leaves it as it is

	metaExpected, metaVersion uint64 // what meta was made from, and which version it is

	state atomic.Int32
	err   error         // the writer's, to be read after done
	times times         // of the commit, likewise; zero if none existed
	done  chan struct{} // closed by the writer; nil if the caller is the writer
}

// record is an entry as it will lie in the log.
type record struct {
	key   string
	value []byte
}

// The states of a request. Whoever leaves stateQueued first decides: a caller that gives up before the writer has
// begun knows that nothing was stored.
const (
	stateQueued = iota
	stateTaken
	stateAbandoned
)

func newAppend(a *eventstore.Append) *request {
	r := &request{
		stream: a.Stream, expected: a.Expected, prev: a.Entries[0].Prev,
		entries: make([]record, len(a.Entries)),
	}
	for i := range a.Entries {
		e := &a.Entries[i]
		r.head = head{version: a.Expected + uint64(i) + 1, hash: e.Hash}
		r.entries[i] = record{e.Key, encodeEntry(a.Stream, r.head.version, e)}
		r.size += len(e.Data)
		r.weight += len(r.entries[i].value)
	}
	if a.Meta != nil {
		r.setMeta(a.Meta, a.MetaExpected)
	}
	return r
}

// setMeta has the request replace the metadata. With [eventstore.AnyMeta] their version is known when
// the writer accepts them.
func (r *request) setMeta(meta []byte, expected uint64) {
	r.metaExpected, r.metaVersion = expected, expected+1
	if expected == eventstore.AnyMeta {
		r.metaVersion = 1
	}
	r.meta = encodeMeta(r.stream, r.metaVersion, meta)
	r.weight += len(r.meta)
}

// numberMeta gives metadata that replace any others their version.
func (r *request) numberMeta(version uint64) error {
	_, meta, err := splitMeta(r.stream, r.meta)
	if err == nil {
		r.meta, r.metaVersion = encodeMeta(r.stream, version, meta), version
	}
	return err
}

// take claims the request for the writer, or for a caller that gives up.
func (r *request) take(state int32) bool { return r.state.CompareAndSwap(stateQueued, state) }

func (r *request) answer(err error) {
	r.err = err
	if r.done != nil {
		close(r.done)
	}
}

// submit commits the request or hands it to the writer, and waits for its answer. A caller that may give up leaves it
// to the writer.
func (s *Store) submit(ctx context.Context, r *request) error {
	if s.o.ReadOnly {
		return eventstore.ErrReadOnly
	}
	if ctx.Done() == nil && s.lead(r) {
		r.times.trace(ctx, r.err)
		return r.err
	}
	r.done = make(chan struct{})
	select {
	case s.queue <- r:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopping:
		return eventstore.ErrClosed
	}
	s.wake()
	select {
	case <-r.done:
		r.times.trace(ctx, r.err)
		return r.err
	case <-ctx.Done():
		if r.take(stateAbandoned) {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %w", eventstore.ErrUncertain, ctx.Err())
	case <-s.done:
		if r.take(stateAbandoned) {
			return eventstore.ErrClosed
		}
		<-r.done
		return r.err
	}
}
