package live

import (
	"cmp"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
)

// SeatIDs lists the ids of seats in order.
func SeatIDs(about *rules.About, seats rules.Seats) []string {
	var ids []string
	for seat := range seats.Each {
		ids = append(ids, about.SeatID(seat))
	}
	return ids
}

// SeatList is the ids of seats with commas between them.
func SeatList(about *rules.About, seats rules.Seats) string {
	return strings.Join(SeatIDs(about, seats), ",")
}

// Lost reports whether the game ends when a seat gives up. That is so if the game has two sides, and each seat of this
// side was given up or belongs to the caller. So nobody ends a game for allies who want to play on.
func (m *Moment) Lost(about *rules.About, seat rules.Seat, own rules.Seats) bool {
	side := about.SideOf(seat)
	rest := about.AllSeats() &^ side
	two := rest == 0
	for other := range rest.Each {
		two = about.SideOf(other) == rest
		break
	}
	return two && side&^(m.Table.GivenUp|own|rules.SeatsOf(seat)) == 0
}

// Played reports whether one of the seats has made a command since its holder sat down, undone ones included. Asides do
// not count. Otherwise a stranger could take a free seat and end the game, or lock the seat, without ever playing.
func (m *Moment) Played(about *rules.About, seats rules.Seats) bool {
	for seat := range seats.Each {
		for _, k := range m.Marks[m.Table.seated[about.SeatID(seat)]:] {
			if k.Seat == seat && kindPlays(logv1.RecordKind(k.Kind)) && !k.Aside {
				return true
			}
		}
	}
	return false
}

// Guard says who may not take a free seat because of what its last holder could see. A seat that saw nothing hidden is
// not guarded.
func (m *Moment) Guard(l *Game, id string) v1.SeatGuard {
	seat := SeatSet(l.About, id)
	_, held := m.Table.Holders[id]
	switch {
	case held, m.Table.Over, !l.Ruleset.HasSecrets(), m.Table.Sat&m.initiated&seat == 0, m.Table.Handed&seat != 0:
		return v1.SeatGuard_SEAT_GUARD_UNSPECIFIED
	case (m.Table.freed|m.Table.returned)&seat != 0:
		return v1.SeatGuard_SEAT_GUARD_ALL
	}
	return v1.SeatGuard_SEAT_GUARD_OWNER
}

// SeatSet is the seat of an id; no seat if the ruleset has none of that id.
func SeatSet(about *rules.About, id string) rules.Seats {
	seat, ok := about.SeatByID(id)
	if !ok {
		return 0
	}
	return rules.SeatsOf(seat)
}

// JoinPolicy is who may take a free seat.
func (m *Moment) JoinPolicy() logv1.JoinPolicy {
	return cmp.Or(m.Meta.JoinPolicy, logv1.JoinPolicy_JOIN_POLICY_OPEN)
}
