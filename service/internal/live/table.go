package live

import (
	"fmt"
	"maps"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// Table is what changes around the game: it goes by the order of the log, and undo does not touch it.
type Table struct {
	// Holders are the names of those who hold seats, by seat id.
	Holders map[string]string
	// Computers are the computers that hold seats, by seat id.
	Computers map[string]Computer
	// People are the seats that persons have held, now or before.
	People rules.Seats
	// returned are the free seats that were taken back from computers.
	returned rules.Seats
	// Sat are the seats that have been held, now or before.
	Sat rules.Seats
	// seated says with which record each seat was taken last.
	seated map[string]uint64
	// Left says when each free seat that somebody has held was left.
	Left map[string]time.Time
	// freed are the free seats that the owner freed; Handed are those that the others agreed to hand over.
	freed, Handed rules.Seats
	// Retaken says in which record somebody took a seat that the owner had freed, without the
	// consent of its last holder.
	Retaken map[rules.Seat]uint64
	// Offered is the seat that waits for consent; nil for none.
	Offered *OfferedSeat
	// Entropies are what the seats added to the dice.
	Entropies ledger.Entropies
	// Dice is the state of the dice, with what is asked for.
	Dice ledger.DiceState
	// Pending is the undo that waits for consent; nil for none.
	Pending *PendingUndo
	// Deadlines are nil for none; Proposed are those that wait for consent.
	Deadlines *logv1.Deadlines
	Proposed  *ProposedDeadlines
	// Resigned and closed say how the game ended when it was not by its rules.
	Resigned rules.Seat
	// GivenUp are the seats whose last holder resigned while the game went on: they fall to their sides.
	GivenUp rules.Seats
	// Lapsed is true if that seat's time was up.
	Lapsed bool
	closed *logv1.GameClosed
	// Over is true once the secrets are released.
	Over bool
}

// Computer is a computer that holds a seat.
type Computer struct {
	// ID is that of its account, and GivenBy the seat whose holder gave it the seat; empty for the owner.
	ID, GivenBy string
}

// Sitting names the time during which one player holds a seat: the version of the record with which it was taken last;
// 0 if it never was.
func (t *Table) Sitting(seat string) uint64 { return t.seated[seat] }

// foldTable folds a change of the table.
func (m *Moment) foldTable(about *rules.About, r *ledger.Record) error {
	events, err := r.TableEvents()
	if err != nil {
		return fmt.Errorf("record %d: %w", r.Version(), err)
	}
	for _, e := range events {
		if err := m.foldTableEvent(about, r.Version(), e); err != nil {
			return fmt.Errorf("record %d: %w", r.Version(), err)
		}
	}
	return nil
}

func (m *Moment) foldTableEvent(about *rules.About, version uint64, e *logv1.TableEvent) error {
	t, whole := &m.Table, e
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		t.joinQuestions(e.SeatTaken, SeatSet(about, e.SeatTaken.Seat))
		t.retake(version, SeatSet(about, e.SeatTaken.Seat))
		t.freed, t.Handed = t.freed&^SeatSet(about, e.SeatTaken.Seat), t.Handed&^SeatSet(about, e.SeatTaken.Seat)
		t.Holders = maps.Clone(t.Holders)
		t.Holders[e.SeatTaken.Seat] = Shown(e.SeatTaken.Holder, MaxHolder)
		t.Sat |= SeatSet(about, e.SeatTaken.Seat)
		if t.seated = maps.Clone(t.seated); t.seated == nil {
			t.seated = make(map[string]uint64)
		}
		t.seated[e.SeatTaken.Seat] = version
		t.Left = maps.Clone(t.Left)
		delete(t.Left, e.SeatTaken.Seat)
		t.GivenUp &^= SeatSet(about, e.SeatTaken.Seat)
		t.Entropies = withEntropy(t.Entropies, e.SeatTaken)
		t.seatComputer(e.SeatTaken)
		if e.SeatTaken.Computer == "" {
			t.People |= SeatSet(about, e.SeatTaken.Seat)
		}
		t.returned &^= SeatSet(about, e.SeatTaken.Seat)
	case *logv1.TableEvent_SeatLeft:
		t.quitQuestions(e.SeatLeft, SeatSet(about, e.SeatLeft.Seat))
		if e.SeatLeft.ByOwner {
			t.freed |= SeatSet(about, e.SeatLeft.Seat)
		}
		if e.SeatLeft.TakenBack {
			t.returned |= SeatSet(about, e.SeatLeft.Seat)
		}
		t.vacate(e.SeatLeft.Seat, m.Updated)
	case *logv1.TableEvent_Resigned:
		s, err := seatNamed(about, e.Resigned.Seat)
		if err != nil {
			return err
		}
		if e.Resigned.GoesOn {
			t.endQuestions()
			t.vacate(e.Resigned.Seat, m.Updated)
			t.GivenUp |= rules.SeatsOf(s)
			return nil
		}
		t.Resigned, t.Lapsed = s, e.Resigned.ByClock
		t.GivenUp |= rules.SeatsOf(s)
		for _, id := range e.Resigned.With {
			t.GivenUp |= SeatSet(about, id)
		}
	case *logv1.TableEvent_GameClosed:
		t.closed = e.GameClosed
	case *logv1.TableEvent_SecretsReleased:
		t.Over = true
		t.endQuestions()
	case *logv1.TableEvent_DiceAnswered, *logv1.TableEvent_ChainRenewed, *logv1.TableEvent_DiceGoneOn:
		// for the state of the dice
	default:
		return m.foldQuestion(about, version, whole)
	}
	return nil
}

// retake notes that a seat is taken, if the owner had freed it and not all agreed. Earlier moments keep their map.
func (t *Table) retake(version uint64, seat rules.Seats) {
	for s := range (seat & t.freed &^ t.Handed).Each {
		t.Retaken = maps.Clone(t.Retaken)
		if t.Retaken == nil {
			t.Retaken = make(map[rules.Seat]uint64)
		}
		t.Retaken[s] = version
	}
}

// seatComputer notes whether a computer has taken a seat. Earlier moments keep their map.
func (t *Table) seatComputer(e *logv1.SeatTaken) {
	if e.Computer == "" && len(t.Computers) == 0 {
		return
	}
	t.Computers = maps.Clone(t.Computers)
	if e.Computer == "" {
		delete(t.Computers, e.Seat)
		return
	}
	if t.Computers == nil {
		t.Computers = make(map[string]Computer)
	}
	t.Computers[e.Seat] = Computer{ID: Shown(e.Computer, MaxHolder), GivenBy: e.GivenBy}
}

// vacate notes that a seat is free since a time. Earlier moments keep their maps.
func (t *Table) vacate(seat string, at time.Time) {
	t.Holders, t.Left = maps.Clone(t.Holders), maps.Clone(t.Left)
	delete(t.Holders, seat)
	if len(t.Computers) > 0 {
		t.Computers = maps.Clone(t.Computers)
		delete(t.Computers, seat)
	}
	if t.Left == nil {
		t.Left = make(map[string]time.Time)
	}
	t.Left[seat] = at
}

// withEntropy makes a new list, for the old one may be in use.
func withEntropy(old ledger.Entropies, taken *logv1.SeatTaken) (e ledger.Entropies) {
	for _, kept := range old.List() {
		e.Take(&logv1.SeatTaken{Seat: kept.Seat, Entropy: kept.Bytes})
	}
	e.Take(taken)
	return e
}
