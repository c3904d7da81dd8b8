package postgres

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracer is the name under which the engine's spans come.
const tracer = "github.com/warledger/warledger/eventstore/postgres"

// trace adds the batch to the trace of a call, which has waited for it, as the span "commit". It says only when: what
// else was stored is not the call's business.
func (r *request) trace(ctx context.Context) {
	parent := trace.SpanFromContext(ctx)
	if r.begun.IsZero() || !parent.IsRecording() {
		return
	}
	_, commit := parent.TracerProvider().Tracer(tracer).Start(ctx, "commit", trace.WithTimestamp(r.begun))
	if r.err != nil {
		commit.SetStatus(codes.Error, "")
	}
	commit.End(trace.WithTimestamp(r.ended))
}
