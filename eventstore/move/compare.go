package move

import (
	"bytes"
	"context"
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// heads goes through the heads of a store.
type heads struct {
	of   eventstore.Store
	page []eventstore.StreamInfo
	last string
}

// next returns the next head; one without a name at the end.
func (h *heads) next(ctx context.Context) (head eventstore.StreamInfo, err error) {
	if len(h.page) == 0 {
		if h.page, err = h.of.List(ctx, "", h.last, 0); err != nil || len(h.page) == 0 {
			return head, err
		}
	}
	head, h.page = h.page[0], h.page[1:]
	h.last = head.Name
	return head, nil
}

// compare holds the heads of two stores against each other, one by one. Their metadata versions may differ.
func compare(ctx context.Context, from, to eventstore.Store) error {
	a, b := heads{of: from}, heads{of: to}
	for {
		want, err := a.next(ctx)
		if err != nil {
			return err
		}
		got, err := b.next(ctx)
		if err != nil {
			return err
		}
		switch {
		case want.Name != got.Name:
			return fmt.Errorf("%w: stream %q in the place of %q", ErrDifferent, got.Name, want.Name)
		case want.Version != got.Version || want.Hash != got.Hash || !bytes.Equal(want.Meta, got.Meta):
			return fmt.Errorf("%w: stream %q has another head", ErrDifferent, want.Name)
		case want.Name == "":
			return nil
		}
	}
}
