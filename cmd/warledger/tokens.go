package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// tokenCmd is for whoever lets others, or programs, do a part of what they may do themselves.
type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Make a token that opens less than yours, and print it."`
	List   tokenListCmd   `cmd:"" help:"List what was made of your tokens of a game and is still valid."`
	Revoke tokenRevokeCmd `cmd:"" help:"Make a token void at once."`
	Use    tokenUseCmd    `cmd:"" help:"Keep a token that you were given, read from standard input: for the seat of --as, or without one the owner's."`
}

// rightsOf are the words for what a token opens.
var rightsOf = map[string]v1.Rights{"see": v1.Rights_RIGHTS_SEE, "act": v1.Rights_RIGHTS_ACT,
	"own": v1.Rights_RIGHTS_OWN, "join": v1.Rights_RIGHTS_JOIN}

func rightsWord(r v1.Rights) string {
	return strings.ToLower(strings.TrimPrefix(r.String(), "RIGHTS_"))
}

type tokenCreateCmd struct {
	Game   string        `arg:"" help:"Game."`
	Rights string        `help:"What it opens: see, act for the seat too, own for what the owner may, or join to take the seat of --as." enum:"see,act,own,join" default:"see"`
	For    time.Duration `help:"How long it is valid, a year at most." default:"24h"`
	Note   string        `help:"What it is for."`
}

// Run makes a token and prints it, alone on its line, for it is told once.
func (c tokenCreateCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	if c.Rights == "join" && a.line.As == "" {
		return usageError{"an invitation to which seat? Say it with --as"}
	}
	made, err := game.CreateToken(a.ctx,
		warledger.Grant{Rights: rightsOf[c.Rights], Expires: time.Now().Add(c.For), Note: c.Note})
	if err != nil {
		return err
	}
	return a.message(made, func() { a.say("%s\n", made.Secret) })
}

type tokenListCmd struct {
	Game string `arg:"" help:"Game."`
}

// Run lists tokens.
func (c tokenListCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	tokens, err := game.ListTokens(a.ctx)
	if err != nil {
		return err
	}
	return a.message(&v1.ListTokensResponse{Tokens: tokens}, func() {
		rows := [][]string{a.heads("SEAT", "RIGHTS", "EXPIRES", "TOKEN", "NOTE")}
		for _, t := range tokens {
			seat := t.Seat
			if seat == "" {
				seat = "(owner)"
			}
			rows = append(rows, []string{seat, rightsWord(t.Rights),
				t.ExpireTime.AsTime().Local().Format(time.DateTime), t.Name, t.Note})
		}
		a.table(rows)
	})
}

type tokenRevokeCmd struct {
	Token string `arg:"" help:"Name of the token (\"games/.../tokens/...\"), as list gives it."`
}

// Run makes a token void.
func (c tokenRevokeCmd) Run(a *app) error {
	name, _, ok := strings.Cut(c.Token, "/tokens/")
	if !ok {
		return usageError{fmt.Sprintf(
			"%q is not the name of a token: expected games/.../tokens/..., as token list gives it", c.Token,
		)}
	}
	game, err := a.game(name)
	if err != nil {
		return err
	}
	if err := game.RevokeToken(a.ctx, c.Token); err != nil {
		return err
	}
	return a.message(&v1.RevokeTokenResponse{}, func() { a.say("%s opens nothing any more.\n", c.Token) })
}

type tokenUseCmd struct {
	Game string `arg:"" help:"Game."`
}

// longestToken is how much of standard input is read for a token, in bytes.
const longestToken = 4096

// secretLine reads a token from standard input.
func (a *app) secretLine(question string) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(a.in, longestToken)).ReadString('\n')
	token := strings.TrimSpace(line)
	if err != nil && err != io.EOF || token == "" {
		return "", usageError{question + " Write it to standard input"}
	}
	return token, nil
}

// Run keeps a token once the server knows it. It is not on the command line, where others on this
// machine could read it.
func (c tokenUseCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	token, err := a.secretLine("which token?")
	if err != nil {
		return err
	}
	wallet := new(warledger.Wallet)
	wallet.Add(game.Name(), token)
	g, err := game.WithTokens(wallet).Get(a.ctx)
	if err != nil {
		return err
	}
	seat := a.line.As
	if err := knownSeat(g, seat); err != nil {
		return err
	}
	err = a.keep(game.Name(), true, func(held *credentials.Game) {
		if seat == "" {
			held.Owner = token
		} else {
			held.Seats[seat] = token
		}
	})
	if err != nil {
		return err
	}
	return a.message(g, func() {
		what := "the owner's part"
		if seat != "" {
			what = seat
		}
		a.say("The token is kept for %s of %s.\n", what, game.Name())
	})
}

// knownSeat complains of a seat that a game does not have.
func knownSeat(g *v1.Game, seat string) error {
	var known []string
	for _, s := range g.Seats {
		if s.Id == seat {
			return nil
		}
		known = append(known, s.Id)
	}
	if seat == "" {
		return nil
	}
	return usageError{fmt.Sprintf("%s has no seat %q, expected one of %s", g.Name, seat, join(known))}
}
