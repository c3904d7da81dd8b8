package service_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
)

// linked starts a server on a store, and others that reach the same store over links of their own.
func linked(t testing.TB, n int, set ...func(*setting)) (first *host, links []*link, hosts []*host) {
	t.Helper()
	store := memory.New()
	for range n {
		l := newLink(store.Share())
		t.Cleanup(func() { must(t, l.Store.Close()) })
		links = append(links, l)
		hosts = append(hosts, open(t, append(set, func(s *setting) { s.store = l })...))
	}
	t.Cleanup(func() { must(t, store.Close()) })
	return open(t, append(set, func(s *setting) { s.store = store })...), links, hosts
}

// nth has something happen once, before the nth call that reads a game.
func (l *link) nth(n int, do func()) {
	var mu sync.Mutex
	l.on(func(op, stream string) {
		mu.Lock()
		defer mu.Unlock()
		if !strings.HasPrefix(stream, "games/") || op != "read" && op != "head" {
			return
		}
		if n--; n == 0 {
			do()
		}
	})
}

// TestReadsAreOfOneMoment changes a game between any two reads of a call at another server: what the call sees of the
// log and of what is kept beside it belongs together. So a token is void in every answer that shows its revocation.
func TestReadsAreOfOneMoment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		records int // in pairs
		known   bool
		reads   int // that a call makes at least
	}{
		"a game that is not in memory": {reads: 1},
		"a long one":                   {records: 130, reads: 2},
		"one in memory":                {known: true, reads: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, changed := 1, true; changed; n++ {
				first, links, hosts := linked(t, 1)
				g := first.seated()
				there := g.on(hosts[0])
				if tt.known {
					there.game()
				}
				g.do(g.red, "plan 0303")
				for range tt.records {
					must(t, second(g.undo(g.red, 0, false)))
					must(t, second(g.redo(g.red)))
				}
				before := g.game().Version
				changed = false
				links[0].nth(n, func() {
					changed = true
					must(t, second(g.games.LeaveSeat(as(g.red), &v1.LeaveSeatRequest{Name: g.name, RequestId: id()})))
				})
				out, err := there.games.GetGame(as(g.red), &v1.GetGameRequest{Name: g.name})
				links[0].on(nil)
				switch {
				case err != nil:
					wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
				case out.Game.Version != before:
					t.Errorf("read %d: the token opens version %d, and is void since %d", n, out.Game.Version, before+1)
				}
				if !changed && n <= tt.reads {
					t.Errorf("the call has only %d reads", n-1)
				}
				equal(t, "the game", there.game(), g.game())
			}
		})
	}
}

// TestStoreThatIsAway cuts a server off from its store: it starts, answers every call with UNAVAILABLE and never with
// what it remembers, ends its watches so that they go on elsewhere, and serves as soon as the store is back.
func TestStoreThatIsAway(t *testing.T) {
	t.Parallel()
	quick := func(s *setting) { s.limits.MinHeartbeat = time.Millisecond }
	first, links, hosts := linked(t, 1, quick)
	l, h := links[0], hosts[0]
	l.away.Store(true)
	late := open(t, quick, func(s *setting) { s.store = l }) // starts all the same
	l.away.Store(false)
	g := first.seated()
	there := g.on(h)
	there.game()
	start := after(g.game().Version)
	start.Heartbeat = durationpb.New(10 * time.Millisecond)
	w := there.watch(start, g.red)
	w.next()
	l.away.Store(true)
	g.do(g.red, "plan 0303")
	for _, at := range []*host{h, late} {
		there := g.on(at)
		for _, err := range []error{
			second(there.games.GetGame(as(g.red), &v1.GetGameRequest{Name: g.name})),
			second(there.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name})),
			second(there.games.SubmitCommand(as(g.blue), g.command("plan 0503"))),
			second(there.games.ListGames(as(), &v1.ListGamesRequest{})),
			at.service.Probe(t.Context()),
		} {
			if err == nil {
				t.Error("a server without a store answers")
			} else if !strings.Contains(err.Error(), "cut") {
				wantError(t, err, codes.Unavailable, fault.StoreFailed)
			}
		}
	}
	for {
		m, err := w.stream.Recv()
		if err != nil {
			wantError(t, err, codes.Unavailable, fault.StoreFailed)
			break
		}
		w.token = m.ResumeToken
		if m.GetRecord() != nil {
			t.Errorf("got %v", m)
		}
	}
	if r := g.watch(resume(w.token), g.red).record(); r.Version != g.game().Version {
		t.Errorf("at the other server the watch goes on with record %d", r.Version)
	}
	l.away.Store(false)
	for _, at := range []*host{h, late} {
		equal(t, "the game", g.on(at).game(g.red), g.game(g.red))
		must(t, at.service.Probe(t.Context()))
	}
	there.do(g.blue, "plan 0503")
}

