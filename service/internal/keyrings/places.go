package keyrings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// places bound how many keyrings hold something. A store never deletes a stream, but says how many there are. So those
// that hold nothing are counted, and their places go to others. All servers of a store count in one record, the book,
// and replace only the version that they have read. What is not known counts as held, so the bound holds. A server that
// ends in the middle keeps a place until the next sweep.
type places struct {
	Host
	// turn has one caller of this server at a time change the book.
	turn chan struct{}
}

// newPlaces counts in the book of a store.
func newPlaces(h Host) places { return places{h, make(chan struct{}, 1)} }

// longestStoring is how long a keyring counts as being stored. No call lasts so long.
const longestStoring = 10 * time.Minute

// longestWrite is how long one change of the store may take, whatever has become of the caller.
const longestWrite = 30 * time.Second

// outlasting is a context that does not end with the caller's but after longestWrite. Otherwise nobody would know what
// was stored for a caller who gave up, nor give the place back.
func outlasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), longestWrite)
}

// book reads the book, which is empty at first.
func (p *places) book(ctx context.Context) (*logv1.KeyringPlaces, eventstore.Mark, error) {
	book := new(logv1.KeyringPlaces)
	info, err := p.Store.Head(ctx, streams.KeyringPlaces)
	if errors.Is(err, eventstore.ErrNotFound) {
		return book, eventstore.Mark{}, nil
	}
	if err != nil {
		return nil, eventstore.Mark{}, fault.FromStore(err)
	}
	if err := proto.Unmarshal(info.Meta, book); err != nil {
		return nil, eventstore.Mark{}, fmt.Errorf("decode the places of keyrings: %w", err)
	}
	return book, info.Mark(), nil
}

// change lets f change the book, and stores it. If another server was quicker, it calls f again with the new book.
func (p *places) change(ctx context.Context, f func(*logv1.KeyringPlaces) error) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.turn }()
	for {
		book, mark, err := p.book(ctx)
		if err != nil {
			return err
		}
		book.Making, book.Filling = p.pending(book.Making), p.pending(book.Filling)
		if err := f(book); err != nil {
			return err
		}
		data, err := proto.Marshal(book)
		if err != nil {
			return err
		}
		if changed, err := p.replace(ctx, streams.KeyringPlaces, mark, data); err != nil || !changed {
			return err
		}
	}
}

// pending are the times of those that may still be stored.
func (p *places) pending(all []*timestamppb.Timestamp) []*timestamppb.Timestamp {
	return slices.DeleteFunc(all, func(begun *timestamppb.Timestamp) bool {
		return p.Clock().Sub(begun.AsTime()) >= longestStoring
	})
}

// ended leaves one out of those that were begun at a time.
func ended(all []*timestamppb.Timestamp, begun *timestamppb.Timestamp) []*timestamppb.Timestamp {
	i := slices.IndexFunc(all, func(t *timestamppb.Timestamp) bool { return t.AsTime().Equal(begun.AsTime()) })
	if i < 0 {
		return all
	}
	return slices.Delete(all, i, i+1)
}

// emptying begins to empty a keyring. The caller calls count after the keyring was emptied. If a sweep has ended
// meanwhile, count does nothing, since the sweep may have seen the keyring empty. What is not counted stands as held
// until the next sweep.
func (p *places) emptying(ctx context.Context) (count func(), err error) {
	book, _, err := p.book(ctx)
	if err != nil {
		return nil, err
	}
	before := book.Counts
	return func() {
		ctx, cancel := outlasting(ctx)
		defer cancel()
		_ = p.change(ctx, func(book *logv1.KeyringPlaces) error {
			if book.Counts == before {
				book.Emptied++
			}
			return nil
		})
	}, nil
}

// counting begins to count those that hold nothing. Call the function that it returns with the number found. Those that
// were filled meanwhile may be among them, and are subtracted.
func (p *places) counting(ctx context.Context) (func(found int) error, error) {
	book, _, err := p.book(ctx)
	if err != nil {
		return nil, err
	}
	before := book.Filled - int64(len(book.Filling))
	return func(found int) error {
		return p.change(ctx, func(book *logv1.KeyringPlaces) error {
			// Less than none: several fill one that is empty, and those that store nothing are counted back.
			book.Emptied = int64(found) - (book.Filled - before)
			book.Counts++
			return nil
		})
	}, nil
}

// outcome is what has become of a keyring that was to be stored.
type outcome int

const (
	notKnown outcome = iota // it may be stored even now: its place stays taken for a while
	notStored
	stored
)

// room refuses one keyring more than most; 0 is no bound. The store is counted after the book was read, so a new
// keyring is in at least one of the two.
func (p *places) room(ctx context.Context, book *logv1.KeyringPlaces, most int) error {
	if most <= 0 {
		return nil
	}
	all, err := p.Store.Count(ctx, streams.Keyrings)
	if err != nil {
		return fault.FromStore(err)
	}
	if held := int(all) + len(book.Making) - int(max(0, book.Emptied)); held >= most {
		return fault.New(fault.TooManyKeyrings, "the server keeps %d keyrings already", held).
			With("limit", most).Quota("keyrings")
	}
	return nil
}

// take takes a place for a keyring that is to hold something, if fewer than most do; 0 is no bound. fresh is true for
// one that the store does not have yet. If there is a place, it first calls admit, once. So nothing is written without
// a charge, and a full server charges nobody. Call done with the outcome.
func (p *places) take(ctx context.Context, most int, fresh bool, admit func() error) (done func(outcome), err error) {
	begun, admitted := timestamppb.New(p.Clock()), false
	err = p.change(ctx, func(book *logv1.KeyringPlaces) error {
		if err := p.room(ctx, book, most); err != nil {
			return err
		}
		if !admitted {
			if err := admit(); err != nil {
				return err
			}
			admitted = true
		}
		if fresh {
			book.Making = append(book.Making, begun)
			return nil
		}
		book.Emptied--
		book.Filled++
		book.Filling = append(book.Filling, begun)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(o outcome) {
		if o == notKnown {
			return
		}
		// Also for a caller who has gone. What cannot be written counts as held until the next sweep.
		ctx, cancel := outlasting(ctx)
		defer cancel()
		_ = p.change(ctx, func(book *logv1.KeyringPlaces) error {
			if fresh {
				book.Making = ended(book.Making, begun)
				return nil
			}
			book.Filling = ended(book.Filling, begun)
			if o == notStored {
				book.Emptied++
			}
			return nil
		})
	}, nil
}
