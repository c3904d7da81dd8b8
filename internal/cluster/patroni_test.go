//go:build linux

package cluster

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore/postgres/pgtest"
)

// operations is the folder of the files that docs/howto/cluster.md tells operators to use.
const operations = "../../docs/operations"

// member is a machine of the database: etcd, and Patroni with its PostgreSQL.
type member struct {
	etcd, patroni *machine
	name          string
}

// patroni is a database that Patroni keeps.
type patroni struct {
	t       testing.TB
	w       *world
	members []*member
}

// newPatroni starts three machines with the files of docs/operations, in which names and folders are replaced.
func newPatroni(t testing.TB, w *world) *patroni {
	t.Helper()
	for _, name := range []string{"patroni", "etcd"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%v; Debian: apt-get install patroni etcd-server", err)
		}
	}
	p := &patroni{t: t, w: w}
	for i := range 3 {
		m := newMachine(t, w.network, fmt.Sprintf("10.77.0.2%d", i+1))
		folder := filepath.Join(m.folder, "etcd")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		etcd := &machine{namespace: m.namespace, t: t, folder: folder}
		t.Cleanup(etcd.kill)
		p.members = append(p.members, &member{etcd: etcd, patroni: m, name: fmt.Sprintf("db%d", i+1)})
	}
	for _, m := range p.members {
		p.begin(m)
	}
	p.settled()
	p.psql("create role warledger login password 'a long secret'")
	p.psql("create database warledger owner warledger encoding 'UTF8' template template0")
	return p
}

// file is one of the files for operators, as one machine has it.
func (p *patroni) file(m *member, name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, name))
	if err != nil {
		p.t.Fatal(err)
	}
	changes := []string{"/usr/lib/postgresql/15/bin", os.Getenv(pgtest.Variable),
		"/var/lib/postgresql/warledger", data(m.patroni)}
	for _, own := range []string{"name: ", "connect_address: ", "ETCD_NAME=",
		"ETCD_INITIAL_ADVERTISE_PEER_URLS=http://",
		"ETCD_ADVERTISE_CLIENT_URLS=http://"} {
		after := ":"
		if own == "name: " || own == "ETCD_NAME=" {
			changes = append(changes, own+"db1", own+m.name)
			continue
		}
		changes = append(changes, own+"db1"+after, own+m.patroni.address.String()+after)
	}
	for _, o := range p.members {
		changes = append(changes, o.name+"=http://"+o.name, o.name+"=http://"+o.patroni.address.String(),
			o.name+":2379", o.patroni.address.String()+":2379")
	}
	return strings.NewReplacer(changes...).Replace(string(text))
}

// begin starts a machine.
func (p *patroni) begin(m *member) {
	p.t.Helper()
	etcd := exec.Command("etcd", "--data-dir", filepath.Join(m.etcd.folder, "data"))
	etcd.Env = os.Environ()
	lines := bufio.NewScanner(strings.NewReader(p.file(m, "etcd.env")))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "ETCD_") {
			etcd.Env = append(etcd.Env, lines.Text())
		}
	}
	m.etcd.start(etcd)
	config := filepath.Join(m.patroni.folder, "config.yml")
	if err := os.WriteFile(config, []byte(p.file(m, "patroni.yaml")), 0o644); err != nil {
		p.t.Fatal(err)
	}
	// Patroni looks its processes up in /proc, which must show those of the machine; so must the folder of sockets.
	cmd := exec.Command("sh", "-c", "mount --make-rprivate / && mount -t proc proc /proc && "+
		"mkdir -p /run/postgresql && mount -t tmpfs -o mode=1777 sockets /run/postgresql && "+
		`exec setpriv --pdeathsig KILL --reuid "$0" --regid "$0" --init-groups patroni "$1"`, account, config)
	cmd.Env = append(os.Environ(), "HOME="+m.patroni.folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	m.patroni.start(cmd)
}

// is asks a machine's Patroni whether it is what a path says, such as "primary".
func (p *patroni) is(m *member, what string) bool {
	return p.w.answers("http://" + m.patroni.address.String() + ":8008/" + what)
}

