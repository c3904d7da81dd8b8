//go:build amd64 || arm64

package powerfail

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// call is struct seccomp_notif of Linux.
type call struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

// answer is struct seccomp_notif_resp of Linux.
type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// listen takes the filter from the writer and serves its calls until it has ended, which done tells by its end.
func (r *Recorder) listen(line, done int) error {
	if ready, err := wait(line, done); err != nil || !ready {
		return errors.Join(err, errors.New("the writer did not hand over its filter"))
	}
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(line, make([]byte, 1), control, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return fmt.Errorf("take the filter: %w", err)
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) == 0 {
		return errors.Join(err, errors.New("the writer did not hand over its filter"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return errors.Join(err, errors.New("the writer handed over no filter"))
	}
	r.listener = fds[0]
	defer unix.Close(r.listener)
	for {
		if ready, err := wait(r.listener, done); err != nil || !ready {
			return err
		}
		if err := r.next(); err != nil {
			return err
		}
		if r.killed {
			return syscall.Kill(r.pid, syscall.SIGKILL)
		}
	}
}

// wait waits until there is something to be read, or until done has ended.
func wait(fd, done int) (ready bool, err error) {
	for {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(done), Events: unix.POLLIN}}
		switch _, err := unix.Poll(fds, -1); {
		case err == unix.EINTR:
			continue
		case err != nil:
			return false, fmt.Errorf("poll: %w", err)
		}
		if fds[0].Revents&unix.POLLIN != 0 {
			return true, nil
		}
		if fds[1].Revents != 0 {
			return false, nil
		}
		// The other end of the first is gone; the second follows.
		if _, err := unix.Poll(fds[1:], -1); err != nil && err != unix.EINTR {
			return false, fmt.Errorf("poll: %w", err)
		}
	}
}

// next serves one call.
func (r *Recorder) next() error {
	var c call
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(r.listener), unix.SECCOMP_IOCTL_NOTIF_RECV,
		uintptr(unsafe.Pointer(&c))); errno != 0 {
		if errno == unix.EINTR || errno == unix.ENOENT {
			return nil // who called was killed
		}
		return fmt.Errorf("receive a call: %w", errno)
	}
	r.find()
	a, err := r.serve(&c)
	if err != nil {
		return fmt.Errorf("call %d: %w", c.nr, err)
	}
	if r.killed {
		return nil
	}
	a.id = c.id
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(r.listener), unix.SECCOMP_IOCTL_NOTIF_SEND,
		uintptr(unsafe.Pointer(&a))); errno != 0 && errno != unix.ENOENT {
		return fmt.Errorf("answer a call: %w", errno)
	}
	return nil
}

// goOn has the call carried out as if nobody had looked.
var goOn = answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}

func failed(err error) (answer, error) {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return answer{errno: -int32(errno)}, nil
	}
	return answer{}, err
}

// serve carries out a call, or lets it go on.
func (r *Recorder) serve(c *call) (answer, error) {
	switch uint32(c.nr) {
	case unix.SYS_OPENAT:
		return r.open(c)
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_UNLINKAT:
		return r.rename(c)
	case unix.SYS_WRITE:
		if c.args[0] == line {
			return r.said(c)
		}
	case unix.SYS_TRUNCATE:
		return answer{}, errors.New("a file is truncated by its name")
	case unix.SYS_SPLICE:
		c.args[0] = c.args[2] // what is written to
	case unix.SYS_MMAP:
		c.args[0] = c.args[4]
	}
	path, err := os.Readlink(fdPath(c, c.args[0]))
	if err != nil || r.name(strings.TrimSuffix(path, " (deleted)")) == "" {
		return goOn, nil
	}
	switch uint32(c.nr) {
	case unix.SYS_PWRITE64, unix.SYS_WRITE:
		return r.write(c)
	case unix.SYS_FTRUNCATE:
		return r.truncate(c)
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC:
		return r.sync(c)
	}
	return answer{}, fmt.Errorf("%s is written in a way that is not recorded", path)
}

