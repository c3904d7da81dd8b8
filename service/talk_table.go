package service

import (
	"context"
	"strings"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/talk"
)

// talk reads the name of a game's talk and gives the game's id.
func (s *shape) talk(name string) string {
	game, found := strings.CutSuffix(name, "/talk")
	if !found {
		s.faults.Add("name", "expected %q", "games/…/talk")
		return ""
	}
	return s.game("name", game)
}

// GetTalk says what holds for the talk of a game.
func (s *talkServer) GetTalk(ctx context.Context, req *v1.GetTalkRequest) (*v1.GetTalkResponse, error) {
	var sh shape
	id := sh.talk(req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	_, e, done, err := s.talking(ctx, v1.TalkService_GetTalk_FullMethodName, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := s.talk.State(ctx, e)
	if err != nil {
		return nil, err
	}
	return &v1.GetTalkResponse{Talk: out}, nil
}

// UpdateTalk changes what holds for the talk of a game.
func (s *talkServer) UpdateTalk(ctx context.Context, req *v1.UpdateTalkRequest) (*v1.UpdateTalkResponse, error) {
	var sh shape
	id := sh.talk(req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	_, e, done, err := s.talking(ctx, v1.TalkService_UpdateTalk_FullMethodName, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	var out *v1.Talk
	if req.SpectatorsRead == nil {
		out, err = s.talk.State(ctx, e)
	} else {
		out, err = s.talk.LetSpectators(ctx, e, req.GetSpectatorsRead())
	}
	if err != nil {
		return nil, err
	}
	return &v1.UpdateTalkResponse{Talk: out}, nil
}

// muting is what is asked for by MuteSeat and UnmuteSeat.
type muting interface {
	GetName() string
	GetMuted() string
	GetSeat() string
	GetForAll() bool
}

// MuteSeat makes a seat silent.
func (s *talkServer) MuteSeat(ctx context.Context, req *v1.MuteSeatRequest) (*v1.MuteSeatResponse, error) {
	out, err := s.mute(ctx, v1.TalkService_MuteSeat_FullMethodName, req, true)
	if err != nil {
		return nil, err
	}
	return &v1.MuteSeatResponse{Talk: out}, nil
}

// UnmuteSeat takes that back.
func (s *talkServer) UnmuteSeat(ctx context.Context, req *v1.UnmuteSeatRequest) (*v1.UnmuteSeatResponse, error) {
	out, err := s.mute(ctx, v1.TalkService_UnmuteSeat_FullMethodName, req, false)
	if err != nil {
		return nil, err
	}
	return &v1.UnmuteSeatResponse{Talk: out}, nil
}

func (s *talkServer) mute(ctx context.Context, method string, req muting, mute bool) (*v1.Talk, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	sh.id("muted", req.GetMuted())
	sh.id("seat", req.GetSeat())
	if req.GetForAll() && req.GetSeat() != "" {
		sh.faults.Add("seat", "expected none for everybody")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	v, e, done, err := s.talking(ctx, method, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	if _, err := seatNamed(v.About, req.GetMuted()); err != nil {
		return nil, err
	}
	if req.GetForAll() {
		if !v.caller.owner {
			return nil, fault.New(fault.NotOwner, "only the owner of the game may do that")
		}
		return s.talk.Mute(ctx, e, req.GetMuted(), mute)
	}
	return s.ignore(ctx, v, e, req, mute)
}

// ignore has one of the caller's seats not read another.
func (s *talkServer) ignore(ctx context.Context, v *visit, e *talk.Ear, req muting, ignore bool) (*v1.Talk, error) {
	if v.caller.acts == 0 { // an owner without a seat
		return nil, fault.New(fault.NotYourSeat, "the caller holds no seat of the game").With("seat", "", "holds", "")
	}
	seat, err := v.speaker(e, req.GetSeat())
	if err != nil {
		return nil, err
	}
	if e.Acts&live.SeatSet(v.About, req.GetMuted()) != 0 {
		var faults fault.Violations
		faults.Add("muted", "expected a seat of somebody else")
		return nil, faults.Err(fault.ValidationFailed)
	}
	return s.talk.Ignore(ctx, e, v.About.SeatID(seat), req.GetMuted(), ignore)
}

// ReportMessage tells the owner of a message.
func (s *talkServer) ReportMessage(
	ctx context.Context, req *v1.ReportMessageRequest,
) (*v1.ReportMessageResponse, error) {
	var sh shape
	game, id := sh.message(req.GetName())
	sh.id("seat", req.GetSeat())
	sh.text("reason", req.GetReason(), live.MaxReason)
	if err := sh.err(); err != nil {
		return nil, err
	}
	v, e, done, err := s.talking(ctx, v1.TalkService_ReportMessage_FullMethodName, game, "")
	if err != nil {
		return nil, err
	}
	defer done()
	seat, err := v.speaker(e, req.GetSeat())
	if err != nil {
		return nil, err
	}
	note(ctx).seat = v.About.SeatID(seat)
	if err := s.talk.Report(ctx, e, seat, id, req.GetReason()); err != nil {
		return nil, err
	}
	return new(v1.ReportMessageResponse), nil
}

// ListReports lists what was reported to the owner.
func (s *talkServer) ListReports(ctx context.Context, req *v1.ListReportsRequest) (*v1.ListReportsResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	if err := sh.err(); err != nil {
		return nil, err
	}
	_, e, done, err := s.talking(ctx, v1.TalkService_ListReports_FullMethodName, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := s.talk.Reports(ctx, e)
	if err != nil {
		return nil, err
	}
	return &v1.ListReportsResponse{Reports: out}, nil
}

// hearAs reads what may be read as a seat, for the notices of its webhooks and mailboxes.
func (s *Service) hearAs(ctx context.Context, l *live.Game, m *live.Moment, seat string) ([]*v1.Message, error) {
	seats := live.SeatSet(l.About, seat)
	e := &talk.Ear{Game: l.ID, About: l.About, Moment: m, Sees: seats, Acts: seats}
	if _, computer := m.Table.Computers[seat]; computer {
		e.Acts = 0
	}
	heard, err := s.talk.Hear(ctx, e, v1.Audience_AUDIENCE_UNSPECIFIED)
	if err != nil {
		return nil, err
	}
	return heard.Messages, nil
}
