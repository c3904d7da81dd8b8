package service

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warledger/warledger/service/fault"
)

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
