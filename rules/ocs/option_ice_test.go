package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// onIce is the strait of Kerch with units of both sides, all Soviet at Yenikale in the Movement Phase of 1 January 1942
// on frozen ground, with the option.
func onIce(t *testing.T) *table {
	t.Helper()
	return overIce(t).with(optStraitIce).weather("frozen").segment(SegMovement, Red)
}

// overIce is the same before anything is played, in turn 3, without the option and on dry ground.
func overIce(t *testing.T) *table {
	t.Helper()
	g := onMap(t, "crimea-kerch-feodosiya",
		"y-1 red division other infantry 14-4-3leg 7-4-8leg re=2 steps=2 nationality=so",
		"y-2 red regiment other infantry 4-4-3leg 2-4-8leg nationality=so",
		"y-3 red battalion other infantry 2-3-3leg 1-3-8leg nationality=so",
		"y-4 red battalion other infantry 2-3-3leg 1-3-8leg nationality=so",
		"y-mot red regiment mech mechanized_infantry 4-4-3leg 3-4-20truck nationality=so",
		"y-odd red regiment other infantry 4-4-9truck 2-4-8leg nationality=so",
		"y-tk red battalion armor armor 4-4-6track 2-4-10track nationality=so",
		"y-eng red battalion other engineer (1)-4-3leg (1)-4-8leg nationality=so",
		"x-1 blue regiment other infantry 4-4-3leg 2-4-8leg nationality=ge")
	return g.inTurn(3).hex("48.15", "owner=red").hex("51.15", "owner=red").put("48.15",
		"y-1/move y-2/move y-3/move y-4/move y-mot y-odd y-tk/move y-eng/move")
}

// Leg units cross for their whole move, at most 2 RE each way in a turn (OCS Crimea-8.5).
func TestCross(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5")
	g := onIce(t)
	out := g.do("cross y-2,y-3 51.15")
	g.want("place y-2", "51.15", "place y-3", "51.15", "spent y-2", "8", "spent y-3", "8", "mark y-2 moved", true,
		"owner 51.15", "red")
	g.want("register red crossed-out", 6, "register red crossed-back", 0, "register blue crossed-out", 0)
	if got := g.told(out); got !=
		"y-2, y-3: Yenikale 48.15 to Kordon 51.15. Red in Kordon 51.15: y-2 on top, Move mode." {
		t.Errorf("told %q", got)
	}
	r := g.refused("OCS Crimea-8.5", "cross y-2 48.15") // its move is spent
	if r.Text.Key != "refuse.whole-move" {
		t.Errorf("refused by %s", r.Text.Key)
	}
	g.refused("OCS 6.1b", "move y-2 52.15")
	g.refused("OCS Crimea-8.5", "cross y-1 51.15") // 2 RE more are too many
	g.do("cross y-4 51.15")                        // the last half RE
	g.refused("OCS Crimea-8.5", "cross y-eng 51.15")
	g.want("register red crossed-out", 8)

	g = onIce(t)
	g.refused("OCS Crimea-8.5", "cross y-1,y-4 51.15")
	g.do("cross y-1 51.15")
	g.put("51.15", "y-2/move")
	g.do("cross y-2 48.15") // the other way is counted for itself
	g.want("place y-1", "51.15", "place y-2", "48.15", "register red crossed-out", 8, "register red crossed-back", 4)

	g = onIce(t).put("48.15", "y-1/move,lost=1") // a division without a step is 1 RE less
	g.do("cross y-1,y-2 51.15")
	g.want("register red crossed-out", 8)
}

