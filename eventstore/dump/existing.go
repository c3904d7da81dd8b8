package dump

import (
	"context"
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/cutter"
)

// existing goes through what a store held before a restore, beside the streams of the dump.
type existing struct {
	store eventstore.Store
	page  []eventstore.StreamInfo
	last  string // name that was listed or restored last
	ended bool
}

// find returns what the store held of a stream; zero for nothing. It is called with the names of the dump, in their
// order, and with "" after the last. A stream that lies between two of them is one that the dump does not have.
func (t *existing) find(ctx context.Context, name string) (info eventstore.StreamInfo, err error) {
	if len(t.page) == 0 && !t.ended {
		if t.page, err = t.store.List(ctx, "", t.last, streamPage); err != nil {
			return info, err
		}
		t.ended = len(t.page) == 0
	}
	if len(t.page) > 0 {
		next := t.page[0]
		switch {
		case name == "" || next.Name < name:
			return info, fmt.Errorf("%w: stream %q", ErrOther, next.Name)
		case next.Name == name:
			t.page, info = t.page[1:], next
		}
	}
	t.last = max(t.last, name)
	return info, nil
}

var errShort = errors.New("it is too short")

// cutHash cuts off a hash.
func cutHash(c *cutter.Reader) (h eventstore.Hash) {
	copy(h[:], c.Take(uint64(len(h))))
	return h
}
