package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/warledger/warledger/service/server"
)

// hung is when a test gives up on a connection: later than any of the short times that the tests set.
const hung = time.Minute

// never is a time that no test lives to see.
const never = time.Hour

// impatient sets times; those that a test leaves out never come, so that only what it sets can end a connection.
func impatient(p server.Patience) func(*server.Options) {
	for _, d := range []*time.Duration{&p.Header, &p.Body, &p.Answer, &p.Idle, &p.Ping, &p.Pong} {
		if *d == 0 {
			*d = never
		}
	}
	return func(o *server.Options) { o.Patience = p }
}

// ports are the addresses that a stranger can connect to.
func (r *running) ports() map[string]string {
	return map[string]string{"gRPC": r.conn.Target(), "web": strings.TrimPrefix(r.web, "http://"),
		"operations": strings.TrimPrefix(r.ops, "http://")}
}

// dial connects, and closes the connection at the end of the test.
func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(hung)))
	return conn
}

// ended waits until the server ends a connection, and returns what it sent before.
func ended(t *testing.T, what string, conn net.Conn) string {
	t.Helper()
	said, err := io.ReadAll(conn)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		t.Errorf("%s: the connection is open still, after %.300q", what, said)
	}
	return string(said)
}

// many is how many connections a stranger opens for each way to hold one.
const many = 20

// TestBodiesEndByHTTP1 has strangers send only one byte of a body, with every kind of request. Each is answered or
// not, and its connection is closed.
func TestBodiesEndByHTTP1(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Body: 50 * time.Millisecond}))
	asks := []struct{ port, line, kind string }{
		{"web", "POST /warledger.v1.GameService/ListGames", "application/json"},
		{"web", "POST /warledger.v1.GameService/ListGames", "application/proto"},
		{"web", "POST /warledger.v1.GameService/ListGames", "application/grpc-web+proto"},
		{"web", "POST /warledger.v1.GameService/ListGames", "text/plain"}, // no protocol's: nobody reads the body
		{"web", "POST /warledger.v1.GameService/WatchGame", "application/connect+json"},
		{"web", "POST /warledger.v1.GameService/WatchGame", "application/grpc-web+json"},
		{"web", "POST /no/such/call", "application/json"},
		{"web", "OPTIONS /warledger.v1.GameService/ListGames", "application/json"},
		{"operations", "POST /grpc.health.v1.Health/Check", "application/json"},
		{"operations", "POST /grpc.channelz.v1.Channelz/GetServers", "application/grpc-web+proto"},
		{"operations", "GET /metrics", "text/plain"},
		{"operations", "GET /healthz", "text/plain"},
		{"operations", "POST /debug/pprof/symbol", "text/plain"},
	}
	ports := r.ports()
	for _, body := range []string{"Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
		for _, a := range asks {
			var conns []net.Conn
			for range many {
				conn := dial(t, ports[a.port])
				_, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%s",
					a.line, a.kind, body)
				must(t, err)
				conns = append(conns, conn)
			}
			for _, conn := range conns {
				ended(t, a.port+" "+a.line+" "+a.kind, conn)
			}
		}
	}
}

// TestLateBodyIsAnswered: a caller whose body takes too long is told so, and that the connection is closed.
func TestLateBodyIsAnswered(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Body: 50 * time.Millisecond}))
	conn := dial(t, r.ports()["web"])
	_, err := fmt.Fprintf(conn, "POST /warledger.v1.GameService/ListGames HTTP/1.1\r\nHost: "+
		"localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
	must(t, err)
	said := ended(t, "a late body", conn)
	if !strings.HasPrefix(said, "HTTP/1.1 ") || strings.HasPrefix(said, "HTTP/1.1 200") ||
		!strings.Contains(said, "Connection: close") || !strings.Contains(said, `"code"`) {
		t.Errorf("it was told %q", said)
	}
}

