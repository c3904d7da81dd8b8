//go:build unix

package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a command may take before it counts as hanging.
const patience = 5 * time.Minute

// reader does what a page says, in a folder that looks like the checkout.
type reader struct {
	t       *testing.T
	dir     string
	env     []string
	ports   map[string]string // the port that stands for one of the page
	server  *process
	waiting []*process // what runs beside the reader's next commands
	// differ is told of an output that is not the one shown.
	differ func(s step, got []string)
}

// usual are the ports that a server takes by default, with the settings that name them.
var usual = []struct{ port, setting string }{
	{"7480", "WARLEDGER_LISTEN"}, {"7481", "WARLEDGER_OPS"}, {"7482", "WARLEDGER_WEB"},
}

// newReader puts a reader into a folder that looks like the checkout, or is a copy of it.
func newReader(t *testing.T, bin string, copied bool) *reader {
	r := &reader{t: t, dir: t.TempDir(), ports: map[string]string{}, differ: func(step, []string) {}}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if copied {
		err = copyCheckout(root, r.dir)
		root = r.dir
	} else {
		err = linkCheckout(root, r.dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "WARLEDGER_") && !strings.HasPrefix(e, "USER=") {
			r.env = append(r.env, e)
		}
	}
	r.env = append(r.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOBIN="+bin, "CHECKOUT="+root,
		"PAGE="+r.dir, "USER=ann", "WARLEDGER_CONFIG_DIR="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1")
	t.Cleanup(r.leave)
	return r
}

// linkCheckout makes a folder look like the checkout.
func linkCheckout(root, to string) error {
	entries, err := os.ReadDir(root)
	for _, e := range entries {
		err = errors.Join(err, os.Symlink(filepath.Join(root, e.Name()), filepath.Join(to, e.Name())))
	}
	return err
}

// copyCheckout copies the files of the checkout. The copy is a repository of its own, as a clone is.
func copyCheckout(root, to string) error {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed and not committed
		}
		if err == nil {
			err = save(filepath.Join(to, name), data)
		}
		if err != nil {
			return err
		}
	}
	start := exec.Command("git", "init", "--quiet")
	start.Dir = to
	return start.Run()
}

// save writes a file, in a folder that is made if none exists.
func save(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}

// leave ends what still runs. What a page started in the background must have ended well by itself.
func (r *reader) leave() {
	for _, p := range r.waiting {
		if err := p.wait(); err != nil {
			r.t.Errorf("%s: %v\n%s", p.command, err, p.out.String())
		}
	}
	if r.server != nil {
		r.server.signal(syscall.SIGKILL)
		<-r.server.ended
	}
}

// do takes one step and says what is wrong with it.
func (r *reader) do(s step) error {
	switch {
	case s.file != "":
		return save(filepath.Join(r.dir, s.file), []byte(r.outward(s.text)))
	case s.command == interrupt:
		return r.stop(s)
	case serves.MatchString(s.command):
		return r.serve(s)
	case strings.HasSuffix(s.command, " &"):
		r.waiting = append(r.waiting, r.start(strings.TrimSuffix(s.command, "&")))
		return nil
	}
	p := r.start(s.command)
	err := p.wait()
	if !s.shown && err != nil {
		return fmt.Errorf("%s: %w\n%s", s.command, err, p.out.String())
	}
	return r.compare(s, p.out.String())
}

// compare says how an output differs from the one that the page shows, if it shows one.
func (r *reader) compare(s step, printed string) error {
	got := r.inward(printed)
	if !s.shown || matches(s.want, got) {
		return nil
	}
	r.differ(s, strings.Split(masked(got), "\n"))
	return fmt.Errorf("%s\nprints\n%s\nand the page shows\n%s", s.command, got, strings.Join(s.want, "\n"))
}

var (
	serves    = regexp.MustCompile(`^(?:go run \./cmd/)?warledgerd\b`)
	announced = regexp.MustCompile(`(?m)^warledgerd serves .*\n`)
	address   = regexp.MustCompile(`(on|by HTTP on|operations on) [^ ,]*:(\d+)`)
	named     = regexp.MustCompile(`\b(localhost|127\.0\.0\.1|0\.0\.0\.0):(748[012])\b`)
)

// serve starts the server and waits until it says where it listens.
func (r *reader) serve(s step) error {
	if r.server != nil {
		return errors.New("the page starts a second server and has not stopped the first")
	}
	p := r.start(s.command)
	for !announced.MatchString(p.out.String()) {
		select {
		case <-p.ended: // a page may show a server that refuses to start
			if s.shown && p.err != nil {
				return r.compare(s, p.out.String())
			}
			return fmt.Errorf("%s ended: %v\n%s", s.command, p.err, p.out.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	r.server = p
	said := announced.FindString(p.out.String())
	for _, m := range address.FindAllStringSubmatch(said, -1) {
		name := map[string]string{"on": "7480", "operations on": "7481", "by HTTP on": "7482"}[m[1]]
		r.ports[name] = m[2]
	}
	return r.compare(s, said)
}

// stop interrupts the server, which must end well.
func (r *reader) stop(s step) error {
	if r.server == nil {
		return errors.New("nothing runs that could be stopped")
	}
	p := r.server
	r.server = nil
	p.signal(syscall.SIGINT)
	if err := p.wait(); err != nil {
		return fmt.Errorf("the server stops: %w\n%s", err, p.out.String())
	}
	if len(s.want) == 0 {
		return nil
	}
	return r.compare(s, announced.ReplaceAllString(p.out.String(), ""))
}

// outward puts the ports of this run in place of those that a page names.
func (r *reader) outward(text string) string {
	return named.ReplaceAllStringFunc(text, func(at string) string {
		port := at[strings.LastIndex(at, ":")+1:]
		if r.ports[port] == "" {
			return "127.0.0.1:0"
		}
		return "127.0.0.1:" + r.ports[port]
	})
}

// inward puts the ports that a page names in place of those of this run.
func (r *reader) inward(text string) string {
	for name, port := range r.ports {
		text = strings.ReplaceAll(text, ":"+port, ":"+name)
	}
	return text
}

// process is a command that runs, with what it has printed.
type process struct {
	command string
	cmd     *exec.Cmd
	out     *printed
	ended   chan struct{}
	err     error
}

// start runs a line of a page in a shell, in a group of processes of its own.
func (r *reader) start(command string) *process {
	p := &process{command: command, out: &printed{}, ended: make(chan struct{})}
	p.cmd = exec.Command("bash", "-c", r.outward(command))
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = r.dir, p.out, p.out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Env = r.env
	for _, u := range usual {
		p.cmd.Env = append(p.cmd.Env, u.setting+"="+r.outward("127.0.0.1:"+u.port))
	}
	p.cmd.Env = append(p.cmd.Env, "WARLEDGER_SERVER="+r.outward("127.0.0.1:7480"))
	if err := p.cmd.Start(); err != nil {
		p.err = err
		close(p.ended)
		return p
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p
}

// wait waits for the end of a process, and ends one that hangs.
func (p *process) wait() error {
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.signal(syscall.SIGKILL)
		<-p.ended
	}
	return p.err
}

func (p *process) signal(sig syscall.Signal) {
	if p.cmd.Process != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, sig) // it may have ended already
	}
}

// printed is what a process has printed so far.
type printed struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buf.String()
}
