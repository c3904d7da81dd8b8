package deadline_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/deadline"
)

const hour = time.Hour

// monday is noon of a Monday, UTC.
var monday = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func terms(set ...func(*logv1.Deadlines)) *logv1.Deadlines {
	d := &logv1.Deadlines{Allowance: durationpb.New(24 * hour)}
	for _, f := range set {
		f(d)
	}
	return deadline.Normal(d)
}

func perTurn(d *logv1.Deadlines) { d.Span = logv1.DeadlineSpan_DEADLINE_SPAN_TURN }
func bank(d *logv1.Deadlines)    { d.Bank = durationpb.New(10 * hour) }
func weekends(d *logv1.Deadlines) {
	d.DaysOff = []logv1.Weekday{logv1.Weekday_WEEKDAY_SATURDAY, logv1.Weekday_WEEKDAY_SUNDAY}
}
func tokyo(d *logv1.Deadlines) { d.UtcOffset = durationpb.New(9 * hour) }

// TestCounted counts time over days off, by the clock of the deadlines.
func TestCounted(t *testing.T) {
	t.Parallel()
	friday := monday.Add(4 * 24 * hour)
	for name, c := range map[string]struct {
		d        *logv1.Deadlines
		from, to time.Time
		still    time.Time
		want     time.Duration
	}{
		"all of it":            {terms(), monday, monday.Add(100 * hour), time.Time{}, 100 * hour},
		"over a weekend":       {terms(weekends), friday, monday.Add(7 * 24 * hour), time.Time{}, 24 * hour},
		"within a weekend":     {terms(weekends), friday.Add(13 * hour), friday.Add(20 * hour), time.Time{}, 0},
		"a weekend that began": {terms(weekends, tokyo), friday, friday.Add(20 * hour), time.Time{}, 3 * hour},
		"after a holiday":      {terms(), monday, monday.Add(10 * hour), monday.Add(4 * hour), 6 * hour},
		"within a holiday":     {terms(), monday, monday.Add(10 * hour), monday.Add(40 * hour), 0},
		"a holiday over a weekend": {terms(weekends), friday, monday.Add(7 * 24 * hour), friday.Add(20 * hour),
			12 * hour},
		"backwards":                 {terms(weekends), monday, monday.Add(-hour), time.Time{}, 0},
		"a holiday that ended long": {terms(), monday, monday.Add(hour), monday.Add(-9 * hour), hour},
	} {
		t.Run(name, func(t *testing.T) {
			if got := deadline.Counted(c.d, c.from, c.to, c.still); got != c.want {
				t.Errorf("counted %s, want %s", got, c.want)
			}
		})
	}
}

// drawTerms draws any deadlines that pass the check.
func drawTerms(t *rapid.T) *logv1.Deadlines {
	d := &logv1.Deadlines{
		Allowance: durationpb.New(time.Duration(rapid.Int64Range(1, 40*24*60).Draw(t, "minutes")) * time.Minute),
		UtcOffset: durationpb.New(time.Duration(rapid.IntRange(-14*60, 14*60).Draw(t, "offset")) * time.Minute),
	}
	off := rapid.Uint8Range(0, 126).Draw(t, "days off") // never all seven
	for day := logv1.Weekday_WEEKDAY_MONDAY; day <= logv1.Weekday_WEEKDAY_SUNDAY; day++ {
		if off&(1<<(day-1)) != 0 {
			d.DaysOff = append(d.DaysOff, day)
		}
	}
	if faults := deadline.Check(d, false); len(faults) > 0 {
		t.Fatalf("drew faulty deadlines: %v", faults)
	}
	return deadline.Normal(d)
}

// TestReachIsWhatCounts: when so much time has counted, so much counts up to then; and no moment before has as much.
func TestReachIsWhatCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawTerms(t)
		from := monday.Add(time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "from")))
		still := from.Add(time.Duration(rapid.Int64Range(-1e14, 1e15).Draw(t, "still")))
		left := time.Duration(rapid.Int64Range(0, 1e16).Draw(t, "left"))
		at := deadline.Reach(d, from, left, still)
		if got := deadline.Counted(d, from, at, still); got != left {
			t.Fatalf("%s count up to %s, want %s", got, at, left)
		}
		if next := deadline.Counted(d, from, at.Add(time.Nanosecond), still); next != left+1 {
			t.Fatalf("the time is reached on a day off or in a holiday: %s", at)
		}
		mid := from.Add(at.Sub(from) / 2)
		if sum := deadline.Counted(d, from, mid, still) + deadline.Counted(d, mid, at, still); sum != left {
			t.Fatalf("in two parts it counts %s, want %s", sum, left)
		}
	})
}

