package notice

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// mostAtOnce is how many records a webhook gets before others have their turn.
const mostAtOnce = 64

// settled is how long a game must rest before it is stored how far a follower is that had nothing to tell:
// not with every record.
const settled = time.Minute

// readBytes is how many bytes of a log are read at once.
const readBytes = 1 << 20

// Channels of notices.
const (
	ChannelWebhook = "webhook"
	ChannelMail    = "mail"
)

// Trouble is how long to wait before something is tried again that should not have failed.
const Trouble = 30 * time.Second

// follower is a webhook or a mailbox as it follows its game.
type follower struct {
	n    *Notices
	l    *live.Game
	m    *live.Moment
	id   string
	seat string
	lang rules.Lang
	// tells says what it tells of.
	tells func(logv1.NoticeKind) bool
	// after is the version that it began after, and since when it has been.
	after uint64
	since time.Time
	// mayAsk is the earliest time to tell that something is asked. maySay is the earliest time to tell what was said,
	// from the times of the first message and of the newest one.
	mayAsk func() time.Time
	maySay func(first, newest time.Time) time.Time
	// send delivers a notice.
	send func(ctx context.Context, n message) (sent, error)
	// only, if not nil, is all there is to do, in place of following; it says when to look again.
	only func(ctx context.Context) (time.Time, error)
	// channel is the word for it in metrics.
	channel string

	// state is how far it is, and kept the same as it is stored; nil if it is not.
	state, kept *logv1.NoticeState
	// stuck is when to go on with a notice that could not be delivered; zero if none exists.
	stuck time.Time
}

// message is something to tell.
type message struct {
	kind logv1.NoticeKind
	// id is the same whenever it is tried, also after the server was killed.
	id string
	// record is what a notice of a record tells, and said what one of messages does.
	record *ledger.Record
	said   []*v1.Message
}

// sent is the outcome of a delivery.
type sent struct {
	// failure is why it did not arrive, a word; empty if it did.
	failure string
	// after is how long to wait at least before the next try.
	after time.Duration
	// never is true if there is no use in trying again.
	never bool
}

// errLater says that a notice was not tried, because of others that are under way.
var errLater = errors.New("later")

// follow has what follows a game look at it.
func (n *Notices) follow(ctx context.Context, t task, find func(*live.Game, *live.Moment, string) *follower) time.Time {
	next, err := n.followOnce(ctx, t, find)
	switch {
	case err == nil, errors.Is(err, errGone), ctx.Err() != nil:
		return next
	case fault.ReasonOf(err) == string(fault.GameNotFound):
		return time.Time{}
	}
	n.host.Log.Warn("notices of a game could not be made", slog.String("game", t.game),
		slog.String("error", err.Error()))
	return n.host.Clock().Add(Trouble)
}

// errGone says that a webhook or mailbox no longer exists.
var errGone = errors.New("it is gone")

func (n *Notices) followOnce(
	ctx context.Context, t task, find func(*live.Game, *live.Moment, string) *follower,
) (time.Time, error) {
	l, done, err := n.host.Games.Get(ctx, t.game)
	if err != nil {
		return time.Time{}, err
	}
	defer done()
	if l.Dropped() { // it was dropped this moment, and is read anew
		return n.host.Clock().Add(time.Second), nil
	}
	m := l.Current()
	f := find(l, m, t.id)
	if f == nil || !tokens.TakenFor(m.Meta, f.seat, n.host.Clock()) {
		return time.Time{}, errGone
	}
	f.n, f.l, f.m, f.id = n, l, m, t.id
	return f.look(ctx)
}

// viewer is how the follower sees its game: as a watcher with its seat's token does.
func (f *follower) viewer() rules.Viewer {
	return rules.Viewer{Seats: live.SeatSet(f.l.About, f.seat), All: f.m.Table.Over}
}

// noticeID names a notice by what it is about.
func (f *follower) noticeID(kind logv1.NoticeKind, about ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "warledger/notice/1/%s/%s/%d/%v", f.l.ID, f.id, kind, about))
	return "msg_" + tokens.Spelling.EncodeToString(sum[:16])
}