// primary is the machine with the primary; nil if none exists.
func (p *patroni) primary() *member {
	for _, m := range p.members {
		if p.is(m, "primary") {
			return m
		}
	}
	return nil
}

// settled waits until there are a primary and two standbys, one of them synchronous.
func (p *patroni) settled() {
	p.t.Helper()
	eventually(p.t, "there is a primary with its standbys", p.said, func() bool {
		standbys, sync := 0, 0
		for _, m := range p.members {
			if p.is(m, "replica") {
				standbys++
			}
			if p.is(m, "synchronous") {
				sync++
			}
		}
		return standbys == 2 && sync == 1 && p.primary() != nil
	})
}

func (p *patroni) said() string {
	var all []string
	for _, m := range p.members {
		all = append(all, m.name+" etcd:\n"+m.etcd.said(), m.name+" patroni:\n"+m.patroni.said())
	}
	return strings.Join(all, "\n")
}

// psql has the primary do something, as an operator would on its machine.
func (p *patroni) psql(statement string) {
	p.t.Helper()
	m := p.primary()
	if m == nil {
		p.t.Fatal("there is no primary\n" + p.said())
	}
	cmd := exec.Command("nsenter", "--mount", "--target", strconv.Itoa(m.patroni.process.Process.Pid), "setpriv",
		"--reuid", account, "--regid", account,
		"--init-groups", filepath.Join(os.Getenv(pgtest.Variable), "psql"), "-X",
		"-d", "postgres", "-v", "ON_ERROR_STOP=1", "-c", statement)
	cmd.Dir = "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("psql: %v\n%s", err, out)
	}
}

// failover kills the machine of the primary, and waits until another has taken over.
func (p *patroni) failover() {
	p.t.Helper()
	old := p.primary()
	if old == nil {
		p.t.Fatal("there is no primary\n" + p.said())
	}
	begun := time.Now()
	old.patroni.kill()
	old.etcd.kill()
	eventually(p.t, "another machine has taken over", p.said, func() bool { return p.primary() != nil })
	p.t.Logf("the primary of %s was killed; %s took over after %.0f s", old.name, p.primary().name,
		time.Since(begun).Seconds())
	if os.Getenv(seedsVariable) == "" {
		return // the rest takes as long again
	}
	time.Sleep(2 * time.Second)
	p.begin(old)
	p.settled() // what was the primary becomes a standby by itself
}

// TestUnderPatroni plays games on what docs/howto/cluster.md has operators build, while the
// machine of the primary dies.
func TestUnderPatroni(t *testing.T) {
	t.Parallel()
	wanted(t)
	if testing.Short() {
		t.Skip("this needs a minute of its own")
	}
	for _, seed := range patroniSeeds(t) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			wrong := play(t, setting{seed: seed, path: product(t), planted: asItIs, limit: patience,
				databases: func(w *world) base {
					p := newPatroni(t, w)
					return base{store: p.store(), check: func() {}, weather: func() {
						time.Sleep(2 * time.Second)
						p.failover()
						time.Sleep(5 * time.Second)
					}}
				}})
			if len(wrong) > 0 {
				t.Errorf("seed %d:\n%s", seed, strings.Join(wrong, "\n"))
			}
		})
	}
}

// patroniSeeds are the seeds to play under Patroni: one for every twenty others.
func patroniSeeds(t *testing.T) []uint64 {
	t.Helper()
	all := seeds(t)
	return all[:max(1, len(all)/20)]
}

// store is the address of the database, with its password in a file, as the page has it.
func (p *patroni) store() string {
	p.t.Helper()
	file := filepath.Join(p.members[0].patroni.folder, "pgpass")
	var lines, hosts []string
	for _, m := range p.members {
		hosts = append(hosts, m.patroni.address.String())
		lines = append(lines, hosts[len(hosts)-1]+":5432:warledger:warledger:a long secret\n")
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return "postgres://warledger@" + strings.Join(hosts, ",") + "/warledger?passfile=" + file
}
