package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/warledger/warledger/cmd/internal/build"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/cmd/internal/secret"
)

// cli is the command line.
type cli struct {
	Server    string `help:"Server to talk to." default:"localhost:7480" env:"WARLEDGER_SERVER" placeholder:"HOST:PORT"`
	TLS       string `name:"tls" help:"Encrypt the connection: auto (unless the server is on this host), on or off." enum:"auto,on,off" default:"auto" env:"WARLEDGER_TLS"`
	CA        string `name:"ca" help:"Certificates to trust, PEM." type:"existingfile" env:"WARLEDGER_CA" placeholder:"FILE"`
	Cert      string `help:"Certificate to show to a server that asks for one, PEM." type:"existingfile" env:"WARLEDGER_CERT" placeholder:"FILE"`
	Key       string `help:"Key of the certificate, PEM." type:"existingfile" env:"WARLEDGER_KEY" placeholder:"FILE"`
	Output    string `short:"o" help:"What to print: text or json." enum:"text,json" default:"text"`
	Lang      tongue `help:"Language of what the game says: en, ja, or another that the program has." default:"en" env:"WARLEDGER_LANG" placeholder:"TAG"`
	As        string `help:"Seat to act for and to see as; needed only by a player who holds several. \"spectator\" sees what is public." placeholder:"SEAT"`
	Color     string `help:"Colours: auto, always or never." enum:"auto,always,never" default:"auto"`
	Width     int    `help:"Width of the picture in cells; that of the terminal if not given." placeholder:"N"`
	ConfigDir string `help:"Folder of the file with tokens." env:"WARLEDGER_CONFIG_DIR" type:"path" placeholder:"DIR"`

	Rulesets  rulesetsCmd  `cmd:"" group:"catalogue" help:"List the rulesets of the server."`
	Scenarios scenariosCmd `cmd:"" group:"catalogue" help:"List the scenarios of a ruleset."`
	Scenario  scenarioCmd  `cmd:"" group:"catalogue" help:"Show or check a scenario."`
	Rule      ruleCmd      `cmd:"" group:"catalogue" help:"Show a paragraph of a rulebook."`

	Create    createCmd    `cmd:"" group:"table" help:"Create a game."`
	Games     gamesCmd     `cmd:"" group:"table" help:"List games."`
	Show      showCmd      `cmd:"" group:"table" help:"Show a game's summary."`
	Join      joinCmd      `cmd:"" group:"table" help:"Take a seat."`
	Leave     leaveCmd     `cmd:"" group:"table" help:"Leave a seat."`
	Seat      seatCmd      `cmd:"" group:"table" help:"Hand a guarded seat over: offer it, see what is offered, answer."`
	Computer  computerCmd  `cmd:"" group:"table" help:"Computer players: list, give a seat to one, take it back, offer a bot as one."`
	Resign    resignCmd    `cmd:"" group:"table" help:"Give the game up; with allies left it goes on without you."`
	Close     closeCmd     `cmd:"" group:"table" help:"End a game without a result; owner only."`
	Deadlines deadlinesCmd `cmd:"" group:"table" help:"Change how long seats may take, with consent; take a holiday."`
	Webhook   webhookCmd   `cmd:"" group:"table" help:"Have the server post what happens to a program of yours."`
	Mail      mailCmd      `cmd:"" group:"table" help:"Have the server send you mail when something is asked of you."`

	Token tokenCmd `cmd:"" group:"table" help:"Make tokens that open less than yours, for bots and guests; list and revoke them; use one."`

	Play     playCmd     `cmd:"" group:"play" help:"Play, watch or look back on a full screen."`
	Board    boardCmd    `cmd:"" group:"play" help:"Draw the board."`
	Legal    legalCmd    `cmd:"" group:"play" help:"List what may be done, numbered."`
	Do       doCmd       `cmd:"" group:"play" help:"Make a command."`
	Preview  previewCmd  `cmd:"" group:"play" help:"Say what a command would do, and with what chances."`
	Odds     oddsCmd     `cmd:"" group:"play" help:"Compute the odds of a battle in any space, with any forces."`
	Undo     undoCmd     `cmd:"" group:"play" help:"Take something back, or ask to."`
	Redo     redoCmd     `cmd:"" group:"play" help:"Take an undo back."`
	Consent  consentCmd  `cmd:"" group:"play" help:"Answer an undo that waits for consent."`
	Chain    chainCmd    `cmd:"" group:"play" help:"Answer for mutual dice from this machine from now on."`
	Log      logCmd      `cmd:"" group:"play" help:"Tell what has happened."`
	Watch    watchCmd    `cmd:"" group:"play" help:"Tell what happens, as it happens."`
	Replay   replayCmd   `cmd:"" group:"play" help:"Step through a game."`
	Compare  compareCmd  `cmd:"" group:"play" help:"Say where two games, or two versions of one, part and how they differ."`
	Position positionCmd `cmd:"" group:"play" help:"Print the typed position."`

	Say      sayCmd      `cmd:"" group:"play" help:"Say something at the table, to your side, or to yourself."`
	Messages messagesCmd `cmd:"" group:"play" help:"Show what was said, and follow it; delete a message."`
	Notes    notesCmd    `cmd:"" group:"play" help:"Show your notes."`
	Talk     talkCmd     `cmd:"" group:"table" help:"Mute a seat, report a message, let spectators read."`

	Fork   forkCmd   `cmd:"" group:"table" help:"Leave a game from any version, for a game of its own or a private line."`
	Export exportCmd `cmd:"" group:"check" help:"Write a game to a file."`
	Import importCmd `cmd:"" group:"check" help:"Take a game file into the server."`
	Verify verifyCmd `cmd:"" group:"check" help:"Check a game file, without the server: chain, dice, every decision."`
	Audit  auditCmd  `cmd:"" group:"check" help:"Have the server check a game."`

	PlayBot    playBotCmd    `cmd:"" group:"bots" help:"Have a bot play a seat until the game ends."`
	Sim        simCmd        `cmd:"" group:"bots" help:"Let bots play many games against each other, without the server."`
	Tournament tournamentCmd `cmd:"" group:"bots" help:"Let every bot play every other on both sides, and rate them."`
	Lab        labCmd        `cmd:"" group:"bots" help:"Play many games at once for a program that learns; export games for it."`

	Doctor doctorCmd `cmd:"" group:"admin" help:"Find out why a server can't be reached or is not healthy, and what to do about it."`
	Admin  adminCmd  `cmd:"" group:"admin" help:"Look after a server: figures, check, compact, backup, restore, migrate, tokens."`

	Version versionCmd `cmd:"" help:"Print what program this is."`
}