// look delivers what there is to tell and says when to look again; zero for when the game changes.
func (f *follower) look(ctx context.Context) (next time.Time, err error) {
	if f.kept, err = f.n.State(ctx, f.l.ID, f.id); err != nil {
		return time.Time{}, err
	}
	if f.state = proto.CloneOf(f.kept); f.kept == nil {
		f.state = &logv1.NoticeState{Id: f.id, AfterVersion: f.after}
	}
	now := f.n.host.Clock()
	switch {
	case f.state.Disabled:
		return time.Time{}, nil
	case f.state.Attempts > 0 && f.state.WakeTime.AsTime().After(now):
		return f.state.WakeTime.AsTime(), nil
	}
	if f.only != nil {
		return f.only(ctx)
	}
	more, err := f.readOn(ctx)
	switch {
	case err != nil:
		return time.Time{}, err
	case more:
		return now, nil
	case f.blocked():
		return f.stuck, nil
	}
	next, err = f.caughtUp(ctx)
	switch {
	case err != nil:
		return time.Time{}, err
	case f.blocked():
		return f.stuck, nil
	}
	heard, err := f.hear(ctx)
	switch {
	case err != nil:
		return time.Time{}, err
	case f.blocked():
		return f.stuck, nil
	case next.IsZero() || !heard.IsZero() && heard.Before(next):
		next = heard
	}
	return f.rest(ctx, next)
}

// blocked reports whether a notice could not be delivered, so that what comes after it has to wait.
func (f *follower) blocked() bool { return f.state.Disabled || !f.stuck.IsZero() }

// readOn goes through the records that are new, and tells of each if it is to. more says that others
// have their turn first.
func (f *follower) readOn(ctx context.Context) (more bool, err error) {
	const kind = logv1.NoticeKind_NOTICE_KIND_RECORD
	for told := 0; f.state.AfterVersion < f.m.Version(); {
		limit := int(min(mostAtOnce, f.m.Version()-f.state.AfterVersion))
		page, err := f.n.host.Store.Read(ctx, streams.Game(f.l.ID), f.state.AfterVersion+1, limit, readBytes)
		if err != nil {
			return false, fault.FromStore(err)
		}
		if len(page) == 0 {
			return false, live.Corrupt(f.l.ID, f.state.AfterVersion+1, errors.New("the record is missing"))
		}
		for i := range page {
			r, err := ledger.Parse(page[i].Data)
			if err != nil {
				return false, live.Corrupt(f.l.ID, page[i].Version, err)
			}
			if !f.tells(kind) {
				f.pass(r)
				continue
			}
			what := message{kind: kind, id: f.noticeID(kind, r.Version()), record: r}
			if err := f.tell(ctx, what, func() { f.pass(r) }); err != nil || f.blocked() {
				return false, err
			}
			if told++; told == mostAtOnce && f.state.AfterVersion < f.m.Version() {
				return true, nil
			}
		}
	}
	return false, nil
}

// pass takes note of a record that is dealt with.
func (f *follower) pass(r *ledger.Record) {
	f.state.AfterVersion = r.Version()
	if f.seat != "" && r.Header().Seat == f.seat {
		f.state.OwnVersion, f.state.AskedVersion = r.Version(), 0
	}
	if f.asksConsent(r.Version()) {
		f.state.AskedVersion = 0
	}
}

// asksConsent reports whether a record asks for the seat's consent, and still waits for it. That is told also to a seat
// that was told of something else before: another question may have taken the place of the one it knows.
func (f *follower) asksConsent(version uint64) bool {
	t, seat := f.m.Table, live.SeatSet(f.l.About, f.seat)
	switch {
	case t.Pending != nil && t.Pending.Asked == version:
		return t.Pending.Missing&seat != 0
	case t.Proposed != nil && t.Proposed.Version == version:
		return t.Proposed.Missing&seat != 0
	case t.Offered != nil && t.Offered.Version == version:
		return t.Offered.Missing&seat != 0
	}
	return false
}

// caughtUp tells what the game is like now, and says when to look again whatever happens.
func (f *follower) caughtUp(ctx context.Context) (next time.Time, err error) {
	const over, asked = logv1.NoticeKind_NOTICE_KIND_OVER, logv1.NoticeKind_NOTICE_KIND_ASKED
	switch {
	case f.m.Table.Over && (f.state.Over || !f.tells(over)):
		return time.Time{}, nil
	case f.m.Table.Over:
		return time.Time{}, f.tell(ctx, message{kind: over, id: f.noticeID(over)}, func() { f.state.Over = true })
	case f.seat == "":
		return time.Time{}, nil
	case f.m.Asked(f.l.About)&live.SeatSet(f.l.About, f.seat) == 0:
		f.state.AskedVersion = 0
	// Whoever made the last record is looking. Whoever was told and has not acted since knows.
	case f.state.AskedVersion == 0 && f.state.OwnVersion < f.m.Version() && f.tells(asked):
		if at := f.mayAsk(); at.After(f.n.host.Clock()) {
			return at, nil
		}
		come := f.remindersBy(f.n.host.Clock()) // what is said says those too
		err := f.tell(ctx, message{kind: asked, id: f.noticeID(asked, f.m.Version())}, func() {
			f.state.AskedVersion = f.m.Version()
			f.reminded(come)
		})
		if err != nil || f.blocked() {
			return time.Time{}, err
		}
	}
	return f.remind(ctx)
}

