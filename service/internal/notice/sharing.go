package notice

import (
	"context"
	"log/slog"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// Times of servers that share a store.
const (
	// claimFor is how long a server has a notice to itself: longer than any try to deliver it takes.
	claimFor = time.Minute
	// askAgain is how often a server asks whether another has delivered what it claimed.
	askAgain = time.Second
	// takeOver is how much later than the server that changed a game the others look at it.
	takeOver = 15 * time.Second
	// sweepEvery is how often a server looks through the store for what nobody has done.
	sweepEvery = time.Minute
)

// claim takes the next notice for this server. mine is false if another has it or has gone on, and the follower is
// then blocked until it should look again. A claim ends by itself, so that another server delivers what one that died
// did not. A store that nobody shares needs none.
func (f *follower) claim(ctx context.Context) (mine bool, err error) {
	if !f.n.host.Store.Shared() {
		return true, nil
	}
	now, err := f.n.host.Store.Now(ctx)
	if err != nil {
		return false, err
	}
	if until := f.state.ClaimedUntil; until != nil && until.AsTime().After(now) && f.state.ClaimedBy != f.n.id {
		f.stuck = f.n.host.Clock().Add(min(until.AsTime().Sub(now), askAgain))
		return false, nil
	}
	f.state.ClaimedBy, f.state.ClaimedUntil = f.n.id, timestamppb.New(now.Add(claimFor))
	err = f.keep(ctx)
	return err == nil && !f.blocked(), err
}

// release gives up a claim on a notice that was not tried.
func (f *follower) release(ctx context.Context) error {
	if f.state.ClaimedBy == "" {
		return nil
	}
	f.state.ClaimedBy, f.state.ClaimedUntil = "", nil
	return f.keep(ctx)
}

// elsewhere reports whether another server has done what is on the agenda here, and when to look again. It asks the
// store, so that a game need not be folded for it.
func (n *Notices) elsewhere(ctx context.Context, t task, a *agenda) (next time.Time, done bool) {
	if !n.host.Store.Shared() || n.host.Games.Has(t.game) {
		return time.Time{}, false
	}
	info, err := n.host.Store.Head(ctx, streams.Game(t.game))
	if err != nil {
		return time.Time{}, false // whoever looks says so
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil {
		return time.Time{}, false
	}
	if a == n.clocks {
		next = clockDue(meta)
	} else {
		state, err := n.State(ctx, t.game, t.id)
		if err != nil {
			return time.Time{}, false
		}
		next = n.followerDue(info, state)
	}
	return next, next.IsZero() || next.After(n.host.Clock())
}

// clockDue is when the next thing happens in a game by time alone; zero for nothing.
func clockDue(meta *logv1.GameMeta) (due time.Time) {
	if meta.Summary.GetOver() {
		return due
	}
	for _, t := range []*timestamppb.Timestamp{meta.GetClocks().GetNextDue(), meta.GetGoOnTime()} {
		if t != nil && (due.IsZero() || t.AsTime().Before(due)) {
			due = t.AsTime()
		}
	}
	return due
}

// followerDue is when a webhook or mailbox is to be looked at, as far as the store tells; zero for when something
// happens.
func (n *Notices) followerDue(info eventstore.StreamInfo, state *logv1.NoticeState) time.Time {
	switch {
	case state == nil:
		return n.start()
	case state.Disabled:
		return time.Time{}
	case state.Attempts > 0 && state.WakeTime != nil:
		return state.WakeTime.AsTime()
	case info.Version > state.AfterVersion, state.ClaimedBy != "":
		return n.start()
	case state.WakeTime != nil:
		return state.WakeTime.AsTime()
	}
	return time.Time{}
}

// start is since when this server looks at what is due.
func (n *Notices) start() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.began
}

// resumeGame puts what is due of one game on the agendas, without folding it. If others share the store, they get a
// while to do it first.
func (n *Notices) resumeGame(ctx context.Context, id string, data []byte) {
	info, err := n.host.Store.Head(ctx, streams.Game(id))
	if err != nil {
		return // none was created after all, or it needs a person
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil || meta.Summary.GetOver() && len(meta.Webhooks)+len(meta.Mailboxes) == 0 {
		return
	}
	book, err := decodeBook(data)
	if err != nil {
		n.host.Log.Error("the book of notices is damaged and begins anew", slog.String("game", id))
	}
	wake := func(on bool, a *agenda, sub string, due time.Time) {
		if !on || due.IsZero() {
			return
		}
		if n.host.Store.Shared() {
			due = latest(due, meta.Summary.GetUpdateTime().AsTime()).Add(takeOver)
		}
		a.wake(task{id, sub}, due)
	}
	wake(true, n.clocks, "", clockDue(meta))
	for _, w := range meta.Webhooks {
		wake(n.config.Webhooks != nil, n.hooks, w.Id, n.followerDue(info, stateOf(book, w.Id)))
	}
	for _, b := range meta.Mailboxes {
		wake(n.config.Mail != nil, n.mails, b.Id, n.followerDue(info, stateOf(book, b.Id)))
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
