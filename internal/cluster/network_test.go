//go:build linux

package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// mtu is how large a packet may be, in bytes. Fewer and larger ones cost less.
const mtu = 16000

// network passes packets between namespaces. It is theirs alone, so that several networks have the same addresses.
type network struct {
	t      testing.TB
	spaces map[netip.Addr]*namespace

	// delay is how long a packet takes, in nanoseconds, and up to twice as long.
	delay atomic.Int64
	mu    sync.Mutex
	cuts  map[[2]netip.Addr]int
	rng   *rand.Rand
}

// namespace is a network namespace with one address.
type namespace struct {
	address netip.Addr
	// work is done in the namespace, on a thread that never leaves it.
	work chan func()
	// handle names the namespace for other threads.
	handle int
	tun    *os.File
	queue  chan packet
}

type packet struct {
	data []byte
	due  time.Time
}

func newNetwork(t testing.TB, seed uint64) *network {
	return &network{t: t, spaces: make(map[netip.Addr]*namespace), cuts: make(map[[2]netip.Addr]int),
		rng: rand.New(rand.NewPCG(seed, 1))}
}

// add makes a namespace. It ends with the test.
func (n *network) add(address string) *namespace {
	n.t.Helper()
	s := &namespace{address: netip.MustParseAddr(address), work: make(chan func()), queue: make(chan packet, 4096)}
	made := make(chan error)
	go s.live(made)
	if err := <-made; err != nil {
		n.t.Fatalf("cannot make a network namespace; the suite needs root, CAP_SYS_ADMIN and /dev/net/tun: %v", err)
	}
	n.mu.Lock()
	n.spaces[s.address] = s
	n.mu.Unlock()
	stopped := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { n.read(s) })
	running.Go(func() { s.write(stopped) })
	n.t.Cleanup(func() {
		close(stopped)
		_ = s.tun.Close()
		running.Wait()
		close(s.work)
		_ = unix.Close(s.handle)
	})
	return s
}

// live makes the namespace on a thread of its own and does work there. The thread ends with it.
func (s *namespace) live(made chan<- error) {
	runtime.LockOSThread()
	err := s.enterNew()
	made <- err
	if err != nil {
		return
	}
	for f := range s.work {
		f()
	}
}

func (s *namespace) enterNew() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	var err error
	if s.handle, err = unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	tun, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("/dev/net/tun: %w", err)
	}
	link, err := unix.NewIfreq("link0")
	if err != nil {
		return err
	}
	link.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(tun, unix.TUNSETIFF, link); err != nil {
		return fmt.Errorf("/dev/net/tun: %w", err)
	}
	if err := configure("link0", s.address); err != nil {
		return err
	}
	if err := configure("lo", netip.Addr{}); err != nil {
		return err
	}
	s.tun = os.NewFile(uintptr(tun), "tun")
	return nil
}

// configure gives an interface its address in a network of 256, if any, and begins to use it.
func configure(name string, address netip.Addr) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	set := func(request uint, change func(*unix.Ifreq) error) {
		ifreq, newErr := unix.NewIfreq(name)
		if err = errors.Join(err, newErr); err != nil {
			return
		}
		if err = change(ifreq); err == nil {
			err = unix.IoctlIfreq(fd, request, ifreq)
		}
	}
	if address.IsValid() {
		set(unix.SIOCSIFADDR, func(i *unix.Ifreq) error { return i.SetInet4Addr(address.AsSlice()) })
		set(unix.SIOCSIFNETMASK, func(i *unix.Ifreq) error { return i.SetInet4Addr([]byte{255, 255, 255, 0}) })
		set(unix.SIOCSIFMTU, func(i *unix.Ifreq) error { i.SetUint32(mtu); return nil })
	}
	set(unix.SIOCSIFFLAGS, func(i *unix.Ifreq) error { i.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil })
	if err != nil {
		return fmt.Errorf("interface %s: %w", name, err)
	}
	return nil
}

// do does something in the namespace.
func (s *namespace) do(f func()) {
	done := make(chan struct{})
	s.work <- func() { f(); close(done) }
	<-done
}

// dial makes a connection from the namespace.
func (s *namespace) dial(ctx context.Context, address string) (conn net.Conn, err error) {
	done := make(chan struct{})
	go func() { // on a thread that ends with it
		defer close(done)
		runtime.LockOSThread()
		if err = unix.Setns(s.handle, unix.CLONE_NEWNET); err == nil {
			conn, err = new(net.Dialer).DialContext(ctx, "tcp", address)
		}
	}()
	<-done
	return conn, err
}

// read takes what a namespace sends.
func (n *network) read(s *namespace) {
	buf := make([]byte, mtu+100)
	for {
		size, err := s.tun.Read(buf)
		if err != nil {
			return
		}
		if size < 20 || buf[0]>>4 != 4 {
			continue
		}
		from, to := netip.AddrFrom4([4]byte(buf[12:16])), netip.AddrFrom4([4]byte(buf[16:20]))
		p := packet{data: append([]byte(nil), buf[:size]...)}
		n.mu.Lock()
		there := n.spaces[to]
		cut := n.cuts[pair(from, to)] > 0
		if delay := n.delay.Load(); delay > 0 {
			p.due = time.Now().Add(time.Duration(delay + n.rng.Int64N(delay)))
		}
		n.mu.Unlock()
		if there == nil || cut {
			continue
		}
		select {
		case there.queue <- p:
		default: // the queue is full, as a switch's may be
		}
	}
}

// write gives a namespace what is for it, in order.
func (s *namespace) write(stopped <-chan struct{}) {
	for {
		select {
		case <-stopped:
			return
		case p := <-s.queue:
			if !p.due.IsZero() {
				time.Sleep(time.Until(p.due))
			}
			_, _ = s.tun.Write(p.data)
		}
	}
}

func pair(a, b netip.Addr) [2]netip.Addr {
	if b.Less(a) {
		a, b = b, a
	}
	return [2]netip.Addr{a, b}
}

// cut has nothing pass between two namespaces any more, until mend has been called as often.
func (n *network) cut(a, b *namespace) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cuts[pair(a.address, b.address)]++
}

func (n *network) mend(a, b *namespace) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cuts[pair(a.address, b.address)]--
}

// TestNetwork holds the network to what the others rest on: connections pass between namespaces, a cut is silent in
// both directions, and what was sent meanwhile arrives afterwards.
func TestNetwork(t *testing.T) {
	t.Parallel()
	wanted(t)
	n := newNetwork(t, 0)
	a, b := n.add("10.77.0.1"), n.add("10.77.0.2")
	n.delay.Store(int64(100 * time.Microsecond))
	var l net.Listener
	var err error
	b.do(func() { l, err = net.Listen("tcp", "10.77.0.2:1000") })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	there := make(chan net.Conn)
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		there <- c
	}()
	here, err := a.dial(t.Context(), "10.77.0.2:1000")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	c := <-there
	defer c.Close()
	n.cut(a, b)
	if err := binary.Write(here, binary.BigEndian, uint64(77)); err != nil {
		t.Error(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := a.dial(short, "10.77.0.2:1000"); !errors.Is(err, context.DeadlineExceeded) && !os.IsTimeout(err) {
		t.Errorf("a connection over a cut link: %v", err)
	}
	_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	var got uint64
	if err := binary.Read(c, binary.BigEndian, &got); !os.IsTimeout(err) {
		t.Errorf("got %d, %v over a cut link", got, err)
	}
	n.mend(a, b)
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if err := binary.Read(c, binary.BigEndian, &got); err != nil || got != 77 {
		t.Errorf("got %d, %v", got, err)
	}
}
