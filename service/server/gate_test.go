package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/proto/warledger/v1/warledgerv1connect"
	"github.com/warledger/warledger/service/server"
	"github.com/warledger/warledger/service/throttle"
)

// gated is a server that accepts two calls at once from each address.
func gated(t *testing.T) (*running, *throttle.Throttle) {
	th := throttle.New(throttle.Options{Calls: 2, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	return start(t, func(o *server.Options) {
		o.Gate = th
		o.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") })
	}), th
}

// until waits until a number of calls is under way: the server learns with a delay what a client does.
func until(th *throttle.Throttle, calls int) {
	for th.Calls() != calls {
		runtime.Gosched()
	}
}

// open begins a call by gRPC whose request never comes.
func (r *running) open(ctx context.Context, method string) grpc.ClientStream {
	r.t.Helper()
	stream, err := r.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method,
		grpc.WaitForReady(true))
	must(r.t, err)
	return stream
}

func reasonOf(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return ""
}

// TestCallsWithoutRequests has a stranger begin calls whose requests never come. Each took memory for what had come,
// and their number had no bound.
func TestCallsWithoutRequests(t *testing.T) {
	t.Parallel()
	r, th := gated(t)
	ctx, leave := context.WithCancel(context.Background())
	r.open(ctx, v1.GameService_CreateGame_FullMethodName)
	r.open(ctx, v1.GameService_WatchGame_FullMethodName)
	until(th, 2)
	list := func() error {
		return second(v1.NewGameServiceClient(r.conn).ListGames(context.Background(), new(v1.ListGamesRequest)))
	}
	if err := list(); status.Code(err) != codes.ResourceExhausted || reasonOf(err) != "TOO_MANY_CALLS" {
		t.Errorf("by gRPC: %v", err)
	}
	_, err := healthpb.NewHealthClient(r.conn).Check(context.Background(), new(healthpb.HealthCheckRequest))
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("health: %v", err)
	}
	for protocol, options := range protocols() {
		_, err := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web, options...).
			ListGames(context.Background(), connect.NewRequest(new(v1.ListGamesRequest)))
		if connect.CodeOf(err) != connect.CodeResourceExhausted {
			t.Errorf("%s: %v", protocol, err)
		}
	}
	if code, _, body := r.post("/warledger.v1.GameService/ListGames", "{}"); code != http.StatusTooManyRequests ||
		!strings.Contains(body, "TOO_MANY_CALLS") {
		t.Errorf("by JSON: %d %s", code, body)
	}
	if answer, err := http.Get(r.web + "/"); err != nil || answer.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a page: %v %v", answer, err)
	} else {
		must(t, answer.Body.Close())
	}
	leave()
	until(th, 0)
	must(t, list())
}

// TestHalfBodies has requests by HTTP stay open whose bodies never become complete.
func TestHalfBodies(t *testing.T) {
	t.Parallel()
	r, th := gated(t)
	var held []net.Conn
	for range 2 {
		c, err := net.Dial("tcp", strings.TrimPrefix(r.web, "http://"))
		must(t, err)
		_, err = io.WriteString(c, "POST /warledger.v1.GameService/ListGames HTTP/1.1\r\nHost: "+
			"localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
		must(t, err)
		held = append(held, c)
	}
	until(th, 2)
	if code, _, body := r.post("/warledger.v1.GameService/ListGames", "{}"); code != http.StatusTooManyRequests {
		t.Errorf("%d %s", code, body)
	}
	for _, c := range held {
		must(t, c.Close())
	}
	until(th, 0)
	if code, _, body := r.post("/warledger.v1.GameService/ListGames", "{}"); code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
}

// TestWatchesHoldNoPlaces has more watches than calls may be under way, through either port: streams that stay open
// have a bound of their own.
func TestWatchesHoldNoPlaces(t *testing.T) {
	t.Parallel()
	r, th := gated(t)
	name := r.game()
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	for range 5 {
		stream, err := v1.NewGameServiceClient(r.conn).WatchGame(ctx, &v1.WatchGameRequest{Name: name})
		must(t, err)
		must(t, second(stream.Recv()))
		web, err := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web).WatchGame(ctx,
			connect.NewRequest(&v1.WatchGameRequest{Name: name}))
		must(t, err)
		if !web.Receive() {
			t.Fatal(web.Err())
		}
	}
	until(th, 0)
}
