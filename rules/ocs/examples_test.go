package ocs

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// examplesIndex lists the worked examples of the rulebook, an id a line.
//
//go:embed testdata/examples.tsv
var examplesIndex string

// Each worked example is named by a test.
func TestExamplesArePlayed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	id := regexp.MustCompile(`EX-[0-9A-Z]+(?:[-.][0-9A-Za-z]+)*`)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range id.FindAllString(string(data), -1) {
			named[m] = true
		}
	}
	listed := map[string]bool{}
	for _, ex := range strings.Split(strings.TrimSpace(examplesIndex), "\n") {
		if listed[ex] = true; !named[ex] {
			t.Errorf("no test names %s", ex)
		}
	}
	if len(listed) < 75 {
		t.Errorf("only %d examples are listed", len(listed))
	}
	for ex := range named { // order-free: each is its own finding
		if !listed[ex] {
			t.Errorf("a test names %s, which is no example", ex)
		}
	}
}

// Two tokens of 5 SP are spent for a barrage: 4 SP and 2 T are left (EX-12-02).
func TestBarrageSpendsTokens(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 12.1a", "OCS 10.1b")
	g := onGround(t, guns...).put("12.03", "x-8 x-inf").put("12.05", "y-re").dump("12.03", Blue, 20).
		segment(SegArtilleryBarrage, Blue)
	g.do("barrage x-8 12.05 lines=[at=12.03;count=2]", 1, 1)
	g.want("ground 12.03 blue", 18)
	if got := tokens(18); got != "4 SP 2T" {
		t.Errorf("18 tokens are shown as %q", got)
	}
}

// A hedgehog of level 3 takes 3 off the roll of the combat and 1 off that for surprise (EX-16-01); rolls are kept
// within the rows (EX-9.9-1). A rating of 0 against 5 is a modifier of -5 to both (EX-9.6-1).
func TestRollModifiers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 16.0d", "OCS 9.9", "OCS 9.6", "OCS 9.8")
	for _, c := range []struct {
		own, foe       string
		level          string
		throws         []uint32
		modifier       int32
		surprise, roll int
	}{
		{"4", "4", "0", []uint32{4, 4, 4, 4}, 0, 8, 8},
		{"4", "4", "3", []uint32{4, 4, 4, 4}, 0, 7, 5},
		{"4", "4", "1", []uint32{4, 4, 4, 4}, 0, 7, 7},
		{"4", "4", "4", []uint32{4, 4, 1, 1}, 0, 7, 1},
		{"0", "5", "0", []uint32{6, 6, 6, 6}, -5, 7, 7},
		{"5", "0", "0", []uint32{1, 1, 6, 6}, 5, 7, 15},
	} {
		g := onGround(t, "x-1 blue regiment other infantry 8-"+c.own+"-8leg 3-1-14leg",
			"y-1 red regiment other infantry 8-"+c.foe+"-3leg 1-1-7leg").
			put("12.04", "x-1").put("12.05", "y-1").hex("12.05", "hedgehog="+c.level).dump("12.04", Blue, 4).
			dump("12.05", Red, 4).segment(SegCombat, Blue)
		g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=1]",
			"ready", "lead x-1")
		f := resolved(t, g.do("lead y-1", c.throws...))
		if f.Modifier != c.modifier || int(f.Surprise) != c.surprise || int(f.Roll) != c.roll || f.Shift != 0 {
			t.Errorf("%+v: resolved %v", c, f)
		}
	}
}

// Raw odds beyond the end of the row are those of its end, and a surprise of six columns leads from
// there to 3:1 (EX-9.1g-1).
func TestOddsBeyondTheRow(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.1g")
	g := onGround(t, "x-1 blue battalion other infantry 1-4-8leg 1-4-14leg",
		"y-1 red battalion other infantry 12-1-3leg 1-1-7leg").
		put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 4).dump("12.05", Red, 4).segment(SegCombat, Blue)
	g.all("attack x-1 12.05", "pay x-1 lines=[at=12.04;count=1]", "ready", "pay y-1 lines=[at=12.05;count=1]", "ready",
		"lead x-1")
	f := resolved(t, g.do("lead y-1", 6, 5, 6, 3, 4))
	if f.Odds != "1:5" || f.Shift != 6 || f.Column != "3:1" {
		t.Errorf("resolved %v", f)
	}
}

