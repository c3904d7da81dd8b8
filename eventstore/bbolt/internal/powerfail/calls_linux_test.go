//go:build amd64 || arm64

package powerfail

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// calls changes files in each of the ways that are recorded.
func calls(dir string, _ []string) error {
	name := func(s string) string { return filepath.Join(dir, s) }
	f, err := os.Create(name("a"))
	if err != nil {
		return err
	}
	_, err1 := f.WriteString("plain")
	_, err2 := f.WriteString(", and more")
	_, err3 := f.WriteAt([]byte("there"), 600)
	Mark("written")
	err = errors.Join(err1, err2, err3, f.Sync(), f.Truncate(7), syscall.Fdatasync(int(f.Fd())),
		os.Link(name("a"), name("b")), os.Rename(name("a"), name("c")), os.Remove(name("b")))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	g, err := os.OpenFile(name("c"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err1 = g.WriteString(" end")
	err2 = g.Close()
	d, err := os.Open(dir)
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	err1, err2 = d.Sync(), d.Close()
	h, err := os.Create(name("c")) // empties it
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	_, err = h.ReadFrom(io.LimitReader(from, 4)) // copied in the kernel, where that is to be had
	return errors.Join(err, from.Close(), h.Close())
}

// TestCallsAreRecorded compares what a writer did with what was recorded, and what the folder then holds with what the
// replay says.
func TestCallsAreRecorded(t *testing.T) {
	t.Parallel()
	r := &Recorder{Dir: scratch(t)}
	defer r.Close()
	if err := os.WriteFile(filepath.Join(r.Dir, "old"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Run("calls"); err != nil {
		t.Fatal(err)
	}
	var got []string
	d := newDisk()
	for i, o := range r.Trace {
		got = append(got, o.String())
		d.do(i, o)
	}
	want := []string{
		"held file 1 old", "create file 2 a", "write file 2 at 0, 5 bytes", "write file 2 at 5, 10 bytes",
		"write file 2 at 600, 5 bytes", "said written",
		"sync file 2", "truncate file 2 to 7", "sync file 2", "link a b", "rename a c", "unlink b",
		"write file 2 at 7, 4 bytes", "sync of the folder",
		"truncate file 2 to 0", "write file 2 at 0, 4 bytes",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
	for name, data := range d.contents(ruled(0)[1]) {
		if held, err := os.ReadFile(filepath.Join(r.Dir, name)); err != nil || string(held) != string(data) {
			t.Errorf("%s holds %q and should hold %q: %v", name, held, data, err)
		}
	}
}

// odd writes a file in a way that the recorder does not follow.
func odd(dir string, _ []string) error {
	f, err := os.Create(filepath.Join(dir, "mapped"))
	if err != nil {
		return err
	}
	if err := f.Truncate(4096); err != nil {
		return err
	}
	_, err = syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return err
}

// TestOddWritesAreRefused is that nothing passes by unseen.
func TestOddWritesAreRefused(t *testing.T) {
	t.Parallel()
	r := &Recorder{Dir: scratch(t)}
	defer r.Close()
	if err := r.Run("odd"); err == nil || !strings.Contains(err.Error(), "not recorded") {
		t.Errorf("a file that was mapped to be written: %v", err)
	}
}
