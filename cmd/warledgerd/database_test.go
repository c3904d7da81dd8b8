package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/move"
	"github.com/warledger/warledger/eventstore/postgres"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// database is the server of PostgreSQL of all tests that leave it running.
var database pgtest.Shared

// onDatabase are the arguments of a server on a database, with a password that nobody may see.
func onDatabase(t *testing.T, dsn string, more ...string) []string {
	t.Helper()
	return append([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "127.0.0.1:0", "--with-toy",
		"--store", dsn + "&password=hunter2", "--signing-key", filepath.Join(t.TempDir(), "key")}, more...)
}

// journal is a log that can be read while it is written.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

// get reads a page of the port for operations.
func (p *process) get(path string) (code int, body string) {
	p.t.Helper()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get("http://" + p.opsAddress() + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

// until waits until something has come about.
func until(t *testing.T, about func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !about(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came about")
		}
	}
}

// tryFor runs the program, which should end by itself soon.
func tryFor(args []string) (code int, out, errs string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var o, e bytes.Buffer
	code = run(ctx, args, signals{stop: make(chan os.Signal)}, &o, &e)
	return code, o.String(), e.String()
}

// create asks for a game.
func create(games v1.GameServiceClient) (*v1.CreateGameResponse, error) {
	return games.CreateGame(context.Background(), &v1.CreateGameRequest{RequestId: uuid.NewString(),
		Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}})
}

// wantRefusal wants an error of a code and a reason, which names neither the database nor a password.
func wantRefusal(t *testing.T, err error, code codes.Code, reason string) {
	t.Helper()
	got := ""
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			got = info.Reason
		}
	}
	if status.Code(err) != code || got != reason || strings.Contains(err.Error(), "wlpg") {
		t.Errorf("got %v with the reason %s, want %v %s", err, got, code, reason)
	}
}

// TestServesFromADatabase keeps games in a database from one start to the next.
func TestServesFromADatabase(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	args, log := onDatabase(t, dsn, "--log-level", "debug"), new(journal)
	p := launchLogging(t, log, args...)
	if !strings.Contains(p.line, "games in postgres on "+c.Socket()) {
		t.Errorf("it says %q", p.line)
	}
	games, conn := dial(t, p.grpcAddress())
	made, err := create(games)
	if err != nil {
		t.Fatal(err)
	}
	var metrics string
	counted := func(name string) bool { // a name that the program does not have is not counted either
		return regexp.MustCompile(`(?m)^warledger_store_` + name + `_count [1-9]`).MatchString(metrics)
	}
	until(t, func() bool {
		_, metrics = p.get("/metrics")
		return counted("wake_seconds")
	})
	for _, name := range []string{"batch_appends", "commit_seconds"} {
		if !counted(name) {
			t.Errorf("the metrics count no %s", name)
		}
	}
	if strings.Contains(metrics, "hunter2") {
		t.Error("the metrics have the password")
	}
	_ = conn.Close()
	p.interrupt()
	if text := log.String(); strings.Contains(text, "hunter2") || !strings.Contains(text, "CreateGame") {
		t.Errorf("the log is %s", text)
	}
	code, _, errs := tryFor(append(args, "--signing-key", filepath.Join(t.TempDir(), "another")))
	if code != int(failed) || !strings.Contains(errs, "sign with another key") {
		t.Errorf("with another key: %d, %q", code, errs)
	}
	again := launch(t, args...)
	games, conn = dial(t, again.grpcAddress())
	if _, err := games.GetGame(context.Background(), &v1.GetGameRequest{Name: made.Game.Name}); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	_ = conn.Close()
	again.interrupt()
}

