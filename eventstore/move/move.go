// Package move carries a store from one engine to another.
//
// A copy takes its time and may be broken off, and afterwards two stores hold the same streams. So both are marked: a
// target that is not complete, and a source whose streams have gone on elsewhere. [Served] refuses both to a server.
// The mark is the metadata of a stream of its own, which no copy contains.
package move

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
)

// Errors of this package, wrapped with the places.
var (
	// ErrMoved says that the streams of a store were moved to another one.
	ErrMoved = errors.New("the store was moved")
	// ErrUnfinished says that a store holds only a part of what is being copied into it.
	ErrUnfinished = errors.New("a copy into the store is not finished")
	// ErrNotEmpty says that a store has streams, and so cannot be copied into.
	ErrNotEmpty = errors.New("the store is not empty")
	// ErrDifferent says that a store is not what was copied into it.
	ErrDifferent = errors.New("the copy differs")
)

// Options of a copy.
type Options struct {
	// From and To name the places, for messages and marks.
	From, To string
	// Verify, which may be nil, is the caller's view of an entry, as in [eventstore.Store.Check].
	Verify func(stream string, e eventstore.Entry) error
	// Report, which may be nil, is told of faults that the check of the copy finds.
	Report func(eventstore.Fault)
	// Keep leaves the source as it is, so that it can be served on: for a rehearsal.
	Keep bool
}

// Copy copies a store into another, which must be empty or hold a part of this copy, and marks the source as moved.
// Then the target is complete: it was checked, and each head was compared. Nobody else may write either of them
// meanwhile. Call Copy again to continue a copy that was broken off.
func Copy(ctx context.Context, from, to eventstore.Store, o Options) (dump.Report, error) {
	var report dump.Report
	source, err := read(ctx, from)
	if err != nil {
		return report, err
	}
	target, err := read(ctx, to)
	if err != nil {
		return report, err
	}
	// Of a copy that was broken off at its very end the source says already that it was moved.
	ended := source.kind == moved && source.place == o.To && target.kind == unfinished
	if err := source.served(); err != nil && !ended {
		return report, err
	}
	if err := begin(ctx, to, o.From); err != nil {
		return report, err
	}
	r, w := io.Pipe()
	go func() {
		_, err := dump.Write(ctx, hidden{from}, w)
		w.CloseWithError(err)
	}()
	report, err = dump.Read(ctx, r, hidden{to})
	r.CloseWithError(err) // ends the writer
	if err == nil {
		err = examine(ctx, to, o)
	}
	if err == nil {
		err = compare(ctx, hidden{from}, hidden{to})
	}
	if err == nil && !o.Keep {
		err = set(ctx, from, state{kind: moved, place: o.To})
	}
	if err == nil {
		err = set(ctx, to, state{})
	}
	return report, err
}

// Restore copies a dump into a store, as Copy does with a store.
func Restore(ctx context.Context, r io.Reader, to eventstore.Store, o Options) (dump.Report, error) {
	if err := begin(ctx, to, o.From); err != nil {
		return dump.Report{}, err
	}
	report, err := dump.Read(ctx, r, hidden{to})
	if err == nil {
		err = examine(ctx, to, o)
	}
	if err == nil {
		err = set(ctx, to, state{})
	}
	return report, err
}

// begin marks a target as not complete. One that is not empty must have been marked so before, by a copy from the same
// place.
func begin(ctx context.Context, to eventstore.Store, from string) error {
	target, err := read(ctx, to)
	switch {
	case err != nil:
		return err
	case target.kind == unfinished && target.place == from:
		return nil
	case target.kind == unfinished:
		return target.served()
	}
	list, err := hidden{to}.List(ctx, "", "", 1)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		return fmt.Errorf("%w: it has the stream %q", ErrNotEmpty, list[0].Name)
	}
	return set(ctx, to, state{kind: unfinished, place: from})
}

// examine checks a copy.
func examine(ctx context.Context, to eventstore.Store, o Options) error {
	sum, err := to.Check(ctx, o.Verify, o.Report)
	if err == nil && sum.Faults > 0 {
		err = fmt.Errorf("%w: it has %d faults", ErrDifferent, sum.Faults)
	}
	return err
}

// Served returns an error for a store that must not be served: one that was moved, or is not complete.
func Served(ctx context.Context, store eventstore.Store) error {
	s, err := read(ctx, store)
	if err != nil {
		return err
	}
	return s.served()
}

// Reopen lets a store be served again that was moved. It does not have what was appended to the copy.
func Reopen(ctx context.Context, store eventstore.Store) error {
	s, err := read(ctx, store)
	switch {
	case err != nil:
		return err
	case s.kind == unfinished:
		return s.served()
	}
	return set(ctx, store, state{})
}

// stream holds the state of a store, as metadata.
const stream = "operations/move"

// Kinds of states. A store without one is complete and was not moved.
const (
	moved      = "moved"
	unfinished = "unfinished"
)

// state says that a store was moved to a place, or is a copy from one and not complete.
type state struct{ kind, place, at string }

func (s state) served() error {
	switch s.kind {
	case "":
		return nil
	case moved:
		return fmt.Errorf("%w to %s at %s", ErrMoved, s.place, s.at)
	}
	return fmt.Errorf("%w: from %s, begun at %s", ErrUnfinished, s.place, s.at)
}

// read returns the state of a store.
func read(ctx context.Context, store eventstore.Store) (s state, err error) {
	head, err := store.Head(ctx, stream)
	if errors.Is(err, eventstore.ErrNotFound) || err == nil && head.Meta == nil {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	part := strings.Split(string(head.Meta), "\n")
	if len(part) != 3 || part[0] != moved && part[0] != unfinished {
		return s, &eventstore.CorruptError{Stream: stream, What: "the state of the store is unknown"}
	}
	return state{part[0], part[1], part[2]}, nil
}

// set changes the state of a store.
func set(ctx context.Context, store eventstore.Store, s state) error {
	now, err := store.Now(ctx)
	if err != nil {
		return err
	}
	meta := []byte{}
	if s.kind != "" {
		place := strings.ReplaceAll(s.place, "\n", " ")
		meta = []byte(s.kind + "\n" + place + "\n" + now.UTC().Format(time.RFC3339))
	}
	err = store.SetMeta(ctx, stream, meta, eventstore.AnyMeta)
	if errors.Is(err, eventstore.ErrNotFound) && s.kind != "" {
		err = store.Append(ctx, eventstore.Append{Stream: stream, Entries: []eventstore.Entry{{}}, Meta: meta})
	}
	if errors.Is(err, eventstore.ErrNotFound) {
		return nil // the store never had a state
	}
	return err
}
