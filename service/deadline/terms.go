package deadline

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Bounds of what deadlines may say.
const (
	Day           = 24 * time.Hour
	least         = time.Minute
	longest       = 366 * Day
	mostReminders = 4
	mostDaysOff   = 6
	farthest      = 14 * time.Hour // from UTC
)

// MostPlayed is how many commands the server plays for a seat that plays none itself, before it leaves it at that.
const MostPlayed = 100

// Fault is something wrong with deadlines.
type Fault struct {
	// Field is the field's name; empty for the whole.
	Field string
	// What is wrong and what was expected, in English.
	What string
}

// Check lists everything that is wrong with deadlines. manual says that the game has manual dice.
func Check(d *logv1.Deadlines, manual bool) (faults []Fault) {
	add := func(field, format string, args ...any) {
		faults = append(faults, Fault{field, fmt.Sprintf(format, args...)})
	}
	within := func(field string, given *durationpb.Duration, low, high time.Duration) {
		if given.CheckValid() != nil || given.AsDuration() < low || given.AsDuration() > high {
			add(field, "expected %s to %s", low, high)
		}
	}
	within("allowance", d.GetAllowance(), least, longest)
	if d.GetBank() != nil {
		within("bank", d.GetBank(), 0, longest)
	}
	if _, known := logv1.DeadlineSpan_name[int32(d.GetSpan())]; !known {
		add("span", "%d is no span", d.GetSpan())
	}
	switch _, known := logv1.Lapse_name[int32(d.GetLapse())]; {
	case !known:
		add("lapse", "%d is no lapse", d.GetLapse())
	case manual && d.GetLapse() == logv1.Lapse_LAPSE_PLAY:
		add("lapse", "the server cannot play where players throw the dice: expected another than LAPSE_PLAY")
	}
	reminders := d.GetReminders()
	if n := len(reminders); n > mostReminders {
		add("reminders", "%d, at most %d are allowed", n, mostReminders)
		reminders = reminders[:mostReminders]
	}
	for i, r := range reminders {
		within(fmt.Sprintf("reminders[%d]", i), r, least, longest)
		if i > 0 && r.AsDuration() >= reminders[i-1].AsDuration() {
			add(fmt.Sprintf("reminders[%d]", i), "expected less than the one before")
		}
	}
	if n := d.GetHolidayDays(); n < 0 || n > int32(longest/Day) {
		add("holiday_days", "%d, expected 0 to %d", n, longest/Day)
	}
	return append(faults, checkWeek(d)...)
}

func checkWeek(d *logv1.Deadlines) (faults []Fault) {
	off := d.GetDaysOff()
	if len(off) > mostDaysOff {
		faults = append(faults, Fault{"days_off", fmt.Sprintf("%d, at most %d are allowed", len(off), mostDaysOff)})
		off = off[:mostDaysOff]
	}
	for i, day := range off {
		if day < logv1.Weekday_WEEKDAY_MONDAY || day > logv1.Weekday_WEEKDAY_SUNDAY || i > 0 && day <= off[i-1] {
			faults = append(faults,
				Fault{fmt.Sprintf("days_off[%d]", i), "expected days of the week in ascending order"})
		}
	}
	if at := d.GetUtcOffset(); at != nil {
		if o := at.AsDuration(); at.CheckValid() != nil || o < -farthest || o > farthest || o%time.Minute != 0 {
			faults = append(faults, Fault{"utc_offset", "expected -14 h to 14 h in whole minutes"})
		}
	}
	return faults
}

// Normal is the same deadlines with nothing left open, so that equal ones are equal; nil for none.
func Normal(d *logv1.Deadlines) *logv1.Deadlines {
	if d == nil {
		return nil
	}
	n := proto.CloneOf(d)
	n.Span = cmp.Or(n.Span, logv1.DeadlineSpan_DEADLINE_SPAN_ACTION)
	n.Lapse = cmp.Or(n.Lapse, logv1.Lapse_LAPSE_NOTICE)
	if n.Bank == nil {
		n.Bank = durationpb.New(0)
	}
	if n.UtcOffset == nil {
		n.UtcOffset = durationpb.New(0)
	}
	return n
}

// off reports whether a day of the week is one on which no time is counted.
func off(d *logv1.Deadlines, day time.Weekday) bool {
	n := logv1.Weekday(day)
	if day == time.Sunday {
		n = logv1.Weekday_WEEKDAY_SUNDAY
	}
	return slices.Contains(d.GetDaysOff(), n)
}
