package kit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deed is what the lines of this test hold.
type deed struct {
	turn   uint8
	phase  int
	points int8
	caps   uint8
	pay    uint16
	done   bool
	extra  bool
}

var phases = []string{"dawn", "dusk"}

// lines are the lines of a deed, either way.
func (d *deed) lines(n *Notes) {
	if n.Line("turn", true) {
		Int(n, &d.turn, 1, 9)
		Name(n, &d.phase, phases)
		Count(n, "points", &d.points, -5, 5, 0)
		Count(n, "caps", &d.caps, 0, 99, 99)
		n.Flag("done", &d.done)
	}
	if n.Line("extra", d.extra) {
		d.extra = true
		Named(n, "pay", &d.pay, 0, 500)
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want deed
	}{
		{"turn 1 dawn\n", deed{turn: 1, caps: 99}},
		{"turn 9 dusk points -5 caps 0 done\n", deed{turn: 9, phase: 1, points: -5, done: true}},
		{"turn 2 dawn caps 3\nextra pay 0\n", deed{turn: 2, caps: 3, extra: true}},
	} {
		var got deed
		n := &Notes{}
		if err := n.Lines(test.text, func() { got.lines(n) }); err != nil {
			t.Errorf("%q: %v", test.text, err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(deed{})); diff != "" {
			t.Errorf("%q is read as (-want +got)\n%s", test.text, diff)
		}
		w := &Notes{}
		if got.lines(w); string(w.Text)+"\n" != test.text {
			t.Errorf("%q is written as %q", test.text, w.Text)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(deed{})); diff != "" {
			t.Errorf("%q changed as it was written (-want +got)\n%s", test.text, diff)
		}
	}
}

func TestNotesRefuse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"turn 0 dawn", `line 1: expected a number from 1 to 9, not "0"`},
		{"turn 10 dawn", `line 1: expected a number from 1 to 9, not "10"`},
		{"turn x dawn", `line 1: expected a number from 1 to 9, not "x"`},
		{"turn 1 noon", `line 1: expected one of dawn, dusk, not "noon"`},
		{"turn", `line 1: expected a number from 1 to 9, not ""`},
		{"turn 1 dawn points 6", `line 1: expected a number from -5 to 5, not "6"`},
		{"turn 1 dawn done done", `line 1: "done" is left over`},
		{"turn 1 dawn\nturn 1 dawn extra", `line 2: "extra" is left over`},
		{"turn 1 dawn\nnothing", `line 2: "nothing" is left over`},
	} {
		n, d := &Notes{}, deed{}
		err := n.Lines(test.text, func() { d.lines(n) })
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, expected %s", test.text, err, test.want)
		}
	}
}

// Reading goes on while there are words and nothing is wrong.
func TestNotesGoing(t *testing.T) {
	t.Parallel()
	n := &Notes{}
	if n.Going() {
		t.Error("it goes on without words")
	}
	if n.Words = []string{"a"}; !n.Going() {
		t.Error("it stops before a word")
	}
	if n.Fail("wrong"); n.Going() {
		t.Error("it goes on after a fault")
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ want, got, text string }{
		{"a\nbcd", "a\nxyz", `expected line 2 to be "bc"`},
		{"a\nb", "a", `expected line 2 to be "b"`},
		{"a", "a\nb", "expected 1 lines, not 2"},
	} {
		if text := Difference(test.want, test.got, 2); text != test.text {
			t.Errorf("%q and %q: %s", test.want, test.got, strings.TrimSpace(text))
		}
	}
}
