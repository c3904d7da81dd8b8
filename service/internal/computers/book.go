package computers

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

// mostAccounts is how many accounts the book keeps. Beyond it some without a seat are forgotten: first those that never
// had one, and of these the one that was on offer longest ago.
const mostAccounts = 512

// read returns the book and how far its stream has come. A damaged book is an error: nothing replaces it unread.
func (d *Desk) read(ctx context.Context) (*logv1.ComputerBook, eventstore.Mark, error) {
	book := new(logv1.ComputerBook)
	info, err := d.Store.Head(ctx, streams.Computing)
	if errors.Is(err, eventstore.ErrNotFound) {
		return book, eventstore.Mark{}, nil
	}
	if err != nil {
		return nil, eventstore.Mark{}, fault.FromStore(err)
	}
	if err := proto.Unmarshal(info.Meta, book); err != nil {
		return nil, eventstore.Mark{}, fmt.Errorf("decode the book of computers: %w", err)
	}
	return book, info.Mark(), nil
}

// change replaces the book by what f makes of it. f is called again when somebody else was quicker; it returns false if
// there is nothing to change.
func (d *Desk) change(ctx context.Context, f func(*logv1.ComputerBook) (bool, error)) error {
	d.writing.Lock()
	defer d.writing.Unlock()
	for {
		book, mark, err := d.read(ctx)
		if err != nil {
			return err
		}
		if changed, err := f(book); err != nil || !changed {
			return err
		}
		shrink(book)
		data, err := proto.Marshal(book)
		if err != nil {
			return err
		}
		if mark.Version == 0 {
			err = d.Store.Append(ctx, eventstore.Append{
				Stream: streams.Computing, Entries: []eventstore.Entry{{Data: []byte("computers")}}, Meta: data,
			})
		} else {
			err = d.Store.SetMeta(ctx, streams.Computing, data, mark.Meta)
		}
		var made *eventstore.ConflictError
		var set *eventstore.MetaConflictError
		if errors.As(err, &made) || errors.As(err, &set) {
			continue
		}
		if err != nil {
			return fault.FromStore(err)
		}
		return nil
	}
}

// shrink forgets accounts without a seat once there are too many.
func shrink(book *logv1.ComputerBook) {
	for len(book.Accounts) > mostAccounts {
		first := -1
		for i, a := range book.Accounts {
			if len(a.Posts) == 0 && (first < 0 || before(a, book.Accounts[first])) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		book.Accounts = slices.Delete(book.Accounts, first, first+1)
	}
}

// before reports whether one account is forgotten before another.
func before(a, b *logv1.ComputerAccount) bool {
	if a.Played != b.Played {
		return !a.Played
	}
	return a.OfferTime.AsTime().Before(b.OfferTime.AsTime())
}

// stale reports whether it is to be written down anew that an account is on offer.
func stale(a *logv1.ComputerAccount, now time.Time) bool {
	return now.Sub(a.OfferTime.AsTime()) >= time.Hour
}

// write writes down that an account is on offer.
func write(book *logv1.ComputerBook, o *Offer, now time.Time) *logv1.ComputerAccount {
	a := account(book, o.ID)
	if a == nil {
		a = &logv1.ComputerAccount{Id: o.ID}
		book.Accounts = append(book.Accounts, a)
	}
	a.Title, a.OfferTime = o.Shown.Title, timestamppb.New(now)
	return a
}

// account finds an account; nil if the book does not have it.
func account(book *logv1.ComputerBook, id string) *logv1.ComputerAccount {
	for _, a := range book.GetAccounts() {
		if a.Id == id {
			return a
		}
	}
	return nil
}

// forget takes posts off the book, and reports whether any was there.
func forget(book *logv1.ComputerBook, which func(account string, p *logv1.ComputerPost) bool) (changed bool) {
	for _, a := range book.Accounts {
		n := len(a.Posts)
		a.Posts = slices.DeleteFunc(a.Posts, func(p *logv1.ComputerPost) bool { return which(a.Id, p) })
		changed = changed || len(a.Posts) < n
	}
	return changed
}

// same reports whether two posts are one.
func same(a, b *logv1.ComputerPost) bool {
	return a.Game == b.Game && a.Seat == b.Seat && a.RequestId == b.RequestId
}

// Claims of streams, where several servers share a store.
const (
	// leaseTime is for how long a stream has a post without renewing it, and renewFrom is when it renews.
	leaseTime = time.Minute
	renewFrom = 30 * time.Second
)
