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
		{"2001:db8::1", true}, {"2001:db8::2", true}, {"2001:db8::3", false}, {"127.0.0.1", true}, {"127.0.0.1", true}, {"127.0.0.1", false}, {"192.0.2.1", false},
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

// TestConnections bounds the connections of an address and of all; those of a proxy count only in all.
func TestConnections(t *testing.T) {
	t.Parallel()
	th, _ := bound(func(o *throttle.Options) {
		o.Connections, o.AllConnections, o.Proxies = 1, 4, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addresses := make(chan net.Addr, 1)
	l := th.Listen(&remotes{inner, addresses})
	defer l.Close()
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
	dial := func(address string) (server net.Conn) {
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
	first := dial("192.0.2.1")
	var all []net.Conn
	for _, c := range []struct {
		address string
		want    bool
	}{{"192.0.2.1", false}, {"192.0.2.2", true}, {"10.1.1.1", true}, {"10.1.1.1", true}, {"10.1.1.1", false}, {"192.0.2.3", false}} {
		got := dial(c.address)
		if (got != nil) != c.want {
			t.Errorf("from %s: %v, want %t", c.address, got, c.want)
		}
		if got != nil {
			all = append(all, got)
		}
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
	stranger, player := from("192.0.2.1", "authorization", "Bearer x"), from("192.0.2.1", "authorization", "Bearer player")
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
		t.Error("the price of a stranger, of a player, or of a player who makes games is looked for in the wrong bucket")
	}
	c.now = c.now.Add(500 * time.Millisecond)
	if !open(stranger, "cheap") || open(stranger, "dear") {
		t.Error("half a second later there are five units")
	}
}
