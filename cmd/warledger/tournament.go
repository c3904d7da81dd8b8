package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/search"
	"github.com/warledger/warledger/clients/bot/tournament"
)

type tournamentCmd struct {
	Ruleset  string            `arg:"" help:"Ruleset."`
	Scenario string            `arg:"" help:"Scenario that comes with the ruleset, or a file with a document."`
	Bots     []string          `help:"Bots that take part: random, greedy, search or strong; strong:500 thinks 500 positions a decision." default:"random,greedy"`
	Games    int               `help:"How many games each plays against each on each side." default:"20"`
	Mirror   bool              `help:"Each also plays itself, which says what the sides are worth."`
	Seed     uint64            `help:"Seed of everything: the same seed plays the same games, however many at a time." default:"1"`
	Option   map[string]string `help:"Options of the ruleset." placeholder:"KEY=VALUE" mapsep:"none"`
	Jobs     int               `short:"j" help:"How many games at a time; as many as there are processors if not given." placeholder:"N"`
	Limit    int               `help:"Decisions after which a game is cut off; 0 for never." default:"100000"`
	Turns    int               `help:"Turns after which a game is cut off; 0 for never." default:"0"`
	Tables   string            `help:"Folder to write ratings.csv, pairings.csv, sides.csv and tournament.json to; made if it is missing." placeholder:"FOLDER"`
}

// Run lets every bot play every other on both sides, and rates them.
func (c tournamentCmd) Run(a *app) error {
	sim := simCmd{Ruleset: c.Ruleset, Scenario: c.Scenario, Option: c.Option}
	set, sc, o, err := sim.load()
	if err != nil {
		return err
	}
	t := &tournament.Tournament{Ruleset: set, Scenario: sc, Options: o, Games: c.Games, Mirror: c.Mirror, Seed: c.Seed,
		Jobs: c.Jobs, MaxDecisions: c.Limit, MaxTurns: c.Turns, Judge: search.Judge(c.Ruleset)}
	if c.Jobs < 1 {
		t.Jobs = runtime.GOMAXPROCS(0)
	}
	if c.Games < 1 {
		return usageError{"--games must be 1 or more"}
	}
	for _, kind := range c.Bots {
		kind = strings.TrimSpace(kind)
		if _, err := makeBot(kind, c.Ruleset, 0); err != nil {
			return usageError{err.Error()}
		}
		t.Entries = append(t.Entries, tournament.Entry{Name: kind, Make: func(seed uint64) (bot.Bot, error) {
			return makeBot(kind, c.Ruleset, seed)
		}})
	}
	bar := a.progress(t.Total())
	t.Done = func() { _ = bar.Add(1) }
	table, err := t.Play(a.ctx)
	_ = bar.Finish()
	if err != nil {
		return err
	}
	if c.Tables != "" {
		if err := writeTables(c.Tables, table); err != nil {
			return err
		}
	}
	if a.line.Output == "json" {
		return a.plainJSON(table, true)
	}
	a.showTournament(table)
	return nil
}

// showTournament prints the ratings, the pairings and the sides.
func (a *app) showTournament(t *tournament.Table) {
	share := func(c tournament.Count) []string {
		return []string{fmt.Sprint(c.Games), fmt.Sprint(c.Won), fmt.Sprint(c.Drawn), fmt.Sprint(c.Lost),
			fmt.Sprintf("%.0f%%", 100*c.Share), fmt.Sprintf("%.0f to %.0f%%", 100*c.Low, 100*c.High)}
	}
	columns := append(a.heads("GAMES", "WON", "DRAWN", "LOST", "SHARE"), "95 %")
	rows := [][]string{append(a.heads("BOT", "ELO"), columns...)}
	for _, r := range t.Ratings {
		rows = append(rows, append([]string{r.Bot, fmt.Sprintf("%+.0f ± %.0f", r.Elo.Elo, r.Error)}, share(r.Count)...))
	}
	a.table(rows)
	a.say("\n")
	rows = [][]string{append([]string{strings.Join(t.Sides[0].Seats, " "), strings.Join(t.Sides[1].Seats, " ")},
		columns...)}
	for _, p := range t.Pairings {
		rows = append(rows, append([]string{p.First, p.Second}, share(p.Count)...))
	}
	rows = append(rows, append(a.heads("all", "all"), share(t.Sides[0].Count)...))
	a.table(rows)
	a.say("\nThe first side is worth %+.0f ± %.0f Elo.\n", t.Advantage.Elo, t.Advantage.Error)
	if t.CutOff > 0 {
		a.say("%d games were cut off.\n", t.CutOff)
	}
}

// writeTables writes all tables of a tournament to a folder.
func writeTables(folder string, t *tournament.Table) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	asJSON := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(t)
	}
	for _, one := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"ratings.csv", t.WriteRatings}, {"pairings.csv", t.WritePairings}, {"sides.csv", t.WriteSides},
		{"tournament.json", asJSON},
	} {
		file, err := os.Create(filepath.Join(folder, one.name))
		if err != nil {
			return err
		}
		err = one.write(file)
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
	}
	return nil
}
