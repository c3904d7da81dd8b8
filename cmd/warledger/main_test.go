package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/mod/sumdb/note"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(database.Removing(m)) }

// serve runs a real server on loopback and gives its address.
func serve(t *testing.T) string {
	t.Helper()
	store := memory.New()
	addr, stop := serveStore(t, store, newSigning(t), "127.0.0.1:0")
	t.Cleanup(func() {
		stop()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return addr
}

func newSigning(t *testing.T) *service.Signing {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "warledger")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return &service.Signing{Signer: signer, VerifierKey: public}
}

// serveStore is serve on a store, at an address, until it is stopped.
func serveStore(t *testing.T, store eventstore.Store, sign *service.Signing, at string) (addr string, stop func()) {
	t.Helper()
	return serveConfig(t, service.Config{Store: store, Signing: sign}, at)
}

// serveConfig is serve as a configuration has it.
func serveConfig(t *testing.T, c service.Config, at string) (addr string, stop func()) {
	t.Helper()
	var err error
	if c.Registry, err = rulesets.Registry(true); err != nil {
		t.Fatal(err)
	}
	s, err := service.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	return l.Addr().String(), func() {
		srv.Stop(context.Background(), 0, time.Second)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// person runs command lines: someone with a folder for tokens of their own.
type person struct {
	t      *testing.T
	server string
	dir    string
	in     string
	tty    bool
	width  int
}

func newPerson(t *testing.T, server string) *person {
	return &person{t: t, server: server, dir: filepath.Join(t.TempDir(), "settings"), width: 80}
}

// sheet is where a program writes, also from several goroutines.
type sheet struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sheet) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sheet) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// run runs a command line and gives its exit code and what it wrote.
func (p *person) run(args ...string) (code int, out, errs string) {
	p.t.Helper()
	var o, e sheet
	w := world{in: strings.NewReader(p.in), out: &o, err: &e, tty: p.tty, inTTY: p.tty, width: p.width,
		env: func(string) string { return "" }, raw: func() (func(), error) { return func() {}, nil }}
	args = append([]string{"--server", p.server, "--config-dir", p.dir}, args...)
	code = run(p.t.Context(), args, w)
	return code, o.String(), e.String()
}

// do runs a command line that must work; every part must be in what it wrote.
func (p *person) do(line string, parts ...string) string {
	p.t.Helper()
	code, out, errs := p.run(strings.Fields(line)...)
	if code != exitDone || errs != "" {
		p.t.Errorf("%s: exit code %d\n%s%s", line, code, out, errs)
	}
	p.has(line, out, parts)
	return out
}

// first does what the list of a seat has first, and gives what do answers; flags say which seat.
func (p *person) first(game string, flags ...string) (code int, out, errs string) {
	p.t.Helper()
	if code, _, errs := p.run(append([]string{"legal", game}, flags...)...); code != exitDone {
		p.t.Errorf("legal %s %s: exit code %d: %s", game, strings.Join(flags, " "), code, errs)
	}
	if code, out, errs = p.run(append([]string{"do", game, "1"}, flags...)...); code != exitDone {
		p.t.Errorf("do %s 1 %s: exit code %d\n%s%s", game, strings.Join(flags, " "), code, out, errs)
	}
	return code, out, errs
}

// fails runs a command line that must fail with an exit code.
func (p *person) fails(code int, line string, parts ...string) {
	p.t.Helper()
	got, out, errs := p.run(strings.Fields(line)...)
	if got != code {
		p.t.Errorf("%s: exit code %d, want %d\n%s%s", line, got, code, out, errs)
	}
	p.has(line, errs, parts)
}

func (p *person) has(line, out string, parts []string) {
	p.t.Helper()
	for _, part := range parts {
		if !regexp.MustCompile("(?s)" + part).MatchString(out) {
			p.t.Errorf("%s: no %q in\n%s", line, part, out)
		}
	}
}

// json runs a command line with -o json and reads what it wrote into v.
func (p *person) json(v any, line string) {
	p.t.Helper()
	code, out, errs := p.run(append(strings.Fields(line), "-o", "json")...)
	if code != exitDone || errs != "" {
		p.t.Fatalf("%s: exit code %d\n%s%s", line, code, out, errs)
	}
	if err := json.Unmarshal([]byte(out), v); err != nil {
		p.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func sprint(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
