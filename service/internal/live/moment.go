package live

import (
	"fmt"
	"sync"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// Moment is a game as it was after some record. It is published whole and never changes, so readers need no lock.
type Moment struct {
	// Tree is the tree of records, and Marks what an undo asks of each: of version n at n-1.
	Tree  ledger.Tree
	Marks []Mark
	// Hash and Updated are the hash and the time of the newest record.
	Hash    ledger.Hash
	Updated time.Time
	// LogBytes is the size of the log so far.
	LogBytes int
	// Position is the position at the head. Asks returns what it waits for, worked out when somebody wants to know.
	Position rules.Game
	Asks     func() []rules.Decision
	// Meta is what is kept beside the log, without the summary. lasting is the encoding of Meta and of that part of the
	// summary which few records change; nil until it is needed.
	Meta    *logv1.GameMeta
	lasting []byte
	// metaVersion is the version of the metadata in the store.
	metaVersion uint64
	// Table is who holds seats and what is asked of them, and Newest the record that made the moment.
	Table  Table
	Newest *Newest
	// initiated are the seats that saw something hidden from others.
	initiated rules.Seats
	// Clocks are the seats' time; nil without deadlines.
	Clocks *logv1.ClockState
	// Next is closed when there is a later moment, or the game was dropped.
	Next chan struct{}
}

// Mark is what undo asks of a record.
type Mark struct {
	// Seat made the record, and Kind is its RecordKind.
	Seat rules.Seat
	Kind uint8
	// Rolled is true if it threw dice, Reveals if it made something known.
	Rolled, Reveals bool
	// Aside is true for an aside, Sent for one that a seat sent itself. Size is its size in bytes.
	Aside, Sent bool
	Size        uint32
}

// Version is the version of the newest record.
func (m *Moment) Version() uint64 { return m.Tree.Version() }

// Head is the version whose position is the current one.
func (m *Moment) Head() uint64 { return m.Tree.Head() }

// Follow gives the moment after a record. The position is that of m: whoever moves the head sets it.
func (m *Moment) Follow(about *rules.About, r *ledger.Record) (*Moment, error) {
	n := *m
	n.begin()
	n.Newest = &Newest{Record: r}
	if err := n.add(about, r); err != nil {
		return nil, err
	}
	return &n, nil
}

// begin makes a copy of a moment one of its own.
func (m *Moment) begin() {
	m.Next = make(chan struct{})
	m.Asks = sync.OnceValue(func() []rules.Decision { return m.Position.Decisions() })
}

// add makes of a moment that is not published yet the one after a record, but for newest. It keeps nothing of the
// record. After an error it is spoiled.
func (m *Moment) add(about *rules.About, r *ledger.Record) error {
	if err := m.Tree.Add(r.Header()); err != nil {
		return err
	}
	m.Hash, m.Updated = r.Hash(), r.Header().Time.AsTime()
	m.LogBytes += len(r.Data())
	m.Marks = append(m.Marks, markOf(about, r))
	m.initiated |= initiates(about, r)
	var err error
	if m.Table.Dice, err = m.Table.Dice.Add(r); err != nil {
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
			m.Table.Pending = nil
			if kindPlays(r.Header().Kind) {
				m.Table.playQuestions(SeatSet(about, r.Header().Seat))
			}
		}
	}
	return nil
}

// kindPlays reports whether a seat that makes records of a kind plays.
func kindPlays(k logv1.RecordKind) bool {
	return k == logv1.RecordKind_RECORD_KIND_COMMAND || k == logv1.RecordKind_RECORD_KIND_ASK
}

func markOf(about *rules.About, r *ledger.Record) Mark {
	h := r.Header()
	k := Mark{Seat: rules.NoSeat, Kind: uint8(h.Kind), Reveals: h.Revealed, Aside: h.Aside, Sent: h.Carries == 0,
		Size: uint32(len(r.Data()))}
	if seat, ok := about.SeatByID(r.Header().Seat); ok {
		k.Seat = seat
	}
	for range r.Rolls() {
		k.Rolled = true
		break
	}
	return k
}

// Place turns a version into the place whose position it shows; 0 is the head.
func (m *Moment) Place(version uint64) (place, shown uint64, err error) {
	if version == 0 {
		version = m.Version()
	}
	if version > m.Version() {
		return 0, 0,
			fault.New(fault.VersionNotFound, "the game has %d records, there is no record %d yet",
				m.Version(), version).
				With("version", version, "current", m.Version())
	}
	return m.Tree.HeadAt(version), version, nil
}

// ReadOnly reports whether nobody can change the game: its secrets are where it was made.
func (m *Moment) ReadOnly() bool { return m.Meta.Imported && !m.Table.Over }

// initiates returns the seats to which a record showed something that it hid from others.
func initiates(about *rules.About, r *ledger.Record) (seats rules.Seats) {
	for i := range r.Leaves() {
		if a := r.Leaves()[i].Audience; a != rules.Everyone {
			seats |= rules.Seats(a)
		}
	}
	return seats & about.AllSeats()
}
