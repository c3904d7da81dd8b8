package rules

import "math/bits"

// Seat is a role that someone can hold: an index into [About.Seats], from 0.
type Seat uint8

// NoSeat is no seat: the owner of a game, or the server.
const NoSeat Seat = 255

// MaxSeats is the largest number of seats that a ruleset may have: bit 31 of an audience says that
// no seat alone is in it.
const MaxSeats = 31

// Seats is a set of seats: bit n stands for seat n.
type Seats uint32

// SeatsOf is the set of the seats given. What is no seat is passed over.
func SeatsOf(seats ...Seat) Seats {
	var s Seats
	for _, seat := range seats {
		if seat < MaxSeats {
			s |= 1 << seat
		}
	}
	return s
}

// Has reports whether the seat is in the set.
func (s Seats) Has(seat Seat) bool { return seat < MaxSeats && s&(1<<seat) != 0 }

// Len is the number of seats in the set.
func (s Seats) Len() int { return bits.OnesCount32(uint32(s)) }

// Each yields the seats of the set in order.
func (s Seats) Each(yield func(Seat) bool) {
	for rest := s; rest != 0; rest &= rest - 1 {
		if !yield(Seat(bits.TrailingZeros32(uint32(rest)))) {
			return
		}
	}
}

// Audience says who may see an event, a roll or a command. The zero value is everyone.
type Audience uint32

// Everyone may see it.
const Everyone Audience = 0

// AuditorOnly is for what no seat may see until the end.
const AuditorOnly Audience = 1 << 31

// OnlySeats is the audience of the seats given. It panics if there is no seat among them: that would mean everyone.
func OnlySeats(seats ...Seat) Audience {
	s := SeatsOf(seats...)
	if s == 0 {
		panic("rules: an audience of no seats")
	}
	return Audience(s)
}

// OnlyTogether is the audience of whoever holds all the seats given: for what concerns secrets of each of them. It
// panics if there is no seat among them.
func OnlyTogether(seats ...Seat) Audience { return OnlySeats(seats...) | AuditorOnly }

// Viewer is who is looking.
type Viewer struct {
	// Seats that the viewer holds; empty for a spectator. One person may hold several.
	Seats Seats
	// All is true for the auditor, and for everyone once the game is over.
	All bool
}

// Auditor sees all.
var Auditor = Viewer{All: true}

// Spectator holds no seat and sees what is public.
var Spectator = Viewer{}

// SeatViewer is the viewer who holds one seat.
func SeatViewer(seat Seat) Viewer { return Viewer{Seats: SeatsOf(seat)} }

// MaySee reports whether the viewer is in the audience. It is the only place where that is decided.
func (v Viewer) MaySee(a Audience) bool {
	if a&AuditorOnly != 0 {
		all := Seats(a &^ AuditorOnly)
		return v.All || all != 0 && v.Seats&all == all
	}
	return a == Everyone || v.All || uint32(a)&uint32(v.Seats) != 0
}

// Holds reports whether the viewer sees what the seat sees.
func (v Viewer) Holds(seat Seat) bool { return v.All || v.Seats.Has(seat) }
