package notice

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// KeepBook makes sure that a game is among those that are asked when the service begins.
func (n *Notices) KeepBook(ctx context.Context, id string) error {
	err := n.host.Store.Append(ctx,
		eventstore.Append{Stream: streams.Book(id), Entries: []eventstore.Entry{{Data: []byte("notices")}}})
	var conflict *eventstore.ConflictError
	if err == nil || errors.As(err, &conflict) {
		return nil
	}
	return fault.FromStore(err)
}

func decodeBook(data []byte) (*logv1.NoticeBook, error) {
	book := new(logv1.NoticeBook)
	if err := proto.Unmarshal(data, book); err != nil {
		return new(logv1.NoticeBook), fmt.Errorf("decode the book of notices: %w", err)
	}
	return book, nil
}

func stateOf(book *logv1.NoticeBook, id string) *logv1.NoticeState {
	for _, s := range book.GetStates() {
		if s.Id == id {
			return s
		}
	}
	return nil
}

// book reads the book of a game, and the version of it that a change must name.
func (n *Notices) book(ctx context.Context, game string) (*logv1.NoticeBook, uint64, error) {
	info, err := n.host.Store.Head(ctx, streams.Book(game))
	if errors.Is(err, eventstore.ErrNotFound) {
		err = n.KeepBook(ctx, game)
	}
	if err != nil {
		return nil, 0, fault.FromStore(err)
	}
	book, _ := decodeBook(info.Meta) // a damaged one begins anew
	return book, info.MetaVersion, nil
}

// State reads how far a webhook or mailbox is; nil if it has not begun.
func (n *Notices) State(ctx context.Context, game, id string) (*logv1.NoticeState, error) {
	info, err := n.host.Store.Head(ctx, streams.Book(game))
	if errors.Is(err, eventstore.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.FromStore(err)
	}
	book, _ := decodeBook(info.Meta) // a damaged one begins anew
	return stateOf(book, id), nil
}

// errMoved says that somebody else has stored how far a webhook or mailbox is.
var errMoved = errors.New("another server has gone on")

// keep stores how far a webhook or mailbox is, in place of what was known of it; errMoved if that is not what is stored
// any more. States of others that the game no longer has are forgotten with it.
func (n *Notices) keep(
	ctx context.Context, game string, was, state *logv1.NoticeState, has func(id string) bool,
) error {
	lock := &n.books[maphash.String(n.seed, game)%uint64(len(n.books))]
	lock.Lock()
	defer lock.Unlock()
	ctx = context.WithoutCancel(ctx) // what has been delivered should be known to be
	for {
		err := n.keepOnce(ctx, game, was, state, has)
		var behind *eventstore.MetaConflictError
		if !errors.As(err, &behind) { // or somebody else was quicker, and this is kept beside what they kept
			return err
		}
	}
}

func (n *Notices) keepOnce(
	ctx context.Context, game string, was, state *logv1.NoticeState, has func(id string) bool,
) error {
	book, version, err := n.book(ctx, game)
	if err != nil {
		return err
	}
	if !proto.Equal(stateOf(book, state.Id), was) {
		return errMoved
	}
	if has, err = n.stillHas(ctx, game, book, has); err != nil {
		return err
	}
	book.States = slices.DeleteFunc(book.States,
		func(s *logv1.NoticeState) bool { return s.Id == state.Id || !has(s.Id) })
	book.States = append(book.States, state)
	data, err := proto.Marshal(book)
	if err != nil {
		return err
	}
	err = n.host.Store.SetMeta(ctx, streams.Book(game), data, version)
	var behind *eventstore.MetaConflictError
	if err == nil || errors.As(err, &behind) {
		return err
	}
	return fault.FromStore(err)
}

// stillHas says which webhooks and mailboxes a game has. A server that shares the store may not know the newest. If
// the game is read after the book, it has all that are in the book and were not deleted.
func (n *Notices) stillHas(
	ctx context.Context, game string, book *logv1.NoticeBook, known func(id string) bool,
) (func(id string) bool, error) {
	if !n.host.Store.Shared() ||
		!slices.ContainsFunc(book.States, func(s *logv1.NoticeState) bool { return !known(s.Id) }) {
		return known, nil
	}
	info, err := n.host.Store.Head(ctx, streams.Game(game))
	if err != nil {
		return nil, fault.FromStore(err)
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil {
		return nil, err
	}
	return subscribed(meta), nil
}

// subscribed reports whether a game has a webhook or mailbox of an id.
func subscribed(meta *logv1.GameMeta) func(id string) bool {
	return func(id string) bool {
		return slices.ContainsFunc(meta.Webhooks, func(w *logv1.Webhook) bool { return w.Id == id }) ||
			slices.ContainsFunc(meta.Mailboxes, func(b *logv1.Mailbox) bool { return b.Id == id })
	}
}
