package ledger

import (
	"slices"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
)

// Entropies are what the seats have added to the dice so far: for each seat, what it brought last. They go by the order
// of the log; undo does not take them back. The zero value means none.
type Entropies struct{ bySeat []dice.Entropy }

// Add takes what a record brings. Records other than changes of the table bring nothing.
func (e *Entropies) Add(r *Record) error {
	events, err := r.TableEvents()
	if err != nil {
		return err
	}
	for _, t := range events {
		if s := t.GetSeatTaken(); s != nil {
			e.Take(s)
		}
	}
	return nil
}

// Take takes what a holder brings when sitting down; empty entropy leaves what the seat has.
func (e *Entropies) Take(s *logv1.SeatTaken) {
	if len(s.Entropy) == 0 {
		return
	}
	at, found := slices.BinarySearchFunc(e.bySeat, s.Seat,
		func(x dice.Entropy, seat string) int { return strings.Compare(x.Seat, seat) })
	brought := dice.Entropy{Seat: s.Seat, Bytes: s.Entropy}
	if found {
		e.bySeat[at] = brought
	} else {
		e.bySeat = slices.Insert(e.bySeat, at, brought)
	}
}

// List is what counts for the rolls of the next record, by seat. It is a copy.
func (e *Entropies) List() []dice.Entropy { return slices.Clone(e.bySeat) }
