package throttle_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

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
		ctx := a.TagConn(context.Background(), &stats.ConnTagInfo{RemoteAddr: c.RemoteAddr()})
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
	if _, err := th.Enter(from("127.0.0.1"), "cheap"); err == nil || !strings.Contains(err.Error(), "67108865 bytes of answers") {
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
