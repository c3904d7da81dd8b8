package throttle_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/stats"

	"github.com/warledger/warledger/service/throttle"
)

// TestUnreadAnswers has an address leave answers unread, which gRPC keeps for calls that have ended. Its calls are
// refused until it has read some, or closed the connection.
func TestUnreadAnswers(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) { o.Calls, o.Connections, o.CallerRate, o.AddressRate = 100, 2, 0, 0 })
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := th.Listen(inner)
	defer l.Close()
	connect := func() net.Conn {
		t.Helper()
		client, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		go func() { _, _ = io.Copy(io.Discard, client) }()
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	served := func() bool {
		leave, err := th.Enter(from("127.0.0.1"), "cheap")
		if err == nil {
			leave()
		}
		return err == nil
	}
	a := th.Answers()
	first, second := connect(), connect()
	answer := func(c net.Conn, size int) {
		ctx := a.TagConn(context.Background(), &stats.ConnTagInfo{LocalAddr: c.LocalAddr(), RemoteAddr: c.RemoteAddr()})
		a.HandleConn(ctx, &stats.ConnBegin{})
		a.HandleRPC(a.TagRPC(ctx, nil), &stats.OutPayload{WireLength: size})
		a.HandleRPC(ctx, &stats.End{})
	}
	answer(first, 40<<20)
	answer(second, 24<<20)
	if !served() {
		t.Error("64 MiB are too much")
	}
	answer(second, 1)
	if _, err := th.Enter(from("127.0.0.1"), "cheap"); err == nil ||
		!strings.Contains(err.Error(), "67108865 bytes of answers") {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := first.Write(make([]byte, 100)); err != nil || !served() {
		t.Errorf("when some is read there is no call: %v", err)
	}
	answer(first, 200)
	if served() {
		t.Error("it may leave as much again")
	}
	second.Close()
	answer(second, 1<<30) // too late: nobody will ever send it
	if !served() {
		t.Error("what lay on a connection that was closed is counted still")
	}
	first.Close()
	if n := th.Connections(); n != 0 {
		t.Errorf("%d are open", n)
	}
}

// TestUnreadAnswersByHTTP counts answers by HTTP of an address and of all.
func TestUnreadAnswersByHTTP(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Calls, o.AllUnread, o.CallerRate, o.AddressRate = 100, 100<<20, 0, 0
		o.Free, o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	refused := func(ctx context.Context) string {
		leave, err := th.Enter(ctx, "cheap")
		if err != nil {
			return err.Error()
		}
		leave()
		return ""
	}
	want := func(what string, err error, part string) {
		t.Helper()
		if got := fmt.Sprint(err); !strings.Contains(got, part) {
			t.Errorf("%s: %s, want %q", what, got, part)
		}
	}
	one, proxied, free := from("192.0.2.1"), from("10.1.1.1", "x-forwarded-for", "192.0.2.1"), from("127.0.0.1")
	first, second, third := th.Answer(one), th.Answer(proxied), th.Answer(free)
	want("40 MiB of an address", first(40<<20), "<nil>")
	want("a part of it", first(30<<20), "<nil>")
	want("64 MiB of an address", second(34<<20), "<nil>")
	want("a byte more", second(34<<20+1), "67108865 bytes of answers to this address")
	if said := refused(one); !strings.Contains(said, "67108865 bytes of answers to this address") {
		t.Errorf("a call of the address: %q", said)
	}
	if said := refused(from("192.0.2.2")) + refused(free); said != "" {
		t.Errorf("calls of others: %q", said)
	}
	want("100 MiB in all", third(36<<20-1), "<nil>")
	want("a byte more", third(36<<20), "104857601 bytes of answers are unread")
	if said := refused(from("192.0.2.2")); !strings.Contains(said, "104857601 bytes of answers are unread") {
		t.Errorf("a call of another address: %q", said)
	}
	for _, waits := range []func(int) error{first, second, third} {
		_ = waits(0)
	}
	if said := refused(one) + refused(free); said != "" || th.Unread() != 0 {
		t.Errorf("when all was read: %q, %d bytes", said, th.Unread())
	}
}

// TestBoundsOfUnreadAnswers: an address has its bound also if it may have one call alone; a free one has none.
func TestBoundsOfUnreadAnswers(t *testing.T) {
	t.Parallel()
	free := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, c := range []struct {
		from    string
		calls   int
		refused bool
	}{{"192.0.2.1", 1, true}, {"192.0.2.1", 0, false}, {"127.0.0.1", 1, false}} {
		th, _ := bound(func(o *throttle.Options) { o.Calls, o.Free = c.calls, free })
		if err := th.Answer(from(c.from))(64<<20 + 1); (err != nil) != c.refused {
			t.Errorf("from %s with %d calls: %v", c.from, c.calls, err)
		}
	}
}

// TestTwoConnectionsOfOnePort: a caller may have two connections from one port of its own, to two ports of the server,
// and end either at any time before gRPC begins with the other. The answers on each count all the same, and only as
// long as that one is open.
func TestTwoConnectionsOfOnePort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		play func(t *testing.T, connect func(to int) net.Conn, answer func(net.Conn), unread func() int)
	}{
		{"the other is closed before the first call", func(t *testing.T, connect func(int) net.Conn,
			answer func(net.Conn), unread func() int) {
			web := connect(1)
			grpc := connect(2)
			web.Close()
			answer(grpc)
			if n := unread(); n != 10 {
				t.Errorf("%d bytes are unread, want 10", n)
			}
		}},
		{"the other comes later", func(t *testing.T, connect func(int) net.Conn,
			answer func(net.Conn), unread func() int) {
			grpc := connect(2)
			connect(1)
			answer(grpc)
			grpc.Close()
			if n := unread(); n != 0 {
				t.Errorf("%d bytes are unread when the connection is closed", n)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			th, _ := bound()
			remote := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 4000}
			c.play(t, func(to int) net.Conn {
				local := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: to}
				conn, err := th.Listen(&onePort{ends{local, remote}}).Accept()
				if err != nil {
					t.Fatal(err)
				}
				return conn
			}, func(conn net.Conn) {
				a := th.Answers()
				ctx := a.TagConn(t.Context(),
					&stats.ConnTagInfo{LocalAddr: conn.LocalAddr(), RemoteAddr: conn.RemoteAddr()})
				a.HandleRPC(ctx, &stats.OutPayload{WireLength: 10})
			}, th.Unread)
		})
	}
}

