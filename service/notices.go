package service

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// Notices are how people hear of what happens while they do not look. The zero value tells nobody anything; deadlines are kept all the same.
type Notices struct {
	// Webhooks posts notices; nil for none. The service closes it.
	Webhooks *webhook.Client
	// Mail sends mail; nil for none.
	Mail mail.Transport
	// Page is the address of the web board without a slash at its end, for links in notices; empty if there is none. Mail needs one.
	Page string
	// Grace is how long after the service was made no deadline is enforced: who could not act while it was away can.
	Grace time.Duration
	// Workers is how many webhooks are posted to at once; 16.
	Workers int
	// Alarm gives a channel that something comes from at a time of the service's clock, and what ends that; a timer if nil.
	Alarm func(at time.Time) (<-chan time.Time, func())
}

// notices knows which game to look at when, for deadlines, webhooks and mail.
type notices struct {
	Notices
	store eventstore.Store
	clock func() time.Time
	grace time.Duration
	began time.Time

	clocks, hooks, mails *agenda
	confirmations        *confirmations
	// books lock the books of games; those that share a lock wait for each other.
	books [64]sync.Mutex
	seed  maphash.Seed
	stop  context.CancelFunc
}

func newNotices(s *Service, n Notices) *notices {
	if n.Workers <= 0 {
		n.Workers = 16
	}
	out := &notices{
		Notices: n, store: s.store, clock: s.clock, grace: n.Grace, began: s.clock(), seed: maphash.MakeSeed(),
		clocks: newAgenda(), hooks: newAgenda(), mails: newAgenda(), confirmations: newConfirmations(),
	}
	if out.Alarm == nil {
		out.Alarm = func(at time.Time) (<-chan time.Time, func()) {
			timer := time.NewTimer(at.Sub(s.clock()))
			return timer.C, func() { timer.Stop() }
		}
	}
	return out
}

// Workers of each kind. Mail goes to one server, which wants no crowd.
const (
	clockWorkers = 2
	mailWorkers  = 2
)

// beginNotices looks for what is due, and then does what becomes so, until the service leaves.
func (s *Service) beginNotices() {
	var ctx context.Context
	ctx, s.notices.stop = context.WithCancel(context.Background())
	work := func(n int, a *agenda, look func(context.Context, task) time.Time) {
		s.janitor.Add(n)
		for range n {
			go s.attend(ctx, a, look)
		}
	}
	work(clockWorkers, s.notices.clocks, s.watchClock)
	if s.notices.Webhooks != nil {
		work(s.notices.Workers, s.notices.hooks, s.lookAtWebhook)
	}
	if s.notices.Mail != nil {
		work(mailWorkers, s.notices.mails, s.lookAtMailbox)
	}
	s.janitor.Add(1)
	go s.resumeNotices(ctx)
}

