package service

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/ledger"
)

// proposedDeadlines are deadlines that wait for consent.
type proposedDeadlines struct {
	version   uint64
	deadlines *logv1.Deadlines
	missing   rules.Seats
}

// tick counts the seats' time up to the newest record of a moment that is not published yet. before is the moment before it.
func (m *moment) tick(l *live, before *moment) (err error) {
	if m.table.deadlines == nil && before.clocks == nil {
		return nil
	}
	var last *ledger.Record
	if before.newest != nil {
		last = before.newest.record
	}
	waiting := m.heldUp(l.about)
	m.clocks, err = ledger.NextClocks(m.table.deadlines, before.clocks, seatIDs(l.about, l.about.AllSeats()), last, m.newest.record, ledger.ClockPlace{
		Depth: m.tree.Moves(m.head()), Turn: m.game.Turn(),
		Waits: func(id string) bool { return waiting&seatSet(l.about, id) != 0 },
	})
	return err
}

// heldUp are the seats that somebody holds and the game waits for.
func (m *moment) heldUp(about *rules.About) (seats rules.Seats) {
	if m.table.over {
		return 0
	}
	if a := m.table.dice.Asked(); a != nil {
		for _, id := range a.Missing() {
			seats |= seatSet(about, id)
		}
		return seats
	}
	for seat := range m.game.Waiting().Each {
		if _, held := m.table.holders[about.SeatID(seat)]; held {
			seats |= rules.SeatsOf(seat)
		}
	}
	return seats
}

// foldDeadlines folds a change of the table that concerns deadlines.
func (m *moment) foldDeadlines(version uint64, e *logv1.TableEvent, seat func(string) (rules.Seat, error)) error {
	t := &m.table
	switch e := e.Event.(type) {
	case *logv1.TableEvent_DeadlinesProposed:
		p := &proposedDeadlines{version: version, deadlines: e.DeadlinesProposed.Deadlines}
		for _, id := range e.DeadlinesProposed.Needed {
			s, err := seat(id)
			if err != nil {
				return err
			}
			p.missing |= rules.SeatsOf(s)
		}
		t.proposed = p
	case *logv1.TableEvent_DeadlinesAnswered:
		s, err := seat(e.DeadlinesAnswered.Seat)
		if err != nil {
			return err
		}
		p := t.proposed
		if p == nil || p.version != e.DeadlinesAnswered.Proposed {
			return fmt.Errorf("an answer to proposal %d, which does not wait for one", e.DeadlinesAnswered.Proposed)
		}
		if !e.DeadlinesAnswered.Agree {
			t.proposed = nil
			return nil
		}
		left := *p
		left.missing &^= rules.SeatsOf(s)
		t.proposed = &left
	case *logv1.TableEvent_DeadlinesChanged:
		t.deadlines, t.proposed = e.DeadlinesChanged.Deadlines, nil
	}
	return nil
}

// showDeadlines adds to a game what a viewer may know of deadlines.
func (m *moment) showDeadlines(g *v1.Game, l *live, v rules.Viewer) {
	if p := m.table.proposed; p != nil {
		g.PendingDeadlines = &v1.PendingDeadlines{Proposed: p.version, Deadlines: p.deadlines, Missing: seatIDs(l.about, p.missing)}
	}
	g.Deadlines = m.table.deadlines
	known := make(map[string]bool)
	for _, id := range g.WaitingFor {
		known[id] = true
	}
	for _, c := range m.clocks.GetSeats() {
		out := &v1.SeatClock{Seat: c.Seat, HolidaysLeft: c.HolidaysLeft}
		if c.HolidayUntil.AsTime().After(m.updated) {
			out.HolidayUntil = c.HolidayUntil
		}
		if known[c.Seat] {
			out.DueTime, out.Expired = c.DueTime, c.Expired
		}
		if v.All || v.Seats&seatSet(l.about, c.Seat) != 0 {
			out.AllowanceLeft, out.BankLeft = durationpb.New(time.Duration(c.AllowanceLeft)), durationpb.New(time.Duration(c.BankLeft))
		}
		g.Clocks = append(g.Clocks, out)
	}
}

// deadlines reads deadlines, with nothing left open; nil for none.
func (s *shape) deadlines(field string, d *logv1.Deadlines, manual bool) *logv1.Deadlines {
	if d == nil {
		return nil
	}
	for _, f := range deadline.Check(d, manual) {
		s.faults.Add(field+"."+f.Field, "%s", f.What)
	}
	return deadline.Normal(d)
}
