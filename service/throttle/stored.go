package throttle

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/warledger/warledger/service/fault"
)

// Game takes room for a game that the address of a call makes. undo gives it back if the game was not made. It is counted in this process
// alone: a server that was started anew lets each address make as many again.
func (t *Throttle) Game(ctx context.Context) (undo func(), err error) {
	from, bounded := t.caller(ctx)
	if !bounded || t.o.Games <= 0 {
		return func() {}, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s, now := t.share(addressKey(from)), t.o.Clock()
	b := daily(&s.games, t.o.Games)
	r := b.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return nil, fault.New(fault.TooManyGames, "%d games a day are made for one address; the next one in %s", t.o.Games, wait.Round(time.Second)).
			With("limit", t.o.Games).Quota("games of one address").RetryAfter(wait)
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		b.ReserveN(t.o.Clock(), -1)
	}, nil
}

// Store takes bytes that are to be stored for a call. What an address may have stored in a day may be passed by the last that it stores: nothing
// is refused for its size alone.
func (t *Throttle) Store(ctx context.Context, bytes int) error {
	from, bounded := t.caller(ctx)
	if !bounded || t.o.Bytes <= 0 || bytes <= 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s, now := t.share(addressKey(from)), t.o.Clock()
	b := daily(&s.bytes, t.o.Bytes)
	if left := b.TokensAt(now); left < 0 {
		wait := time.Duration(-left / float64(b.Limit()) * float64(time.Second))
		return fault.New(fault.RateLimited, "%d bytes a day are stored for one address; the next ones in %s", t.o.Bytes, wait.Round(time.Second)).
			With("limit", t.o.Bytes).Quota("bytes of one address").RetryAfter(wait)
	}
	b.ReserveN(now, min(bytes, b.Burst()))
	return nil
}

// daily is a bucket that fills in a day.
func daily(b **rate.Limiter, n int) *rate.Limiter {
	return bucket(b, float64(n)/day.Seconds(), float64(n))
}
