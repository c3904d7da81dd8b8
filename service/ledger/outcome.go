package ledger

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// FromOutcome makes the leaves of a command's record: the command, then rolls and events as they happened.
func FromOutcome(
	about *rules.About, command proto.Message, audience rules.Audience, out *rules.Outcome,
) ([]Leaf, error) {
	leaves := make([]Leaf, 0, 1+len(out.Rolls)+len(out.Events))
	leaf, err := NewLeaf(logv1.LeafKind_LEAF_KIND_COMMAND, audience, about.SchemaVersion, command)
	if err != nil {
		return nil, err
	}
	return appendOutcome(append(leaves, leaf), about.SchemaVersion, out)
}

// Created makes the leaves of the first record: what is played, then what [rules.Game.Start] brought.
func Created(about *rules.About, created *logv1.GameCreated, out *rules.Outcome) ([]Leaf, error) {
	leaf, err := logLeaf(created)
	if err != nil {
		return nil, err
	}
	return appendOutcome([]Leaf{leaf}, about.SchemaVersion, out)
}

// Table makes the leaves of a record that changes the table.
func Table(events ...*logv1.TableEvent) ([]Leaf, error) {
	leaves := make([]Leaf, 0, len(events))
	for _, e := range events {
		leaf, err := logLeaf(e)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, leaf)
	}
	return leaves, nil
}

// Moved makes the leaves of an undo or a redo.
func Moved(from, to uint64) ([]Leaf, error) {
	leaf, err := logLeaf(&logv1.HeadMoved{From: from, To: to})
	if err != nil {
		return nil, err
	}
	return []Leaf{leaf}, nil
}

// logLeaf is an event of warledger.log.v1; everyone may see these.
func logLeaf(m proto.Message) (Leaf, error) {
	return NewLeaf(logv1.LeafKind_LEAF_KIND_EVENT, rules.Everyone, logSchema, m)
}

func appendOutcome(leaves []Leaf, schema uint32, out *rules.Outcome) ([]Leaf, error) {
	rolls := 0
	for i, e := range out.Events {
		if e.RollsBefore < rolls || e.RollsBefore > len(out.Rolls) {
			return nil,
				fmt.Errorf("event %d comes after %d rolls, expected %d to %d", i, e.RollsBefore, rolls, len(out.Rolls))
		}
		var err error
		if leaves, err = appendRolls(leaves, out.Rolls, rolls, e.RollsBefore); err != nil {
			return nil, err
		}
		rolls = e.RollsBefore
		leaf, err := NewLeaf(logv1.LeafKind_LEAF_KIND_EVENT, e.Audience, schema, e.Event)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, leaf)
	}
	return appendRolls(leaves, out.Rolls, rolls, len(out.Rolls))
}

func appendRolls(leaves []Leaf, rolls []rules.Rolled, from, to int) ([]Leaf, error) {
	for i := from; i < to; i++ {
		r := rolls[i]
		leaf, err := NewLeaf(logv1.LeafKind_LEAF_KIND_ROLL, r.Audience, logSchema,
			&logv1.Roll{Index: uint32(i), Sides: uint32(r.Sides), Value: uint32(r.Value), Reason: r.Reason})
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, leaf)
	}
	return leaves, nil
}

// Ask makes the leaves of a record that asks for dice: the command, as its own record will hold it, and the links that
// seats owe.
func Ask(about *rules.About, command proto.Message, audience rules.Audience, asked *logv1.DiceAsked) ([]Leaf, error) {
	leaf, err := NewLeaf(logv1.LeafKind_LEAF_KIND_COMMAND, audience, about.SchemaVersion, command)
	if err != nil {
		return nil, err
	}
	event, err := logLeaf(&logv1.TableEvent{Event: &logv1.TableEvent_DiceAsked{DiceAsked: asked}})
	return []Leaf{leaf, event}, err
}