// game is a clock of two seats that steps are given to.
type game struct {
	d     *logv1.Deadlines
	state *logv1.ClockState
	now   time.Time
	depth uint64
	turn  int32
	waits string
}

func begin(d *logv1.Deadlines) *game {
	return &game{d: d, state: deadline.Begin(d, []string{"red", "blue"}), now: monday, depth: 1, turn: 1}
}

// step makes a record after a while, after which the game waits for a seat.
func (g *game) step(after time.Duration, waits string, s deadline.Step) {
	g.now, g.waits = g.now.Add(after), waits
	s.Time, s.Depth, s.Turn = g.now, g.depth, g.turn
	s.Waits = func(seat string) bool { return seat == waits }
	g.state = deadline.Next(g.d, g.state, s)
}

func (g *game) act(after time.Duration, seat, waits string) {
	g.depth++
	g.step(after, waits, deadline.Step{Acted: seat})
}

func (g *game) undo(after time.Duration, alone, waits string, places uint64) {
	g.depth -= places
	g.step(after, waits, deadline.Step{Undid: true, Alone: alone})
}

// left is what a seat has, and when its time is up, in hours from now; -1 if it does not run.
func (g *game) left(seat string) [3]float64 {
	c := deadline.Find(g.state, seat)
	due := -1.0
	if c.DueTime != nil {
		due = c.DueTime.AsTime().Sub(g.now).Hours()
	}
	return [3]float64{time.Duration(c.AllowanceLeft).Hours(), time.Duration(c.BankLeft).Hours(), due}
}

func (g *game) want(t *testing.T, seat string, allowance, bank, due float64) {
	t.Helper()
	if diff := cmp.Diff([3]float64{allowance, bank, due}, g.left(seat)); diff != "" {
		t.Errorf("%s after %s (-want +got):\n%s", seat, g.now.Sub(monday), diff)
	}
}

func TestPerAction(t *testing.T) {
	t.Parallel()
	g := begin(terms(bank))
	g.act(0, "", "red")
	g.want(t, "red", 24, 10, 34)
	g.act(20*hour, "red", "red") // a command of its own gives the allowance again
	g.want(t, "red", 24, 10, 34)
	g.act(30*hour, "red", "blue") // 6 hours of the bank
	g.want(t, "red", 24, 4, -1)
	g.want(t, "blue", 24, 10, 34)
	g.step(5*hour, "blue", deadline.Step{}) // somebody else's record changes nothing
	g.want(t, "blue", 19, 10, 29)
	g.act(5*hour, "blue", "red")
	g.want(t, "red", 24, 4, 28)
}

// TestUndoGivesNoTime: who takes back and plays again, over and over, gains no time; who was taken back has all of it.
func TestUndoGivesNoTime(t *testing.T) {
	t.Parallel()
	g := begin(terms())
	g.act(0, "", "red")
	for range 5 {
		g.act(2*hour, "red", "red")
		g.undo(2*hour, "red", "red", 1)
	}
	// The first command gave the allowance, the ones after it on the same place did not.
	g.want(t, "red", 24-2*9, 0, 6)
	g.act(hour, "red", "blue")
	g.want(t, "blue", 24, 0, 24)
	g.undo(3*hour, "red", "red", 1)
	g.want(t, "red", 5, 0, 5)
	g.want(t, "blue", 24, 0, -1)
	g.act(hour, "red", "blue")
	g.want(t, "blue", 24, 0, 24)
	g.act(hour, "blue", "red")
	g.undo(hour, "", "blue", 1) // by consent
	g.want(t, "blue", 24, 0, 24)
}

func TestPerTurn(t *testing.T) {
	t.Parallel()
	g := begin(terms(perTurn, bank))
	g.act(0, "", "red")
	g.act(20*hour, "red", "red")
	g.want(t, "red", 4, 10, 14)
	g.act(6*hour, "red", "blue")
	g.act(hour, "blue", "red") // still the same turn
	g.want(t, "red", 0, 8, 8)
	g.turn++
	g.act(hour, "red", "red")
	g.want(t, "red", 24, 7, 31)
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	g := begin(terms())
	expire := func() {
		g.step(30*hour, g.waits, deadline.Step{Events: []*logv1.TableEvent{
			{Event: &logv1.TableEvent_TimeExpired{TimeExpired: &logv1.TimeExpired{Seat: "red"}}},
		}})
	}
	g.act(0, "", "red")
	expire()
	g.want(t, "red", 0, 0, -1)
	g.step(hour, "red", deadline.Step{})
	g.want(t, "red", 0, 0, -1) // once is enough
	g.act(hour, "red", "red")
	g.want(t, "red", 24, 0, 24)

	// The server plays on for whoever does not, to an end.
	g = begin(terms(perTurn))
	g.act(0, "", "red")
	played := 0
	for expire(); ; expire() {
		g.depth++
		g.step(0, "red", deadline.Step{Acted: "red", Played: true})
		if played++; deadline.Find(g.state, "red").DueTime == nil {
			break
		}
		g.want(t, "red", 0, 0, 0)
	}
	if played != deadline.MostPlayed {
		t.Errorf("the server played %d commands, want %d", played, deadline.MostPlayed)
	}
}

