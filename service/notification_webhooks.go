package service

import (
	"context"
	"regexp"
	"slices"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/webhook"
)

// Bounds of webhooks.
const (
	maxWebhooks  = 32 // of a game
	seatWebhooks = 4  // of a seat, or of the owner
)

var webhookName = regexp.MustCompile(`^games/([a-z2-7]{26})/webhooks/([a-z2-7]{16})$`)

// everyKind are the kinds of notices; the owner, who holds no seat, is asked nothing.
var everyKind = []logv1.NoticeKind{
	logv1.NoticeKind_NOTICE_KIND_RECORD, logv1.NoticeKind_NOTICE_KIND_ASKED, logv1.NoticeKind_NOTICE_KIND_REMINDER,
	logv1.NoticeKind_NOTICE_KIND_OVER,
}

// nameableKinds are all that can be asked for: what others say only by name.
var nameableKinds = append(slices.Clone(everyKind), logv1.NoticeKind_NOTICE_KIND_MESSAGE)

var ownersKinds = []logv1.NoticeKind{logv1.NoticeKind_NOTICE_KIND_RECORD, logv1.NoticeKind_NOTICE_KIND_OVER}

// subscription reads the name of a webhook or mailbox and gives the game's id and its own.
func (s *shape) subscription(field, name string, pattern *regexp.Regexp, like string) (game, id string) {
	m := pattern.FindStringSubmatch(name)
	if m == nil {
		s.faults.Add(field, "expected %q", like)
		return "", ""
	}
	return m[1], m[2]
}

func (s *shape) webhook(name string) (game, id string) {
	return s.subscription("name", name, webhookName, "games/…/webhooks/…")
}

// CreateWebhook makes a webhook.
func (s *notificationServer) CreateWebhook(
	ctx context.Context, req *v1.CreateWebhookRequest,
) (*v1.CreateWebhookResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	request := sh.secretRequest("request_id", req.GetRequestId())
	w := s.readWebhook(&sh, req)
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, w.Seat, tokens.BlindID(request)
	out := new(v1.CreateWebhookResponse)
	err := s.write(ctx, v1.NotificationService_CreateWebhook_FullMethodName, id, rules.English, func(v *visit) error {
		if !s.notices.Posts() {
			return fault.New(fault.WebhooksOff, "the server posts to no webhooks")
		}
		kept, err := s.addWebhook(ctx, v, w, request)
		if err != nil {
			return err
		}
		out.Webhook, err = s.webhookMessage(ctx, id, kept)
		out.Secret = webhook.FormatSecret(kept.Secret)
		return err
	})
	return answer(out, err)
}

// readWebhook checks what is asked for.
func (s *Service) readWebhook(sh *shape, req *v1.CreateWebhookRequest) *logv1.Webhook {
	in := req.GetWebhook()
	sh.id("webhook.seat", in.GetSeat())
	sh.text("webhook.note", in.GetNote(), maxTokenNote)
	lang := sh.language("webhook.language_code", in.GetLanguageCode())
	if fault := s.notices.CheckURL(in.GetUrl()); fault != "" {
		sh.faults.Add("webhook.url", "%s", fault)
	}
	w := &logv1.Webhook{Seat: in.GetSeat(), Url: in.GetUrl(), Note: in.GetNote(), LanguageCode: string(lang)}
	if text := req.GetSecret(); text != "" {
		secret, err := webhook.ParseSecret(text)
		if err != nil {
			sh.faults.Add("secret", "%s", err)
		}
		w.Secret = secret
	}
	if len(in.GetKinds()) > len(nameableKinds) {
		sh.faults.Add("webhook.kinds", "%d, at most %d are allowed", len(in.GetKinds()), len(nameableKinds))
		return w
	}
	for _, kind := range in.GetKinds() {
		if !slices.Contains(nameableKinds, kind) || slices.Contains(w.Kinds, kind) {
			sh.faults.Add("webhook.kinds", "expected kinds of notices, each once")
		}
		w.Kinds = append(w.Kinds, kind)
	}
	slices.Sort(w.Kinds)
	return w
}

