// Package tracing begins the service's own spans.
package tracing

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/warledger/warledger/service/fault"
)

// tracer is the name under which the service's own spans come.
const tracer = "github.com/warledger/warledger/service"

// Span begins a part of a call in the call's trace; without a trace it costs next to nothing. It tells only the reason
// of an error, because messages may quote what a caller sent.
func Span(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, s := trace.SpanFromContext(ctx).TracerProvider().Tracer(tracer).Start(ctx, name)
	return ctx, func(err error) {
		if err != nil {
			s.SetStatus(codes.Error, fault.ReasonOf(err))
		}
		s.End()
	}
}
