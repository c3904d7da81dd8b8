package service

import "context"

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
