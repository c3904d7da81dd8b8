package postgres

import (
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warledger/warledger/eventstore/storetest"
)

// TestTrace has an append in a trace get a span of the batch that stored it, within the caller's.
func TestTrace(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	spans := new(tracetest.SpanRecorder)
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	in, call := provider.Tracer("test").Start(ctx, "call")
	chain := &storetest.Chain{Stream: "s"}
	if err := s.Append(in, chain.Next("", "x")); err != nil {
		t.Fatal(err)
	}
	call.End()
	mustAppend(t, s, chain.Next("", "an append in no trace"))
	ended := spans.Ended()
	if len(ended) != 2 || ended[0].Name() != "commit" ||
		ended[0].Parent().SpanID() != call.SpanContext().SpanID() ||
		ended[0].StartTime().Before(ended[1].StartTime()) || ended[0].EndTime().After(ended[1].EndTime()) {
		t.Errorf("the spans are %v", ended)
	}
}

// TestObserveWake tells how long an append's notification takes, once for each append that is alone, and not what
// another handle has notified.
func TestObserveWake(t *testing.T) {
	t.Parallel()
	told := make(chan time.Duration, 100)
	s, dsn, _ := fresh(t, Options{ObserveWake: func(d time.Duration) { told <- d }})
	other := mustOpen(t, dsn, Options{})
	defer other.Close()
	// Notifications are lost until the handle listens. What it asks then is its latest query.
	waitFor(t, func() bool {
		var n int
		row := s.pool.QueryRow(ctx, `select count(*) from pg_stat_activity
			where application_name = current_setting('application_name') and query like 'select v.*%'`)
		return row.Scan(&n) == nil && n == 2
	})
	chain := &storetest.Chain{Stream: "s"}
	for range 3 {
		mustAppend(t, s, chain.Next("", "x"))
		if d := <-told; d <= 0 {
			t.Errorf("it took %v", d)
		}
	}
	strange := &storetest.Chain{Stream: "t"}
	mustAppend(t, other, strange.Next("", "x"))
	mustAppend(t, s, chain.Next("", "x"))
	<-told
	if len(told) > 0 {
		t.Error("told of another handle's append")
	}
}
