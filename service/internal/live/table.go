package live

import (
	"fmt"
	"maps"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// ProposedDeadlines are deadlines that wait for consent.
type ProposedDeadlines struct {
	// Version is the record that proposed them.
	Version   uint64
	Deadlines *logv1.Deadlines
	// Missing are the seats that have not answered.
	Missing rules.Seats
}

// foldDeadlines folds a change of the table that concerns deadlines.
func (m *Moment) foldDeadlines(version uint64, e *logv1.TableEvent, seat func(string) (rules.Seat, error)) error {
	t := &m.Table
	switch e := e.Event.(type) {
	case *logv1.TableEvent_DeadlinesProposed:
		p := &ProposedDeadlines{Version: version, Deadlines: e.DeadlinesProposed.Deadlines}
		for _, id := range e.DeadlinesProposed.Needed {
			s, err := seat(id)
			if err != nil {
				return err
			}
			p.Missing |= rules.SeatsOf(s)
		}
		t.Proposed = p
	case *logv1.TableEvent_DeadlinesAnswered:
		s, err := seat(e.DeadlinesAnswered.Seat)
		if err != nil {
			return err
		}
		p := t.Proposed
		if p == nil || p.Version != e.DeadlinesAnswered.Proposed {
			return fmt.Errorf("an answer to proposal %d, which does not wait for one", e.DeadlinesAnswered.Proposed)
		}
		if !e.DeadlinesAnswered.Agree {
			t.Proposed = nil
			return nil
		}
		left := *p
		left.Missing &^= rules.SeatsOf(s)
		t.Proposed = &left
	case *logv1.TableEvent_DeadlinesChanged:
		t.Deadlines, t.Proposed = e.DeadlinesChanged.Deadlines, nil
	}
	return nil
}

// OfferedSeat is a free seat that waits for consent before somebody may take it.
type OfferedSeat struct {
	// Version is the record that offered it.
	Version uint64
	Seat    rules.Seat
	// Missing are the seats that have not answered.
	Missing rules.Seats
}

func (m *Moment) foldOffered(version uint64, e *logv1.SeatOffered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := &OfferedSeat{Version: version, Seat: s}
	for _, id := range e.Needed {
		s, err := seat(id)
		if err != nil {
			return err
		}
		p.Missing |= rules.SeatsOf(s)
	}
	m.Table.Offered = p
	return nil
}

func (m *Moment) foldSeatAnswer(e *logv1.SeatAnswered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := m.Table.Offered
	if p == nil || p.Version != e.Offered {
		return fmt.Errorf("an answer to offer %d of a seat, which does not wait for one", e.Offered)
	}
	if !e.Agree {
		m.Table.Offered = nil
		return nil
	}
	left := *p
	if left.Missing &^= rules.SeatsOf(s); left.Missing == 0 {
		m.Table.Offered, m.Table.Handed = nil, m.Table.Handed|rules.SeatsOf(p.Seat)
		return nil
	}
	m.Table.Offered = &left
	return nil
}

// Table is what changes around the game: it goes by the order of the log, and undo does not touch it.
type Table struct {
	// Holders are the names of those who hold seats, by seat id.
	Holders map[string]string
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

// PendingUndo is an undo that waits for consent.
type PendingUndo struct {
	// Asked is the record that asked, and Target where the head is to go.
	Asked, Target uint64
	Seat          rules.Seat
	// Missing are the seats that have not answered.
	Missing rules.Seats
}

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
	seat := func(id string) (rules.Seat, error) {
		s, ok := about.SeatByID(id)
		if !ok {
			return s, fmt.Errorf("there is no seat %q", id)
		}
		return s, nil
	}
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		t.Pending, t.Proposed, t.Offered = nil, nil, nil
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
	case *logv1.TableEvent_SeatLeft:
		t.Pending, t.Proposed, t.Offered = nil, nil, nil
		if e.SeatLeft.ByOwner {
			t.freed |= SeatSet(about, e.SeatLeft.Seat)
		}
		t.vacate(e.SeatLeft.Seat, m.Updated)
	case *logv1.TableEvent_Resigned:
		s, err := seat(e.Resigned.Seat)
		if err != nil {
			return err
		}
		if e.Resigned.GoesOn {
			t.Pending, t.Proposed, t.Offered = nil, nil, nil
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
	case *logv1.TableEvent_UndoAsked:
		return m.foldAsked(version, e.UndoAsked, seat)
	case *logv1.TableEvent_UndoAnswered:
		return m.foldAnswer(e.UndoAnswered, seat)
	case *logv1.TableEvent_SecretsReleased:
		t.Over, t.Pending, t.Proposed, t.Offered = true, nil, nil, nil
	case *logv1.TableEvent_DiceAnswered, *logv1.TableEvent_ChainRenewed, *logv1.TableEvent_DiceGoneOn:
		// for the state of the dice
	case *logv1.TableEvent_SeatOffered:
		return m.foldOffered(version, e.SeatOffered, seat)
	case *logv1.TableEvent_SeatAnswered:
		return m.foldSeatAnswer(e.SeatAnswered, seat)
	default:
		return m.foldDeadlines(version, whole, seat)
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

// vacate notes that a seat is free since a time. Earlier moments keep their maps.
func (t *Table) vacate(seat string, at time.Time) {
	t.Holders, t.Left = maps.Clone(t.Holders), maps.Clone(t.Left)
	delete(t.Holders, seat)
	if t.Left == nil {
		t.Left = make(map[string]time.Time)
	}
	t.Left[seat] = at
}

func (m *Moment) foldAsked(version uint64, e *logv1.UndoAsked, seat func(string) (rules.Seat, error)) error {
	asker, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := &PendingUndo{Asked: version, Target: e.Target, Seat: asker}
	for _, id := range e.Needed {
		s, err := seat(id)
		if err != nil {
			return err
		}
		p.Missing |= rules.SeatsOf(s)
	}
	m.Table.Pending = p
	return nil
}

func (m *Moment) foldAnswer(e *logv1.UndoAnswered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := m.Table.Pending
	if p == nil || p.Asked != e.Asked {
		return fmt.Errorf("an answer to undo %d, which does not wait for one", e.Asked)
	}
	if !e.Agree {
		m.Table.Pending = nil
		return nil
	}
	left := *p
	left.Missing &^= rules.SeatsOf(s)
	m.Table.Pending = &left
	return nil
}

// withEntropy makes a new list, for the old one may be in use.
func withEntropy(old ledger.Entropies, taken *logv1.SeatTaken) (e ledger.Entropies) {
	for _, kept := range old.List() {
		e.Take(&logv1.SeatTaken{Seat: kept.Seat, Entropy: kept.Bytes})
	}
	e.Take(taken)
	return e
}
