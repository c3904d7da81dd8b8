package postgres

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
)

// benchData is the size of a record of an ordinary game.
const benchData = 270

// benchChain makes appends without the cost of hashing, which is the caller's.
type benchChain struct {
	stream  string
	version uint64
	hash    eventstore.Hash
	data    []byte
	random  *rand.ChaCha8
}

func newBenchChain(i int) *benchChain {
	c := &benchChain{stream: fmt.Sprintf("games/%08d", i), data: make([]byte, benchData)}
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], uint64(i))
	c.random = rand.NewChaCha8(seed)
	_, _ = c.random.Read(c.data)
	return c
}

func (c *benchChain) entry() eventstore.Entry {
	id, _ := uuid.NewRandomFromReader(c.random)
	e := eventstore.Entry{Key: id.String(), Prev: c.hash, Data: c.data}
	binary.BigEndian.PutUint64(e.Hash[:], c.version+1)
	c.version, c.hash = c.version+1, e.Hash
	return e
}

func (c *benchChain) next(n int) eventstore.Append {
	a := eventstore.Append{Stream: c.stream, Expected: c.version}
	for range n {
		a.Entries = append(a.Entries, c.entry())
	}
	return a
}

func benchChains(n int) []*benchChain {
	chains := make([]*benchChain, n)
	for i := range chains {
		chains[i] = newBenchChain(i)
	}
	return chains
}

// appendAll appends so many records from as many goroutines as there are chains, and returns how long each took.
func appendAll(b *testing.B, s eventstore.Store, chains []*benchChain, total int) []time.Duration {
	took := make([][]time.Duration, len(chains))
	var wg sync.WaitGroup
	for i, c := range chains {
		n := total / len(chains)
		if i < total%len(chains) {
			n++
		}
		wg.Go(func() {
			for range n {
				begun := time.Now()
				if err := s.Append(ctx, c.next(1)); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(begun))
			}
		})
	}
	wg.Wait()
	return slices.Concat(took...)
}

func median(took []time.Duration) float64 {
	slices.Sort(took)
	return float64(took[len(took)/2].Microseconds())
}

