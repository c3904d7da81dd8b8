package notice

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestAgenda holds an agenda against a list: each task is due at the earliest time that was asked for, or the one set
// last, one look at a time, and what is wanted during a look is not forgotten.
func TestAgenda(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, now := newAgenda(), time.Unix(1000, 0)
		due, busy := map[task]time.Time{}, map[task]bool{}
		sooner := func(k task, at time.Time) {
			if old, ok := due[k]; !ok || at.Before(old) {
				due[k] = at
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := task{game: fmt.Sprint(rapid.IntRange(0, 5).Draw(t, "game"))}
			at := now.Add(time.Duration(rapid.IntRange(-5, 20).Draw(t, "in")) * time.Second)
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				a.wake(k, at)
				sooner(k, at)
			case 1:
				a.set(k, at)
				due[k] = at
			case 2:
				if !busy[k] {
					a.set(k, time.Time{})
					delete(due, k)
				}
			case 3:
				now = now.Add(3 * time.Second)
				got, ok, next := a.take(now)
				first, any := task{}, false
				for k, at := range due {
					if !busy[k] && (!any || at.Before(due[first])) {
						first, any = k, true
					}
				}
				switch {
				case ok && (busy[got] || due[got].After(now) || !due[got].Equal(due[first])):
					t.Fatalf("took %v, due are %v, busy %v", got, due, busy)
				case !ok && any && (!due[first].After(now) || !next.Equal(due[first])):
					t.Fatalf("nothing is due until %s, due are %v", next, due)
				case ok:
					busy[got] = true
					delete(due, got)
				}
			case 4:
				if busy[k] {
					a.done(k, at)
					busy[k] = false
					sooner(k, at)
				}
			}
		}
	})
}

// BenchmarkAgenda has one of 100,000 games change, as each command with deadlines does.
func BenchmarkAgenda(b *testing.B) {
	a, now := newAgenda(), time.Unix(1000, 0)
	for i := range 100_000 {
		a.set(task{game: fmt.Sprint(i)}, now.Add(time.Duration(i%5000)*time.Second))
	}
	k := task{game: "500"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.set(k, now.Add(time.Duration(i%100_000)*time.Second))
	}
}
