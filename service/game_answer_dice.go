package service

import (
	"context"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// AnswerDice takes the link that a seat owes.
func (s *gameServer) AnswerDice(ctx context.Context, req *v1.AnswerDiceRequest) (*v1.AnswerDiceResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	sh.chain("chain", req.GetChain())
	if req.GetAsked() == 0 {
		sh.faults.Add("asked", "expected the version of the record that asked")
	}
	if n := len(req.GetLink()); n != len(dice.Link{}) {
		sh.faults.Add("link", "%d bytes, expected %d", n, len(dice.Link{}))
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.AnswerDiceResponse)
	err := s.write(ctx, v1.GameService_AnswerDice_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		answer := &logv1.DiceAnswered{Seat: v.About.SeatID(seat), Asked: req.GetAsked(), Link: req.GetLink(),
			Chain: req.GetChain()}
		r, err := s.tableRetry(ctx, v, request.String(),
			func(e *logv1.TableEvent) bool { return proto.Equal(e.GetDiceAnswered(), answer) })
		m := v.Current()
		switch {
		case err != nil:
			return err
		case r != nil:
			a := m.Table.Dice.Asked()
			out.Done = a == nil || a.Version != answer.Asked
		default:
			m, out.Done, err = s.answerDice(ctx, v, m, answer, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

// answerDice stores a link. If it is the last that is owed, it also stores the outcome of the command.
func (s *Service) answerDice(
	ctx context.Context, v *visit, m *live.Moment, e *logv1.DiceAnswered, id string,
) (*live.Moment, bool, error) {
	a := m.Table.Dice.Asked()
	if a == nil || a.Version != e.Asked || !a.Owes(e.Seat) {
		err := fault.New(fault.DiceNotOwed, "record %d does not wait for a link of %s",
			e.Asked, e.Seat).With("asked", e.Asked)
		if a != nil {
			err.With("pending", a.Version)
		}
		return nil, false, err
	}
	link, chain := dice.Link(e.Link), dice.Chain{}
	chain, _ = m.Table.Dice.Chain(e.Seat)
	if err := chain.Check(link, v.ID, e.Seat); err != nil {
		return nil, false, fault.New(fault.LinkWrong, "%s", err).With("seat", e.Seat, "link", chain.Next)
	}
	switch left := chain.Spend(&link).Left(); {
	case !left && e.Chain == nil:
		return nil, false,
			chainRequired("link %d of %s is the last of its chain: expected a new chain with it",
				chain.Next, e.Seat).With("seat", e.Seat)
	case left && e.Chain != nil:
		return nil, false, chainUnexpected("the chain of %s has links left", e.Seat).With("seat", e.Seat)
	}
	first, err := tableDraft(e.Seat, id, &logv1.TableEvent{Event: &logv1.TableEvent_DiceAnswered{DiceAnswered: e}})
	if err != nil {
		return nil, false, err
	}
	return s.throw(ctx, v.Game, m, first)
}

// RenewChain gives a seat a new chain.
func (s *gameServer) RenewChain(ctx context.Context, req *v1.RenewChainRequest) (*v1.RenewChainResponse, error) {
	var sh shape
	id := sh.game("name", req.GetName())
	request := sh.request("request_id", req.GetRequestId())
	sh.id("seat", req.GetSeat())
	if sh.chain("chain", req.GetChain()); req.GetChain() == nil {
		sh.faults.Add("chain", "expected one")
	}
	if err := sh.err(); err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), request.String()
	out := new(v1.RenewChainResponse)
	err := s.write(ctx, v1.GameService_RenewChain_FullMethodName, id, rules.English, func(v *visit) error {
		seat, err := v.caller.seat(v.About, req.GetSeat())
		if err != nil {
			return err
		}
		renewed := &logv1.ChainRenewed{Seat: v.About.SeatID(seat), Chain: req.GetChain()}
		r, err := s.tableRetry(ctx, v, request.String(),
			func(e *logv1.TableEvent) bool { return proto.Equal(e.GetChainRenewed(), renewed) })
		m := v.Current()
		if err == nil && r == nil {
			m, err = s.renewChain(ctx, v, m, renewed, request.String())
		}
		if err != nil {
			return err
		}
		out.Game = v.game(ctx, m)
		return nil
	})
	return answer(out, err)
}

func (s *Service) renewChain(
	ctx context.Context, v *visit, m *live.Moment, e *logv1.ChainRenewed, id string,
) (*live.Moment, error) {
	switch {
	case m.Table.Over:
		return nil, gameOver()
	case v.Created.Dice != logv1.DiceKind_DICE_KIND_MUTUAL:
		return nil, chainUnexpected("the game has no mutual dice").With("seat", e.Seat)
	case m.Table.Dice.Renewed(e.Seat): // otherwise a seat that is not on turn could fill the log
		return nil, chainUnexpected("the chain of %s was renewed since the last command", e.Seat).With("seat", e.Seat)
	}
	if err := m.DiceAwaited(); err != nil {
		return nil, err
	}
	if err := s.roomFor(m); err != nil {
		return nil, err
	}
	return s.tableChange(ctx, v.Game, e.Seat, id, nil,
		&logv1.TableEvent{Event: &logv1.TableEvent_ChainRenewed{ChainRenewed: e}})
}
