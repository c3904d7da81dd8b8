package ledger

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// facts are what a chain keeps of a record's contents.
type facts struct {
	created  *logv1.GameCreated
	released *logv1.SecretsReleased
}

// readShape checks that a record has the parts that its kind needs and no others, as far as they can be seen.
func readShape(r *Record) (f facts, fault string) {
	if fault = inspectLeaves(r); fault != "" {
		return f, fault
	}
	var err error
	switch r.Header().Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED:
		f.created, err = r.Created()
	case logv1.RecordKind_RECORD_KIND_TABLE:
		f.released, err = readTable(r)
	case logv1.RecordKind_RECORD_KIND_UNDO, logv1.RecordKind_RECORD_KIND_REDO:
		err = checkMove(r)
	case logv1.RecordKind_RECORD_KIND_COMMAND:
		if r.Header().CommandId == "" {
			return f, "is a command without an id"
		}
	case logv1.RecordKind_RECORD_KIND_ASK:
		err = checkAsk(r)
	}
	if err != nil {
		return f, "is not what it says: " + err.Error()
	}
	return f, ""
}

// inspectLeaves checks the kinds of leaves, which are known also of hidden ones.
func inspectLeaves(r *Record) (fault string) {
	kind := r.Header().Kind
	played := kind == logv1.RecordKind_RECORD_KIND_COMMAND
	if withCommand := played || kind == logv1.RecordKind_RECORD_KIND_ASK; withCommand != (r.Command() != nil) {
		return fmt.Sprintf("is a %s; a command comes first in the record of a command, and in no other", kind)
	}
	rolls := uint32(0)
	for i := range r.Leaves() {
		l := &r.Leaves()[i]
		switch l.Kind {
		case logv1.LeafKind_LEAF_KIND_COMMAND:
			if i > 0 {
				return fmt.Sprintf("has a second command as leaf %d", i)
			}
		case logv1.LeafKind_LEAF_KIND_ROLL:
			if !played && kind != logv1.RecordKind_RECORD_KIND_CREATED {
				return fmt.Sprintf("is a %s and has dice", kind)
			}
			if fault = inspectRoll(l, rolls); fault != "" {
				return fault
			}
			rolls++
		}
	}
	return ""
}

func inspectRoll(l *Leaf, index uint32) (fault string) {
	if l.Redacted {
		return ""
	}
	roll := new(logv1.Roll)
	if err := l.Decode(roll); err != nil {
		return fmt.Sprintf("has a roll %d that cannot be read: %v", index, err)
	}
	switch {
	case roll.Index != index:
		return fmt.Sprintf("has a roll with index %d, expected %d", roll.Index, index)
	case roll.Sides < 2 || roll.Sides > 100 || roll.Value < 1 || roll.Value > roll.Sides:
		return fmt.Sprintf("has a roll %d that no die can show", index)
	}
	return ""
}

// Created reads the first event of the first record.
func (r *Record) Created() (*logv1.GameCreated, error) {
	if len(r.leaves) == 0 {
		return nil, errors.New("expected a GameCreated, found no event")
	}
	m := new(logv1.GameCreated)
	if err := open(&r.leaves[0], m); err != nil {
		return nil, err
	}
	return m, nil
}

// TableEvents reads the events of a record that changes the table or asks for dice; it returns none for other records.
func (r *Record) TableEvents() ([]*logv1.TableEvent, error) {
	leaves := r.leaves
	switch r.header.Kind {
	case logv1.RecordKind_RECORD_KIND_TABLE:
	case logv1.RecordKind_RECORD_KIND_ASK:
		leaves = leaves[min(1, len(leaves)):] // after the command
	default:
		return nil, nil
	}
	events := make([]*logv1.TableEvent, len(leaves))
	for i := range leaves {
		events[i] = new(logv1.TableEvent)
		if err := open(&leaves[i], events[i]); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// checkAsk checks that a record that asks for dice has one command and one DiceAsked, and nothing else.
func checkAsk(r *Record) error {
	events, err := r.TableEvents()
	switch {
	case err != nil:
		return err
	case len(events) != 1 || events[0].GetDiceAsked() == nil:
		return errors.New("expected a command and one DiceAsked")
	case r.header.CommandId != "" || events[0].GetDiceAsked().CommandId == "":
		return errors.New("expected the id of the command in the event, not in the header")
	}
	return nil
}

// open reads an event of the log itself, which is open to everyone.
func open(l *Leaf, m proto.Message) error {
	if l.Kind != logv1.LeafKind_LEAF_KIND_EVENT || l.Audience != rules.Everyone {
		return fmt.Errorf("expected a %s that everyone may see", typeOf(m))
	}
	return l.Decode(m)
}

func readTable(r *Record) (released *logv1.SecretsReleased, err error) {
	events, err := r.TableEvents()
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, errors.New("expected a TableEvent, found none")
	}
	for _, e := range events {
		if e.GetDiceAsked() != nil {
			return nil, errors.New("asks for dice without a command")
		}
		if s := e.GetSecretsReleased(); s != nil {
			released = s
		}
	}
	return released, nil
}

func checkMove(r *Record) error {
	if len(r.leaves) != 1 {
		return fmt.Errorf("expected one HeadMoved, found %d leaves", len(r.leaves))
	}
	m := new(logv1.HeadMoved)
	if err := open(&r.leaves[0], m); err != nil {
		return err
	}
	if m.From != r.header.Parent || m.To != r.header.Head {
		return fmt.Errorf("the event moves the head from %d to %d, the header from %d to %d",
			m.From, m.To, r.header.Parent, r.header.Head)
	}
	return nil
}
