package deadline

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Step is what a record means for the seats' time.
type Step struct {
	// Time is when the record was made.
	Time time.Time
	// Events are its changes of the table.
	Events []*logv1.TableEvent
	// Acted is the seat whose command it is; empty if there was no command. Played says that the server played it.
	Acted  string
	Played bool
	// Undid says that it moves the head back: Alone is the seat that did so without asking, empty if all agreed.
	Undid bool
	Alone string
	// Depth is the length of the line to the head after it, and Turn the game turn there.
	Depth uint64
	Turn  int32
	// Waits says for which seats the game waits there that somebody holds; nil for none, as when the game is over.
	Waits func(seat string) bool
}

// Begin is the time of seats that have not used any; nil without deadlines.
func Begin(d *logv1.Deadlines, seats []string) *logv1.ClockState {
	if d == nil {
		return nil
	}
	s := new(logv1.ClockState)
	for _, id := range seats {
		s.Seats = append(s.Seats, &logv1.SeatClockState{
			Seat: id, AllowanceLeft: int64(d.Allowance.AsDuration()), BankLeft: int64(d.Bank.AsDuration()),
			HolidaysLeft: d.HolidayDays,
		})
	}
	return s
}

// Next is the time of seats after a record, by the deadlines that hold after it. The old state stays as it is.
func Next(d *logv1.Deadlines, old *logv1.ClockState, s Step) *logv1.ClockState {
	if d == nil || old == nil {
		return nil
	}
	state := proto.CloneOf(old)
	state.NextDue = nil
	for _, c := range state.Seats {
		k := clock{d, c}
		k.settle(s.Time)
		k.events(s)
		k.moved(s)
		k.wait(s)
		if due := c.DueTime; due != nil && (state.NextDue == nil || due.AsTime().Before(state.NextDue.AsTime())) {
			state.NextDue = due
		}
	}
	return state
}

// Changed is the time of seats when other deadlines begin to hold: all of it again, but for a holiday that goes on.
func Changed(d *logv1.Deadlines, old *logv1.ClockState, seats []string) *logv1.ClockState {
	s := Begin(d, seats)
	for i, c := range s.GetSeats() {
		if i < len(old.GetSeats()) {
			c.HolidayUntil = old.Seats[i].HolidayUntil
		}
	}
	return s
}

// Find is the time of one seat; nil if none exists.
func Find(s *logv1.ClockState, seat string) *logv1.SeatClockState {
	for _, c := range s.GetSeats() {
		if c.Seat == seat {
			return c
		}
	}
	return nil
}

// clock is the time of one seat by its deadlines.
type clock struct {
	d *logv1.Deadlines
	*logv1.SeatClockState
}

// settle counts what was used up to now: of the allowance first, then of the bank.
func (c clock) settle(now time.Time) {
	if c.Running {
		used := int64(Counted(c.d, c.CountedTime.AsTime(), now, c.still()))
		fromAllowance := min(used, c.AllowanceLeft)
		c.AllowanceLeft -= fromAllowance
		c.BankLeft -= min(used-fromAllowance, c.BankLeft)
	}
	c.CountedTime = timestamppb.New(now)
}

// still is until when the time stands still.
func (c clock) still() time.Time {
	if c.HolidayUntil == nil {
		return time.Time{}
	}
	return c.HolidayUntil.AsTime()
}

func (c clock) events(s Step) {
	for _, e := range s.Events {
		switch e := e.Event.(type) {
		case *logv1.TableEvent_SeatTaken:
			if e.SeatTaken.Seat == c.Seat { // whoever sits down has not used any of the allowance
				c.grant(s)
				c.SeatClockState.Played = 0
			}
		case *logv1.TableEvent_HolidayTaken:
			if e.HolidayTaken.Seat == c.Seat {
				c.HolidaysLeft -= e.HolidayTaken.Days
				c.HolidayUntil = e.HolidayTaken.Until
			}
		case *logv1.TableEvent_TimeExpired:
			if e.TimeExpired.Seat == c.Seat {
				c.Expired = true
			}
		}
	}
}

// moved takes account of what the record does to the line.
func (c clock) moved(s Step) {
	switch {
	case s.Undid && s.Alone != c.Seat:
		// Somebody else took it back, or all agreed: the seat gets its allowance again when it is waited for.
		c.GrantedDepth, c.GrantedTurn = min(c.GrantedDepth, s.Depth-1), min(c.GrantedTurn, s.Turn-1)
		if c.Running {
			c.due(s)
		}
	case s.Acted == c.Seat && s.Played:
		if c.SeatClockState.Played++; c.SeatClockState.Played < MostPlayed {
			c.Expired = false
			c.due(s)
		}
	case s.Acted == c.Seat:
		c.SeatClockState.Played = 0
		c.due(s)
	}
}

// due gives the seat its allowance if it is due one. What was taken back alone is not: the line must
// be longer than before.
func (c clock) due(s Step) {
	if c.d.Span == logv1.DeadlineSpan_DEADLINE_SPAN_TURN && s.Turn > c.GrantedTurn ||
		c.d.Span != logv1.DeadlineSpan_DEADLINE_SPAN_TURN && s.Depth > c.GrantedDepth {
		c.grant(s)
	}
}

func (c clock) grant(s Step) {
	c.AllowanceLeft, c.Expired = int64(c.d.Allowance.AsDuration()), false
	c.GrantedDepth, c.GrantedTurn = s.Depth, s.Turn
}

// wait starts and stops the clock, and says when its time is up.
func (c clock) wait(s Step) {
	waits := s.Waits != nil && s.Waits(c.Seat)
	if waits && (!c.Running || c.d.Span == logv1.DeadlineSpan_DEADLINE_SPAN_TURN) {
		c.due(s)
	}
	c.Running, c.DueTime = waits, nil
	if waits && !c.Expired {
		left := time.Duration(c.AllowanceLeft) + time.Duration(c.BankLeft)
		c.DueTime = timestamppb.New(Reach(c.d, s.Time, left, c.still()))
	}
}
