package notice

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// Config says how people hear of what happens while they do not look. The zero value tells nobody anything; deadlines
// are kept all the same.
type Config struct {
	// Webhooks posts notices; nil for none. The service closes it.
	Webhooks *webhook.Client
	// Mail sends mail; nil for none.
	Mail mail.Transport
	// Page is the address of the web board without a slash at its end, for links in notices; may be
	// empty. Mail needs one.
	Page string
	// Grace is how long after the service was made no deadline is enforced: who could not act while it was away can.
	Grace time.Duration
	// Workers is how many webhooks are posted to at once; 16.
	Workers int
	// Alarm gives a channel that something comes from at a time of the service's clock, and what ends
	// that; a timer if nil.
	Alarm func(at time.Time) (<-chan time.Time, func())
}

// Host is what notices need of the service around them.
type Host struct {
	// Store keeps the books, Clock is the service's, and Games are the games that are followed.
	Store eventstore.Store
	Clock func() time.Time
	Games *live.Games
	// Log gets what nobody else is told.
	Log *slog.Logger
	// Lapse enforces the deadlines of a game that have passed, and returns when to look at it again: zero for when it
	// changes.
	Lapse func(ctx context.Context, game string) time.Time
	// Hear reads what may be read as a seat in a game, oldest first.
	Hear func(ctx context.Context, l *live.Game, m *live.Moment, seat string) ([]*v1.Message, error)
	// Metrics counts what is delivered.
	Metrics Metrics
}

// Metrics counts what is delivered.
type Metrics interface {
	// Noticed counts an attempt, by channel and by why it failed, empty if it did not, with how long it took.
	Noticed(channel, failure string, took time.Duration)
	// Disabled counts a webhook or mailbox that is given up.
	Disabled(channel string)
}

// Notices knows which game to look at when, for deadlines, webhooks and mail.
type Notices struct {
	config Config
	host   Host
	// id names this server among those that share the store.
	id string
	// began is since when people could act without interruption. The lock guards it; lost is true while the store is
	// away.
	mu    sync.Mutex
	began time.Time
	lost  bool

	clocks, hooks, mails *agenda
	confirmations        *confirmations
	// books lock the books of games; those that share a lock wait for each other.
	books [64]sync.Mutex
	seed  maphash.Seed
	stop  context.CancelFunc
	work  sync.WaitGroup
}

// New makes notices that look at nothing yet.
func New(c Config, host Host) *Notices {
	if c.Workers <= 0 {
		c.Workers = 16
	}
	if c.Alarm == nil {
		c.Alarm = func(at time.Time) (<-chan time.Time, func()) {
			timer := time.NewTimer(at.Sub(host.Clock()))
			return timer.C, func() { timer.Stop() }
		}
	}
	return &Notices{
		config: c, host: host, id: uuid.NewString(), began: host.Clock(), seed: maphash.MakeSeed(),
		clocks: newAgenda(), hooks: newAgenda(), mails: newAgenda(), confirmations: newConfirmations(),
	}
}

// Workers of each kind. Mail goes to one server, which wants no crowd.
const (
	clockWorkers = 2
	mailWorkers  = 2
)

// Begin looks for what is due, and then does what becomes so, until leave.
func (n *Notices) Begin() {
	var ctx context.Context
	ctx, n.stop = context.WithCancel(context.Background())
	work := func(workers int, a *agenda, look func(context.Context, task) time.Time) {
		for range workers {
			n.work.Go(func() { n.attend(ctx, a, look) })
		}
	}
	work(clockWorkers, n.clocks, func(ctx context.Context, t task) time.Time { return n.host.Lapse(ctx, t.game) })
	if n.config.Webhooks != nil {
		work(n.config.Workers, n.hooks, n.lookAtWebhook)
	}
	if n.config.Mail != nil {
		work(mailWorkers, n.mails, n.lookAtMailbox)
	}
	n.work.Go(func() {
		for n.resumeAll(ctx); n.host.Store.Shared() && n.pause(ctx, sweepEvery); {
			n.resumeAll(ctx)
		}
	})
}

// Leave ends all work; what is under way is delivered again by the next service.
func (n *Notices) Leave() { n.stop() }

// Close waits until all work has ended, and closes the client of webhooks.
func (n *Notices) Close() {
	n.work.Wait()
	if hooks := n.config.Webhooks; hooks != nil {
		hooks.Close()
	}
}