// due is when the seat's time is up; zero if it does not run.
func (f *follower) due() time.Time {
	if c := deadline.Find(f.m.Clocks, f.seat); c.GetDueTime() != nil {
		return c.DueTime.AsTime()
	}
	return time.Time{}
}

// remindersBy is how many of the reminders of the seat's time have come by now.
func (f *follower) remindersBy(now time.Time) (n int) {
	due := f.due()
	for _, before := range f.m.Table.Deadlines.GetReminders() {
		if !due.IsZero() && !due.Add(-before.AsDuration()).After(now) {
			n++
		}
	}
	return n
}

// reminded takes note of how many reminders of the seat's time are dealt with.
func (f *follower) reminded(n int) {
	f.state.RemindedDue, f.state.Reminded = nil, 0
	if due := f.due(); !due.IsZero() {
		f.state.RemindedDue, f.state.Reminded = timestamppb.New(due), int32(n)
	}
}

// remind tells that the seat's time will soon be up, once for each reminder, and for those that were missed together.
func (f *follower) remind(ctx context.Context) (next time.Time, err error) {
	const kind = logv1.NoticeKind_NOTICE_KIND_REMINDER
	due, now := f.due(), f.n.host.Clock()
	if due.IsZero() || !f.tells(kind) || !now.Before(due) {
		return time.Time{}, nil
	}
	dealt := 0
	if f.state.RemindedDue != nil && f.state.RemindedDue.AsTime().Equal(due) {
		dealt = int(f.state.Reminded)
	}
	come := f.remindersBy(now)
	if come > dealt {
		err := f.tell(ctx, message{kind: kind, id: f.noticeID(kind, due.UnixNano(), come)}, func() { f.reminded(come) })
		if err != nil || f.blocked() {
			return time.Time{}, err
		}
	}
	if reminders := f.m.Table.Deadlines.GetReminders(); come < len(reminders) {
		next = due.Add(-reminders[come].AsDuration())
	}
	return next, nil
}

// rest stores how far it is once the game rests, so that it need not be asked when the service begins.
func (f *follower) rest(ctx context.Context, next time.Time) (time.Time, error) {
	f.state.WakeTime = nil
	if !next.IsZero() {
		f.state.WakeTime = timestamppb.New(next)
	}
	if proto.Equal(f.state, f.kept) {
		return next, nil
	}
	if at := f.m.Updated.Add(settled); at.After(f.n.host.Clock()) && f.wakesBy(next) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
		return next, nil
	}
	if err := f.keep(ctx); err != nil || f.blocked() {
		return f.stuck, err
	}
	return next, nil
}

// wakesBy reports whether a service that begins looks no later than at a time, by what is stored; zero for
// whether it need not look.
func (f *follower) wakesBy(next time.Time) bool {
	switch {
	case f.kept == nil:
		return false
	case next.IsZero():
		return true // too soon does no harm
	}
	return f.kept.WakeTime != nil && !f.kept.WakeTime.AsTime().After(next)
}

// keep stores how far it is. If another has gone on meanwhile, it is blocked until it has looked at that.
func (f *follower) keep(ctx context.Context) error {
	err := f.n.keep(ctx, f.l.ID, f.kept, f.state, subscribed(f.l.Current().Meta))
	switch {
	case errors.Is(err, errMoved):
		f.stuck = f.n.host.Clock()
		return nil
	case err != nil:
		return err
	}
	f.kept = proto.CloneOf(f.state)
	return nil
}

// questions are what is asked of the follower's seat, in words.
func (f *follower) questions() []string {
	return render.Questions(f.l, f.m, f.seat, f.viewer(), f.lang)
}

// jitter makes those that failed together come back one by one.
func jitter(d time.Duration) time.Duration { return d + time.Duration(rand.Int64N(int64(d)/2+1)) }
