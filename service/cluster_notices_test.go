package service_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// clustered starts servers that go by one clock, each with a link of its own to a store that goes by it too.
func clustered(t testing.TB, d *dial, n int, set ...func(*setting)) (hosts []*host, links []*link) {
	t.Helper()
	store := memory.New(memory.WithClock(d.time))
	t.Cleanup(func() { must(t, store.Close()) })
	for range n {
		l := newLink(store.Share())
		t.Cleanup(func() { must(t, l.Store.Close()) })
		links = append(links, l)
	}
	for _, l := range links {
		hosts = append(hosts, open(t, append(slices.Clone(set), byDial(d), func(s *setting) { s.store = l })...))
	}
	return hosts, links
}

// until has time pass, a little at a time, until something is done.
func (d *dial) until(t testing.TB, step time.Duration, what string, done func() bool) {
	t.Helper()
	soon(t, what, func() bool {
		if done() {
			return true
		}
		d.pass(step)
		return false
	})
}

// TestWebhooksOfManyServers plays a game at three servers by turns, which all post to webhooks: each notice is posted
// once and in order, also when every server looks through the store for what is left to do.
func TestWebhooksOfManyServers(t *testing.T) {
	t.Parallel()
	d := newDial()
	hosts, _ := clustered(t, d, 3, posting(t))
	g, r := hosts[0].seated(), receive(t)
	g.hook(r, "/owner", g.owner, aRecord)
	begin := g.game().Version
	for i := range 12 {
		g.on(hosts[i%3]).play(1, uint64(i))
		for _, h := range hosts {
			g.on(h).game()
		}
	}
	want := int(g.game().Version - begin)
	d.until(t, 100*time.Millisecond, "all records are posted", func() bool { return len(r.records()) >= want })
	d.until(t, 100*time.Millisecond, "that is known", func() bool { return g.hooked() == g.game().Version })
	for range 20 { // of whatever the servers still have on their agendas
		d.pass(10 * time.Second)
		for _, h := range hosts {
			g.on(h).game()
		}
	}
	for i, version := range r.records() {
		if version != begin+uint64(i)+1 {
			t.Fatalf("got the records %v, want each once from %d on", r.records(), begin+1)
		}
	}
	if n := len(r.records()); n != want {
		t.Errorf("%d records were posted, want %d", n, want)
	}
}

// TestNoticeOfAServerThatDied has a server die while it posts a notice. Another, which knew nothing of the game, posts
// it under the same id once the claim has ended, and goes on from there.
func TestNoticeOfAServerThatDied(t *testing.T) {
	t.Parallel()
	d := newDial()
	hosts, links := clustered(t, d, 2, posting(t))
	g, r := hosts[1].seated(), receive(t)
	posted, died := make(chan struct{}), make(chan struct{})
	r.answers(func(_ http.ResponseWriter, _ *v1.Notice, tries int) bool {
		if tries == 1 {
			close(posted)
			<-died
			panic(http.ErrAbortHandler)
		}
		return true
	})
	g.hook(r, "/owner", g.owner, aRecord)
	g.do(g.red, "plan 0303")
	<-posted
	version := g.game().Version
	links[1].away.Store(true)
	close(died)
	hosts[1].stop()
	r.answers(nil)
	begun := d.time()
	d.until(t, 5*time.Second, "the other server posts it", func() bool { return len(r.records()) > 0 })
	if after := d.time().Sub(begun); after < time.Minute-10*time.Second {
		t.Errorf("it was posted again after %s, while the claim still held", after)
	}
	first := r.all()[0]
	if got, tries := first.notice.Data.Record.Version, r.tried(first.id); got != version || tries != 2 {
		t.Errorf("record %d came after %d tries, want %d after 2", got, tries, version)
	}
	g.on(hosts[0]).do(g.blue, "plan 0503")
	d.until(t, time.Second, "the next is posted", func() bool { return len(r.records()) > 1 })
}

