package service

import (
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// Bounds on the asides of a seat: how many records and bytes since the last record that was no aside. The asides of
// all seats together may take one part in asideShare of a game's bytes.
const (
	asidesAtOnce     = 16
	asideBytesAtOnce = 128 << 10
	asideShare       = 4
)

// speaks reports whether the outcome of a command is that of an aside: no dice, nothing revealed, no end, and the game
// waits for the same seats as before.
func speaks(before, after rules.Game, out *rules.Outcome) bool {
	return len(out.Rolls) == 0 && !out.Revealed && after.Ending() == nil && after.Waiting() == before.Waiting()
}

// asideRoom refuses an aside of a seat that has made as many as it may; nil for other commands.
func (s *Service) asideRoom(m *live.Moment, about *rules.About, seat rules.Seat, c rules.Command) error {
	if !m.Aside(seat, c) {
		return nil
	}
	since, bytes, all, recent := 0, 0, 0, true
	for _, k := range slices.Backward(m.Marks) {
		recent = recent && (k.Aside || k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE))
		if !k.Aside || !k.Sent || k.Seat != seat {
			continue
		}
		all += int(k.Size)
		if recent {
			since++
			bytes += int(k.Size)
		}
	}
	share := s.limits.GameBytes / asideShare / len(about.Seats)
	switch {
	case since >= asidesAtOnce:
		return tooManyAsides(asidesAtOnce, "%s has made %d asides since somebody played", about.SeatID(seat), since)
	case bytes >= asideBytesAtOnce:
		return tooManyAsides(asideBytesAtOnce, "%s has made asides of %d bytes since somebody played",
			about.SeatID(seat), bytes)
	case s.limits.GameBytes > 0 && all >= share:
		return tooManyAsides(share, "%s has made asides of %d bytes in this game", about.SeatID(seat), all)
	}
	return nil
}

func tooManyAsides(limit int, format string, args ...any) error {
	return fault.New(fault.TooManyAsides, format, args...).With("limit", limit).Quota("asides of one seat")
}

// tableRoom refuses a seat's next question to the others if it has asked as many as it may since somebody played.
func tableRoom(m *live.Moment, about *rules.About, seat rules.Seat) error {
	asked := 0
	for _, k := range slices.Backward(m.Marks) {
		table := k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE)
		if !table && !k.Aside {
			break
		}
		if table && k.Seat == seat {
			asked++
		}
	}
	if asked < asidesAtOnce {
		return nil
	}
	return tooManyAsides(asidesAtOnce, "%s has changed the table or asked for something %d times since somebody played",
		about.SeatID(seat), asked)
}
