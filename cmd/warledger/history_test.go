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
	p.do("resign . --as red")
	file := filepath.Join(t.TempDir(), "game.wlg")
	p.do("export . -f " + file)
	p.fails(exitFailed, "import "+file, "already")

	far.do("import "+file, "Imported games/", "Duel")
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
	far.do("close .")
	forked := filepath.Join(t.TempDir(), "fork.wlg")
	far.do("export . -f " + forked)
	far.do("verify "+forked, " 0 errors", "copied from version 1")
	far.do("verify --origin "+file+" "+forked, "1 records are copies")
	if code, out, _ := far.run("verify", "--origin", forked, file); code != exitFound {
		t.Errorf("a game that is no fork: %d\n%s", code, out)
	}
	if err := os.WriteFile(again, one[:len(one)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	newPerson(t, serve(t)).fails(exitUsage, "import "+again, "the file ends")
}
