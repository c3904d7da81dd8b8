package warledger_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// fault makes an error as the server does.
func fault(code codes.Code, reason warledger.Reason) error {
	st, err := status.New(code, string(reason)).
		WithDetails(&errdetails.ErrorInfo{Reason: string(reason), Domain: warledger.Domain})
	if err != nil {
		return err
	}
	return st.Err()
}

func record(version uint64) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Version: version, ResumeToken: token(version),
		Kind: &v1.WatchGameResponse_Record{Record: &v1.Record{Version: version}}}
}

func token(version uint64) string { return "after " + string(rune('0'+version)) }

func caughtUp(version uint64) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Version: version, ResumeToken: token(version),
		Kind: &v1.WatchGameResponse_CaughtUp{CaughtUp: &v1.CaughtUp{Game: &v1.Game{Version: version}}}}
}

func heartbeat(version uint64) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Version: version, ResumeToken: token(version),
		Kind: &v1.WatchGameResponse_Heartbeat{Heartbeat: &v1.Heartbeat{}}}
}

func goingAway(version uint64) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Version: version, ResumeToken: token(version),
		Kind: &v1.WatchGameResponse_GoingAway{GoingAway: &v1.GoingAway{}}}
}

func board(version uint64) *v1.WatchGameResponse {
	return &v1.WatchGameResponse{Version: version, ResumeToken: token(version), Kind: &v1.WatchGameResponse_Board{}}
}

// stream is one stream of a script: what it sends, and how it ends.
type stream struct {
	sends []*v1.WatchGameResponse
	ends  error
	hangs bool
}

// start is where a stream was asked to begin.
func start(req *v1.WatchGameRequest) string {
	switch s := req.Start.(type) {
	case *v1.WatchGameRequest_ResumeToken:
		return s.ResumeToken
	case *v1.WatchGameRequest_AfterVersion:
		return "version " + string(rune('0'+s.AfterVersion))
	default:
		return "board"
	}
}

