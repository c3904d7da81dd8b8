// Package relay passes on what work sends to a caller who may read slowly.
package relay

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/warledger/warledger/service/fault"
)

const (
	// Patience is how long work that holds a place waits for a caller who does not read.
	Patience = 10 * time.Second
	// relayRoom is how many messages wait for a caller meanwhile.
	relayRoom = 256
)

// Messages passes on what work sends, and lets it go on while the caller is slow to read. Work that holds one of few
// places must not wait for a caller who does not read at all: after the patience it is told by its context to end,
// whatever becomes of the caller.
func Messages[M any](
	ctx context.Context, cancel context.CancelCauseFunc, patience time.Duration, work func(send func(M)),
	send func(M) error,
) {
	messages := make(chan M, relayRoom)
	go func() {
		defer close(messages)
		defer func() {
			if recover() != nil { // as in guard: the value may quote a position
				cancel(fault.New(fault.Internal, "internal error").Because(fault.Panicked(debug.Stack())))
			}
		}()
		work(func(m M) { offer(ctx, cancel, patience, messages, m) })
	}()
	for m := range messages {
		if ctx.Err() != nil {
			continue
		}
		if err := send(m); err != nil {
			cancel(err)
		}
	}
}

func offer[M any](ctx context.Context, cancel context.CancelCauseFunc, patience time.Duration, messages chan<- M, m M) {
	select {
	case messages <- m:
		return
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case messages <- m:
	case <-ctx.Done():
	case <-timer.C:
		cancel(fault.New(fault.DeadlinePassed, "the caller has not read for %s", patience))
	}
}