// addWebhook keeps a webhook, or finds it if it was made before. The caller is the game's writer.
func (s *Service) addWebhook(
	ctx context.Context, v *visit, w *logv1.Webhook, request uuid.UUID,
) (*logv1.Webhook, error) {
	m := v.Current()
	if err := v.subscriber(w); err != nil {
		return nil, err
	}
	w.Id = tokens.SubscriptionID(m.Meta.TokenSecret, "webhook", request)
	if w.Secret == nil {
		w.Secret = []byte(tokens.Derive(m.Meta.TokenSecret, "webhook-secret", "", request))[:48]
	}
	if old := notice.WebhookByID(m.Meta, w.Id); old != nil {
		if old.Seat != w.Seat || old.Url != w.Url || old.Note != w.Note || old.LanguageCode != w.LanguageCode ||
			!slices.Equal(old.Kinds, w.Kinds) || string(old.Secret) != string(w.Secret) {
			return nil, live.Reused(m.Version())
		}
		return old, nil
	}
	if m.Table.Over {
		return nil, gameOver()
	}
	mine := 0
	for _, old := range m.Meta.Webhooks {
		if old.Seat == w.Seat {
			mine++
		}
	}
	if mine >= seatWebhooks || len(m.Meta.Webhooks) >= maxWebhooks {
		return nil,
			fault.New(fault.TooManyWebhooks, "the seat has %d webhooks and the game %d", mine, len(m.Meta.Webhooks)).
				With("limit", seatWebhooks).Quota("webhooks")
	}
	if err := s.notices.KeepBook(ctx, v.ID); err != nil {
		return nil, err
	}
	w.CreateTime, w.AfterVersion = timestamppb.New(s.clock()), m.Version()
	return w, s.games.Amend(ctx, v.Game, func(meta *logv1.GameMeta) { meta.Webhooks = append(meta.Webhooks, w) })
}

// subscriber finds whose a webhook is to be: the owner's, or a seat's, with the token of that and no other.
func (v *visit) subscriber(w *logv1.Webhook) error {
	if w.Seat == "" && v.caller.ownsTokens {
		if len(w.Kinds) == 0 {
			w.Kinds = ownersKinds
		}
		for _, kind := range w.Kinds {
			if !slices.Contains(ownersKinds, kind) {
				var faults fault.Violations
				faults.Add("webhook.kinds",
					"expected NOTICE_KIND_RECORD or NOTICE_KIND_OVER for a webhook without a seat")
				return faults.Err(fault.ValidationFailed)
			}
		}
		return nil
	}
	if v.caller.may == 0 { // what was made of the owner's token
		return tooNarrow(w.Seat)
	}
	seat, err := v.caller.seat(v.About, w.Seat)
	w.Seat = v.About.SeatID(seat)
	if len(w.Kinds) == 0 {
		w.Kinds = everyKind
	}
	return err
}

// belongs reports whether something of a seat, or of the owner, is the caller's.
func (c *caller) belongs(about *rules.About, seat string) bool {
	if seat == "" {
		return c.ownsTokens
	}
	return c.own&live.SeatSet(about, seat) != 0
}

// webhookMessage is a webhook with how it fares.
func (s *Service) webhookMessage(ctx context.Context, game string, w *logv1.Webhook) (*v1.Webhook, error) {
	state, err := s.notices.State(ctx, game, w.Id)
	if err != nil {
		return nil, err
	}
	return &v1.Webhook{
		Name: streams.Games + game + "/webhooks/" + w.Id, Seat: w.Seat, Url: w.Url, Kinds: w.Kinds,
		LanguageCode: w.LanguageCode, Note: w.Note,
		CreateTime: w.CreateTime, Delivery: delivery(state, w.AfterVersion),
	}, nil
}

// delivery is how a webhook or mailbox fares.
func delivery(state *logv1.NoticeState, after uint64) *v1.Delivery {
	d := &v1.Delivery{
		State: v1.SubscriptionState_SUBSCRIPTION_STATE_ACTIVE, AfterVersion: max(after, state.GetAfterVersion()),
		Attempts: state.GetAttempts(), Failure: state.GetFailure(),
		FailingSince: state.GetFailingSince(), SuccessTime: state.GetSuccessTime(),
	}
	switch {
	case state.GetDisabled():
		d.State = v1.SubscriptionState_SUBSCRIPTION_STATE_DISABLED
	case state.GetAttempts() > 0:
		d.State, d.RetryTime = v1.SubscriptionState_SUBSCRIPTION_STATE_FAILING, state.WakeTime
	}
	return d
}

