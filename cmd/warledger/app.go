package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
)

// app is one run of the program.
type app struct {
	world
	ctx    context.Context
	line   *cli
	client *warledger.Client
	tokens *credentials.File
	// at is the game that the command is about, once it is known.
	at string
	// alarmed is true once a warning about the dice was printed.
	alarmed bool
}

// patience is how long to try to reach the server: a person waits.
const patience = 2 * time.Second

// server connects to the server, once.
func (a *app) server() (*warledger.Client, error) {
	if a.client != nil {
		return a.client, nil
	}
	file, err := a.credentials()
	if err != nil {
		return nil, err
	}
	opts := []warledger.Option{
		warledger.WithPatience(patience), warledger.WithGRPC(printableAnswers...),
		warledger.WithTokens(warledger.TokenFunc(func(_ context.Context, game string) ([]string, error) {
			held, err := file.Game(a.line.Server, game)
			return held.Tokens(), err
		})),
		warledger.WithChains(file.Chains(a.line.Server)),
	}
	config, err := a.trusted()
	switch {
	case err != nil:
		return nil, err
	case config != nil:
		opts = append(opts, warledger.WithTLS(config))
	case a.line.TLS == "off":
		opts = append(opts, warledger.WithPlaintext())
	}
	a.client, err = warledger.Dial(a.line.Server, opts...)
	return a.client, err
}

// trusted is how the flags say to encrypt; nil if they leave it to the address, or do without.
func (a *app) trusted() (*tls.Config, error) {
	if a.line.TLS != "on" && (a.line.TLS == "off" || a.line.CA == "" && a.line.Cert == "") {
		return nil, nil
	}
	return trust(a.line.CA, a.line.Cert, a.line.Key)
}

