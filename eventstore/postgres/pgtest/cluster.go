// Package pgtest makes PostgreSQL servers for tests: each in a folder of its own, reached by a socket in it, and gone
// when the tests end, however they end.
//
// Which tests run is decided by the variable WARLEDGER_POSTGRES, which names the folder of PostgreSQL's programs. Where
// it is not set, tests that need a server are not run, so that a machine with nothing but Go can run all others. Where
// it is set they never skip: without a server they fail and say why.
package pgtest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Variable names the environment variable that holds the folder of PostgreSQL's programs.
const Variable = "WARLEDGER_POSTGRES"

// account is who runs the server if the tests run as root, which PostgreSQL refuses.
const account = "postgres"

// Cluster is a server with its data.
type Cluster struct {
	programs string // folder
	folder   string
	settings []string
	server   *exec.Cmd
	hold     io.Closer // the server ends when it is closed, or when the test's process is gone
	ended    chan struct{}
	schemas  atomic.Int64
}

// Wanted skips the test where no server is asked for.
func Wanted(t testing.TB) {
	t.Helper()
	if os.Getenv(Variable) == "" {
		t.Skipf("set %s to the folder of PostgreSQL's programs to run this, such as /usr/lib/postgresql/15/bin",
			Variable)
	}
}

// New makes a cluster and starts its server, with settings such as fsync=off beside the usual ones. It ends with the
// test.
func New(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	Wanted(t)
	c, err := Make(settings...)
	if err != nil {
		t.Fatalf("a PostgreSQL server for the test: %v", err)
	}
	t.Cleanup(c.Remove)
	return c
}

// Make is New for a cluster that several tests share. Its caller removes it.
func Make(settings ...string) (*Cluster, error) {
	c, err := folder(settings)
	if err != nil {
		return nil, err
	}
	err = c.run("initdb", "-D", c.data(),
		"--no-sync", "--username="+account, "--auth=trust", "--encoding=UTF8", "--locale=C")
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		c.Remove()
		return nil, err
	}
	return c, nil
}

// folder makes the folder of a cluster, which belongs to whoever runs the server.
func folder(settings []string) (*Cluster, error) {
	c := &Cluster{programs: os.Getenv(Variable), settings: settings}
	if _, err := os.Stat(filepath.Join(c.programs, "initdb")); err != nil {
		return nil,
			fmt.Errorf("%s must name the folder of PostgreSQL's programs (Debian: apt-get install postgresql): %w",
				Variable, err)
	}
	var err error
	if c.folder, err = os.MkdirTemp("", "wlpg"); err != nil {
		return nil, err
	}
	if os.Geteuid() != 0 {
		return c, nil
	}
	runner, err := user.Lookup(account)
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL refuses to run as root: %w", err)
	}
	uid, _ := strconv.Atoi(runner.Uid)
	gid, _ := strconv.Atoi(runner.Gid)
	return c, os.Chown(c.folder, uid, gid)
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// Socket is the folder of the server's socket, which stands for a host in a connection string.
func (c *Cluster) Socket() string { return c.folder }

// command is one of PostgreSQL's programs, run by an account that may.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	argv := append([]string{filepath.Join(c.programs, name)}, args...)
	if os.Geteuid() == 0 {
		argv = append([]string{"runuser", "-u", account, "--"}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = c.folder
	return cmd
}

func (c *Cluster) run(name string, args ...string) error {
	out, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// keep starts a server and stops it when its input ends, which also happens when the test's process dies.
const keep = `"$@" & child=$!
(read -r _; kill -QUIT $child) <&3 &
wait $child`

// Start starts the server and waits until it takes connections.
func (c *Cluster) Start() error {
	args := []string{
		"-D", c.data(), "-c", "listen_addresses=", "-c", "unix_socket_directories=" + c.folder, "-c",
		"max_connections=400",
		"-c", "shared_buffers=64MB", "-c", "max_wal_size=2GB",
	}
	for _, s := range c.settings {
		args = append(args, "-c", s)
	}
	server := c.command("postgres", args...)
	i := 0
	if os.Geteuid() == 0 {
		i = 4 // after runuser
	}
	server.Args = append(append(append([]string{}, server.Args[:i]...), "/bin/sh", "-c", keep, "sh"),
		server.Args[i:]...)
	if i == 0 {
		server.Path = "/bin/sh"
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(c.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	defer read.Close()
	server.ExtraFiles, server.Stdout, server.Stderr = []*os.File{read}, log, log
	if err := server.Start(); err != nil {
		return err
	}
	c.server, c.hold, c.ended = server, write, make(chan struct{})
	go func(ended chan struct{}) {
		_ = server.Wait()
		close(ended)
	}(c.ended)
	return c.ready()
}

// patience is how long a server may take to start or to stop.
const patience = time.Minute

func (c *Cluster) ready() error {
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := c.run("pg_isready", "-q", "-h", c.folder)
		if err == nil {
			return nil
		}
		select {
		case <-c.ended:
		default:
			if time.Since(begun) < patience {
				continue
			}
		}
		said, _ := os.ReadFile(filepath.Join(c.folder, "log"))
		return fmt.Errorf("the server does not start: %w\n%s", err, bytes.TrimSpace(said))
	}
}

// Stop stops the server: in the mode "immediate" as if it had crashed, in "fast" it ends its connections.
func (c *Cluster) Stop(mode string) error {
	if err := c.run("pg_ctl", "stop", "-m", mode, "-D", c.data()); err != nil {
		return err
	}
	<-c.ended
	return c.hold.Close()
}

// Remove stops the server and removes its data.
func (c *Cluster) Remove() {
	if c.hold != nil {
		_ = c.hold.Close()
		<-c.ended
	}
	_ = os.RemoveAll(c.folder)
}

// DSN is the connection string of the server's database, with further parameters such as search_path=x.
func (c *Cluster) DSN(parameters ...string) string {
	all := append([]string{"user=" + account, "host=" + c.folder}, parameters...)
	return "postgres:///postgres?" + strings.Join(all, "&")
}

// SQL has psql run statements, each in a transaction of its own, and returns what they select.
func (c *Cluster) SQL(statements ...string) (string, error) {
	args := []string{"-X", "-A", "-t", "-q", "-h", c.folder, "-U", account, "-d", "postgres", "-v", "ON_ERROR_STOP=1"}
	for _, s := range statements {
		args = append(args, "-c", s)
	}
	out, err := c.command("psql", args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("psql: %w\n%s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// MustSQL is SQL for a test.
func (c *Cluster) MustSQL(t testing.TB, statements ...string) string {
	t.Helper()
	out, err := c.SQL(statements...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Empty makes a schema of its own in the server's database and returns the connection string for it: a database for
// each test would take longer. Connections bear the schema's name.
func (c *Cluster) Empty(t testing.TB) (dsn, schema string) {
	t.Helper()
	schema = fmt.Sprint("test_", c.schemas.Add(1))
	c.MustSQL(t, "create schema "+schema)
	return c.DSN("search_path="+schema, "application_name="+schema), schema
}