// TestHeadersEnd has strangers begin a request, or a handshake, and not go on.
func TestHeadersEnd(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Header: 50 * time.Millisecond}))
	for port, address := range r.ports() {
		for _, begun := range []string{"", "G", "POST /warledger.v1.GameService/ListGames HTTP/1.1\r\nHost: local",
			http2.ClientPreface[:20]} {
			conn := dial(t, address)
			_, err := conn.Write([]byte(begun))
			must(t, err)
			ended(t, fmt.Sprintf("%s after %q", port, begun), conn)
		}
	}
}

// TestIdleConnectionsEnd has strangers finish a request, or only the handshake of HTTP/2, and then keep the connection.
func TestIdleConnectionsEnd(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Idle: 50 * time.Millisecond}))
	for port, address := range r.ports() {
		conn, _ := dialHTTP2(t, address)
		ended(t, port+" by HTTP/2", conn)
		if port == "gRPC" {
			continue
		}
		conn = dial(t, address)
		_, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
		must(t, err)
		ended(t, port+" by HTTP/1.1", conn)
	}
}

// dialHTTP2 connects by HTTP/2 without TLS, with the windows at their beginnings.
func dialHTTP2(t *testing.T, address string) (net.Conn, *http2.Framer) {
	t.Helper()
	conn := dial(t, address)
	_, err := conn.Write([]byte(http2.ClientPreface))
	must(t, err)
	framer := http2.NewFramer(conn, conn)
	must(t, framer.WriteSettings())
	return conn, framer
}

// call begins a call on a stream.
func call(t *testing.T, framer *http2.Framer, stream uint32, path, kind string, done bool) {
	t.Helper()
	var block bytes.Buffer
	enc := hpack.NewEncoder(&block)
	for _, f := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":authority", "localhost"}, {":path", path}, {"content-type", kind},
		{"te", "trailers"},
	} {
		must(t, enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}))
	}
	must(t, framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: done,
	}))
}

// TestBodiesEndByHTTP2 has strangers send one byte of a message on many streams of a connection on each port. Each
// stream ends, and the connection still answers.
func TestBodiesEndByHTTP2(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Body: 50 * time.Millisecond}))
	ports := r.ports()
	for _, a := range []struct{ port, path, kind string }{
		{"gRPC", "/warledger.v1.GameService/ListGames", "application/grpc"},
		{"gRPC", "/warledger.v1.GameService/WatchGame", "application/grpc"},
		{"gRPC", "/grpc.health.v1.Health/Watch", "application/grpc"},
		{"gRPC", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "application/grpc"},
		{"gRPC", "/no.such.Service/Call", "application/grpc"},
		{"web", "/warledger.v1.GameService/ListGames", "application/grpc"},
		{"web", "/warledger.v1.GameService/WatchGame", "application/grpc"},
		{"web", "/warledger.v1.GameService/ListGames", "application/json"},
		{"web", "/warledger.v1.GameService/WatchGame", "application/connect+proto"},
		{"web", "/warledger.v1.GameService/ListGames", "application/grpc-web+proto"},
		{"operations", "/grpc.health.v1.Health/Check", "application/json"},
		{"operations", "/grpc.channelz.v1.Channelz/GetServers", "application/grpc"},
		{"operations", "/metrics", "application/json"},
	} {
		_, framer := dialHTTP2(t, ports[a.port])
		open := map[uint32]bool{}
		for i := range uint32(many) {
			stream := 2*i + 1
			call(t, framer, stream, a.path, a.kind, false)
			must(t, framer.WriteData(stream, false, []byte{0}))
			open[stream] = true
		}
		if err := streamsEnd(framer, open); err != nil {
			t.Errorf("%s %s %s: %d streams are open still: %v", a.port, a.path, a.kind, len(open), err)
			continue
		}
		call(t, framer, 2*many+1, a.path, a.kind, true)
		if err := streamsEnd(framer, map[uint32]bool{2*many + 1: true}); err != nil {
			t.Errorf("%s %s %s: the connection does not answer any more: %v", a.port, a.path, a.kind, err)
		}
	}
}

