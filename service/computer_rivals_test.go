package service_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// turnstile is a store that asks before it appends to a game, once it is shut.
type turnstile struct {
	eventstore.Store
	shut            atomic.Bool
	arrived, passes chan struct{}
}

func (g *turnstile) Append(ctx context.Context, a eventstore.Append) error {
	if strings.HasPrefix(a.Stream, "games/") && g.shut.Swap(false) { // a second try finds what the other has written
		g.arrived <- struct{}{}
		<-g.passes
	}
	return g.Store.Append(ctx, a)
}

// byTestClock is a store that several servers may share, and that goes by a test's clock.
type byTestClock struct {
	eventstore.Store
	d *dial
}

func (s byTestClock) Now(context.Context) (time.Time, error) { return s.d.time(), nil }

// played is how many seats the book has of a computer.
func (h *host) played(name string) int32 {
	h.t.Helper()
	list, err := h.computers().ListComputers(as(), &v1.ListComputersRequest{})
	must(h.t, err)
	for _, c := range list.Computers {
		if c.Name == name {
			return c.Seats
		}
	}
	return -1
}

// TestTwoServersGiveOneSeat: two servers give one seat to two computers at once. The one that the log names plays. The
// other server erased its post: the seat was held by a computer that was never told.
func TestTwoServersGiveOneSeat(t *testing.T) {
	t.Parallel()
	first := memory.New()
	t.Cleanup(func() { must(t, first.Close()) })
	share := shares(t, first)
	var hosts []*host
	var gates []*turnstile
	for range 2 {
		g := &turnstile{Store: share(), arrived: make(chan struct{}), passes: make(chan struct{})}
		gates = append(gates, g)
		hosts = append(hosts, open(t, func(s *setting) { s.store = g }))
	}
	posts, _, one := hosts[0].offered(account("b"), "One")
	_, _, two := hosts[1].offered(account("c"), "Two")
	g := hosts[0].create()
	there := g.on(hosts[1])
	_ = there.game()
	errs := []chan error{make(chan error, 1), make(chan error, 1)}
	for _, g := range gates {
		g.shut.Store(true)
	}
	go func() { errs[0] <- second(g.give(g.owner, "blue", one.Name, id())) }()
	<-gates[0].arrived
	go func() { errs[1] <- second(there.give(g.owner, "blue", two.Name, id())) }()
	<-gates[1].arrived
	close(gates[0].passes)
	must(t, <-errs[0])
	close(gates[1].passes)
	wantError(t, <-errs[1], codes.FailedPrecondition, fault.SeatTaken)
	equal(t, "who sits there", seatOf(there.game(), "blue").Computer, one.Name)
	equal(t, "seats of the first", hosts[0].played(one.Name), int32(1))
	equal(t, "seats of the second", hosts[1].played(two.Name), int32(0))
	if t.Failed() {
		return // it might never be told
	}
	equal(t, "the game that the first is told of", hosts[0].post(posts).Name, g.name)
}

// TestComputersThatLoseTheirSeat: however a computer loses its seat, the book forgets that it plays there: its stream
// asked the store ten times a second for as long as the book had it.
func TestComputersThatLoseTheirSeat(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(g *table, d *dial, token string){
		"it leaves": func(g *table, _ *dial, token string) { g.leave(token, "blue") },
		"it resigns": func(g *table, _ *dial, token string) {
			must(g.t, second(g.games.Resign(as(token), &v1.ResignRequest{Name: g.name, Seat: "blue", RequestId: id()})))
		},
		"the owner frees the seat": func(g *table, _ *dial, _ string) { g.leave(g.owner, "blue") },
		"it is taken back": func(g *table, _ *dial, _ string) {
			must(g.t, second(g.takeBack(g.owner, "blue")))
		},
		"its time is up": func(g *table, d *dial, _ string) {
			g.do(g.red, "plan 0303")
			before := g.game().Version
			d.pass(25 * time.Hour)
			soon(g.t, "time is up", func() bool { return g.game().Version > before })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := memory.New()
			t.Cleanup(func() { must(t, first.Close()) })
			d := newDial()
			h := open(t, byDial(d), func(s *setting) { s.store = byTestClock{shares(t, first)(), d} })
			posts, _, mine := h.offered(account("b"), "Mine")
			g := h.create(within(logv1.Lapse_LAPSE_OPEN_SEAT))
			g.red = g.sit("red")
			must(t, second(g.give(g.owner, "blue", mine.Name, id())))
			lose(g, d, h.post(posts).Token)
			equal(t, "blue is held", seatOf(g.game(), "blue").Taken, false)
			soon(t, "the book forgets the post", func() bool { return h.played(mine.Name) == 0 })
		})
	}
}

// TestOneAddressOffersFewComputers: one caller leaves room for the computers of others.
func TestOneAddressOffersFewComputers(t *testing.T) {
	t.Parallel()
	h := open(t, func(s *setting) { s.admission = neighbor{} })
	for i, letter := range []string{"b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		stream, _ := h.offers(account(letter), "Computer "+letter)
		_, err := stream.Recv()
		if i < 8 {
			must(t, err)
			continue
		}
		limit := wantError(t, err, codes.ResourceExhausted, fault.TooManyComputers)["limit"]
		equal(t, "the bound of one address", limit, "8")
	}
}

// TestTitlesThatShowWhatTheyAre: no computer is called by letters that cannot be seen or by those of several scripts.
func TestTitlesThatShowWhatTheyAre(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	for title, reason := range map[string]fault.Reason{
		"Th\u200bumb": fault.ValidationFailed, "\u0422humb": fault.ValidationFailed,
		"\uff34humb.": fault.ComputerNameTaken,
	} {
		stream, _ := h.offers(account("b"), title)
		_, err := stream.Recv()
		equal(t, title, detail[*errdetails.ErrorInfo](status.Convert(err)).GetReason(), string(reason))
	}
}