// trust says whom to believe, and what to show to a server that asks for a certificate.
func trust(ca, cert, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if (cert == "") != (key == "") {
		return nil, usageError{"--cert and --key go together"}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if ca == "" {
		return config, nil
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", ca)
	}
	config.RootCAs = pool
	return config, nil
}

func (a *app) credentials() (*credentials.File, error) {
	if a.tokens == nil {
		file, err := credentials.Usual(a.line.ConfigDir)
		if err != nil {
			return nil, err
		}
		a.tokens = file
	}
	return a.tokens, nil
}

func (a *app) close() {
	if a.client != nil {
		_ = a.client.Close()
	}
}

// game makes a handle of a game, completing its name, for the seat of --as.
func (a *app) game(given string) (*warledger.Game, error) {
	name, err := a.gameName(given)
	if err != nil {
		return nil, err
	}
	client, err := a.server()
	if err != nil {
		return nil, err
	}
	a.at = name
	game := client.Game(name, a.line.As).InLanguage(string(a.line.Lang))
	a.answerDice(game)
	return game, nil
}

// answerDice reveals what is owed for mutual dice by seats whose chain is kept here, whatever the command, and looks
// whether the server still has that chain. Other errors are reported by the command itself.
func (a *app) answerDice(game *warledger.Game) {
	held, err := a.held(game.Name())
	if err != nil || len(held.Chains) == 0 {
		return
	}
	if _, err := game.AnswerDice(a.ctx); isAlarm(err) {
		a.alarm(game, err)
	}
}

// isAlarm reports whether an error says that somebody may be choosing or foreseeing the dice.
func isAlarm(err error) bool {
	return errors.Is(err, warledger.ErrLogInconsistent) || errors.Is(err, warledger.ErrChainReplaced) ||
		errors.Is(err, warledger.ErrThrowTakenBack)
}

// alarm says so, once for each run, and what helps.
func (a *app) alarm(game *warledger.Game, err error) {
	if a.alarmed {
		return
	}
	a.alarmed = true
	id := short(game.Name())
	a.grumble("warledger: WARNING: %v\n", err)
	if taken := new(warledger.ThrowTakenBackError); errors.As(err, &taken) {
		a.grumble("  warledger chain %s --as %s --accept-undo %d goes on; only if it was you, or you know why\n",
			id, taken.Seat, taken.Undo)
		return
	}
	if errors.Is(err, warledger.ErrChainReplaced) {
		a.grumble("  warledger chain %s --as SEAT answers from this machine again\n", id)
	}
	a.grumble("  warledger chain %s --as SEAT --forget forgets what this machine knows; only if you know why, and it "+
		"was you or a restored backup\n", id)
}

func (a *app) gameName(given string) (string, error) {
	file, err := a.credentials()
	if err != nil {
		return "", err
	}
	server, err := file.Server(a.line.Server)
	if err != nil {
		return "", err
	}
	name, err := server.Find(given)
	if err != nil {
		return "", usageError{err.Error()}
	}
	return name, nil
}

// held is what this person holds of a game; never nil.
func (a *app) held(game string) (*credentials.Game, error) {
	file, err := a.credentials()
	if err != nil {
		return nil, err
	}
	held, err := file.Game(a.line.Server, game)
	if held == nil {
		held = &credentials.Game{}
	}
	return held, err
}

// keep changes what is held of a game.
func (a *app) keep(game string, latest bool, change func(*credentials.Game)) error {
	file, err := a.credentials()
	if err != nil {
		return err
	}
	return file.Change(a.line.Server, game, latest, change)
}

// acting is a handle of a game for the seat to act for: that of --as, or the only one held, or of those held the only
// one that the game waits for.
func (a *app) acting(given string) (*warledger.Game, error) {
	game, err := a.game(given)
	if err != nil || a.line.As != "" {
		return game, err
	}
	held, err := a.held(game.Name())
	if err != nil || len(held.Seats) == 0 {
		return game, err
	}
	seat, err := a.onlySeat(game, held)
	if err != nil {
		return nil, err
	}
	return a.client.Game(game.Name(), seat).InLanguage(string(a.line.Lang)), nil
}

func (a *app) onlySeat(game *warledger.Game, held *credentials.Game) (string, error) {
	if len(held.Seats) == 1 {
		for seat := range held.Seats {
			return seat, nil
		}
	}
	g, err := game.Get(a.ctx)
	if err != nil {
		return "", err
	}
	var asked []string
	for _, seat := range g.WaitingFor {
		if held.Seats[seat] != "" {
			asked = append(asked, seat)
		}
	}
	if len(asked) == 1 {
		return asked[0], nil
	}
	var all []string
	for _, s := range g.Seats {
		if held.Seats[s.Id] != "" {
			all = append(all, s.Id)
		}
	}
	return "",
		usageError{fmt.Sprintf("you hold several seats (%s) and the game waits for %d of them: say which with --as",
			join(all), len(asked))}
}

// options say how to draw on this terminal.
func (a *app) options() picture.Options {
	o := picture.Options{Width: a.width, Renderer: a.renderer(), Words: a.words}
	if a.line.Width > 0 {
		o.Width = a.line.Width
	}
	return o
}

// renderer knows the colours of the terminal; nil for none.
func (a *app) renderer() *lipgloss.Renderer {
	switch {
	case a.line.Color == "never", a.line.Color == "auto" && (!a.tty || a.env("NO_COLOR") != ""):
		return nil
	case a.line.Color == "auto":
		return lipgloss.NewRenderer(a.out)
	}
	r := lipgloss.NewRenderer(a.out)
	r.SetColorProfile(termenv.TrueColor)
	return r
}

// usageError is a mistake in the command line that the parser could not see.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// quietError is a failure that was reported already.
type quietError struct{ code int }

func (e quietError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func (a *app) interrupted(err error) bool {
	return a.ctx.Err() != nil &&
		(errors.Is(err, context.Canceled) || errors.Is(err, warledger.ErrCanceled) || a.ctx.Err() == context.Canceled)
}