// A crossing takes the whole move: nothing of it may be spent before, whatever the mode leaves of it; in any movement
// segment in which the unit may move.
func TestCrossTakesAll(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5", "OCS 6.1f", "OCS 11.0a", "OCS 7.0a", "OCS 6.1b")
	g := onIce(t).put("47.16", "y-2/move").segment(SegMovement, Red)
	g.do("move y-2 48.15")
	if r := g.refused("OCS Crimea-8.5", "cross y-2 51.15"); r.Text.Key != "refuse.whole-move" {
		t.Errorf("refused by %s", r.Text.Key)
	}
	g = onIce(t).put("47.16", "y-2/move").segment(SegMovement, Red)
	g.do("cross y-3 51.15")
	g.do("cross y-4 51.15")
	g.refused("OCS 6.1f", "move y-3 52.15")
	g = onIce(t).put("48.15", "y-2/move,dg y-3/reserve").segment(SegMovement, Red)
	g.do("cross y-2 51.15")
	g.do("cross y-3 51.15")
	g.want("place y-2", "51.15", "spent y-2", "4", "place y-3", "51.15", "mode y-2", "dg")

	g = onIce(t).put("48.15", "y-2/move,exploitation").segment(SegExploitMove, Red)
	g.refused("OCS 11.0a", "cross y-3 51.15")
	g.do("cross y-2 51.15")
	g.want("place y-2", "51.15", "spent y-2", "4")
	g = onIce(t).put("48.15", "y-2/reserve").segment(SegReactionMove, Blue)
	g.refused("OCS 7.0a", "cross y-2 51.15")
	g.do("release y-2")
	g.do("cross y-2 51.15")
	g.want("place y-2", "51.15")
	if onIce(t).segment(SegCombat, Red).lists("cross") != nil {
		t.Error("somebody crosses in the Combat Phase")
	}
}

// The ice is there with the option, in the turns and for the side that the scenario names, while the ground is frozen.
func TestIceHolds(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5")
	for name, c := range map[string]struct {
		turn   int
		ground string
		option bool
		refuse string
	}{
		"on ice":    {3, "frozen", true, ""},
		"january":   {8, "frozen", true, ""},
		"december":  {2, "frozen", true, "refuse.no-ice"},
		"snow":      {3, "snow", true, "refuse.thin-ice"},
		"mud":       {3, "mud", true, "refuse.thin-ice"},
		"no option": {3, "frozen", false, "refuse.option-off"},
	} {
		g := overIce(t).inTurn(c.turn)
		if c.option {
			g.with(optStraitIce)
		}
		g.weather(c.ground).segment(SegMovement, Red)
		listed := g.lists("cross")
		if c.refuse == "" {
			g.do("cross y-1 51.15")
			continue
		}
		if r := g.refused("OCS Crimea-8.5", "cross y-1 51.15"); r.Text.Key != c.refuse || len(listed) > 0 {
			t.Errorf("%s: %s, listed %v", name, r.Text.Key, listed)
		}
	}
	g := onIce(t).hex("48.15", "owner=blue")
	for _, id := range strings.Fields("y-1 y-2 y-3 y-4 y-mot y-odd y-tk y-eng") {
		g.put("50.13", id)
	}
	g.put("48.15", "x-1/move").segment(SegMovement, Blue)
	if r := g.refused("OCS Crimea-8.5", "cross x-1 51.15"); r.Text.Key != "refuse.no-ice" {
		t.Errorf("the other side: %s", r.Text.Key)
	}
}

// Only leg combat units cross, and only from one end to the other.
func TestWhoCrosses(t *testing.T) {
	t.Parallel()
	g := onIce(t).put("48.15", "wagon-red/points_t=4 truck-red/points_t=4").segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5")
	for _, u := range []string{"y-mot", "y-odd", "y-tk", "wagon-red.1", "truck-red.1"} {
		if r := g.refused("OCS Crimea-8.5", "cross "+u+" 51.15"); r.Text.Key != "refuse.not-on-foot" {
			t.Errorf("%s: %s", u, r.Text.Key)
		}
	}
	g.put("47.15", "y-2/move").hex("47.15", "owner=red").put("47.12", "x-1")
	for _, c := range []string{"cross y-1 50.13", "cross y-1 48.15", "cross y-2 51.15", "cross y-1 49.15"} {
		if r := g.refused("OCS Crimea-8.5", c); r.Text.Key != "refuse.no-strait" {
			t.Errorf("%s: %s", c, r.Text.Key)
		}
	}
	rulestest.Proves(t, ruleset, "OCS 6.1", "OCS 6.3a")
	g.refused("OCS 6.1", "cross y-1,y-2 51.15")
	g.refused("OCS 6.3a", "cross x-1 51.15")
	g.refused("", "cross 51.15")

	g = onIce(t).put("51.15", "x-1")
	rulestest.Proves(t, ruleset, "OCS 4.8c")
	g.refused("OCS 4.8c", "cross y-1 51.15")
	g = onIce(t).put("51.15", "truck-blue/points_t=4").segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS 4.4c")
	g.refused("OCS 4.4c", "cross y-eng 51.15")
	g = onIce(t).hex("51.15", "owner=blue").dump("51.15", Blue, 4).segment(SegMovement, Red)
	g.do("cross y-1 51.15", 3) // it captures what lies there
	g.want("owner 51.15", "red", "ground 51.15 blue", 0)
	g = onIce(t).put("48.15", "y-1/strat").put("52.15", "x-1").segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS 5.8a")
	g.refused("OCS 5.8a", "cross y-1 51.15")
	g = onIce(t).put("51.15", "y-1/strat").segment(SegMovement, Red)
	rulestest.Proves(t, ruleset, "OCS 5.8b")
	g.refused("OCS 5.8b", "cross y-1 48.15")
}

