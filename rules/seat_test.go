package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules"
)

func TestSeats(t *testing.T) {
	t.Parallel()
	s := rules.SeatsOf(3, 0, 30, rules.NoSeat, rules.MaxSeats)
	if got := slices.Collect(s.Each); !slices.Equal(got, []rules.Seat{0, 3, 30}) || s.Len() != 3 {
		t.Errorf("got %v of %b", got, s)
	}
	for seat, want := range map[rules.Seat]bool{0: true, 1: false, 3: true, 30: true, 31: false, rules.NoSeat: false} {
		if s.Has(seat) != want {
			t.Errorf("Has(%d) is %v", seat, !want)
		}
	}
	for range s.Each { // leaving early is allowed
		break
	}
}

// Nobody but the auditor sees what is for the auditor alone, and an audience of nobody is never taken for everyone.
func TestMaySee(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		a      rules.Audience
		viewer rules.Viewer
		want   bool
	}{
		{"everyone, a spectator", rules.Everyone, rules.Spectator, true},
		{"a seat, itself", rules.OnlySeats(1), rules.SeatViewer(1), true},
		{"a seat, another", rules.OnlySeats(1), rules.SeatViewer(0), false},
		{"a seat, a spectator", rules.OnlySeats(1), rules.Spectator, false},
		{"a seat, the auditor", rules.OnlySeats(1), rules.Auditor, true},
		{"two seats, one of them", rules.OnlySeats(1, 4), rules.SeatViewer(4), true},
		{"a seat, a hand with it", rules.OnlySeats(1), rules.Viewer{Seats: rules.SeatsOf(0, 1)}, true},
		{"together, one of them", rules.OnlyTogether(0, 1), rules.SeatViewer(0), false},
		{"together, another", rules.OnlyTogether(0, 1), rules.SeatViewer(2), false},
		{"together, both", rules.OnlyTogether(0, 1), rules.Viewer{Seats: 7}, true},
		{"together, the auditor", rules.OnlyTogether(0, 1), rules.Auditor, true},
		{"the auditor, all seats", rules.AuditorOnly, rules.Viewer{Seats: 1<<rules.MaxSeats - 1}, false},
		{"the auditor, seat 31", rules.AuditorOnly, rules.SeatViewer(31), false},
		{"the auditor, no seat", rules.AuditorOnly, rules.SeatViewer(rules.NoSeat), false},
		{"the auditor, the auditor", rules.AuditorOnly, rules.Auditor, true},
	} {
		if got := c.viewer.MaySee(c.a); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	mustPanic(t, func() { rules.OnlySeats() })
	mustPanic(t, func() { rules.OnlySeats(rules.NoSeat) })
	mustPanic(t, func() { rules.OnlySeats(31) })
}

func TestAudienceOfSeats(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.SliceOfN(rapid.Uint8Range(0, rules.MaxSeats-1), 1, 8).Draw(t, "seats")
		var in []rules.Seat
		for _, s := range seats {
			in = append(in, rules.Seat(s))
		}
		a := rules.OnlySeats(in...)
		for seat := range rules.Seat(rules.MaxSeats) {
			if rules.SeatViewer(seat).MaySee(a) != slices.Contains(in, seat) {
				t.Fatalf("seat %d of %v", seat, in)
			}
		}
		if rules.Spectator.MaySee(a) || !rules.Auditor.MaySee(a) {
			t.Fatal("a spectator sees it, or the auditor does not")
		}
	})
}

func TestHolds(t *testing.T) {
	t.Parallel()
	if v := rules.SeatViewer(2); !v.Holds(2) || v.Holds(1) || v.Holds(rules.NoSeat) {
		t.Error("a seat holds itself alone")
	}
	if !rules.Auditor.Holds(2) || rules.Spectator.Holds(0) {
		t.Error("the auditor holds all, a spectator nothing")
	}
}
