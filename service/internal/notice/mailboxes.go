package notice

import (
	"context"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/mail"
)

// unconfirmed is how long a mailbox waits for consent before it is forgotten.
const unconfirmed = 48 * time.Hour

// calm is how long a game must rest before a mail says that something is asked: who plays on for a while is not written
// to with each command.
const calm = time.Minute

// mostCalm is how long a mail waits at most from the first message that it tells: steady talk keeps no mail back.
const mostCalm = 5 * time.Minute

func (n *Notices) lookAtMailbox(ctx context.Context, t task) time.Time {
	return n.follow(ctx, t, n.mailFollower)
}

// mailFollower finds a mailbox of a game; nil if none exists.
func (n *Notices) mailFollower(_ *live.Game, m *live.Moment, id string) *follower {
	b := MailboxByID(m.Meta, id)
	if b == nil {
		return nil
	}
	f := &follower{seat: b.Seat, lang: rules.Lang(b.LanguageCode), after: b.AfterVersion, channel: ChannelMail,
		since: b.CreateTime.AsTime()}
	f.tells = func(kind logv1.NoticeKind) bool {
		if kind == logv1.NoticeKind_NOTICE_KIND_MESSAGE {
			return b.Messages
		}
		return kind != logv1.NoticeKind_NOTICE_KIND_RECORD
	}
	spaced := func(at time.Time) time.Time {
		if last := f.state.SuccessTime; last != nil {
			at = latest(at, last.AsTime().Add(b.MinInterval.AsDuration()))
		}
		return at
	}
	f.mayAsk = func() time.Time { return spaced(m.Updated.Add(calm)) }
	f.maySay = func(first, newest time.Time) time.Time {
		at := newest.Add(calm)
		if most := first.Add(mostCalm); most.Before(at) {
			at = most
		}
		return spaced(at)
	}
	letter := f.digest
	switch {
	case b.Evicted:
		letter, f.only = f.farewell, func(ctx context.Context) (time.Time, error) { return f.sayGoodbye(ctx) }
	case !b.Confirmed:
		letter, f.only = f.question, func(ctx context.Context) (time.Time, error) { return f.askConsent(ctx, b) }
	}
	f.send = func(ctx context.Context, what message) (sent, error) {
		letter := letter
		if what.kind == logv1.NoticeKind_NOTICE_KIND_MESSAGE {
			letter = f.quote
		}
		msg, err := letter(ctx, b, what)
		if err != nil {
			return sent{}, err
		}
		r, err := n.config.Mail.Send(ctx, msg)
		return sent{failure: r.Failure, never: r.Failure == mail.FailedRejected}, err
	}
	return f
}

// askConsent sends the question whether mail is wanted, once, and forgets the mailbox when there is no answer.
func (f *follower) askConsent(ctx context.Context, b *logv1.Mailbox) (time.Time, error) {
	end := b.CreateTime.AsTime().Add(unconfirmed)
	if !f.n.host.Clock().Before(end) {
		return time.Time{}, f.forget(ctx)
	}
	if f.state.SuccessTime == nil {
		if err := f.tell(ctx,
			message{id: f.noticeID(0, "confirm")}, func() { f.state.WakeTime = timestamppb.New(end) }); err != nil {
			return time.Time{}, err
		}
		if f.blocked() && (f.state.Disabled || f.stuck.Before(end)) {
			return f.stuck, nil
		}
	}
	return end, nil
}

// sayGoodbye tells the last holder that the seat is lost, once.
func (f *follower) sayGoodbye(ctx context.Context) (time.Time, error) {
	if err := f.tell(ctx, message{id: f.noticeID(0, "evicted")}, func() {}); err != nil {
		return time.Time{}, err
	}
	if f.blocked() && !f.state.Disabled {
		return f.stuck, nil
	}
	return time.Time{}, f.forget(ctx)
}

// forget removes the mailbox from its game.
func (f *follower) forget(ctx context.Context) error {
	return f.n.host.Games.Change(ctx, f.l.ID, func(l *live.Game) error { return f.n.ForgetMailbox(ctx, l, f.id) })
}

// ForgetMailbox removes a mailbox from its game. The caller is the game's writer.
func (n *Notices) ForgetMailbox(ctx context.Context, l *live.Game, id string) error {
	return n.host.Games.Amend(ctx, l, func(meta *logv1.GameMeta) {
		meta.Mailboxes = slices.DeleteFunc(meta.Mailboxes, func(b *logv1.Mailbox) bool { return b.Id == id })
	})
}

// MailboxByID finds a mailbox of a game; nil for none.
func MailboxByID(meta *logv1.GameMeta, id string) *logv1.Mailbox {
	for _, b := range meta.Mailboxes {
		if b.Id == id {
			return b
		}
	}
	return nil
}

// SendsMail reports whether mail is sent.
func (n *Notices) SendsMail() bool { return n.config.Mail != nil }

// MayAskAddress counts one more question to an address whether it wants mail. If that is too many, it
// returns how long to wait.
func (n *Notices) MayAskAddress(address string) (wait time.Duration) {
	return n.confirmations.ask(strings.ToLower(address), n.host.Clock())
}
