package live

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// tick counts the seats' time up to the newest record of a moment that is not published yet. before is
// the moment before it.
func (m *Moment) tick(l *Game, before *Moment) (err error) {
	if m.Table.Deadlines == nil && before.Clocks == nil {
		return nil
	}
	var last *ledger.Record
	if before.Newest != nil {
		last = before.Newest.Record
	}
	waiting := m.heldUp(l.About)
	m.Clocks, err = ledger.NextClocks(m.Table.Deadlines, before.Clocks, SeatIDs(l.About, l.About.AllSeats()), last,
		m.Newest.Record, ledger.ClockPlace{
			Depth: m.Tree.Moves(m.Head()), Turn: m.Position.Turn(),
			Waits: func(id string) bool { return waiting&SeatSet(l.About, id) != 0 },
		})
	return err
}

// heldUp are the seats that somebody holds and the game waits for.
func (m *Moment) heldUp(about *rules.About) (seats rules.Seats) {
	if m.Table.Over {
		return 0
	}
	if a := m.Table.Dice.Asked(); a != nil {
		for _, id := range a.Missing() {
			seats |= SeatSet(about, id)
		}
		return seats
	}
	for seat := range m.Position.Waiting().Each {
		if _, held := m.Table.Holders[about.SeatID(seat)]; held {
			seats |= rules.SeatsOf(seat)
		}
	}
	return seats
}

// GoOnTime is when the game goes on without the links that are owed; nil if it waits for none, or has no limit.
func (m *Moment) GoOnTime(l *Game) *timestamppb.Timestamp {
	a, terms := m.Table.Dice.Asked(), l.Created.GetMutualDice()
	if a == nil || terms.GetOnSilence() != logv1.Silence_SILENCE_GO_ON {
		return nil
	}
	return timestamppb.New(a.Time.Add(terms.AnswerTime.AsDuration()))
}

// NextDue is when the next thing happens by time alone; zero if nothing does.
func (m *Moment) NextDue(l *Game) (due time.Time) {
	if m.Table.Over {
		return due
	}
	for _, t := range []*timestamppb.Timestamp{m.Clocks.GetNextDue(), m.GoOnTime(l)} {
		if t != nil && (due.IsZero() || t.AsTime().Before(due)) {
			due = t.AsTime()
		}
	}
	return due
}
