package warledger

import (
	"context"

	"google.golang.org/protobuf/types/known/anypb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// PreviewQuery is a command to ask about: in notation or as the ruleset's message.
type PreviewQuery struct {
	// Notation of the command, as an action of a legal list has it. Used if Command is nil.
	Notation string
	// Command as the ruleset's message.
	Command *anypb.Any
	// Expected is the version of the last record that the caller knows; a later one gives
	// [ErrVersionConflict]. 0 for not looking.
	Expected uint64
	// Policies by which the choices within forecasts are made, by id; those left out have their defaults.
	// The ruleset lists them.
	Policies map[string]string
}

// Preview says what a command of the handle's seat would cost and lead to, and with what chances. Nothing happens and
// none of the game's dice is thrown. A command that the rules refuse gives a [*Refused], the same as [Game.Submit].
func (g *Game) Preview(ctx context.Context, q PreviewQuery) (*v1.PreviewCommandResponse, error) {
	req := &v1.PreviewCommandRequest{Name: g.name, Seat: g.seat, Policies: q.Policies, LanguageCode: g.lang}
	if q.Expected != 0 {
		req.ExpectedVersion = &q.Expected
	}
	if q.Command != nil {
		req.Form = &v1.PreviewCommandRequest_Command{Command: q.Command}
	} else {
		req.Form = &v1.PreviewCommandRequest_Notation{Notation: q.Notation}
	}
	return call(ctx, g.client, g.tokens, g.name, req, g.client.games.PreviewCommand)
}
