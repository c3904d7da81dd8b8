package service_test

import (
	"fmt"

	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// crowd are watchers of one game who share a few connections, as browsers behind a proxy do. They do not
// decode what they get.
type crowd struct {
	g     *table
	conns []*grpc.ClientConn
	// left counts down the watchers who have not got the record that is awaited; got hears of the last.
	left atomic.Int64
	got  chan struct{}
}

// gather begins watches after a version. Those of the second half are stalled if asked: nobody reads them.
func gather(g *table, watchers int, after uint64, stall bool) *crowd {
	g.t.Helper()
	c := &crowd{g: g, got: make(chan struct{}, 1)}
	for range (watchers + 511) / 512 {
		// A window of its own choosing would let the client's memory grow, which lies in the same heap.
		c.conns = append(c.conns,
			g.connect(grpc.WithStaticStreamWindowSize(64<<10), grpc.WithStaticConnWindowSize(64<<20)))
	}
	req := &v1.WatchGameRequest{Name: g.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: after},
		Heartbeat: durationpb.New(5 * time.Minute)}
	request := encoded(g.t, req, req.Name).data
	c.left.Store(int64(watchers))
	for i := range watchers {
		var token string
		if i%2 == 0 {
			token = g.red
		}
		ctx := as()
		if token != "" {
			ctx = as(token)
		}
		stream, err := c.conns[i%len(c.conns)].NewStream(ctx, &grpc.StreamDesc{ServerStreams: true},
			v1.GameService_WatchGame_FullMethodName, grpc.ForceCodec(undecoded{}))
		must(g.t, err)
		must(g.t, stream.SendMsg(request))
		must(g.t, stream.CloseSend())
		must(g.t, stream.RecvMsg(new([]byte))) // that it is caught up
		if !stall || i < watchers/2 {
			go c.read(stream)
		}
	}
	if stall {
		c.left.Store(int64(watchers / 2))
	} else {
		c.left.Store(int64(watchers))
	}
	return c
}

// leave breaks the connections: a server that stops would wait for those who read nothing.
func (c *crowd) leave() {
	for _, conn := range c.conns {
		must(c.g.t, conn.Close())
	}
}

// read takes what comes until the connection is closed.
func (c *crowd) read(stream grpc.ClientStream) {
	for stream.RecvMsg(new([]byte)) == nil {
		if c.left.Add(-1) == 0 {
			c.got <- struct{}{}
		}
	}
}

// await appends and waits until those who read have got so many messages together.
func (c *crowd) await(messages int, move func() error) time.Duration {
	c.left.Store(int64(messages))
	must(c.g.t, move())
	begun := time.Now()
	<-c.got
	return time.Since(begun)
}

// BenchmarkWatchers has watchers of one game, half of them players, wait for records: "last-p50-ms" is the median
// time from the answer to the command to when the last of them has it, "last-max-ms" the longest. Server and
// watchers share the machine.
func BenchmarkWatchers(b *testing.B) {
	for _, watchers := range []int{1, 1000} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(400)) // as warledgerd does
			g := redBegins(open(b, func(s *setting) { s.network = true }))
			c, move := gather(g, watchers, 5, false), mover(g, "generated")
			c.await(watchers, move)
			b.ReportAllocs()
			var each []float64
			b.ResetTimer()
			for range b.N {
				each = append(each, c.await(watchers, move).Seconds()*1e3)
			}
			b.StopTimer()
			slices.Sort(each)
			b.ReportMetric(each[len(each)/2], "last-p50-ms")
			b.ReportMetric(each[len(each)-1], "last-max-ms")
			c.leave()
		})
	}
}

// heapInUse is what the process holds after a collection, in bytes.
func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
