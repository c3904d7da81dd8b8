//go:build linux

package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore/postgres/pgtest"
)

// patience is how long a test waits for what must come, on the slowest machine.
const patience = 4 * time.Minute

// wanted skips the test where no database is asked for. Where one is, nothing skips.
func wanted(t testing.TB) {
	t.Helper()
	pgtest.Wanted(t)
}

// account is who runs databases.
const account = "postgres"

// machine is a namespace with a folder and at most one process, and what that starts.
type machine struct {
	*namespace
	t      testing.TB
	folder string

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{}
}

func newMachine(t testing.TB, n *network, address string) *machine {
	t.Helper()
	folder, err := os.MkdirTemp("", "wlcluster")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	m := &machine{namespace: n.add(address), t: t, folder: folder}
	if err := giveAway(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.kill)
	return m
}

// databaseAccount is the account of databases as the system knows it.
func databaseAccount() (*syscall.Credential, error) {
	u, err := user.Lookup(account)
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL refuses to run as root, and Debian's package makes an account: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err, err2)
}

// giveAway has a folder belong to the account of databases.
func giveAway(folder string) error {
	who, err := databaseAccount()
	if err != nil {
		return err
	}
	return os.Chown(folder, int(who.Uid), int(who.Gid))
}

// start runs a program on the machine, as the first process of its own: with it everything ends that it started. What
// it prints goes to a file of the machine's folder.
func (m *machine) start(cmd *exec.Cmd) {
	m.t.Helper()
	log, err := os.OpenFile(m.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		m.t.Fatal(err)
	}
	defer log.Close()
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.folder, log, log
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWPID
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL // the thread lives as long as the test
	m.mu.Lock()
	defer m.mu.Unlock()
	m.do(func() { err = cmd.Start() })
	if err != nil {
		m.t.Fatalf("%s: %v", filepath.Base(cmd.Path), err)
	}
	m.process, m.ended = cmd, make(chan struct{})
	go func(ended chan struct{}) {
		_ = cmd.Wait()
		close(ended)
	}(m.ended)
}

func (m *machine) log() string { return filepath.Join(m.folder, "log") }

// said is the end of what the machine's programs printed.
func (m *machine) said() string {
	data, _ := os.ReadFile(m.log())
	const most = 6000
	return strings.TrimSpace(string(data[max(0, len(data)-most):]))
}

// signal sends a signal to the machine's process, if there is one.
func (m *machine) signal(s syscall.Signal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.process != nil {
		_ = m.process.Process.Signal(s)
	}
}

// kill ends the machine's process, and all that it started, as a failure of the machine would.
func (m *machine) kill() {
	m.signal(syscall.SIGKILL)
	m.mu.Lock()
	ended := m.ended
	m.mu.Unlock()
	if ended != nil {
		<-ended
	}
}

// alive reports whether the machine's process runs.
func (m *machine) alive() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.ended:
		return false
	default:
		return m.process != nil
	}
}

// eventually waits for something, and fails the test with what is said if it does not come.
func eventually(t testing.TB, what string, said func() string, done func() bool) {
	t.Helper()
	for begun := time.Now(); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("waited in vain until %s\n%s", what, said())
		}
	}
}
