package service

import (
	"context"
	"errors"
	"testing"
)

// TestLongPagesWaitTheirTurn: while as many long pages are made as may be, another waits as long as its caller does. A
// short page does not wait.
func TestLongPagesWaitTheirTurn(t *testing.T) {
	t.Parallel()
	s := &Service{lists: make(chan struct{}, 1)}
	first, err := s.listing(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.listing(ctx, shortPage+1); !errors.Is(err, context.Canceled) {
		t.Errorf("a long page: %v", err)
	}
	if done, err := s.listing(ctx, shortPage); err != nil {
		t.Errorf("a short page: %v", err)
	} else {
		done()
	}
	first()
	if _, err := s.listing(t.Context(), 1000); err != nil || len(s.lists) != 1 {
		t.Errorf("at its turn: %v, %d places taken", err, len(s.lists))
	}
}
