package throttle

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"github.com/warledger/warledger/service/fault"
)

// Game takes a place for a game that an address creates. undo gives it back if the game was not created. It counts in
// memory only: after a restart each address may create as many again.
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
		return nil,
			fault.New(fault.TooManyGames, "one address may create %d games a day; the next one in %s",
				t.o.Games, wait.Round(time.Second)).
				With("limit", t.o.Games).Quota("games of one address").RetryAfter(wait)
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		b.ReserveN(t.o.Clock(), -1)
	}, nil
}

// Store counts bytes that are to be stored for a call. The last write of an address may exceed its bound for a day:
// nothing is refused for its size alone.
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
		return fault.New(fault.RateLimited, "one address may store %d bytes a day; the next ones in %s",
			t.o.Bytes, wait.Round(time.Second)).
			With("limit", t.o.Bytes).Quota("bytes of one address").RetryAfter(wait)
	}
	b.ReserveN(now, min(bytes, b.Burst()))
	return nil
}

// daily is a bucket that fills in a day.
func daily(b **rate.Limiter, n int) *rate.Limiter {
	return bucket(b, float64(n)/day.Seconds(), float64(n))
}
