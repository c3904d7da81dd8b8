package notice

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// How a notice is tried again that did not arrive: after twice as long each time, and half as much again by chance.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 6 * time.Hour
	// hopeless is for how long nothing may arrive before it is not tried any more, and leastTries how often it
	// must have been tried.
	hopeless   = 3 * 24 * time.Hour
	leastTries = 10
)

// tell delivers a notice and stores that it has: between the two it may be delivered again, with the same id. If it
// does not arrive, or another server delivers it, the follower is blocked until it is to be tried again.
func (f *follower) tell(ctx context.Context, n message, dealtWith func()) error {
	if mine, err := f.claim(ctx); !mine || err != nil {
		return err
	}
	begun := time.Now()
	out, err := f.send(ctx, n)
	if err != nil {
		if released := f.release(ctx); released != nil {
			f.n.host.Log.Warn("a notice stays claimed for a while", slog.String("game", f.l.ID),
				slog.String("error", released.Error()))
		}
		if errors.Is(err, errLater) {
			f.stuck = f.n.host.Clock().Add(time.Second)
			return nil
		}
		return err
	}
	f.n.host.Metrics.Noticed(f.channel, out.failure, time.Since(begun))
	if out.failure == "" {
		f.arrived()
		dealtWith()
	} else {
		f.failed(out)
	}
	f.state.ClaimedBy, f.state.ClaimedUntil = "", nil
	return f.keep(ctx)
}

// arrived takes note that the receiver is there. Whether there is more to tell is not known yet: a server that ends
// before it is looks when it begins again.
func (f *follower) arrived() {
	s, now := f.state, timestamppb.New(f.n.host.Clock())
	s.Attempts, s.Failure, s.FailingSince, s.Disabled = 0, "", nil, false
	s.SuccessTime, s.WakeTime = now, now
}

// failed takes note that it is not, and gives up when there is no hope.
func (f *follower) failed(out sent) {
	s, now := f.state, f.n.host.Clock()
	s.Attempts, s.Failure = s.Attempts+1, out.failure
	if s.FailingSince == nil {
		s.FailingSince = timestamppb.New(now)
	}
	if out.never || now.Sub(s.FailingSince.AsTime()) >= hopeless && s.Attempts >= leastTries {
		s.Disabled, s.WakeTime = true, nil
		f.n.host.Metrics.Disabled(f.channel)
		f.n.host.Log.Warn("notices are not tried any more", slog.String("game", f.l.ID),
			slog.String("channel", f.channel), slog.String("id", f.id), slog.String("failure", out.failure))
		return
	}
	wait := lastRetry
	if doublings := s.Attempts - 1; doublings < 12 {
		wait = min(lastRetry, firstRetry<<doublings)
	}
	f.stuck = now.Add(max(jitter(wait), out.after))
	s.WakeTime = timestamppb.New(f.stuck)
	f.n.host.Log.Debug("a notice did not arrive", slog.String("game", f.l.ID), slog.String("channel", f.channel),
		slog.String("id", f.id), slog.String("failure", out.failure))
}
