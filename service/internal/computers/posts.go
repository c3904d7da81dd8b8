package computers

import (
	"context"
	"errors"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
)

// How long a post counts that its game does not know. It is written before the game's record; where several servers
// share a store, this one may also have the game in memory as it was before. So two posts may be of one seat: the log
// of the game says which of them has it, and the other goes later.
const (
	young       = time.Minute
	youngShared = time.Hour
)

// recording is how long after a post the record of its game is still expected at any moment.
const recording = 10 * time.Second

// Give writes down that a computer plays a seat from now on. from is who gave it; empty for one who is not bounded. It
// says why not if there is no room. A post that is there already is no error.
func (d *Desk) Give(ctx context.Context, o *Offer, p *logv1.ComputerPost, from string) error {
	err := d.give(ctx, o, p, from)
	var full *fault.Error
	if errors.As(err, &full) && (full.Reason == fault.ComputerBusy || full.Reason == fault.TooManyComputers) &&
		d.sweep(ctx) {
		err = d.give(ctx, o, p, from)
	}
	if err == nil {
		d.mu.Lock()
		d.given[[2]string{p.Game, p.Seat}] = from
		d.mu.Unlock()
	}
	return err
}

func (d *Desk) give(ctx context.Context, o *Offer, p *logv1.ComputerPost, from string) error {
	return d.change(ctx, func(book *logv1.ComputerBook) (bool, error) {
		now := d.Clock()
		a := account(book, o.ID)
		if a == nil {
			a = write(book, o, now)
		}
		for _, old := range a.Posts {
			if same(old, p) {
				return false, nil
			}
		}
		if err := d.room(book, a, o, from); err != nil {
			return false, err
		}
		p.GiveTime = timestamppb.New(now)
		a.Posts, a.Played = append(a.Posts, p), true
		return true, nil
	})
}

// room says why a computer has no room for one more seat.
func (d *Desk) room(book *logv1.ComputerBook, a *logv1.ComputerAccount, o *Offer, from string) error {
	if limit := int(o.Shown.MaxSeats); len(a.Posts) >= limit {
		return fault.New(fault.ComputerBusy, "%s plays %d seats already", o.Shown.Title, len(a.Posts)).
			With("limit", limit).Quota("seats of one computer")
	}
	all, mine := 0, 0
	d.mu.Lock()
	defer d.mu.Unlock()
	known := make(map[[2]string]string)
	for _, each := range book.Accounts {
		for _, p := range each.Posts {
			all++
			key := [2]string{p.Game, p.Seat}
			if by, ok := d.given[key]; ok {
				known[key] = by
				if from != "" && by == from {
					mine++
				}
			}
		}
	}
	d.given = known
	switch {
	case all >= d.MaxSeats:
		return fault.New(fault.TooManyComputers, "computers play %d seats already", all).
			With("limit", d.MaxSeats).Quota("seats of computers")
	case mine >= d.CallerSeats:
		return fault.New(fault.TooManyComputers, "%d seats that were given from this address are played by computers",
			mine).With("limit", d.CallerSeats).Quota("seats given by one caller")
	}
	return nil
}

// sweep takes posts off the book whose game is over or whose seat the computer has lost, and reports whether there were
// any. It looks at games, so it does that at most once a minute.
func (d *Desk) sweep(ctx context.Context) bool {
	d.mu.Lock()
	now := d.Clock()
	if now.Sub(d.swept) < time.Minute && !d.swept.IsZero() {
		d.mu.Unlock()
		return false
	}
	d.swept = now
	d.mu.Unlock()
	book, _, err := d.read(ctx)
	if err != nil {
		return false
	}
	var gone []*logv1.ComputerPost
	for _, a := range book.Accounts {
		for _, p := range a.Posts {
			if d.stateOf(ctx, a.Id, p) == Gone {
				gone = append(gone, p)
			}
		}
	}
	if len(gone) == 0 {
		return false
	}
	err = d.change(ctx, func(book *logv1.ComputerBook) (bool, error) {
		return forget(book, func(_ string, p *logv1.ComputerPost) bool { return among(gone, p) }), nil
	})
	return err == nil
}