// attend looks at what is due, one after the other.
func (s *Service) attend(ctx context.Context, a *agenda, look func(context.Context, task) time.Time) {
	defer s.janitor.Done()
	for {
		t, due, next := a.take(s.clock())
		if due {
			a.done(t, s.lookSafely(ctx, t, look))
		} else if !s.notices.wait(ctx, a, next) {
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// wait waits until something may be due; false at the end.
func (n *notices) wait(ctx context.Context, a *agenda, next time.Time) bool {
	var alarm <-chan time.Time
	if !next.IsZero() {
		var stop func()
		alarm, stop = n.Alarm(next)
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
func (s *Service) lookSafely(ctx context.Context, t task, look func(context.Context, task) time.Time) (next time.Time) {
	defer func() {
		if recover() != nil {
			s.log.Error("a notice cannot be made", slog.String("game", t.game), slog.String("cause", (&panicked{string(debug.Stack())}).Error()))
			next = s.clock().Add(time.Hour)
		}
	}()
	return look(ctx, t)
}

// changed has the notices of a game looked at that has changed.
func (n *notices) changed(l *live.Game, m *live.Moment) {
	id := l.ID
	n.clocks.set(task{game: id}, m.NextDue(l))
	if len(m.Meta.Webhooks)+len(m.Meta.Mailboxes) == 0 {
		return
	}
	now := n.clock()
	for _, w := range m.Meta.Webhooks {
		n.wake(n.Webhooks != nil, n.hooks, task{id, w.Id}, now)
	}
	for _, b := range m.Meta.Mailboxes {
		n.wake(n.Mail != nil, n.mails, task{id, b.Id}, now)
	}
}

func (n *notices) wake(on bool, a *agenda, t task, at time.Time) {
	if on {
		a.wake(t, at)
	}
}

// resumeNotices reads from the store what was due when the service ended, or has become so since.
func (s *Service) resumeNotices(ctx context.Context) {
	defer s.janitor.Done()
	for after := ""; ctx.Err() == nil; {
		page, err := s.store.List(ctx, streams.Books, after, 500)
		var corrupt *eventstore.CorruptError
		switch {
		case errors.As(err, &corrupt) && corrupt.Stream > after:
			after = corrupt.Stream
			continue
		case errors.Is(err, eventstore.ErrClosed):
			return
		case err != nil:
			if alarm, stop := s.notices.Alarm(s.clock().Add(trouble)); !s.pause(ctx, alarm, stop) {
				return
			}
			continue
		case len(page) == 0:
			return
		}
		for _, info := range page {
			s.resumeGame(ctx, strings.TrimPrefix(info.Name, streams.Books), info.Meta)
		}
		after = page[len(page)-1].Name
	}
}

func (s *Service) pause(ctx context.Context, alarm <-chan time.Time, stop func()) bool {
	defer stop()
	select {
	case <-alarm:
		return true
	case <-ctx.Done():
		return false
	}
}

// resumeGame puts what is due of one game on the agendas, without folding it.
func (s *Service) resumeGame(ctx context.Context, id string, data []byte) {
	n := s.notices
	info, err := s.store.Head(ctx, streams.Game(id))
	if err != nil {
		return // none was created after all, or it needs a person
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil || meta.Summary.GetOver() && len(meta.Webhooks)+len(meta.Mailboxes) == 0 {
		return
	}
	for _, due := range []*timestamppb.Timestamp{meta.GetClocks().GetNextDue(), meta.GetGoOnTime()} {
		if due != nil && !meta.Summary.GetOver() {
			n.clocks.wake(task{game: id}, due.AsTime())
		}
	}
	book, err := decodeBook(data)
	if err != nil {
		s.log.Error("the book of notices is damaged and begins anew", slog.String("game", id))
	}
	resume := func(on bool, a *agenda, sub string) {
		state := stateOf(book, sub)
		switch {
		case state == nil || !state.Disabled && info.Version > state.AfterVersion:
			n.wake(on, a, task{id, sub}, n.began)
		case !state.Disabled && state.WakeTime != nil:
			n.wake(on, a, task{id, sub}, state.WakeTime.AsTime())
		}
	}
	for _, w := range meta.Webhooks {
		resume(n.Webhooks != nil, n.hooks, w.Id)
	}
	for _, b := range meta.Mailboxes {
		resume(n.Mail != nil, n.mails, b.Id)
	}
}

// keepBook makes sure that a game is among those that are asked when the service begins.
func (n *notices) keepBook(ctx context.Context, id string) error {
	err := n.store.Append(ctx, eventstore.Append{Stream: streams.Book(id), Entries: []eventstore.Entry{{Data: []byte("notices")}}})
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

// state reads how far a webhook or mailbox is; nil if it has not begun.
func (n *notices) state(ctx context.Context, game, id string) (*logv1.NoticeState, error) {
	info, err := n.store.Head(ctx, streams.Book(game))
	if errors.Is(err, eventstore.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.FromStore(err)
	}
	book, _ := decodeBook(info.Meta) // a damaged one begins anew
	return stateOf(book, id), nil
}

// keep stores how far a webhook or mailbox is, in place of what was known of it; a nil state forgets it. States of others that the game no longer has
// are forgotten with it.
func (n *notices) keep(ctx context.Context, game, id string, state *logv1.NoticeState, has func(id string) bool) error {
	lock := &n.books[maphash.String(n.seed, game)%uint64(len(n.books))]
	lock.Lock()
	defer lock.Unlock()
	ctx = context.WithoutCancel(ctx) // what has been delivered should be known to be
	for {
		err := n.keepOnce(ctx, game, id, state, has)
		var behind *eventstore.MetaConflictError
		if !errors.As(err, &behind) { // or somebody else was quicker, and this is kept beside what they kept
			return err
		}
	}
}

func (n *notices) keepOnce(ctx context.Context, game, id string, state *logv1.NoticeState, has func(id string) bool) error {
	info, err := n.store.Head(ctx, streams.Book(game))
	if errors.Is(err, eventstore.ErrNotFound) {
		err = n.keepBook(ctx, game)
	}
	if err != nil {
		return fault.FromStore(err)
	}
	book, _ := decodeBook(info.Meta)
	book.States = slices.DeleteFunc(book.States, func(s *logv1.NoticeState) bool { return s.Id == id || !has(s.Id) })
	if state != nil {
		book.States = append(book.States, state)
	}
	data, err := proto.Marshal(book)
	if err != nil {
		return err
	}
	err = n.store.SetMeta(ctx, streams.Book(game), data, info.MetaVersion)
	var behind *eventstore.MetaConflictError
	if err == nil || errors.As(err, &behind) {
		return err
	}
	return fault.FromStore(err)
}

// unsubscribe ends what belongs to a seat whose token is void; to the owner if it is none.
func unsubscribe(meta *logv1.GameMeta, seat string) {
	meta.Webhooks = slices.DeleteFunc(meta.Webhooks, func(w *logv1.Webhook) bool { return w.Seat == seat })
	if seat != "" {
		meta.Mailboxes = slices.DeleteFunc(meta.Mailboxes, func(b *logv1.Mailbox) bool { return b.Seat == seat })
	}
}

// subscribed reports whether a game has a webhook or mailbox of an id.
func subscribed(meta *logv1.GameMeta) func(id string) bool {
	return func(id string) bool {
		return slices.ContainsFunc(meta.Webhooks, func(w *logv1.Webhook) bool { return w.Id == id }) ||
			slices.ContainsFunc(meta.Mailboxes, func(b *logv1.Mailbox) bool { return b.Id == id })
	}
}
