package keyrings

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/service/internal/streams"
)

// leaving is a store whose caller gives up at a write. What was being written then is stored, and the caller is not
// told so.
type leaving struct {
	eventstore.Store
	// writes counts the writes that have begun. at is the one at which the caller leaves: before it is stored, or
	// afterwards if after is true.
	writes, at int
	after      bool
	leave      context.CancelFunc
}

// giveUp has the caller of the next calls leave at a write.
func (l *leaving) giveUp(at int, after bool) context.Context {
	ctx, leave := context.WithCancel(context.Background())
	l.writes, l.at, l.after, l.leave = 0, at, after, leave
	return ctx
}

func (l *leaving) write(ctx context.Context, store func(context.Context) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.writes++
	last := l.writes == l.at
	if last && !l.after {
		l.leave()
	}
	err := store(context.WithoutCancel(ctx))
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", eventstore.ErrUncertain, ctx.Err())
	}
	if last {
		l.leave()
	}
	return err
}

func (l *leaving) Append(ctx context.Context, a eventstore.Append) error {
	return l.write(ctx, func(ctx context.Context) error { return l.Store.Append(ctx, a) })
}

func (l *leaving) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	return l.write(ctx, func(ctx context.Context) error { return l.Store.SetMeta(ctx, stream, meta, expected) })
}

// desk is a server with at most two keyrings, and what it charges.
type desk struct {
	*Server
	store   *leaving
	charged int
	refusal error
	full    bool
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	inner := memory.New()
	t.Cleanup(func() { _ = inner.Close() })
	d := &desk{store: &leaving{Store: inner}}
	s, err := New(Config{Keep: time.Hour, Most: 2}, Host{Store: d.store, Clock: time.Now,
		Charge: func(_ context.Context, bytes int) error {
			if d.refusal == nil {
				d.charged += bytes
			}
			return d.refusal
		},
		Room: func() bool { return !d.full },
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Server = s
	return d
}

// of is the place of somebody's keyring.
func (d *desk) of(who string) place {
	return place{stream: streams.Keyring(who), key: make([]byte, 32)}
}

// counts asserts that the book counts the keyrings that hold something, and waits for none.
func (d *desk) counts(t *testing.T, when string) {
	t.Helper()
	ctx := context.Background()
	all, err := d.Store.List(ctx, streams.Keyrings, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, info := range all {
		k, err := decode(info)
		if err != nil {
			t.Fatal(err)
		}
		if k.held {
			held++
		}
	}
	book, _, err := d.places.book(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(book.Making) + len(book.Filling); n > 0 {
		t.Errorf("%s: %d places are taken for what nobody stores", when, n)
	}
	if n := len(all) - int(book.Emptied); n != held {
		t.Errorf("%s: %d keyrings count, and %d hold something", when, n, held)
	}
}

// TestPlacesOfThoseWhoGiveUp: a caller who gives up, at any moment, takes no place for what is not stored, gives back
// the place of what was emptied, and has paid for what was written.
func TestPlacesOfThoseWhoGiveUp(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, begin := range map[string]func(t *testing.T, d *desk){
		"a new keyring": func(*testing.T, *desk) {},
		"one that was emptied": func(t *testing.T, d *desk) {
			if _, err := d.put(ctx, d.of("ann"), []byte("x"), ""); err != nil {
				t.Fatal(err)
			}
			if _, err := d.forget(ctx, d.of("ann").stream, anyKept); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for at := 1; at <= 4; at++ {
			for _, after := range []bool{false, true} {
				when := fmt.Sprintf("%s, gone at write %d, after it %t", name, at, after)
				d := newDesk(t)
				begin(t, d)
				d.charged = 0
				_, err := d.put(d.store.giveUp(at, after), d.of("ann"), []byte("x"), "")
				d.counts(t, when)
				if d.charged == 0 {
					t.Errorf("%s: it was written and nothing charged", when)
				}
				if k, _ := d.read(ctx, d.of("ann").stream); k == nil || (err == nil) == k.empty() {
					t.Errorf("%s: the answer is %v, and stored is %+v", when, err, k)
				}
				if err != nil {
					continue
				}
				gone, err := d.forget(d.store.giveUp(at, after), d.of("ann").stream, anyKept)
				if !gone || err != nil {
					t.Errorf("%s: it was emptied, and the answer is %t, %v", when, gone, err)
				}
				d.counts(t, when+", when it was emptied")
			}
		}
	}
}

// TestRefusedWriteNothing: a refused call writes nothing, and a server without free places charges nobody.
func TestRefusedWriteNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, refuse := range map[string]func(d *desk){
		"a caller who has stored too much": func(d *desk) { d.refusal = errors.New("too much") },
		"a full store":                     func(d *desk) { d.full = true },
		"no place":                         func(d *desk) { d.Most = 1 },
		"a caller who has gone":            func(*desk) {},
	} {
		d := newDesk(t)
		if _, err := d.put(ctx, d.of("ann"), []byte("x"), ""); err != nil {
			t.Fatal(err)
		}
		refuse(d)
		asks := d.store.giveUp(0, false)
		if name == "a caller who has gone" {
			d.store.leave()
		}
		d.charged = 0
		if _, err := d.put(asks, d.of("bob"), []byte("x"), ""); err == nil {
			t.Errorf("%s is not refused", name)
		}
		if d.store.writes > 0 || d.charged > 0 {
			t.Errorf("%s: %d writes, %d bytes charged", name, d.store.writes, d.charged)
		}
		d.store.leave()
	}
}

// anyKept has any keyring forgotten.
func anyKept(*kept) bool { return true }