// TestMailOfManyServers asks an address once whether it wants mail, whichever servers look, also while the letter of
// the first one is still on its way.
func TestMailOfManyServers(t *testing.T) {
	t.Parallel()
	d, p := newDial(), openPostOffice(t)
	var offered atomic.Int64
	arrives := make(chan struct{})
	p.hold = func() { offered.Add(1); <-arrives }
	hosts, _ := clustered(t, d, 3, mailing(t, p))
	g := hosts[0].seated()
	d.pass(30 * time.Second) // so that the others look through the store while the letter is on its way
	g.box(g.red, "red@example.org")
	d.until(t, 100*time.Millisecond, "the question is on its way", func() bool { return offered.Load() > 0 })
	for range 10 { // less than a claim lasts, and longer than the others leave it to the first one
		d.pass(4 * time.Second)
		for _, h := range hosts {
			g.on(h).game()
		}
		time.Sleep(5 * time.Millisecond)
	}
	close(arrives)
	d.until(t, 100*time.Millisecond, "the question is known to have arrived",
		func() bool { return g.on(hosts[2]).mailbox(g.red).Delivery.SuccessTime != nil })
	for range 30 {
		d.pass(10 * time.Second)
		for _, h := range hosts {
			g.on(h).game()
		}
	}
	if n := len(p.letters()); n != 1 || offered.Load() != 1 {
		t.Errorf("%d letters came, of %d", n, offered.Load())
	}
}

// TestDeadlinesOfManyServers lets a seat's time run out while all servers have the game in memory, or while only the
// one that had is dead: it is said once.
func TestDeadlinesOfManyServers(t *testing.T) {
	t.Parallel()
	for name, dies := range map[string]bool{"all there": false, "one is dead": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDial()
			hosts, _ := clustered(t, d, 3)
			g := hosts[2].seated(within(logv1.Lapse_LAPSE_NOTICE))
			if dies {
				hosts[2].stop()
			} else {
				for _, h := range hosts {
					g.on(h).game()
				}
			}
			here := g.on(hosts[0])
			before := here.game().Version
			d.pass(24 * time.Hour)
			d.until(t, 5*time.Second, "it is said", func() bool {
				page, err := hosts[1].store.Head(t.Context(), g.name)
				must(t, err)
				return page.Version > before
			})
			version := here.game().Version
			for range 20 {
				d.pass(10 * time.Second)
				here.game()
			}
			if v := here.game().Version; v != version || version > before+2 {
				t.Errorf("version %d, then %d; it was %d before", version, v, before)
			}
			g.on(hosts[1]).sound()
		})
	}
}

// TestClocksOfTwoServers has a server whose clock is fast: it ends no seat's time early, and says that it cannot serve.
func TestClocksOfTwoServers(t *testing.T) {
	t.Parallel()
	right, fast := newDial(), newDial()
	fast.pass(30 * time.Second)
	hosts, _ := clustered(t, right, 1)
	store := hosts[0].store.(*link).Store.(*memory.Store).Share()
	t.Cleanup(func() { must(t, store.Close()) })
	ahead := open(t, byDial(fast), func(s *setting) { s.store = store })
	g := hosts[0].seated(within(logv1.Lapse_LAPSE_NOTICE))
	g.on(ahead).game()
	must(t, hosts[0].service.Probe(t.Context()))
	if err := ahead.service.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Errorf("a server whose clock is 30 s fast says %v", err)
	}
	version := g.game().Version
	right.pass(24*time.Hour - 10*time.Second)
	for range 20 {
		fast.pass(24 * time.Hour / 20)
		time.Sleep(time.Millisecond)
		if v := g.on(ahead).game().Version; v != version {
			t.Fatalf("the time of a seat ended early, with record %d", v)
		}
	}
	right.pass(10 * time.Second)
	soon(t, "the time is up", func() bool { fast.pass(time.Second); return g.game().Version > version })
}

// TestLimitsOfManyServers counts games that other servers created.
func TestLimitsOfManyServers(t *testing.T) {
	t.Parallel()
	who := people{"ann.a.x": {Subject: "ann", Expires: time.Now().Add(time.Hour)}}
	hosts := cluster(t, 2, limited(service.Limits{Games: 3, OwnerGames: 1}), func(s *setting) { s.identities = who })
	must(t, second(hosts[0].games.CreateGame(as(), newGame())))
	must(t, second(hosts[1].games.CreateGame(as("ann.a.x"), newGame())))
	wantError(t, second(hosts[0].games.CreateGame(as("ann.a.x"), newGame())), codes.ResourceExhausted,
		fault.TooManyGames)
	last := newGame()
	must(t, second(hosts[0].games.CreateGame(as(), last)))
	for _, h := range hosts {
		wantError(t, second(h.games.CreateGame(as(), newGame())), codes.ResourceExhausted, fault.TooManyGames)
		must(t, second(h.games.CreateGame(as(), last)))
	}
}

