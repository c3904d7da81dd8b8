package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
)

// TestOwnChainsAreChecked: somebody who has the token of blue, as the operator has, commits blue to another chain.
// Every command of blue's player says so, also the first after the game was joined, and verify finds it in the file,
// which alone is sound.
func TestOwnChainsAreChecked(t *testing.T) {
	t.Parallel()
	red, blue, name := seated(t)
	operator := newPerson(t, blue.server)
	blue.stealTokens(operator, name)
	operator.do("chain "+name+" --as blue", "This machine answers for the dice of blue")
	_, _, errs := blue.run("show", name)
	blue.has("show", errs,
		[]string{`WARNING: the server has a chain for the dice of the seat that was not sent from here`,
			`warledger chain \w+ --as SEAT answers from this machine`, "--forget"})
	blue.fails(exitFailed, "watch "+name, "not sent from here")
	red.do("close "+name, "is over")
	file := filepath.Join(t.TempDir(), "game.wlg")
	red.do("export " + name + " -f " + file)
	red.do("verify --ended "+file, "all chains for the dice of red were sent from here",
		`the chain of blue was renewed in record \d+`)
	blue.fails(exitFound, "verify --ended "+file)
	_, out, _ := blue.run("verify", "--ended", file)
	blue.has("verify", out, []string{`error: dice: record \d+ commits blue to a chain that was not sent from here`})
}

// TestChainsAreForgotten: a player whose other program answers has this machine forget the seat's chain,
// and hears no more of it.
func TestChainsAreForgotten(t *testing.T) {
	t.Parallel()
	_, blue, name := seated(t)
	other := newPerson(t, blue.server)
	blue.stealTokens(other, name)
	other.do("chain "+name+" --as blue", "This machine answers")
	blue.do("chain "+name+" --forget", "has forgotten the chain of blue", "makes a new one")
	if _, _, errs := blue.run("show", name); regexp.MustCompile("WARNING").MatchString(errs) {
		t.Errorf("a chain that was forgotten: %s", errs)
	}
	other.do("show " + name)
}

// TestUndosInSomebodysName: the operator agrees in blue's name that red's throw is taken back. Blue's machine gives no
// link for the next one, and verify finds the undo in the file, which alone is sound. It accepts what blue accepts.
func TestUndosInSomebodysName(t *testing.T) {
	t.Parallel()
	roller, other, name := asked(t)
	other.do("show " + name) // answers, and the dice fall
	roller.do("undo "+name+" --ask", "must agree")
	operator := newPerson(t, other.server)
	other.stealTokens(operator, name)
	operator.do("consent "+name+" yes --record "+roller.asks(), "The head is at version")
	roller.do("legal " + name)
	roller.do("do "+name+" 1", "as soon as the dice are there")
	_, _, errs := other.run("show", name)
	other.has("show", errs, []string{"WARNING: .*a throw that the seat had a part in was taken back"})
	tip := regexp.MustCompile(`warledger (chain) \w+ (--as \w+ --accept-undo \d+) goes on`).FindStringSubmatch(errs)
	if tip == nil {
		t.Fatalf("no advice in %s", errs)
	}
	other.fails(exitFailed, "watch "+name, "was taken back")
	roller.do("show "+name, "must answer")
	file := filepath.Join(t.TempDir(), "game.wlg")
	roller.do("export " + name + " -f " + file)
	roller.do("verify "+file, "all chains for the dice of")
	other.fails(exitFound, "verify "+file)
	_, out, _ := other.run("verify", file)
	other.has("verify", out, []string{`error: dice: record \d+ takes back the dice of record \d+, and nobody agreed`})
	other.do(tip[1]+" "+name+" "+tip[2], "goes on answering")
	other.do("show " + name)
	other.do("verify "+file, "all chains for the dice of")
	if out := roller.do("show " + name); strings.Contains(out, "must answer") {
		t.Errorf("the dice are still waited for: %s", out)
	}
}

// stealTokens gives the tokens of a game to somebody else, and none of its chains.
func (p *person) stealTokens(thief *person, name string) {
	p.t.Helper()
	from, to := credentials.File{Path: filepath.Join(p.dir, "credentials.json")},
		credentials.File{Path: filepath.Join(thief.dir, "credentials.json")}
	held, err := from.Game(p.server, name)
	if err == nil {
		err = os.MkdirAll(thief.dir, 0o700)
	}
	if err == nil {
		err = to.Change(p.server, name, true, func(g *credentials.Game) { g.Seats = held.Seats })
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

var _ warledger.Chains = (*credentials.Chains)(nil)
