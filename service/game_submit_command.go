package service

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// SubmitCommand carries out a command, or says why not.
func (s *gameServer) SubmitCommand(
	ctx context.Context, req *v1.SubmitCommandRequest,
) (*v1.SubmitCommandResponse, error) {
	id, lang, size, err := readSubmission(req)
	if err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat, n.request = id, req.GetSeat(), req.GetCommandId()
	out := new(v1.SubmitCommandResponse)
	ruleset, outcome := "", outcomeAccepted
	var who *visit
	var seat rules.Seat
	var after *live.Moment
	err = s.write(ctx, v1.GameService_SubmitCommand_FullMethodName, id, lang, func(v *visit) error {
		ruleset = v.About.Name
		if seat, err = v.caller.seat(v.About, req.GetSeat()); err != nil {
			return err
		}
		n.seat = v.About.SeatID(seat)
		before := v.Current()
		r, m, how, err := s.submit(ctx, v, seat, req)
		if err != nil {
			return err
		}
		outcome = how
		if how == outcomeChecked {
			c, err := readCommand(m.Position, req)
			if err != nil {
				return err
			}
			out.Action = v.action(m.Position, seat, c)
		}
		if r != nil {
			show := v.shower(s.Service, m, view{seats: v.caller.seats}, false)
			if how != outcomeRepeated {
				show.Before = before
			}
			out.Pending = r.Header().Kind == logv1.RecordKind_RECORD_KIND_ASK
			if out.Record, err = show.Record(ctx, r); err != nil {
				return err
			}
		}
		out.Game = v.game(ctx, m)
		who, after = v, m
		return nil
	})
	if ruleset != "" {
		s.metrics.command(ruleset, outcome, err)
	}
	if err == nil && req.Next != nil && !req.GetValidateOnly() { // nobody waits for the list: a moment never changes
		out.Next, err = s.next(ctx, who, after, seat, size, req.Next.GetIncludeCommands())
	}
	return answer(out, err)
}

func readSubmission(req *v1.SubmitCommandRequest) (id string, lang rules.Lang, size int, err error) {
	var sh shape
	id = sh.game("name", req.GetName())
	sh.request("command_id", req.GetCommandId())
	sh.id("seat", req.GetSeat())
	sh.dice("manual_dice", req.GetManualDice())
	lang = sh.language("language_code", req.GetLanguageCode())
	size = sh.legalSize("next.page_size", req.GetNext().GetPageSize())
	sh.form(req)
	return id, lang, size, sh.err()
}

// submit decides a command on the head. The record is nil if it was only checked.
func (s *Service) submit(
	ctx context.Context, v *visit, seat rules.Seat, req *v1.SubmitCommandRequest,
) (*ledger.Record, *live.Moment, string, error) {
	r, err := s.submitted(ctx, v.Game, req.GetCommandId())
	if err != nil {
		return nil, nil, "", err
	}
	if r != nil {
		return r, v.Current(), outcomeRepeated, s.sameCommand(ctx, v, seat, r, req)
	}
	m := v.Current()
	if want := req.ExpectedVersion; want != nil && !m.StillAsAt(*want, v.caller.acts) {
		return nil, nil, "",
			fault.New(fault.VersionConflict, "the game is at version %d, expected %d", m.Version(), *want).
				With("expected", *want, "current", m.Version())
	}
	if m.Table.Over {
		return nil, nil, "", gameOver()
	}
	if err := m.DiceAwaited(); err != nil {
		return nil, nil, "", err
	}
	c, err := readCommand(m.Position, req)
	if err == nil {
		err = m.Position.Check(seat, c)
	}
	if err == nil {
		err = s.asideRoom(m, v.About, seat, c)
	}
	switch {
	case err != nil:
		return nil, nil, "", v.refused(err)
	case req.GetValidateOnly():
		return nil, m, outcomeChecked, nil
	}
	if err := s.roomFor(m); err != nil {
		return nil, nil, "", err
	}
	r, m, err = s.play(ctx, v, m, seat, c, req)
	if err == nil && r.Header().Kind == logv1.RecordKind_RECORD_KIND_ASK {
		return r, m, outcomeAsked, nil
	}
	return r, m, outcomeAccepted, err
}

// submitted finds the record of a command that was sent before. While its dice are asked for, that is the record that
// asks.
func (s *Service) submitted(ctx context.Context, l *live.Game, id string) (*ledger.Record, error) {
	if a := l.Current().Table.Dice.Asked(); a != nil && a.CommandID == id {
		return s.games.Record(ctx, l.ID, a.Version)
	}
	return s.games.Earlier(ctx, l, id)
}

// play carries a command out and stores the outcome.
func (s *Service) play(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, c rules.Command, req *v1.SubmitCommandRequest,
) (*ledger.Record, *live.Moment, error) {
	src, err := diceFor(v.Game, m, m.Version()+1, req.GetManualDice())
	if err != nil {
		return nil, nil, err
	}
	message, audience := m.Position.EncodeCommand(c), m.Position.CommandAudience(seat, c)
	next, out, err := m.Position.Play(seat, c, src)
	if errors.Is(err, errDiceOwed) {
		return s.ask(ctx, v, m, seat, message, audience, req.GetCommandId())
	}
	if err == nil {
		err = allUsed(src)
	}
	if err != nil {
		return nil, nil, v.refused(err)
	}
	aside := m.Aside(seat, c) && speaks(m.Position, next, out)
	if aside && next.Hash() == m.Position.Hash() {
		return nil, nil, fault.New(fault.NothingChanges, "the command changes nothing")
	}
	leaves, err := ledger.FromOutcome(v.About, message, audience, out)
	if err != nil {
		return nil, nil, err
	}
	drafts := []live.Draft{{
		Aside: aside,
		Kind:  logv1.RecordKind_RECORD_KIND_COMMAND, Seat: v.About.SeatID(seat), CommandID: req.GetCommandId(),
		Revealed: out.Revealed, Leaves: leaves, Position: next, DiceSource: m.Table.Dice.SourceKind(len(out.Rolls)),
	}}
	if next.Ending() != nil {
		d, err := live.Release(m)
		if err != nil {
			return nil, nil, err
		}
		drafts = append(drafts, d)
	}
	after, records, err := s.games.Commit(ctx, v.Game, drafts...)
	if err != nil {
		return nil, nil, err
	}
	return records[0], after, nil
}

// sameCommand refuses the id of a command that was used for anything else before.
func (s *Service) sameCommand(
	ctx context.Context, v *visit, seat rules.Seat, r *ledger.Record, req *v1.SubmitCommandRequest,
) error {
	leaf := r.Command()
	if leaf == nil || r.Header().Seat != v.About.SeatID(seat) {
		return live.Reused(r.Version())
	}
	stored := v.Ruleset.NewCommand()
	if err := leaf.Decode(stored); err != nil {
		return live.Corrupt(v.ID, r.Version(), err)
	}
	// Notation is read on the position on which the command was decided, since what it names may be gone by now.
	game, err := s.games.PositionAt(ctx, v.Game, v.Current(), r.Header().Parent)
	if err != nil {
		return err
	}
	c, err := readCommand(game, req)
	if err != nil || !proto.Equal(game.EncodeCommand(c), stored) || !sameDice(r, req.GetManualDice()) {
		return live.Reused(r.Version())
	}
	return nil
}
