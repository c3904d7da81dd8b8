package service

import (
	"context"
	"errors"
	"regexp"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/talk"
	"github.com/warledger/warledger/service/internal/tokens"
)

// Pages of messages.
const (
	usualMessages = 100
	mostMessages  = 500
)

var messageName = regexp.MustCompile(`^games/([a-z2-7]{26})/messages/([a-z2-7]{16})$`)

// message reads the name of a message and gives the game's id and its own.
func (s *shape) message(name string) (game, id string) {
	return s.subscription("name", name, messageName, "games/…/messages/…")
}

// audience reads to whom something is said.
func (s *shape) audience(field string, a v1.Audience) v1.Audience {
	if _, known := v1.Audience_name[int32(a)]; !known {
		s.faults.Add(field, "%d is not an audience", a)
	}
	return a
}

// ear is the caller as far as talk is concerned, looking as a viewer.
func (v *visit) ear(viewer string) (*talk.Ear, error) {
	m := v.Current()
	e := &talk.Ear{Game: v.ID, About: v.About, Moment: m, Sees: v.caller.seats, Acts: v.caller.acts,
		Owner: v.caller.owner}
	switch viewer {
	case "":
	case spectatorID:
		e.Sees, e.Acts, e.Owner = 0, 0, false
	default:
		seat, err := seatNamed(v.About, viewer)
		if err != nil {
			return nil, err
		}
		one := rules.SeatsOf(seat)
		if e.Sees&one == 0 { // also when the game is over: what was said in private stays private
			return nil, fault.New(fault.NotYourSeat, "the caller does not hold the seat %s", viewer).
				With("seat", viewer, "holds", live.SeatList(v.About, v.caller.seats))
		}
		e.Sees, e.Acts, e.Owner = one, e.Acts&one, false
	}
	for seat := range m.Table.Computers {
		e.Acts &^= live.SeatSet(v.About, seat)
	}
	return e, nil
}

// speaker finds the seat that a call speaks for.
func (v *visit) speaker(e *talk.Ear, id string) (rules.Seat, error) {
	seat, err := v.caller.seat(v.About, id)
	if err == nil && !e.Acts.Has(seat) {
		return rules.NoSeat, fault.New(fault.ComputerSilent, "a computer holds the seat %s", v.About.SeatID(seat)).
			With("seat", v.About.SeatID(seat))
	}
	return seat, err
}

// talking lets a caller in to the talk of a game.
func (s *Service) talking(ctx context.Context, method, game, viewer string) (*visit, *talk.Ear, func(), error) {
	note(ctx).game = game
	v, done, err := s.enter(ctx, method, game, rules.English)
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := v.ear(viewer)
	if err != nil {
		done()
		return nil, nil, nil, err
	}
	return v, e, done, nil
}

