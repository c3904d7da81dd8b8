//go:build amd64 || arm64

package powerfail

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// writerEnv names the environment variable that makes a test's program a writer. It holds the name of the writer, with
// arguments, separated by newlines; a plus in front of it says that the filter is to be put in place first.
const writerEnv = "WARLEDGER_TEST_POWER_WRITER"

// line is the descriptor over which a writer sends its filter, and later what it says, to the recorder.
const line = 3

// Writers runs the writer for which a [Recorder] started this process; it does not return then. A test's program calls
// it first in TestMain.
func Writers(writers map[string]func(dir string, args []string) error) {
	what, ok := os.LookupEnv(writerEnv)
	if !ok {
		return
	}
	err := error(nil)
	if rest, ok := strings.CutPrefix(what, "+"); ok {
		err = filtered(rest)
	} else if words := strings.Split(what, "\n"); writers[words[0]] == nil {
		err = fmt.Errorf("there is no writer %q", words[0])
	} else {
		err = writers[words[0]](words[1], words[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Mark notes something in the trace, after all that this writer has done so far.
func Mark(format string, args ...any) {
	text := fmt.Appendf(nil, format, args...)
	for {
		_, err := syscall.Write(line, text)
		if err == nil {
			return
		}
		if err != syscall.EINTR {
			panic(fmt.Sprintf("the recorder does not listen: %v", err))
		}
	}
}

// filtered installs the filter, sends it to the recorder, and starts the program again, so that all its threads are
// under it.
func filtered(what string) error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	code := filter()
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	listener, err := install(&program)
	if err != nil {
		return err
	}
	if err := unix.Sendmsg(line, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
		return fmt.Errorf("hand over the filter: %w", err)
	}
	// A signal, such as one that preempts, would begin a call anew where the kernel does not know the first of the
	// flags above.
	if err := errors.Join(os.Setenv(writerEnv, what), os.Setenv("GODEBUG", "asyncpreemptoff=1")); err != nil {
		return err
	}
	return syscall.Exec("/proc/self/exe", os.Args[:1], os.Environ())
}

func install(program *unix.SockFprog) (listener int, err error) {
	// Where the kernel knows it, only a signal that kills interrupts a call that the recorder has received.
	for _, flags := range []uintptr{unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER} {
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
			uintptr(unsafe.Pointer(program)))
		if errno == 0 {
			return int(fd), nil
		}
		err = errno
	}
	return 0,
		fmt.Errorf("record calls by seccomp, for which Linux 5.5 or newer is needed, with leave to use it: %w", err)
}

// filter lets all calls through except those that change files or make them durable. It hides from the writer calls
// that the recorder cannot follow and for which the standard library has others.
func filter() []unix.SockFilter {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		anyBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ret    = unix.BPF_RET | unix.BPF_K
	)
	arg := func(n int) uint32 { return uint32(16 + 8*n + low) }
	code := []unix.SockFilter{{Code: load}}
	add := func(lines ...unix.SockFilter) { code = append(code, lines...) }
	for _, nr := range noted {
		add(unix.SockFilter{Code: equal, K: nr, Jf: 1}, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	for _, nr := range absent {
		add(unix.SockFilter{Code: equal, K: nr, Jf: 1},
			unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)})
	}
	add(
		unix.SockFilter{Code: equal, K: unix.SYS_OPENAT, Jf: 3},
		unix.SockFilter{Code: load, K: arg(2)},
		unix.SockFilter{Code: anyBit, K: unix.O_CREAT | unix.O_TRUNC, Jf: 6},
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_USER_NOTIF},
		unix.SockFilter{Code: equal, K: unix.SYS_MMAP, Jf: 4},
		unix.SockFilter{Code: load, K: arg(2)},
		unix.SockFilter{Code: anyBit, K: unix.PROT_WRITE, Jf: 2},
		unix.SockFilter{Code: load, K: arg(3)},
		unix.SockFilter{Code: anyBit, K: unix.MAP_SHARED, Jt: 1},
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_USER_NOTIF},
	)
	return code
}

// noted are the calls that the recorder carries out, or examines and lets go on. It refuses to record a writer that
// uses one of the last row on a file.
var noted = []uint32{
	unix.SYS_PWRITE64, unix.SYS_WRITE, unix.SYS_FTRUNCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
	unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_UNLINKAT,
	unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_TRUNCATE, unix.SYS_SENDFILE, unix.SYS_SPLICE,
	unix.SYS_FALLOCATE,
}

// absent are calls for which the standard library, or bbolt, has others.
var absent = []uint32{unix.SYS_COPY_FILE_RANGE, unix.SYS_OPENAT2, unix.SYS_IO_URING_SETUP, unix.SYS_SYNC_FILE_RANGE}

// low is the place of the lower half of an argument.
var low = func() int {
	n := uint16(1)
	if *(*byte)(unsafe.Pointer(&n)) == 1 {
		return 0
	}
	return 4
}()