// The list has each unit alone and all that may together, by the same check; what crossed is forgotten with the turn.
func TestCrossListed(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5")
	g := onIce(t)
	if got := g.lists("cross"); !slices.Equal(got, []string{"cross y-1 at=51.15", "cross y-2 at=51.15",
		"cross y-3 at=51.15", "cross y-4 at=51.15", "cross y-eng at=51.15"}) {
		t.Errorf("listed: %v", got)
	}
	g = onIce(t)
	g.put("47.12", "y-1")
	if got := g.lists("cross"); len(got) != 4 || slices.Contains(got, "cross y-2,y-3,y-4,y-eng at=51.15") {
		t.Errorf("listed: %v", got)
	}
	g.put("47.12", "y-eng")
	if got := g.lists("cross"); len(got) != 4 || got[3] != "cross y-2,y-3,y-4 at=51.15" {
		t.Errorf("listed: %v", got)
	}
	g.do("cross y-2,y-3,y-4 51.15")
	if got := g.lists("cross"); len(got) != 0 {
		t.Errorf("listed when the ice carries no more: %v", got)
	}
	back := g.clone().put("51.15", "y-1").segment(SegMovement, Red) // the others have moved
	if got := back.lists("cross"); len(got) != 1 || got[0] != "cross y-1 at=48.15" {
		t.Errorf("listed for the way back: %v", got)
	}
	next := g.clone().segment(SegExploitMove, Red) // still the same turn
	next.want("register red crossed-out", 8)
	g.p.turn = 4
	g.segment(SegWeather, rules.NoSeat, 1, 6, 6, 1, 1)
	g.want("register red crossed-out", 0, "turn", 4)
}

// Who crosses and how many have is seen by their side only, and that the strait is frozen by everyone (OCS 4.9a).
func TestIceSeen(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS Crimea-8.5")
	g := onIce(t)
	out := g.do("cross y-3 51.15")
	for _, e := range out.Events {
		m := e.Event.(*event)
		for _, c := range m.GetChanges() {
			if c.GetRegister() != nil && rules.SeatViewer(Blue).MaySee(e.Audience) {
				t.Errorf("the enemy is told %v", c)
			}
		}
		if m.GetUnitsMoved() != nil && rules.SeatViewer(Blue).MaySee(e.Audience) {
			t.Errorf("the enemy is told %v", m)
		}
	}
	if a := g.p.commandAudience(Red, &Command{Kind: KindCross}); rules.SeatViewer(Blue).MaySee(a) {
		t.Error("the enemy sees the command")
	}
	for _, r := range g.p.view(rules.SeatViewer(Blue)).GetRegisters() {
		if r.GetSeat() == seatIDs[Red] {
			t.Errorf("the enemy sees %v", r)
		}
	}
	track := func(g *table, lang rules.Lang) string {
		for _, tr := range g.p.Board(rules.SeatViewer(Blue), lang).GetTracks() {
			if tr.GetId() == "ice" {
				return tr.GetText()
			}
		}
		return ""
	}
	if got := track(g, rules.English); got != "frozen between 48.15 and 51.15" {
		t.Errorf("the board says %q", got)
	}
	if got := track(g, rules.Japanese); got != "48.15と51.15の間が凍結" {
		t.Errorf("the board says %q", got)
	}
	if got := track(onIce(t).weather("mud"), rules.English); got != "open water" {
		t.Errorf("in mud the board says %q", got)
	}
	if a, b := track(overIce(t).weather("frozen"), rules.English), track(onIce(t).inTurn(1), rules.English); a+b != "" {
		t.Errorf("the board says %q and %q", a, b)
	}
}