func TestHolidaysAndNewHolders(t *testing.T) {
	t.Parallel()
	g := begin(terms(func(d *logv1.Deadlines) { d.HolidayDays = 5 }))
	g.act(0, "", "red")
	g.step(4*hour, "red",
		deadline.Step{Events: []*logv1.TableEvent{{Event: &logv1.TableEvent_HolidayTaken{
			HolidayTaken: &logv1.HolidayTaken{
				Seat: "red", Days: 2, Until: timestamppb.New(g.now.Add(52 * hour)),
			},
		}}}})
	g.want(t, "red", 20, 0, 68)
	if c := deadline.Find(g.state, "red"); c.HolidaysLeft != 3 {
		t.Errorf("%d days are left, want 3", c.HolidaysLeft)
	}
	g.step(50*hour, "red", deadline.Step{})
	g.want(t, "red", 18, 0, 18)
	g.step(hour, "", deadline.Step{
		Events: []*logv1.TableEvent{{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: "red"}}}},
	})
	g.want(t, "red", 17, 0, -1)
	g.step(hour, "red", deadline.Step{
		Events: []*logv1.TableEvent{{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: "red"}}}},
	})
	g.want(t, "red", 24, 0, 24)
	over := deadline.Changed(terms(bank), g.state, []string{"red", "blue"})
	if c := deadline.Find(over, "red"); c.BankLeft != int64(10*hour) || c.HolidayUntil == nil {
		t.Errorf("other deadlines begin with %v", c)
	}
}

// TestNextLeavesTheOldStateAlone: moments of a game share states.
func TestNextLeavesTheOldStateAlone(t *testing.T) {
	t.Parallel()
	g := begin(terms(bank))
	g.act(0, "", "red")
	old := g.state
	before := deadline.Next(g.d, old,
		deadline.Step{Time: g.now, Depth: g.depth, Turn: 1, Waits: func(s string) bool { return s == "red" }})
	g.act(20*hour, "red", "blue")
	if diff := cmp.Diff(before, old, protocmp.Transform()); diff != "" {
		t.Errorf("the old state has changed:\n%s", diff)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	ok := terms(bank, weekends, tokyo, func(d *logv1.Deadlines) {
		d.Reminders = []*durationpb.Duration{durationpb.New(12 * hour), durationpb.New(hour)}
	})
	if faults := deadline.Check(ok, true); len(faults) > 0 {
		t.Errorf("sound deadlines have faults: %v", faults)
	}
	bad := &logv1.Deadlines{
		Allowance: durationpb.New(time.Second), Bank: durationpb.New(-1), Span: 9, Lapse: logv1.Lapse_LAPSE_PLAY,
		HolidayDays: -1,
		Reminders:   []*durationpb.Duration{durationpb.New(hour), durationpb.New(hour)},
		DaysOff:     []logv1.Weekday{7, 1, 2, 3, 4, 5, 6}, UtcOffset: durationpb.New(time.Second),
	}
	var fields []string
	for _, f := range deadline.Check(bad, true) {
		fields = append(fields, f.Field)
	}
	want := []string{"allowance", "bank", "span", "lapse", "reminders[1]", "holiday_days", "days_off", "days_off[1]",
		"utc_offset"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if faults := deadline.Check(nil, false); len(faults) == 0 {
		t.Error("no deadlines at all pass the check")
	}
}

func BenchmarkNext(b *testing.B) {
	g := begin(terms(bank, weekends))
	g.act(0, "", "red")
	b.ReportAllocs()
	for b.Loop() {
		g.act(time.Minute, "red", "red")
	}
}

// TestFaultsOfLongListsAreFew: a list that is too long has that fault, and not one for each of its entries.
func TestFaultsOfLongListsAreFew(t *testing.T) {
	t.Parallel()
	d := &logv1.Deadlines{Allowance: durationpb.New(time.Hour), DaysOff: make([]logv1.Weekday, 10_000)}
	for range 10_000 {
		d.Reminders = append(d.Reminders, new(durationpb.Duration))
	}
	if faults := deadline.Check(d, false); len(faults) > 30 {
		t.Errorf("%d faults", len(faults))
	}
}
