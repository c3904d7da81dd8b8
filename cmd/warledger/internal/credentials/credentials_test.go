package credentials

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const server = "localhost:1"

func file(t *testing.T) *File {
	t.Helper()
	f, err := Usual(filepath.Join(t.TempDir(), "settings"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func change(t *testing.T, f *File, game string, latest bool, how func(*Game)) {
	t.Helper()
	if err := f.Change(server, game, latest, how); err != nil {
		t.Fatal(err)
	}
}

func TestTokensAreKeptAndForNobodyElse(t *testing.T) {
	t.Parallel()
	f := file(t)
	change(t, f, "games/a", true, func(g *Game) { g.Owner = "o" })
	change(t, f, "games/a", false, func(g *Game) { g.Seats["red"], g.Seats["blue"] = "r", "b" })
	got, err := (&File{f.Path}).Game(server, "games/a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"o", "b", "r"}, got.Tokens()); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]os.FileMode{f.Path: 0o600, filepath.Dir(f.Path): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
	if other, err := f.Game("elsewhere:1", "games/a"); other != nil || err != nil {
		t.Errorf("another server has %v, %v", other, err)
	}
}

func TestWritersAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	f := file(t)
	var all sync.WaitGroup
	for _, seat := range strings.Split("abcdefghij", "") {
		all.Go(func() {
			if err := f.Change(server, "games/a", false, func(g *Game) { g.Seats[seat] = seat }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	g, err := f.Game(server, "games/a")
	if err != nil || len(g.Seats) != 10 {
		t.Errorf("kept %v, %v", g, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLockOfTheDeadIsBroken(t *testing.T) {
	t.Parallel()
	f := file(t)
	change(t, f, "games/a", false, func(g *Game) { g.Owner = "o" })
	lock := f.Path + ".lock"
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	change(t, f, "games/b", false, func(g *Game) { g.Owner = "o" })
}

func TestNamesOfGamesAreCompleted(t *testing.T) {
	t.Parallel()
	s := &Server{Last: "games/abz", Games: map[string]*Game{"games/abc": {}, "games/abz": {}, "games/x": {}}}
	for _, c := range []struct{ given, want, fault string }{
		{".", "games/abz", ""},
		{"last", "games/abz", ""},
		{"games/x", "games/x", ""},
		{"abc", "games/abc", ""},
		{"abz", "games/abz", ""},
		{"ab", "", "may be any of games/abc, games/abz"},
		{"unheard", "games/unheard", ""},
	} {
		got, err := s.Find(c.given)
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q gives %q, %v", c.given, got, err)
		}
	}
	if _, err := (&Server{}).Find("."); err == nil {
		t.Error("found a last game where there is none")
	}
}

func TestNothingLeftIsForgotten(t *testing.T) {
	t.Parallel()
	f := file(t)
	change(t, f, "games/a", false, func(g *Game) { g.Seats["red"] = "r" })
	change(t, f, "games/a", false, func(g *Game) { delete(g.Seats, "red") })
	if g, err := f.Game(server, "games/a"); g != nil || err != nil {
		t.Errorf("kept %v, %v", g, err)
	}
}

func TestDamageIsNamedAndNotOverwritten(t *testing.T) {
	t.Parallel()
	f := file(t)
	change(t, f, "games/a", false, func(g *Game) { g.Owner = "o" })
	if err := os.WriteFile(f.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Change(server, "games/a", false, func(*Game) {}); err == nil || !strings.Contains(err.Error(), f.Path) {
		t.Errorf("said %v", err)
	}
	if data, _ := os.ReadFile(f.Path); string(data) != "{" {
		t.Errorf("overwrote it with %s", data)
	}
}
