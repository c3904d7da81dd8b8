//go:build unix

package service_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// BenchmarkDurableCommands measures commands through a real gRPC connection on loopback until they are durable in
// bbolt, from one player a game. By turns with it bbolt alone stores the same bytes with as many writers in group
// commit (bolt.DB.Batch), so that a busy minute of the machine falls on both: "of-plain-bbolt" is the ratio of the two,
// "p50-on-top-µs" the median latency beyond bbolt's, and "cpu-µs/command" what a command costs client and server
// together, which a busy machine changes least.
//
// Client and server share the machine. The generated client is what players use; the cheap one sends requests that were
// encoded before and leaves the answers undecoded, which comes closer to what the server alone can do.
func BenchmarkDurableCommands(b *testing.B) {
	for _, players := range []int{1, 16, 256} {
		for _, client := range []string{"generated", "cheap"} {
			b.Run(fmt.Sprintf("games=%d/client=%s", players, client), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkDurable(b, players, client)
			})
		}
	}
}

func benchmarkDurable(b *testing.B, players int, client string) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as warledgerd does
	store, err := boltstore.Open(filepath.Join(b.TempDir(), "games.db"), boltstore.Options{})
	must(b, err)
	b.Cleanup(func() { must(b, store.Close()) })
	h := open(b, func(s *setting) { s.store, s.network = store, true })
	conn, err := h.dial(asSDK()...)
	must(b, err)
	defer conn.Close()
	h.conn, h.games = conn, v1.NewGameServiceClient(conn)
	movers := make([]func() error, players)
	var wg sync.WaitGroup
	for i := range movers {
		wg.Go(func() { movers[i] = mover(redBegins(h), client) })
	}
	wg.Wait()
	ours, plain := timed{n: players, call: func(i int) error { return movers[i]() }}, timed{n: players}
	ours.run(b, 8*players)
	ours.reset()
	before := store.Stats()
	var raw *plainLog
	b.ResetTimer()
	for left := b.N; left > 0; {
		turn := min(left, 32*players)
		left -= turn
		ours.run(b, turn)
		b.StopTimer()
		if raw == nil {
			now := store.Stats()
			raw = newPlainLog(b, players, int((now.Bytes-before.Bytes)/(now.Entries-before.Entries)))
			plain.call = raw.append
			plain.run(b, 8*players)
			plain.reset()
		}
		plain.run(b, turn)
		b.StartTimer()
	}
	b.StopTimer()
	after := store.Stats()
	h.stop()
	b.ReportMetric(ours.perSecond(), "commands/s")
	b.ReportMetric(plain.perSecond(), "plain-bbolt/s")
	b.ReportMetric(ours.perSecond()/plain.perSecond(), "of-plain-bbolt")
	b.ReportMetric(ours.median(), "p50-µs")
	b.ReportMetric(ours.percentile(99), "p99-µs")
	b.ReportMetric(ours.median()-plain.median(), "p50-on-top-µs")
	b.ReportMetric(ours.cpu.Seconds()*1e6/float64(len(ours.each)), "cpu-µs/command")
	b.ReportMetric(plain.cpu.Seconds()*1e6/float64(len(plain.each)), "plain-cpu-µs")
	b.ReportMetric(float64(raw.size), "B/record")
	reportBatches(b, before, after)
}

func reportBatches(b *testing.B, before, after eventstore.Stats) {
	batches := float64(after.Batches - before.Batches)
	b.ReportMetric(float64(after.Appends-before.Appends)/batches, "appends/commit")
	b.ReportMetric(float64((after.CommitTime-before.CommitTime).Microseconds())/batches, "µs/commit")
}

// asSDK has a client keep its windows fixed, as clients/go does.
func asSDK() []grpc.DialOption {
	return []grpc.DialOption{grpc.WithStaticStreamWindowSize(1 << 20), grpc.WithStaticConnWindowSize(1 << 20)}
}

