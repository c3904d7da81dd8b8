package main

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/build"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	"github.com/warledger/warledger/cmd/warledger/internal/doctor"
	"github.com/warledger/warledger/cmd/warledger/internal/reach"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type doctorCmd struct {
	Web        string   `help:"The server's port for HTTP; \"off\" for none. By default port 7482 of the server's host." placeholder:"HOST:PORT"`
	Ops        string   `help:"The server's port for operations; \"off\" for none. By default localhost:7481 if the server is on this host." env:"WARLEDGER_OPS" placeholder:"HOST:PORT"`
	DB         string   `name:"db" help:"The server's file of games: checks it and its disk." placeholder:"FILE"`
	Store      string   `help:"Address of a database of games to look at." env:"WARLEDGER_STORE" placeholder:"URL"`
	DBBytes    uint64   `name:"db-bytes" help:"The server's --db-bytes; 0 for no limit." default:"4294967296" placeholder:"BYTES"`
	Certs      []string `name:"tls-cert" help:"The server's certificate files to check, PEM." type:"existingfile" placeholder:"FILE"`
	Secrets    []string `help:"Further files with secrets that nobody else may read, such as the key of a certificate." type:"existingfile" placeholder:"FILE"`
	AdminToken string   `name:"token-file" help:"File with the server's admin token." env:"WARLEDGER_ADMIN_TOKEN_FILE" placeholder:"FILE"`
}

// Run examines what a game at the server depends on, and says what to do.
func (c doctorCmd) Run(a *app) error {
	at, err := either(c.DB, c.Store)
	if err != nil {
		return err
	}
	way, err := a.way()
	if err != nil {
		return err
	}
	e := &examination{app: a, cmd: c, way: way}
	e.server()
	e.ports()
	e.add(doctor.ClockSane(time.Now(), build.Time()))
	if e.reached {
		e.versions()
	}
	e.secrets()
	e.certificates()
	if e.reached {
		e.tokens()
	}
	e.store(at)
	return e.report()
}

// examination collects findings.
type examination struct {
	app *app
	cmd doctorCmd
	way reach.Way
	// reached says that the server answers calls, and program is its version, if that is known.
	reached bool
	program string
	found   []doctor.Finding
}

func (e *examination) add(f ...doctor.Finding) { e.found = append(e.found, f...) }

// server tries to reach the server as every command does.
func (e *examination) server() {
	got := reach.Find(e.app.ctx, e.way)
	e.reached = got.Kind == reach.OK
	state := doctor.Problem
	if e.reached {
		state = doctor.Fine
	}
	e.add(doctor.Finding{Check: "server." + string(got.Kind), State: state, Found: got.Found, Do: got.Do})
	if e.reached && !got.Expires.IsZero() {
		e.add(doctor.Expiry("tls.server", "the server's certificate", got.Expires, time.Now(),
			"its operator must renew it: warledgerd reads the new file within a minute"))
	}
	if e.reached && e.way.TLS == nil && !warledger.OnThisHost(e.app.line.Server) {
		e.add(doctor.Finding{Check: "tls.server", State: doctor.Warning,
			Found: "the connection to another host is not encrypted: whoever sees it can read tokens",
			Do:    "give the server a certificate (--tls-cert), then drop --tls off"})
	}
}

// ports asks the ports for HTTP.
func (e *examination) ports() {
	host, _, err := net.SplitHostPort(e.app.line.Server)
	if err != nil {
		host = "localhost"
	}
	web, ops := e.cmd.Web, e.cmd.Ops
	if web == "" {
		web = net.JoinHostPort(host, "7482")
	}
	if ops == "" && warledger.OnThisHost(e.app.line.Server) {
		ops = "localhost:7481"
	}
	if web != "off" {
		e.web(doctor.Port{Check: "port.web", Flag: "--web", Address: web, TLS: e.way.TLS, Patience: patience})
	}
	if ops != "off" && ops != "" {
		e.ops(doctor.Port{Check: "port.ops", Flag: "--ops", Address: ops, Patience: patience})
	}
}

// web asks the port for browsers for the rulesets, and reads the server's clock there.
func (e *examination) web(p doctor.Port) {
	page, bad := p.Ask(e.app.ctx, v1.CatalogService_ListRulesets_FullMethodName, "{}")
	if bad != nil {
		e.add(*bad)
		return
	}
	if !json.Valid([]byte(page.Text)) || !strings.Contains(page.Text, `"rulesets"`) {
		e.add(doctor.Finding{Check: p.Check, State: doctor.Problem,
			Found: p.Address + " answers, but is not a Warledger server",
			Do:    "see what listens there; --web of warledgerd says which port is meant"})
		return
	}
	e.add(doctor.Finding{Check: p.Check, State: doctor.Fine,
		Found: "the web board and its calls answer at " + p.Address})
	if !page.Date.IsZero() {
		e.add(doctor.Clocks(page.Date, page.Asked, page.Answered))
	}
}

