package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
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
			cancels(t, p, owner, game.Name, 4)
		}
		if seat == "germany" {
			p.do("do . orders losses infantry,tank retreat 50 --as germany")
			cancels(t, p, owner, game.Name, 1)
		}
		p.do("leave . " + seat)
		if out := p.do("join . " + seat); hint.MatchString(out) {
			t.Errorf("%s in %s is told again:\n%s", seat, test.game, out)
		}
	}
}

// cancels lists the standing orders of a person, at least as many as said, and cancels one after the other as the list
// says. Nobody else sees them.
func cancels(t *testing.T, p, other *person, game string, least int) {
	t.Helper()
	line := regexp.MustCompile(`standing order of .*\n    cancel it: warledger (do .*)`)
	list := line.FindAllStringSubmatch(p.do("show "+game), -1)
	if len(list) < least {
		t.Fatalf("%d standing orders are listed, want at least %d", len(list), least)
	}
	if out := other.do("show " + game); line.MatchString(out) {
		t.Errorf("another sees standing orders:\n%s", out)
	}
	for i, order := range list {
		p.do(order[1])
		if left := line.FindAllString(p.do("show "+game), -1); len(left) != len(list)-i-1 {
			t.Fatalf("%s leaves %d standing orders, want %d", order[1], len(left), len(list)-i-1)
		}
	}
}

// TestChosenByTheServersDefaults: which options were chosen is judged by the defaults of the server, whatever those of
// this program are.
func TestChosenByTheServersDefaults(t *testing.T) {
	t.Parallel()
	g := &v1.Game{Ruleset: "rulesets/toy", Options: map[string]string{"length": "short", "bid": "1", "new": "yes"}}
	set := &v1.Ruleset{Options: []*v1.OptionInfo{
		{Id: "length", Values: []string{"short", "long"}}, {Id: "bid", Values: []string{"0", "1"}},
	}}
	if diff := cmp.Diff(map[string]string{"bid": "1", "new": "yes"}, chosen(g, set)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(g.Options, chosen(g, nil)); diff != "" {
		t.Errorf("of an unknown ruleset (-want +got):\n%s", diff)
	}
}

// TestLimitedOrdersAreUndone: an order of OCS for a hex is listed with that, and can be taken back as any command.
func TestLimitedOrdersAreUndone(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create ocs first-steps --take blue,red")
	p.do("do . orders 05.12 order=lead value=1 once=true --as red", `only red`)
	given := regexp.MustCompile(`standing order of red: the best Action Rating leads, in .*05\.12 only, for one combat`)
	if out := p.do("show ."); !given.MatchString(out) {
		t.Errorf("the order is not listed:\n%s", out)
	}
	p.do("undo . --as red")
	if out := p.do("show ."); given.MatchString(out) {
		t.Errorf("the order is listed after it was undone:\n%s", out)
	}
	p.do("redo . --as red")
	if out := p.do("show ."); !given.MatchString(out) {
		t.Errorf("the order is not listed after it was done again:\n%s", out)
	}
}
