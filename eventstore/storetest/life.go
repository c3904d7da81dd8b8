package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

// calls is one valid call of each method that can fail.
func calls(ctx context.Context, s eventstore.Store) map[string]error {
	c := &Chain{Stream: "late"}
	return map[string]error{
		"append":   s.Append(ctx, c.Next("", "x")),
		"set meta": s.SetMeta(ctx, "s", nil, 0),
		"lookup":   third(s.Lookup(ctx, "s", "k")),
		"read":     second(s.Read(ctx, "s", 1, 0, 0)),
		"head":     second(s.Head(ctx, "s")),
		"read at":  second(s.ReadAt(ctx, "s", 1, 0, 0)),
		"wait":     second(s.Wait(ctx, "s", eventstore.Mark{})),
		"count":    second(s.Count(ctx, "")),
		"now":      second(s.Now(ctx)),
		"snapshot": second(s.Snapshot(ctx)),
		"list":     second(s.List(ctx, "", "", 0)),
		"backup":   second(s.Backup(ctx, io.Discard)),
		"check":    second(s.Check(ctx, nil, nil)),
	}
}

func testContext(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "s", 1)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for name, err := range calls(ended, s) {
		if !errors.Is(err, context.Canceled) || errors.Is(err, eventstore.ErrUncertain) {
			t.Errorf("%s: %v, want the context's error, and certain", name, err)
		}
	}
	if _, err := s.Head(ctx, "late"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("append with an ended context was stored: %v", err)
	}
}

func testClosed(t *testing.T, open Factory) {
	s := open(t).Store
	fill(t, s, "s", 1)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	for name, err := range calls(ctx, s) {
		if !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
}

func testBackup(t *testing.T, open Factory) {
	e := open(t)
	s := e.Store
	finish(t, s)
	_, want := fill(t, s, "s", 30)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		c := &Chain{Stream: "busy"}
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				mustAppend(t, s, c.Next("", fmt.Sprint(i)))
			}
		}
	})
	var buf bytes.Buffer
	n, err := s.Backup(ctx, &buf)
	close(stop)
	wg.Wait()
	if err != nil || n != int64(buf.Len()) {
		t.Fatalf("backup = %d, %v, wrote %d", n, err, buf.Len())
	}
	copied := e.Restore(t, buf.Bytes())
	finish(t, copied)
	mustHold(t, copied, "s", want, nil)
	mustAppend(t, copied, Continue(t, copied, "s").Next("", "goes on"))
	mustHold(t, s, "s", want, nil)
}

func testCheck(t *testing.T, open Factory) {
	s := open(t).Store
	defer s.Close()
	for i := range 5 {
		fill(t, s, fmt.Sprint(i), i+1)
	}
	refuse := func(stream string, e eventstore.Entry) error {
		if stream == "3" && e.Version%2 == 0 {
			return errors.New("not to my taste")
		}
		return Verify(stream, e)
	}
	var faults []eventstore.Fault
	got, err := s.Check(ctx, refuse, func(f eventstore.Fault) { faults = append(faults, f) })
	want := eventstore.CheckReport{Streams: 5, Entries: 15, Bytes: 15, Keys: 15, Faults: 2}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("check: %v\n%s", err, diff)
	}
	wantFaults := []eventstore.Fault{
		{Kind: eventstore.FaultContent, Stream: "3", Version: 2, What: "not to my taste"},
		{Kind: eventstore.FaultContent, Stream: "3", Version: 4, What: "not to my taste"},
	}
	if diff := cmp.Diff(wantFaults, faults); diff != "" {
		t.Errorf("faults: %s", diff)
	}
}

func testStats(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	mustAppend(t, s, c.Next("k", "12", "345"))
	mustAppend(t, s, c.Next("", "6"))
	_ = s.Append(ctx, (&Chain{Stream: "s"}).Next("", "late"))
	_ = s.SetMeta(ctx, "s", nil, 7)
	_ = s.SetMeta(ctx, "none", nil, 0)
	got := s.Stats()
	want := eventstore.Stats{Appends: 2, Entries: 3, Bytes: 6, Refused: 3, Batches: 2, LargestBatch: 1,
		CommitTime: got.CommitTime}
	if diff := cmp.Diff(want, got); diff != "" || got.CommitTime <= 0 {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}
