package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warledger/warledger/cmd/internal/rulesets"
	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

const adminToken = "a token of thirty-two characters."

// managed is a server with a port for operations, and somebody who may administer it.
type managed struct {
	*person
	dir, db, ops string
	stop         func()
}

func manage(t *testing.T, db string) *managed {
	t.Helper()
	store, err := boltstore.Open(db, boltstore.Options{MapSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m := manageStore(t, store)
	m.db = db
	return m
}

func manageStore(t *testing.T, store eventstore.Store) *managed {
	t.Helper()
	registry, err := rulesets.Registry(true)
	if err != nil {
		t.Fatal(err)
	}
	s, err := service.New(service.Config{Registry: registry, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{AdminToken: adminToken})
	if err != nil {
		t.Fatal(err)
	}
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	games, ops, done := listen(), listen(), make(chan error, 2)
	go func() { done <- srv.Serve(games) }()
	go func() { done <- srv.ServeOperations(ops) }()
	m := &managed{person: newPerson(t, games.Addr().String()), dir: t.TempDir()}
	stopped := false
	m.stop = func() {
		if stopped {
			return
		}
		stopped = true
		srv.Stop(context.Background(), 0, time.Second)
		if err := errors.Join(<-done, <-done, store.Close()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(m.stop)
	m.ops = ops.Addr().String()
	return m
}

// admin is a command line of administration with the right token.
func (m *managed) admin(words string) string {
	return "admin --ops " + m.ops + " --token-file " + m.secret(adminToken) + " " + words
}

// secret writes a token to a file and gives its name.
func (m *managed) secret(token string) string {
	m.t.Helper()
	name := filepath.Join(m.t.TempDir(), "token")
	if err := os.WriteFile(name, []byte(token+"\n"), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return name
}

func TestAdminStatsAndCheck(t *testing.T) {
	t.Parallel()
	m := manage(t, filepath.Join(t.TempDir(), "games.db"))
	m.do("create toy ridge")
	m.do("join . red")
	m.do(m.admin("stats"), `games stored +1\n`, `appends +[1-9]`)
	m.do(m.admin("check"), `[1-9]\d* keys: sound\n$`)
	m.fails(exitNotAllowed, "admin --ops "+m.ops+" --token-file "+m.secret("another")+" stats",
		"not the server's admin token")
	m.fails(exitUsage, "admin --ops "+m.ops+" stats", "name the file with the server's admin token")
	m.fails(exitUnreached, "admin --ops 127.0.0.1:1 --token-file "+m.secret(adminToken)+" stats",
		"the port for operations, 127.0.0.1:1, does not answer: .*--ops names another")
	m.fails(exitUsage, "--server play.example:7480 admin --token-file "+m.secret(adminToken)+" stats",
		"name the port for operations of play.example:7480 in --ops")
	m.fails(exitFailed, m.admin("check --db "+m.db), "in use by a server: stop it first")
	m.stop()
	m.do("admin check --db "+m.db, `sound\n$`)
	data, err := os.ReadFile(m.db)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("ridge"), []byte("RIDGE")) // wherever it is, in pages that are left free too
	if err := os.WriteFile(m.db, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := m.run("admin", "check", "--db", m.db); code != exitFound || !strings.Contains(out, "checksum") {
		t.Errorf("a damaged file: exit code %d, %s", code, out)
	}
}

// TestAdminBackupAndRestore copies a running server's games, loses them, and plays on from the copy.
func TestAdminBackupAndRestore(t *testing.T) {
	t.Parallel()
	m := manage(t, filepath.Join(t.TempDir(), "games.db"))
	m.do("create toy ridge")
	m.do("join . red")
	backup := filepath.Join(m.dir, "backup.db")
	m.do(m.admin("backup "+backup), `\d+ bytes, SHA-256 [0-9a-f]{64}\n`)
	m.fails(exitUsage, m.admin("backup "+backup), "exists already")
	m.do("create toy ridge") // after the copy: it is lost
	m.stop()
	m.fails(exitUsage, "admin restore "+backup+" --db "+m.db, "--replace")
	m.do("admin restore "+backup+" --replace --db "+m.db, "sound")
	again := manage(t, m.db)
	again.do(again.admin("stats"), `games stored +1\n`)
	m.fails(exitFailed, "admin restore "+backup+" --replace --db "+m.db, "in use by a server")
	if left, err := os.ReadDir(m.dir); err != nil || len(left) != 1 {
		t.Errorf("beside the backup there are %v, %v", left, err)
	}
	half := filepath.Join(t.TempDir(), "half.db")
	data, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(half, data[:len(data)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "new.db")
	if code, _, errs := m.run("admin", "restore", half, "--db", elsewhere); code == exitDone {
		t.Errorf("half a backup is restored: %s", errs)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("half a backup left a file")
	}
}

func TestAdminCompact(t *testing.T) {
	t.Parallel()
	m := manage(t, filepath.Join(t.TempDir(), "games.db"))
	m.do("create toy ridge")
	m.do("join . red")
	m.fails(exitFailed, "admin compact --db "+m.db, "in use by a server")
	m.stop()
	m.do("admin compact --db "+m.db, `from \d+ to \d+ bytes`)
	m.do("admin check --db "+m.db, `sound\n$`)
}

// TestAdminTokens replaces a token that was lost and makes one void that was found.
func TestAdminTokens(t *testing.T) {
	t.Parallel()
	m := manage(t, filepath.Join(t.TempDir(), "games.db"))
	m.do("create toy ridge")
	m.do("join . red")
	var games struct {
		Games []struct{ Name string }
	}
	m.json(&games, "games")
	name := games.Games[0].Name
	list := m.do(m.admin("tokens "+name), `\(owner\) +own`, `red +own`)
	var seat string
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); f[0] == "red" {
			for _, word := range f {
				if strings.HasPrefix(word, "games/") {
					seat = word
				}
			}
		}
	}
	m.do("legal .")
	m.do(m.admin("tokens revoke "+seat), "opens nothing any more")
	m.fails(exitNotAllowed, "legal .", "revoked")
	m.do(m.admin("tokens reissue "+name+" red"), `^wl_s_[a-z2-7]{52}\n$`)
	m.do(m.admin("tokens reissue "+name), `^wl_o_[a-z2-7]{52}\n$`)
	m.fails(exitNotAllowed, "close .", "revoked")
	m.fails(exitRefused, m.admin("tokens reissue "+name+" blue"), "nobody holds the seat blue")
	m.fails(exitNotFound, m.admin("tokens revoke "+name+"/tokens/aaaaaaaaaaaaaaaa"), "no such token")
}
