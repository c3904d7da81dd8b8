package service

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/warledger/warledger/service/fault"
)

// tracer is the name under which the service's own spans come.
const tracer = "github.com/warledger/warledger/service"

// span begins a part of a call in the call's trace; without one it costs next to nothing. What ended it is told by its reason alone: messages
// may quote what a caller sent.
func span(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, s := trace.SpanFromContext(ctx).TracerProvider().Tracer(tracer).Start(ctx, name)
	return ctx, func(err error) {
		if err != nil {
			s.SetStatus(codes.Error, fault.ReasonOf(err))
		}
		s.End()
	}
}

// annotate adds what the log line of a call says to its span.
func annotate(ctx context.Context, n *callNote, err error) {
	s := trace.SpanFromContext(ctx)
	if !s.IsRecording() {
		return
	}
	add := func(key, value string) {
		if value != "" {
			s.SetAttributes(attribute.String("warledger."+key, value))
		}
	}
	add("game", n.game)
	if plainSeat.MatchString(n.seat) {
		add("seat", n.seat)
	}
	add("reason", fault.ReasonOf(err))
	if n.version != 0 {
		s.SetAttributes(attribute.Int64("warledger.version", int64(n.version)))
	}
}
