package throttle

import (
	"context"
	"net"

	"google.golang.org/grpc/stats"
)

// mostUnread is how many bytes of answers by gRPC one address may leave unread; beyond it its calls are refused. gRPC
// buffers a whole answer and lets the call end, whether or not its caller ever reads it. Nothing else bounds that
// buffer.
const mostUnread = 64 << 20

// Answers tells the throttle of the answers that a gRPC server makes on connections of [Throttle.Listen].
func (t *Throttle) Answers() stats.Handler { return &answers{t} }

type answers struct{ t *Throttle }

type connKey struct{}

// TagConn finds the connection again.
func (a *answers) TagConn(ctx context.Context, info *stats.ConnTagInfo) context.Context {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	return context.WithValue(ctx, connKey{}, a.t.conns[info.RemoteAddr.String()])
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
			c.share.unread += out.WireLength
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
	if c.share != nil {
		c.t.mu.Lock()
		defer c.t.mu.Unlock()
		c.sent(n)
	}
	return n, err
}

// sent counts what has been sent. Callers hold the lock.
func (c *counted) sent(n int) {
	n = min(n, c.unread)
	c.unread -= n
	c.share.unread -= n
}

// Close closes it.
func (c *counted) Close() error {
	c.leave()
	if c.share != nil {
		c.t.mu.Lock()
		c.sent(c.unread)
		c.closed = true
		delete(c.t.conns, c.RemoteAddr().String())
		c.t.mu.Unlock()
	}
	return c.Conn.Close()
}
