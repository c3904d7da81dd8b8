package warledger

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// pause says how long to wait between attempts.
type pause struct{ shortest, longest time.Duration }

// after is the time to wait after a number of failures in a row, from 1: somewhere between half and all of a time that
// doubles, so that many clients who lost the same server do not come back together.
func (p pause) after(failures int) time.Duration {
	d := p.shortest
	for i := 1; i < failures && d < p.longest; i++ {
		d *= 2
	}
	d = min(d, p.longest)
	return d/2 + rand.N(d/2+1)
}

// wait waits or says why it cannot.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// unreached reports whether the server could not be reached, or could not do its work just now.
func unreached(err error) bool { return status.Code(err) == codes.Unavailable }

// call makes a call that may be repeated, because it changes nothing or carries an id of its own, and repeats it while
// the server cannot be reached and patience lasts. The tokens are asked for each time, since they may have changed.
func call[Req, Resp any](ctx context.Context, c *Client, tokens TokenSource, game string, req *Req, f func(
	context.Context, *Req, ...grpc.CallOption,
) (*Resp, error)) (*Resp, error) {
	begun := time.Now()
	for failures := 1; ; failures++ {
		with, err := c.with(ctx, tokens, game)
		if err != nil {
			return nil, err
		}
		resp, err := f(with, req)
		if err == nil || !unreached(err) {
			return resp, err
		}
		pause := c.pause.after(failures)
		if time.Since(begun)+pause > c.patience || wait(ctx, pause) != nil {
			return nil, err
		}
	}
}
