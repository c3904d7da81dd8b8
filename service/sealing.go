package service

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// lastSeal is how long taking in the last heads may take when the service is closed. What is not taken in then is when it is opened again.
const lastSeal = 5 * time.Second

// keepSealing takes the heads of games in from time to time, whether or not anybody asks, and once more at the end: who gets a checkpoint later has it
// prove that the games were so before.
func (s *Service) keepSealing(every time.Duration) {
	defer s.janitor.Done()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for first := true; ; first = false {
		select {
		case <-tick.C:
			if first || s.heads.marked() { // the first time all games are held against the log
				s.sealHeads(context.Background())
			}
		case <-s.closed:
			ctx, cancel := context.WithTimeout(context.Background(), lastSeal)
			defer cancel()
			if s.heads.marked() {
				s.sealHeads(ctx)
			}
			return
		}
	}
}

// sealHeads takes heads in and writes size and root of the tree to the log, where they stay if the store is lost or changed.
func (s *Service) sealHeads(ctx context.Context) {
	err := s.proving(ctx, func(h *heads) error {
		before := h.size
		if err := h.seal(ctx); err != nil || h.size == before {
			return err
		}
		root, err := tlog.TreeHash(h.size, h)
		if err == nil {
			s.log.Info("checkpoint", slog.Int64("size", h.size), slog.String("root", root.String()))
		}
		return err
	})
	if err != nil {
		s.log.Warn("heads of games could not be taken into their log", slog.String("error", err.Error()), slog.String("cause", cause(err)))
	}
}

// marked reports whether a game may have changed since heads were last taken in.
func (h *heads) marked() bool {
	h.marks.Lock()
	defer h.marks.Unlock()
	return len(h.changed) > 0
}

// headReplaced tells whoever runs the server that a game is not what was signed.
func (s *Service) headReplaced(id string, version uint64) {
	s.metrics.replaced.Inc()
	s.log.Error("the game is not what was signed: its head does not go on from the one in the log of heads", slog.String("game", id), slog.Uint64("version", version))
}
