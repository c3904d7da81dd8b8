package notice

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/google/uuid"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/webhook"
)

// mostBody is how large a notice may be before its record is shortened, in bytes.
const mostBody = 1 << 20

// noticeTypes are the names of kinds of notices in what webhooks post.
var noticeTypes = map[logv1.NoticeKind]string{
	logv1.NoticeKind_NOTICE_KIND_RECORD: "game.record", logv1.NoticeKind_NOTICE_KIND_ASKED: "game.asked",
	logv1.NoticeKind_NOTICE_KIND_REMINDER: "game.reminder", logv1.NoticeKind_NOTICE_KIND_OVER: "game.over",
	logv1.NoticeKind_NOTICE_KIND_MESSAGE: "game.message", logv1.NoticeKind_NOTICE_KIND_UNSPECIFIED: "ping",
}

func (n *Notices) lookAtWebhook(ctx context.Context, t task) time.Time {
	return n.follow(ctx, t, n.webhookFollower)
}

// webhookFollower finds a webhook of a game; nil if none exists.
func (n *Notices) webhookFollower(_ *live.Game, m *live.Moment, id string) *follower {
	w := WebhookByID(m.Meta, id)
	if w == nil {
		return nil
	}
	f := &follower{seat: w.Seat, lang: rules.Lang(w.LanguageCode), after: w.AfterVersion, channel: ChannelWebhook,
		since: w.CreateTime.AsTime()}
	f.tells = func(kind logv1.NoticeKind) bool { return slices.Contains(w.Kinds, kind) }
	f.mayAsk = func() time.Time { return time.Time{} }
	f.maySay = func(_, _ time.Time) time.Time { return time.Time{} }
	f.send = func(ctx context.Context, what message) (sent, error) {
		r, err := f.post(ctx, w, what)
		return sent{failure: r.Failure, after: r.After, never: r.Failure == webhook.FailedGone}, err
	}
	return f
}

// WebhookByID finds a webhook of a game; nil for none.
func WebhookByID(meta *logv1.GameMeta, id string) *logv1.Webhook {
	for _, w := range meta.Webhooks {
		if w.Id == id {
			return w
		}
	}
	return nil
}

// post makes a notice and posts it.
func (f *follower) post(ctx context.Context, w *logv1.Webhook, n message) (webhook.Result, error) {
	body, err := f.body(ctx, n)
	if err != nil {
		return webhook.Result{}, err
	}
	r, err := f.n.config.Webhooks.Post(ctx, w.Url, w.Secret, n.id, f.n.host.Clock(), body)
	if errors.Is(err, webhook.ErrBusy) {
		err = errLater
	}
	return r, err
}

// body is a notice as JSON, as the follower may see it now.
func (f *follower) body(ctx context.Context, n message) ([]byte, error) {
	data := &v1.NoticeData{Game: render.Game(f.m, f.l, f.viewer(), f.lang), Seat: f.seat, Link: f.n.link(f.l.ID)}
	out := &v1.Notice{Type: noticeTypes[n.kind], Timestamp: timestamppb.New(f.n.host.Clock()), Data: data}
	switch n.kind {
	case logv1.NoticeKind_NOTICE_KIND_RECORD:
		var err error
		if data.Record, err = render.NewRecords(f.n.host.Games, f.l, f.m, f.viewer(), f.lang, false).Record(ctx,
			n.record); err != nil {
			return nil, err
		}
		out.Timestamp = data.Record.Time
	case logv1.NoticeKind_NOTICE_KIND_MESSAGE:
		data.Messages, out.Timestamp = n.said, n.said[len(n.said)-1].CreateTime
	case logv1.NoticeKind_NOTICE_KIND_ASKED, logv1.NoticeKind_NOTICE_KIND_REMINDER:
		data.Questions = f.questions()
		if due := f.due(); !due.IsZero() {
			data.DueTime = timestamppb.New(due)
		}
	}
	body, err := protojson.Marshal(out)
	// too much, or of a type that this program does not know any more
	if (err != nil || len(body) > mostBody) && data.Record != nil {
		r := data.Record
		r.Command, r.Notation, r.Rolls, r.Events, data.Shortened = nil, "", nil, nil, true
		body, err = protojson.Marshal(out)
	}
	return body, err
}

// link is the page of a game; empty if none exists.
func (n *Notices) link(id string) string {
	if n.config.Page == "" {
		return ""
	}
	return n.config.Page + "/#/" + streams.Game(id)
}

// Ping posts to a webhook at once. If that arrives, a webhook that was given up goes on where it stopped.
func (n *Notices) Ping(ctx context.Context, l *live.Game, w *logv1.Webhook) (webhook.Result, error) {
	f := n.webhookFollower(l, l.Current(), w.Id)
	f.n, f.l, f.m, f.id = n, l, l.Current(), w.Id
	r, err := f.post(ctx, w, message{id: f.noticeID(logv1.NoticeKind_NOTICE_KIND_UNSPECIFIED, uuid.NewString())})
	if err != nil {
		full := fault.New(fault.RateLimited, "the host of the webhook has as many requests as it may have").
			With("limit", "host")
		return r, cmp.Or(ctx.Err(), error(full))
	}
	n.host.Metrics.Noticed(ChannelWebhook, r.Failure, 0)
	if r.Failure == "" {
		err = f.revive(ctx)
	}
	return r, err
}

// revive has a webhook that was given up go on where it stopped, and one that waits to try again do so now.
func (f *follower) revive(ctx context.Context) error {
	var err error
	if f.kept, err = f.n.State(ctx, f.l.ID, f.id); err != nil || f.kept.GetAttempts() == 0 {
		return err
	}
	f.state = proto.CloneOf(f.kept)
	f.arrived()
	if err := f.keep(ctx); err != nil {
		return err
	}
	f.n.hooks.set(task{f.l.ID, f.id}, f.n.host.Clock())
	return nil
}

// Posts reports whether webhooks are posted to.
func (n *Notices) Posts() bool { return n.config.Webhooks != nil }

// CheckURL says why an address cannot be that of a webhook; empty if it can.
func (n *Notices) CheckURL(url string) string {
	var guard webhook.Guard
	if n.config.Webhooks != nil {
		guard = n.config.Webhooks.Guard()
	}
	return guard.CheckURL(url)
}
