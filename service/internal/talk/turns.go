package talk

import (
	"context"
	"sync"
)

// turns allows one change of a stream at a time.
type turns struct {
	mu   sync.Mutex
	open map[string]*turn
}

// turn is a stream with changes under way.
type turn struct {
	// held is full while one change is made.
	held chan struct{}
	// wanted is the number of changes that are made or wait.
	wanted int
}

// take waits for the turn to change a stream. Call done after the change.
func (t *turns) take(ctx context.Context, stream string) (done func(), err error) {
	t.mu.Lock()
	if t.open == nil {
		t.open = map[string]*turn{}
	}
	one := t.open[stream]
	if one == nil {
		one = &turn{held: make(chan struct{}, 1)}
		t.open[stream] = one
	}
	one.wanted++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.wanted--; one.wanted == 0 {
			delete(t.open, stream)
		}
	}
	select {
	case one.held <- struct{}{}:
		return func() { <-one.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
