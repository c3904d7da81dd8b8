package service

import (
	"fmt"
	"maps"
	"sync"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// moment is a game as it was after some record. It is published whole and never changes, so readers need no lock.
type moment struct {
	tree    ledger.Tree
	marks   []mark // of version n at n-1
	hash    ledger.Hash
	updated time.Time
	// bytes is the size of the log so far.
	bytes int
	// game is the position at the head, and asks what it waits for, found out when somebody wants to know.
	game rules.Game
	asks func() []rules.Decision
	// meta is what is kept beside the log, without the summary; lasting is the same and what of the summary few records change, encoded, nil until it is
	// needed.
	meta    *logv1.GameMeta
	lasting []byte
	// metaVersion is the version of the metadata in the store.
	metaVersion uint64
	table       table
	newest      *newest
	// initiated are the seats that saw something hidden from others.
	initiated rules.Seats
	// clocks are the seats' time; nil without deadlines.
	clocks *logv1.ClockState
	// next is closed when there is a later moment, or the game was dropped.
	next chan struct{}
}

// mark is what undo asks of a record.
type mark struct {
	seat            rules.Seat
	kind            uint8 // its RecordKind
	rolled, reveals bool
	// aside is true for an aside, sent for one that a seat sent itself; size is its size in bytes.
	aside, sent bool
	size        uint32
}

// table is what changes around the game: it goes by the order of the log, and undo does not touch it.
type table struct {
	// holders are the names of those who hold seats, by seat id.
	holders map[string]string
	// sat are the seats that have been held, now or before.
	sat rules.Seats
	// seated says with which record each seat was taken last.
	seated map[string]uint64
	// left says when each free seat that somebody has held was left.
	left map[string]time.Time
	// freed are the free seats that the owner freed; handed are those that the others agreed to hand over.
	freed, handed rules.Seats
	// retaken says in which record somebody took a seat that the owner had freed, without the consent of its last holder.
	retaken   map[rules.Seat]uint64
	offered   *offeredSeat
	entropies ledger.Entropies
	// dice is the state of the dice, with what is asked for.
	dice    ledger.DiceState
	pending *pendingUndo
	// deadlines are nil for none; proposed are those that wait for consent.
	deadlines *logv1.Deadlines
	proposed  *proposedDeadlines
	// resigned and closed say how the game ended when it was not by its rules.
	resigned rules.Seat
	// givenUp are the seats whose last holder resigned while the game went on: they fall to their sides.
	givenUp rules.Seats
	// lapsed is true if that seat's time was up.
	lapsed bool
	closed *logv1.GameClosed
	// over is true once the secrets are released.
	over bool
}

// pendingUndo is an undo that waits for consent.
type pendingUndo struct {
	asked, target uint64
	seat          rules.Seat
	missing       rules.Seats
}

func (m *moment) version() uint64 { return m.tree.Version() }
func (m *moment) head() uint64    { return m.tree.Head() }

// follow gives the moment after a record. The position is that of m: whoever moves the head sets it.
func (m *moment) follow(about *rules.About, r *ledger.Record) (*moment, error) {
	n := *m
	n.begin()
	n.newest = &newest{record: r}
	if err := n.add(about, r); err != nil {
		return nil, err
	}
	return &n, nil
}

// begin makes a copy of a moment one of its own.
func (m *moment) begin() {
	m.next = make(chan struct{})
	m.asks = sync.OnceValue(func() []rules.Decision { return m.game.Decisions() })
}

// add makes of a moment that is not published yet the one after a record, but for newest. It keeps nothing of the record. After an error it is spoiled.
func (m *moment) add(about *rules.About, r *ledger.Record) error {
	if err := m.tree.Add(r.Header()); err != nil {
		return err
	}
	m.hash, m.updated = r.Hash(), r.Header().Time.AsTime()
	m.bytes += len(r.Data())
	m.marks = append(m.marks, markOf(about, r))
	m.initiated |= initiates(about, r)
	var err error
	if m.table.dice, err = m.table.dice.Add(r); err != nil {
		return fmt.Errorf("record %d %w", r.Version(), err)
	}
	switch r.Header().Kind {
	case logv1.RecordKind_RECORD_KIND_TABLE:
		m.lasting = nil // it names those who hold seats
		if err := m.foldTable(about, r); err != nil {
			return err
		}
	default:
		if !r.Header().Aside { // otherwise a seat that is not on turn could cancel the question of another
			m.table.pending = nil
		}
	}
	return nil
}

func markOf(about *rules.About, r *ledger.Record) mark {
	h := r.Header()
	k := mark{seat: rules.NoSeat, kind: uint8(h.Kind), reveals: h.Revealed, aside: h.Aside, sent: h.Carries == 0, size: uint32(len(r.Data()))}
	if seat, ok := about.SeatByID(r.Header().Seat); ok {
		k.seat = seat
	}
	for range r.Rolls() {
		k.rolled = true
		break
	}
	return k
}

// foldTable folds a change of the table.
func (m *moment) foldTable(about *rules.About, r *ledger.Record) error {
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

func (m *moment) foldTableEvent(about *rules.About, version uint64, e *logv1.TableEvent) error {
	t, whole := &m.table, e
	seat := func(id string) (rules.Seat, error) {
		s, ok := about.SeatByID(id)
		if !ok {
			return s, fmt.Errorf("there is no seat %q", id)
		}
		return s, nil
	}
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		t.pending, t.proposed, t.offered = nil, nil, nil
		t.retake(version, seatSet(about, e.SeatTaken.Seat))
		t.freed, t.handed = t.freed&^seatSet(about, e.SeatTaken.Seat), t.handed&^seatSet(about, e.SeatTaken.Seat)
		t.holders = maps.Clone(t.holders)
		t.holders[e.SeatTaken.Seat] = shown(e.SeatTaken.Holder, maxHolder)
		t.sat |= seatSet(about, e.SeatTaken.Seat)
		if t.seated = maps.Clone(t.seated); t.seated == nil {
			t.seated = make(map[string]uint64)
		}
		t.seated[e.SeatTaken.Seat] = version
		t.left = maps.Clone(t.left)
		delete(t.left, e.SeatTaken.Seat)
		t.givenUp &^= seatSet(about, e.SeatTaken.Seat)
		t.entropies = withEntropy(t.entropies, e.SeatTaken)
	case *logv1.TableEvent_SeatLeft:
		t.pending, t.proposed, t.offered = nil, nil, nil
		if e.SeatLeft.ByOwner {
			t.freed |= seatSet(about, e.SeatLeft.Seat)
		}
		t.vacate(e.SeatLeft.Seat, m.updated)
	case *logv1.TableEvent_Resigned:
		s, err := seat(e.Resigned.Seat)
		if err != nil {
			return err
		}
		if e.Resigned.GoesOn {
			t.pending, t.proposed, t.offered = nil, nil, nil
			t.vacate(e.Resigned.Seat, m.updated)
			t.givenUp |= rules.SeatsOf(s)
			return nil
		}
		t.resigned, t.lapsed = s, e.Resigned.ByClock
		t.givenUp |= rules.SeatsOf(s)
		for _, id := range e.Resigned.With {
			t.givenUp |= seatSet(about, id)
		}
	case *logv1.TableEvent_GameClosed:
		t.closed = e.GameClosed
	case *logv1.TableEvent_UndoAsked:
		return m.foldAsked(version, e.UndoAsked, seat)
	case *logv1.TableEvent_UndoAnswered:
		return m.foldAnswer(e.UndoAnswered, seat)
	case *logv1.TableEvent_SecretsReleased:
		t.over, t.pending, t.proposed, t.offered = true, nil, nil, nil
	case *logv1.TableEvent_DiceAnswered, *logv1.TableEvent_ChainRenewed, *logv1.TableEvent_DiceGoneOn: // for the state of the dice
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
func (t *table) retake(version uint64, seat rules.Seats) {
	for s := range (seat & t.freed &^ t.handed).Each {
		t.retaken = maps.Clone(t.retaken)
		if t.retaken == nil {
			t.retaken = make(map[rules.Seat]uint64)
		}
		t.retaken[s] = version
	}
}

// vacate notes that a seat is free since a time. Earlier moments keep their maps.
func (t *table) vacate(seat string, at time.Time) {
	t.holders, t.left = maps.Clone(t.holders), maps.Clone(t.left)
	delete(t.holders, seat)
	if t.left == nil {
		t.left = make(map[string]time.Time)
	}
	t.left[seat] = at
}

func (m *moment) foldAsked(version uint64, e *logv1.UndoAsked, seat func(string) (rules.Seat, error)) error {
	asker, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := &pendingUndo{asked: version, target: e.Target, seat: asker}
	for _, id := range e.Needed {
		s, err := seat(id)
		if err != nil {
			return err
		}
		p.missing |= rules.SeatsOf(s)
	}
	m.table.pending = p
	return nil
}

func (m *moment) foldAnswer(e *logv1.UndoAnswered, seat func(string) (rules.Seat, error)) error {
	s, err := seat(e.Seat)
	if err != nil {
		return err
	}
	p := m.table.pending
	if p == nil || p.asked != e.Asked {
		return fmt.Errorf("an answer to undo %d, which does not wait for one", e.Asked)
	}
	if !e.Agree {
		m.table.pending = nil
		return nil
	}
	left := *p
	left.missing &^= rules.SeatsOf(s)
	m.table.pending = &left
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
