package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

const (
	benchData = 600
	benchKey  = 26
)

// benchChain makes appends without the cost of hashing, which is the caller's.
type benchChain struct {
	stream  string
	version uint64
	hash    eventstore.Hash
	data    []byte
}

func newBenchChain(i int) *benchChain {
	c := &benchChain{stream: fmt.Sprintf("games/%08d", i), data: make([]byte, benchData)}
	rnd := rand.New(rand.NewPCG(1, uint64(i)))
	for i := range c.data {
		c.data[i] = byte(rnd.Uint32())
	}
	return c
}

func (c *benchChain) next() eventstore.Append {
	e := eventstore.Entry{Key: fmt.Sprintf("%0*d", benchKey, c.version), Prev: c.hash, Data: c.data}
	binary.BigEndian.PutUint64(e.Hash[:], c.version+1)
	a := eventstore.Append{Stream: c.stream, Expected: c.version, Entries: []eventstore.Entry{e}}
	c.version, c.hash = c.version+1, e.Hash
	return a
}

// BenchmarkAppend appends durably from so many goroutines, each on its own stream. By turns with it bbolt alone writes
// records of as many bytes in the same batches, so that a busy disk is busy for both: "raw/s" are its appends a second,
// and "of-raw" says what part of them the store reaches. The other figures are the store's alone.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 16, 256} {
		b.Run(fmt.Sprint("streams=", writers), func(b *testing.B) {
			b.ReportAllocs()
			var batches []int
			s := mustOpen(b, newPath(b),
				Options{Observe: func(batch eventstore.Batch) { batches = append(batches, batch.Appends) }})
			chains := make([]*benchChain, writers)
			for i := range chains {
				chains[i] = newBenchChain(i)
			}
			raw, rawTime, syncs := newRawLog(b, writers), time.Duration(0), 0
			b.ResetTimer()
			for left := b.N; left > 0; {
				turn := min(left, 32*writers)
				left -= turn
				appendAll(b, s, chains, turn)
				b.StopTimer()
				rawTime += raw.write(b, batches)
				syncs += len(batches)
				batches = batches[:0]
				b.StartTimer()
			}
			b.StopTimer()
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
			b.ReportMetric(float64(b.N)/rawTime.Seconds(), "raw/s")
			b.ReportMetric(rawTime.Seconds()/b.Elapsed().Seconds(), "of-raw")
			b.ReportMetric(float64(b.N)/float64(syncs), "appends/sync")
		})
	}
}

func appendAll(b *testing.B, s *Store, chains []*benchChain, total int) {
	var wg sync.WaitGroup
	for i, c := range chains {
		n := total / len(chains)
		if i < total%len(chains) {
			n++
		}
		wg.Go(func() {
			for range n {
				if err := s.Append(context.Background(), c.next()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// rawLog is bbolt alone: one bucket, one Put a record, one Update a batch.
type rawLog struct {
	db         *bolt.DB
	record     []byte
	streams, n int
}

var rawBucket = []byte("log")

func newRawLog(b *testing.B, streams int) *rawLog {
	db, err := bolt.Open(newPath(b), 0o600, Options{}.withDefaults().bolt())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if err := db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket(rawBucket); return err }); err != nil {
		b.Fatal(err)
	}
	return &rawLog{db, bytes.Repeat([]byte{'x'}, crcSize+linkSize+hashSize+1+benchKey+benchData), streams, 0}
}

func (r *rawLog) write(b *testing.B, batches []int) time.Duration {
	start := time.Now()
	for _, size := range batches {
		err := r.db.Update(func(tx *bolt.Tx) error {
			bucket := tx.Bucket(rawBucket)
			for range size {
				if err := bucket.Put(logKey(uint64(r.n%r.streams), uint64(r.n/r.streams)), r.record); err != nil {
					return err
				}
				r.n++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// benchFile makes a file of so many streams with so many entries each, interleaved as games are.
func benchFile(b *testing.B, streams, each int) (path string, entries int) {
	path = newPath(b)
	s := mustOpen(b, path, Options{NoSync: true})
	defer s.Close()
	chains := make([]*benchChain, streams)
	for i := range chains {
		chains[i] = newBenchChain(i)
	}
	for range each {
		for from := 0; from < streams; from += 256 {
			part := chains[from:min(from+256, streams)]
			appendAll(b, s, part, len(part))
		}
	}
	return path, streams * each
}

// BenchmarkRead reads pages of 100 entries from the middle of one of many streams.
func BenchmarkRead(b *testing.B) {
	path, _ := benchFile(b, 100, 500)
	s := mustOpen(b, path, Options{})
	defer s.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		page, err := s.Read(context.Background(), fmt.Sprintf("games/%08d", i%100), uint64(1+i%400), 100, 0)
		if err != nil || len(page) != 100 {
			b.Fatal(len(page), err)
		}
	}
	b.ReportMetric(float64(b.N)*100/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkOpen opens a file with a hundred thousand streams.
func BenchmarkOpen(b *testing.B) {
	path, _ := benchFile(b, 100_000, 1)
	b.ReportAllocs()
	for b.Loop() {
		s := mustOpen(b, path, Options{})
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFileSize reports how many bytes of file a byte of data costs, for one long stream, many games of ordinary
// length, and as many that have hardly begun.
func BenchmarkFileSize(b *testing.B) {
	for _, shape := range [][2]int{{1, 20_000}, {256, 80}, {10_000, 3}} {
		b.Run(fmt.Sprintf("streams=%d/entries=%d", shape[0], shape[1]), func(b *testing.B) {
			for b.Loop() {
				path, entries := benchFile(b, shape[0], shape[1])
				b.ReportMetric(usedBytes(b, path)/float64(entries*benchData), "file/data")
				_ = os.Remove(path)
			}
		})
	}
}

// usedBytes is the size of the file without what it holds in reserve: room to grow and pages to be used again.
func usedBytes(b *testing.B, path string) float64 {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var size int64
	_ = db.View(func(tx *bolt.Tx) error {
		used := 0
		for i := 0; ; i++ {
			p, err := tx.Page(i)
			if err != nil {
				b.Fatal(err)
			}
			if p == nil {
				break
			}
			if p.Type != "free" {
				used += 1 + p.OverflowCount
				i += p.OverflowCount // what a free page says about this is out of date
			}
		}
		size = int64(used) * int64(db.Info().PageSize)
		return nil
	})
	return float64(size)
}