// withWebhook lets a caller in to a webhook of theirs; others do not see it.
func (s *Service) withWebhook(ctx context.Context, method, name string, f func(*visit, *logv1.Webhook) error) error {
	var sh shape
	game, id := sh.webhook(name)
	if err := sh.err(); err != nil {
		return err
	}
	note(ctx).game = game
	v, done, err := s.enter(ctx, method, game, rules.English)
	if err != nil {
		return err
	}
	defer done()
	w := notice.WebhookByID(v.Current().Meta, id)
	if w == nil || !v.caller.belongs(v.About, w.Seat) {
		return fault.New(fault.WebhookNotFound, "there is no such webhook").With("webhook", id).
			Resource("webhook", name)
	}
	return f(v, w)
}

// GetWebhook gives a webhook.
func (s *notificationServer) GetWebhook(
	ctx context.Context, req *v1.GetWebhookRequest,
) (*v1.GetWebhookResponse, error) {
	out := new(v1.GetWebhookResponse)
	err := s.withWebhook(ctx, v1.NotificationService_GetWebhook_FullMethodName,
		req.GetName(), func(v *visit, w *logv1.Webhook) (err error) {
			out.Webhook, err = s.webhookMessage(ctx, v.ID, w)
			return err
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ListWebhooks lists the caller's webhooks.
func (s *notificationServer) ListWebhooks(
	ctx context.Context, req *v1.ListWebhooksRequest,
) (*v1.ListWebhooksResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	v, done, err := s.enter(ctx, v1.NotificationService_ListWebhooks_FullMethodName, id, rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	out := new(v1.ListWebhooksResponse)
	for _, w := range v.Current().Meta.Webhooks {
		if !v.caller.belongs(v.About, w.Seat) {
			continue
		}
		message, err := s.webhookMessage(ctx, id, w)
		if err != nil {
			return nil, err
		}
		out.Webhooks = append(out.Webhooks, message)
	}
	return out, nil
}

// DeleteWebhook ends a webhook.
func (s *notificationServer) DeleteWebhook(
	ctx context.Context, req *v1.DeleteWebhookRequest,
) (*v1.DeleteWebhookResponse, error) {
	var sh shape
	game, id := sh.webhook(req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = game
	err := s.write(ctx, v1.NotificationService_DeleteWebhook_FullMethodName, game, rules.English, func(v *visit) error {
		w := notice.WebhookByID(v.Current().Meta, id)
		if w == nil || !v.caller.belongs(v.About, w.Seat) {
			return nil // gone, or not for the caller to know of
		}
		return s.games.Amend(ctx, v.Game, func(meta *logv1.GameMeta) {
			meta.Webhooks = slices.DeleteFunc(meta.Webhooks, func(w *logv1.Webhook) bool { return w.Id == id })
		})
	})
	if err != nil {
		return nil, err
	}
	return new(v1.DeleteWebhookResponse), nil
}

// PingWebhook posts to a webhook at once.
func (s *notificationServer) PingWebhook(
	ctx context.Context, req *v1.PingWebhookRequest,
) (*v1.PingWebhookResponse, error) {
	out := new(v1.PingWebhookResponse)
	err := s.withWebhook(ctx, v1.NotificationService_PingWebhook_FullMethodName,
		req.GetName(), func(v *visit, w *logv1.Webhook) (err error) {
			if !s.notices.Posts() {
				return fault.New(fault.WebhooksOff, "the server posts to no webhooks")
			}
			r, err := s.notices.Ping(ctx, v.Game, w)
			if err != nil {
				return err
			}
			out.StatusCode, out.Failure, out.Delivered = int32(r.Status), r.Failure, r.Failure == ""
			out.Webhook, err = s.webhookMessage(ctx, v.ID, w)
			return err
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}
