package service_test

import (
	"testing"
	"time"
)

// TestTimesNeverFall: a record is never older than the one before, even when the machine's clock is put back, because
// an audit takes that for a forgery.
func TestTimesNeverFall(t *testing.T) {
	t.Parallel()
	clock := newDial()
	g := open(t, byDial(clock)).seated()
	clock.pass(-25 * time.Hour)
	g.do(g.red, "plan 0303")
	clock.pass(time.Hour)
	g.do(g.blue, "plan 0503")
	var before time.Time
	for _, r := range g.records(true) {
		if at := r.Time.AsTime(); at.Before(before) {
			t.Errorf("record %d was made %s, the one before %s", r.Version, at, before)
		} else {
			before = at
		}
	}
	g.sound()
}
