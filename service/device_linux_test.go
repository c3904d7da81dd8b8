package service_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/storetest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// standing is a game on a store whose device can be replaced.
type standing struct {
	*table
	store *boltstore.Store
	path  string
	file  *os.File
}

// stand opens a game on a store with free pages; without them a full device would be asked to grow.
func stand(t *testing.T) *standing {
	s := &standing{path: filepath.Join(t.TempDir(), "games.db")}
	before := openBolt(t, s.path)
	h := open(t, func(set *setting) { set.store = before })
	for range 20 {
		redBegins(h)
	}
	h.stop()
	err := before.Close() // which merges, and leaves pages free
	must(t, err)
	s.store, err = boltstore.Open(s.path,
		boltstore.Options{MapSize: 64 << 20,
			OpenFile: func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
				f, err = os.OpenFile(name, flag, mode)
				s.file = f
				return f, err
			}})
	must(t, err)
	t.Cleanup(func() { must(t, s.store.Close()) })
	s.table = redBegins(open(t, func(set *setting) { set.store = s.store }))
	return s
}

// refuses checks that callers who change something get an error, and that callers who look or watch notice nothing.
func (s *standing) refuses(
	req *v1.SubmitCommandRequest, create *v1.CreateGameRequest, version uint64, code codes.Code, reason fault.Reason,
) {
	t := s.t
	t.Helper()
	wantError(t, second(s.games.SubmitCommand(as(s.red), req)), code, reason)
	wantError(t, second(s.games.CreateGame(as(), create)), code, reason)
	if s.game().Version != version || len(s.records(true)) != int(version) || len(s.board(0).Pieces) == 0 {
		t.Errorf("%s: what was stored cannot be looked at", reason)
	}
	if m := s.watch(after(version - 1)).next(); m.Version != version {
		t.Errorf("%s: a new watcher got %v", reason, m)
	}
}

func toyCreated() *v1.CreateGameRequest {
	return &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ford"}}
}

func mustCheck(t *testing.T, store eventstore.Store) {
	t.Helper()
	report, err := store.Check(t.Context(), nil, func(f eventstore.Fault) { t.Error(f) })
	if err != nil || report.Faults > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestDeviceIsFull fills the device under a serving store, and makes room again. A command that is sent again
// afterwards is stored once.
func TestDeviceIsFull(t *testing.T) {
	t.Parallel()
	s := stand(t)
	w := s.watch(after(5))
	w.next()
	restore := storetest.StandIn(t, s.file, "/dev/full")
	req, create := s.command("move r2 0304"), toyCreated()
	for range 2 {
		s.refuses(req, create, 5, codes.ResourceExhausted, fault.StoreFull)
	}
	restore()
	out, err := s.games.SubmitCommand(as(s.red), req)
	must(t, err)
	must(t, second(s.games.CreateGame(as(), create)))
	if out.Record.Version != 6 || w.record().Version != 6 {
		t.Errorf("got %v", out)
	}
	must(t, second(s.undo(s.red, 0, false)))
	if w.record().Version != 7 {
		t.Error("the watcher is not at the undo")
	}
	mustCheck(t, s.store)
}

// TestDeviceCannotBeWritten has a write fail. The store then writes nothing more until it is opened again, even when
// the device works again, because nobody knows what the device holds. The server is not ready and says why; everything
// can be read.
func TestDeviceCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := stand(t)
	must(t, s.service.Probe(t.Context()))
	restore := storetest.StandIn(t, s.file, s.path)
	req, create := s.command("move r2 0304"), toyCreated()
	s.refuses(req, create, 5, codes.Unavailable, fault.StoreFailed)
	restore()
	s.refuses(req, create, 5, codes.Unavailable, fault.StoreFailed)
	if err := s.service.Probe(t.Context()); !errors.Is(err, eventstore.ErrStopped) || !errors.Is(err, syscall.EBADF) {
		t.Errorf("probe: %v, want ErrStopped and why", err)
	}
	mustCheck(t, s.store)
	s.stop()
	must(t, s.store.Close())
	again := openBolt(t, s.path)
	t.Cleanup(func() { must(t, again.Close()) })
	h := open(t, func(set *setting) { set.store = again })
	must(t, second(h.games.SubmitCommand(as(s.red), req)))
	must(t, h.service.Probe(t.Context()))
}