// TestNoticeOfAServerThatIsLate pauses a server after it has seen that there is something to post and before it has
// claimed that. Another posts it meanwhile; the first then does not.
func TestNoticeOfAServerThatIsLate(t *testing.T) {
	t.Parallel()
	d := newDial()
	hosts, links := clustered(t, d, 2, posting(t))
	g, r := hosts[1].seated(), receive(t)
	g.hook(r, "/owner", g.owner, aRecord)
	there := g.on(hosts[0])
	seen, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	links[1].on(func(op, _ string) {
		if op == "now" {
			once.Do(func() { close(seen); <-goOn })
		}
	})
	g.do(g.red, "plan 0303")
	<-seen
	there.game()
	d.pass(20 * time.Second)
	d.until(t, 100*time.Millisecond, "the other server posts it", func() bool { return len(r.records()) > 0 })
	version := there.game().Version
	d.until(t, 100*time.Millisecond, "that is known", func() bool { return there.hooked() == version })
	close(goOn)
	there.do(g.blue, "plan 0503")
	d.until(t, 100*time.Millisecond, "the next is posted and known", func() bool { return there.hooked() == version+1 })
	for range 20 {
		d.pass(10 * time.Second)
		g.game()
	}
	if got := r.records(); !slices.Equal(got, []uint64{version, version + 1}) {
		t.Errorf("the records came as %v", got)
	}
}

// hooked is the version up to which the owner's webhook is served.
func (g *table) hooked() uint64 {
	g.t.Helper()
	out, err := g.notifications().ListWebhooks(as(g.owner), &v1.ListWebhooksRequest{Parent: g.name})
	must(g.t, err)
	return out.Webhooks[0].Delivery.AfterVersion
}

// TestAWrongClockCostsNobodyTime: a server whose clock is wrong stores records with the time of the store that it
// shares, so that the time of the seat that is on turn afterwards runs as long as was agreed.
func TestAWrongClockCostsNobodyTime(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(right, wrong *dial){
		"slow": func(right, _ *dial) { right.pass(50 * time.Minute) },
		"fast": func(_, wrong *dial) { wrong.pass(3 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			right, wrong := newDial(), newDial()
			hosts, _ := clustered(t, right, 1)
			store := hosts[0].store.(*link).Store.(*memory.Store).Share()
			t.Cleanup(func() { must(t, store.Close()) })
			other := open(t, byDial(wrong), func(s *setting) { s.store = store })
			g := hosts[0].seated(within(logv1.Lapse_LAPSE_FORFEIT, func(d *logv1.Deadlines) {
				d.Allowance = durationpb.New(time.Hour)
			}))
			g.do(g.red, "plan 0303")
			g.do(g.blue, "plan 0303")
			first, second, waits := g.red, g.blue, "blue"
			if g.clockOf("blue").DueTime != nil { // the dice say who moves first
				first, second, waits = g.blue, g.red, "red"
			}
			set(right, wrong)
			if err := other.service.Probe(t.Context()); err == nil {
				t.Fatal("the clocks differ, and the probe says that they agree")
			}
			for g.clockOf(waits).DueTime == nil {
				g.on(other).do(first, "end")
			}
			if got := g.clockOf(waits).DueTime.AsTime().Sub(right.time()); got != time.Hour {
				t.Errorf("%s has %s of an hour", waits, got)
			}
			wrong.pass(right.time().Sub(wrong.time())) // and somebody sets it
			must(t, other.service.Probe(t.Context()))
			wrong.pass(time.Minute)
			right.pass(time.Minute)
			g.on(other).do(second, "end")
			if got := g.game().UpdateTime.AsTime(); !got.Equal(right.time()) {
				t.Errorf("the record says %s and it is %s", got, right.time())
			}
		})
	}
}
