package deadline

import (
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Counted is how much of the time between two moments counts: that which is neither before still, the end of a
// holiday, nor on a day off.
func Counted(d *logv1.Deadlines, from, to, still time.Time) (sum time.Duration) {
	from = later(from, still)
	if len(d.GetDaysOff()) == 0 {
		return max(0, to.Sub(from))
	}
	for from.Before(to) {
		end, isOff := dayOf(d, from)
		if end = sooner(end, to); !isOff {
			sum += end.Sub(from)
		}
		from = end
	}
	return sum
}

// Reach is when so much time has counted since a moment. It is never on a day off.
func Reach(d *logv1.Deadlines, from time.Time, left time.Duration, still time.Time) time.Time {
	from = later(from, still)
	if len(d.GetDaysOff()) == 0 {
		return from.Add(left)
	}
	for {
		end, isOff := dayOf(d, from)
		if rest := end.Sub(from); !isOff {
			if left < rest {
				return from.Add(left)
			}
			left -= rest
		}
		from = end
	}
}

// dayOf says when the day of a moment ends by the clock of the deadlines, and whether it is a day off.
func dayOf(d *logv1.Deadlines, at time.Time) (end time.Time, isOff bool) {
	offset := d.GetUtcOffset().AsDuration()
	local := at.UTC().Add(offset)
	return local.Truncate(Day).Add(Day - offset), off(d, local.Weekday())
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func sooner(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
