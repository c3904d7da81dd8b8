package keyrings

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// onMemory counts places in a store with some keyrings.
func onMemory(t *testing.T, keyrings int) (p *places, now *time.Time) {
	t.Helper()
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	for i := range keyrings {
		err := store.Append(context.Background(), eventstore.Append{
			Stream: streams.Keyring(string(rune('a' + i))), Entries: []eventstore.Entry{{}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	now = new(time.Time)
	*now = time.Unix(1e9, 0)
	all := newPlaces(Host{Store: store, Clock: func() time.Time { return *now }})
	return &all, now
}

// free charges nothing.
func free() error { return nil }

func isFull(err error) bool {
	var known *fault.Error
	return errors.As(err, &known) && known.Reason == fault.TooManyKeyrings
}

// emptyOne counts a keyring as emptied.
func emptyOne(t *testing.T, p *places) {
	t.Helper()
	count, err := p.emptying(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	count()
}

// TestPlaceOfOneEmptiedDuringASweep: a keyring that is emptied while a sweep counts never gives its place back twice.
// If the sweep did not see it empty, the place stays taken until the next sweep.
func TestPlaceOfOneEmptiedDuringASweep(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for seen, room := range map[int]bool{0: false, 1: true} {
		p, _ := onMemory(t, 10)
		count, err := p.emptying(ctx)
		if err != nil {
			t.Fatal(err)
		}
		counted, err := p.counting(ctx)
		if err == nil {
			err = counted(seen)
		}
		if err != nil {
			t.Fatal(err)
		}
		count()
		if _, err := p.take(ctx, 10, true, free); isFull(err) == room {
			t.Errorf("seen %d times: take answers %v, and there should be room: %t", seen, err, room)
		}
		if _, err := p.take(ctx, 10, true, free); !isFull(err) {
			t.Errorf("seen %d times: one too many is let in: %v", seen, err)
		}
	}
}

// TestPlacesOfOneFilledByMany: of many who fill one emptied keyring at once one has its place, and the others give back
// no more than they took.
func TestPlacesOfOneFilledByMany(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for winner := range 3 {
		p, _ := onMemory(t, 10)
		emptyOne(t, p)
		var done []func(outcome)
		for range 50 {
			one, err := p.take(ctx, 20, false, free)
			if err != nil {
				t.Fatal(err)
			}
			done = append(done, one)
		}
		for i, one := range done {
			if i == winner {
				one(stored)
			} else {
				one(notStored)
			}
		}
		if _, err := p.take(ctx, 10, true, free); !isFull(err) {
			t.Errorf("won by %d: another is let in, %v", winner, err)
		}
	}
}

// TestPlacesOfTheLost: whoever never says what has become of a keyring, such as a server that ended, keeps its place
// for a while and not for ever.
func TestPlacesOfTheLost(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p, now := onMemory(t, 10)
	lost, err := p.take(ctx, 11, true, free)
	if err != nil {
		t.Fatal(err)
	}
	lost(notKnown)
	*now = now.Add(longestStoring - 1)
	if _, err := p.take(ctx, 11, true, free); !isFull(err) {
		t.Errorf("its place is given away at once: %v", err)
	}
	*now = now.Add(1)
	if _, err := p.take(ctx, 11, true, free); err != nil {
		t.Errorf("its place is lost: %v", err)
	}
	// One that is being filled counts as held, also for a count that began before.
	p, now = onMemory(t, 10)
	emptyOne(t, p)
	if _, err := p.take(ctx, 10, false, free); err != nil {
		t.Fatal(err)
	}
	count := func(found int) {
		t.Helper()
		counted, err := p.counting(ctx)
		if err == nil {
			err = counted(found)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	count(1)
	if _, err := p.take(ctx, 10, true, free); !isFull(err) {
		t.Errorf("a keyring that is being filled has no place: %v", err)
	}
	*now = now.Add(longestStoring)
	emptyOne(t, p) // whoever writes next leaves out what is over
	count(1)
	if _, err := p.take(ctx, 10, true, free); err != nil {
		t.Errorf("a keyring that was never filled keeps its place: %v", err)
	}
}

// TestManyFillOneThatIsEmpty: the bound holds if a sweep counts while many fill one empty keyring, of whom one does.
func TestManyFillOneThatIsEmpty(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p, _ := onMemory(t, 10)
	emptyOne(t, p)
	var done []func(outcome)
	for range 50 {
		one, err := p.take(ctx, 20, false, free)
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, one)
	}
	counted, err := p.counting(ctx)
	if err == nil {
		err = counted(1)
	}
	if err != nil {
		t.Fatal(err)
	}
	done[0](stored)
	for _, one := range done[1:] {
		one(notStored)
	}
	if _, err := p.take(ctx, 10, true, free); !isFull(err) {
		t.Errorf("ten are held of ten at most, and another is let in: %v", err)
	}
}
