package boltstore

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracer is the name under which the engine's spans come.
const tracer = "github.com/warledger/warledger/eventstore/bbolt"

// times are those of a commit. The writer takes them once for all appends that the commit serves.
type times struct {
	begun, ended time.Time
	write        time.Duration // the last part of it, which the device took to write and sync; 0 if it failed
}

func (t times) commit() time.Duration { return t.ended.Sub(t.begun) }

// trace adds the commit to the trace of a call, which has waited for it: the span "commit", and in it "write and sync".
// They say nothing but when: what else was committed is not the call's business.
func (t times) trace(ctx context.Context, err error) {
	parent := trace.SpanFromContext(ctx)
	if t.begun.IsZero() || !parent.IsRecording() {
		return
	}
	tracer := parent.TracerProvider().Tracer(tracer)
	ctx, commit := tracer.Start(ctx, "commit", trace.WithTimestamp(t.begun))
	if t.write > 0 {
		_, write := tracer.Start(ctx, "write and sync", trace.WithTimestamp(t.ended.Add(-t.write)))
		write.End(trace.WithTimestamp(t.ended))
	}
	if err != nil {
		commit.SetStatus(codes.Error, "")
	}
	commit.End(trace.WithTimestamp(t.ended))
}