// among reports whether a post is one of a list.
func among(list []*logv1.ComputerPost, p *logv1.ComputerPost) bool {
	return slices.ContainsFunc(list, func(one *logv1.ComputerPost) bool { return same(one, p) })
}

// stateOf is what has become of a post; one whose record may still come is not gone.
func (d *Desk) stateOf(ctx context.Context, id string, p *logv1.ComputerPost) State {
	state, unknown := d.State(ctx, id, p), young
	if d.Store.Shared() {
		unknown = youngShared
	}
	switch {
	case state != Lost:
		return state
	case d.Clock().Sub(p.GiveTime.AsTime()) < unknown:
		return Unknown
	}
	return Gone
}

// Drop removes from the book the posts of a seat for which over returns true. The others stay: one may be of a computer
// that is being given the seat meanwhile.
func (d *Desk) Drop(ctx context.Context, game, seat string, over func(p *logv1.ComputerPost) bool) error {
	return d.change(ctx, func(book *logv1.ComputerBook) (bool, error) {
		return forget(book, func(_ string, p *logv1.ComputerPost) bool {
			return p.Game == game && p.Seat == seat && over(p)
		}), nil
	})
}

// Posts returns the posts that a stream plays now. It takes those off the book that are over, claims those that nobody
// has, and says how far the book was. unsettled is true if a game is about to record that a seat was given.
func (d *Desk) Posts(ctx context.Context, o *Offer) (
	posts []*logv1.ComputerPost, mark eventstore.Mark, unsettled bool, err error,
) {
	book, mark, err := d.read(ctx)
	if err != nil {
		return nil, mark, false, err
	}
	now, err := d.Store.Now(ctx)
	if err != nil {
		return nil, mark, false, fault.FromStore(err)
	}
	a := account(book, o.ID)
	renew := !o.Shown.House && (a == nil || stale(a, d.Clock()))
	var gone, claim []*logv1.ComputerPost
	for _, p := range a.GetPosts() {
		switch d.stateOf(ctx, o.ID, p) {
		case Gone:
			gone = append(gone, p)
			continue
		case Unknown:
			unsettled = unsettled || d.Clock().Sub(p.GiveTime.AsTime()) < recording
			continue
		}
		if d.Store.Shared() {
			if p.Runner != o.Run && p.LeaseTime.AsTime().After(now) {
				continue
			}
			if p.Runner != o.Run || p.LeaseTime.AsTime().Sub(now) < renewFrom {
				claim = append(claim, p)
			}
		}
		posts = append(posts, p)
	}
	if len(gone)+len(claim) == 0 && !renew {
		return posts, mark, unsettled, nil
	}
	return posts, mark, unsettled, d.settle(ctx, o, gone, claim, now)
}

// settle takes posts off the book, and claims others for a stream. A post that another stream has claimed meanwhile is
// left to it; both may play it until the first looks again, which harms nothing: commands name the version they expect.
func (d *Desk) settle(ctx context.Context, o *Offer, gone, claim []*logv1.ComputerPost, now time.Time) error {
	return d.change(ctx, func(book *logv1.ComputerBook) (bool, error) {
		changed := forget(book, func(id string, p *logv1.ComputerPost) bool { return id == o.ID && among(gone, p) })
		a := account(book, o.ID)
		if !o.Shown.House && (a == nil || stale(a, d.Clock())) { // so that the book does not forget it
			a, changed = write(book, o, d.Clock()), true
		}
		for _, p := range a.GetPosts() {
			if among(claim, p) && (p.Runner == o.Run || !p.LeaseTime.AsTime().After(now)) {
				p.Runner, p.LeaseTime, changed = o.Run, timestamppb.New(now.Add(leaseTime)), true
			}
		}
		return changed, nil
	})
}
