package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// tampered is a copy of a store in which what stands in other stands instead: what somebody does who has the file and
// not the players' consent.
func tampered(t *testing.T, store, other eventstore.Store, replaced string) eventstore.Store {
	t.Helper()
	out := memory.New()
	t.Cleanup(func() { _ = out.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := store.List(t.Context(), "", "", 0)
	must(err)
	for _, info := range list {
		from := store
		if info.Name == replaced {
			from = other
		}
		entries, err := from.Read(t.Context(), info.Name, 1, 0, 0)
		must(err)
		meta := info.Meta
		if info.Name == replaced { // with its own secrets and the tokens that people have
			was, is := new(logv1.GameMeta), new(logv1.GameMeta)
			must(proto.Unmarshal(meta, was))
			head, err := from.Head(t.Context(), info.Name)
			must(err)
			must(proto.Unmarshal(head.Meta, is))
			was.DiceSecret, was.SaltSecret, was.Summary = is.DiceSecret, is.SaltSecret, is.Summary
			meta, err = proto.Marshal(was)
			must(err)
		}
		must(out.Append(t.Context(), eventstore.Append{Stream: info.Name, Entries: entries, Meta: meta}))
	}
	return out
}

// duel is a game of the same id wherever it is played, for the id of a game follows from the request. It goes
// on for some commands.
func duel(t *testing.T, p *person, commands int) (file string) {
	t.Helper()
	client, err := warledger.Dial(p.server, warledger.WithPlaintext())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	out, err := client.Games().CreateGame(t.Context(), &v1.CreateGameRequest{
		RequestId: "0b8f5c1e-7d6a-4f0e-9a52-3c8e1d2f4b60", Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.in = out.OwnerToken
	p.do("token use " + out.Game.Name)
	for _, seat := range []string{"red", "blue"} {
		p.do("join " + out.Game.Name + " " + seat)
	}
	for n := range commands {
		p.first(".", "--as", []string{"red", "blue"}[n%2])
	}
	file = filepath.Join(t.TempDir(), uuid.NewString()+".wlg")
	p.do("export . -f " + file)
	return file
}

// finds runs verify, which must find something.
func (p *person) finds(line, what string) {
	p.t.Helper()
	code, out, _ := p.run(strings.Fields(line)...)
	if code != exitFound || !strings.Contains(out, what) {
		p.t.Errorf("%s: exit code %d, no %q in\n%s", line, code, what, out)
	}
}

// TestAReplacedHeadIsFound has somebody change the store between two checkpoints: the game is another, or has lost its
// end, or the log of heads is another too. Whoever verifies is told, also who never asked before.
func TestAReplacedHeadIsFound(t *testing.T) {
	t.Parallel()
	sign := newSigning(t)
	store, other, third := memory.New(), memory.New(), memory.New()
	for _, s := range []eventstore.Store{store, other, third} {
		t.Cleanup(func() { _ = s.Close() })
	}
	addr, stop := serveStore(t, store, sign, "127.0.0.1:0")
	p := newPerson(t, addr)
	file := duel(t, p, 2)
	game := "games/" + strings.Split(strings.SplitAfter(p.do("verify "+file), "game ")[1], ",")[0]
	p.do("verify --log "+file, "First checkpoint", "record 5 is in the server's log")
	stop()

	// The same game, played elsewhere with other secrets, and played less.
	elsewhere, end := serveStore(t, other, sign, "127.0.0.1:0")
	duel(t, newPerson(t, elsewhere), 2)
	end()
	elsewhere, end = serveStore(t, third, sign, "127.0.0.1:0")
	duel(t, newPerson(t, elsewhere), 0)
	end()

	for _, c := range []struct {
		name  string
		store eventstore.Store
		// What is found in a file that is got now, by a client that asked before and by one that did not.
		known, stranger string
	}{
		{"another game", tampered(t, store, other, game), "for it when you last asked", "record 5 has hash"},
		{"a shorter game", tampered(t, store, third, game), "record 5 is missing: the server's log",
			"record 5 is missing: the server's log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, end := serveStore(t, c.store, sign, addr)
			defer end()
			got := filepath.Join(t.TempDir(), "now.wlg")
			p := *p
			p.t = t
			p.do("export " + game + " -f " + got)
			p.do("verify "+got, " 0 errors") // by itself it is sound
			p.finds("verify --log "+got, c.known)
			stranger := newPerson(t, addr)
			stranger.finds("verify --log "+got, c.stranger)
			p.do("verify --log "+file, "is in the server's log of heads") // who kept the file can prove what it was
		})
	}

	t.Run("another log", func(t *testing.T) {
		_, end := serveStore(t, other, sign, addr)
		defer end()
		p := *p
		p.t = t
		if code, out, errs := p.run("verify", "--log", file); code == exitDone ||
			!strings.Contains(errs, "did not prove its log of heads") {
			t.Errorf("exit code %d\n%s%s", code, out, errs)
		}
	})
}
