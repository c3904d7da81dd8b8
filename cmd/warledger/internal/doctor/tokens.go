package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Tokens asks about the tokens that are kept for games.
type Tokens struct {
	// List lists the tokens made from those kept for a game. It fails if one of them no longer works.
	List func(ctx context.Context, game string) ([]*v1.Token, error)
	Now  time.Time
	// Patience is how long all games together may take; those that were not asked by then are counted.
	Patience time.Duration
}

// Examine judges the tokens kept for games.
func (t Tokens) Examine(ctx context.Context, games []string) []Finding {
	var all []Finding
	ctx, cancel := context.WithTimeout(ctx, t.Patience)
	defer cancel()
	for i, game := range games {
		made, err := t.List(ctx, game)
		switch {
		case err != nil && (ctx.Err() != nil || status.Code(err) == codes.Unavailable):
			return append(all, Finding{"tokens.kept", Problem,
				fmt.Sprintf("the tokens of %d of %d games were not asked for: %v", len(games)-i, len(games), err),
				"the server or its store hangs, or is too busy: look at its log, and try warledger show " + game})
		case errors.Is(err, warledger.ErrTokenTooNarrow): // it works, and can make no others
		case err != nil:
			all = append(all, refused(game, err))
		}
		for _, m := range made {
			what := fmt.Sprintf("%s (%s)", m.Name, word(m))
			f := Expiry("tokens.made", what, m.ExpireTime.AsTime(), t.Now, "make another: warledger token create "+game)
			if f.State != Fine {
				all = append(all, f)
			}
		}
	}
	if len(all) == 0 {
		return []Finding{{"tokens.kept", Fine,
			fmt.Sprintf("the tokens kept for all %d games work", len(games)), ""}}
	}
	return all
}

// word says what a token is for.
func word(m *v1.Token) string {
	switch {
	case m.Note != "":
		return m.Note
	case m.Seat != "":
		return "for " + m.Seat
	}
	return "the owner's"
}

// refused says why a game does not open.
func refused(game string, err error) Finding {
	switch {
	case errors.Is(err, warledger.ErrTokenRevoked):
		return Finding{"tokens.kept", Warning, "a token kept for " + game + " is void",
			"run warledger show " + game + " to sort it out; the seat can be taken again if it is free"}
	case errors.Is(err, warledger.ErrGameNotFound):
		return Finding{"tokens.kept", Note, "the server has no " + game + " any more", ""}
	}
	state := Warning
	switch status.Code(err) {
	case codes.Internal, codes.DataLoss, codes.DeadlineExceeded:
		state = Problem // the server's fault, whatever the token
	}
	return Finding{"tokens.kept", state, fmt.Sprintf("%s can't be asked: %v", game, err),
		"try warledger show " + game}
}
