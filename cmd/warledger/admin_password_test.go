package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasswordsAreNotShown gives the address of a database, well and badly written, wherever a place of games is named.
// No database is there, so each command fails, and none shows a part of the password or leaves a file.
func TestPasswordsAreNotShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	there := filepath.Join(dir, "there.db")
	m := manage(t, there)
	m.stop()
	p := newPerson(t, "localhost:1")
	for _, address := range []string{
		"postgres://u:hunter2@127.0.0.1:1/games", "POSTGRES://u:hunter2@127.0.0.1:1/games",
		"postgre://u:hunter2@127.0.0.1:1/games", "postgres:/u:hunter2@127.0.0.1:1/games",
		"postgres://u:hunt@er2@127.0.0.1:1/games", "postgres://u:hunt/er2@127.0.0.1:1/games",
		"postgres://u:hunt?er2@127.0.0.1:1/games", "postgres://u:hunt#er2@127.0.0.1:1/games",
		"postgres://u:hunt@w/er2@127.0.0.1:1/games", "postgres://u:hunt%40er2@127.0.0.1:1/games",
		"postgres://u:hunter2@127.0.0.1:port/games", "postgres://127.0.0.1:1/games?password=hunter2",
		"host=127.0.0.1 port=1 password=hunter2",
	} {
		for _, command := range [][]string{
			{"check", "--db", address}, {"check", "--store", address}, {"check", address},
			{"backup", address}, {"backup", filepath.Join(dir, "new"), "--db", address},
			{"backup", filepath.Join(dir, "new"), "--store", address}, {"backup", address, "--db", there},
			{"restore", address}, {"restore", there, "--db", address}, {"restore", there, "--store", address},
			{"restore", there, "--db", address, "--replace"},
			{"migrate", "--from", address, "--to", filepath.Join(dir, "new")},
			{"migrate", "--from", there, "--to", address}, {"migrate", "--from", address, "--to", address},
			{"reopen", "--db", address}, {"reopen", "--store", address}, {"reopen", "--stor=" + address},
			{"compact", "--db", address},
		} {
			for _, form := range []string{"text", "json"} {
				args := append([]string{"admin", "-o", form}, command...)
				code, out, errs := p.run(args...)
				if code == exitDone || errs == "" {
					t.Errorf("%v: exit code %d, %s", args, code, out)
				}
				for _, part := range []string{"hunter2", "hunt", "er2"} {
					if strings.Contains(out+errs, part) {
						t.Errorf("%v: %q shows %q", args, out+errs, part)
					}
				}
			}
		}
	}
	for _, folder := range []string{".", dir} {
		left, err := filepath.Glob(filepath.Join(folder, "*hunt*"))
		if _, new := os.Stat(filepath.Join(dir, "new")); err != nil || len(left) > 0 || new == nil {
			t.Errorf("%q is left, %v, %v", left, err, new)
		}
	}
}
