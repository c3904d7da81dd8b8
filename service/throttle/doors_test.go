package throttle_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/throttle"
)

// TestCallsUnderWay bounds the calls of an address and of all, from their headers on.
func TestCallsUnderWay(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Calls, o.AllCalls, o.Free = 2, 4, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	enter := func(address string) (func(), bool) {
		t.Helper()
		leave, err := th.Enter(from(address, "authorization", "Bearer x"), "cheap")
		var refused *fault.Error
		if err != nil && (!errors.As(err, &refused) || refused.Reason != fault.TooManyCalls) {
			t.Fatal(err)
		}
		return leave, err == nil
	}
	var leaves []func()
	for i, c := range []struct {
		address string
		want    bool
	}{
		{"2001:db8::1", true}, {"2001:db8::2", true}, {"2001:db8::3", false}, {"127.0.0.1", true}, {"127.0.0.1", true},
		{"127.0.0.1", false}, {"192.0.2.1", false},
	} {
		leave, ok := enter(c.address)
		if ok != c.want {
			t.Errorf("call %d, from %s: %t, want %t", i, c.address, ok, c.want)
		}
		if ok {
			leaves = append(leaves, leave)
		}
	}
	if th.Calls() != 4 || th.TurnedAway() != 3 {
		t.Errorf("%d are under way and %d were turned away", th.Calls(), th.TurnedAway())
	}
	for _, leave := range leaves {
		leave()
		leave() // once is enough
	}
	if _, ok := enter("2001:db8::4"); !ok || th.Calls() != 1 {
		t.Errorf("when all have ended: %t, %d", ok, th.Calls())
	}
}

// remotes is a listener whose connections come from where the test says.
type remotes struct {
	net.Listener
	from chan net.Addr
}

func (r *remotes) Accept() (net.Conn, error) {
	c, err := r.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &remote{c, <-r.from}, nil
}

type remote struct {
	net.Conn
	from net.Addr
}

func (r *remote) RemoteAddr() net.Addr { return r.from }

// entrance listens, and returns a function that connects from an address: it returns the server's end, or nil if the
// server has closed the connection.
func entrance(t *testing.T, th *throttle.Throttle) (dial func(address string) net.Conn) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addresses := make(chan net.Addr, 1)
	l := th.Listen(&remotes{inner, addresses})
	t.Cleanup(func() { l.Close() })
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	return func(address string) (server net.Conn) {
		t.Helper()
		client, err := new(net.Dialer).DialContext(context.Background(), "tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		addresses <- &net.TCPAddr{IP: net.ParseIP(address), Port: 9}
		closed := make(chan struct{})
		go func() {
			_, _ = io.ReadAll(client)
			client.Close()
			close(closed)
		}()
		select {
		case c := <-accepted:
			return c
		case <-closed:
			return nil
		}
	}
}

// TestConnections bounds the connections of an address and of all; those of a proxy count only in all.
func TestConnections(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Connections, o.AllConnections, o.Proxies = 1, 4, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	dial := entrance(t, th)
	first := dial("192.0.2.1")
	var all []net.Conn
	for _, c := range []struct {
		address string
		want    bool
	}{
		{"192.0.2.1", false}, {"192.0.2.2", true}, {"10.1.1.1", true}, {"10.1.1.1", true}, {"10.1.1.1", false},
		{"192.0.2.3", false},
	} {
		got := dial(c.address)
		if (got != nil) != c.want {
			t.Errorf("from %s: %v, want %t", c.address, got, c.want)
		}
		if got != nil {
			all = append(all, got)
		}
	}
	if n := th.TurnedAway(); n != 3 {
		t.Errorf("%d were turned away, want 3", n)
	}
	first.Close()
	first.Close() // once is enough
	if again := dial("192.0.2.1"); again == nil || th.Connections() != 4 {
		t.Errorf("after it was closed: %v, %d are open", again, th.Connections())
	} else {
		all = append(all, again)
	}
	for _, c := range all {
		c.Close()
	}
}

