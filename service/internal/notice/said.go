package notice

import (
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/internal/live"
)

// mostSaid is how many messages one notice tells; the oldest are left out beyond that.
const mostSaid = 50

// apart is by how much the clocks of servers may differ: a message may be stored after one that was said later.
const apart = 5 * time.Second

// Talked has the notices of a game looked at in which something was said.
func (n *Notices) Talked(l *live.Game, m *live.Moment) {
	now := n.host.Clock()
	for _, w := range m.Meta.Webhooks {
		told := slices.Contains(w.Kinds, logv1.NoticeKind_NOTICE_KIND_MESSAGE)
		n.wake(n.config.Webhooks != nil && told, n.hooks, task{l.ID, w.Id}, now)
	}
	for _, b := range m.Meta.Mailboxes {
		n.wake(n.config.Mail != nil && b.Messages, n.mails, task{l.ID, b.Id}, now)
	}
}

// hear tells what others have said to the follower's seat, and says when to look again.
func (f *follower) hear(ctx context.Context) (next time.Time, err error) {
	const kind = logv1.NoticeKind_NOTICE_KIND_MESSAGE
	if !f.tells(kind) || f.seat == "" {
		return time.Time{}, nil
	}
	heard, err := f.n.host.Hear(ctx, f.l, f.m, f.seat)
	if err != nil {
		return time.Time{}, err
	}
	said := f.untold(heard)
	if len(said) == 0 {
		return time.Time{}, nil
	}
	first, newest := said[0], said[len(said)-1]
	if at := f.maySay(first.CreateTime.AsTime(), newest.CreateTime.AsTime()); at.After(f.n.host.Clock()) {
		return at, nil
	}
	what := message{kind: kind, id: f.noticeID(kind, newest.Name), said: said[max(0, len(said)-mostSaid):]}
	return time.Time{}, f.tell(ctx, what, func() { f.saidAll(heard) })
}

// untold are the messages of others, notes aside, that the follower has not told.
func (f *follower) untold(heard []*v1.Message) (said []*v1.Message) {
	last := f.state.MessageTime
	for _, m := range heard {
		at := m.CreateTime.AsTime()
		old := at.Before(f.since) || last != nil && !at.After(last.AsTime().Add(-apart))
		if !old && m.Seat != f.seat && m.Audience != v1.Audience_AUDIENCE_SELF &&
			!slices.Contains(f.state.Messages, m.Name) {
			said = append(said, m)
		}
	}
	return said
}

// saidAll takes note of what is dealt with.
func (f *follower) saidAll(heard []*v1.Message) {
	newest := heard[len(heard)-1].CreateTime.AsTime()
	f.state.MessageTime, f.state.Messages = timestamppb.New(newest), nil
	for _, m := range heard {
		if m.CreateTime.AsTime().After(newest.Add(-apart)) {
			f.state.Messages = append(f.state.Messages, m.Name)
		}
	}
}