// streamsEnd reads until all streams have ended.
func streamsEnd(framer *http2.Framer, open map[uint32]bool) error {
	for len(open) > 0 {
		f, err := framer.ReadFrame()
		if err != nil {
			return err
		}
		switch f := f.(type) {
		case *http2.RSTStreamFrame:
			delete(open, f.StreamID)
		case *http2.PingFrame:
			if !f.IsAck() {
				if err := framer.WritePing(true, f.Data); err != nil {
					return err
				}
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				delete(open, f.StreamID)
			}
		case *http2.HeadersFrame:
			if f.StreamEnded() {
				delete(open, f.StreamID)
			}
		}
	}
	return nil
}

// TestReflectionEnds has a stranger ask one thing of reflection, the only call that takes a stream, and then keep it
// open.
func TestReflectionEnds(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Body: 50 * time.Millisecond}))
	_, framer := dialHTTP2(t, r.ports()["gRPC"])
	call(t, framer, 1, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "application/grpc", false)
	ask := []byte{0, 0, 0, 0, 2, 0x3a, 0} // list_services: ""
	must(t, framer.WriteData(1, false, ask))
	if err := streamsEnd(framer, map[uint32]bool{1: true}); err != nil {
		t.Errorf("reflection is open still: %v", err)
	}
}

// TestSilentPeersEnd has strangers begin headers by HTTP/2 and leave them unfinished: they cannot answer a ping without
// breaking the protocol.
func TestSilentPeersEnd(t *testing.T) {
	t.Parallel()
	r := start(t, impatient(server.Patience{Ping: 50 * time.Millisecond, Pong: 50 * time.Millisecond}))
	for port, address := range r.ports() {
		conn, framer := dialHTTP2(t, address)
		must(t, framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x83}}))
		ended(t, port, conn)
	}
}

// TestUnreadAnswersEnd has strangers ask for an endless answer and read nothing of it: the writer gets an error.
func TestUnreadAnswersEnd(t *testing.T) {
	t.Parallel()
	gone := make(chan error, many)
	r := start(t, impatient(server.Patience{Answer: 50 * time.Millisecond}), func(o *server.Options) {
		o.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			var err error
			for part := make([]byte, 1<<20); err == nil; {
				_, err = w.Write(part)
			}
			gone <- err
		})
	})
	for range many / 2 {
		_, err := dial(t, r.ports()["web"]).Write([]byte("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"))
		must(t, err)
		_, framer := dialHTTP2(t, r.ports()["web"])
		call(t, framer, 1, "/page", "text/plain", true)
	}
	limit := time.After(hung)
	for range many {
		select {
		case <-gone:
		case <-limit:
			t.Fatal("somebody writes still")
		}
	}
}

// TestPatienceIsNotForWhoReads: a watch outlives all time limits if it sends something now and then, and its caller
// reads.
func TestPatienceIsNotForWhoReads(t *testing.T) {
	t.Parallel()
	times := server.Patience{Body: 500 * time.Millisecond, Answer: 500 * time.Millisecond, Idle: 500 * time.Millisecond,
		Header: 500 * time.Millisecond}
	r := start(t, impatient(times), func(o *server.Options) {
		o.Pages = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			flush := http.NewResponseController(w)
			for i := 0; i < 3 && err == nil && r.Context().Err() == nil; i++ {
				_, err = w.Write(body)
				err = errors.Join(err, flush.Flush())
				select {
				case <-time.After(times.Body):
				case <-r.Context().Done():
				}
			}
			_, _ = w.Write([]byte("end"))
		})
	})
	for _, client := range []*http.Client{http.DefaultClient, r.httpClient()} {
		for _, body := range []io.Reader{nil, strings.NewReader("x")} {
			answer, err := client.Post(r.web+"/page", "text/plain", body)
			must(t, err)
			said, err := io.ReadAll(answer.Body)
			must(t, answer.Body.Close())
			if err != nil || !strings.HasSuffix(string(said), "end") || body != nil && string(said) != "xxxend" {
				t.Errorf("%s: %q %v", answer.Proto, said, err)
			}
		}
	}
}