// TestDatabaseInBadWeather has the database be away when the server starts, come, go, come back, and accept no writes.
// The server says so, and is well again by itself.
func TestDatabaseInBadWeather(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, _ := c.Empty(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Stop("fast"))
	log := new(journal)
	p := launchLogging(t, log, onDatabase(t, dsn)...)
	games, conn := dial(t, p.grpcAddress())
	defer conn.Close()
	ready := func() bool { code, _ := p.get("/readyz"); return code == 200 }
	away := func(when string) {
		t.Helper()
		if code, _ := p.get("/healthz"); code != 200 || ready() {
			t.Errorf("%s: /healthz %d, ready %v", when, code, ready())
		}
		_, err := create(games)
		wantRefusal(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
		_, err = games.ListGames(context.Background(), &v1.ListGamesRequest{})
		wantRefusal(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	}
	away("away at the start")
	must(c.Start())
	until(t, ready)
	made, err := create(games)
	must(err)
	must(c.Stop("immediate"))
	away("gone")
	must(c.Start())
	until(t, ready)
	_, err = games.GetGame(context.Background(), &v1.GetGameRequest{Name: made.Game.Name})
	must(err)
	c.MustSQL(t, "alter system set default_transaction_read_only = on", "select pg_reload_conf()")
	until(t, func() bool { return !ready() })
	_, err = create(games)
	wantRefusal(t, err, codes.Unavailable, "STORE_READ_ONLY")
	_, err = games.GetGame(context.Background(), &v1.GetGameRequest{Name: made.Game.Name})
	must(err)
	c.MustSQL(t, "set default_transaction_read_only = off",
		"alter system reset default_transaction_read_only", "select pg_reload_conf()")
	until(t, ready)
	_, err = create(games)
	must(err)
	p.interrupt()
	for _, want := range []string{"the server waits for it", "the database is open", "not ready"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "hunter2") {
		t.Error("the log has the password")
	}
}

// TestRefusedDatabases has the program end with words on a database that it cannot serve.
func TestRefusedDatabases(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	hba := c.MustSQL(t, "show hba_file")
	c.MustSQL(t, "create role locked login password 'right'",
		"create database latin encoding latin1 template template0",
		"copy (values ('local all locked scram-sha-256'), ('local all all trust')) to '"+hba+"'",
		"select pg_reload_conf()")
	prepared := func(prepare func(eventstore.Store) error) (dsn, schema string) {
		t.Helper()
		dsn, schema = c.Empty(t)
		store, err := postgres.Open(context.Background(), dsn, postgres.Options{})
		if err == nil {
			err = prepare(store)
		}
		if err == nil {
			err = store.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return dsn, schema
	}
	ctx := context.Background()
	empty, _ := c.Empty(t)
	newer, newest := prepared(func(eventstore.Store) error { return nil })
	c.MustSQL(t, "update "+newest+".wl_store set format = 99")
	moved, _ := prepared(func(s eventstore.Store) error {
		to := memory.New()
		defer to.Close()
		_, err := move.Copy(ctx, s, to, move.Options{From: "here", To: "games.db"})
		return err
	})
	half, _ := prepared(func(s eventstore.Store) error {
		_, err := move.Restore(ctx, strings.NewReader(""), s, move.Options{From: "backup.dump"})
		if err == nil {
			t.Error("half a dump was restored")
		}
		return nil
	})
	foreign, schema := c.Empty(t)
	c.MustSQL(t, "create table "+schema+".wl_store (name text)")
	for want, dsn := range map[string]string{
		"no schema has been selected":    strings.Replace(empty, "search_path=", "search_path=no_", 1),
		`column "id" does not exist`:     foreign,
		"password authentication failed": strings.Replace(empty, "user=postgres", "user=locked", 1),
		`database "nowhere" does not`:    strings.Replace(empty, "/postgres?", "/nowhere?", 1),
		"server_encoding = LATIN1":       strings.Replace(empty, "/postgres?", "/latin?", 1),
		"synchronous_commit = off":       empty + "&synchronous_commit=off",
		"has format 99":                  newer,
		"was moved to games.db at 2":     moved,
		"not finished: from backup.dump": half,
	} {
		code, out, errs := tryFor(onDatabase(t, dsn))
		if code != int(failed) || !strings.Contains(errs, want) || strings.Contains(out+errs, "hunter2") {
			t.Errorf("%d, %q, %q, want %q", code, out, errs, want)
		}
	}
}

// TestMovedFile wants a file refused whose games were moved elsewhere.
func TestMovedFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "games.db")
	store, err := boltstore.Open(file, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	to := memory.New()
	_, err = move.Copy(context.Background(), store, to, move.Options{From: file, To: "a database"})
	if err := errors.Join(err, to.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	code, _, errs := tryFor([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db", file})
	if code != int(failed) || !strings.Contains(errs, "was moved to a database at 2") ||
		!strings.Contains(errs, "warledger admin reopen") {
		t.Errorf("%d, %q", code, errs)
	}
}

// TestDatabaseTakenMeanwhile ends a server that lost its connections, and with them the database to a migration.
func TestDatabaseTakenMeanwhile(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, schema := c.Empty(t)
	log := new(journal)
	p := launchLogging(t, log, onDatabase(t, dsn)...)
	taken := make(chan *postgres.Store, 1)
	go func() {
		store, err := postgres.Open(context.Background(), strings.Replace(dsn, "application_name="+schema, "", 1),
			postgres.Options{Lock: postgres.LockAlone})
		if err != nil {
			t.Error(err)
		}
		taken <- store
	}()
	ended := false
	for !ended { // until the other one was quicker
		c.MustSQL(t, `select pg_terminate_backend(pid, 10000) from pg_stat_activity
			where application_name = '`+schema+`'`)
		select {
		case store := <-taken:
			defer store.Close()
			ended = true
		default:
		}
	}
	until(t, func() bool { return len(p.code) > 0 })
	if code := <-p.code; code != int(failed) || !strings.Contains(log.String(), "needs it to itself") {
		t.Errorf("exit code %d, %s", code, log.String())
	}
}

// TestKilledUnderLoadOnADatabase is TestKilledUnderLoad on a database.
func TestKilledUnderLoadOnADatabase(t *testing.T) {
	t.Parallel()
	dsn, _ := database.Cluster(t).Empty(t)
	kills := killsWanted(t)
	if _, set := os.LookupEnv(killsSetting); !set {
		if kills = 2; testing.Short() {
			kills = 1
		}
	}
	killedUnderLoad(t, kills, []string{"--store", dsn, "--signing-key", "off"}, func() (eventstore.Store, error) {
		return postgres.Open(context.Background(), dsn, postgres.Options{ReadOnly: true})
	})
}

// TestStoreSettings wants settings of a database refused that cannot be meant, without repeating a password.
func TestStoreSettings(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"--store: expected an address": {"--store", "host=db password=hunter2", "--signing-key", "off"},
		"--store needs --signing-key":  {"--store", "postgres://u:hunter2@db/games"},
		"--accept-loss needs --store":  {"--accept-loss"},
	} {
		if code, _, errs := try(args...); code != int(misused) || !strings.Contains(errs, want) ||
			strings.Contains(errs, "hunter2") {
			t.Errorf("%v: %d, %q, want %q", args, code, errs, want)
		}
	}
	bad := []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--store",
		"postgres://u:hunter2@db:port/games", "--signing-key", "off"}
	if code, _, errs := try(bad...); code != int(failed) || strings.Contains(errs, "hunter2") {
		t.Errorf("%d, %q", code, errs)
	}
}
