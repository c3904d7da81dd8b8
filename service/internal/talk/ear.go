package talk

import (
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
)

// Ear is a caller, as far as the talk of one game is concerned. It alone says who reads what.
//
//   - The table is for whoever sees for a seat, for the owner, and for spectators if the owner lets them.
//   - A side is for those who may act for one of its seats, and only what was said since they sat down. A token that
//     only sees, a computer, the owner and spectators do not read it, also when the game is over.
//   - Notes are for whoever wrote them, as long as they hold the seat.
type Ear struct {
	// Game is the id of the game, and About, Moment and Map are what it is like now.
	Game   string
	About  *rules.About
	Moment *live.Moment
	// Acts are the seats that the caller may act for and no computer holds; Sees are all that it sees for.
	Acts, Sees rules.Seats
	// Owner is true if the caller may do what the owner may.
	Owner bool
}

// place is where something is said: to an audience, by and for some seats.
type place struct {
	audience v1.Audience
	// seats are those of the side, or the one whose notes they are; none for the table.
	seats rules.Seats
	room  string
}

// at is the place where a seat speaks to an audience.
func (e *Ear) at(audience v1.Audience, seat rules.Seat) place {
	switch audience {
	case v1.Audience_AUDIENCE_SIDE:
		side := e.About.SideOf(seat)
		return place{audience, side, "side/" + live.SeatIDs(e.About, side)[0]}
	case v1.Audience_AUDIENCE_SELF:
		return place{audience, rules.SeatsOf(seat), "notes/" + e.About.SeatID(seat)}
	}
	return place{audience: v1.Audience_AUDIENCE_TABLE, room: "table"}
}

// stream is where the store keeps it.
func (p place) stream(game string) string { return streams.TalkRoom(game, p.room) }

// places are those that the caller may read, whether or not the owner lets spectators read.
func (e *Ear) places() []place {
	out := []place{e.at(v1.Audience_AUDIENCE_TABLE, rules.NoSeat)}
	for seat := range e.Acts.Each {
		for _, p := range []place{e.at(v1.Audience_AUDIENCE_SIDE, seat), e.at(v1.Audience_AUDIENCE_SELF, seat)} {
			if !slices.ContainsFunc(out, func(q place) bool { return q.room == p.room }) {
				out = append(out, p)
			}
		}
	}
	return out
}

// readsTable reports whether the caller may read what is said at the table.
func (e *Ear) readsTable(book *logv1.TalkBook) bool {
	return e.Sees|e.Acts != 0 || e.Owner || book.Spectators
}

// reads reports whether the caller may read a message of a place.
func (e *Ear) reads(p place, room *logv1.TalkRoom, m *logv1.TalkMessage, book *logv1.TalkBook) bool {
	switch p.audience {
	case v1.Audience_AUDIENCE_TABLE:
		return e.readsTable(book) && !e.deafTo(book, m)
	case v1.Audience_AUDIENCE_SIDE:
		for seat := range (e.Acts & p.seats).Each {
			if e.knows(m) && m.Version >= e.sitting(e.About.SeatID(seat)) && !e.deafTo(book, m) {
				return true
			}
		}
	case v1.Audience_AUDIENCE_SELF:
		return e.Acts&p.seats != 0 && room.Sitting == e.sitting(m.Seat)
	}
	return false
}

// knows reports whether the ear knows who held the seats when a message was written. If it was written to a later
// moment of the game, the caller may have been put out before that.
func (e *Ear) knows(m *logv1.TalkMessage) bool { return m.Version <= e.Moment.Version() }

func (e *Ear) sitting(seat string) uint64 { return e.Moment.Table.Sitting(seat) }

// now is a seat with the sitting of whoever holds it.
func (e *Ear) now(seat string) *logv1.TalkSitting {
	return &logv1.TalkSitting{Seat: seat, Sitting: e.sitting(seat)}
}

func same(a, b *logv1.TalkSitting) bool {
	return a.GetSeat() == b.GetSeat() && a.GetSitting() == b.GetSitting()
}

// mine reports whether the caller acts for a seat in the sitting of one that is kept.
func (e *Ear) mine(kept *logv1.TalkSitting) bool {
	return e.Acts&live.SeatSet(e.About, kept.GetSeat()) != 0 && same(kept, e.now(kept.GetSeat()))
}

// wrote reports whether the caller wrote a message.
func (e *Ear) wrote(m *logv1.TalkMessage) bool {
	return e.mine(&logv1.TalkSitting{Seat: m.Seat, Sitting: m.Sitting})
}

// deafTo reports whether the caller does not want to read whoever wrote a message.
func (e *Ear) deafTo(book *logv1.TalkBook, m *logv1.TalkMessage) bool {
	return slices.ContainsFunc(book.Deaf, func(d *logv1.TalkDeafness) bool {
		return d.Speaker.GetSeat() == m.Seat && m.Sitting >= d.Speaker.GetSitting() && e.mine(d.Listener)
	})
}

// muted reports whether the owner does not let a seat write.
func muted(book *logv1.TalkBook, seat string) bool {
	return slices.ContainsFunc(book.Muted, func(s *logv1.TalkSitting) bool { return s.Seat == seat })
}

// maySay returns an error if a seat may not write to an audience.
func maySay(book *logv1.TalkBook, audience v1.Audience, seat string) error {
	if audience != v1.Audience_AUDIENCE_SELF && muted(book, seat) {
		return fault.New(fault.SeatMuted, "the owner of the game does not let %s write", seat).With("seat", seat)
	}
	return nil
}

// hidden is what is said to those who may not read the table.
func hidden() error {
	return fault.New(fault.TalkHidden, "the owner of the game does not let spectators read what is said at the table")
}
