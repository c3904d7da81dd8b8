package service_test

import (
	"path/filepath"
	"slices"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// onDisk is a store in a file, closed after the test.
func onDisk(t testing.TB) eventstore.Store {
	t.Helper()
	store := openBolt(t, filepath.Join(t.TempDir(), "games.db"))
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

// TestTracedToTheDisk follows calls that change something from the call to the sync of the disk: each part is within
// the one that it is a part of, and none below the call says anything but its name and when.
func TestTracedToTheDisk(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	h := open(t, func(s *setting) {
		s.store = onDisk(t)
		s.traces = sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	})
	g := h.seated()
	g.do(g.red, "plan 0303")
	_, err := v1.NewAccessServiceClient(h.conn).CreateToken(as(g.red), &v1.CreateTokenRequest{
		Name: g.name, Rights: v1.Rights_RIGHTS_SEE, ExpireTime: hour(), RequestId: id(),
	})
	must(t, err)
	h.stop() // so that all spans have ended
	all := spans.GetSpans()
	// chain finds the parts of a call by their names.
	chain := func(names ...string) {
		t.Helper()
		at := slices.IndexFunc(all, func(s tracetest.SpanStub) bool { return s.Name == names[0] })
		if at < 0 {
			t.Errorf("no span %s", names[0])
			return
		}
		outer := all[at]
		for _, name := range names[1:] {
			at := slices.IndexFunc(all, func(s tracetest.SpanStub) bool {
				return s.Name == name && s.Parent.SpanID() == outer.SpanContext.SpanID()
			})
			if at < 0 {
				t.Errorf("no span %s in %s", name, outer.Name)
				return
			}
			inner := all[at]
			if inner.StartTime.Before(outer.StartTime) || inner.EndTime.After(outer.EndTime) {
				t.Errorf("%s, %v to %v, is not within %s, %v to %v",
					inner.Name, inner.StartTime, inner.EndTime, outer.Name, outer.StartTime, outer.EndTime)
			}
			if len(inner.Attributes)+len(inner.Events)+len(inner.Links) > 0 || inner.Status.Description != "" {
				t.Errorf("%s says more than when: %+v", inner.Name, inner)
			}
			outer = inner
		}
	}
	chain("warledger.v1.GameService/CreateGame", "append", "commit", "write and sync")
	chain("warledger.v1.GameService/TakeSeat", "append", "commit", "write and sync")
	chain("warledger.v1.GameService/SubmitCommand", "append", "commit", "write and sync")
	chain("warledger.v1.AccessService/CreateToken", "amend", "commit", "write and sync")
}
