package ocs

import (
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// The points of a scenario: hexes, units in the dead pile, control in time; and the end at once.
func TestVictoryPoints(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-III")
	g := onMap(t, "crimea-trappenjagd")
	if got := g.p.victoryPoints(); got != 0 {
		t.Fatalf("it begins with %d points", got)
	}
	g.hex("47.15", "owner=blue").hex("37.14", "owner=blue")
	if got := g.p.victoryPoints(); got != 6 {
		t.Errorf("Kerch and Ak-Monai are %d points, want 6", got)
	}
	var soviet, german []string
	for u := range g.sc.Fixed {
		switch c := &g.sc.Counters[u]; {
		case c.Division && g.sc.Nations[c.Nation].ID == "so" && len(soviet) < 5:
			soviet = append(soviet, c.ID)
		case c.Division && g.sc.Nations[c.Nation].ID == "ge" && len(german) < 1:
			german = append(german, c.ID)
		}
	}
	g.dead(soviet...).dead(german...)
	if got := g.p.victoryPoints(); got != 6+1-2 {
		t.Errorf("with 5 Soviet divisions and 1 German one dead it is %d points, want 5", got)
	}
	g.segment(SegMovement, Blue).do("end")
	if got := g.p.victoryPoints(); got != 5+2 {
		t.Errorf("with Kerch in time it is %d points, want 7", got)
	}
	g.hex("47.15", "owner=red").hex("47.15", "owner=blue").inTurn(4)
	if got := g.p.victoryPoints(); got != 7 {
		t.Errorf("what was done in time is forgotten: %d points", got)
	}
}

// The points of a bid count for their seat before the first event, decide the level at the end, and stand in the
// notation.
func TestBidsAreVictoryPoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scenario, blue, red string
		points              int
		winner              rules.Seat
	}{
		{"crimea-ishun", "0", "0", 0, Red},
		{"crimea-ishun", "3", "0", 3, Red},
		{"crimea-ishun", "4", "0", 4, Blue},
		{"crimea-ishun", "5", "2", 3, Red},
		{"crimea-ishun", "10", "10", 0, Red},
		{"crimea-kerch-feodosiya", "0", "6", 6, Blue}, // Red's points are counted there
		{"crimea-kerch-feodosiya", "0", "7", 7, Red},
		{"crimea-kerch-feodosiya", "3", "9", 6, Blue},
	} {
		o, err := about.NewOptions(map[string]string{"bid_blue": c.blue, "bid_red": c.red})
		if err != nil {
			t.Fatal(err)
		}
		p := newPosition(shipped(t, c.scenario), newOptions(o))
		if got := p.victoryPoints() - newPosition(p.sc, options{}).victoryPoints(); got != c.points {
			t.Errorf("%s with %s and %s: %d points, want %d", c.scenario, c.blue, c.red, got, c.points)
		}
		if stated := strings.Contains(p.format(), "bid_"); stated != (c.blue+c.red != "00") {
			t.Errorf("%s with %s and %s: %.80s", c.scenario, c.blue, c.red, p.format())
		}
		again, err := parsePosition(p.sc, p.format())
		if err != nil {
			t.Fatal(err)
		}
		if again.opt.bids != p.opt.bids {
			t.Errorf("bids %v, written and read %v", p.opt.bids, again.opt.bids)
		}
	}
	for _, bad := range []string{"-1", "11", "x", ""} {
		if _, err := about.NewOptions(map[string]string{"bid_blue": bad}); err == nil {
			t.Errorf("a bid of %q passes", bad)
		}
		if o, err := parseOptions([]string{"bid_blue=" + bad}); err == nil {
			t.Errorf("a bid of %q is read as %v", bad, o.bids)
		}
	}
}

// Sevastopol falls and the game ends at once.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-III")
	g := onMap(t, "crimea-sevastopol")
	g.hex("14.05", "owner=blue")
	if g.p.wonEarly() {
		t.Fatal("one hex of two is enough")
	}
	g.hex("13.05", "owner=blue")
	g.segment(SegMovement, Blue)
	if !g.p.over() || g.p.Ending() == nil {
		t.Error("the game goes on")
	}
}

