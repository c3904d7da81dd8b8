package service_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
)

// link is a server's way to a store that it shares with others. It can be cut, and things can happen on it.
type link struct {
	eventstore.Store
	// away has every call fail, as if the store could not be reached.
	away atomic.Bool
	// at is called before each call that reads or writes entries or heads; nil for nothing.
	mu sync.Mutex
	at func(op, stream string)
	// after is called after an append that was stored, before its answer.
	after func()
	// other, unless nil, is the store to which the link leads now.
	other atomic.Pointer[memory.Store]
	// clock, unless nil, is the store's.
	clock func() time.Time
	// anyMeta plants a fault: metadata are stored whatever was there. alone plants another: the server takes the store
	// for its own.
	anyMeta, alone bool
}

// Shared implements [eventstore.Store].
func (l *link) Shared() bool { return !l.alone && l.to().Shared() }

func newLink(store eventstore.Store) *link { return &link{Store: store} }

// to is the store to which the link leads.
func (l *link) to() eventstore.Store {
	if other := l.other.Load(); other != nil {
		return other
	}
	return l.Store
}

// on has something happen before each call.
func (l *link) on(at func(op, stream string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = at
}

// onStored has something happen once, after the next append was stored and before its answer.
func (l *link) onStored(after func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.after = after
}

func (l *link) call(op, stream string) error {
	l.mu.Lock()
	at := l.at
	l.mu.Unlock()
	if at != nil {
		at(op, stream)
	}
	if l.away.Load() {
		return fmt.Errorf("%s: %w: the link is cut", op, eventstore.ErrIO)
	}
	return nil
}

func (l *link) Append(ctx context.Context, a eventstore.Append) error {
	if err := l.call("append", a.Stream); err != nil {
		return err
	}
	if l.anyMeta {
		a.MetaExpected = eventstore.AnyMeta
	}
	err := l.to().Append(ctx, a)
	l.mu.Lock()
	after := l.after
	if err == nil {
		l.after = nil
	}
	l.mu.Unlock()
	if err != nil || after == nil {
		return err
	}
	after()
	if l.away.Load() {
		return fmt.Errorf("append: %w: %w", eventstore.ErrIO, eventstore.ErrUncertain)
	}
	return nil
}

func (l *link) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	if err := l.call("set", stream); err != nil {
		return err
	}
	if l.anyMeta {
		expected = eventstore.AnyMeta
	}
	return l.to().SetMeta(ctx, stream, meta, expected)
}

func (l *link) Lookup(ctx context.Context, stream, key string) (uint64, bool, error) {
	if err := l.call("lookup", stream); err != nil {
		return 0, false, err
	}
	return l.to().Lookup(ctx, stream, key)
}

func (l *link) Read(ctx context.Context, stream string, from uint64, limit, most int) ([]eventstore.Entry, error) {
	if err := l.call("read", stream); err != nil {
		return nil, err
	}
	return l.to().Read(ctx, stream, from, limit, most)
}

func (l *link) ReadAt(ctx context.Context, stream string, from uint64, limit, most int) (eventstore.Page, error) {
	if err := l.call("read", stream); err != nil {
		return eventstore.Page{}, err
	}
	return l.to().ReadAt(ctx, stream, from, limit, most)
}

func (l *link) Head(ctx context.Context, stream string) (eventstore.StreamInfo, error) {
	if err := l.call("head", stream); err != nil {
		return eventstore.StreamInfo{}, err
	}
	return l.to().Head(ctx, stream)
}

// Wait ends when the link is cut, as a lost connection ends it.
func (l *link) Wait(ctx context.Context, stream string, after eventstore.Mark) (eventstore.Mark, error) {
	for {
		if err := l.call("wait", stream); err != nil {
			return eventstore.Mark{}, err
		}
		short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		mark, err := l.to().Wait(short, stream, after)
		cancel()
		if err == nil || ctx.Err() != nil || short.Err() == nil {
			return mark, err
		}
	}
}

func (l *link) List(ctx context.Context, prefix, after string, n int) ([]eventstore.StreamInfo, error) {
	if err := l.call("list", prefix); err != nil {
		return nil, err
	}
	return l.to().List(ctx, prefix, after, n)
}

func (l *link) Count(ctx context.Context, prefix string) (uint64, error) {
	if err := l.call("count", prefix); err != nil {
		return 0, err
	}
	return l.to().Count(ctx, prefix)
}

func (l *link) Now(ctx context.Context) (time.Time, error) {
	if err := l.call("now", ""); err != nil {
		return time.Time{}, err
	}
	if l.clock != nil {
		return l.clock(), nil
	}
	return l.to().Now(ctx)
}
