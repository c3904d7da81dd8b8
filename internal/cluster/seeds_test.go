//go:build linux

package cluster

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, folder := range []string{template.folder, programs.folder} {
		if folder != "" {
			_ = os.RemoveAll(folder)
		}
	}
	os.Exit(code)
}

// setting is what a world is made of.
type setting struct {
	seed uint64
	// path is the server's program, and planted what its nodes are told, by their place.
	path    string
	planted func(i int) string
	// databases starts the database.
	databases func(*world) base
	// more are further arguments of the servers.
	more  []string
	limit time.Duration
	quick bool
}

// base is what the servers stand on.
type base struct {
	// store is the address of the database.
	store string
	// weather has things fail, until nothing fails any more.
	weather func()
	// check examines what is stored.
	check func()
}

// primaryAndStandby starts two databases, with weather of their own.
func primaryAndStandby(asynchronous bool, weather func(*world, *databases)) func(*world) base {
	return func(w *world) base {
		d := newDatabases(w.t, w.network, asynchronous)
		return base{store: "postgres://warledger@10.77.0.21,10.77.0.22/warledger", check: func() { w.checkStore(d) },
			weather: func() { weather(w, d) }}
	}
}

// asItIs plants nothing.
func asItIs(int) string { return "" }

// play plays one seed and returns what is wrong with it.
func play(t *testing.T, s setting) []string {
	t.Helper()
	network := newNetwork(t, s.seed)
	network.delay.Store(int64(100 * time.Microsecond))
	w := &world{t: t, seed: s.seed, network: network, players: network.add("10.77.0.1"), over: make(chan struct{}),
		limit: s.limit, quick: s.quick, counts: make(map[string]int)}
	w.receiver = newReceiver(t, w.players)
	below := s.databases(w)
	key := filepath.Join(t.TempDir(), "signing-key")
	for i := range 3 {
		w.nodes = append(w.nodes, newNode(t, network, i+1, s.path, s.planted(i), below.store, key, s.more...))
		if i == 0 {
			w.serving(w.nodes[0]) // it makes the key that all sign with
		}
	}
	for _, n := range w.nodes {
		w.serving(n)
	}
	w.run(below)
	if t.Failed() || len(w.wrong) > 0 {
		for i, n := range w.nodes {
			t.Logf("server %d said:\n%s", i+1, n.said())
		}
	}
	var figures []string
	for _, what := range slices.Sorted(maps.Keys(w.counts)) {
		figures = append(figures, fmt.Sprintf("%d %s", w.counts[what], what))
	}
	t.Logf("seed %d: %s", s.seed, strings.Join(figures, ", "))
	return w.wrong
}

// serving waits until a server takes calls, whether it says that it is ready or not.
func (w *world) serving(n *node) {
	w.t.Helper()
	eventually(w.t, "a server takes calls", n.said, func() bool {
		if !n.alive() {
			w.t.Fatalf("a server ended by itself:\n%s", n.said())
		}
		return w.answers("http://" + n.address.String() + ":" + opsPort + "/healthz")
	})
}

// answers reports whether an address answers well to the players.
func (w *world) answers(url string) bool {
	asking := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			return w.players.dial(ctx, address)
		},
	}}
	resp, err := asking.Get(url)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (w *world) run(below base) {
	lanes := []*lane{{ruleset: "toy", scenario: "ridge"}, {ruleset: "toy", scenario: "ridge"},
		{ruleset: "downfall", scenario: "olympic"}}
	var working sync.WaitGroup
	id := 0
	begin := func(f func(*client)) {
		id++
		c := w.client(id)
		working.Go(func() { f(c) })
	}
	for i, l := range lanes {
		for range 3 - i {
			begin(func(c *client) { c.play(l) })
		}
	}
	for _, l := range lanes[:2] {
		begin(func(c *client) { c.share(l) })
	}
	for range 2 {
		begin((*client).sign)
	}
	if w.quick {
		begin((*client).leave)
	}
	for _, l := range lanes {
		l.now(w.client(90))
	}
	below.weather()
	close(w.over)
	working.Wait()
	for i, n := range w.nodes {
		if !n.alive() {
			w.fault("server %d ended by itself", i+1)
			n.begin()
		}
		w.serving(n)
	}
	w.finish()
	w.check()
	below.check()
}

