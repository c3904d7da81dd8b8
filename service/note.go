package service

import (
	"context"
	"regexp"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warledger/warledger/service/fault"
)

// callNote is what the log line of a call says about it. It never holds a token, a secret or anything of a position.
type callNote struct {
	game, seat, request string
	version             uint64
}

type noteKey struct{}

// note is the call's; handlers fill it in. Outside a call it is a throw-away.
func note(ctx context.Context) *callNote {
	if n, ok := ctx.Value(noteKey{}).(*callNote); ok {
		return n
	}
	return new(callNote)
}

func withNote(ctx context.Context) (context.Context, *callNote) {
	n := new(callNote)
	return context.WithValue(ctx, noteKey{}, n), n
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

var plainSeat = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
