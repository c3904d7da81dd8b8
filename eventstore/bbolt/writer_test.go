package boltstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// paused is a store whose commits wait: each sends on reached before it begins, and goes on with what result gives.
type paused struct {
	*Store
	reached chan struct{}
	result  chan error
}

func newPaused(t testing.TB, after bool, o Options) paused {
	p := paused{reached: make(chan struct{}), result: make(chan error)}
	hook := func() error { p.reached <- struct{}{}; return <-p.result }
	if after {
		o.hooks = hooks{afterCommit: hook, beforeCommit: o.hooks[beforeCommit]}
	} else {
		o.hooks = hooks{beforeCommit: hook}
	}
	p.Store = mustOpen(t, newPath(t), o)
	return p
}

// pass lets the commit go on that is paused or comes next.
func (p paused) pass(err error) { <-p.reached; p.result <- err }

// appendLater appends in a goroutine and returns when the request is in the queue or with the writer.
func (p paused) appendLater(ctx context.Context, a eventstore.Append, queued int) <-chan error {
	done := make(chan error, 1)
	go func() { done <- p.Append(ctx, a) }()
	for len(p.queue) != queued {
		runtime.Gosched()
	}
	return done
}

// TestOneBatchOneCommit queues appends behind a commit that is paused: the next commit takes them all, those that
// build on one another in their order, and refusals disturb nobody.
func TestOneBatchOneCommit(t *testing.T) {
	t.Parallel()
	var batches []eventstore.Batch
	p := newPaused(t, false, Options{NoSync: true, Observe: func(b eventstore.Batch) {
		b.Commit, b.Write = 0, 0
		batches = append(batches, b)
	}})
	ctx := context.Background()
	first := p.appendLater(ctx, (&storetest.Chain{Stream: "first"}).Next("", "x"), 0)
	<-p.reached
	s, other := &storetest.Chain{Stream: "s"}, &storetest.Chain{Stream: "other"}
	one, two := s.Next("k1", "1"), s.Next("k2", "2", "3")
	rival := (&storetest.Chain{Stream: "s"}).Next("k3", "rival")
	wrong := (&storetest.Chain{Stream: "s", Version: 3, Hash: eventstore.Hash{1}}).Next("", "wrong")
	var answers []<-chan error
	for i, a := range []eventstore.Append{one, rival, two, one, wrong, other.Next("k1", "12345")} {
		answers = append(answers, p.appendLater(ctx, a, i+1))
	}
	p.result <- nil
	p.pass(nil)
	if err := <-first; err != nil {
		t.Errorf("first: %v", err)
	}
	want := []error{
		nil,
		&eventstore.ConflictError{Stream: "s", Expected: 0, Current: 1},
		nil,
		&eventstore.KeyUsedError{Stream: "s", Key: "k1", Version: 1},
		&eventstore.LinkError{Stream: "s", Version: 4, Prev: eventstore.Hash{1}, Want: s.Hash},
		nil,
	}
	for i := range want {
		if got := <-answers[i]; fmt.Sprint(got) != fmt.Sprint(want[i]) {
			t.Errorf("answer %d: %v, want %v", i, got, want[i])
		}
	}
	stats := p.Stats()
	storetest.MustBeSound(t, p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	wantBatches := []eventstore.Batch{{Appends: 1, Entries: 1, Bytes: 1}, {Appends: 3, Entries: 4, Bytes: 8}}
	if diff := cmp.Diff(wantBatches, batches); diff != "" {
		t.Errorf("batches (-want +observed):\n%s", diff)
	}
	if stats.Batches != 2 || stats.LargestBatch != 3 || stats.Refused != 3 || stats.Appends != 4 {
		t.Errorf("stats: %+v", stats)
	}
}

// TestNothingIsSeenBeforeItIsDurable looks at the store while the file shows a commit that has not returned: one that
// makes the stream, one that makes it longer, and one that does so twice. Keys are found by the tail or by the index.
func TestNothingIsSeenBeforeItIsDurable(t *testing.T) {
	t.Parallel()
	for _, tail := range []int{1, 100} {
		ctx := context.Background()
		p := newPaused(t, true, Options{NoSync: true, maxUnindexed: tail})
		c := &storetest.Chain{Stream: "s"}
		first := p.appendLater(ctx, c.Next("k1", "1"), 0)
		<-p.reached
		mustShow(t, p, 0)
		p.result <- nil
		<-first
		mustShow(t, p, 1)

		woken := make(chan uint64, 1)
		go func() { m, _ := p.Wait(ctx, "s", eventstore.Mark{Version: 1}); woken <- m.Version }()
		second := p.appendLater(ctx, c.Next("k2", "2", "3"), 0)
		<-p.reached
		mustShow(t, p, 1)
		third, fourth := p.appendLater(ctx, c.Next("k3", "4"), 1), p.appendLater(ctx, c.Next("k4", "5"), 2)
		p.result <- nil
		if err := <-second; err != nil {
			t.Error(err)
		}
		if v := <-woken; v != 3 {
			t.Errorf("woken with %d", v)
		}
		<-p.reached
		mustShow(t, p, 3)
		p.result <- nil
		if err := errors.Join(<-third, <-fourth); err != nil {
			t.Error(err)
		}
		mustShow(t, p, 5)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// mustShow wants that every way to look at stream s shows this version; 0 is no stream. Version 2 is the one with key
// k2.
func mustShow(t testing.TB, p paused, version uint64) {
	t.Helper()
	ctx := context.Background()
	head, err := p.Head(ctx, "s")
	if head.Version != version || errors.Is(err, eventstore.ErrNotFound) != (version == 0) {
		t.Errorf("head shows %d, %v, want %d", head.Version, err, version)
	}
	page, err := p.Read(ctx, "s", 1, 0, 0)
	if uint64(len(page)) != version || version > 0 && (err != nil || page[version-1].Hash != head.Hash) {
		t.Errorf("read shows %d, %v, want %d", len(page), err, version)
	}
	list, err := p.List(ctx, "", "", 0)
	if len(list) != int(min(version, 1)) || version > 0 && list[0].Version != version || err != nil {
		t.Errorf("list shows %v, %v, want %d", list, err, version)
	}
	if _, found, err := p.Lookup(ctx, "s", "k2"); found != (version > 1) || err != nil {
		t.Errorf("lookup shows %v, %v", found, err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := p.Wait(gone, "s", eventstore.Mark{Version: version}); !errors.Is(err, context.Canceled) {
		t.Errorf("wait after %d: %v", version, err)
	}
}

// TestFailedCommit fails commits before anything is in the file, with the errors a system gives.
func TestFailedCommit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, tt := range []struct{ cause, want error }{
		{syscall.ENOSPC, eventstore.ErrFull},
		{syscall.EDQUOT, eventstore.ErrFull},
		{errors.New("file resize error: " + syscall.ENOSPC.Error()), eventstore.ErrFull},
		{syscall.EIO, eventstore.ErrIO},
		{syscall.EROFS, eventstore.ErrReadOnly},
	} {
		p := newPaused(t, false, Options{NoSync: true})
		c := &storetest.Chain{Stream: "s"}
		a := c.Next("k1", "1")
		for range 3 {
			answer := p.appendLater(ctx, a, 0)
			p.pass(tt.cause)
			if err := <-answer; !errors.Is(err, tt.want) || !errors.Is(err, tt.cause) ||
				errors.Is(err, eventstore.ErrUncertain) {
				t.Errorf("append with %v: %v, want %v and certain", tt.cause, err, tt.want)
			}
			mustShow(t, p, 0)
		}
		answer := p.appendLater(ctx, a, 0)
		p.pass(nil)
		if err := <-answer; err != nil {
			t.Errorf("append after %v: %v", tt.cause, err)
		}
		mustShow(t, p, 1)
		storetest.MustBeSound(t, p)
		if got := p.Stats(); got.FailedBatches != 3 || got.Batches != 1 {
			t.Errorf("stats: %+v", got)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGivingUp ends the contexts of an append that is being written and of one that is only queued.
func TestGivingUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	p := newPaused(t, false, Options{NoSync: true})
	writing := (&storetest.Chain{Stream: "writing"}).Next("k", "x")
	first := p.appendLater(ctx, writing, 0)
	<-p.reached
	second := p.appendLater(ctx, (&storetest.Chain{Stream: "queued"}).Next("k", "x"), 1)
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) || !errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append being written: %v, want an uncertain end", err)
	}
	if err := <-second; !errors.Is(err, context.Canceled) || errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append in the queue: %v, want a certain end", err)
	}
	p.result <- nil
	var used *eventstore.KeyUsedError
	if err := p.Append(context.Background(), writing); !errors.As(err, &used) {
		t.Errorf("retry: %v, want a KeyUsedError", err)
	}
	if _, err := p.Head(context.Background(), "queued"); !errors.Is(err, eventstore.ErrNotFound) {
		t.Errorf("what was given up in the queue: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseAnswersEveryone closes with one append being written and one queued.
func TestCloseAnswersEveryone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := newPaused(t, false, Options{NoSync: true})
	writing := p.appendLater(ctx, (&storetest.Chain{Stream: "writing"}).Next("", "x"), 0)
	<-p.reached
	queued := p.appendLater(ctx, (&storetest.Chain{Stream: "queued"}).Next("", "x"), 1)
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	<-p.stopping
	p.result <- nil
	if err := <-writing; err != nil {
		t.Errorf("append being written: %v", err)
	}
	// The writer may have taken the queued one before it saw that it shall stop.
	select {
	case <-p.reached:
		p.result <- nil
	case err := <-queued:
		if !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("append in the queue: %v, want ErrClosed", err)
		}
	}
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestMaxSize fills a bounded file; the store stays readable, and opened with more room it goes on.
func TestMaxSize(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := newPath(t)
	s := mustOpen(t, path, Options{NoSync: true, MaxSize: 17 << 20})
	c := &storetest.Chain{Stream: "s"}
	big := make([]byte, 256<<10)
	var err error
	var last storetest.Chain
	for err == nil {
		last = *c
		err = s.Append(ctx, c.Next("", string(big)))
	}
	if !errors.Is(err, eventstore.ErrFull) || errors.Is(err, eventstore.ErrUncertain) {
		t.Errorf("append to a full store: %v, want ErrFull", err)
	}
	if got := storetest.MustBeSound(t, s); got.Entries != last.Version || got.Entries == 0 {
		t.Errorf("%d entries, %d were acknowledged", got.Entries, last.Version)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path, Options{NoSync: true})
	defer s.Close()
	if err := s.Append(ctx, last.Next("", string(big))); err != nil {
		t.Errorf("append with more room: %v", err)
	}
	storetest.MustBeSound(t, s)
}

// TestMetadataCloseABatch queues more metadata than one commit should hold. They did not count, and a thousand of them
// made a value that bbolt refuses.
func TestMetadataCloseABatch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := newPaused(t, false, Options{NoSync: true})
	first := p.appendLater(ctx, (&storetest.Chain{Stream: "s"}).Next("", "x"), 0)
	<-p.reached
	const n = 20
	var answers []chan error
	for i := range n {
		done := make(chan error, 1)
		answers = append(answers, done)
		go func() { done <- p.SetMeta(ctx, "s", make([]byte, eventstore.MaxMeta), eventstore.AnyMeta) }()
		for len(p.queue) != i+1 {
			runtime.Gosched()
		}
	}
	p.result <- nil
	go func() {
		for range p.reached {
			p.result <- nil
		}
	}()
	errs := []error{<-first}
	for _, done := range answers {
		errs = append(errs, <-done)
	}
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if commits := p.Stats().Batches; commits < 1+n/9 {
		t.Errorf("%d commits for %d MiB of metadata", commits, n)
	}
	mustClose(t, p.Store)
	close(p.reached)
}
