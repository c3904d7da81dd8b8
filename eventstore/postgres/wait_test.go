package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// silently appends as a handle does whose notifications are lost.
func silently(t *testing.T, s *Store, a eventstore.Append) {
	t.Helper()
	r := newRequest(newAppend(&a))
	w := &writer{s: s}
	defer w.drop()
	if w.store(ctx, []*request{r}); !r.stored {
		t.Fatalf("append: %v", r.err)
	}
}

// waitAt waits at a handle and returns a channel for the outcome, when the handle has looked where the stream is.
func waitAt(t *testing.T, ctx context.Context, s *Store, stream string, after eventstore.Mark) <-chan error {
	t.Helper()
	woken := make(chan error, 1)
	before := s.Stats().Waiting
	go func() {
		_, err := s.Wait(ctx, stream, after)
		woken <- err
	}()
	waitFor(t, func() bool { return s.Stats().Waiting > before })
	return woken
}

// TestLostNotifications wants a handle that waits woken by what nobody has told it of, since it asks.
func TestLostNotifications(t *testing.T) {
	t.Parallel()
	s, dsn, schema := fresh(t, Options{})
	other := mustOpen(t, dsn, Options{Ask: 30 * time.Millisecond})
	defer other.Close()
	deadline, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	chain := &storetest.Chain{Stream: "s"}
	for i := range 6 {
		if i == 3 {
			endConnections(t, cluster(t), schema)
		}
		woken := waitAt(t, deadline, other, "s", eventstore.Mark{Version: chain.Version})
		silently(t, s, chain.Next("", "x"))
		if err := <-woken; err != nil {
			t.Errorf("append %d: %v", i, err)
		}
	}
}

// TestNotifications wants a handle that never asks again woken by a notification, also of many streams at once, and not
// those who wait for other streams.
func TestNotifications(t *testing.T) {
	t.Parallel()
	s, dsn, _ := fresh(t, Options{})
	other := mustOpen(t, dsn, Options{Ask: time.Hour})
	defer other.Close()
	deadline, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	idle, give := context.WithCancel(ctx)
	quiet := waitAt(t, idle, other, "quiet", eventstore.Mark{})
	for round := range uint64(3) {
		var all []<-chan error
		chains := make([]*storetest.Chain, 100)
		for i := range chains {
			name := string(rune('a'+i/26)) + string(rune('a'+i%26))
			chains[i] = &storetest.Chain{Stream: name}
			if head, err := s.Head(ctx, name); err == nil {
				chains[i].Version, chains[i].Hash = head.Version, head.Hash
			}
			all = append(all, waitAt(t, deadline, other, name, eventstore.Mark{Version: round}))
		}
		for _, c := range chains {
			mustAppend(t, s, c.Next("", "x"))
		}
		for i, woken := range all {
			if err := <-woken; err != nil {
				t.Errorf("round %d, stream %d: %v", round, i, err)
			}
		}
	}
	select {
	case err := <-quiet:
		t.Errorf("woken for nothing: %v", err)
	default:
	}
	give()
	<-quiet
}

// TestStoresInOneDatabase wants stores in schemas of one database to be apart.
func TestStoresInOneDatabase(t *testing.T) {
	t.Parallel()
	one, _, _ := fresh(t, Options{})
	two, _, _ := fresh(t, Options{})
	if one.id == two.id || one.channel() == two.channel() {
		t.Errorf("both are %v", one.id)
	}
	mustAppend(t, one, (&storetest.Chain{Stream: "s"}).Next("k", "one"))
	mustAppend(t, two, (&storetest.Chain{Stream: "s"}).Next("k", "two"))
	for want, s := range map[string]*Store{"one": one, "two": two} {
		if got := storetest.ReadAll(t, s, "s", 0); len(got) != 1 || string(got[0].Data) != want {
			t.Errorf("%q holds %v", want, got)
		}
	}
}