// TestWatchMendsStreams plays broken streams one after the other. What comes out must be each record once, in order.
// Time is the bubble's, and passes only when all wait for it: a stream that speaks is never taken for a silent one
// because the machine is slow.
func TestWatchMendsStreams(t *testing.T) {
	t.Parallel()
	gone := status.Error(codes.Unavailable, "gone")
	for name, c := range map[string]struct {
		options warledger.WatchOptions
		streams []stream
		starts  []string
		want    []uint64
		fails   error
	}{
		"a lost connection": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), record(2)}, ends: gone},
				{sends: []*v1.WatchGameResponse{record(3)}}},
			starts: []string{"version 0", "after 2"}, want: []uint64{1, 2, 3},
		},
		"lost before anything came": {
			options: warledger.WatchOptions{After: 1},
			streams: []stream{{ends: gone}, {ends: gone}, {sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts:  []string{"version 1", "version 1", "version 1"}, want: []uint64{2, 3},
		},
		"the end of a stream": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1)}},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "after 1"}, want: []uint64{1, 2, 3},
		},
		"a server that stops": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), goingAway(1), record(2)}},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "after 1"}, want: []uint64{1, 2, 3},
		},
		"records sent twice": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), record(2), record(2), record(1)}, ends: gone},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "after 2"}, want: []uint64{1, 2, 3},
		},
		"a record left out": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), record(3)}},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "version 1"}, want: []uint64{1, 2, 3},
		},
		"a record left out and passed over in silence": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), heartbeat(2)}},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "version 1"}, want: []uint64{1, 2, 3},
		},
		"a caught-up that claims too much": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), caughtUp(2)}},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "version 1"}, want: []uint64{1, 2, 3},
		},
		"a record left out for ever": {
			streams: []stream{
				{sends: []*v1.WatchGameResponse{record(1), record(3)}},
				{sends: []*v1.WatchGameResponse{record(3)}},
				{sends: []*v1.WatchGameResponse{record(3)}},
			},
			starts: []string{"version 0", "version 1", "version 1"}, want: []uint64{1},
			fails: errors.New("the server left records out: record 3 came after 1"),
		},
		"silence": {
			options: warledger.WatchOptions{Heartbeat: 20 * time.Millisecond},
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1), heartbeat(1)}, hangs: true},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}}},
			starts: []string{"version 0", "after 1"}, want: []uint64{1, 2, 3},
		},
		"a token that another server does not know": {
			streams: []stream{
				{sends: []*v1.WatchGameResponse{record(1)}, ends: gone},
				{ends: fault(codes.InvalidArgument, warledger.ErrResumeTokenInvalid)},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}},
			},
			starts: []string{"version 0", "after 1", "version 1"}, want: []uint64{1, 2, 3},
		},
		"a token brought from elsewhere": {
			options: warledger.WatchOptions{ResumeToken: "mine"},
			streams: []stream{{sends: []*v1.WatchGameResponse{record(2)}, ends: gone},
				{sends: []*v1.WatchGameResponse{record(3)}}},
			starts: []string{"mine", "after 2"}, want: []uint64{2, 3},
		},
		"a token brought from elsewhere that is void": {
			options: warledger.WatchOptions{ResumeToken: "mine"},
			streams: []stream{{ends: fault(codes.InvalidArgument, warledger.ErrResumeTokenInvalid)}},
			starts:  []string{"mine"}, fails: warledger.ErrResumeTokenInvalid,
		},
		"the board first, once": {
			options: warledger.WatchOptions{BoardFirst: true},
			streams: []stream{
				{ends: gone},
				{sends: []*v1.WatchGameResponse{board(1), caughtUp(1)}, ends: gone},
				{sends: []*v1.WatchGameResponse{record(2), record(3)}},
			},
			starts: []string{"board", "board", "after 1"}, want: []uint64{2, 3},
		},
		"too many watchers for now": {
			streams: []stream{{ends: fault(codes.ResourceExhausted, warledger.ErrTooManyWatchers)},
				{sends: []*v1.WatchGameResponse{record(1), record(2), record(3)}}},
			starts: []string{"version 0", "version 0"}, want: []uint64{1, 2, 3},
		},
		"no such game": {
			streams: []stream{{ends: fault(codes.NotFound, warledger.ErrGameNotFound)}},
			starts:  []string{"version 0"}, fails: warledger.ErrGameNotFound,
		},
		"a seat that was left": {
			streams: []stream{{sends: []*v1.WatchGameResponse{record(1)}, ends: fault(codes.Unauthenticated,
				warledger.ErrTokenRevoked)}},
			starts: []string{"version 0"}, want: []uint64{1}, fails: warledger.ErrTokenRevoked,
		},
		"a damaged log": {
			streams: []stream{
				{sends: []*v1.WatchGameResponse{record(1)}, ends: fault(codes.DataLoss, warledger.ErrLogCorrupt)},
			},
			starts: []string{"version 0"}, want: []uint64{1}, fails: warledger.ErrLogCorrupt,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				starts := make(chan string, 10)
				var n atomic.Int32
				s := &scripted{watch: func(
					req *v1.WatchGameRequest, out grpc.ServerStreamingServer[v1.WatchGameResponse],
				) error {
					starts <- start(req)
					i := int(n.Add(1)) - 1
					if i >= len(c.streams) {
						return status.Error(codes.NotFound, "more streams than scripted")
					}
					for _, m := range c.streams[i].sends {
						if err := out.Send(m); err != nil {
							return err
						}
					}
					if c.streams[i].hangs {
						<-out.Context().Done()
					}
					return c.streams[i].ends
				}}
				var got []uint64
				var failed error
				for u, err := range s.play(t).Game("g", "").Watch(t.Context(), c.options) {
					if err != nil {
						failed = err
						break
					}
					if u.Record != nil {
						got = append(got, u.Record.Version)
					}
					if u.Version == 3 {
						break
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
				if (failed == nil) != (c.fails == nil) ||
					failed != nil && !errors.Is(failed, c.fails) && failed.Error() != c.fails.Error() {
					t.Errorf("ended with %v, want %v", failed, c.fails)
				}
				close(starts)
				var asked []string
				for s := range starts {
					asked = append(asked, s)
				}
				if diff := cmp.Diff(c.starts, asked); diff != "" {
					t.Errorf("streams began at (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestWatchEndsWithItsContext also while it waits to try again.
func TestWatchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := &scripted{watch: func(*v1.WatchGameRequest, grpc.ServerStreamingServer[v1.WatchGameResponse]) error {
		return status.Error(codes.Unavailable, "gone")
	}}
	c := s.play(t, warledger.WithBackoff(time.Hour, time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	lost := func(error, time.Duration) { cancel() }
	var last error
	for _, err := range c.Game("g", "").Watch(ctx, warledger.WatchOptions{Lost: lost}) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("ended with %v", last)
	}
}

// TestWatchLetsASlowReceiverBe: time spent in the receiver is not the server's silence.
func TestWatchLetsASlowReceiverBe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var streams atomic.Int32
		rested := make(chan struct{}, 3)
		s := &scripted{watch: func(_ *v1.WatchGameRequest, out grpc.ServerStreamingServer[v1.WatchGameResponse]) error {
			streams.Add(1)
			for v := uint64(1); v <= 3; v++ {
				if err := out.Send(record(v)); err != nil {
					return err
				}
				select { // what is on its way already would come through all the same
				case <-rested:
				case <-out.Context().Done():
					return nil
				}
			}
			return nil
		}}
		const beat = 100 * time.Millisecond
		for u, err := range s.play(t).Game("g", "").Watch(t.Context(), warledger.WatchOptions{Heartbeat: beat}) {
			if err != nil {
				t.Fatal(err)
			}
			if u.Version == 3 {
				break
			}
			time.Sleep(3 * beat)
			rested <- struct{}{}
		}
		if n := streams.Load(); n != 1 {
			t.Errorf("%d streams were opened, want 1", n)
		}
	})
}