// Where columns must be free of the other side, only its combat units in them keep the game going (OCS Intro-III).
func TestEarlyEndOfColumns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-III")
	held := func(id string) *table {
		g := onMap(t, id, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg nationality=ge",
			"y-1 red regiment other infantry 3-3-3leg 2-3-8leg nationality=so")
		for _, at := range g.sc.Doc.GetVictory().GetEarlyControls() {
			g.hex(at, "owner=blue")
		}
		return g
	}
	columns := int(shipped(t, "crimea-campaign").Doc.GetVictory().GetEarlyColumns())
	inside, outside := "", ""
	for h := range shipped(t, "crimea-campaign").Hexes {
		g := shipped(t, "crimea-campaign")
		switch id := g.Map.ID(Hex(h)); column(id) {
		case columns:
			inside = id
		case columns + 1:
			outside = id
		}
	}
	for _, c := range []struct {
		scenario, at, units string
		want                bool
	}{
		{"crimea-campaign", inside, "", true}, {"crimea-campaign", inside, "y-1", false},
		{"crimea-campaign", inside, "truck-red/points_t=4", true}, {"crimea-campaign", outside, "y-1", true},
		{"crimea-campaign", inside, "x-1", true}, {"crimea-campaign", "kuban", "y-1", true},
		{"crimea-sevastopol", "15.05", "y-1", true}, // no columns need be free
	} {
		g := held(c.scenario).put(c.at, c.units)
		if got := g.p.wonEarly(); got != c.want {
			t.Errorf("%s, %q in %s: the game is over: %t", c.scenario, c.units, c.at, got)
		}
	}
	doc := document(t, "proving-ground") // a map with a column 0
	doc.Victory.Seat, doc.Victory.EarlyControls = "blue", []string{"05.07"}
	west := proto.CloneOf(doc.Map.Hexes[0])
	west.Id = "00.01"
	doc.Map.Hexes = append(doc.Map.Hexes, west)
	g := &table{t: t, sc: load(t, doc)}
	g.p = newPosition(g.sc, options{})
	if g.inTurn(1).hex("05.07", "owner=blue").put("00.01", "rd-1-inf"); !g.p.wonEarly() {
		t.Error("a column keeps the game going that need not be free")
	}
}

// A hex of the surprised side rolls before it releases units from Reserve, once in the turn.
func TestSurprisedFront(t *testing.T) {
	t.Parallel()
	units := func() *table {
		g := onMap(t, "crimea-trappenjagd", "x-1 red regiment other infantry 3-3-3leg 2-3-8leg nationality=so",
			"x-2 red regiment other infantry 3-3-3leg 2-3-8leg nationality=so")
		return g.put("39.15", "x-1/reserve x-2/reserve")
	}
	g := units().segment(SegReactionMove, Blue)
	g.as(Red, "release x-1", 3)
	g.want("mode x-1", "reserve", "hexmark 39.15 release-barred", true)
	g.refusedTo(Red, "OCS 5.7b", "release x-1")
	g = units().segment(SegReactionMove, Blue)
	g.as(Red, "release x-1", 4)
	g.as(Red, "release x-2")
	g.want("mode x-1", "combat", "mode x-2", "combat")
	g = units().inTurn(2).segment(SegReactionMove, Blue)
	g.as(Red, "release x-1")
}

// A hex is taken for the first time once.
func TestFirstControl(t *testing.T) {
	t.Parallel()
	list := []*ocsv1.VictoryTest{{Kind: "first_control", Hex: "01.01"}, {Kind: "first_control", Hex: "01.01"}}
	if !takenBefore(list, 1, 1) || takenBefore(list, 1, 0) {
		t.Error("a hex is taken for the first time twice")
	}
	if got := column("A48.15"); got != 48 {
		t.Errorf("the column is %d", got)
	}
}

// A condition of control comes true at the end of a phase in its turns, for its own seat, and stays so; a hex is
// controlled for the first time by one seat only.
func TestConditionsOfControl(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-III")
	const inTime, blueFirst, redFirst, red = 1, 2, 4, 8
	conditions := func(doc *ocsv1.Scenario) {
		doc.Victory = &ocsv1.Victory{Seat: "blue", Levels: doc.Victory.Levels, Adjust: []*ocsv1.VictoryTest{
			{Kind: "control_by", Hex: "09.02", Seat: "blue", From: 2, To: 3, Points: 1},
			{Kind: "first_control", Hex: "09.03", Seat: "blue", From: 1, To: 6, Points: 1},
			{Kind: "first_control", Hex: "09.03", Seat: "red", From: 1, To: 6, Points: 1},
			{Kind: "control_by", Hex: "09.02", Seat: "red", From: 1, To: 6, Points: 1},
		}}
	}
	type step struct {
		turn        int
		hex, fields string
		want        int
	}
	for name, steps := range map[string][]step{
		"before its turns":        {{1, "09.02", "owner=blue", 0}},
		"in the first of them":    {{2, "09.02", "owner=blue", inTime}},
		"in the last of them":     {{3, "09.02", "owner=blue", inTime}},
		"after them":              {{4, "09.02", "owner=blue", 0}},
		"of the other seat":       {{2, "09.02", "owner=red", red}},
		"kept when the hex falls": {{2, "09.02", "owner=blue", inTime}, {4, "09.02", "owner=red", inTime | red}},
		"blue comes first":        {{1, "09.03", "owner=blue", blueFirst}, {2, "09.03", "owner=red", blueFirst}},
		"red comes first":         {{1, "09.03", "owner=red", redFirst}, {2, "09.03", "owner=blue", redFirst}},
	} {
		g := withDocument(t, conditions)
		nobody := g.p.changed()
		nobody.own(g.place("09.02"), rules.NoSeat)
		nobody.own(g.place("09.03"), rules.NoSeat)
		g.change(nobody)
		for i, s := range steps {
			g.inTurn(s.turn).hex(s.hex, s.fields)
			note := staged{do: g.p.noteConditions}
			if err := rules.Play(note, g.p, 0, only(KindEnd), dice.NewManual(nil), new(rules.Outcome)); err != nil {
				t.Fatal(err)
			}
			if got := int(g.p.register(Blue, ocsv1.Register_REGISTER_CONDITIONS)); got != s.want {
				t.Errorf("%s, step %d: conditions %04b, want %04b", name, i+1, got, s.want)
			}
		}
	}
}

