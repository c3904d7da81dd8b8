package service

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// played carries a command out that nobody sent.
func (s *Service) played(
	l *live.Game, m *live.Moment, seat rules.Seat, c rules.Command, src dice.Source,
) ([]live.Draft, error) {
	message, audience := m.Position.EncodeCommand(c), m.Position.CommandAudience(seat, c)
	next, out, err := m.Position.Play(seat, c, src)
	if err != nil {
		return nil, err
	}
	leaves, err := ledger.FromOutcome(l.About, message, audience, out)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewRandomFromReader(s.entropy)
	if err != nil {
		return nil, err
	}
	drafts := []live.Draft{{
		Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Seat: l.About.SeatID(seat), CommandID: id.String(),
		Revealed: out.Revealed, Leaves: leaves, Position: next,
		DiceSource: m.Table.Dice.SourceKind(len(out.Rolls)),
	}}
	if next.Ending() != nil {
		end, err := live.Release(m)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, end)
	}
	return drafts, nil
}

// ask stores a command that needs dice. It is carried out when they have come.
func (s *Service) ask(
	ctx context.Context, v *visit, m *live.Moment, seat rules.Seat, command proto.Message, audience rules.Audience,
	id string,
) (*ledger.Record, *live.Moment, error) {
	actor := v.About.SeatID(seat)
	leaves, err := ledger.Ask(v.About, command, audience, &logv1.DiceAsked{CommandId: id, Owed: m.Table.Dice.Owe()})
	if err != nil {
		return nil, nil, err
	}
	after, records, err := s.games.Commit(ctx, v.Game,
		live.Draft{Kind: logv1.RecordKind_RECORD_KIND_ASK, Seat: actor, Leaves: leaves})
	if err != nil {
		return nil, nil, err
	}
	return records[0], after, nil
}

func tableDraft(seat, id string, events ...*logv1.TableEvent) (live.Draft, error) {
	leaves, err := ledger.Table(events...)
	return live.Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Seat: seat, CommandID: id, Leaves: leaves}, err
}

// throw stores a draft that may complete the dice of a waiting command. If they are complete, it stores the outcome of
// the command too. The caller is the game's writer.
func (s *Service) throw(
	ctx context.Context, l *live.Game, m *live.Moment, first live.Draft,
) (after *live.Moment, done bool, err error) {
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

// sameDice reports whether manual dice are those that were thrown; none sent is no difference.
func sameDice(r *ledger.Record, manual []uint32) bool {
	if len(manual) == 0 {
		return true
	}
	var thrown []uint32
	for leaf := range r.Rolls() {
		roll := new(logv1.Roll)
		if leaf.Decode(roll) != nil {
			return false
		}
		thrown = append(thrown, roll.Value)
	}
	return slices.EqualFunc(manual, thrown,
		func(sent, was uint32) bool { return sent == was || sent == 0 && was == 10 })
}

func diceUnexpected() error {
	return fault.New(fault.DiceUnexpected, "the game throws its own dice: expected no manual_dice")
}

// errDiceOwed says that a command needs dice, and that seats must be asked for links first.
var errDiceOwed = errors.New("the dice are owed by the seats")

// owedDice stand for dice that seats must be asked for.
type owedDice struct{}

// Roll always fails.
func (owedDice) Roll(uint8, string) (uint8, error) { return 0, errDiceOwed }

func chainRequired(format string, args ...any) *fault.Error {
	return fault.New(fault.ChainRequired, format, args...)
}

func chainUnexpected(format string, args ...any) *fault.Error {
	return fault.New(fault.ChainUnexpected, format, args...)
}

// throwsDice reports whether the server throws the dice.
func throwsDice(k logv1.DiceKind) bool {
	return k == logv1.DiceKind_DICE_KIND_COMMITTED || k == logv1.DiceKind_DICE_KIND_MUTUAL
}

// commitDice makes a first record commit to the dice secret, if the server throws the dice, and state their format.
func commitDice(e *logv1.GameCreated, meta *logv1.GameMeta) {
	e.DiceFormat, e.DiceCommitment = 0, nil
	if throwsDice(e.Dice) {
		commitment := dice.Commitment(dice.Secret(meta.DiceSecret))
		e.DiceFormat, e.DiceCommitment = dice.CountedFormat, commitment[:]
	}
}

// diceFor returns the dice for a command whose record is to have a version. They return errDiceOwed for a die that
// seats must be asked for.
func diceFor(l *live.Game, m *live.Moment, version uint64, manual []uint32) (dice.Source, error) {
	if l.Created.Dice == logv1.DiceKind_DICE_KIND_MANUAL {
		return dice.NewManual(manual), nil
	}
	if len(manual) > 0 {
		return nil, diceUnexpected()
	}
	if len(m.Meta.DiceSecret) != len(dice.Secret{}) {
		return nil, fault.New(fault.LogCorrupt, "game %s has lost its secrets", l.ID).With("game", l.ID)
	}
	if m.Table.Dice.Asked() == nil && m.Table.Dice.Owe() != nil {
		return owedDice{}, nil
	}
	return &lateDice{begin: func() (dice.Source, error) {
		if l.Created.DiceFormat == dice.CountedFormat {
			return m.Table.Dice.Source(dice.Secret(m.Meta.DiceSecret))
		}
		return dice.NewCommitted(dice.Secret(m.Meta.DiceSecret), m.Table.Entropies.List(), l.ID, version)
	}}, nil
}

// lateDice are made ready by the first roll: most commands throw none, and the keys of the dice cost more than the
// rest of such a command.
type lateDice struct {
	begin  func() (dice.Source, error)
	source dice.Source
}

// Roll is that of the dice themselves.
func (d *lateDice) Roll(sides uint8, reason string) (uint8, error) {
	if d.source == nil {
		source, err := d.begin()
		if err != nil {
			return 0, err
		}
		d.source = source
	}
	return d.source.Roll(sides, reason)
}

// allUsed reports manual dice that were sent and not needed.
func allUsed(src dice.Source) error {
	if m, ok := src.(*dice.Manual); ok {
		return m.Done()
	}
	return nil
}
