package service

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/mail"
)

// calm is how long a game must rest before a mail says that something is asked: who plays on for a while is not written to with each command.
const calm = time.Minute

func (s *Service) lookAtMailbox(ctx context.Context, t task) time.Time {
	return s.follow(ctx, t, s.mailFollower)
}

// mailFollower finds a mailbox of a game; nil if there is none.
func (s *Service) mailFollower(_ *live.Game, m *live.Moment, id string) *follower {
	b := mailboxByID(m.Meta, id)
	if b == nil {
		return nil
	}
	f := &follower{seat: b.Seat, lang: rules.Lang(b.LanguageCode), after: b.AfterVersion, channel: channelMail}
	f.tells = func(kind logv1.NoticeKind) bool { return kind != logv1.NoticeKind_NOTICE_KIND_RECORD }
	f.mayAsk = func() time.Time {
		at := m.Updated.Add(calm)
		if last := f.state.SuccessTime; last != nil && last.AsTime().Add(b.MinInterval.AsDuration()).After(at) {
			at = last.AsTime().Add(b.MinInterval.AsDuration())
		}
		return at
	}
	letter := f.digest
	switch {
	case b.Evicted:
		letter, f.only = f.farewell, func(ctx context.Context) (time.Time, error) { return f.sayGoodbye(ctx) }
	case !b.Confirmed:
		letter, f.only = f.question, func(ctx context.Context) (time.Time, error) { return f.askConsent(ctx, b) }
	}
	f.send = func(ctx context.Context, n notice) (sent, error) {
		msg, err := letter(ctx, b, n)
		if err != nil {
			return sent{}, err
		}
		r, err := s.notices.Mail.Send(ctx, msg)
		return sent{failure: r.Failure, never: r.Failure == mail.FailedRejected}, err
	}
	return f
}

// askConsent sends the question whether mail is wanted, once, and forgets the mailbox when there is no answer.
func (f *follower) askConsent(ctx context.Context, b *logv1.Mailbox) (time.Time, error) {
	end := b.CreateTime.AsTime().Add(unconfirmed)
	if !f.s.clock().Before(end) {
		return time.Time{}, f.forget(ctx)
	}
	if f.state.SuccessTime == nil {
		if err := f.tell(ctx, notice{id: f.noticeID(0, "confirm")}, func() { f.state.WakeTime = timestamppb.New(end) }); err != nil {
			return time.Time{}, err
		}
		if f.blocked() && (f.state.Disabled || f.stuck.Before(end)) {
			return f.stuck, nil
		}
	}
	return end, nil
}

// sayGoodbye tells who has lost a seat, once.
func (f *follower) sayGoodbye(ctx context.Context) (time.Time, error) {
	if err := f.tell(ctx, notice{id: f.noticeID(0, "evicted")}, func() {}); err != nil {
		return time.Time{}, err
	}
	if f.blocked() && !f.state.Disabled {
		return f.stuck, nil
	}
	return time.Time{}, f.forget(ctx)
}

// forget removes the mailbox from its game.
func (f *follower) forget(ctx context.Context) error {
	return f.s.games.Change(ctx, f.l.ID, func(l *live.Game) error { return f.s.forgetMailbox(ctx, l, f.id) })
}

// evict takes a seat from whom it belongs to, and keeps a mailbox of theirs for one last mail.
func evict(meta *logv1.GameMeta, seat string) {
	var last []*logv1.Mailbox
	for _, b := range meta.Mailboxes {
		if b.Seat == seat && b.Confirmed {
			b.Evicted = true
			last = append(last, b)
		}
	}
	vacate(meta, seat)
	meta.Mailboxes = append(meta.Mailboxes, last...)
}