// TestNoBodiesForNothing: the door refuses what would be refused once its body was read, and counts requests without a
// price.
func TestNoBodiesForNothing(t *testing.T) {
	t.Parallel()
	th, c := bound()
	stranger, player := from("192.0.2.1", "authorization", "Bearer x"),
		from("192.0.2.1", "authorization", "Bearer player")
	th.Checked(player, "", true)
	open := func(ctx context.Context, method string) bool {
		leave, err := th.Enter(ctx, method)
		if err == nil {
			leave()
		}
		return err == nil
	}
	for range 5 {
		if !open(stranger, "dear") { // it takes nothing: that is for when the call begins
			t.Fatal("a call is refused that has its price")
		}
	}
	for i := range 11 {
		if got := open(stranger, "/index.html"); got != (i < 10) {
			t.Errorf("page %d: %t", i, got)
		}
	}
	if open(stranger, "cheap") || !open(player, "dear") || open(player, "create") {
		t.Error(
			"the price of a stranger, of a player, or of a player who makes games is looked for in the wrong bucket",
		)
	}
	c.now = c.now.Add(500 * time.Millisecond)
	if !open(stranger, "cheap") || open(stranger, "dear") {
		t.Error("half a second later there are five units")
	}
}

// TestPagesCountByAddress: requests without a price take units of their address, whoever makes them.
func TestPagesCountByAddress(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) { o.CallerRate, o.AddressRate = 0, 10 })
	for i := range 11 {
		leave, err := th.Enter(from("192.0.2.1"), "/index.html")
		if (err == nil) != (i < 10) {
			t.Errorf("page %d: %v", i, err)
		}
		if err == nil {
			leave()
		}
	}
}

// TestBoundsOfConnections: 0 is no bound for the connections of an address or of all, and 1 is one.
func TestBoundsOfConnections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ each, all, want int }{{0, 0, 3}, {1, 0, 1}, {0, 1, 1}, {2, 0, 2}, {0, 2, 2}} {
		th, _ := bound(func(o *throttle.Options) { o.Connections, o.AllConnections = c.each, c.all })
		dial := entrance(t, th)
		for range 3 {
			if got := dial("192.0.2.1"); got != nil {
				defer got.Close()
			}
		}
		if n := th.Connections(); n != c.want || th.TurnedAway() != 3-c.want {
			t.Errorf("%d for an address, %d in all: %d of 3 are open, %d were turned away",
				c.each, c.all, n, th.TurnedAway())
		}
	}
}

// TestWhoHasSomethingOpenIsRemembered: an address is not forgotten as long as it has a watch, a call, a connection or
// an answer that it has not read.
func TestWhoHasSomethingOpenIsRemembered(t *testing.T) {
	t.Parallel()
	ctx := from("192.0.2.1")
	type opener func(th *throttle.Throttle, dial func(string) net.Conn) (end func())
	watch := func(th *throttle.Throttle, _ func(string) net.Conn) func() {
		end, err := th.Admit(ctx, "watch")
		if err != nil {
			t.Error(err)
		}
		return end
	}
	call := func(th *throttle.Throttle, _ func(string) net.Conn) func() {
		end, err := th.Enter(ctx, "cheap")
		if err != nil {
			t.Error(err)
		}
		return end
	}
	connection := func(_ *throttle.Throttle, dial func(string) net.Conn) func() {
		c := dial("192.0.2.1")
		return func() { c.Close() }
	}
	answer := func(th *throttle.Throttle, _ func(string) net.Conn) func() {
		waits := th.Answer(ctx)
		_ = waits(1)
		return func() { _ = waits(0) }
	}
	for name, open := range map[string][]opener{
		"a watch": {watch}, "a call": {call}, "a connection": {connection}, "an answer": {answer},
		"a watch and a call": {watch, call}, "a call and a connection": {call, connection},
		"a connection and an answer": {connection, answer},
	} {
		th, c := bound(func(o *throttle.Options) { o.Calls, o.Connections = 5, 5 })
		dial := entrance(t, th)
		var ends []func()
		for _, o := range open {
			ends = append(ends, o(th, dial))
		}
		known := func() int { // a minute later, when another address calls
			c.now = c.now.Add(time.Minute)
			admitted(t, th, "cheap", 1, always(from("192.0.2.2")))
			return th.Known()
		}
		if n := known(); n != 2 {
			t.Errorf("%s: %d are remembered, want 2", name, n)
		}
		for _, end := range ends {
			end()
		}
		if n := known(); n != 1 {
			t.Errorf("%s, when it has ended: %d are remembered, want 1", name, n)
		}
	}
}