// CreateMessage says something.
func (s *talkServer) CreateMessage(
	ctx context.Context, req *v1.CreateMessageRequest,
) (*v1.CreateMessageResponse, error) {
	var sh shape
	in := req.GetMessage()
	id := sh.game("parent", req.GetParent())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("message.seat", in.GetSeat())
	sh.id("message.space", in.GetSpace())
	d := talk.Draft{Audience: sh.audience("message.audience", in.GetAudience()), Text: in.GetText(),
		Space: in.GetSpace(), Record: in.GetRecord()}
	if d.Audience == v1.Audience_AUDIENCE_UNSPECIFIED {
		d.Audience = v1.Audience_AUDIENCE_TABLE
	}
	sh.text("message.text", d.Text, s.talk.Limits().Characters)
	if d.Text == "" {
		sh.faults.Add("message.text", "the text has no visible characters")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	if s.talk.Limits().Off {
		return nil, fault.New(fault.TalkOff, "talk is switched off on this server")
	}
	n := note(ctx)
	n.request = request.String()
	v, e, done, err := s.talking(ctx, v1.TalkService_CreateMessage_FullMethodName, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	if d.Seat, err = v.speaker(e, in.GetSeat()); err != nil {
		return nil, err
	}
	n.seat = v.About.SeatID(d.Seat)
	if err := v.pinned(e, in); err != nil {
		return nil, err
	}
	d.ID = tokens.MessageID(e.Moment.Meta.TokenSecret, d.Audience.String(), n.seat, request)
	out, err := s.talk.Say(ctx, e, d)
	if err != nil {
		return nil, err
	}
	s.notices.Talked(v.Game, e.Moment)
	return &v1.CreateMessageResponse{Message: out}, nil
}

// pinned checks what a message is pinned to. That a record exists is public, so any record will do.
func (v *visit) pinned(e *talk.Ear, m *v1.Message) error {
	switch pin := m.GetPin().(type) {
	case *v1.Message_Record:
		if _, _, err := e.Moment.Place(pin.Record); err != nil {
			return err
		}
		if pin.Record == 0 {
			var faults fault.Violations
			faults.Add("message.record", "expected the version of a record, from 1")
			return faults.Err(fault.ValidationFailed)
		}
	case *v1.Message_Space:
		for _, space := range v.Ruleset.Map(v.Scenario.Rules, rules.English).Spaces {
			if space.Id == pin.Space {
				return nil
			}
		}
		var faults fault.Violations
		faults.Add("message.space", "the map has no space %q", clip(pin.Space))
		return faults.Err(fault.ValidationFailed)
	}
	return nil
}

// ListMessages lists what the caller may read.
func (s *talkServer) ListMessages(ctx context.Context, req *v1.ListMessagesRequest) (*v1.ListMessagesResponse, error) {
	var sh shape
	id := sh.game("parent", req.GetParent())
	audience := sh.audience("audience", req.GetAudience())
	sh.id("viewer", req.GetViewer())
	size := sh.page("page_size", req.GetPageSize(), usualMessages, mostMessages)
	if err := sh.err(); err != nil {
		return nil, err
	}
	binding := []any{"messages", id, audience, req.GetViewer()}
	at, err := pageStart(req.GetPageToken(), binding...)
	if err != nil {
		return nil, err
	}
	heard, err := s.heardBy(ctx, id, req.GetViewer(), audience)
	if err != nil {
		return nil, err
	}
	// A token names the message that the page before ended with and when it was said: both were shown.
	out, list := new(v1.ListMessagesResponse), heard.Messages
	if at != "" {
		if list, err = before(list, at); err != nil {
			return nil, err
		}
	}
	var used page
	for i := len(list) - 1; i >= 0 && len(out.Messages) < size && !used.full(); i-- {
		used.add(list[i])
		out.Messages = append(out.Messages, list[i])
	}
	if n := len(out.Messages); n < len(list) {
		last := out.Messages[n-1]
		out.NextPageToken = pageToken(pageNumbers(uint64(last.CreateTime.AsTime().UnixNano()))+last.Name, binding...)
	}
	return out, nil
}

// heardBy returns the messages that the caller may read. It decides on a state of the game no older than the messages.
func (s *talkServer) heardBy(ctx context.Context, id, viewer string, audience v1.Audience) (*talk.Heard, error) {
	for {
		v, e, done, err := s.talking(ctx, v1.TalkService_ListMessages_FullMethodName, id, viewer)
		if err != nil {
			return nil, err
		}
		heard, err := s.talk.Hear(ctx, e, audience)
		overtaken := false
		if err == nil {
			overtaken, err = s.overtaken(ctx, v.Game, e.Moment)
		}
		done()
		if err != nil || !overtaken {
			return heard, err
		}
	}
}

// overtaken reports whether a game has gone on since a moment, in memory or in the store. Messages and holders of seats
// are stored apart. So a message read after that moment may be one that the caller must no longer read: a player
// removed meanwhile would learn what the side says afterwards.
func (s *Service) overtaken(ctx context.Context, l *live.Game, m *live.Moment) (bool, error) {
	if err := s.games.Sync(ctx, l); err != nil && !errors.Is(err, live.ErrAgain) {
		return false, err
	}
	return l.Dropped() || l.Current() != m, nil
}

// before are the messages that were said before the one that a page ended with, which may be gone.
func before(list []*v1.Message, at string) ([]*v1.Message, error) {
	nameAt := len(at) - len("games//messages/") - tokens.GameIDChars - tokens.MessageIDChars
	var nanos uint64
	if nameAt < 0 || !pageValues(at[:nameAt], &nanos) {
		return nil, fault.New(fault.PageTokenInvalid, "the page token does not belong to this list")
	}
	end := &v1.Message{Name: at[nameAt:], CreateTime: timestamppb.New(time.Unix(0, int64(nanos)))}
	for i, m := range list {
		if talk.Compare(m, end) >= 0 {
			return list[:i], nil
		}
	}
	return list, nil
}

// DeleteMessage deletes a message.
func (s *talkServer) DeleteMessage(
	ctx context.Context, req *v1.DeleteMessageRequest,
) (*v1.DeleteMessageResponse, error) {
	var sh shape
	game, id := sh.message(req.GetName())
	if err := sh.err(); err != nil {
		return nil, err
	}
	_, e, done, err := s.talking(ctx, v1.TalkService_DeleteMessage_FullMethodName, game, "")
	if err != nil {
		return nil, err
	}
	defer done()
	if err := s.talk.Delete(ctx, e, id); err != nil {
		return nil, err
	}
	return new(v1.DeleteMessageResponse), nil
}
