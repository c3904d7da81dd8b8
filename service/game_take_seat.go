package service

import (
	"bytes"
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/tokens"
)

// TakeSeat takes a free seat.
func (s *gameServer) TakeSeat(ctx context.Context, req *v1.TakeSeatRequest) (*v1.TakeSeatResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.secretRequest("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	sh.text("holder", req.GetHolder(), live.MaxHolder)
	sh.size("entropy", len(req.GetEntropy()), maxEntropy)
	sh.chain("chain", req.GetChain())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), tokens.BlindID(request)
	out := new(v1.TakeSeatResponse)
	err := s.write(ctx, v1.GameService_TakeSeat_FullMethodName, id, rules.English, func(v *visit) error {
		if _, err := seatNamed(v.About, req.GetSeat()); err != nil {
			return err
		}
		taken := &logv1.SeatTaken{Seat: req.GetSeat(), Holder: req.GetHolder(), Entropy: req.GetEntropy(),
			Chain: req.GetChain()}
		m := v.Current()
		token := tokens.Seat(m.Meta.TokenSecret, req.GetSeat(), request)
		done, err := s.tableRetry(ctx, v, tokens.BlindID(request), func(e *logv1.TableEvent) bool {
			was := e.GetSeatTaken()
			return was != nil && was.Seat == taken.Seat && was.Holder == taken.Holder && was.Computer == "" &&
				bytes.Equal(was.Entropy, taken.Entropy) && proto.Equal(was.Chain, taken.Chain)
		})
		if err == nil && done == nil {
			m, err = s.takeSeat(ctx, v, m, taken, tokens.BlindID(request), token)
		}
		if err != nil {
			return err
		}
		if hash := tokens.HashOf(token); tokens.Same(hash, m.Meta.SeatTokenHashes[req.GetSeat()]) {
			v.caller.seats |= live.SeatSet(v.About, req.GetSeat())
		}
		out.SeatToken, out.Game = token, v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) takeSeat(
	ctx context.Context, v *visit, m *live.Moment, taken *logv1.SeatTaken, id, token string,
) (*live.Moment, error) {
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	if holder, held := m.Table.Holders[taken.Seat]; held {
		return nil,
			fault.New(fault.SeatTaken, "the seat %s is held", taken.Seat).With("seat", taken.Seat, "holder", holder)
	}
	if err := v.mayJoin(m, taken.Seat); err != nil {
		return nil, err
	}
	if err := v.mayKnow(m, taken.Seat); err != nil {
		return nil, err
	}
	if err := v.needsChain(taken); err != nil {
		return nil, err
	}
	if r := v.About.CheckSeating(players(&m.Table, v.About, taken)); r != nil {
		return nil, fault.Refused(v.About, r, v.lang)
	}
	from := s.admission.Caller(ctx)
	if err := sittingRoom(v, m, from); err != nil {
		return nil, err
	}
	return s.sit(ctx, v, m, taken, id, token, from)
}

// sit records that a seat is taken, with a token, by a caller from an address.
func (s *Service) sit(
	ctx context.Context, v *visit, m *live.Moment, taken *logv1.SeatTaken, id, token, from string,
) (*live.Moment, error) {
	taken.JoinsQuestions = m.Table.Questions()
	taken.JoinsOncePlayed = taken.JoinsQuestions
	hash := tokens.HashOf(token)
	after, err := s.tableChange(ctx, v.Game, "", id, func(meta *logv1.GameMeta) {
		if meta.SeatTokenHashes == nil {
			meta.SeatTokenHashes = make(map[string][]byte)
		}
		meta.SeatTokenHashes[taken.Seat] = hash[:]
		tokens.MadeBy(meta, taken.Seat, v.caller.maker)
	}, &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
	if err == nil && from != "" {
		v.Sittings.Add(from)
	}
	return after, err
}

// LeaveSeat frees a seat.
func (s *gameServer) LeaveSeat(ctx context.Context, req *v1.LeaveSeatRequest) (*v1.LeaveSeatResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.LeaveSeatResponse)
	// The token is void once the seat is left, so a retry cannot show it again: whoever knows the id of the
	// request may ask once more.
	retried, err := s.leftBefore(ctx, id, request.String(), func(e *logv1.TableEvent) bool {
		return e.GetSeatLeft() != nil && (req.GetSeat() == "" || e.GetSeatLeft().Seat == req.GetSeat())
	})
	if err != nil {
		return nil, err
	}
	if retried != nil {
		out.Game = retried
		return out, nil
	}
	err = s.write(ctx, v1.GameService_LeaveSeat_FullMethodName, id, rules.English, func(v *visit) error {
		m, err := s.leaveSeat(ctx, v, req.GetSeat(), request.String())
		if err != nil {
			return err
		}
		v.caller.seats &^= live.SeatSet(v.About, req.GetSeat())
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// leftBefore answers the retry of a call that made the caller's token void, with what a spectator sees; nil if the
// request is new.
func (s *Service) leftBefore(
	ctx context.Context, id, request string, left func(*logv1.TableEvent) bool,
) (out *v1.Game, err error) {
	err = s.games.Change(ctx, id, func(l *live.Game) error {
		v := &visit{Game: l, lang: rules.English}
		r, err := s.tableRetry(ctx, v, request, left)
		if r != nil && err == nil {
			out = v.game(ctx, l.Current())
		}
		return err
	})
	return out, err
}

func (s *Service) leaveSeat(ctx context.Context, v *visit, id, request string) (*live.Moment, error) {
	m := v.Current()
	if id == "" {
		seat, err := v.caller.seat(v.About, "")
		if err != nil {
			return nil, err
		}
		id = v.About.SeatID(seat)
	}
	seat, err := seatNamed(v.About, id)
	switch {
	case err != nil:
		return nil, err
	case m.Table.Over:
		return nil, gameOver()
	case !v.caller.own.Has(seat) && !v.caller.owner:
		_, err := v.caller.seat(v.About, id)
		return nil, err
	}
	if _, held := m.Table.Holders[id]; !held {
		return nil, fault.New(fault.SeatFree, "nobody holds the seat %s", id).With("seat", id)
	}
	if m.Table.Dice.Asked().Owes(id) {
		return nil, m.DiceAwaited()
	}
	if _, computer := m.Table.Computers[id]; computer && !v.caller.own.Has(seat) {
		return s.takeBack(ctx, v, id, request)
	}
	left := &logv1.SeatLeft{Seat: id, ByOwner: !v.caller.own.Has(seat)}
	actor := id
	if left.ByOwner {
		actor = ""
	}
	return s.vacate(ctx, v, left, actor, request, func(meta *logv1.GameMeta) { tokens.Vacate(meta, id) })
}

// vacate frees a seat, and does with what waits for consent what follows from that.
func (s *Service) vacate(
	ctx context.Context, v *visit, left *logv1.SeatLeft, actor, request string, forget func(*logv1.GameMeta),
) (*live.Moment, error) {
	events, more, err := s.quits(ctx, v.Game, v.Current(), left)
	if err != nil {
		return nil, err
	}
	events = slices.Insert(events, 0, &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: left}})
	first, err := tableDraft(actor, request, events...)
	if err != nil {
		return nil, err
	}
	first.Meta = forget
	before := v.Current()
	m, _, err := s.games.Commit(ctx, v.Game, slices.Insert(more, 0, first)...)
	if err == nil {
		s.dismiss(ctx, v.ID, before, left.Seat)
	}
	return m, err
}
