package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/move"
	"github.com/warledger/warledger/eventstore/postgres"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
)

// database is the server of PostgreSQL of all tests.
var database pgtest.Shared

// serves opens a database as a server does.
func serves(t *testing.T, dsn string) eventstore.Store {
	t.Helper()
	store, err := postgres.Open(context.Background(), dsn, postgres.Options{Lock: postgres.LockShared})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// onDatabase is a person at a server on a database, who knows the tokens of another.
func onDatabase(t *testing.T, dsn string, as *managed) *managed {
	t.Helper()
	m := manageStore(t, serves(t, dsn))
	m.knows(as)
	return m
}

// knows gives a person the tokens of another, for the server that the person uses.
func (m *managed) knows(other *managed) {
	m.t.Helper()
	files, err := filepath.Glob(filepath.Join(other.person.dir, "*"))
	if err != nil || len(files) == 0 {
		m.t.Fatalf("no tokens: %v", err)
	}
	for _, file := range files {
		data := bytes.ReplaceAll(read(m.t, file), []byte(other.server), []byte(m.server))
		if err := os.MkdirAll(m.person.dir, 0o700); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(m.person.dir, filepath.Base(file)), data, 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
}

// play makes two games and plays a little.
func (m *managed) play() {
	m.t.Helper()
	for range 2 {
		m.do("create toy ridge")
		m.do("join . red")
		m.do("join . blue")
		m.do("do . --as red plan 0303")
	}
}

// exports are the files of all games, and what a listing says.
func (m *managed) exports() (all string) {
	m.t.Helper()
	var games struct {
		Games []struct{ Name string }
	}
	m.json(&games, "games")
	for _, g := range games.Games {
		file := filepath.Join(m.t.TempDir(), "game.wlg")
		m.do("export " + g.Name + " -f " + file)
		data, err := os.ReadFile(file)
		if err != nil {
			m.t.Fatal(err)
		}
		all += g.Name + "\n" + string(data) + m.do("log --as red "+g.Name)
	}
	if len(games.Games) != 2 {
		m.t.Errorf("%d games, want 2", len(games.Games))
	}
	return all
}

// TestMigrate moves games from a file to a database and back to another file. Each server exports the same bytes, and
// plays on with the tokens of before. No server serves games where they were before, unless they are reopened there.
func TestMigrate(t *testing.T) {
	t.Parallel()
	dsn, _ := database.Cluster(t).Empty(t)
	dir := t.TempDir()
	here, back := filepath.Join(dir, "games.db"), filepath.Join(dir, "back.db")
	m := manage(t, here)
	m.play()
	want := m.exports()
	m.fails(exitFailed, "admin migrate --from "+here+" --to "+dsn, "in use by a server: stop it first")
	m.stop()
	m.do("admin migrate --keep --from "+here+" --to "+filepath.Join(dir, "rehearsal.db"), "sound", "stays as it is")
	m.do("admin migrate --from "+here+" --to "+dsn, `postgres on \S+: \d+ streams, \d+ entries, sound`, "is marked",
		`--signing-key \S+games.db.signing-key`)
	m.fails(exitFailed, "admin migrate --from "+here+" --to "+dsn, "the store was moved to postgres on")
	there := onDatabase(t, dsn, m)
	if there.exports() != want {
		t.Error("the database exports something else")
	}
	there.do("do . --as blue plan 0303")
	another := serves(t, dsn)
	for _, refused := range []string{"migrate --from " + dsn + " --to " + back,
		"migrate --from " + filepath.Join(dir, "rehearsal.db") + " --to " + dsn,
		"reopen --store " + dsn, "restore " + here + " --store " + dsn} {
		there.fails(exitFailed, "admin "+refused, "in use by another process", "stop all servers of the database first")
	}
	if err := another.Close(); err != nil {
		t.Error(err)
	}
	there.do("admin check --store "+dsn, `sound\n$`)
	want = there.exports()
	there.stop()
	there.do("admin migrate --from "+dsn+" --to "+back, "sound")
	again := manage(t, back)
	again.knows(m)
	if again.exports() != want {
		t.Error("what came back exports something else")
	}
	again.do("create toy ridge")
	again.do("legal --as red " + strings.Fields(want)[0])
	again.stop()
	for _, p := range []place{place(here), place(dsn)} {
		store, err := p.take(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(move.Served(context.Background(), store), store.Close()); !errors.Is(err, move.ErrMoved) {
			t.Errorf("%s is served: %v", p, err)
		}
	}
	m.do("admin reopen --db "+here, "can be served again")
	m.fails(exitUsage, "admin migrate --from "+here+" --to "+back, "holds something already")
	m.fails(exitUsage, "admin migrate --from "+here+"x --to "+back, "there is no file")
	m.fails(exitUsage, "admin migrate --from "+here+" --to "+here, "the same")
	m.fails(exitUsage, "admin reopen", "--db or --store")
}

// TestMigrateBrokenOff has a migration killed half way: the target says so, and the same command goes on.
func TestMigrateBrokenOff(t *testing.T) {
	t.Parallel()
	dsn, _ := database.Cluster(t).Empty(t)
	here := filepath.Join(t.TempDir(), "games.db")
	m := manage(t, here)
	m.play()
	want := m.exports()
	m.stop()
	// What a killed process leaves: the mark, and the beginning of what it copied.
	ctx := context.Background()
	source, err := boltstore.Open(here, boltstore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	target, err := postgres.Open(ctx, dsn, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = move.Copy(ctx, source, &killed{Store: target, left: 4}, move.Options{From: here, To: "postgres"})
	if err := errors.Join(source.Close(), target.Close()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, errKilled) {
		t.Fatalf("it was not killed: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	manage(t, other).stop()
	m.fails(exitFailed, "admin migrate --from "+other+" --to "+dsn, "not finished: from "+here)
	m.do("admin migrate --from "+here+" --to "+dsn, "sound", `[1-9]\d* entries were there already`)
	if onDatabase(t, dsn, m).exports() != want {
		t.Error("the database exports something else")
	}
}

// TestMigrateLosesItsLock has the session end that keeps others out of a database, in the middle of a migration. The
// migration ends with words and writes nothing more, and the same command goes on.
func TestMigrateLosesItsLock(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, schema := c.Empty(t)
	here := filepath.Join(t.TempDir(), "games.db")
	m := manage(t, here)
	m.play()
	want := m.exports()
	m.stop()
	if err := serves(t, dsn).Close(); err != nil { // makes the tables
		t.Fatal(err)
	}
	c.MustSQL(t, `create function `+schema+`.end_session() returns trigger language plpgsql as $$ begin
			if (select count(distinct stream) from `+schema+`.wl_entry) = 2 then
				perform pg_terminate_backend(pid, 10000) from pg_stat_activity join pg_locks l using (pid)
					where application_name = '`+schema+`' and locktype = 'advisory' and mode = 'ExclusiveLock';
			end if;
			return null;
		end $$`,
		`create trigger end_session after insert on `+schema+`.wl_entry execute function `+schema+`.end_session()`)
	m.fails(exitFailed, "admin migrate --from "+here+" --to "+dsn, "the lock of the store was lost",
		"Run the same command to continue")
	if streams := c.MustSQL(t, "select count(distinct stream) from "+schema+".wl_entry"); streams != "2" {
		t.Errorf("%s streams are there, want 2", streams)
	}
	c.MustSQL(t, "drop trigger end_session on "+schema+".wl_entry")
	m.do("admin migrate --from "+here+" --to "+dsn, "sound", `[1-9]\d* entries were there already`)
	if onDatabase(t, dsn, m).exports() != want {
		t.Error("the database exports something else")
	}
}

// killed is a store that fails after some writes.
type killed struct {
	eventstore.Store
	left int
}

var errKilled = errors.New("killed")

func (k *killed) Append(ctx context.Context, a eventstore.Append) error {
	if k.left--; k.left < 0 {
		return errKilled
	}
	return k.Store.Append(ctx, a)
}

// TestBackupOfBothEngines restores backups of a file and of a database, made with and without a server, into both.
func TestBackupOfBothEngines(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	m := manage(t, file("games.db"))
	m.play()
	want := m.exports()
	m.do(m.admin("backup "+file("served.db")), "bytes")
	m.stop()
	m.do("admin backup "+file("games.dump")+" --db "+m.db, `\d+ bytes, SHA-256 [0-9a-f]{64}\n`)
	m.do("admin restore "+file("served.db")+" --store "+dsn, "sound")
	there := onDatabase(t, dsn, m)
	there.do(there.admin("backup "+file("database.dump")), "bytes")
	there.do("admin backup "+file("beside.dump")+" --store "+dsn, "bytes") // while the server runs
	there.stop()
	if a, b := read(t, file("database.dump")), read(t, file("beside.dump")); len(a) == 0 || len(b) == 0 {
		t.Error("a backup is empty")
	}
	second, schema := c.Empty(t)
	for i, backup := range []string{"games.dump", "database.dump", "beside.dump"} {
		to := file("restored" + string(rune('0'+i)) + ".db")
		m.do("admin restore "+file(backup)+" --db "+to, "sound")
		m.fails(exitUsage, "admin restore "+file(backup)+" --db "+to, "--replace")
		m.do("admin restore --replace "+file(backup)+" --db "+to, "sound")
		again := manage(t, to)
		again.knows(m)
		if again.exports() != want {
			t.Errorf("%s: the exports are others", backup)
		}
		again.stop()
	}
	m.do("admin restore "+file("database.dump")+" --store "+second, "sound")
	again := onDatabase(t, second, m)
	if again.exports() != want {
		t.Error("the exports of a second database are others")
	}
	again.stop()
	m.fails(exitUsage, "admin restore "+file("database.dump")+" --store "+dsn, "holds something already")
	m.fails(exitUsage, "admin restore --replace "+file("database.dump")+" --store "+dsn, "--replace is for files")
	m.fails(exitUsage, "admin check --db x --store "+dsn, "not both")
	m.fails(exitUsage, "admin check --store games.db", "expected an address")
	empty, _ := c.Empty(t)
	m.fails(exitFailed, "admin check --store "+empty, "there is no event store")
	m.fails(exitUsage, "admin restore "+file("games.dump")+" --store host=x", "expected an address")
	half := file("half.dump")
	if err := os.WriteFile(half, read(t, file("games.dump"))[:3000], 0o600); err != nil {
		t.Fatal(err)
	}
	m.fails(exitFailed, "admin restore "+half+" --db "+file("half.db"), "cut off")
	m.fails(exitFailed, "admin restore "+half+" --store "+empty, "cut off", "Run the same command to continue")
	if _, err := os.Stat(file("half.db")); err == nil {
		t.Error("half a dump left a file")
	}
	left, err := os.ReadDir(dir)
	for _, e := range left {
		if strings.Contains(e.Name(), "restore-") || strings.Contains(e.Name(), "part-") || err != nil {
			t.Errorf("%s is left, %v", e.Name(), err)
		}
	}
	// A record that is changed in a database is found.
	c.MustSQL(t, "update "+schema+".wl_entry set data = data || 'x' where version = 1")
	if code, out, _ := m.run("admin", "check", "--store", second); code != exitFound ||
		!strings.Contains(out, "content") {
		t.Errorf("a damaged database: exit code %d, %s", code, out)
	}
	m.fails(exitFailed, "admin migrate --from "+second+" --to "+file("damaged.db"), "content", "faults")
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
