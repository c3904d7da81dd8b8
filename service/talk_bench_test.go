//go:build unix

package service_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// BenchmarkMessageInAFullRoom has a message said at a table whose room is full, in memory and on disk.
func BenchmarkMessageInAFullRoom(b *testing.B) {
	for name, make := range map[string]func() eventstore.Store{
		"memory": func() eventstore.Store { return memory.New() },
		"bbolt": func() eventstore.Store {
			store, err := boltstore.Open(filepath.Join(b.TempDir(), "games.db"), boltstore.Options{})
			must(b, err)
			return store
		},
	} {
		b.Run("store="+name, func(b *testing.B) {
			store := &reads{Store: make()}
			b.Cleanup(func() { must(b, store.Close()) })
			g := crowded(b, store)
			b.ReportAllocs()
			before, n := store.written.Load(), 0
			for b.Loop() {
				g.chat(n)
				n++
			}
			b.ReportMetric(float64(store.written.Load()-before)/float64(n), "written-bytes/op")
		})
	}
}

// BenchmarkListeners has listeners of full rooms told that the owner has changed something. It counts the time of the
// processor that a change takes, server and listeners together.
func BenchmarkListeners(b *testing.B) {
	for _, n := range []int{32, 100} {
		b.Run(fmt.Sprint("listeners=", n), func(b *testing.B) {
			g := filled(b)
			alone := heapInUse()
			conn, heard := g.listeners(n)
			each := float64(heapInUse()-alone) / float64(n)
			on, begun := false, cpuTime(b)
			for b.Loop() {
				before := heard.Load()
				on = !on
				must(b, second(g.talk().UpdateTalk(as(g.owner),
					&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: &on})))
				for heard.Load() < before+int64(n) {
					time.Sleep(time.Millisecond)
				}
			}
			b.ReportMetric(each, "bytes/listener")
			b.ReportMetric(float64((cpuTime(b)-begun).Microseconds())/float64(b.N), "cpu-µs/change")
			must(b, conn.Close())
		})
	}
}
