package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestJoinOffersTheUsualOrders: whoever takes a seat is told once how to give the usual standing orders, and the
// command that is printed works.
func TestJoinOffersTheUsualOrders(t *testing.T) {
	t.Parallel()
	hint := regexp.MustCompile(`fewer questions, if you like: warledger (do .*)`)
	for _, test := range []struct{ game, seat string }{
		{"ocs first-steps", "blue"}, {"downfall olympic", "us"}, {"anniversary 1941", ""}, {"toy ridge", ""},
	} {
		addr := serve(t)
		owner, p := newPerson(t, addr), newPerson(t, addr)
		var game struct{ Name string }
		owner.json(&game, "create "+test.game)
		seat := test.seat
		if seat == "" {
			seat = map[bool]string{true: "red", false: "germany"}[strings.HasPrefix(test.game, "toy")]
		}
		printed := hint.FindStringSubmatch(p.do("join " + game.Name + " " + seat))
		if (printed != nil) != (test.seat != "") {
			t.Errorf("join of %s in %s prints the hint %q", seat, test.game, printed)
		}
		if printed != nil {
			p.do(printed[1])
		}
		p.do("leave . " + seat)
		if out := p.do("join . " + seat); hint.MatchString(out) {
			t.Errorf("%s in %s is told again:\n%s", seat, test.game, out)
		}
	}
}
