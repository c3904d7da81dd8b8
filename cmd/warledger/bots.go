package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/clients/bot/search"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// plainPositions is the budget of the search that knows no ruleset.
const plainPositions = 1_000

// botsInProcess are the kinds of bots that play without a server.
const botsInProcess = "random, greedy, search or strong; strong:500 thinks 500 positions a decision"

// makeBot makes a bot of a kind.
func makeBot(kind, ruleset string, seed uint64) (bot.Bot, error) {
	name, number, bounded := strings.Cut(kind, ":")
	positions := 0
	if bounded {
		var err error
		if positions, err = strconv.Atoi(number); err != nil || positions < 1 || name != "search" && name != "strong" {
			return nil, usageError{fmt.Sprintf("%q is no bot, expected %s", kind, botsInProcess)}
		}
	}
	switch name {
	case "random":
		return bot.NewRandom(seed), nil
	case "greedy":
		return greedy.New(ruleset, seed)
	case "search":
		return search.New(seed, search.Budget{Positions: cmp.Or(positions, plainPositions)}), nil
	case "strong":
		return strongBot(ruleset, seed, cmp.Or(positions, search.Usual(ruleset)))
	}
	return nil, usageError{fmt.Sprintf("there is no bot %q, only %s", kind, botsInProcess)}
}

// strongBot makes a strong bot, with the rules to play at a server too.
func strongBot(ruleset string, seed uint64, positions int) (bot.Bot, error) {
	b, err := search.Strong(ruleset, seed, search.Budget{Positions: positions})
	if err != nil {
		return nil, err
	}
	registry, err := rulesets.Registry(false)
	if err != nil {
		return nil, err
	}
	set, _ := registry.Find(ruleset)
	return b.At(set), nil
}

type playBotCmd struct {
	Game  string  `arg:"" help:"Game."`
	Seat  string  `arg:"" help:"Seat; taken if it is free."`
	Bot   string  `help:"Kind of bot: random, greedy or strong." enum:"random,greedy,strong" default:"random"`
	Seed  *uint64 `help:"Seed of the bot's chance; another each time if not given." placeholder:"N"`
	Name  string  `help:"Name of the bot at the table, bot:KIND:SEAT if not given. Seats of one name are one player's, where the rulebook cares." placeholder:"NAME"`
	Agree bool    `help:"Agree to every undo that the others ask for."`
	Quiet bool    `short:"q" help:"Do not tell what the bot does."`
}

// played is what play-bot prints at the end as JSON.
type played struct {
	Game      string   `json:"game"`
	Seat      string   `json:"seat"`
	Decisions int      `json:"decisions"`
	Winners   []string `json:"winners"`
	Ending    string   `json:"ending"`
}

// Run plays a seat until the game ends.
func (c playBotCmd) Run(a *app) error {
	name, err := a.gameName(c.Game)
	if err != nil {
		return err
	}
	client, err := a.server()
	if err != nil {
		return err
	}
	game := client.Game(name, c.Seat).InLanguage(string(a.line.Lang))
	g, err := game.Get(a.ctx)
	if err != nil {
		return err
	}
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	brain, err := makeBot(c.Bot, short(g.Ruleset), seed)
	if err != nil {
		return err
	}
	if err := a.seatBot(name, c.Seat, cmp.Or(c.Name, "bot:"+c.Bot+":"+c.Seat), g); err != nil {
		return err
	}
	player := &bot.Player{Game: game, Bot: brain, AgreeToUndo: c.Agree}
	if !c.Quiet && a.line.Output != "json" {
		player.Played = a.record
	}
	stats, err := player.Play(a.ctx)
	if err != nil {
		return err
	}
	end := stats.Game.GetEnding()
	if a.line.Output == "json" {
		return a.plainJSON(
			played{name, c.Seat, stats.Decisions, slices.Concat([]string{}, end.GetWinners()), end.GetText()}, true,
		)
	}
	a.say("The game is over. %s The bot made %d decisions.\n", end.GetText(), stats.Decisions)
	return nil
}

// seatBot takes the seat for the bot unless it is ours.
func (a *app) seatBot(name, seat, holder string, g *v1.Game) error {
	held, err := a.held(name)
	if err != nil || held.Seats[seat] != "" || g.Over {
		return err
	}
	_, err = a.take(name, seat, holder)
	return err
}
