package heads

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/warledger/warledger/service/fault"
)

// lastSeal is how long taking in the last heads may take when the service is closed. What is not taken in then is taken
// in when it is opened again.
const lastSeal = 5 * time.Second

// KeepSealing takes in the heads of games every so often, whether or not anybody asks, and once more when closed is. A
// later checkpoint then proves how the games were before.
func (h *Log) KeepSealing(every time.Duration, closed <-chan struct{}) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for first := true; ; first = false {
		select {
		case <-tick.C:
			// The first time all games are held against the log, and games of a server that is gone each time.
			if first || h.marked() || h.Store.Shared() {
				h.sealUnasked(context.Background())
			}
		case <-closed:
			ctx, cancel := context.WithTimeout(context.Background(), lastSeal)
			defer cancel()
			if h.marked() {
				h.sealUnasked(ctx)
			}
			return
		}
	}
}

// sealUnasked takes heads in and writes size and root of the tree to the server's log, where they stay if the
// store is lost or changed.
func (h *Log) sealUnasked(ctx context.Context) {
	err := h.with(ctx, func() error {
		before := h.size
		if err := h.seal(ctx); err != nil || h.size == before {
			return err
		}
		root, err := tlog.TreeHash(h.size, h)
		if err == nil {
			h.Logger.Info("checkpoint", slog.Int64("size", h.size), slog.String("root", root.String()))
		}
		return err
	})
	if err != nil {
		h.Logger.Warn("heads of games could not be taken into their log",
			slog.String("error", err.Error()), slog.String("cause", fault.Cause(err)))
	}
}
