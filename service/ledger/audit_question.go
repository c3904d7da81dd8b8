package ledger

import (
	"maps"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// question is a request for the consent of seats, as an audit follows it.
type question struct {
	// asked holds all seats that were asked, and missing those that have neither agreed nor left. unplayed holds seats
	// taken since; their players are asked once they play.
	asked, missing, unplayed map[string]bool
	// agreed holds the seats that agreed and are still held, or whose players the owner removed.
	agreed map[string]struct{}
	// claims are the asked seats that nobody held. For each, the player whom the owner had put out is asked.
	claims map[string]bool
}

func newQuestion(needed []string, held func(seat string) bool) *question {
	q := &question{
		asked: make(map[string]bool), missing: make(map[string]bool), unplayed: make(map[string]bool),
		agreed: make(map[string]struct{}), claims: make(map[string]bool),
	}
	for _, seat := range needed {
		q.asked[seat], q.missing[seat] = true, true
		if !held(seat) {
			q.claims[seat] = true
		}
	}
	return q
}

func (q *question) agree(seat string) {
	delete(q.missing, seat)
	q.agreed[seat] = struct{}{}
}

// join returns the question as it stands after somebody has taken a seat. It returns nil if the question ends, because
// nobody can answer for the last holder of that seat any more.
func (q *question) join(e *logv1.SeatTaken) *question {
	if !e.JoinsQuestions || q.claims[e.Seat] {
		return nil
	}
	delete(q.agreed, e.Seat)
	if e.JoinsOncePlayed {
		q.unplayed[e.Seat] = true
	} else {
		q.asked[e.Seat], q.missing[e.Seat] = true, true
	}
	return q
}

// play follows a seat that makes a command.
func (q *question) play(seat string) {
	if q.unplayed[seat] {
		delete(q.unplayed, seat)
		q.asked[seat], q.missing[seat] = true, true
	}
}

// kindPlays reports whether a seat plays by making a record of a kind.
func kindPlays(k logv1.RecordKind) bool {
	return k == logv1.RecordKind_RECORD_KIND_COMMAND || k == logv1.RecordKind_RECORD_KIND_ASK
}

// concerned returns the seats that were asked, and those taken since, whose players have had no say yet.
func (q *question) concerned() map[string]bool {
	seats := maps.Clone(q.asked)
	maps.Copy(seats, q.unplayed)
	return seats
}

// quit returns the question as it stands after a seat is left. It returns nil if the question ends, because the holder
// of the seat had played.
func (q *question) quit(e *logv1.SeatLeft) *question {
	if !e.QuitsQuestions {
		return nil
	}
	delete(q.missing, e.Seat)
	delete(q.agreed, e.Seat)
	delete(q.unplayed, e.Seat)
	return q
}