// The campaign and the landings at Kerch have ice in January and February 1942, and only then; other scenarios have
// none. A document must say between what.
func TestIceInScenarios(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Crimea-8.5")
	for _, d := range documents() {
		sc, n := shipped(t, d.ID), 0
		for i, turn := range sc.Doc.GetTurns() {
			name := turn.GetName().GetEn()
			winter := strings.HasSuffix(name, " January 1942") || strings.HasSuffix(name, " February 1942")
			if r := sc.special(ruleIce, i+1); (r != nil) != winter {
				t.Errorf("%s: %s: %v", d.ID, name, r)
			} else if winter {
				n++
			}
		}
		if want := map[string]int{"crimea-campaign": 17, "crimea-kerch-feodosiya": 6}[d.ID]; n != want {
			t.Errorf("%s has ice in %d turns, want %d", d.ID, n, want)
		}
	}
	for want, r := range map[string]*ocsv1.SpecialRule{
		`special[0].seat: "" is no seat`: {Hexes: []string{"03.11", "04.10"},
			Numbers: []int32{2}},
		"special[0].hexes: 1 hexes, expected 2 different ones": {Seat: "red", Hexes: []string{"04.10"},
			Numbers: []int32{2}},
		"special[0].hexes: 2 hexes, expected 2 different ones": {Seat: "red", Hexes: []string{"04.10", "04.10"},
			Numbers: []int32{2}},
		`special[0].hexes[1]: "99.99" is no hex or box in play`: {Seat: "red", Hexes: []string{"04.10", "99.99"},
			Numbers: []int32{2}},
		"special[0].hexes[0]: 09.02 is no coastal hex": {Seat: "red", Hexes: []string{"09.02", "04.10"},
			Numbers: []int32{2}},
		"special[0].numbers: [], expected one number of REs": {Seat: "red", Hexes: []string{"03.11", "04.10"}},
		"special[0].numbers: [0], expected one number of REs": {Seat: "red", Hexes: []string{"03.11", "04.10"},
			Numbers: []int32{0}},
		"special[0].numbers: [1 2], expected one number of REs": {Seat: "red", Hexes: []string{"03.11", "04.10"},
			Numbers: []int32{1, 2}},
	} {
		doc := document(t, "proving-seas")
		r.Id = ruleIce
		doc.Special = []*ocsv1.SpecialRule{r}
		_, faults := loadMessage(doc)
		if !slices.ContainsFunc(faults,
			func(f rules.Fault) bool { return strings.HasPrefix(f.Path+": "+f.What, want) }) {
			t.Errorf("no fault %q among %v", want, faults)
		}
	}
}

// A random game in which units cross the ice holds to the contract, and the enemy does not learn who did.
func TestIceBattery(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a", "OCS Crimea-8.5")
	doc := document(t, "proving-seas")
	for _, row := range doc.GetWeather()[0].GetRows() {
		row.Ground = "frozen"
	}
	doc.Special = append(doc.Special,
		&ocsv1.SpecialRule{Id: ruleIce, Seat: "blue", Hexes: []string{"05.12", "05.08"}, Numbers: []int32{1}})
	options, err := about.NewOptions(map[string]string{optStraitIce: "true"})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := rulestest.CheckGame(ruleset, load(t, doc), options, 3, rulestest.Config{
		Commands: 20000, Sample: 60, Listed: 10, Secrets: true, Hide: hideSea, Parted: dumpsDiffer, Pick: iceFirst,
		Open: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if stats.Played["cross"] < 2 {
		t.Errorf("%d crossed", stats.Played["cross"])
	}
}

// iceFirst is brisk, but crosses the ice as often as it comes up.
func iceFirst(g rules.Game, seat rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	for i := range list.Len() {
		if g.KindOf(list.At(i)) == "cross" && below(3) == 0 {
			return i
		}
	}
	return brisk(g, seat, list, below)
}
