package move

import (
	"context"
	"slices"

	"github.com/warledger/warledger/eventstore"
)

// hidden is a store without its state: a copy of it has none, and a copy into it brings none.
type hidden struct{ eventstore.Store }

// Append drops what is for the state.
func (h hidden) Append(ctx context.Context, a eventstore.Append) error {
	if a.Stream == stream {
		return nil
	}
	return h.Store.Append(ctx, a)
}

// SetMeta drops what is for the state.
func (h hidden) SetMeta(ctx context.Context, name string, meta []byte, expected uint64) error {
	if name == stream {
		return nil
	}
	return h.Store.SetMeta(ctx, name, meta, expected)
}

// List leaves the state out.
func (h hidden) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	return without(ctx, h.Store, prefix, after, limit)
}

// Snapshot leaves the state out.
func (h hidden) Snapshot(ctx context.Context) (eventstore.Snapshot, error) {
	s, err := h.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return hiddenSnapshot{s}, nil
}

type hiddenSnapshot struct{ eventstore.Snapshot }

// List leaves the state out.
func (h hiddenSnapshot) List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	return without(ctx, h.Snapshot, prefix, after, limit)
}

// lister is a store or a snapshot.
type lister interface {
	List(ctx context.Context, prefix, after string, limit int) ([]eventstore.StreamInfo, error)
}

// without lists a page that lacks the state. A page of nothing else is not the end.
func without(ctx context.Context, l lister, prefix, after string, limit int) ([]eventstore.StreamInfo, error) {
	page, err := l.List(ctx, prefix, after, limit)
	if len(page) == 1 && page[0].Name == stream {
		page, err = l.List(ctx, prefix, stream, limit)
	}
	return slices.DeleteFunc(page, func(i eventstore.StreamInfo) bool { return i.Name == stream }), err
}
