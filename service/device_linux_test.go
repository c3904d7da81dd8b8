package service_test

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/storetest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestDeviceFails lets the device under a serving store be full, or refuse to be written, and takes the cause away again: whoever changes something is told
// what is wrong, whoever looks or watches notices nothing, and what is sent again afterwards is stored once.
func TestDeviceFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "games.db")
	var file *os.File
	store, err := boltstore.Open(path, boltstore.Options{MapSize: 64 << 20, OpenFile: func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
		f, err = os.OpenFile(name, flag, mode)
		file = f
		return f, err
	}})
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	g := redBegins(open(t, func(s *setting) { s.store = store }))
	w := g.watch(after(5))
	w.next()
	version := uint64(5)
	for _, trouble := range []struct {
		stand  string
		code   codes.Code
		reason fault.Reason
	}{
		{"/dev/full", codes.ResourceExhausted, fault.StoreFull},
		{path, codes.Unavailable, fault.StoreFailed},
	} {
		restore := storetest.StandIn(t, file, trouble.stand)
		req := g.command("move r2 0304")
		create := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ford"}}
		for range 2 {
			wantError(t, second(g.games.SubmitCommand(as(g.red), req)), trouble.code, trouble.reason)
			wantError(t, second(g.games.CreateGame(as(), create)), trouble.code, trouble.reason)
			if g.game().Version != version || len(g.records(true)) != int(version) || len(g.board(0).Pieces) == 0 {
				t.Errorf("%s: what was stored cannot be looked at", trouble.reason)
			}
			if m := g.watch(after(version - 1)).next(); m.Version != version {
				t.Errorf("%s: a new watcher got %v", trouble.reason, m)
			}
		}
		restore()
		out, err := g.games.SubmitCommand(as(g.red), req)
		must(t, err)
		must(t, second(g.games.CreateGame(as(), create)))
		if version++; out.Record.Version != version || w.record().Version != version {
			t.Errorf("%s: got %v", trouble.reason, out)
		}
		must(t, second(g.undo(g.red, 0, false)))
		if version++; w.record().Version != version {
			t.Errorf("%s: the watcher is not at the undo", trouble.reason)
		}
	}
	report, err := store.Check(t.Context(), nil, func(f eventstore.Fault) { t.Error(f) })
	if err != nil || report.Faults > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}
