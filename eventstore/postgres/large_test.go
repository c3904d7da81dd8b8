package postgres

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// TestLargest stores the largest appends and metadata that the contract allows, and reads them back.
func TestLargest(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	wide := &storetest.Chain{Stream: strings.Repeat("n", eventstore.MaxName)}
	data := strings.Repeat("x", eventstore.MaxData)
	a := wide.Next(strings.Repeat("k", eventstore.MaxKey), data, data, data, data)
	a.Meta = make([]byte, eventstore.MaxMeta)
	mustAppend(t, s, a)
	long := &storetest.Chain{Stream: "long"}
	mustAppend(t, s, long.Next("", make([]string, eventstore.MaxEntries)...))
	for _, c := range []*storetest.Chain{wide, long} {
		page, err := s.ReadAt(ctx, c.Stream, c.Version, 0, 0)
		if err != nil || len(page.Entries) != 1 || page.Entries[0].Hash != c.Hash || page.Head.Version != c.Version {
			t.Errorf("the end of a stream of %d entries: %d entries, %v", c.Version, len(page.Entries), err)
		}
	}
	if head, err := s.Head(ctx, wide.Stream); len(head.Meta) != eventstore.MaxMeta || err != nil {
		t.Errorf("%d bytes of metadata, %v", len(head.Meta), err)
	}
	storetest.MustBeSound(t, s)
}
