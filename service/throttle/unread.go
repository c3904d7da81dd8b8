package throttle

import (
	"context"
	"net"

	"google.golang.org/grpc/stats"

	"github.com/warledger/warledger/service/fault"
)

// mostUnread is how many bytes of answers one address may leave unread; beyond it its calls are refused. gRPC buffers a
// whole answer and lets the call end, whether or not its caller ever reads it; by HTTP a call holds its answer until it
// is sent. Nothing else bounds these buffers.
const mostUnread = 64 << 20

// Answer returns a function to count an answer by HTTP to the caller of ctx: waits says how many bytes of it lie in
// memory now, instead of those said before, and 0 at the end. It returns an error if too many bytes of answers are
// unread; they count all the same until waits is told otherwise.
func (t *Throttle) Answer(ctx context.Context) (waits func(bytes int) error) {
	var s *share
	from, bounded := t.caller(ctx)
	held := 0
	return func(bytes int) error {
		t.mu.Lock()
		defer t.mu.Unlock()
		if s == nil && bounded && t.o.Calls > 0 {
			s = t.share(addressKey(from))
		}
		t.leave(s, bytes-held)
		held = bytes
		return t.tooMuchUnread(s)
	}
}

// leave counts bytes that are left unread, by an address or by one without a bound, or that are sent if bytes is
// negative. Callers hold the lock.
func (t *Throttle) leave(s *share, bytes int) {
	t.unread += bytes
	if s != nil {
		s.unread += bytes
	}
}

// tooMuchUnread returns an error if an address or all of them leave too much unread. Callers hold the lock.
func (t *Throttle) tooMuchUnread(s *share) error {
	switch {
	case s != nil && s.unread > mostUnread:
		return fault.New(fault.TooManyCalls, "%d bytes of answers to this address are unread", s.unread).
			With("limit", mostUnread).Quota("unread answers of one address")
	case t.o.AllUnread > 0 && t.unread > t.o.AllUnread:
		return fault.New(fault.TooManyCalls, "%d bytes of answers are unread", t.unread).
			With("limit", t.o.AllUnread).Quota("unread answers")
	}
	return nil
}

// Unread is how many bytes of answers are not sent yet.
func (t *Throttle) Unread() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unread
}

// Answers tells the throttle of the answers that a gRPC server makes on connections of [Throttle.Listen].
func (t *Throttle) Answers() stats.Handler { return &answers{t} }

type answers struct{ t *Throttle }

type connKey struct{}

// TagConn finds the connection again.
func (a *answers) TagConn(ctx context.Context, info *stats.ConnTagInfo) context.Context {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	return context.WithValue(ctx, connKey{}, a.t.conns[bothEnds(info.LocalAddr, info.RemoteAddr)])
}

// TagRPC changes nothing.
func (a *answers) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleConn wants nothing.
func (a *answers) HandleConn(context.Context, stats.ConnStats) {}

// HandleRPC counts what is to be sent.
func (a *answers) HandleRPC(ctx context.Context, s stats.RPCStats) {
	out, ok := s.(*stats.OutPayload)
	if !ok {
		return
	}
	if c, ok := ctx.Value(connKey{}).(*counted); ok && c != nil {
		a.t.mu.Lock()
		defer a.t.mu.Unlock()
		if !c.closed {
			c.unread += out.WireLength
			a.t.leave(c.share, out.WireLength)
		}
	}
}

// counted is a connection that reports when it is closed, and how much of its answers was sent.
type counted struct {
	net.Conn
	t     *Throttle
	leave func()
	// share is nil for a connection without a bound by address. The throttle's lock guards the fields below.
	share  *share
	unread int
	closed bool
}

// Write sends. Frames and encryption add to the bytes that were counted, so a connection counts as having sent a
// little more than it has, never less.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	c.sent(n)
	return n, err
}

// sent counts what has been sent. Callers hold the lock.
func (c *counted) sent(n int) {
	n = min(n, c.unread)
	c.unread -= n
	c.t.leave(c.share, -n)
}

// Close closes it.
func (c *counted) Close() error {
	c.leave()
	c.t.mu.Lock()
	c.sent(c.unread)
	c.closed = true
	if name := bothEnds(c.LocalAddr(), c.RemoteAddr()); c.t.conns[name] == c {
		delete(c.t.conns, name)
	}
	c.t.mu.Unlock()
	return c.Conn.Close()
}