// Earliest is the earliest time at which a deadline is enforced that passed at a time: who could not act because the
// server or its store was away gets a while to do so.
func (n *Notices) Earliest(due time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost { // whoever asks has reached the store
		n.lost, n.began = false, n.host.Clock()
	}
	if graced := n.began.Add(n.config.Grace); due.Before(graced) {
		return graced
	}
	return due
}

// StoreAway takes note that the store cannot be reached, so that nobody can act.
func (n *Notices) StoreAway() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lost = true
}

// Running is how many games have a clock that runs.
func (n *Notices) Running() int { return n.clocks.size() }

// Overdue is how many webhooks and mailboxes are being served or wait to be.
func (n *Notices) Overdue(now time.Time) int { return n.hooks.overdue(now) + n.mails.overdue(now) }

// attend looks at what is due, one after the other.
func (n *Notices) attend(ctx context.Context, a *agenda, look func(context.Context, task) time.Time) {
	for {
		t, due, next := a.take(n.host.Clock())
		if due {
			a.done(t, n.lookSafely(ctx, t, a, look))
		} else if !n.wait(ctx, a, next) {
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// wait waits until something may be due; false at the end.
func (n *Notices) wait(ctx context.Context, a *agenda, next time.Time) bool {
	var alarm <-chan time.Time
	if !next.IsZero() {
		var stop func()
		alarm, stop = n.config.Alarm(next)
		defer stop()
	}
	select {
	case <-alarm:
	case <-a.sooner:
	case <-ctx.Done():
		return false
	}
	return true
}

// lookSafely keeps a panic to the game that it happened in.
func (n *Notices) lookSafely(
	ctx context.Context, t task, a *agenda, look func(context.Context, task) time.Time,
) (next time.Time) {
	defer func() {
		if recover() != nil {
			n.host.Log.Error("a notice cannot be made", slog.String("game", t.game),
				slog.String("cause", fault.Panicked(debug.Stack()).Error()))
			next = n.host.Clock().Add(time.Hour)
		}
	}()
	if next, done := n.elsewhere(ctx, t, a); done {
		return next
	}
	return look(ctx, t)
}

// Changed has the notices of a game looked at that this server has changed.
func (n *Notices) Changed(l *live.Game, m *live.Moment) { n.changed(l, m, 0) }

// Followed has the notices of a game looked at that another server has changed, unless that does it.
func (n *Notices) Followed(l *live.Game, m *live.Moment) { n.changed(l, m, takeOver) }

func (n *Notices) changed(l *live.Game, m *live.Moment, later time.Duration) {
	id, due := l.ID, m.NextDue(l)
	if !due.IsZero() {
		due = due.Add(later)
	}
	n.clocks.set(task{game: id}, due)
	if len(m.Meta.Webhooks)+len(m.Meta.Mailboxes) == 0 {
		return
	}
	at := n.host.Clock().Add(later)
	for _, w := range m.Meta.Webhooks {
		n.wake(n.config.Webhooks != nil, n.hooks, task{id, w.Id}, at)
	}
	for _, b := range m.Meta.Mailboxes {
		n.wake(n.config.Mail != nil, n.mails, task{id, b.Id}, at)
	}
}

func (n *Notices) wake(on bool, a *agenda, t task, at time.Time) {
	if on {
		a.wake(t, at)
	}
}

// resumeAll reads from the store what was due when the service ended, or has become so since.
func (n *Notices) resumeAll(ctx context.Context) {
	for after := ""; ctx.Err() == nil; {
		page, err := n.host.Store.List(ctx, streams.Books, after, 500)
		var corrupt *eventstore.CorruptError
		switch {
		case errors.As(err, &corrupt) && corrupt.Stream > after:
			after = corrupt.Stream
			continue
		case errors.Is(err, eventstore.ErrClosed):
			return
		case err != nil:
			if !n.pause(ctx, Trouble) {
				return
			}
			continue
		case len(page) == 0:
			return
		}
		for _, info := range page {
			n.resumeGame(ctx, strings.TrimPrefix(info.Name, streams.Books), info.Meta)
		}
		after = page[len(page)-1].Name
	}
}

// pause waits for a while; false at the end.
func (n *Notices) pause(ctx context.Context, d time.Duration) bool {
	alarm, stop := n.config.Alarm(n.host.Clock().Add(d))
	defer stop()
	select {
	case <-alarm:
		return true
	case <-ctx.Done():
		return false
	}
}