// onePort accepts connections between the same two ends.
type onePort struct{ ends }

func (p *onePort) Accept() (net.Conn, error) { return &p.ends, nil }
func (p *onePort) Addr() net.Addr            { return p.local }

// ends is a connection with nobody at the other end.
type ends struct{ local, remote net.Addr }

func (*ends) Read([]byte) (int, error)         { return 0, io.EOF }
func (*ends) Write(p []byte) (int, error)      { return len(p), nil }
func (*ends) Close() error                     { return nil }
func (e *ends) LocalAddr() net.Addr            { return e.local }
func (e *ends) RemoteAddr() net.Addr           { return e.remote }
func (*ends) SetDeadline(time.Time) error      { return nil }
func (*ends) SetReadDeadline(time.Time) error  { return nil }
func (*ends) SetWriteDeadline(time.Time) error { return nil }

// TestSentIsNotUnread: a connection sends more bytes than were counted, because of frames and encryption; no more than
// those are taken off the count.
func TestSentIsNotUnread(t *testing.T) {
	t.Parallel()
	th, _ := bound()
	c := entrance(t, th)("192.0.2.1")
	defer c.Close()
	a := th.Answers()
	ctx := a.TagConn(t.Context(), &stats.ConnTagInfo{LocalAddr: c.LocalAddr(), RemoteAddr: c.RemoteAddr()})
	for i, want := range []int{10, 0, 0} {
		a.HandleRPC(ctx, &stats.OutPayload{WireLength: 50 * (1 - min(i, 1))})
		if _, err := c.Write(make([]byte, 40)); err != nil || th.Unread() != want {
			t.Errorf("after write %d: %d bytes are unread, want %d (%v)", i+1, th.Unread(), want, err)
		}
	}
}
