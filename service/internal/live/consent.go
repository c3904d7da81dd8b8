package live

import (
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
)

// Asked are the seats that something is asked of: a decision, or consent.
func (m *Moment) Asked(about *rules.About) (seats rules.Seats) {
	if m.Table.Over {
		return 0
	}
	seats = m.Position.Waiting()
	if m.Table.Dice.Asked() != nil {
		seats = m.Owing(about)
	}
	if p := m.Table.Pending; p != nil {
		seats |= p.Missing
	}
	if p := m.Table.Proposed; p != nil {
		seats |= p.Missing
	}
	if p := m.Table.Offered; p != nil {
		seats |= p.Missing
	}
	return seats
}

// DiceAwaited returns an error if a command waits for dice, and nil if none does.
func (m *Moment) DiceAwaited() error {
	a := m.Table.Dice.Asked()
	if a == nil {
		return nil
	}
	missing := strings.Join(a.Missing(), ",")
	return fault.New(fault.DiceAwaited,
		"a command of %s waits for dice: record %d asked for them, and %s has not answered",
		a.Seat, a.Version, missing).
		With("asked", a.Version, "missing", missing)
}

// Owing returns the seats that owe a link.
func (m *Moment) Owing(about *rules.About) (seats rules.Seats) {
	for _, id := range m.Table.Dice.Asked().Missing() {
		seats |= SeatSet(about, id)
	}
	return seats
}

// Claims are the free seats whose last holder the owner put out. That player has given nothing up, may come
// back with the seat's old token, and is asked with it wherever the others are asked. A holder who left, or
// ran out of time, is not.
func (m *Moment) Claims(about *rules.About) (seats rules.Seats) {
	for seat := range m.Table.freed.Each {
		if m.Meta.FormerTokenHashes[about.SeatID(seat)] != nil {
			seats |= rules.SeatsOf(seat)
		}
	}
	return seats
}
