package late

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errAway = errors.New("the database is away")

// TestContract has a store that was opened late keep every promise of an event store.
func TestContract(t *testing.T) {
	t.Parallel()
	opened := func(t testing.TB, inner eventstore.Store) eventstore.Store {
		t.Helper()
		first, open := true, make(chan error, 2)
		s, err := Open(context.Background(), Options{
			Every: time.Microsecond, Away: func(error) bool { return true }, Told: func(err error) { open <- err },
			Open: func(context.Context) (eventstore.Store, error) {
				if first {
					first = false
					return nil, errAway
				}
				return inner, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if failed, opened := <-open, <-open; !errors.Is(failed, errAway) || opened != nil {
			t.Fatalf("told of %v and %v", failed, opened)
		}
		return s
	}
	storetest.Run(t, func(t testing.TB) storetest.Engine {
		inner := memory.New()
		return storetest.Engine{
			Store:  opened(t, inner),
			Second: func(t testing.TB) eventstore.Store { return opened(t, inner.Share()) },
			Restore: func(t testing.TB, backup []byte) eventstore.Store {
				restored, err := memory.Restore(bytes.NewReader(backup))
				if err != nil {
					t.Fatal(err)
				}
				return restored
			},
		}
	})
}

// TestUntilItIsOpen calls a store that cannot be opened: each call says why. A refusal in a later try is the last one.
func TestUntilItIsOpen(t *testing.T) {
	t.Parallel()
	refused := errors.New("the password is wrong")
	outcomes := make(chan error)
	told := make(chan error, 10)
	ctx := context.Background()
	s, err := Open(ctx, Options{
		Every: time.Microsecond, Shared: true, Told: func(err error) { told <- err },
		Away: func(err error) bool { return errors.Is(err, errAway) },
		Open: func(ctx context.Context) (eventstore.Store, error) {
			select {
			case err := <-outcomes:
				return nil, err
			case <-time.After(time.Millisecond):
				return nil, errAway
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range every(s) {
		if !errors.Is(err, eventstore.ErrIO) || !errors.Is(err, errAway) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !s.Shared() || s.Stats() != (eventstore.Stats{}) {
		t.Errorf("shared %v, %+v", s.Shared(), s.Stats())
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Head(gone, "s"); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	outcomes <- refused
	for err = range told {
		if !errors.Is(err, errAway) {
			break
		}
	}
	if !errors.Is(err, refused) {
		t.Errorf("told of %v", err)
	}
	ended := make(chan struct{})
	go func() { s.working.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("it goes on trying")
	}
	if _, err := s.Head(ctx, "s"); !errors.Is(err, refused) || !errors.Is(err, eventstore.ErrIO) {
		t.Errorf("after the refusal: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for name, err := range every(s) {
		if !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

// every is the error of each call that may fail.
func every(s eventstore.Store) map[string]error {
	ctx := context.Background()
	second := func(_ any, err error) error { return err }
	_, _, lookup := s.Lookup(ctx, "s", "k")
	return map[string]error{
		"Append":   s.Append(ctx, (&storetest.Chain{Stream: "s"}).Next("", "x")),
		"SetMeta":  s.SetMeta(ctx, "s", nil, 0),
		"Lookup":   lookup,
		"Read":     second(s.Read(ctx, "s", 0, 0, 0)),
		"ReadAt":   second(s.ReadAt(ctx, "s", 0, 0, 0)),
		"Head":     second(s.Head(ctx, "s")),
		"Wait":     second(s.Wait(ctx, "s", eventstore.Mark{})),
		"List":     second(s.List(ctx, "", "", 0)),
		"Count":    second(s.Count(ctx, "")),
		"Now":      second(s.Now(ctx)),
		"Snapshot": second(s.Snapshot(ctx)),
		"Backup":   second(s.Backup(ctx, io.Discard)),
		"Check":    second(s.Check(ctx, nil, nil)),
	}
}

// TestRefusedAtOnce has the first try fail for good, and a store that is never opened be closed.
func TestRefusedAtOnce(t *testing.T) {
	t.Parallel()
	fails := func(context.Context) (eventstore.Store, error) { return nil, errAway }
	_, err := Open(context.Background(), Options{Open: fails, Away: func(error) bool { return false }})
	if !errors.Is(err, errAway) {
		t.Errorf("opened with %v", err)
	}
	s, err := Open(context.Background(), Options{Open: fails, Away: func(error) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
