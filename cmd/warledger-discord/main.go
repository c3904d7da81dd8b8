// Command warledger-discord is the bridge between Discord and a Warledger server: it lets the members of a Discord
// server play in its channels.
//
// It needs the token of a bot (--token-file, or WARLEDGER_DISCORD_TOKEN in the environment) and a Warledger server, and
// keeps games, seats and their tokens in one file. docs/howto/discord.md says how to set it up. It stops on SIGINT and
// SIGTERM and goes on where it was when it is started again. Exit codes: 0 after a stop, 1 if it could not run or
// Discord turned it away, 2 if its settings are wrong.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/disgoorg/snowflake/v2"

	"github.com/warledger/warledger/clients/discord"
	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/build"
)

// settings are what the bridge can be told: each is a flag and a variable of the environment.
type settings struct {
	Show kong.VersionFlag `name:"version" env:"-" help:"Print the version and stop."`

	TokenFile string `help:"File with the token of the bot; without one it is taken from WARLEDGER_DISCORD_TOKEN." env:"WARLEDGER_DISCORD_TOKEN_FILE" placeholder:"FILE"`
	Guild     string `help:"Id of the only Discord server in which the commands are offered, at once; without one all get them, within an hour." env:"WARLEDGER_DISCORD_GUILD" placeholder:"ID"`
	File      string `help:"File that holds games, seats and their tokens; made if it is not there." default:"warledger-discord.db" env:"WARLEDGER_DISCORD_FILE" placeholder:"FILE"`
	Server    string `help:"Warledger server." default:"localhost:7480" env:"WARLEDGER_SERVER" placeholder:"HOST:PORT"`
	TLS       string `name:"tls" help:"Encrypt the connection to it: auto (unless it is on this host), on or off." enum:"auto,on,off" default:"auto" env:"WARLEDGER_TLS"`
	CA        string `name:"ca" help:"Certificates to trust, PEM." type:"existingfile" env:"WARLEDGER_CA" placeholder:"FILE"`
	Board     string `help:"Address of the web board to link to, as in https://play.example/." env:"WARLEDGER_DISCORD_BOARD" placeholder:"URL"`

	Settle    time.Duration `help:"How long a game must be quiet before a player is called." default:"3s" env:"WARLEDGER_DISCORD_SETTLE"`
	LogFormat string        `help:"Format of the log: text or json." enum:"text,json" default:"text" env:"WARLEDGER_LOG_FORMAT"`
	LogLevel  slog.Level    `help:"Least level that is logged: debug, info, warn or error." default:"info" env:"WARLEDGER_LOG_LEVEL"`

	API string `name:"discord-api" help:"Address of Discord's API, for tests." hidden:"" env:"-"`
}

// Exit codes.
const (
	clean = iota
	failed
	misused
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exited is how kong's wish to exit, after help, comes back from it.
type exited int

// run is the whole program; it returns its exit code.
func run(ctx context.Context, args []string, env func(string) string, out, errs io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			wish, ok := p.(exited)
			if !ok {
				panic(p)
			}
			code = int(wish)
		}
	}()
	set := new(settings)
	parser, err := kong.New(set, kong.Name("warledger-discord"),
		kong.Description("Lets people play board wargames in the channels of Discord, at a Warledger server."),
		kong.Writers(out, errs), kong.Vars{"version": version()}, kong.Exit(func(code int) { panic(exited(code)) }))
	if err != nil {
		fmt.Fprintln(errs, err)
		return failed
	}
	if _, err := parser.Parse(args); err != nil {
		fmt.Fprintf(errs, "warledger-discord: %v\n", err)
		return misused
	}
	config, err := set.config(env, errs)
	if err != nil {
		fmt.Fprintf(errs, "warledger-discord: %v\n", err)
		return misused
	}
	defer config.Server.Close()
	if err := discord.Run(ctx, config); err != nil {
		fmt.Fprintf(errs, "warledger-discord: %v\n", err)
		return failed
	}
	return clean
}

// config makes of the settings what the bridge works with.
func (set *settings) config(env func(string) string, log io.Writer) (discord.Config, error) {
	c := discord.Config{File: set.File, Board: set.Board, Settle: set.Settle, REST: set.API}
	var err error
	if c.Token, err = set.token(env); err != nil {
		return c, err
	}
	if set.Guild != "" {
		if c.Guild, err = snowflake.Parse(set.Guild); err != nil || c.Guild == 0 {
			return c, fmt.Errorf("--guild: %q is no id of Discord", set.Guild)
		}
	}
	if set.Settle <= 0 {
		return c, fmt.Errorf("--settle: %s is no time to wait, expected more than 0", set.Settle)
	}
	options := &slog.HandlerOptions{Level: set.LogLevel}
	c.Log = slog.New(slog.NewTextHandler(log, options))
	if set.LogFormat == "json" {
		c.Log = slog.New(slog.NewJSONHandler(log, options))
	}
	c.Server, err = set.dial()
	return c, err
}

// token reads the bot's token, from a file rather than from the command line, which others can read.
func (set *settings) token(env func(string) string) (string, error) {
	token := env("WARLEDGER_DISCORD_TOKEN")
	if set.TokenFile != "" {
		data, err := os.ReadFile(set.TokenFile)
		if err != nil {
			return "", err
		}
		token = string(data)
	}
	if token = strings.TrimSpace(token); token == "" {
		return "", errors.New("no token: give --token-file or WARLEDGER_DISCORD_TOKEN")
	}
	return token, nil
}

func (set *settings) dial() (*warledger.Client, error) {
	var o []warledger.Option
	switch {
	case set.TLS == "off":
		o = append(o, warledger.WithPlaintext())
	case set.TLS == "on" || set.CA != "":
		trust := &tls.Config{MinVersion: tls.VersionTLS12}
		if set.CA != "" {
			pem, err := os.ReadFile(set.CA)
			if err != nil {
				return nil, err
			}
			trust.RootCAs = x509.NewCertPool()
			if !trust.RootCAs.AppendCertsFromPEM(pem) {
				return nil, fmt.Errorf("%s holds no certificate in PEM", set.CA)
			}
		}
		o = append(o, warledger.WithTLS(trust))
	}
	return warledger.Dial(set.Server, append(o, warledger.WithPatience(10*time.Second))...)
}

// version says what program this is.
func version() string { return build.Text("warledger-discord") }