// ops asks the port for operations whether the server is ready, and which program it is.
func (e *examination) ops(p doctor.Port) {
	if _, bad := p.Ask(e.app.ctx, "/readyz", ""); bad != nil {
		e.add(*bad)
		return
	}
	page, bad := p.Ask(e.app.ctx, "/metrics", "")
	if bad != nil {
		e.add(*bad)
		return
	}
	e.add(doctor.Operations(p.Address, doctor.Elsewhere(e.app.ctx, p.Address)))
	e.program = doctor.ProgramIn(page.Text)
}

// versions compares this program and its rules with the server's.
func (e *examination) versions() {
	client, err := e.app.server()
	if err != nil {
		e.add(doctor.Finding{Check: "version.rules", State: doctor.Problem, Found: err.Error()})
		return
	}
	resp, err := client.Catalog().ListRulesets(e.app.ctx, &v1.ListRulesetsRequest{})
	if err != nil {
		e.add(doctor.Finding{Check: "version.rules", State: doctor.Problem, Found: err.Error()})
		return
	}
	server := doctor.Version{Program: e.program, Rules: map[string]uint32{}}
	for _, r := range resp.Rulesets {
		server.Rules[strings.TrimPrefix(r.Name, "rulesets/")] = r.Version
	}
	own := doctor.Version{Program: build.Version(), Rules: map[string]uint32{}}
	known, err := rulesets.Registry(true)
	if err != nil {
		e.add(doctor.Finding{Check: "version.rules", State: doctor.Problem, Found: err.Error()})
		return
	}
	for _, r := range known.All() {
		own.Rules[r.About().Name] = r.About().Version
	}
	e.add(doctor.Versions(server, own)...)
}

// secrets looks at who may read files with secrets.
func (e *examination) secrets() {
	file, err := e.app.credentials()
	if err != nil {
		e.add(doctor.Finding{Check: "secrets.tokens", State: doctor.Problem, Found: err.Error(),
			Do: "say with --config-dir where to keep tokens"})
		return
	}
	e.add(doctor.Secret("secrets.folder", filepath.Dir(file.Path), false, false),
		doctor.Secret("secrets.tokens", file.Path, false, false))
	if e.cmd.AdminToken != "" {
		e.add(doctor.Secret("secrets.admin", e.cmd.AdminToken, true, true))
	}
	for _, path := range e.cmd.Secrets {
		e.add(doctor.Secret("secrets.file", path, true, true))
	}
	if e.cmd.DB != "" {
		e.add(doctor.Secret("secrets.games", e.cmd.DB, true, true))
		key := e.cmd.DB + ".signing-key"
		if _, err := os.Stat(key); err == nil {
			e.add(doctor.Secret("secrets.signing", key, true, true))
		}
	}
}

// certificates looks at files of certificates.
func (e *examination) certificates() {
	for _, path := range e.cmd.Certs {
		e.add(doctor.Certificate(path, time.Now()))
	}
	if e.app.line.Cert != "" && e.app.line.TLS != "off" {
		e.add(doctor.Certificate(e.app.line.Cert, time.Now()))
	}
}

// doctorsPatience is how long the tokens of all games together may take.
const doctorsPatience = 30 * time.Second

// tokens asks for each game whether the tokens kept still open it, and whether tokens made from them expire soon.
func (e *examination) tokens() {
	file, err := e.app.credentials()
	var server *credentials.Server
	if err == nil {
		server, err = file.Server(e.app.line.Server)
	}
	if err != nil {
		e.add(doctor.Finding{Check: "tokens.kept", State: doctor.Problem, Found: err.Error(),
			Do: "put the file's copy back, or move it away: then every seat must be taken again"})
		return
	}
	list := func(ctx context.Context, game string) ([]*v1.Token, error) {
		client, err := e.app.server()
		if err != nil {
			return nil, err
		}
		return client.Game(game, "").ListTokens(ctx)
	}
	ask := doctor.Tokens{Now: time.Now(), Patience: doctorsPatience, List: list}
	kept := make(map[string]bool)
	for name, g := range server.Games {
		kept[name] = len(g.Tokens()) > 0
	}
	maps.DeleteFunc(kept, func(_ string, any bool) bool { return !any })
	e.add(ask.Examine(e.app.ctx, slices.Sorted(maps.Keys(kept)))...)
}

// stateOf is the word for how bad a finding is.
func (a *app) stateOf(s doctor.State) string {
	switch s {
	case doctor.Fine:
		return a.words("ok")
	case doctor.Note:
		return a.words("note")
	case doctor.Warning:
		return a.words("warning")
	}
	return a.words("problem")
}

// report prints what was found; a problem makes the command fail.
func (e *examination) report() error {
	bad := slices.ContainsFunc(e.found, func(f doctor.Finding) bool { return f.State == doctor.Problem })
	a := e.app
	if a.line.Output == "json" {
		if err := a.plainJSON(map[string]any{"sound": !bad, "findings": e.found}, true); err != nil {
			return err
		}
	} else {
		rows := make([][]string, 0, 2*len(e.found))
		for _, f := range e.found {
			lang := a.line.Lang
			rows = append(rows, []string{a.stateOf(f.State), f.Check, lang.told(f.Found)})
			if f.Do != "" {
				rows = append(rows, []string{"", "", "-> " + lang.told(f.Do)})
			}
		}
		a.table(rows)
	}
	if bad {
		return quietError{exitFound}
	}
	return nil
}
