package service_test

import (
	"sync"
	"testing"
	"time"
)

// dial is a clock that a test moves by hand, and the alarms that are set on it.
type dial struct {
	mu     sync.Mutex
	now    time.Time
	alarms map[*alarm]bool
}

type alarm struct {
	at time.Time
	c  chan time.Time
}

func newDial() *dial {
	return &dial{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), alarms: make(map[*alarm]bool)}
}

func (d *dial) time() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// alarm is service.Notices.Alarm.
func (d *dial) alarm(at time.Time) (<-chan time.Time, func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := &alarm{at, make(chan time.Time, 1)}
	if !at.After(d.now) {
		a.c <- d.now
	} else {
		d.alarms[a] = true
	}
	return a.c, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.alarms, a)
	}
}

// wakes reports whether an alarm is set for this moment.
func (d *dial) wakes(at time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for a := range d.alarms {
		if a.at.Equal(at) {
			return true
		}
	}
	return false
}

// pass moves the clock on.
func (d *dial) pass(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
	for a := range d.alarms {
		if !a.at.After(d.now) {
			a.c <- d.now
			delete(d.alarms, a)
		}
	}
}

// byDial has a server go by a clock.
func byDial(d *dial) func(*setting) {
	return func(s *setting) {
		s.clock = d.time
		s.notices.Alarm = d.alarm
	}
}

// patience is how long a test waits for what must come, on the slowest machine; what does not come in
// that time never does.
const patience = 5 * time.Minute

// soon waits for something that others do, for as long as a test may.
func soon(t testing.TB, what string, done func() bool) {
	t.Helper()
	for begun := time.Now(); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
