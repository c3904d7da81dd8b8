//go:build amd64 || arm64

package powerfail

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Verdict is what happens to a writer's operation in place of being carried out.
type Verdict struct {
	// Refuse is the error that the writer gets, as of a device that fails; of a write every second one is then carried
	// out by half. 0 refuses nothing.
	Refuse syscall.Errno
	// Kill ends the writer in front of the operation.
	Kill bool
}

// Recorder notes what writers do to the files in a folder.
type Recorder struct {
	// Dir is the folder. It may lie in memory: a sync is noted, not carried out.
	Dir string
	// Trace is what was noted.
	Trace Trace
	// Plan, if not nil, is asked about each operation before it is carried out.
	Plan func(Op) Verdict

	files    map[uint64]*recorded // by inode
	created  []string             // names that are being made
	refused  int
	killed   bool
	pid      int
	listener int
}

// recorded is a file that is kept open, so that its inode is not given to another one.
type recorded struct {
	number int
	f      *os.File
}

// Run runs a writer to its end, or until it is killed, and adds to the trace. Files that are in the folder at the
// first run count as durable. An error says that the writer failed by itself, or did something that cannot be
// recorded.
func (r *Recorder) Run(writer string, args ...string) (err error) {
	if r.files == nil {
		r.files = map[uint64]*recorded{}
		if err := r.hold(); err != nil {
			return err
		}
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socket pair: %w", err)
	}
	defer unix.Close(pair[0])
	theirs := os.NewFile(uintptr(pair[1]), "line")
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), writerEnv+"=+"+strings.Join(append([]string{writer, r.Dir}, args...), "\n"))
	cmd.ExtraFiles = []*os.File{theirs}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Start()
	if err := errors.Join(err, theirs.Close()); err != nil {
		return err
	}
	r.killed, r.pid = false, cmd.Process.Pid
	ended := make(chan error, 1)
	done, wake, err := os.Pipe()
	if err != nil {
		return errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	defer done.Close()
	go func() {
		ended <- cmd.Wait()
		_ = wake.Close()
	}()
	listening := r.listen(pair[0], int(done.Fd()))
	if listening != nil {
		_ = cmd.Process.Kill()
	}
	err = <-ended
	r.find()
	if r.killed && listening == nil {
		r.Trace = append(r.Trace, Op{Kind: Killed})
		return nil
	}
	if err != nil || listening != nil {
		return fmt.Errorf("writer %s: %w; it said: %s", writer, errors.Join(err, listening), said.String())
	}
	return nil
}

// Close lets go of the files.
func (r *Recorder) Close() error {
	var err error
	for _, f := range r.files {
		err = errors.Join(err, f.f.Close())
	}
	r.files = nil
	return err
}

// hold notes the files that are there as durable.
func (r *Recorder) hold() error {
	return filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := r.file(path)
		if err == nil {
			r.Trace = append(r.Trace, Op{Kind: Held, File: f.number, Name: r.name(path), Data: data})
		}
		return err
	})
}

// name is a path below the folder, or "" if it is not there.
func (r *Recorder) name(path string) string {
	name, err := filepath.Rel(r.Dir, path)
	if err != nil || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return filepath.ToSlash(name)
}

// file returns the file at a path, which may be one of /proc, and keeps it open.
func (r *Recorder) file(path string) (*recorded, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	if f := r.files[inode]; f != nil {
		return f, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r.files[inode] = &recorded{number: len(r.files) + 1, f: f}
	return r.files[inode], nil
}

// find notes the files that were made since.
func (r *Recorder) find() {
	r.created = deleteFunc(r.created, func(path string) bool {
		f, err := r.file(path)
		if err == nil {
			r.Trace = append(r.Trace, Op{Kind: Create, File: f.number, Name: r.name(path)})
		}
		return err == nil
	})
}

func deleteFunc(list []string, del func(string) bool) []string {
	kept := list[:0]
	for _, s := range list {
		if !del(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// ask returns what the plan says about an operation.
func (r *Recorder) ask(o Op) Verdict {
	if r.Plan == nil {
		return Verdict{}
	}
	return r.Plan(o)
}
