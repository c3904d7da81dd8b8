package service

import (
	"errors"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

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
