//go:build unix

package service_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

// stocked opens a store that is quick to fill, and a server on it.
func stocked(b *testing.B) (h *host, path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "games.db")
	store, err := boltstore.Open(path, boltstore.Options{NoSync: true})
	must(b, err)
	b.Cleanup(func() { must(b, store.Close()) })
	return open(b, func(s *setting) { s.store = store }), path
}

// BenchmarkIdleGame reports what a game of so many records costs in memory when nobody plays it: as it is after it was
// read, per game, and for each record.
func BenchmarkIdleGame(b *testing.B) {
	for _, records := range []uint64{5, 1000} {
		b.Run(fmt.Sprint("records=", records), func(b *testing.B) {
			for b.Loop() {
				h, _ := stocked(b)
				const games = 50
				var names []string
				for range games {
					names = append(names, grown(h, records).name)
				}
				again := open(b, func(s *setting) { s.store = h.store })
				must(b, second(again.games.GetGame(as(), &v1.GetGameRequest{Name: names[0]})))
				before := heapInUse()
				for _, name := range names[1:] {
					must(b, second(again.games.GetGame(as(), &v1.GetGameRequest{Name: name})))
				}
				b.ReportMetric(float64(heapInUse()-before)/(games-1)/1024, "KiB/game")
				again.stop()
				h.stop()
			}
		})
	}
}

// BenchmarkRecordSize reports how many bytes of file a record costs for each byte that it is encoded in, summaries,
// secrets, keys and all, when 256 games are played at once.
func BenchmarkRecordSize(b *testing.B) {
	for b.Loop() {
		h, path := stocked(b)
		var wg sync.WaitGroup
		for range 256 {
			wg.Go(func() { grown(h, 80) })
		}
		wg.Wait()
		stats := h.store.Stats()
		h.stop()
		must(b, h.store.Close())
		b.ReportMetric(used(b, path)/float64(stats.Bytes), "file/encoded")
		b.ReportMetric(float64(stats.Bytes)/float64(stats.Entries), "B/record")
	}
}

// used is the size of a file in bytes without what it holds in reserve: room to grow, and pages to be used again.
func used(b *testing.B, path string) (size float64) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	must(b, err)
	must(b, db.View(func(tx *bolt.Tx) error {
		for i := 0; ; i++ {
			p, err := tx.Page(i)
			if p == nil || err != nil {
				return err
			}
			if p.Type != "free" {
				size += float64((1 + p.OverflowCount) * db.Info().PageSize)
				i += p.OverflowCount // what a free page says about this is of former times
			}
		}
	}))
	must(b, db.Close())
	return size
}

// grown is a game of so many records: a unit moves and comes back.
func grown(h *host, records uint64) *table {
	g := redBegins(h)
	for move := mover(g, "cheap"); records > 5; records-- {
		must(h.t, move())
	}
	return g
}

// BenchmarkStart opens a file with 100,000 games, makes the service and the server, and asks for the
// first page of the list.
func BenchmarkStart(b *testing.B) {
	h, path := stocked(b)
	multiply(b, h, redBegins(h), 100_000)
	h.stop()
	must(b, h.store.Close())
	b.ReportAllocs()
	for b.Loop() {
		store := openBolt(b, path)
		again := open(b, func(s *setting) { s.store = store })
		out, err := again.games.ListGames(as(), &v1.ListGamesRequest{PageSize: 50})
		must(b, err)
		if len(out.Games) != 50 {
			b.Fatalf("%d games", len(out.Games))
		}
		b.StopTimer()
		again.stop()
		must(b, store.Close())
		b.StartTimer()
	}
}

// multiply stores copies of a game under other names.
func multiply(b *testing.B, h *host, g *table, games int) {
	entries, err := h.store.Read(b.Context(), g.name, 1, 0, 0)
	must(b, err)
	info, err := h.store.Head(b.Context(), g.name)
	must(b, err)
	meta, err := ledger.DecodeMeta(info.Meta)
	must(b, err)
	spelling := base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	var wg sync.WaitGroup
	for writer := range 256 {
		wg.Go(func() {
			mine := proto.CloneOf(meta)
			for n := writer; n < games; n += 256 {
				sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n)))
				mine.Summary.Game = spelling.EncodeToString(sum[:16])
				data, err := ledger.EncodeMeta(mine)
				if err == nil {
					err = h.store.Append(b.Context(),
						eventstore.Append{Stream: "games/" + mine.Summary.Game, Entries: entries, Meta: data})
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
