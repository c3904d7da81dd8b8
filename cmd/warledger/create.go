package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type createCmd struct {
	Ruleset  string            `arg:"" help:"Ruleset."`
	Scenario string            `arg:"" optional:"" help:"Scenario that comes with the ruleset."`
	File     []byte            `type:"filecontent" help:"Scenario document of your own, JSON." placeholder:"FILE"`
	Option   map[string]string `help:"Options of the ruleset, as in --option length=short." placeholder:"KEY=VALUE" mapsep:"none"`
	Dice     string            `help:"Kind of dice: committed (by the server, verifiable later), mutual (by the server and every seat together) or manual (yours)." enum:"committed,mutual,manual" default:"committed"`
	GoOn     time.Duration     `help:"With mutual dice: go on without a seat that does not answer for this long; for games among friends. By default the game waits." placeholder:"DURATION"`
	Rolled   []uint32          `help:"With manual dice: what was rolled for setting up." placeholder:"N,..."`
	Title    string            `help:"Title of the game."`
	Join     string            `help:"Who may take a free seat: anyone (open), anyone a seat that nobody has held yet (first), or whom you invite (invited)." enum:"open,first,invited" default:"open"`
	Take     []string          `help:"Seats to take at once." placeholder:"SEAT,..."`
	Name     string            `help:"Name to be known by." env:"USER" default:"player"`
	pace
}

// joinPolicies are the words for whoever may take a free seat.
var joinPolicies = map[string]logv1.JoinPolicy{
	"open": logv1.JoinPolicy_JOIN_POLICY_OPEN, "first": logv1.JoinPolicy_JOIN_POLICY_FIRST_COME,
	"invited": logv1.JoinPolicy_JOIN_POLICY_INVITED,
}

// diceKinds are the words for where dice come from.
var diceKinds = map[string]logv1.DiceKind{
	"committed": logv1.DiceKind_DICE_KIND_COMMITTED, "mutual": logv1.DiceKind_DICE_KIND_MUTUAL,
	"manual": logv1.DiceKind_DICE_KIND_MANUAL,
}

// Run creates a game, keeps the owner's token, and takes the seats that are wanted.
func (c createCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	req := &v1.CreateGameRequest{
		Ruleset: "rulesets/" + c.Ruleset, Options: c.Option, Title: c.Title, ManualDice: c.Rolled,
		Dice: diceKinds[c.Dice], JoinPolicy: joinPolicies[c.Join], Deadlines: c.deadlines(),
	}
	if c.GoOn != 0 {
		req.MutualDice = &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_GO_ON, AnswerTime: durationpb.New(c.GoOn)}
	}
	switch {
	case (c.Scenario == "") == (c.File == nil):
		return usageError{"name a scenario or give a document with --file"}
	case c.File != nil:
		req.Source = &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: c.File}
	default:
		req.Source = &v1.CreateGameRequest_Scenario{Scenario: c.Scenario}
	}
	if err := c.seatsExist(a, client); err != nil {
		return err
	}
	resp, err := client.Create(a.ctx, req)
	if err != nil {
		return err
	}
	game := resp.Game
	if err := a.keep(game.Name, true, func(g *credentials.Game) { g.Owner = resp.OwnerToken }); err != nil {
		return fmt.Errorf("%s was created, but its token cannot be kept: %w", game.Name, err)
	}
	for _, seat := range c.Take {
		if game, err = a.take(game.Name, seat, c.Name); err != nil {
			return fmt.Errorf("%s was created; taking %s: %w", resp.Game.Name, seat, err)
		}
	}
	return a.message(game, func() {
		a.say("Created %s.\n", game.Name)
		a.summary(game)
	})
}

// seatsExist refuses a seat that the ruleset does not have before a game is made that nobody wanted. What the server
// does not answer is left to the creation itself.
func (c createCmd) seatsExist(a *app, client *warledger.Client) error {
	if len(c.Take) == 0 {
		return nil
	}
	set, err := client.Catalog().GetRuleset(a.ctx, &v1.GetRulesetRequest{Name: "rulesets/" + c.Ruleset})
	if err != nil {
		return nil
	}
	var known []string
	for _, s := range set.GetRuleset().GetSeats() {
		known = append(known, s.Id)
	}
	for _, seat := range c.Take {
		if len(known) > 0 && !slices.Contains(known, seat) {
			return usageError{fmt.Sprintf("there is no seat %q, expected one of %s", seat, join(known))}
		}
	}
	return nil
}

// take takes a seat and keeps its token.
func (a *app) take(name, seat, holder string) (*v1.Game, error) {
	return a.takeInvited(name, seat, holder, "")
}

// takeInvited is take with an invitation, if it is not empty.
func (a *app) takeInvited(name, seat, holder, invitation string) (*v1.Game, error) {
	client, err := a.server()
	if err != nil {
		return nil, err
	}
	held, err := a.held(name)
	if err != nil {
		return nil, err
	}
	a.at = name
	bring := held.Tokens()
	if invitation != "" {
		bring = append(bring, invitation)
	}
	tokens := bring
	if former := held.Former[seat]; former != "" {
		tokens = append(slices.Clone(bring), former)
	}
	resp, err := client.Game(name, "").WithTokens(holding(tokens)).Take(a.ctx, seat, holder, nil)
	if errors.Is(err, warledger.ErrTokenRevoked) && held.Former[seat] != "" { // somebody else has held the seat since
		resp, err = client.Game(name, "").WithTokens(holding(bring)).Take(a.ctx, seat, holder, nil)
	}
	if err != nil && resp.GetSeatToken() == "" {
		return nil, a.joinRefused(name, seat, err)
	}
	return resp.Game, errors.Join(err, a.keep(name, true, func(g *credentials.Game) {
		g.Seats[seat] = resp.SeatToken
		delete(g.Former, seat)
	}))
}
