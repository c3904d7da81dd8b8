package service

import (
	"context"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/computers"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// SeatComputer gives a free seat to a computer.
func (s *computerServer) SeatComputer(
	ctx context.Context, req *v1.SeatComputerRequest,
) (*v1.SeatComputerResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.secretRequest("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	computer := sh.computer("computer", req.GetComputer())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), tokens.BlindID(request)
	out := new(v1.SeatComputerResponse)
	post := &logv1.ComputerPost{Game: id, Seat: req.GetSeat(), RequestId: request.String(),
		GivesUp: req.GetGivesUp()}
	err := s.write(ctx, v1.ComputerService_SeatComputer_FullMethodName, id, rules.English, func(v *visit) error {
		if _, err := seatNamed(v.About, req.GetSeat()); err != nil {
			return err
		}
		r, err := s.tableRetry(ctx, v, tokens.BlindID(request), func(e *logv1.TableEvent) bool {
			was := e.GetSeatTaken()
			return was != nil && was.Seat == req.GetSeat() && was.Computer == computer &&
				was.GivesUp == req.GetGivesUp()
		})
		m := v.Current()
		if r == nil && err == nil {
			m, err = s.seatComputer(ctx, v, computer, post, tokens.BlindID(request))
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	if post.GiveTime != nil && fault.ReasonOf(err) == string(fault.SeatTaken) { // another server was quicker
		_ = s.computers.Drop(ctx, id, post.Seat, func(p *logv1.ComputerPost) bool {
			return p.RequestId == post.RequestId
		})
	}
	return answer(out, err)
}

func (s *Service) seatComputer(
	ctx context.Context, v *visit, computer string, post *logv1.ComputerPost, id string,
) (*live.Moment, error) {
	m := v.Current()
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	if holder, held := m.Table.Holders[post.Seat]; held {
		return nil,
			fault.New(fault.SeatTaken, "the seat %s is held", post.Seat).With("seat", post.Seat, "holder", holder)
	}
	giver, err := v.mayGive(m, post.Seat)
	if err != nil {
		return nil, err
	}
	offer := s.computers.Find(computer)
	if offer == nil {
		return nil, fault.New(fault.ComputerNotFound, "no computer %q is on offer", clip(computer)).
			With("computer", clip(computer)).Resource("computer", streams.Computers+clip(computer))
	}
	if err := v.suits(offer); err != nil {
		return nil, err
	}
	// A computer keeps no secret of a player whom the owner put out: once it is gone, that player would be forgotten.
	if err := v.mayKnow(m, post.Seat); err != nil {
		return nil, err
	}
	taken := &logv1.SeatTaken{Seat: post.Seat, Holder: offer.Shown.Title, Computer: offer.ID, GivenBy: giver,
		GivesUp: post.GivesUp}
	if r := v.About.CheckSeating(players(&m.Table, v.About, taken)); r != nil {
		return nil, fault.Refused(v.About, r, v.lang)
	}
	from := s.admission.Caller(ctx)
	if err := sittingRoom(v, m, from); err != nil {
		return nil, err
	}
	if err := s.computers.Give(ctx, offer, post, from); err != nil {
		return nil, err
	}
	// If it fails, whether it was stored is not always known: the post goes by itself if the game does not know it.
	return s.sit(ctx, v, m, taken, id, postToken(m, post), from)
}

// suits says why a computer does not play a game.
func (v *visit) suits(o *computers.Offer) error {
	ruleset, cause := "rulesets/"+v.Created.Ruleset, ""
	switch {
	case !o.Plays(ruleset, ""):
		cause = "ruleset"
	case !o.Plays(ruleset, v.Created.Scenario):
		cause = "scenario"
	case v.Created.Dice != logv1.DiceKind_DICE_KIND_COMMITTED:
		cause = "dice"
	default:
		return nil
	}
	return fault.New(fault.ComputerUnsuited, "%s does not play this game: its %s", o.Shown.Title, cause).
		With("computer", o.ID, "cause", cause)
}

// mayGive says why the caller may not give a seat to a computer. Otherwise it returns the seat whose holder gives it;
// empty for the owner and those whom the owner invites.
func (v *visit) mayGive(m *live.Moment, id string) (giver string, err error) {
	if err := v.mayJoin(m, id); err != nil {
		return "", err
	}
	if v.caller.owner || v.caller.joins&live.SeatSet(v.About, id) != 0 {
		return "", nil
	}
	for seat := range v.caller.acts.Each {
		return v.About.SeatID(seat), nil
	}
	// Otherwise a stranger could fill other people's games with computers.
	return "", fault.New(fault.InvitationRequired,
		"only the owner, those whom the owner invites, and players of the game may give the seat %s to a computer", id).
		With("seat", id)
}

// UnseatComputer takes a seat back from a computer.
func (s *computerServer) UnseatComputer(
	ctx context.Context, req *v1.UnseatComputerRequest,
) (*v1.UnseatComputerResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.UnseatComputerResponse)
	err := s.write(ctx, v1.ComputerService_UnseatComputer_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := seatNamed(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool {
			return e.GetSeatLeft().GetTakenBack() && e.GetSeatLeft().Seat == req.GetSeat()
		})
		m := v.Current()
		if r == nil && err == nil {
			if err = v.mayTakeBack(m, seat); err == nil {
				m, err = s.takeBack(ctx, v, req.GetSeat(), request.String())
			}
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// mayTakeBack says why the caller may not take a seat back from a computer.
func (v *visit) mayTakeBack(m *live.Moment, seat rules.Seat) error {
	id := v.About.SeatID(seat)
	computer, seated := m.Table.Computers[id]
	switch {
	case m.Table.Over:
		return gameOver()
	case !seated:
		return fault.New(fault.ComputerNotSeated, "no computer holds the seat %s", id).With("seat", id)
	case v.caller.owner, v.caller.joins.Has(seat), v.caller.acts&live.SeatSet(v.About, computer.GivenBy) != 0:
		return nil
	}
	return fault.New(fault.ComputerNotYours, "the caller did not give the seat %s to the computer", id).With("seat", id)
}

// takeBack frees the seat of a computer. The computer keeps nothing: it is never asked for consent as a person is who
// was put out.
func (s *Service) takeBack(ctx context.Context, v *visit, id, request string) (*live.Moment, error) {
	return s.vacate(ctx, v, &logv1.SeatLeft{Seat: id, TakenBack: true}, "", request,
		func(meta *logv1.GameMeta) { tokens.Revoke(meta, id) })
}
