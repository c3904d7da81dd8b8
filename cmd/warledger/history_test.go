package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestHistory moves a game to another server, forks it there, and proves the fork beside its origin.
func TestHistory(t *testing.T) {
	t.Parallel()
	p, far := newPerson(t, serve(t)), newPerson(t, serve(t))
	p.do("create toy ridge --take red,blue --title Duel --name me")
	p.first(".", "--as", "red")
	p.first(".", "--as", "blue")
	p.do("resign . --as red")
	p.do("log .", `4  red`, `5  blue`, `6  red +\(table\)`) // what happened at the table is on no line, and is told
	p.do("log . --after 5", `6  red +\(table\)`)
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

// TestTold has the log without --all leave out what was undone and the undoing, and nothing else.
func TestTold(t *testing.T) {
	t.Parallel()
	const created, command, undo, redo, table = logv1.RecordKind_RECORD_KIND_CREATED,
		logv1.RecordKind_RECORD_KIND_COMMAND, logv1.RecordKind_RECORD_KIND_UNDO,
		logv1.RecordKind_RECORD_KIND_REDO, logv1.RecordKind_RECORD_KIND_TABLE
	log := []*v1.Record{
		{Version: 1, Head: 1, Kind: created},
		{Version: 2, Parent: 1, Head: 2, Kind: command},
		{Version: 3, Parent: 2, Head: 2, Kind: table},
		{Version: 4, Parent: 2, Head: 4, Kind: command},
		{Version: 5, Parent: 4, Head: 2, Kind: undo},
		{Version: 6, Parent: 2, Head: 6, Kind: command},
		{Version: 7, Parent: 6, Head: 2, Kind: undo},
		{Version: 8, Parent: 2, Head: 2, Kind: table},
		{Version: 9, Parent: 2, Head: 6, Kind: redo},
		{Version: 10, Parent: 6, Head: 10, Kind: command},
	}
	for after, want := range map[int][]uint64{0: {1, 2, 3, 6, 8, 10}, 4: {6, 8, 10}, 9: {10}, 10: nil} {
		var got []uint64
		for _, r := range told(log[after:]) {
			got = append(got, r.Version)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d (-want +got):\n%s", after, diff)
		}
	}
	if got := told(log[:8]); got[len(got)-1].Version != 8 || len(got) != 4 { // the head is at 2
		t.Errorf("got %v", got)
	}
}