func fdPath(c *call, fd uint64) string { return fmt.Sprintf("/proc/%d/fd/%d", c.pid, int32(fd)) }

func (r *Recorder) said(c *call) (answer, error) {
	text, err := read(c, c.args[1], c.args[2])
	if err != nil {
		return answer{}, err
	}
	r.add(Op{Kind: Said, Text: string(text)})
	return answer{value: int64(len(text))}, nil
}

// add asks about an operation and notes it. It reports whether it is to be carried out, or else the error.
func (r *Recorder) add(o Op) (errno syscall.Errno, do bool) {
	v := r.ask(o)
	if v.Kill {
		r.killed = true
		return 0, false
	}
	if o.Failed = v.Refuse != 0; o.Failed && o.Kind == Write {
		if r.refused++; r.refused%2 == 0 && len(o.Data) > sector { // as of a device that is full after some of it
			half := o
			half.Failed, half.Data = false, o.Data[:len(o.Data)/2/sector*sector]
			r.Trace = append(r.Trace, half)
		}
	}
	r.Trace = append(r.Trace, o)
	return v.Refuse, !o.Failed
}

func (r *Recorder) write(c *call) (answer, error) {
	f, err := r.file(fdPath(c, c.args[0]))
	if err != nil {
		return answer{}, err
	}
	data, err := read(c, c.args[1], c.args[2])
	if err != nil {
		return answer{}, err
	}
	at := int64(c.args[3])
	plain := uint32(c.nr) == unix.SYS_WRITE
	if plain {
		if at, err = offset(c, f.f); err != nil {
			return answer{}, err
		}
	}
	before := len(r.Trace)
	errno, do := r.add(Op{Kind: Write, File: f.number, Off: at, Data: data})
	switch {
	case r.killed:
		return answer{}, nil
	case !do:
		for _, o := range r.Trace[before:] {
			if !o.Failed {
				if _, err := f.f.WriteAt(o.Data, o.Off); err != nil {
					return answer{}, err
				}
			}
		}
		return answer{errno: -int32(errno)}, nil
	case plain:
		return goOn, nil // it also moves the place in the file
	}
	n, err := f.f.WriteAt(data, at)
	if err != nil {
		return answer{}, fmt.Errorf("write for the writer: %w", err)
	}
	return answer{value: int64(n)}, nil
}

// offset is where a write without a place goes.
func offset(c *call, f *os.File) (int64, error) {
	info, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", c.pid, int32(c.args[0])))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(info)) // pos: 0 flags: 0100002 ...
	if len(fields) < 4 {
		return 0, fmt.Errorf("a descriptor is described by %q", info)
	}
	flags, err := strconv.ParseInt(fields[3], 8, 64)
	if err != nil {
		return 0, err
	}
	if flags&unix.O_APPEND != 0 {
		size, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return size.Size(), nil
	}
	return strconv.ParseInt(fields[1], 10, 64)
}

func (r *Recorder) truncate(c *call) (answer, error) {
	f, err := r.file(fdPath(c, c.args[0]))
	if err != nil {
		return answer{}, err
	}
	errno, do := r.add(Op{Kind: Truncate, File: f.number, Off: int64(c.args[1])})
	if !do {
		return answer{errno: -int32(errno)}, nil
	}
	if err := f.f.Truncate(int64(c.args[1])); err != nil {
		return failed(err)
	}
	return answer{}, nil
}

func (r *Recorder) sync(c *call) (answer, error) {
	info, err := os.Stat(fdPath(c, c.args[0]))
	if err != nil {
		return answer{}, err
	}
	o := Op{Kind: SyncDir}
	if !info.IsDir() {
		f, err := r.file(fdPath(c, c.args[0]))
		if err != nil {
			return answer{}, err
		}
		o = Op{Kind: Sync, File: f.number}
	}
	errno, _ := r.add(o)
	return answer{errno: -int32(errno)}, nil
}