// Siege guns that fire alone know no hedgehog: neither its shift nor the brackets of a half; with other guns they are
// guns like them, and so they are in scenarios without the rule. What moves by rail only travels as 8 tokens, and fires
// from a railway of its own gauge.
func TestSiegeGuns(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 10.0a", "OCS 10.1")
	const gun = " blue battalion other artillery_towed (1)-1-3leg/b%r3 (1)-1-8leg/b4r3 artillery"
	of := func(strength string) string { return strings.Replace(gun, "%", strength, 1) }
	fire := func(ruled bool, guns string, throws ...uint32) *ocsv1.BarrageResolved {
		g := withDocument(t, func(doc *ocsv1.Scenario) {
			if ruled {
				doc.Special = []*ocsv1.SpecialRule{{Id: "siege-guns"}}
			}
		}, "x-40"+of("40")+" siege", "x-41"+of("41"), "x-20"+of("20")+" siege", "x-21"+of("21"),
			"y-1 red regiment other infantry 4-4-3leg 3-3-8leg",
			"y-2 red regiment other infantry 4-4-3leg 3-3-8leg",
			"x-spot blue battalion other infantry 4-4-3leg 1-4-8leg")
		g.put("12.03", "x-40 x-41 x-20 x-21").put("12.04", "x-spot").put("12.05", "y-1 y-2").hex("12.05", "hedgehog=3").
			dump("12.03", Blue, 60).segment(SegArtilleryBarrage, Blue)
		for n := 1; ; n++ { // what the column costs
			out, err := g.try(Blue, "barrage "+guns+" 12.05 lines=[at=12.03;count="+strconv.Itoa(n)+"]", throws...)
			if err == nil {
				return barraged(t, out)
			}
			if n > 20 {
				t.Fatalf("%s: %s", guns, explain(err))
			}
		}
	}
	for _, c := range []struct {
		ruled  bool
		guns   string
		throws []uint32
		shift  int32
		die    uint32
	}{
		{true, "x-40", []uint32{4, 4, 3}, 0, 3},    // column 25-40, roll 8: [1/2]
		{false, "x-41", []uint32{4, 4}, -1, 0},     // shifted from the next into the same column: DG only
		{true, "x-41", []uint32{4, 4}, -1, 0},      // no siege gun
		{true, "x-20,x-21", []uint32{4, 4}, -1, 0}, // not alone
		{false, "x-40,x-20", []uint32{4, 4}, -1, 0},
	} {
		if f := fire(c.ruled, c.guns, c.throws...); f.Shift != c.shift || f.Die != c.die || f.Result != "[1/2]" ||
			!f.Disorganised {
			t.Errorf("%s, with the rule %t: resolved %v", c.guns, c.ruled, f)
		}
	}
	g := onGround(t, "x-rail"+of("20")+" rail_only", "y-1 red regiment other infantry 4-4-3leg 3-3-8leg").
		put("12.07", "x-rail").put("12.05", "y-1").
		dump("12.07", Blue, 20).segment(SegArtilleryBarrage, Blue)
	g.refused("OCS 10.1", "barrage x-rail 12.05 lines=[at=12.07;count=3]")
	g.put("12.08", "x-rail").dump("12.08", Blue, 20).do("barrage x-rail 12.05 lines=[at=12.08;count=3]", 1, 1)
	if w := g.p.railWeight(g.unit("x-rail")); w != 8*oneToken {
		t.Errorf("it weighs %sT", tokensText(w))
	}
}