// finish waits for what must still come: watchers at the end of their games, notices, and deadlines.
func (w *world) finish() {
	c := w.client(98)
	for _, g := range w.games {
		now, err := c.look(g, "")
		if err != nil {
			w.fault("%s: in the end: %v", g.name, err)
			g.last.Store(g.begin) // so that its watchers come to an end
			continue
		}
		g.last.Store(now.Version)
	}
	for _, g := range w.games {
		g.watching.Wait()
	}
	w.waited(func() bool {
		for _, g := range w.games {
			if len(w.receiver.missing(g, g.begin, g.last.Load())) > 0 {
				return false
			}
		}
		return true
	})
	w.waited(func() bool {
		for _, g := range w.idle {
			if len(c.lapses(g)) < len(g.idle) {
				return false
			}
		}
		return true
	})
}

// waited waits for as long as a call may take.
func (w *world) waited(done func() bool) {
	for begun := time.Now(); !done() && time.Since(begun) < w.limit; {
		time.Sleep(100 * time.Millisecond)
	}
}

// seedsVariable names the environment variable that holds how many seeds are played, and the first one after a comma.
const seedsVariable = "WARLEDGER_CLUSTER_SEEDS"

// seeds are the seeds to play.
func seeds(t *testing.T) (list []uint64) {
	t.Helper()
	count, first, _ := strings.Cut(os.Getenv(seedsVariable), ",")
	n, from := uint64(2), uint64(0)
	if testing.Short() {
		n, from = 1, 1
	}
	var err error
	if count != "" {
		if n, err = strconv.ParseUint(count, 10, 32); err != nil {
			t.Fatalf("%s: %v", seedsVariable, err)
		}
	}
	if first != "" {
		if from, err = strconv.ParseUint(first, 10, 32); err != nil {
			t.Fatalf("%s: %v", seedsVariable, err)
		}
	}
	for i := range n {
		list = append(list, from+i)
	}
	return list
}

// quickClocks has the clocks of all servers and of their store run quickly, and some servers' be wrong.
func quickClocks(seed uint64) func(i int) string {
	return func(i int) string {
		plant := fmt.Sprintf("speed=20 since=%d", began)
		if skew := []string{"", "30s", "-30s"}[i]; seed%4 == 3 && skew != "" {
			plant += " skew=" + skew
		}
		return plant
	}
}

// TestSeeds plays games while everything fails, and finds nothing wrong. Seeds with even numbers have the server as it
// is; the others have clocks that run twenty times as quickly, and every second of those wrong ones.
func TestSeeds(t *testing.T) {
	t.Parallel()
	wanted(t)
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			s := setting{seed: seed, limit: patience, quick: seed%2 == 1,
				databases: primaryAndStandby(false, (*world).weather)}
			if s.quick {
				s.path, s.planted = withFaults(t), quickClocks(seed)
			} else {
				s.path, s.planted = product(t), asItIs
			}
			if wrong := play(t, s); len(wrong) > 0 {
				t.Errorf("seed %d:\n%s", seed, strings.Join(wrong, "\n"))
			}
		})
	}
}

// calm has nothing fail for a while.
func calm(*world, *databases) { time.Sleep(4 * time.Second) }

// TestSuiteFindsFaults plants faults, of the servers and of the database, and fails if no seed shows one.
func TestSuiteFindsFaults(t *testing.T) {
	t.Parallel()
	wanted(t)
	if testing.Short() {
		t.Skip("this needs a minute of its own")
	}
	for _, c := range []struct {
		name, plant string
		// want is in the words of what must be found.
		want         string
		asynchronous bool
		weather      func(*world, *databases)
	}{
		{"metadata are stored whatever was there", "anymeta", "revoked token opens", false, calm},
		{"servers do not read on", "alone", "that saw record", false, calm},
		{"an asynchronous standby takes over", "", "was acknowledged", true, func(w *world, d *databases) {
			time.Sleep(time.Second)
			cutAndPromote.run(w, d, rand.New(rand.NewPCG(w.seed, 2)))
			time.Sleep(time.Second)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := setting{path: withFaults(t), planted: func(int) string { return c.plant }, limit: 10 * time.Second,
				databases: primaryAndStandby(c.asynchronous, c.weather)}
			if c.asynchronous {
				s.more = []string{"--accept-loss"}
			}
			for seed := range uint64(6) {
				s.seed = 1000 + seed
				wrong := play(t, s)
				if slices.ContainsFunc(wrong, func(s string) bool { return strings.Contains(s, c.want) }) {
					t.Logf("seed %d shows it:\n%s", seed, strings.Join(wrong, "\n"))
					return
				}
				t.Logf("seed %d does not show it:\n%s", seed, strings.Join(wrong, "\n"))
			}
			t.Errorf("no seed shows it: nothing says %q", c.want)
		})
	}
}