// mover moves a unit and takes it back by turns, which can go on for ever.
func mover(g *table, client string) func() error {
	odd := false
	if client == "generated" {
		return func() error {
			if odd = !odd; odd {
				_, err := g.games.SubmitCommand(as(g.red), g.command("move r2 0304"))
				return err
			}
			_, err := g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, RequestId: id()})
			return err
		}
	}
	move, back := g.command("move r2 0304"), &v1.UndoRequest{Name: g.name, RequestId: id()}
	submit, undo := encoded(g.t, move, move.CommandId), encoded(g.t, back, back.RequestId)
	ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+g.red)
	return func() error {
		if odd = !odd; odd {
			return submit.send(ctx, g.conn, v1.GameService_SubmitCommand_FullMethodName)
		}
		return undo.send(ctx, g.conn, v1.GameService_Undo_FullMethodName)
	}
}

// prepared is an encoded request. Its id ends in a number that counts the calls.
type prepared struct {
	data  []byte
	id    []byte // in data
	calls uint64
}

func encoded(t testing.TB, m proto.Message, id string) *prepared {
	data, err := proto.Marshal(m)
	must(t, err)
	at := strings.Index(string(data), id)
	return &prepared{data: data, id: data[at : at+len(id)]}
}

func (p *prepared) send(ctx context.Context, conn *grpc.ClientConn, method string) error {
	p.calls++
	copy(p.id[len(p.id)-12:], fmt.Sprintf("%012x", p.calls))
	return conn.Invoke(ctx, method, p.data, new([]byte), grpc.ForceCodec(undecoded{}))
}

// undecoded passes bytes through.
type undecoded struct{}

// Marshal gives the bytes of a request.
func (undecoded) Marshal(v any) ([]byte, error) { return v.([]byte), nil }

// Unmarshal drops the answer.
func (undecoded) Unmarshal([]byte, any) error { return nil }

// Name is that of the codec whose bytes they are.
func (undecoded) Name() string { return "proto" }

// plainLog is bbolt with nothing around it.
type plainLog struct {
	db    *bolt.DB
	keys  []uint64
	value []byte
	size  int
}

func newPlainLog(b *testing.B, writers, size int) *plainLog {
	db, err := bolt.Open(filepath.Join(b.TempDir(), "plain.db"), 0o600,
		&bolt.Options{FreelistType: bolt.FreelistMapType, InitialMmapSize: 1 << 30})
	must(b, err)
	b.Cleanup(func() { must(b, db.Close()) })
	must(b, db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("log")); return err }))
	db.MaxBatchDelay = time.Millisecond
	return &plainLog{db: db, keys: make([]uint64, writers), value: make([]byte, size), size: size}
}

func (p *plainLog) append(i int) error {
	p.keys[i]++
	key := fmt.Appendf(nil, "games/%08d/%08d", i, p.keys[i])
	put := func(tx *bolt.Tx) error { return tx.Bucket([]byte("log")).Put(key, p.value) }
	if len(p.keys) == 1 {
		return p.db.Update(put)
	}
	return p.db.Batch(put)
}

// timed calls from n goroutines and notes how long each call took, how long all took together, and what
// they cost the processor.
type timed struct {
	n         int
	call      func(i int) error
	each      []time.Duration
	took, cpu time.Duration
}

func (t *timed) reset() { t.each, t.took, t.cpu = nil, 0, 0 }

func (t *timed) run(b *testing.B, calls int) {
	b.Helper()
	var wg sync.WaitGroup
	var next atomic.Int64
	each := make([]time.Duration, calls)
	begun, cpu := time.Now(), cpuTime(b)
	for i := range t.n {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(calls); n = next.Add(1) {
				start := time.Now()
				if err := t.call(i); err != nil {
					b.Error(err)
					return
				}
				each[n-1] = time.Since(start)
			}
		})
	}
	wg.Wait()
	t.took += time.Since(begun)
	t.cpu += cpuTime(b) - cpu
	t.each = append(t.each, each...)
}

func (t *timed) perSecond() float64 { return float64(len(t.each)) / t.took.Seconds() }

func (t *timed) median() float64 { return t.percentile(50) }

// percentile is in microseconds.
func (t *timed) percentile(n int) float64 {
	slices.Sort(t.each)
	return t.each[len(t.each)*n/100].Seconds() * 1e6
}

// cpuTime is what the process has used of the processors.
func cpuTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
