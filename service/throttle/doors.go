package throttle

import (
	"context"
	"net"
	"net/netip"
	"sync"

	"github.com/warledger/warledger/service/fault"
)

// Enter takes a place for a call whose headers have come and whose body has not: what calls hold in memory is bounded by how many there are. Call
// leave, once or more, when the call has ended or, if it stays open, when its request has come.
func (t *Throttle) Enter(ctx context.Context) (leave func(), err error) {
	from, bounded := t.caller(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.o.AllCalls > 0 && t.calls >= t.o.AllCalls {
		t.turned++
		return nil, tooManyCalls(t.o.AllCalls, "calls")
	}
	var s *share
	if bounded && t.o.Calls > 0 {
		s = t.share(addressKey(from))
		if s.calls >= t.o.Calls {
			t.turned++
			return nil, tooManyCalls(t.o.Calls, "calls of one address")
		}
		s.calls++
	}
	t.calls++
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls--
		if s != nil {
			s.calls--
		}
	}), nil
}

func tooManyCalls(limit int, quota string) error {
	return fault.New(fault.TooManyCalls, "%d calls are under way", limit).With("limit", limit).Quota(quota)
}

// Calls is how many calls are under way.
func (t *Throttle) Calls() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls
}

// Connections is how many connections are open that came through [Throttle.Listen].
func (t *Throttle) Connections() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.connections
}

// Known is how many addresses and checked tokens are remembered.
func (t *Throttle) Known() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.known)
}

// TurnedAway is how many calls and connections found no place.
func (t *Throttle) TurnedAway() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turned
}

// Listen bounds the connections of a listener: one too many is closed at once, before a byte of it is read. Those of proxies that are believed count
// in all and not by their address, which is that of everybody behind them.
func (t *Throttle) Listen(l net.Listener) net.Listener { return &door{Listener: l, t: t} }

type door struct {
	net.Listener
	t *Throttle
}

// Accept waits for a connection that there is room for.
func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if leave, ok := d.t.connect(c.RemoteAddr()); ok {
			return &counted{Conn: c, leave: leave}, nil
		}
		_ = c.Close() // there is nobody to tell
	}
}

// connect counts a connection if there is room for it.
func (t *Throttle) connect(remote net.Addr) (leave func(), ok bool) {
	var from netip.Addr
	if tcp, is := remote.(*net.TCPAddr); is {
		from = tcp.AddrPort().Addr().Unmap()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.o.AllConnections > 0 && t.connections >= t.o.AllConnections {
		t.turned++
		return nil, false
	}
	var s *share
	if from.IsValid() && t.o.Connections > 0 && !within(from, t.o.Free) && !within(from, t.o.Proxies) {
		s = t.share(addressKey(from))
		if s.connections >= t.o.Connections {
			t.turned++
			return nil, false
		}
		s.connections++
	}
	t.connections++
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.connections--
		if s != nil {
			s.connections--
		}
	}), true
}

// counted is a connection that says when it is closed.
type counted struct {
	net.Conn
	leave func()
}

// Close closes it.
func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}
