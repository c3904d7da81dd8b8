package discord

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestFileInUse opens the file of a bridge that runs.
func TestFileInUse(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bridge.db")
	s, err := openStore(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(file); err == nil || !strings.Contains(err.Error(), "another bridge runs") {
		t.Errorf("a second bridge: %v", err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
}

// TestChannelHasOneGame begins games side by side in one channel.
func TestChannelHasOneGame(t *testing.T) {
	t.Parallel()
	s, err := openStore(filepath.Join(t.TempDir(), "bridge.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	begin := func(id string) error { return s.intend(id, intent{Channel: 5, Create: []byte("{}")}) }
	if err := begin("a"); err != nil {
		t.Fatal(err)
	}
	if err := begin("b"); !errors.Is(err, errBusy) {
		t.Errorf("while one is being begun: %v", err)
	}
	if err := s.settle("a", "games/one", func(t *table) { t.Channel = 5 }); err != nil {
		t.Fatal(err)
	}
	if err := begin("b"); !errors.Is(err, errBusy) {
		t.Errorf("while one goes on: %v", err)
	}
	if err := s.change("games/one", func(t *table) { t.Ended = true }); err != nil {
		t.Fatal(err)
	}
	if err := begin("b"); err != nil {
		t.Errorf("after the end: %v", err)
	}
	if err := s.settle("b", "games/two", func(t *table) { t.Channel = 5 }); err != nil {
		t.Fatal(err)
	}
	if at, err := s.at(5); err != nil || at.Game != "games/two" {
		t.Errorf("the channel has %v, %v", at, err)
	}
	if _, err := s.table("games/one"); !errors.Is(err, errNoTable) {
		t.Errorf("tokens of a game that is over are kept: %v", err)
	}
	if open, err := s.intents(); err != nil || len(open) != 0 {
		t.Errorf("still intended: %v, %v", open, err)
	}
}
