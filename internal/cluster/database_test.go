//go:build linux

package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/warledger/warledger/eventstore/postgres/pgtest"
)

// program is a command line of one of PostgreSQL's programs, run by an account that may.
func program(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	who, err := databaseAccount()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(os.Getenv(pgtest.Variable), name), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	return cmd
}

// template is an empty database that each seed copies.
var template struct {
	once   sync.Once
	folder string
}

// makeTemplate makes a database with a role of its own for servers, once for all tests.
func makeTemplate(t testing.TB) string {
	t.Helper()
	template.once.Do(func() {
		folder, err := os.MkdirTemp("", "wlcluster")
		if err == nil {
			err = giveAway(folder)
		}
		if err != nil {
			t.Fatal(err)
		}
		data := filepath.Join(folder, "data")
		initdb := program(t, "initdb", "-D", data, "--no-sync", "--username="+account, "--auth=trust",
			"--encoding=UTF8",
			"--locale=C")
		initdb.Dir = folder
		if out, err := initdb.CombinedOutput(); err != nil {
			t.Fatalf("initdb: %v\n%s", err, out)
		}
		roles := program(t, "postgres", "--single", "-D", data, "-c", "fsync=off", account)
		roles.Dir = folder
		roles.Stdin = strings.NewReader("create role warledger login\n" +
			"create database warledger owner warledger encoding 'UTF8' template template0\n")
		if out, err := roles.CombinedOutput(); err != nil {
			t.Fatalf("postgres --single: %v\n%s", err, out)
		}
		for file, more := range map[string]string{
			"pg_hba.conf":     "host all all 10.77.0.0/24 trust\nhost replication all 10.77.0.0/24 trust\n",
			"postgresql.conf": "include 'cluster.conf'\n",
		} {
			f, err := os.OpenFile(filepath.Join(data, file), os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(more)
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
		}
		template.folder = folder
	})
	if template.folder == "" {
		t.Fatal("there is no database to copy")
	}
	return filepath.Join(template.folder, "data")
}

// databases are a primary and a standby.
type databases struct {
	t       testing.TB
	network *network
	// asynchronous has the primary not wait for its standby.
	asynchronous bool
	// both never change, whoever is the primary. Only the goroutine that lets databases fail reads who is what.
	both    [2]*machine
	primary *machine
	standby *machine
}

// newDatabases starts a primary and a standby that has caught up.
func newDatabases(t testing.TB, n *network, asynchronous bool) *databases {
	t.Helper()
	d := &databases{t: t, network: n, asynchronous: asynchronous,
		both: [2]*machine{newMachine(t, n, "10.77.0.21"), newMachine(t, n, "10.77.0.22")}}
	d.primary, d.standby = d.both[0], d.both[1]
	empty := makeTemplate(t)
	for _, m := range d.both {
		if out, err := exec.Command("cp", "-a", empty, data(m)).CombinedOutput(); err != nil {
			t.Fatalf("cp: %v\n%s", err, out)
		}
	}
	d.run(d.primary, nil)
	d.strict()
	d.follow()
	return d
}

func data(m *machine) string { return filepath.Join(m.folder, "data") }

// run starts the server of a machine, as a standby of another one if that is not nil.
func (d *databases) run(m, of *machine) {
	d.t.Helper()
	settings := []string{
		"listen_addresses = '" + m.address.String() + "'", "unix_socket_directories = '" + m.folder + "'",
		"shared_buffers = '32MB'", "wal_receiver_timeout = '5s'", "wal_sender_timeout = '5s'",
		"wal_retrieve_retry_interval = '500ms'", "wal_keep_size = '512MB'",
	}
	signal := filepath.Join(data(m), "standby.signal")
	if of == nil {
		_ = os.Remove(signal)
	} else {
		settings = append(settings, fmt.Sprintf(
			"primary_conninfo = 'host=%s user=%s application_name=standby connect_timeout=2'", of.address, account))
		d.write(signal, "")
	}
	d.write(filepath.Join(data(m), "cluster.conf"), strings.Join(settings, "\n")+"\n")
	m.start(program(d.t, "postgres", "-D", data(m)))
}

func (d *databases) write(file, text string) {
	d.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// strict has the primary acknowledge nothing that its standby does not have, also while there is no standby.
func (d *databases) strict() {
	d.t.Helper()
	if !d.asynchronous {
		d.sql(d.primary, "alter system set synchronous_standby_names = 'standby'")
		d.sql(d.primary, "select pg_reload_conf()")
	}
}

// follow starts the standby and waits until the primary waits for it.
func (d *databases) follow() {
	d.t.Helper()
	state := "async"
	if !d.asynchronous {
		state = "sync"
	}
	d.run(d.standby, d.primary)
	eventually(d.t, "the standby follows", func() string { return d.primary.said() + "\n" + d.standby.said() },
		func() bool {
			found, err := d.ask(d.primary, "select sync_state from pg_stat_replication where state = 'streaming'")
			return err == nil && found == state
		})
}

// ask has a server select one value. It is asked by the socket in its folder, which no cut reaches.
func (d *databases) ask(m *machine, query string) (found string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, "postgres:///postgres?user="+account+"&host="+m.folder)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, query, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	if rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return "", err
		}
		if len(values) > 0 {
			found = fmt.Sprint(values[0])
		}
	}
	rows.Close()
	return found, rows.Err()
}

// sql has a server do something, which it can do as soon as it takes connections.
func (d *databases) sql(m *machine, statement string) {
	d.t.Helper()
	eventually(d.t, statement, m.said, func() bool {
		_, err := d.ask(m, statement)
		return err == nil
	})
}

// promote kills the primary and makes the standby the primary, which it is alone until rejoin.
func (d *databases) promote() {
	d.t.Helper()
	d.primary.kill()
	d.primary, d.standby = d.standby, d.primary
	eventually(d.t, "the standby is promoted", d.primary.said, func() bool {
		_, _ = d.ask(d.primary, "select pg_promote(false)")
		in, err := d.ask(d.primary, "select pg_is_in_recovery()")
		return err == nil && in == "false"
	})
}

// rejoin makes the machine of the old primary a new standby.
func (d *databases) rejoin() {
	d.t.Helper()
	if err := os.RemoveAll(data(d.standby)); err != nil {
		d.t.Fatal(err)
	}
	d.strict()
	eventually(d.t, "the new primary can be copied", d.primary.said, func() bool {
		copying := program(d.t, "pg_basebackup", "-D", data(d.standby), "-h", d.primary.folder, "-U", account,
			"--no-sync",
			"--checkpoint=fast", "-X", "stream")
		copying.Dir = d.standby.folder
		out, err := copying.CombinedOutput()
		if err != nil {
			d.t.Logf("pg_basebackup: %v\n%s", err, out)
			_ = os.RemoveAll(data(d.standby))
		}
		return err == nil
	})
	d.follow()
}

// restart kills the primary and starts it again where it was.
func (d *databases) restart() {
	d.t.Helper()
	d.primary.kill()
	_ = os.Remove(filepath.Join(data(d.primary), "postmaster.pid"))
	d.run(d.primary, nil)
	d.sql(d.primary, "select 1")
}