const description = `Plays, watches, replays and checks board wargames at a Warledger server, and simulates them without one.

GAME is the name of a game ("games/..."), its id, the beginning of the id of a game of yours, or "." for the game that you created or joined last.

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 refused, 4 not found, 5 not allowed, 6 the game has moved on, 7 server not reached, 8 verify, audit, sim or doctor found something wrong, 130 interrupted.`

// exited is how kong's wish to exit, after help, comes back from it.
type exited int

// run runs one command line and gives the exit code.
func run(ctx context.Context, args []string, w world) (code int) {
	defer func() {
		if p := recover(); p != nil {
			wish, ok := p.(exited)
			if !ok {
				panic(p)
			}
			code = int(wish)
		}
	}()
	if slices.Equal(args, []string{"--version"}) { // no flag: what board and others call --version is one of a game
		args = []string{"version"}
	}
	passwords := secret.Passwords(args...)
	w.out, w.err = secret.Writer(w.out, passwords), secret.Writer(w.err, passwords)
	line := new(cli)
	parser, err := kong.New(line,
		kong.Name("warledger"), kong.Description(description), kong.UsageOnError(),
		kong.ExplicitGroups([]kong.Group{
			{Key: "catalogue", Title: "What can be played"}, {Key: "table", Title: "At the table"},
			{Key: "play", Title: "Playing and looking"},
			{Key: "check", Title: "Checking"}, {Key: "bots", Title: "Bots"}, {Key: "admin", Title: "Running a server"},
		}),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Help(heard(args).help),
		kong.Writers(w.out, w.err), kong.Exit(func(code int) { panic(exited(code)) }))
	if err != nil {
		fmt.Fprintln(w.err, err)
		return exitFailed
	}
	language := heard(args)
	language.translate(parser.Model)
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(w.err, "warledger: %s\n", language.told(err.Error()))
		var wrong *kong.ParseError
		if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() != nil {
			fmt.Fprintf(w.err, language.in("  warledger %s --help says more\n"), wrong.Context.Selected().Path())
		}
		return exitUsage
	}
	a := &app{ctx: ctx, line: line, world: w}
	defer a.close()
	if err := parsed.Run(a); err != nil {
		return a.complain(err)
	}
	return exitDone
}

type versionCmd struct{}

// Run prints what program this is.
func (versionCmd) Run(a *app) error {
	a.say("%s\n", version())
	return nil
}

// version says what program this is.
func version() string { return build.Text("warledger", rulesets.Offered()...) }
