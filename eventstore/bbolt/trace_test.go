package boltstore

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warledger/warledger/eventstore/storetest"
)

// TestCommitIsTraced finds the commit and the device's part of it in the trace of whoever appends, at their times, and
// nothing said beyond them.
func TestCommitIsTraced(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{})
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	ctx, call := provider.Tracer("test").Start(context.Background(), "call")
	if err := s.Append(ctx, (&storetest.Chain{Stream: "hidden"}).Next("hidden key", "hidden data")); err != nil {
		t.Fatal(err)
	}
	call.End()
	got := spans.GetSpans()
	if len(got) != 3 || got[0].Name != "write and sync" || got[1].Name != "commit" || got[2].Name != "call" {
		t.Fatalf("got %+v", got)
	}
	for i, inner := range got[:2] {
		outer := got[i+1]
		if inner.Parent.SpanID() != outer.SpanContext.SpanID() || inner.StartTime.Before(outer.StartTime) ||
			inner.EndTime.After(outer.EndTime) ||
			!inner.StartTime.Before(inner.EndTime) {
			t.Errorf("%s is not a part of %s: %+v, %+v", inner.Name, outer.Name, inner, outer)
		}
		if len(inner.Attributes)+len(inner.Events)+len(inner.Links) > 0 || inner.Status.Description != "" {
			t.Errorf("%s says more than when: %+v", inner.Name, inner)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFailedCommitIsTraced has a commit that failed say so, and an append that needed none leave no trace.
func TestFailedCommitIsTraced(t *testing.T) {
	t.Parallel()
	broken := true
	s := mustOpen(t, newPath(t), Options{hooks: hooks{afterCommit: func() error {
		if broken {
			return errors.New("broken")
		}
		return nil
	}}})
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	ctx, call := provider.Tracer("test").Start(context.Background(), "call")
	first := (&storetest.Chain{Stream: "s"}).Next("k", "x")
	if err := s.Append(ctx, first); err == nil {
		t.Fatal("it did not fail")
	}
	got := spans.GetSpans().Snapshots()
	if len(got) == 0 || got[len(got)-1].Name() != "commit" || got[len(got)-1].Status().Code != codes.Error ||
		got[len(got)-1].Status().Description != "" {
		t.Errorf("got %+v", got)
	}
	broken = false
	if err := s.Append(ctx, first); err == nil {
		t.Fatal("the key is not used")
	}
	if more := spans.GetSpans(); len(more) != len(got) {
		t.Errorf("a refusal left %+v", more[len(got):])
	}
	call.End()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
