package storetest

import (
	"os"
	"syscall"
	"testing"
)

// StandIn makes the file's descriptor that of another file, such as /dev/full, until restore is called: whoever writes
// to it has real trouble. A file other than a full device can then only be read.
func StandIn(t testing.TB, file *os.File, path string) (restore func()) {
	t.Helper()
	fd := int(file.Fd())
	saved, err := syscall.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	flag := os.O_RDONLY
	if path == "/dev/full" {
		flag = os.O_RDWR
	}
	stand, err := os.OpenFile(path, flag, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stand.Close()
	if err := syscall.Dup3(int(stand.Fd()), fd, syscall.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Dup3(saved, fd, syscall.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Close(saved)
	}
}
