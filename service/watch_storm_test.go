package service_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"google.golang.org/grpc"

	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// watchersSetting is the environment variable that says how many watchers TestStalledWatchersCostNothing has.
const watchersSetting = "WARLEDGER_TEST_WATCHERS"

const usualWatchers = 64

// TestStalledWatchersCostNothing has half of the watchers of a game read nothing while it is played on and on: when
// what lies under way to them is full, a stalled watcher makes the server hold no more, however far the game goes.
func TestStalledWatchersCostNothing(t *testing.T) {
	watchers := usualWatchers
	if text, set := os.LookupEnv(watchersSetting); set {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 {
			t.Fatalf("%s is %q, expected a number from 2", watchersSetting, text)
		}
		watchers = n
	}
	bolt, err := boltstore.Open(filepath.Join(t.TempDir(), "games.db"),
		boltstore.Options{MapSize: 64 << 20, NoSync: true})
	must(t, err)
	t.Cleanup(func() { must(t, bolt.Close()) })
	g := redBegins(open(t, func(s *setting) { s.network, s.store = true, bolt }))
	alone := heapInUse()
	c, move := gather(g, watchers, 5, true), mover(g, "generated")
	begun := heapInUse()
	play := func(records int) int {
		c.await(records*(watchers/2), func() error {
			for range records {
				if err := move(); err != nil {
					return err
				}
			}
			return nil
		})
		return heapInUse()
	}
	filled := play(600) // more than fits under way to a watcher
	later := play(150)
	each := func(from, to int) string {
		return fmt.Sprintf("%.1f KiB a watcher", float64(to-from)/1024/float64(watchers))
	}
	t.Logf("%d watchers, half stalled: heap %d KiB without them, %s at first, %s more after 600 "+
		"records, %s more after 150 more",
		watchers, alone/1024, each(alone, begun), each(begun, filled), each(filled, later))
	// A stalled watcher that cost the server something for each record would have gained 150 of them,
	// of 500 bytes or more.
	if perStalled := float64(later-filled) / float64(watchers/2); perStalled > 16<<10 {
		t.Errorf("150 records cost %.0f bytes for each stalled watcher", perStalled)
	}
	c.leave()
}

// TestWatchersInStorms has watchers of each perspective on connections that break for all of them at once, over and
// over: who watches there reads a little, stalls, hangs up in the middle of a message, or begins again at any point it
// knows of. Whatever it does, it gets the records after that point in order, none missing and none twice, and they are
// those of the log as that perspective sees it.
func TestWatchersInStorms(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.network = true }).seated()
	perspectives := map[string][]string{"spectator": nil, "red": {g.red}, "blue": {g.blue}, "both": {g.red, g.blue}}
	var wg sync.WaitGroup
	playing := make(chan struct{})
	var all []*storm
	for who, tokens := range perspectives {
		for i := range 4 {
			s := &storm{g: g, who: who, tokens: tokens, rnd: rand.New(rand.NewPCG(5, uint64(len(all)))),
				stalled: i == 0, over: playing}
			all = append(all, s)
			wg.Go(s.weather)
		}
	}
	for seed := range uint64(12) {
		if g.play(8, seed) {
			break
		}
	}
	if !g.game().Over {
		must(t, second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	}
	close(playing)
	wg.Wait()
	for _, s := range all {
		s.wantLog(t)
	}
}

// storm is a watcher in bad weather.
type storm struct {
	g       *table
	who     string
	tokens  []string
	rnd     *rand.Rand
	stalled bool
	over    chan struct{} // closed when the game is

	records []*v1.Record
	tokenAt map[uint64]string // resume tokens, by version
}

// weather watches on one connection after another until it has seen the game end.
func (s *storm) weather() {
	s.tokenAt = map[uint64]string{}
	for !s.done() {
		conn := s.g.connect()
		for range 3 {
			if s.done() {
				break
			}
			s.watch(v1.NewGameServiceClient(conn))
		}
		if err := conn.Close(); err != nil {
			s.g.t.Error(err)
		}
	}
}

// done is true when the last record is the release of the secrets.
func (s *storm) done() bool {
	if len(s.records) == 0 {
		return false
	}
	last := s.records[len(s.records)-1]
	return len(last.Events) == 1 && last.Events[0].Narration == "The secrets are released."
}

// watch begins where the watcher is, or earlier, and gives up after some messages.
func (s *storm) watch(games v1.GameServiceClient) {
	at := uint64(s.rnd.IntN(len(s.records) + 1))
	if s.rnd.IntN(2) == 0 {
		at = uint64(len(s.records))
	}
	req := after(at)
	if token, known := s.tokenAt[at]; known && s.rnd.IntN(2) == 0 {
		req = resume(token)
	}
	req.Name = s.g.name
	ctx, hangUp := context.WithCancel(as(s.tokens...))
	defer hangUp()
	stream, err := games.WatchGame(ctx, req)
	if err != nil {
		s.g.t.Error(err)
		return
	}
	if s.stalled { // reads only when all is over
		<-s.over
	}
	for range 1 + s.rnd.IntN(30) {
		m, err := stream.Recv()
		if err != nil {
			s.g.t.Errorf("%s: %v", s.who, err)
			return
		}
		if !s.take(m, &at) {
			return
		}
	}
	if s.rnd.IntN(2) == 0 { // vanish with a message under way
		go func() { _, _ = stream.Recv() }()
	}
}

// take checks a message against what came before; false ends the watch.
func (s *storm) take(m *v1.WatchGameResponse, at *uint64) bool {
	s.tokenAt[m.Version] = m.ResumeToken
	r := m.GetRecord()
	if r == nil {
		return !s.done()
	}
	*at++
	if r.Version != *at || m.Version != *at {
		s.g.t.Errorf("%s: got record %d, expected %d", s.who, r.Version, *at)
		return false
	}
	switch n := uint64(len(s.records)); {
	case *at == n+1:
		s.records = append(s.records, r)
	case s.records[*at-1].Hash != r.Hash:
		s.g.t.Errorf("%s: record %d has hash %s, before it had %s", s.who, r.Version, r.Hash, s.records[*at-1].Hash)
	}
	return !s.done()
}

// wantLog holds what was seen against the log as the perspective is shown it now, but for what only
// the end has uncovered.
func (s *storm) wantLog(t *testing.T) {
	t.Helper()
	wantWholeLog(t, s.who, s.records, s.g)
	for i, r := range s.g.records(true, s.tokens...) {
		if i < len(s.records) && s.records[i].Hidden == r.Hidden {
			equal(t, fmt.Sprint(s.who, ", record ", i+1), s.records[i], r)
		}
	}
}

// connect gives a connection of its own.
func (h *host) connect(options ...grpc.DialOption) *grpc.ClientConn {
	h.t.Helper()
	conn, err := h.dial(options...)
	must(h.t, err)
	h.t.Cleanup(func() { _ = conn.Close() })
	return conn
}
