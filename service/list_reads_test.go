package service_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// reading is a store that counts reads and what they return.
type reading struct {
	eventstore.Store
	reads, entries int
}

func (r *reading) Read(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) ([]eventstore.Entry, error) {
	out, err := r.Store.Read(ctx, stream, from, limit, maxBytes)
	r.reads, r.entries = r.reads+1, r.entries+len(out)
	return out, err
}

// TestListsReadWhatTheyList: a page of the line cost the same price and read the whole log, a record at a time if its
// size was one, when most of the log had been taken back.
func TestListsReadWhatTheyList(t *testing.T) {
	t.Parallel()
	store := &reading{Store: memory.New()}
	g := redBegins(open(t, func(s *setting) { s.store = store }))
	move := mover(g, "generated")
	for range 100 {
		must(t, move())
	}
	g.do(g.red, "move r2 0304")
	var want []uint64
	for _, r := range g.records(false) {
		want = append(want, r.Version)
	}
	store.reads, store.entries = 0, 0
	var got []uint64
	for token := ""; ; {
		out, err := g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, PageSize: 1, PageToken: token})
		must(t, err)
		for _, r := range out.Records {
			got = append(got, r.Version)
		}
		if token = out.NextPageToken; token == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(want); store.reads != n || store.entries != n || n > 20 {
		t.Errorf("%d reads of %d records for a line of %d", store.reads, store.entries, n)
	}
	last := want[len(want)-1]
	must(t, second(g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, AfterVersion: last, PageSize: 1})))
	if store.reads != len(want) {
		t.Errorf("%d reads for a page of nothing", store.reads-len(want))
	}
}
