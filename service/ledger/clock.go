package ledger

import (
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/deadline"
)

// ClockPlace is what the seats' time depends on besides the log: the position at the head after a record.
type ClockPlace struct {
	// Depth is [Tree.Moves] of the head, and Turn the game turn.
	Depth, Turn int
	// Waits says for which held seats the game waits; nil for none.
	Waits func(seat string) bool
}

// NextClocks is the time of seats after a record, by the deadlines that hold after it; before is the record before
// it, nil for the first.
func NextClocks(
	d *logv1.Deadlines, old *logv1.ClockState, seats []string, before, r *Record, at ClockPlace,
) (*logv1.ClockState, error) {
	events, err := r.TableEvents()
	if err != nil {
		return nil, err
	}
	h := r.Header()
	if before == nil {
		old = deadline.Begin(d, seats)
	}
	for _, e := range events {
		if e.GetDeadlinesChanged() != nil {
			old = deadline.Changed(d, old, seats)
		}
	}
	if d == nil || old == nil {
		return nil, nil
	}
	step := deadline.Step{Time: h.Time.AsTime(), Events: events, Depth: uint64(at.Depth) + 1, Turn: int32(at.Turn),
		Waits: at.Waits}
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_COMMAND:
		step.Acted = h.Seat
		step.Played, err = playedFor(before, h.Seat)
	case logv1.RecordKind_RECORD_KIND_UNDO:
		step.Undid = true
		if h.CommandId != "" { // what all agreed to has no id of its own
			step.Alone = h.Seat
		}
	}
	return deadline.Next(d, old, step), err
}

// playedFor reports whether the command after a record is the server's, for a seat whose time was up.
func playedFor(before *Record, seat string) (bool, error) {
	if before == nil {
		return false, nil
	}
	events, err := before.TableEvents()
	for _, e := range events {
		if x := e.GetTimeExpired(); x.GetSeat() == seat && x.GetLapse() == logv1.Lapse_LAPSE_PLAY {
			return true, nil
		}
	}
	return false, err
}

// DeadlinesAfter are the deadlines that hold after changes of the table.
func DeadlinesAfter(d *logv1.Deadlines, events []*logv1.TableEvent) *logv1.Deadlines {
	for _, e := range events {
		if c := e.GetDeadlinesChanged(); c != nil {
			d = c.Deadlines
		}
	}
	return d
}
