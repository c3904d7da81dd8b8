package server_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// TestCallsComeWithoutPings has a client make calls one after the other, as a player does: the server sends it
// settings, headers, data and the like, but measures the connection by no ping, which would cost packets and wake-ups
// both ways with each command.
func TestCallsComeWithoutPings(t *testing.T) {
	t.Parallel()
	r := start(t)
	frames := new(frameCount)
	conn, err := grpc.NewClient(r.conn.Target(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		// so that the client sends none to be answered
		grpc.WithStaticStreamWindowSize(1<<20), grpc.WithStaticConnWindowSize(1<<20),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			return &countedConn{Conn: c, count: frames}, err
		}))
	must(t, err)
	defer conn.Close()
	const calls = 20
	for range calls {
		if _, err := v1.NewCatalogServiceClient(conn).ListRulesets(context.Background(),
			&v1.ListRulesetsRequest{LanguageCode: "en"}); err != nil {
			t.Fatal(err)
		}
	}
	const data, ping = 0, 6 // RFC 9113, section 6
	if got := frames.of[data].Load(); got < calls {
		t.Errorf("the server sent %d frames of data, expected one for each of %d calls", got, calls)
	}
	if got := frames.of[ping].Load(); got != 0 {
		t.Errorf("the server sent %d pings in %d calls", got, calls)
	}
}

// frameCount counts the frames of an HTTP/2 connection by type.
type frameCount struct{ of [256]atomic.Int64 }

// countedConn counts what is read. There is one reader.
type countedConn struct {
	net.Conn
	count *frameCount
	head  []byte // of the frame that has begun to come
	rest  int    // of its contents
}

// Read reads and counts.
func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for _, x := range b[:n] {
		if c.rest > 0 {
			c.rest--
			continue
		}
		if c.head = append(c.head, x); len(c.head) == 9 {
			c.count.of[c.head[3]].Add(1)
			c.rest, c.head = int(c.head[0])<<16|int(c.head[1])<<8|int(c.head[2]), c.head[:0]
		}
	}
	return n, err
}
