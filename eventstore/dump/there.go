package dump

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// there goes through what a store held before a restore, beside the streams of the dump.
type there struct {
	store eventstore.Store
	page  []eventstore.StreamInfo
	last  string // name that was listed or restored last
	ended bool
}

// find returns what the store held of a stream; zero for nothing. It is called with the names of the dump, in their
// order, and with "" after the last. A stream that lies between two of them is one that the dump does not have.
func (t *there) find(ctx context.Context, name string) (info eventstore.StreamInfo, err error) {
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

// cutter cuts values off the beginning of bytes. After an error it returns only zero values.
type cutter struct {
	rest []byte
	err  error
}

func (c *cutter) number() uint64 {
	n, size := binary.Uvarint(c.rest)
	if size <= 0 {
		c.rest, c.err = nil, errShort
		return 0
	}
	c.rest = c.rest[size:]
	return n
}

func (c *cutter) take(n uint64) []byte {
	if n > uint64(len(c.rest)) {
		c.rest, c.err = nil, errShort
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cutter) bytes() []byte { return c.take(c.number()) }

func (c *cutter) hash() (h eventstore.Hash) {
	copy(h[:], c.take(uint64(len(h))))
	return h
}
