package discord

import (
	"strings"
	"testing"
)

// TestStandingOrders: a player lists, gives and cancels standing orders, by menus and by typing, and nobody else is
// told of them.
func TestStandingOrders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	us, japan := s.user("alice", "601"), s.user("bob", "602")
	us.says("The game begins", "create", "ruleset=downfall", "scenario=olympic")
	us.says("You sit at", "join", "seat=us")
	japan.says("You sit at", "join", "seat=japan")
	list := us.says("has given no standing orders", "orders")
	if menuOf(list) != nil || find(list, "order-none") != nil {
		t.Errorf("something may be cancelled before there is an order: %v", list)
	}
	list = us.press(list, "order-usual|us").message
	orders := len(menuOf(list).Options)
	if orders < 4 || !strings.Contains(list.Content, "fire at the weakest unit") {
		t.Fatalf("after the usual orders %d may be cancelled: %v", orders, list)
	}
	old := list
	list = us.choose(list, menuOf(list).Options[0].Value).message
	if n := len(menuOf(list).Options); n != orders-1 {
		t.Errorf("%d orders are left of %d after one was cancelled", n, orders)
	}
	if again := us.choose(old, menuOf(old).Options[0].Value).message; !strings.Contains(again.Content, "moved on") {
		t.Errorf("cancelled twice: %v", again)
	}

	// One from the pages of all that may be given.
	give := us.press(list, "order-give|us|0").message
	if n := len(menuOf(give).Options); n != mostOptions {
		t.Fatalf("a page has %d orders", n)
	}
	give = us.press(give, "order-give|us|1").message
	wanted := menuOf(give).Options[3]
	list = us.choose(give, wanted.Value).message
	if !strings.Contains(list.Content, "Done: `standing ") || menuOf(list) == nil {
		t.Errorf("%v was chosen: %v", wanted, list)
	}

	// Typed with and without the word that it begins with, and completed.
	us.says("fire at the strongest unit, in combats in Honjo 2819", "orders", "command=fire strongest at 2819")
	us.says("no attack is aborted", "orders", "command=standing abort never")
	if got := us.slash("orders", "command=fire nobody").message.Content; strings.Contains(got, "Done") {
		t.Errorf("what is no order is taken: %q", got)
	}
	if found := us.completes("orders", "command=cancel"); len(found) < 3 ||
		!strings.HasPrefix(found[0].Value, "standing ") {
		t.Errorf("proposed: %v", found)
	}
	if found := us.completes("orders", "command="); len(found) != mostOptions ||
		found[0].Value != "standing all usual" {
		t.Errorf("proposed: %v", found)
	}

	// They are the player's own.
	japan.says("has given no standing orders", "orders")
	if got := japan.slash("orders", "seat=us").message.Content; !strings.Contains(got, "do not hold") {
		t.Errorf("another player is told: %q", got)
	}
	if got := japan.press(old, "order-usual|us").message.Content; !strings.Contains(got, "do not hold") {
		t.Errorf("another player gives orders: %q", got)
	}
	list = us.press(us.slash("orders").message, "order-none|us").message
	if menuOf(list) != nil || !strings.Contains(list.Content, "has given no standing orders") {
		t.Errorf("orders are left: %v", list)
	}
	version := s.game().GetVersion()
	s.told(version)
	for _, m := range s.messages[channel] {
		if strings.Contains(strings.ToLower(m.words()), "standing") || strings.Contains(m.words(), "weakest") {
			t.Errorf("the channel is told: %v", m)
		}
	}
}

// TestOrdersOfOtherRulesets: those that are not listed one by one are typed, and a game may have none.
func TestOrdersOfOtherRulesets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	u := s.user("alice", "601")
	u.says("The game begins", "create", "ruleset=anniversary", "scenario=1941")
	u.says("You sit at", "join", "seat=germany")
	none := u.says("has given no standing orders", "orders")
	if find(none, "order-usual") != nil {
		t.Error("usual orders are offered where there are none")
	}
	asked := u.press(none, "order-give").message
	if !strings.Contains(asked.Content, "Type an order") {
		t.Errorf("asked: %v", asked)
	}
	u.press(asked, "orders|germany")
	list := u.says("losses infantry,tank retreat 50", "orders", "command=losses infantry,tank retreat 50")
	list = u.choose(list, menuOf(list).Options[0].Value).message
	if !strings.Contains(list.Content, "has given no standing orders") {
		t.Errorf("orders are left: %v", list)
	}

	toy := newStage(t)
	red, _ := toy.players()
	red.says("has no standing orders", "orders")
}
