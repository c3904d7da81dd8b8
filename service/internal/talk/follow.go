package talk

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/internal/streams"
)

// pauseAfter is how long to wait after the store could not be asked.
const pauseAfter = time.Second

// taps wake those who follow streams of the store. One goroutine waits for each stream, for all who follow it.
type taps struct {
	store  eventstore.Store
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	mu     sync.Mutex
	open   map[string]*tap
	// beside counts bytes that are kept in memory.
	beside func(bytes int)
}

// tap is a stream that somebody follows.
type tap struct {
	ears map[chan struct{}]bool
	stop context.CancelFunc
	// told is the version of the metadata that the store has told of last.
	told atomic.Uint64
	kept kept
}

func newTaps(store eventstore.Store, beside func(int)) taps {
	ctx, cancel := context.WithCancel(context.Background())
	return taps{store: store, ctx: ctx, cancel: cancel, open: map[string]*tap{}, beside: beside}
}

func (t *taps) close() {
	t.cancel()
	t.work.Wait()
}

// Follow returns a channel that receives a value whenever something that the caller may read could have changed, on
// this server or on another that shares the store. The first value may arrive at once. The caller must call stop.
func (t *Talk) Follow(e *Ear) (wake <-chan struct{}, stop func()) {
	names := []string{streams.TalkBook(e.Game)}
	for _, p := range e.places() {
		names = append(names, p.stream(e.Game))
	}
	return t.taps.follow(names)
}

func (t *taps) follow(names []string) (<-chan struct{}, func()) {
	ear := make(chan struct{}, 1)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range names {
		w := t.open[name]
		if w == nil {
			ctx, cancel := context.WithCancel(t.ctx)
			w = &tap{ears: map[chan struct{}]bool{}, stop: cancel, kept: newKept()}
			t.open[name] = w
			t.work.Go(func() { t.run(ctx, name, w) })
		}
		w.ears[ear] = true
	}
	return ear, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, name := range names {
			w := t.open[name]
			if delete(w.ears, ear); len(w.ears) == 0 {
				w.stop()
				delete(t.open, name)
				w.kept.letGo(t.beside)
			}
		}
	}
}

// run waits for a stream until nobody follows it.
func (t *taps) run(ctx context.Context, name string, w *tap) {
	var at eventstore.Mark
	for ctx.Err() == nil {
		mark, err := t.store.Wait(ctx, name, at)
		switch {
		case err == nil:
			at = mark
			w.told.Store(mark.Meta)
			t.wake(w)
		case errors.Is(err, eventstore.ErrClosed), ctx.Err() != nil:
			return
		default:
			select {
			case <-time.After(pauseAfter):
			case <-ctx.Done():
			}
		}
	}
}

func (t *taps) wake(w *tap) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for ear := range w.ears {
		select {
		case ear <- struct{}{}:
		default: // it has not looked since the last one
		}
	}
}

// of is the tap of a stream; nil if nobody follows it.
func (t *taps) of(name string) *tap {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[name]
}
