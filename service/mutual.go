package service

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// The range of the time that a game waits for answers before it goes on without them.
const (
	shortestAnswer = 5 * time.Second
	longestAnswer  = 60 * 24 * time.Hour
)

// errDiceOwed says that a command needs dice, and that seats must be asked for links first.
var errDiceOwed = errors.New("the dice are owed by the seats")

// owedDice stand for dice that seats must be asked for.
type owedDice struct{}

// Roll always fails.
func (owedDice) Roll(uint8, string) (uint8, error) { return 0, errDiceOwed }

// ask stores a command that needs dice. It is carried out when they have come.
func (s *Service) ask(ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, command proto.Message, audience rules.Audience, id string) (*ledger.Record, *live.Moment, error) {
	actor := v.About.SeatID(seat)
	leaves, err := ledger.Ask(v.About, command, audience, &logv1.DiceAsked{CommandId: id, Owed: m.Table.Dice.Owe()})
	if err != nil {
		return nil, nil, err
	}
	after, records, err := s.games.Commit(ctx, v.Game, live.Draft{Kind: logv1.RecordKind_RECORD_KIND_ASK, Seat: actor, Leaves: leaves})
	if err != nil {
		return nil, nil, err
	}
	return records[0], after, nil
}

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
		answer := &logv1.DiceAnswered{Seat: v.About.SeatID(seat), Asked: req.GetAsked(), Link: req.GetLink(), Chain: req.GetChain()}
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool { return proto.Equal(e.GetDiceAnswered(), answer) })
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
	if err != nil {
		return nil, err
	}
	return out, nil
}

// answerDice stores a link. If it is the last that is owed, it also stores the outcome of the command.
func (s *Service) answerDice(ctx context.Context, v *visit, m *live.Moment, e *logv1.DiceAnswered, id string) (*live.Moment, bool, error) {
	a := m.Table.Dice.Asked()
	if a == nil || a.Version != e.Asked || !a.Owes(e.Seat) {
		err := fault.New(fault.DiceNotOwed, "record %d does not wait for a link of %s", e.Asked, e.Seat).With("asked", e.Asked)
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
		return nil, false, chainRequired("link %d of %s is the last of its chain: expected a new chain with it", chain.Next, e.Seat).With("seat", e.Seat)
	case left && e.Chain != nil:
		return nil, false, chainUnexpected("the chain of %s has links left", e.Seat).With("seat", e.Seat)
	}
	first, err := tableDraft(e.Seat, id, &logv1.TableEvent{Event: &logv1.TableEvent_DiceAnswered{DiceAnswered: e}})
	if err != nil {
		return nil, false, err
	}
	return s.throw(ctx, v.Game, m, first)
}

func tableDraft(seat, id string, e *logv1.TableEvent) (live.Draft, error) {
	leaves, err := ledger.Table(e)
	return live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Seat: seat, CommandID: id, Leaves: leaves}, err
}

// throw stores a draft that may complete the dice of a waiting command. If they are complete, it stores the outcome of
// the command too. The caller is the game's writer.
func (s *Service) throw(ctx context.Context, l *live.Game, m *live.Moment, first live.Draft) (after *live.Moment, done bool, err error) {
	// The dice are known only once the first record is made. It is sealed again with the second.
	next, _, _, err := s.games.Seal(l, m, []live.Draft{first})
	if err != nil {
		return nil, false, err
	}
	drafts := []live.Draft{first}
	if a := next.Table.Dice.Asked(); a.Ready() {
		more, err := s.carryOut(l, next, a)
		if err != nil {
			return nil, false, err
		}
		drafts = append(drafts, more...)
	}
	after, _, err = s.games.Commit(ctx, l, drafts...)
	return after, len(drafts) > 1, err
}

// carryOut makes the record of a command that has its dice, and the records of the end if the game ends with it.
func (s *Service) carryOut(l *live.Game, m *live.Moment, a *ledger.Asked) ([]live.Draft, error) {
	seat, _ := l.About.SeatByID(a.Seat)
	message := l.Ruleset.NewCommand()
	if err := a.Command.Decode(message); err != nil {
		return nil, live.Corrupt(l.ID, a.Version, err)
	}
	c, err := m.Position.DecodeCommand(message)
	if err != nil {
		return nil, live.Corrupt(l.ID, a.Version, err)
	}
	src, err := diceFor(l, m, m.Version()+1, nil)
	if err != nil {
		return nil, err
	}
	drafts, err := s.played(l, m, seat, c, src)
	if err != nil {
		return nil, err
	}
	drafts[0].CommandID, drafts[0].Asked = a.CommandID, a.Version
	return drafts, nil
}

