package service_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// BenchmarkDurableCommands measures commands through a real gRPC connection on loopback until they are durable in bbolt, from one player a game, and
// in the same run what bbolt does with the same bytes and nothing around it: as many writers, group commit by bolt.DB.Batch. The ratio of the
// two is what all the rest costs.
func BenchmarkDurableCommands(b *testing.B) {
	for _, players := range []int{1, 256} {
		b.Run(fmt.Sprintf("games=%d", players), func(b *testing.B) {
			ours, size := commandsPerSecond(b, players)
			plain := plainPerSecond(b, players, size)
			b.ReportMetric(ours, "commands/s")
			b.ReportMetric(plain, "plain-bbolt/s")
			b.ReportMetric(ours/plain, "of-plain-bbolt")
			b.ReportMetric(float64(size), "B/record")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// commandsPerSecond has each player move a unit and take it back, which can go on for ever.
func commandsPerSecond(b *testing.B, players int) (perSecond float64, size int) {
	store, err := boltstore.Open(filepath.Join(b.TempDir(), "games.db"), boltstore.Options{})
	must(b, err)
	b.Cleanup(func() { must(b, store.Close()) })
	h := open(b, func(s *setting) { s.store, s.network = store, true })
	tables := make([]*table, players)
	var wg sync.WaitGroup
	for i := range tables {
		wg.Go(func() { tables[i] = redBegins(h) })
	}
	wg.Wait()
	before, begun := store.Stats(), time.Now()
	run(b, players, func(i int) error {
		g := tables[i]
		if g.odd = !g.odd; g.odd {
			_, err := g.games.SubmitCommand(as(g.red), g.command("move r2 0304"))
			return err
		}
		_, err := g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, RequestId: id()})
		return err
	})
	took, after := time.Since(begun), store.Stats()
	h.stop()
	n := after.Entries - before.Entries
	b.ReportMetric(float64(after.Appends-before.Appends)/float64(after.Batches-before.Batches), "appends/commit")
	b.ReportMetric(float64((after.CommitTime-before.CommitTime).Microseconds())/float64(after.Batches-before.Batches), "µs/commit")
	return float64(n) / took.Seconds(), int((after.Bytes - before.Bytes) / n)
}

func plainPerSecond(b *testing.B, writers, size int) float64 {
	db, err := bolt.Open(filepath.Join(b.TempDir(), "plain.db"), 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType, InitialMmapSize: 1 << 30})
	must(b, err)
	defer func() { must(b, db.Close()) }()
	must(b, db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("log")); return err }))
	db.MaxBatchDelay = time.Millisecond
	value := make([]byte, size)
	keys := make([]uint64, writers)
	begun := time.Now()
	run(b, writers, func(i int) error {
		keys[i]++
		key := fmt.Appendf(nil, "games/%08d/%08d", i, keys[i])
		put := func(tx *bolt.Tx) error { return tx.Bucket([]byte("log")).Put(key, value) }
		if writers == 1 {
			return db.Update(put)
		}
		return db.Batch(put)
	})
	return float64(b.N) / time.Since(begun).Seconds()
}

// run calls f b.N times, from n goroutines.
func run(b *testing.B, n int, f func(i int) error) {
	b.Helper()
	var wg sync.WaitGroup
	var next atomic.Int64
	for i := range n {
		wg.Go(func() {
			for next.Add(1) <= int64(b.N) {
				if err := f(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkFold measures how long it takes to get a game from its log into memory.
func BenchmarkFold(b *testing.B) {
	h := open(b)
	g := h.seated()
	g.play(200, 1)
	for b.Loop() {
		again := open(b, func(s *setting) { s.store = h.store })
		must(b, second(again.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})))
		again.stop()
	}
	b.ReportMetric(float64(g.game().Version), "records")
}

// BenchmarkCheckOnly measures a call that only checks a command: all but deciding and storing.
func BenchmarkCheckOnly(b *testing.B) {
	g := redBegins(open(b, func(s *setting) { s.network = true }))
	req := g.command("move r2 0304")
	req.ValidateOnly = true
	for b.Loop() {
		must(b, second(g.games.SubmitCommand(as(g.red), req)))
	}
}
