package postgres

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func waiting(stream string, weight, entries int) *request {
	return newRequest(&change{stream: stream, weight: weight, versions: make([]int64, entries)})
}

func streams(batch []*request) (names []string) {
	for _, r := range batch {
		names = append(names, r.stream)
	}
	return names
}

// TestQueue wants batches within their limits, at most one request of a stream in all that are under way, and the
// requests of a stream in their order.
func TestQueue(t *testing.T) {
	t.Parallel()
	q := newQueue()
	put := func(stream string, weight, entries int) *request {
		r := waiting(stream, weight, entries)
		if !q.put(r) {
			t.Error("the queue is closed")
		}
		return r
	}
	wants := func(what string, batch []*request, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, streams(batch)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	first, second := put("a", 1, 1), put("a", 1, 1)
	for _, name := range []string{"b", "c", "d"} {
		put(name, 1, 1)
	}
	batch := q.take(3, 100)
	wants("by number", batch, "a", "b", "c")
	if batch[0] != first {
		t.Error("the second request of a stream was taken before the first")
	}
	other := q.take(3, 100)
	wants("while a is being written", other, "d")
	q.release(batch)
	if batch = q.take(3, 100); len(batch) != 1 || batch[0] != second {
		t.Errorf("after a was released: %v", streams(batch))
	}
	q.release(batch)
	q.release(other)
	put("a", 60, 1)
	put("b", 50, 1)
	put("c", 500, 1)
	put("d", 1, mostEntries)
	put("e", 1, 1)
	for _, want := range []string{"a", "b", "c", "d", "e"} {
		batch := q.take(9, 100)
		wants("by bytes or entries", batch, want)
		q.release(batch)
	}
	given := put("a", 1, 1)
	put("a", 1, 1)
	put("b", 1, 1)
	given.take(stateAbandoned)
	batch = q.take(9, 100)
	wants("with one that gave up", batch, "b", "a")
	left := put("b", 1, 1)
	if got := q.close(); len(got) != 1 || got[0] != left || q.take(9, 9) != nil || q.put(waiting("c", 1, 1)) {
		t.Errorf("closed with %v left", streams(got))
	}
	q.release(batch)
	if len(q.lines) != 0 {
		t.Errorf("%d lines are left behind: %s", len(q.lines), fmt.Sprint(q.lines))
	}
}
