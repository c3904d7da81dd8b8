package service

import (
	"context"
	"regexp"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/mail"
)

// Times of mailboxes.
const (
	usualInterval   = 15 * time.Minute
	leastInterval   = time.Minute
	longestInterval = 7 * 24 * time.Hour
)

var mailboxName = regexp.MustCompile(`^games/([a-z2-7]{26})/mailboxes/([a-z2-7]{16})$`)

func (s *shape) mailbox(name string) (game, id string) {
	return s.subscription("name", name, mailboxName, "games/…/mailboxes/…")
}

// CreateMailbox asks an address whether it wants mail.
func (s *notificationServer) CreateMailbox(
	ctx context.Context, req *v1.CreateMailboxRequest,
) (*v1.CreateMailboxResponse, error) {
	var sh shape
	in := req.GetMailbox()
	id := sh.game("parent", req.GetParent())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("mailbox.seat", in.GetSeat())
	lang := sh.language("mailbox.language_code", in.GetLanguageCode())
	if fault := mail.CheckAddress(in.GetAddress()); fault != "" {
		sh.faults.Add("mailbox.address", "%s", fault)
	}
	interval := usualInterval
	if d := in.GetMinInterval(); d != nil {
		if interval = d.AsDuration(); d.CheckValid() != nil || interval < leastInterval || interval > longestInterval {
			sh.faults.Add("mailbox.min_interval", "expected %s to %s", leastInterval, longestInterval)
		}
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, in.GetSeat(), request.String()
	out := new(v1.CreateMailboxResponse)
	err := s.write(ctx, v1.NotificationService_CreateMailbox_FullMethodName, id, rules.English, func(v *visit) error {
		if !s.notices.SendsMail() {
			return fault.New(fault.MailOff, "the server sends no mail")
		}
		m := v.Current()
		if v.caller.may == 0 {
			return fault.New(fault.NotYourSeat, "mail is for the holder of a seat").With("seat", in.GetSeat(),
				"holds", "")
		}
		seat, err := v.caller.seat(v.About, in.GetSeat())
		if err != nil {
			return err
		}
		b := &logv1.Mailbox{
			Id: tokens.SubscriptionID(m.Meta.TokenSecret, "mailbox", request), Seat: v.About.SeatID(seat),
			Address: in.GetAddress(), LanguageCode: string(lang),
			MinInterval: durationpb.New(interval), CreateTime: timestamppb.New(s.clock()), AfterVersion: m.Version(),
			Messages: in.GetMessages(),
		}
		if b, err = s.addMailbox(ctx, v, m, b); err != nil {
			return err
		}
		out.Mailbox, err = s.mailboxMessage(ctx, id, b)
		return err
	})
	return answer(out, err)
}

// addMailbox keeps a mailbox, or finds it if it was made before. The caller is the game's writer.
func (s *Service) addMailbox(ctx context.Context, v *visit, m *live.Moment, b *logv1.Mailbox) (*logv1.Mailbox, error) {
	if old := notice.MailboxByID(m.Meta, b.Id); old != nil {
		if old.Seat != b.Seat || old.Address != b.Address || old.LanguageCode != b.LanguageCode ||
			old.MinInterval.AsDuration() != b.MinInterval.AsDuration() || old.Messages != b.Messages {
			return nil, live.Reused(m.Version())
		}
		return old, nil
	}
	if m.Table.Over {
		return nil, gameOver()
	}
	if wait := s.notices.MayAskAddress(b.Address); wait > 0 {
		return nil, fault.New(fault.RateLimited, "the address was asked often enough whether it wants mail").
			With("limit", notice.MostConfirmations).Quota("confirmations of one address").RetryAfter(wait)
	}
	if err := s.notices.KeepBook(ctx, v.ID); err != nil {
		return nil, err
	}
	return b, s.games.Amend(ctx, v.Game, func(meta *logv1.GameMeta) {
		meta.Mailboxes = slices.DeleteFunc(meta.Mailboxes,
			func(old *logv1.Mailbox) bool { return old.Seat == b.Seat && !old.Evicted })
		meta.Mailboxes = append(meta.Mailboxes, b)
	})
}

func (s *Service) mailboxMessage(ctx context.Context, game string, b *logv1.Mailbox) (*v1.Mailbox, error) {
	state, err := s.notices.State(ctx, game, b.Id)
	if err != nil {
		return nil, err
	}
	d := delivery(state, b.AfterVersion)
	if !b.Confirmed && d.State == v1.SubscriptionState_SUBSCRIPTION_STATE_ACTIVE {
		d.State = v1.SubscriptionState_SUBSCRIPTION_STATE_UNCONFIRMED
	}
	return &v1.Mailbox{
		Name: streams.Games + game + "/mailboxes/" + b.Id, Seat: b.Seat, Address: b.Address,
		LanguageCode: b.LanguageCode, MinInterval: b.MinInterval,
		CreateTime: b.CreateTime, Delivery: d, Messages: b.Messages,
	}, nil
}

// ListMailboxes lists the caller's mailboxes.
func (s *notificationServer) ListMailboxes(
	ctx context.Context, req *v1.ListMailboxesRequest,
) (*v1.ListMailboxesResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = id
	v, done, err := s.enter(ctx, v1.NotificationService_ListMailboxes_FullMethodName, id, rules.English)
	if err != nil {
		return nil, err
	}
	defer done()
	out := new(v1.ListMailboxesResponse)
	for _, seat := range v.About.Seats {
		for _, b := range v.Current().Meta.Mailboxes {
			if b.Seat != seat.ID || b.Evicted || !v.caller.belongs(v.About, b.Seat) {
				continue
			}
			message, err := s.mailboxMessage(ctx, id, b)
			if err != nil {
				return nil, err
			}
			out.Mailboxes = append(out.Mailboxes, message)
		}
	}
	return out, nil
}

// ConfirmMailbox agrees to mail.
func (s *notificationServer) ConfirmMailbox(
	ctx context.Context, req *v1.ConfirmMailboxRequest,
) (*v1.ConfirmMailboxResponse, error) {
	var sh shape
	game, id := sh.mailbox(req.GetName())
	sh.size("code", len(req.GetCode()), tokens.CodeChars)
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = game
	if err := s.confirmMailbox(ctx, game, id, req.GetCode()); err != nil {
		return nil, err
	}
	return new(v1.ConfirmMailboxResponse), nil
}

// withCode finds a mailbox that a code opens, without folding the game: anybody may try. Whether there is one is not
// told to whoever has no code.
func (s *Service) withCode(ctx context.Context, game, id, purpose, code string) error {
	info, err := s.store.Head(ctx, streams.Game(game))
	if err == nil {
		if kept, err := ledger.DecodeMeta(info.Meta); err == nil && len(kept.TokenSecret) > 0 &&
			tokens.SameCode(code, tokens.MailCode(kept.TokenSecret, purpose, id)) {
			return nil
		}
	}
	return fault.New(fault.CodeInvalid, "the code is not the one that was sent for this mailbox")
}

func (s *Service) confirmMailbox(ctx context.Context, game, id, code string) error {
	if err := s.withCode(ctx, game, id, tokens.CodeConfirm, code); err != nil {
		return err
	}
	return s.games.Change(ctx, game, func(l *live.Game) error {
		b := notice.MailboxByID(l.Current().Meta, id)
		switch {
		case b == nil:
			return fault.New(fault.MailboxNotFound, "the mailbox is gone, or its code has expired").With("mailbox", id).
				Resource("mailbox", streams.Game(game)+"/mailboxes/"+id)
		case b.Confirmed:
			return nil
		}
		return s.games.Amend(ctx, l, func(meta *logv1.GameMeta) { notice.MailboxByID(meta, id).Confirmed = true })
	})
}

// DeleteMailbox ends mail to an address.
func (s *notificationServer) DeleteMailbox(
	ctx context.Context, req *v1.DeleteMailboxRequest,
) (*v1.DeleteMailboxResponse, error) {
	var sh shape
	game, id := sh.mailbox(req.GetName())
	sh.size("code", len(req.GetCode()), tokens.CodeChars)
	if err := sh.err(); err != nil {
		return nil, err
	}
	note(ctx).game = game
	if req.GetCode() != "" {
		if err := s.endMail(ctx, game, id, req.GetCode()); err != nil {
			return nil, err
		}
		return new(v1.DeleteMailboxResponse), nil
	}
	err := s.write(ctx, v1.NotificationService_DeleteMailbox_FullMethodName, game, rules.English, func(v *visit) error {
		b := notice.MailboxByID(v.Current().Meta, id)
		if b == nil || !v.caller.belongs(v.About, b.Seat) {
			return nil // gone, or not for the caller to know of
		}
		return s.notices.ForgetMailbox(ctx, v.Game, id)
	})
	if err != nil {
		return nil, err
	}
	return new(v1.DeleteMailboxResponse), nil
}

// endMail ends mail with the code that is in each.
func (s *Service) endMail(ctx context.Context, game, id, code string) error {
	if err := s.withCode(ctx, game, id, tokens.CodeUnsubscribe, code); err != nil {
		return err
	}
	return s.games.Change(ctx, game, func(l *live.Game) error {
		if notice.MailboxByID(l.Current().Meta, id) == nil {
			return nil
		}
		return s.notices.ForgetMailbox(ctx, l, id)
	})
}
