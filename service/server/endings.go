package server

import (
	"context"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/tap"
)

// endings ends the context of each call by gRPC that is refused before it begins. gRPC drops such a call without
// cancelling its context. The timer of the call's time limit, which the caller chooses, would hold it until then.
type endings struct{}

// tap makes refuse, which may refuse a call, end the call's context if it does.
func (endings) tap(refuse tap.ServerInHandle) tap.ServerInHandle {
	return func(ctx context.Context, info *tap.Info) (context.Context, error) {
		out, err := refuse(ctx, info)
		if err != nil {
			if c, ok := ctx.Value(callsKey{}).(*callsContext); ok {
				c.endNewest()
			}
		}
		return out, err
	}
}

// TagConn makes a connection's context the parent of its calls' contexts.
func (endings) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return &callsContext{Context: ctx}
}

// TagRPC changes nothing.
func (endings) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleConn wants nothing.
func (endings) HandleConn(context.Context, stats.ConnStats) {}

// HandleRPC wants nothing.
func (endings) HandleRPC(context.Context, stats.RPCStats) {}

type callsKey struct{}

// callsContext is the parent of the contexts of one connection's calls. gRPC makes them one after another, each before
// it asks the tap, so that the newest is the one that the tap refuses. The parent never ends: gRPC itself ends the
// calls that have begun.
type callsContext struct {
	context.Context
	refusing atomic.Bool

	mu     sync.Mutex
	made   int
	newest func() // nil once it has ended
}

// never is not nil, so that each child tells its parent of itself.
var never = make(chan struct{})

// Done returns a channel that is never closed.
func (c *callsContext) Done() <-chan struct{} { return never }

// Err returns what a call that is refused ends with.
func (c *callsContext) Err() error {
	if c.refusing.Load() {
		return context.Canceled
	}
	return nil
}

// Value finds this context again.
func (c *callsContext) Value(key any) any {
	if key == (callsKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// AfterFunc notes how to end a new child. The package context calls this method of a parent for each child.
func (c *callsContext) AfterFunc(end func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	n := c.made
	c.newest = end
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.made != n || c.newest == nil {
			return false
		}
		c.newest = nil // a connection that waits must not hold its last call
		return true
	}
}

// endNewest ends the newest child.
func (c *callsContext) endNewest() {
	c.mu.Lock()
	end := c.newest
	c.newest = nil
	c.mu.Unlock()
	if end != nil {
		c.refusing.Store(true)
		end()
		c.refusing.Store(false)
	}
}
