package ocs

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules/rulestest"
)

// A command that is paid for names every dump and transport in reach, with all that is there, and each part that it
// gives can be put into the command: alone where there is enough, and several together.
func TestPaymentsNameWhatCanPay(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.3a", "OCS 12.1c")
	const unit = " blue regiment other infantry 5-4-8leg 2-4-8leg"
	g := onGround(t, "x-1"+unit, "x-2"+unit).put("12.04", "x-1 x-2").put("12.05", "rd-3-inf").
		dump("12.04", Blue, 1).dump("11.05", Blue, 6).segment(SegCombat, Blue)
	g.do("attack x-1,x-2 12.05")
	text := g.lists("pay")[2]
	c, r := g.p.parseCommand(text)
	if r != nil {
		t.Fatal(r)
	}
	bill := g.p.Payment(Blue, c)
	if bill == nil {
		t.Fatalf("%s has no payment", text)
	}
	type row struct {
		Space string
		Have  int
	}
	var got []row
	for _, s := range bill.Sources {
		got = append(got, row{s.Space, s.Have})
	}
	want := []row{{"11.05", 6}, {"12.04", 1}}
	if diff := cmp.Diff(want, got); diff != "" || bill.Due != paid(c.Lines) {
		t.Errorf("due %d of %s:\n%s", bill.Due, text, diff)
	}
	write := func(amounts ...int) string {
		var parts []string
		for i, n := range amounts {
			if n > 0 {
				parts = append(parts, strings.Replace(bill.Sources[i].Part, "{n}", strconv.Itoa(n), 1))
			}
		}
		return strings.Replace(bill.Pattern, "{parts}", strings.Join(parts, bill.Between), 1)
	}
	for _, amounts := range [][]int{{bill.Due, 0}, {bill.Due - 1, 1}} {
		before := g.p
		if _, err := g.try(Blue, write(amounts...)); err != nil {
			t.Errorf("%s: %v", write(amounts...), explain(err))
		}
		g.p = before
	}
	g.refused("OCS 12.1d", write(0, bill.Due)) // more than the dump holds
	if bill := g.p.Payment(Red, c); bill != nil {
		t.Errorf("red is told how blue may pay: %+v", bill)
	}
	if bill := g.p.Payment(Blue, only(KindReady)); bill != nil {
		t.Errorf("a command that costs nothing has a payment: %+v", bill)
	}
}