// goOn throws dice without the links that did not come in time. The caller is the game's writer.
func (s *Service) goOn(ctx context.Context, l *live.Game, m *live.Moment) (*live.Moment, error) {
	a := m.Table.Dice.Asked()
	gone := &logv1.DiceGoneOn{Asked: a.Version, Missing: a.Missing()}
	first, err := tableDraft("", "", &logv1.TableEvent{Event: &logv1.TableEvent_DiceGoneOn{DiceGoneOn: gone}})
	if err != nil {
		return nil, err
	}
	m, _, err = s.throw(ctx, l, m, first)
	return m, err
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
		r, err := s.tableRetry(ctx, v, request.String(), func(e *logv1.TableEvent) bool { return proto.Equal(e.GetChainRenewed(), renewed) })
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
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Service) renewChain(ctx context.Context, v *visit, m *live.Moment, e *logv1.ChainRenewed, id string) (*live.Moment, error) {
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
	return s.tableChange(ctx, v.Game, e.Seat, id, nil, &logv1.TableEvent{Event: &logv1.TableEvent_ChainRenewed{ChainRenewed: e}})
}

func chainRequired(format string, args ...any) *fault.Error {
	return fault.New(fault.ChainRequired, format, args...)
}

func chainUnexpected(format string, args ...any) *fault.Error {
	return fault.New(fault.ChainUnexpected, format, args...)
}

// needsChain refuses a seat without a chain in a game with mutual dice, and one with a chain in other games.
func (v *visit) needsChain(taken *logv1.SeatTaken) error {
	switch mutual := v.Created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL; {
	case mutual && taken.Chain == nil:
		return chainRequired("the game has mutual dice: taking a seat needs a chain").With("seat", taken.Seat)
	case !mutual && taken.Chain != nil:
		return chainUnexpected("the game has no mutual dice").With("seat", taken.Seat)
	}
	return nil
}

// chain checks a chain; nil is valid.
func (s *shape) chain(field string, c *logv1.HashChain) {
	if c == nil {
		return
	}
	if _, err := dice.NewChain(c.Anchor, c.Length); err != nil {
		s.faults.Add(field, "%s", err)
	}
}

// mutualDice reads how mutual dice are thrown and fills in the defaults; nil for other dice.
func (s *shape) mutualDice(field string, terms *logv1.MutualDice, kind logv1.DiceKind) *logv1.MutualDice {
	if kind != logv1.DiceKind_DICE_KIND_MUTUAL {
		if terms != nil {
			s.faults.Add(field, "expected none without mutual dice")
		}
		return nil
	}
	out := &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_WAIT}
	switch terms.GetOnSilence() {
	case logv1.Silence_SILENCE_UNSPECIFIED, logv1.Silence_SILENCE_WAIT:
		if terms.GetAnswerTime() != nil {
			s.faults.Add(field+".answer_time", "expected none where the game waits")
		}
	case logv1.Silence_SILENCE_GO_ON:
		d := terms.GetAnswerTime()
		if after := d.AsDuration(); d.CheckValid() != nil || after < shortestAnswer || after > longestAnswer {
			s.faults.Add(field+".answer_time", "expected %s to %s", shortestAnswer, longestAnswer)
		}
		out.OnSilence, out.AnswerTime = logv1.Silence_SILENCE_GO_ON, durationpb.New(d.AsDuration())
	default:
		s.faults.Add(field+".on_silence", "%d is none", terms.GetOnSilence())
	}
	return out
}

// mutualDice is how a fork throws mutual dice: as its origin, or waiting for answers. A private line has committed
// dice unless the caller chose otherwise, because its player has nobody to ask.
func (f *fork) mutualDice() *logv1.MutualDice {
	if f.private && f.dice == logv1.DiceKind_DICE_KIND_UNSPECIFIED && f.created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL {
		f.created.Dice = logv1.DiceKind_DICE_KIND_COMMITTED
	}
	switch {
	case f.created.Dice != logv1.DiceKind_DICE_KIND_MUTUAL:
		return nil
	case f.created.MutualDice != nil:
		return f.created.MutualDice
	}
	return &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_WAIT}
}