// open notes a file that is being made, and one that is emptied, and lets the call go on.
func (r *Recorder) open(c *call) (answer, error) {
	path, err := pathOf(c, c.args[0], c.args[1])
	if err != nil {
		return answer{}, err
	}
	if r.name(path) == "" {
		return goOn, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && c.args[2]&unix.O_CREAT != 0 && !slices.Contains(r.created, path):
		r.created = append(r.created, path)
	case err == nil && info.Mode().IsRegular() && c.args[2]&unix.O_TRUNC != 0:
		f, err := r.file(path)
		if err != nil {
			return answer{}, err
		}
		if errno, do := r.add(Op{Kind: Truncate, File: f.number}); !do {
			return answer{errno: -int32(errno)}, nil
		}
	}
	return goOn, nil
}

// rename changes names.
func (r *Recorder) rename(c *call) (answer, error) {
	from, err := pathOf(c, c.args[0], c.args[1])
	if err != nil {
		return answer{}, err
	}
	o := Op{Kind: Unlink, Name: r.name(from)}
	var to string
	if uint32(c.nr) != unix.SYS_UNLINKAT {
		if to, err = pathOf(c, c.args[2], c.args[3]); err != nil {
			return answer{}, err
		}
		o.Kind, o.To = Rename, r.name(to)
		if uint32(c.nr) == unix.SYS_LINKAT {
			o.Kind = Link
		}
	}
	if info, err := os.Lstat(from); o.Name == "" && o.To == "" || err != nil || !info.Mode().IsRegular() {
		return goOn, nil // elsewhere, or a folder, or an error that the writer shall see
	}
	if o.Name == "" || o.Kind != Unlink && o.To == "" {
		return answer{}, fmt.Errorf("a file moves in or out of the folder: %s to %s", from, to)
	}
	if v := r.ask(o); v.Kill || v.Refuse != 0 {
		r.killed = v.Kill
		return answer{errno: -int32(v.Refuse)}, nil
	}
	switch o.Kind {
	case Unlink:
		err = os.Remove(from)
	case Link:
		err = os.Link(from, to)
	default:
		err = os.Rename(from, to)
	}
	if err != nil {
		return failed(err)
	}
	r.Trace = append(r.Trace, o)
	return answer{}, nil
}

// pathOf is the path that a call names.
func pathOf(c *call, dirfd, at uint64) (string, error) {
	var path []byte
	for len(path) < unix.PathMax {
		step := 256 - (at+uint64(len(path)))%256 // not over the end of a page that may be the last
		b, err := read(c, at+uint64(len(path)), step)
		if err != nil {
			return "", err
		}
		if end := bytes.IndexByte(b, 0); end >= 0 {
			path = append(path, b[:end]...)
			break
		}
		path = append(path, b...)
	}
	if filepath.IsAbs(string(path)) {
		return filepath.Clean(string(path)), nil
	}
	base := fmt.Sprintf("/proc/%d/cwd", c.pid)
	if int32(dirfd) != unix.AT_FDCWD {
		base = fdPath(c, dirfd)
	}
	base, err := os.Readlink(base)
	return filepath.Join(base, string(path)), err
}

// read reads the writer's memory.
func read(c *call, at, n uint64) ([]byte, error) {
	b := make([]byte, n)
	for got := 0; got < len(b); {
		local := []unix.Iovec{{Base: &b[got]}}
		local[0].SetLen(len(b) - got)
		remote := []unix.RemoteIovec{{Base: uintptr(at) + uintptr(got), Len: len(b) - got}}
		m, err := unix.ProcessVMReadv(int(c.pid), local, remote, 0)
		if err != nil || m == 0 {
			return nil,
				fmt.Errorf("read the writer's memory: %w", errors.Join(err, fmt.Errorf("%d of %d bytes", got, n)))
		}
		got += m
	}
	return b, nil
}
