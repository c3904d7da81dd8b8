package service

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/internal/live"
)

// showDeadlines adds to a game what a viewer may know of deadlines.
func showDeadlines(m *live.Moment, g *v1.Game, l *live.Game, v rules.Viewer) {
	if p := m.Table.Proposed; p != nil {
		g.PendingDeadlines = &v1.PendingDeadlines{Proposed: p.Version, Deadlines: p.Deadlines, Missing: live.SeatIDs(l.About, p.Missing)}
	}
	g.Deadlines = m.Table.Deadlines
	known := make(map[string]bool)
	for _, id := range g.WaitingFor {
		known[id] = true
	}
	for _, c := range m.Clocks.GetSeats() {
		out := &v1.SeatClock{Seat: c.Seat, HolidaysLeft: c.HolidaysLeft}
		if c.HolidayUntil.AsTime().After(m.Updated) {
			out.HolidayUntil = c.HolidayUntil
		}
		if known[c.Seat] {
			out.DueTime, out.Expired = c.DueTime, c.Expired
		}
		if v.All || v.Seats&live.SeatSet(l.About, c.Seat) != 0 {
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
