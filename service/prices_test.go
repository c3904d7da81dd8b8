package service_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// TestPricesFollowTheWork: long pages and long logs cost more than short ones.
func TestPricesFollowTheWork(t *testing.T) {
	t.Parallel()
	b := &bill{gate{inside: make(chan string, 5000)}, make(chan int, 5000)}
	h := open(t, func(s *setting) { s.admission = b })
	g := redBegins(h)
	move := mover(g, "cheap")
	for range 400 {
		must(t, move())
	}
	cost := func(call func() error) (total int) {
		t.Helper()
		for len(b.units) > 0 {
			<-b.units
		}
		must(t, call())
		for len(b.units) > 0 {
			total += <-b.units
		}
		return total
	}
	list := func(size int32, proofs bool) func() error {
		return func() error {
			return second(g.games.ListRecords(as(),
				&v1.ListRecordsRequest{Name: g.name, PageSize: size, IncludeProofs: proofs, WholeTree: true}))
		}
	}
	few, many, proven := cost(list(20, false)), cost(list(1000, false)), cost(list(1000, true))
	if few != 0 || many < 8 || proven < 16 {
		t.Errorf("20 records cost %d more, 400 cost %d, with proofs %d", few, many, proven)
	}
	games := func(size int32) func() error {
		return func() error { return second(h.games.ListGames(as(), &v1.ListGamesRequest{PageSize: size})) }
	}
	if short, long := cost(games(20)), cost(games(1000)); short != 0 || long != 20 {
		t.Errorf("20 games cost %d more, 1000 cost %d", short, long)
	}
	if audit := cost(func() error { g.audit(); return nil }); audit < 3 {
		t.Errorf("an audit of 400 records costs %d more", audit)
	}
}

// TestPagesArePaidForFirst: the units for a page of records are taken before its game is read. Reading may take long,
// and calls that came in meanwhile were let in as if the first ones had cost nothing more.
func TestPagesArePaidForFirst(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := redBegins(h)
	move := mover(g, "cheap")
	for range 400 {
		must(t, move())
	}
	h.stop()
	b := &bill{gate{inside: make(chan string, 10)}, make(chan int, 10)}
	again := open(t, func(s *setting) { s.admission, s.store = b, h.store })
	req := &v1.ListRecordsRequest{Name: g.name, PageSize: 1000, IncludeProofs: true}
	must(t, second(again.games.ListRecords(as(g.red), req)))
	if first := <-b.units; first != 40 {
		t.Errorf("the first that a page of 1000 records with proofs costs is %d units, want 40", first)
	}
	if len(b.units) == 0 {
		t.Error("the game was in memory")
	}
}

// TestAuditsEnd: an audit that takes too long ends with an error, and so does that of an import.
func TestAuditsEnd(t *testing.T) {
	t.Parallel()
	here := open(t)
	file := here.export(here.finished().name)
	there := open(t, func(s *setting) { s.limits = service.Limits{AuditTime: time.Nanosecond} })
	wantError(t, second(there.load(file, id(), 1<<20)), codes.DeadlineExceeded, fault.AuditTooLong)
	g := there.seated()
	stream, err := g.games.AuditGame(as(), &v1.AuditGameRequest{Name: g.name})
	must(t, err)
	for err == nil {
		_, err = stream.Recv()
	}
	if meta := wantError(t, err, codes.DeadlineExceeded, fault.AuditTooLong); meta["seconds"] == "" {
		t.Errorf("metadata %v", meta)
	}
	if err := second(there.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})); err != nil {
		t.Error(err)
	}
}