// The attacker that has no option to fail leaves the defender its own to satisfy (EX-9.10a-D); one whose enemy dies by
// its L has still to satisfy its own (EX-9.10a-E).
func TestSampleResults(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 9.10a-D", "OCS 9.10a-E", "OCS 9.10a")
	at := func(strength string, dice ...uint32) (*table, *ocsv1.CombatResolved) {
		g := onGround(t, "x-1 blue division other infantry "+strength+"-4-3leg 8-4-8leg",
			"y-1 red battalion other infantry 4-4-3leg 3-3-8leg").
			put("12.04", "x-1").put("12.05", "y-1").dump("12.04", Blue, 20).dump("12.05", Red, 8).
			segment(SegCombat, Blue)
		g.do("attack x-1 12.05")
		g.do("pay x-1 lines=[at=12.04;count=3]")
		g.all("ready", "pay y-1 lines=[at=12.05;count=1]", "ready", "lead x-1")
		return g, resolved(t, g.do("lead y-1", rolled(dice[0], dice[1])...))
	}
	g, f := at("8", 3, 4)
	if f.Result != "AL1, Do1" {
		t.Fatalf("resolved %v", f)
	}
	g.do("lose lines=[unit=x-1;count=1]")
	if g.asked() != Red {
		t.Fatal("red is not asked")
	}
	g.refused("OCS 9.10", "lose") // it may not ignore its option
	g.all("lose hexes=1", "retreat y-1 12.06")
	g.want("lost x-1", 1, "place y-1", "12.06")

	g, f = at("12", 4, 4)
	if f.Result != "Ao1, DL1o1" {
		t.Fatalf("resolved %v", f)
	}
	if g.asked() != Blue {
		t.Fatal("blue is not asked")
	}
	g.refused("OCS 9.10", "lose") // though the enemy will be dead
	g.all("lose hexes=1", "retreat x-1 12.03", "lose lines=[unit=y-1;count=1]")
	g.want("place y-1", "dead", "place x-1", "12.03", "asks", "combat")
}

// A DG marker on a stack is on its combat units; transports and supply in the hex know no DG (EX-4.8b-1).
func TestMarkersOfStacks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8b-A", "OCS 5.10c")
	g := onGround(t, guns...).put("12.03", "x-8 x-8b x-inf").
		put("12.05", "y-re y-bn truck-red/points_t=8,load_t=4 rd-1-trk").dump("12.05", Red, 8).dump("12.03", Blue, 20).
		segment(SegArtilleryBarrage, Blue)
	g.do("barrage x-8,x-8b 12.05 lines=[at=12.03;count=3]", 5, 4)
	g.want("mode y-re", "dg", "mode y-bn", "dg", "mode truck-red.1", "move", "mode rd-1-trk", "move",
		"ground 12.05 red", 8)
	c := g.p.changed()
	c.spend(g.unit("truck-red.1"), 0)
	g.change(c)
	if a := g.p.allowance(g.unit("truck-red.1")); a != g.p.shown(g.unit("truck-red.1")).Movement {
		t.Errorf("the truck has %s MP", formatCost(a))
	}
}

// A range of 3 reaches hexes 1, 2 and 3 hexes away in any weather, and none 4 hexes away (EX-10.1a-1).
func TestBarrageRange(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.1a")
	for n, at := range []string{"12.04", "12.05", "12.06", "12.07"} {
		g := onGround(t, guns...).put("12.03", "x-1").put(at, "y-re").dump("12.03", Blue, 20).weather("mud").
			segment(SegArtilleryBarrage, Blue)
		command := "barrage x-1 " + at + " lines=[at=12.03;count=1]"
		if n == 3 {
			g.refused("OCS 10.1a", command)
		} else {
			g.do(command, 1, 1)
		}
	}
}
