package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"

	"golang.org/x/sync/semaphore"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type computerCmd struct {
	List   computersCmd      `cmd:"" help:"List the computer players that are on offer."`
	Seat   seatComputerCmd   `cmd:"" help:"Give a free seat to a computer player."`
	Unseat unseatComputerCmd `cmd:"" help:"Take a seat back from a computer player."`
	Offer  offerComputerCmd  `cmd:"" help:"Offer a bot as a computer player, and play the seats that it is given, until interrupted."`
}

type computersCmd struct {
	Game string `arg:"" optional:"" help:"Only those that play this game."`
}

// strengths say how well a computer plays.
var strengths = map[v1.Strength]string{
	v1.Strength_STRENGTH_CHANCE: "chance", v1.Strength_STRENGTH_EASY: "easy", v1.Strength_STRENGTH_STRONG: "strong",
}

// Run lists the computers.
func (c computersCmd) Run(a *app) error {
	client, err := a.server()
	if err != nil {
		return err
	}
	ruleset, scenario := "", ""
	if c.Game != "" {
		game, err := a.game(c.Game)
		if err != nil {
			return err
		}
		g, err := game.Get(a.ctx)
		if err != nil {
			return err
		}
		ruleset, scenario = g.Ruleset, g.Scenario
	}
	list, err := client.Computers(a.ctx, ruleset, scenario, string(a.line.Lang))
	if err != nil {
		return err
	}
	return a.message(&v1.ListComputersResponse{Computers: list}, func() {
		if len(list) == 0 {
			a.say("No computer player is on offer.\n")
			return
		}
		rows := [][]string{a.heads("COMPUTER", "NAME", "RUN BY", "SEATS", "PLAYS")}
		for _, one := range list {
			by := a.words("others")
			if one.House {
				by = a.words("the server")
			}
			rows = append(rows, []string{short(one.Name), one.Title, by,
				fmt.Sprintf(a.words("%d of %d"), one.Seats, one.MaxSeats), plays(one)})
		}
		a.table(rows)
	})
}

// plays says what a computer plays.
func plays(c *v1.Computer) string {
	var all []string
	for _, r := range c.Repertoire {
		text := short(r.Ruleset)
		if len(r.Scenarios) > 0 {
			text += " " + strings.Join(r.Scenarios, "|")
		}
		if s := strengths[r.Strength]; s != "" {
			text += " (" + s + ")"
		}
		all = append(all, text)
	}
	return join(all)
}

type seatComputerCmd struct {
	Game     string `arg:"" help:"Game."`
	Seat     string `arg:"" help:"Seat, which is free."`
	Computer string `arg:"" optional:"" help:"Computer, as warledger computer list names it." default:"greedy"`
	GivesUp  bool   `help:"Ask it to give up when it sees no hope."`
}

// Run gives a seat to a computer.
func (c seatComputerCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	var how []warledger.Seating
	if c.GivesUp {
		how = append(how, warledger.GivingUp())
	}
	g, err := game.SeatComputer(a.ctx, c.Seat, "computers/"+short(c.Computer), how...)
	if err != nil {
		return err
	}
	return a.message(g, func() {
		a.say("%s plays %s in %s.\n", short(c.Computer), c.Seat, g.Name)
		a.summary(g)
	})
}

type unseatComputerCmd struct {
	Game string `arg:"" help:"Game."`
	Seat string `arg:"" help:"Seat, which a computer holds."`
}

// Run takes a seat back from a computer.
func (c unseatComputerCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, err := game.UnseatComputer(a.ctx, c.Seat)
	if err != nil {
		return err
	}
	return a.message(g, func() { a.say("%s of %s is free.\n", c.Seat, g.Name) })
}

type offerComputerCmd struct {
	Name    string   `arg:"" help:"Name to be known by at the table."`
	Account string   `required:"" help:"File with the token of the computer's account, a secret; made if it is missing. Whoever has it is this computer." placeholder:"FILE"`
	Bot     string   `help:"Kind of bot: random, greedy or strong." enum:"random,greedy,strong" default:"greedy"`
	Ruleset []string `help:"Rulesets to play; by default all on the server that the bot knows." placeholder:"RULESET"`
	Seats   int      `help:"How many seats to play at once, 1 to 64." default:"8"`
	Threads int      `help:"How many seats may think at once." default:"1"`
}

// Run offers a bot until the program is interrupted.
func (c offerComputerCmd) Run(a *app) error {
	if c.Threads < 1 {
		return usageError{"--threads must be at least 1"}
	}
	account, err := readAccount(c.Account)
	if err != nil {
		return err
	}
	client, err := a.server()
	if err != nil {
		return err
	}
	offer, err := c.offer(a, client)
	if err != nil {
		return err
	}
	crew := &bot.Crew{
		Client: client, Account: account, Offer: offer, Turns: semaphore.NewWeighted(int64(c.Threads)),
		Make:    func(ruleset string) (bot.Bot, error) { return makeBot(c.Bot, ruleset, rand.Uint64()) },
		Offered: func(o *v1.Computer) { a.say("%s is on offer as %s.\n", o.Title, short(o.Name)) },
		Given:   func(s *v1.ComputerSeat) { a.say("It plays %s of %s.\n", s.Seat, s.Name) },
		Failed: func(s *v1.ComputerSeat, err error) {
			a.grumble("warledger: %s of %s: %v\n", s.Seat, short(s.Name), err)
		},
	}
	return crew.Run(a.ctx)
}

// offer says what the bot plays at the server.
func (c offerComputerCmd) offer(a *app, client *warledger.Client) (*v1.OfferComputerRequest, error) {
	rulesets := c.Ruleset
	if len(rulesets) == 0 {
		resp, err := client.Catalog().ListRulesets(a.ctx, &v1.ListRulesetsRequest{})
		if err != nil {
			return nil, err
		}
		for _, r := range resp.Rulesets {
			rulesets = append(rulesets, short(r.Name))
		}
	}
	o := &v1.OfferComputerRequest{Title: c.Name, MaxSeats: int32(min(c.Seats, 1<<20)),
		Description: "A bot of warledger: " + c.Bot + "."}
	for _, name := range rulesets {
		if _, err := makeBot(c.Bot, name, 0); err != nil {
			if len(c.Ruleset) > 0 {
				return nil, usageError{err.Error()}
			}
			continue
		}
		strength := map[string]v1.Strength{"random": v1.Strength_STRENGTH_CHANCE, "greedy": v1.Strength_STRENGTH_EASY,
			"strong": v1.Strength_STRENGTH_STRONG}[c.Bot]
		o.Repertoire = append(o.Repertoire, &v1.Repertoire{Ruleset: "rulesets/" + name, Strength: strength})
	}
	return o, nil
}

// readAccount reads the token of an account from a file, and makes both if none exists. Nobody else may read it.
func readAccount(name string) (string, error) {
	data, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return strings.TrimSpace(string(data)), err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	account := warledger.NewAccount()
	if _, err = fmt.Fprintln(file, account); err == nil {
		err = file.Sync()
	}
	return account, errors.Join(err, file.Close())
}
