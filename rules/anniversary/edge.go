package anniversary

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// KindOf is the kind of a command by id.
func (Referee) KindOf(c Command) string {
	if c.Kind >= numKinds {
		return ""
	}
	return kinds.ID(int(c.Kind))
}

// Describe says what a command does and touches.
func (Referee) Describe(p *Position, seat rules.Seat, c Command) rules.Description {
	return p.describe(seat, c)
}

// EncodeCommand makes the message of a command.
func (Referee) EncodeCommand(p *Position, c Command) proto.Message { return p.encode(c) }

// DecodeCommand reads the message of a command.
func (Referee) DecodeCommand(p *Position, m proto.Message) (Command, *rules.Refusal) {
	own, ok := m.(*anniversaryv1.Command)
	if !ok {
		return Command{}, rules.Malformed("a %T is no command of anniversary", m)
	}
	return p.decode(own)
}

// FormatCommand writes a command in the notation.
func (Referee) FormatCommand(p *Position, c Command) string { return p.formatCommand(c) }

// ParseCommand reads the notation of a command.
func (Referee) ParseCommand(p *Position, text string) (Command, *rules.Refusal) {
	return p.parseCommand(text)
}

// FormatPosition writes the position in the notation.
func (Referee) FormatPosition(p *Position) string { return p.format() }

// ParsePosition reads the notation of a position.
func (Referee) ParsePosition(sc rules.Scenario, text string) (*Position, error) {
	own, ok := sc.(*Scenario)
	if !ok {
		return nil, fmt.Errorf("anniversary: a %T is no scenario of anniversary", sc)
	}
	return parsePosition(own, text)
}

// Narrate tells an event in a sentence.
func (Referee) Narrate(sc rules.Scenario, e *event) rules.Text { return teller.Tell(sc.(*Scenario), e) }

// Map is what does not change of the board.
func (Referee) Map(sc rules.Scenario, lang rules.Lang) *boardv1.Map {
	return boardMap(sc.(*Scenario), lang)
}

// Board draws the position for a viewer.
func (Referee) Board(p *Position, v rules.Viewer, lang rules.Lang) *boardv1.Board {
	return p.board(v, lang)
}

// View is the typed position as a viewer may see it.
func (Referee) View(p *Position, v rules.Viewer) proto.Message { return p.view(v) }