// BenchmarkAppend appends durably from so many goroutines, each on its own stream, and by turns does the same on bbolt,
// so that a busy machine is busy for both. "of-bbolt" is what part of bbolt's appends a second the engine reaches. The
// other figures are the engine's alone, but for those that name bbolt. With a standby each commit waits for it.
func BenchmarkAppend(b *testing.B) {
	for _, streams := range []int{1, 256} {
		b.Run(fmt.Sprint("streams=", streams), func(b *testing.B) {
			s, _, _ := fresh(b, Options{})
			benchAppend(b, s, streams)
		})
		b.Run(fmt.Sprint("streams=", streams, "/standby"), func(b *testing.B) {
			c := pgtest.New(b)
			c.Standby(b)
			c.MustSQL(b, "alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
			waitFor(b, func() bool { return c.MustSQL(b, "select sync_state from pg_stat_replication") == "sync" })
			dsn, _ := c.Empty(b)
			s := mustOpen(b, dsn, Options{})
			defer s.Close()
			benchAppend(b, s, streams)
		})
	}
}

func benchAppend(b *testing.B, s *Store, streams int) {
	bolt, err := boltstore.Open(filepath.Join(b.TempDir(), "games.db"), boltstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer bolt.Close()
	chains, others := benchChains(streams), benchChains(streams)
	var took, boltTook []time.Duration
	var boltTime time.Duration
	b.ResetTimer()
	for left := b.N; left > 0; {
		turn := min(left, 16*streams)
		left -= turn
		took = append(took, appendAll(b, s, chains, turn)...)
		b.StopTimer()
		begun := time.Now()
		boltTook = append(boltTook, appendAll(b, bolt, others, turn)...)
		boltTime += time.Since(begun)
		b.StartTimer()
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
	b.ReportMetric(boltTime.Seconds()/b.Elapsed().Seconds(), "of-bbolt")
	b.ReportMetric(median(took), "p50-us")
	b.ReportMetric(median(boltTook), "bbolt-p50-us")
	b.ReportMetric(float64(b.N)/float64(s.Stats().Batches), "appends/commit")
}

// BenchmarkHead reads the head of a stream, which a service does before each call.
func BenchmarkHead(b *testing.B) {
	s, _, _ := fresh(b, Options{})
	appendAll(b, s, benchChains(100), 1000)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		if _, err := s.Head(ctx, fmt.Sprintf("games/%08d", i%100)); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	b.ReportMetric(median(took), "p50-us")
}

// BenchmarkRead reads a stream of 10,000 entries from its beginning.
func BenchmarkRead(b *testing.B) {
	s, _, _ := fresh(b, Options{})
	c := newBenchChain(0)
	if err := s.Append(ctx, c.next(10_000)); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		for from := uint64(1); from <= 10_000; {
			page, err := s.ReadAt(ctx, c.stream, from, 0, 0)
			if err != nil || len(page.Entries) == 0 {
				b.Fatal(len(page.Entries), err)
			}
			from += uint64(len(page.Entries))
		}
		took = append(took, time.Since(begun))
	}
	b.ReportMetric(median(took), "p50-us")
}

// BenchmarkWake counts from the beginning of an append at one handle until another one that waits has been woken: by a
// notification, and, untold, by its own next question. A handle takes notifications under its own name for echoes.
func BenchmarkWake(b *testing.B) {
	b.Run("told", func(b *testing.B) {
		s, dsn, _ := fresh(b, Options{})
		benchWake(b, s, mustOpen(b, dsn, Options{}))
	})
	b.Run("untold", func(b *testing.B) {
		s, dsn, _ := fresh(b, Options{})
		other := mustOpen(b, dsn, Options{})
		s.handle = other.handle
		benchWake(b, s, other)
	})
}

func benchWake(b *testing.B, s, other *Store) {
	defer other.Close()
	c := newBenchChain(0)
	var took []time.Duration
	woken := make(chan time.Time)
	for b.Loop() {
		go func() {
			if _, err := other.Wait(ctx, c.stream, eventstore.Mark{Version: c.version}); err != nil {
				b.Error(err)
			}
			woken <- time.Now()
		}()
		for other.Stats().Waiting == 0 {
			time.Sleep(50 * time.Microsecond)
		}
		time.Sleep(2 * time.Millisecond) // until it has asked
		begun := time.Now()
		if err := s.Append(ctx, c.next(1)); err != nil {
			b.Fatal(err)
		}
		took = append(took, (<-woken).Sub(begun))
	}
	b.ReportMetric(median(took), "p50-us")
	b.ReportMetric(float64(slices.Max(took).Microseconds()), "max-us")
}

// BenchmarkList reads pages of 100 of 100,000 streams with ten records each, and reports what a record takes on disk,
// with indexes.
func BenchmarkList(b *testing.B) {
	const streams, each = 100_000, 10
	s, _, schema := fresh(b, Options{})
	chains := benchChains(streams)
	var wg sync.WaitGroup
	for part := range slices.Chunk(chains, streams/256+1) {
		wg.Go(func() {
			for range each {
				for _, c := range part {
					if err := s.Append(ctx, c.next(1)); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	size := cluster(b).MustSQL(b, "select sum(pg_total_relation_size(oid)) from pg_class "+
		"where relkind = 'r' and relnamespace = '"+schema+"'::regnamespace")
	bytes, err := strconv.ParseFloat(size, 64)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		page, err := s.List(ctx, "games/", fmt.Sprintf("games/%08d", i*7919%(streams-100)), 100)
		if err != nil || len(page) != 100 {
			b.Fatal(len(page), err)
		}
		took = append(took, time.Since(begun))
	}
	b.ReportMetric(median(took), "p50-us")
	b.ReportMetric(bytes/(streams*each), "disk-bytes/record")
}
