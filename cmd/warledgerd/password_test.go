package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted are the parts of passwords that tests give, and that must show up nowhere.
var planted = []string{"hunter2", "hunt", "er2"}

// wantNoPassword wants a text to have no part of a planted password. The name of the
// folder in which the tests run may have one.
func wantNoPassword(t *testing.T, where, text string) {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, folder, "")
	for _, part := range planted {
		if strings.Contains(text, part) {
			t.Errorf("%s: %q shows %q", where, text, part)
		}
	}
}

// withPasswords are addresses as people write and miswrite them. No database is behind any.
var withPasswords = []string{
	"postgres://u:hunter2@127.0.0.1:1/games", "postgresql://u:hunter2@127.0.0.1:1/games",
	"POSTGRES://u:hunter2@127.0.0.1:1/games", "postgre://u:hunter2@127.0.0.1:1/games",
	"postgres:/u:hunter2@127.0.0.1:1/games", "postgres://u:hunt@er2@127.0.0.1:1/games",
	"postgres://u:hunt/er2@127.0.0.1:1/games", "postgres://u:hunt?er2@127.0.0.1:1/games",
	"postgres://u:hunt#er2@127.0.0.1:1/games", "postgres://u:hunt:er2@127.0.0.1:1/games",
	"postgres://u:hunt@w/er2@127.0.0.1:1/games", "postgres://u:hunt%40er2@127.0.0.1:1/games",
	"postgres://u:hunt%zzer2@127.0.0.1:1/games", "postgres://127.0.0.1:1/games?password=hunter2&sslmode=bad",
	"host=127.0.0.1 port=1 password=hunter2", "postgres://u:hunter2@127.0.0.1:port/games",
}

// TestMiswrittenAddresses gives the address of a database to each setting that could be taken for the right one, by
// each way that a setting is given. The program ends, and no part of the password is shown.
func TestMiswrittenAddresses(t *testing.T) {
	t.Parallel()
	usual := []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--signing-key", "off"}
	for _, address := range withPasswords {
		for _, args := range [][]string{
			{"--db", address}, {"--db=" + address}, {"--stor=" + address}, {"--store-url", address}, {address},
			{"--config", address}, {"--log-format", address}, {"--db-bytes", address},
		} {
			code, out, errs := try(append(usual, args...)...)
			if code == 0 {
				t.Errorf("%v: it serves", args)
			}
			wantNoPassword(t, strings.Join(args, " "), out+errs)
		}
		file := filepath.Join(t.TempDir(), "settings.json")
		if err := os.WriteFile(file, []byte(`{"db": "`+address+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := try(append(usual, "--config", file)...)
		if code == 0 || errs == "" {
			t.Errorf("a file with %s: it serves", address)
		}
		wantNoPassword(t, "a file with "+address, out+errs)
	}
}

// TestUnreadableAddresses gives addresses to --store that name no database that could be reached. What can be read is
// waited for; all else ends the program. No part of the password is shown.
func TestUnreadableAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range withPasswords {
		said, ended, stop := new(journal), make(chan int, 1), make(chan os.Signal, 1)
		go func() {
			ended <- run(context.Background(), []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops",
				"127.0.0.1:0", "--signing-key", "off", "--store", address}, signals{stop: stop}, said, said)
		}()
		waits := func() bool { return strings.Contains(said.String(), "waits for it") }
		until(t, func() bool { return waits() || len(ended) > 0 })
		stop <- os.Interrupt
		if code := <-ended; (code == int(clean)) != waits() {
			t.Errorf("%s: it ended with %d, %s", address, code, said)
		}
		wantNoPassword(t, address, said.String())
	}
}

// TestOperationsShowNoPassword reads every page of the port for operations of a server on a database.
func TestOperationsShowNoPassword(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	_, p := spawn(t, "", onDatabase(t, dsn)...)
	for _, page := range []string{"/metrics", "/healthz", "/readyz", "/debug/pprof/", "/debug/pprof/cmdline",
		"/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1", "/debug/pprof/allocs?debug=1"} {
		code, body := p.get(page)
		if code != 200 {
			t.Errorf("%s: %d", page, code)
		}
		wantNoPassword(t, page, body)
	}
}
