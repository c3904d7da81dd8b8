//go:build linux

package cluster

import (
	"math/rand/v2"
	"sync"
	"syscall"
	"time"
)

// failure is something that fails for a while, and is mended.
type failure struct {
	name string
	run  func(w *world, d *databases, rng *rand.Rand)
}

// between waits for a time between two bounds.
func between(rng *rand.Rand, least, most time.Duration) {
	time.Sleep(least + time.Duration(rng.Int64N(int64(most-least)+1)))
}

func (w *world) anyNode(rng *rand.Rand) *node { return w.nodes[rng.IntN(len(w.nodes))] }

// longPause is how long a server stands still: longer than a statement may take.
const longPause = 15 * time.Second

// ofNodes are what happens to servers.
var ofNodes = []failure{
	{"a server is killed", func(w *world, _ *databases, rng *rand.Rand) {
		n := w.anyNode(rng)
		n.kill()
		between(rng, 0, time.Second)
		n.begin()
	}},
	{"two servers are killed", func(w *world, _ *databases, rng *rand.Rand) {
		i := rng.IntN(len(w.nodes))
		for _, n := range []*node{w.nodes[i], w.nodes[(i+1)%len(w.nodes)]} {
			n.kill()
			defer n.begin()
		}
		between(rng, 0, time.Second)
	}},
	{"a server stands still", func(w *world, _ *databases, rng *rand.Rand) {
		n := w.anyNode(rng)
		n.signal(syscall.SIGSTOP)
		time.Sleep(longPause)
		n.signal(syscall.SIGCONT)
	}},
	{"a server stands still, shortly", func(w *world, _ *databases, rng *rand.Rand) {
		n := w.anyNode(rng)
		n.signal(syscall.SIGSTOP)
		between(rng, 100*time.Millisecond, 2*time.Second)
		n.signal(syscall.SIGCONT)
	}},
	{"a server is cut off from the databases", func(w *world, d *databases, rng *rand.Rand) {
		n := w.anyNode(rng)
		for _, m := range d.both {
			w.network.cut(n.namespace, m.namespace)
			defer w.network.mend(n.namespace, m.namespace)
		}
		between(rng, 500*time.Millisecond, 6*time.Second)
	}},
	{"a server is cut off from players", func(w *world, _ *databases, rng *rand.Rand) {
		n := w.anyNode(rng)
		w.network.cut(n.namespace, w.players)
		defer w.network.mend(n.namespace, w.players)
		between(rng, 500*time.Millisecond, 3*time.Second)
	}},
}

// ofDatabases are what happens to databases.
var ofDatabases = []failure{
	{"the link to the standby is cut", func(w *world, d *databases, rng *rand.Rand) {
		w.network.cut(d.primary.namespace, d.standby.namespace)
		defer w.network.mend(d.primary.namespace, d.standby.namespace)
		between(rng, 500*time.Millisecond, 4*time.Second)
	}},
	{"the primary is killed, and the standby promoted", func(_ *world, d *databases, rng *rand.Rand) {
		d.primary.kill()
		between(rng, 0, 2*time.Second)
		d.promote()
		between(rng, 0, 2*time.Second)
		d.rejoin()
	}},
	cutAndPromote,
	{"the primary starts again", func(_ *world, d *databases, _ *rand.Rand) { d.restart() }},
	{"the network is slow", func(w *world, _ *databases, rng *rand.Rand) {
		usual := w.network.delay.Swap(int64(15 * time.Millisecond))
		between(rng, 500*time.Millisecond, 2*time.Second)
		w.network.delay.Store(usual)
	}},
}

// cutAndPromote loses what was acknowledged unless the primary waits for its standby.
var cutAndPromote = failure{"the link to the standby is cut, the primary killed, and the standby promoted",
	func(w *world, d *databases, rng *rand.Rand) {
		from, to := d.primary, d.standby
		w.network.cut(from.namespace, to.namespace)
		between(rng, 1500*time.Millisecond, 2*time.Second)
		from.kill()
		between(rng, 0, time.Second)
		d.promote()
		w.network.mend(from.namespace, to.namespace)
		between(rng, 0, time.Second)
		d.rejoin()
	}}

// weather has everything fail once, in an order that the seed decides: servers and databases side by side.
func (w *world) weather(d *databases) {
	var wg sync.WaitGroup
	for i, kinds := range [][]failure{ofNodes, ofDatabases} {
		rng := rand.New(rand.NewPCG(w.seed, uint64(2+i)))
		order := rng.Perm(len(kinds))
		wg.Go(func() {
			for _, k := range order {
				between(rng, 200*time.Millisecond, 1500*time.Millisecond)
				kinds[k].run(w, d, rng)
			}
		})
	}
	wg.Wait()
	time.Sleep(time.Second)
}