// TestCommandOfAServerThatIsLost loses a server, or the way to its store, in the middle of a command. Sent again with
// its id, wherever, the command is done once.
func TestCommandOfAServerThatIsLost(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		// stored is true if the append arrives in the store.
		stored bool
		// away is true if the server then hears no answer of the store.
		away bool
	}{
		"stored, and slow to say so": {stored: true},
		"stored, and never said":     {stored: true, away: true},
		"paused before it is stored": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, links, hosts := linked(t, 1)
			g := first.seated()
			l, there := links[0], g.on(hosts[0])
			there.game()
			begun, goOn := make(chan struct{}), make(chan struct{})
			hold := func() {
				close(begun)
				<-goOn
				l.away.Store(tt.away)
			}
			if tt.stored {
				l.onStored(hold)
			} else {
				var once sync.Once
				l.on(func(op, stream string) {
					if op == "append" {
						once.Do(hold)
					}
				})
			}
			command := g.command("plan 0303")
			type answer struct {
				out *v1.SubmitCommandResponse
				err error
			}
			slow := make(chan answer, 1)
			go func() {
				out, err := there.games.SubmitCommand(as(g.red), command)
				slow <- answer{out, err}
			}()
			<-begun
			again, err := g.games.SubmitCommand(as(g.red), command)
			must(t, err)
			g.do(g.blue, "plan 0503")
			close(goOn)
			late := <-slow
			if tt.away {
				if data := wantError(t, late.err, codes.Unavailable, fault.StoreFailed); data["uncertain"] != "true" {
					t.Errorf("got %v", data)
				}
			} else {
				must(t, late.err)
				equal(t, "the record", late.out.Record, again.Record)
			}
			l.away.Store(false)
			equal(t, "the game", there.game(), g.game())
			if v := g.game().Version; v != again.Record.Version+1 && v != again.Record.Version+2 {
				t.Errorf("version %d after the records %d", v, again.Record.Version)
			}
		})
	}
}

// TestStoreThatWentBack puts a store in place that has not all of what was answered, as when a standby takes over that
// had not got it all. The server says so in its log and shows what is stored; a watch that saw more ends.
func TestStoreThatWentBack(t *testing.T) {
	t.Parallel()
	log, store, old := new(logged), memory.New(), memory.New()
	l := newLink(store.Share())
	t.Cleanup(func() { must(t, l.Store.Close()); must(t, store.Close()); must(t, old.Close()) })
	must(t, old.Share().Close()) // so that it says that it is shared
	g := open(t, func(s *setting) { s.store, s.log = l, log }).seated()
	var copied bytes.Buffer
	must(t, second(dump.Write(t.Context(), store, &copied)))
	must(t, second(dump.Read(t.Context(), &copied, old)))
	before := g.game()
	g.do(g.red, "plan 0303")
	w := g.watch(after(before.Version), g.red)
	w.record()
	w.next()
	l.other.Store(old)
	equal(t, "the game", g.game(), before)
	if log.has("the store has gone back") != 1 {
		t.Error("the server's log does not say so")
	}
	_, err := w.stream.Recv()
	wantError(t, err, codes.OutOfRange, fault.CursorAhead)
	g.do(g.red, "plan 0503")
}

// laterRules is the toy as a later program has it.
type laterRules struct{ rules.Ruleset }

func (n laterRules) About() *rules.About {
	about := *n.Ruleset.About()
	about.Version++
	return &about
}

// TestServersWithDifferentRules has a server with older rules beside one with newer ones, as in the middle of an
// upgrade. Games that were made under the older rules go on at both. The older program refuses the others.
func TestServersWithDifferentRules(t *testing.T) {
	t.Parallel()
	store := memory.New()
	share := store.Share()
	t.Cleanup(func() { must(t, store.Close()); must(t, share.Close()) })
	of := func(s eventstore.Store, r rules.Ruleset) func(*setting) {
		return func(set *setting) { set.store, set.ruleset = s, r }
	}
	older, later := open(t, of(store, toy.Ruleset())), open(t, of(share, laterRules{toy.Ruleset()}))
	g := older.seated()
	for i, over := 0, false; !over && i < 400; i++ {
		over = []*table{g, g.on(later)}[i%2].play(1, uint64(i))
	}
	if found := g.on(later).findings(); len(found) > 0 {
		t.Errorf("an audit finds %q", found)
	}
	other := later.seated()
	there := other.on(older)
	for _, err := range []error{
		second(there.games.GetGame(as(), &v1.GetGameRequest{Name: other.name})),
		second(there.games.SubmitCommand(as(other.red), other.command("plan 0303"))),
	} {
		wantError(t, err, codes.FailedPrecondition, fault.GameUnplayable)
	}
	other.do(other.red, "plan 0303")
}
