package relay

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/warledger/warledger/service/fault"
)

// relayed runs a relay of that many messages and returns the outcome.
func relayed(
	n int, patience time.Duration, send func(int) error,
) (ended <-chan struct{}, cause func() error, wait func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		Messages(ctx, cancel, patience, func(offer func(int)) {
			defer close(done)
			for i := range n {
				offer(i)
			}
		}, send)
	}()
	return done, func() error { return context.Cause(ctx) }, func() { <-over }
}

// TestRelayDoesNotWaitForWhoDoesNotRead: the work ends, and with it the place that it holds is free, while the caller
// still has not read a thing.
func TestRelayDoesNotWaitForWhoDoesNotRead(t *testing.T) {
	t.Parallel()
	reads := make(chan struct{})
	ended, cause, wait := relayed(2*relayRoom, time.Millisecond, func(int) error { <-reads; return nil })
	<-ended
	var known *fault.Error
	if err := cause(); !errors.As(err, &known) || known.Reason != fault.DeadlinePassed {
		t.Errorf("the caller is told %v", err)
	}
	close(reads)
	wait()
}

// TestRelayPassesAllOn, in order, to whoever reads; an error of the stream ends the work, and a
// panic ends the call alone.
func TestRelayPassesAllOn(t *testing.T) {
	t.Parallel()
	var got []int
	_, cause, wait := relayed(3*relayRoom, time.Minute, func(i int) error { got = append(got, i); return nil })
	wait()
	if len(got) != 3*relayRoom || got[0] != 0 || got[len(got)-1] != 3*relayRoom-1 || cause() != nil {
		t.Errorf("%d messages, %v", len(got), cause())
	}
	gone := errors.New("gone")
	_, cause, wait = relayed(3*relayRoom, time.Minute, func(int) error { return gone })
	wait()
	if !errors.Is(cause(), gone) {
		t.Errorf("the work is told %v", cause())
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	Messages(ctx, cancel, time.Minute, func(func(int)) { panic("a position") }, func(int) error { return nil })
	var known *fault.Error
	if err := context.Cause(ctx); !errors.As(err, &known) || known.Reason != fault.Internal {
		t.Errorf("a panic is told as %v", err)
	}
}
