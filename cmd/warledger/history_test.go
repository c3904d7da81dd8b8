package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestHistory moves a game to another server, forks it there, and proves the fork beside its origin.
func TestHistory(t *testing.T) {
	t.Parallel()
	p, far := newPerson(t, serve(t)), newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --title Duel --name me")
	p.do("do . 1 --as red")
	p.do("do . 1 --as blue")
	p.do("resign . --as red")
	file := filepath.Join(t.TempDir(), "game.wlg")
	p.do("export . -f " + file)
	p.fails(exitFailed, "import "+file, "already")

	far.do("import "+file, "Imported games/", "Duel")
	var shown object
	far.json(&shown, "show .")
	name := shown["name"].(string)
	again := filepath.Join(t.TempDir(), "again.wlg")
	far.do("export . -f " + again)
	one, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(again)
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("the file came back as another, %v", err)
	}
	far.do("fork . --title Again --private --version 1", "from version 1", "yours: owner, blue, red")
	far.do("compare "+name+" .", "1 records in common", "left: goes on", "right: ends there")
	far.do("compare "+name+" --right-version 1", "1 records in common", `\|`)
	far.do("compare "+name, "The positions are the same")
	far.do("board "+name+" --turn 1", "Version")
	far.fails(exitUsage, "board . --time tomorrow", "no time")
	far.fails(exitUsage, "board . --turn 1 --version 1", "together")
	far.fails(exitNotFound, "position . --turn 9", "turn 9")
	far.do("position "+name+" --turn 1 --notation", ".")
	far.do("replay "+name+" --version 1", "Version 1")
	far.do("log "+name+" --all --since-turn 1", "secrets")
	far.do("close .")
	forked := filepath.Join(t.TempDir(), "fork.wlg")
	far.do("export . -f " + forked)
	far.do("verify "+forked, " 0 errors", "copied from version 1")
	far.do("verify --origin "+file+" "+forked, "1 records are copies")
	if code, out, _ := far.run("verify", "--origin", forked, file); code != exitFound {
		t.Errorf("a game that is no fork: %d\n%s", code, out)
	}
	p.do("verify --log "+file, "First checkpoint", "key warledger", `record \d+ is in the server's log`)
	p.do("create toy ridge")
	p.do("verify --log "+file, "from 1 to 2 and lost nothing")
	p.fails(exitNotFound, "verify --log "+forked, "no game")
	if err := os.WriteFile(again, one[:len(one)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	newPerson(t, serve(t)).fails(exitUsage, "import "+again, "the file ends")
}
