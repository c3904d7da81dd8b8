package throttle

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/warledger/warledger/service/fault"
)

// Enter takes a place for a call whose headers have come and whose body has not: the number of calls bounds their
// memory. It refuses what [Throttle.Admit] would refuse at this moment, before anybody reads megabytes for it. It
// takes one unit for a request without a price. Call leave, once or more, when the call has ended or, for a call that
// stays open, when its request has come.
func (t *Throttle) Enter(ctx context.Context, method string) (leave func(), err error) {
	from, bounded := t.caller(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if bounded {
		if err := t.afford(ctx, from, method); err != nil {
			t.turned++
			return nil, err
		}
	}
	var s *share
	if bounded && t.o.Calls > 0 {
		s = t.share(addressKey(from))
	}
	if err := t.roomForCall(s); err != nil {
		t.turned++
		return nil, err
	}
	t.calls++
	if s != nil {
		s.calls++
	}
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls--
		if s != nil {
			s.calls--
		}
	}), nil
}

// roomForCall returns an error if there is no place for a call more, of an address or of one without a bound. Callers
// hold the lock.
func (t *Throttle) roomForCall(s *share) error {
	switch {
	case t.o.AllCalls > 0 && t.calls >= t.o.AllCalls:
		return tooManyCalls(t.o.AllCalls, "calls")
	case s != nil && s.calls >= t.o.Calls:
		return tooManyCalls(t.o.Calls, "calls of one address")
	}
	return t.tooMuchUnread(s)
}

// afford checks that the buckets hold a call's price, and takes one unit for a request without a price. Callers hold
// the lock.
func (t *Throttle) afford(ctx context.Context, from netip.Addr, method string) error {
	cost, now := t.o.Cost(method), t.o.Clock()
	address := t.share(addressKey(from))
	caller := address
	if checked := t.checked(ctx); checked != nil && !cost.Stranger {
		caller = checked
	}
	units := max(1, cost.Units)
	if err := address.lacks(address.all, t.o.AddressRate, units, now); err != nil {
		return err
	}
	if err := caller.lacks(caller.own, t.o.CallerRate, units, now); err != nil {
		return err
	}
	if cost.Units == 0 {
		address.owe(&address.all, t.o.AddressRate, t.o.Burst, 1, now)
		caller.owe(&caller.own, t.o.CallerRate, t.o.Burst, 1, now)
	}
	return nil
}

// lacks returns an error with the time to wait if a bucket has too few units now. Callers hold the lock.
func (*share) lacks(b *rate.Limiter, perSecond float64, units int, now time.Time) error {
	if perSecond <= 0 || b == nil {
		return nil
	}
	missing := float64(min(units, b.Burst())) - b.TokensAt(now)
	if missing <= 0 {
		return nil
	}
	return tooMuch(perSecond, time.Duration(missing/perSecond*float64(time.Second)))
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

// TurnedAway is how many calls and connections were refused at the door.
func (t *Throttle) TurnedAway() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turned
}

// Listen bounds the connections of a listener: one too many is closed at once, before a byte of it is read.
// Connections of trusted proxies count in all but not by address, because many callers share that address.
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
		if leave, of, ok := d.t.connect(c.RemoteAddr()); ok {
			return d.t.follow(&counted{Conn: c, t: d.t, leave: leave, share: of}), nil
		}
		_ = c.Close() // there is nobody to tell
	}
}

// follow remembers a connection whose answers are to be counted.
func (t *Throttle) follow(c *counted) net.Conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conns[bothEnds(c.LocalAddr(), c.RemoteAddr())] = c
	return c
}

// bothEnds names a connection. A caller may connect from one port of its own to several ports of the server.
func bothEnds(local, remote net.Addr) string { return local.String() + " " + remote.String() }

// connect counts a connection if there is room for it. of is the share of its address, nil if the address has no
// bound.
func (t *Throttle) connect(remote net.Addr) (leave func(), of *share, ok bool) {
	var from netip.Addr
	if tcp, is := remote.(*net.TCPAddr); is {
		from = tcp.AddrPort().Addr().Unmap()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.o.AllConnections > 0 && t.connections >= t.o.AllConnections {
		t.turned++
		return nil, nil, false
	}
	var s *share
	if from.IsValid() && t.o.Connections > 0 && !within(from, t.o.Free) && !within(from, t.o.Proxies) {
		s = t.share(addressKey(from))
		if s.connections >= t.o.Connections {
			t.turned++
			return nil, nil, false
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
	}), s, true
}
