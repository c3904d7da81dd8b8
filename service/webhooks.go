package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
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
	logv1.NoticeKind_NOTICE_KIND_UNSPECIFIED: "ping",
}

func (s *Service) lookAtWebhook(ctx context.Context, t task) time.Time {
	return s.follow(ctx, t, s.webhookFollower)
}

// webhookFollower finds a webhook of a game; nil if there is none.
func (s *Service) webhookFollower(_ *live.Game, m *live.Moment, id string) *follower {
	w := webhookByID(m.Meta, id)
	if w == nil {
		return nil
	}
	f := &follower{seat: w.Seat, lang: rules.Lang(w.LanguageCode), after: w.AfterVersion, channel: channelWebhook}
	f.tells = func(kind logv1.NoticeKind) bool { return slices.Contains(w.Kinds, kind) }
	f.mayAsk = func() time.Time { return time.Time{} }
	f.send = func(ctx context.Context, n notice) (sent, error) {
		r, err := f.post(ctx, w, n)
		return sent{failure: r.Failure, after: r.After, never: r.Failure == webhook.FailedGone}, err
	}
	return f
}

func webhookByID(meta *logv1.GameMeta, id string) *logv1.Webhook {
	for _, w := range meta.Webhooks {
		if w.Id == id {
			return w
		}
	}
	return nil
}

// post makes a notice and posts it.
func (f *follower) post(ctx context.Context, w *logv1.Webhook, n notice) (webhook.Result, error) {
	body, err := f.body(ctx, n)
	if err != nil {
		return webhook.Result{}, err
	}
	r, err := f.s.notices.Webhooks.Post(ctx, w.Url, w.Secret, n.id, f.s.clock(), body)
	if errors.Is(err, webhook.ErrBusy) {
		err = errLater
	}
	return r, err
}

// body is a notice as JSON, as the follower may see it now.
func (f *follower) body(ctx context.Context, n notice) ([]byte, error) {
	data := &v1.NoticeData{Game: render.Game(f.m, f.l, f.viewer(), f.lang), Seat: f.seat, Link: f.s.notices.link(f.l.ID)}
	out := &v1.Notice{Type: noticeTypes[n.kind], Timestamp: timestamppb.New(f.s.clock()), Data: data}
	switch n.kind {
	case logv1.NoticeKind_NOTICE_KIND_RECORD:
		var err error
		if data.Record, err = render.NewRecords(f.s.games, f.l, f.m, f.viewer(), f.lang, false).Record(ctx, n.record); err != nil {
			return nil, err
		}
		out.Timestamp = data.Record.Time
	case logv1.NoticeKind_NOTICE_KIND_ASKED, logv1.NoticeKind_NOTICE_KIND_REMINDER:
		data.Questions = f.questions()
		if due := f.due(); !due.IsZero() {
			data.DueTime = timestamppb.New(due)
		}
	}
	body, err := protojson.Marshal(out)
	if (err != nil || len(body) > mostBody) && data.Record != nil { // too much, or of a type that this program does not know any more
		r := data.Record
		r.Command, r.Notation, r.Rolls, r.Events, data.Shortened = nil, "", nil, nil, true
		body, err = protojson.Marshal(out)
	}
	return body, err
}

// link is the page of a game; empty if there is none.
func (n *notices) link(id string) string {
	if n.Page == "" {
		return ""
	}
	return n.Page + "/#/" + streams.Game(id)
}
