package service

import (
	"encoding/binary"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
)

// view is how a caller looks at a game.
type view struct {
	// seats whose sight it has.
	seats rules.Seats
	// narrowed is true if the caller asked to see less than it may.
	narrowed bool
}

// viewer is what rules know of it. When the game is over everyone is the auditor, unless they ask for less.
func (w view) viewer(over bool) rules.Viewer {
	return rules.Viewer{Seats: w.seats, All: over && !w.narrowed}
}

func (w view) key() (k live.ViewerKey) {
	if w.narrowed {
		k[0] = 1
	}
	binary.BigEndian.PutUint32(k[1:], uint32(w.seats))
	return k
}
