package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// Ships of the cases.
var (
	cruiser   = "b-ca blue cruiser 14/7 4 2/1 3 20/10 single"
	flotilla  = "b-dd blue destroyers 10/5 3 2/1 1 20/20"
	gunboats  = "b-gb blue gunboats 12/6 3 1/0 1 10/10 slow"
	raiders   = "r-dd red destroyers 6/3 3 1/0 1 20/20"
	barges    = "b-lc blue lc 10 0 0"
	redBarges = "r-lc red lc 10 0 0"
)

// Ships go into all-sea hexes and friendly ports, landing craft along the coast too; they never
// change control (OCS 18.1c).
func TestShipsSail(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.0", "OCS 18.1c", "OCS 18.1a", "OCS 12.9d", "OCS 3.4")
	g := atSea(t, []string{cruiser, barges, raiders}, nil, "x-1 blue regiment other infantry 4-4-3leg 3-3-8leg").
		put("04.07", "b-ca b-lc/points_t=8").put("01.10", "r-dd").hex("05.08", "owner=red").hex("05.07", "owner=blue").
		segment(SegMovement, Blue)
	g.refused("OCS 18.1c", "sail b-ca 05.08")        // a coastal hex
	g.refused("OCS 18.1c", "sail b-ca,b-lc.1 05.08") // together with landing craft too
	g.refused("OCS 18.1c", "sail b-ca 03.05")        // not adjacent
	g.refused("OCS 18.1c", "sail b-ca 05.07>06.07")  // inland
	g.refused("OCS 18.1e", "sail r-dd 01.09")
	g.do("sail b-ca 03.07>03.06")                                         //
	g.want("place b-ca", "03.06", "spent b-ca", "2", "fuel b-ca", "none") // without supply
	g.do("sail b-ca 03.07>04.07>05.07")                                   // in parts, into a port
	g.want("place b-ca", "05.07", "spent b-ca", "5", "owner 05.07", "blue")
	g.hex("05.07", "owner=red")
	g.refused("OCS 18.1c", "sail b-lc.1 03.07>04.07>05.07>06.07")
	g.do("sail b-lc.1 05.08>05.07>04.06") // along the coast, through a port of the other side, into an estuary
	g.want("place b-lc.1", "04.06", "spent b-lc.1", "3", "owner 05.08", "red", "owner 05.07", "red")
	if c := g.p.cell(g.place("04.06")); c.pieces[Blue] != 0 || c.owner != Blue {
		t.Errorf("landing craft count as %d land units, owner %v", c.pieces[Blue], c.owner)
	}

	g = atSea(t, []string{redBarges}, nil).put("07.02", "r-lc/points_t=4").hex("07.01", "owner=red").
		segment(SegMovement, Red)
	g.refused("OCS 18.1c", "sail r-lc.1 07.01") // only land between
	g.do("sail r-lc.1 06.02>06.01>07.01")
	g.want("place r-lc.1", "07.01", "spent r-lc.1", "3")
}

// Ships have 20 MP, slow ones 10; damaged single ships are slower, damaged groups are not (OCS 18.1f). They sail in all
// three phases of their owner (OCS 18.1e), and count boxes by what their links say.
func TestSpeed(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.1e", "OCS 18.1f", "OCS 7.0c", "OCS 11.0d", "OCS 2.3-G")
	g := atSea(t, []string{cruiser, flotilla, gunboats, raiders, barges}, nil).
		put("01.01", "b-ca/lost=1 b-dd/lost=1 b-gb b-lc/points_t=4").segment(SegMovement, Blue)
	var up []string
	for _, h := range []string{"02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15"} {
		up = append(up, "01."+h)
	}
	ten, eleven := strings.Join(up[:10], ">"), strings.Join(up[:11], ">")
	for _, u := range []string{"b-ca", "b-gb", "b-lc.1"} {
		g.refused("OCS 18.1f", "sail "+u+" "+eleven)
	}
	g.refused("OCS 18.1f", "sail b-ca,b-dd "+eleven) // the slowest of a stack
	g.do("sail b-dd " + eleven)
	g.do("sail b-gb,b-ca,b-lc.1 " + ten)
	g.want("place b-gb", "01.11", "place b-dd", "01.12", "spent b-dd", "11", "spent b-lc.1", "10")
	g.refused("OCS 18.1f", "sail b-ca 01.12")
	g.do("sail b-dd 01.13")

	for _, c := range []struct {
		segment Segment
		phasing rules.Seat
	}{{SegMovement, Blue}, {SegReactionMove, Red}, {SegExploitMove, Blue}} {
		g.segment(c.segment, c.phasing).want("spent b-dd", "0")
		g.refused("OCS 18.1f",
			"sail b-dd 01.12>01.13>01.12>01.13>01.12>01.13>01.12>01.13>01.12>01.13>01.12"+
				">01.13>01.12>01.13>01.12>01.13>01.12>01.13>01.12>01.13>01.12")
		g.do("sail b-dd 01.12>01.13")
	}
	g.segment(SegMovement, Red).refusedTo(Blue, "OCS 2.1", "sail b-dd 01.12")

	g = atSea(t, []string{cruiser, raiders}, nil).put("blue-base", "b-ca").put("01.06", "r-dd").
		segment(SegMovement, Blue)
	g.do("sail b-ca 01.08>02.08")
	g.want("spent b-ca", "5")
	g.do("sail b-ca 01.08>blue-base")
	g.want("place b-ca", "blue-base", "spent b-ca", "10")
	g.refused("OCS 18.1c", "sail b-ca blue-depot") // a road
	g.segment(SegMovement, Red).refused("OCS Intro-I-F", "sail r-dd 01.07>01.08>blue-base")
}

// Any number of ships is in a hex, never with enemy ships (OCS 18.1b).
func TestShipStacks(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.1b")
	many := []string{raiders}
	for i := range 12 {
		many = append(many, strings.Replace(flotilla, "b-dd", "b-"+string(rune('a'+i)), 1))
	}
	g := atSea(t, many, nil).put("02.05", "b-a b-b b-c b-d b-e b-f b-g b-h b-i b-j b-k b-l").put("02.08", "r-dd").
		segment(SegMovement, Blue)
	g.do("sail b-a,b-b,b-c,b-d,b-e,b-f,b-g,b-h,b-i,b-j,b-k,b-l 02.06>02.07")
	g.refused("OCS 18.1b", "sail b-a 02.08")
	g.refused("OCS 18.1b", "sail b-a 02.08>02.09") // nor on the way
	if got := g.fleet("blue", "02.07"); len(strings.Fields(got)) != 12 {
		t.Errorf("in the hex: %s", got)
	}
}

// A ship that meets an attack-capable land unit is eliminated, whoever moves; enemy non-combat and air units do nothing
// to it (OCS 4.8c-B, OCS 4.8c-C).
func TestShipsAndLandUnits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.8c-B", "OCS 4.8c-C", "OCS 9.12g-D")
	units := []string{
		"y-1 red regiment other infantry 4-4-3leg 3-3-8leg", "y-hq red corps other infantry (2)-2-3leg (1)-2-8leg",
		"x-1 blue regiment other infantry 4-4-3leg 3-3-8leg",
	}
	set := func() *table {
		return atSea(t, []string{barges, cruiser}, []string{"r-f red fighter 3/2 1/1 20"}, units...)
	}
	g := set().put("04.08", "b-lc/points_t=8").put("05.08", "y-1").put("05.09", "y-hq").
		put("04.09", "truck-red/points_t=8 r-f").hex("04.09", "air_base=1").
		segment(SegMovement, Blue)
	g.put("04.08", "x-1/place=aboard,aboard=b-lc.1").dump("04.09", Red, 4)
	g.refused("OCS 4.8c", "sail b-lc.1 05.09")       // not attack-capable: no case of OCS 4.8c
	g.refused("OCS 4.8c", "sail b-lc.1 05.08>04.08") // goes no further
	h := set()
	h.p = g.p.Clone()
	h.do("sail b-lc.1 04.09") // non-combat and air units: both remain
	h.want("place b-lc.1", "04.09", "place r-f", "04.09", "place truck-red.1", "04.09", "ground 04.09 red", 4,
		"owner 04.09", "red", "place x-1", "aboard")
	if slices.ContainsFunc(g.lists("sail"), func(s string) bool { return strings.HasSuffix(s, "05.08") }) {
		t.Error("a way into death is listed")
	}
	out := g.do("sail b-lc.1 05.08")
	g.want("place b-lc.1", "gone", "place x-1", "dead", "owner 05.08", "red")
	if f := told[*ocsv1.Event_ShipsSunk](t, out).ShipsSunk; f.At != "05.08" || f.Seat != "blue" {
		t.Errorf("told %v", f)
	}

	// The other way about: land units enter, and do not pass through.
	g = set().put("05.08", "b-lc/points_t=8").put("05.09", "y-1/move").put("06.08", "y-hq/move truck-red/points_t=4").
		hex("05.08", "owner=red").segment(SegMovement, Red)
	g.refused("OCS 4.8c", "move y-hq 05.08")
	g.refused("OCS 4.8c", "move truck-red.1 05.08")
	g.refused("OCS 9.14", "move y-1 05.08>05.07")
	g.do("move y-1 05.08")
	g.want("place b-lc.1", "gone", "place y-1", "05.08")
}

// DG markers of ships go in their owner's Clean-Up Phase; a ship in a port counts as DG (OCS 18.1d).
// Ships have no other mode.
func TestShipsDisorganised(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.1d", "OCS 5.1")
	g := atSea(t, []string{cruiser, raiders}, nil).put("02.05", "b-ca/dg").put("02.08", "r-dd/dg").hex("05.07",
		"owner=blue")
	if !g.p.vulnerable(g.unit("b-ca")) {
		t.Error("a marker does not count")
	}
	g.segment(SegMovement, Blue)
	g.do("sail b-ca 02.06") // as quick as ever
	if _, err := g.try(Blue, "mode b-ca marker=reserve"); err == nil {
		t.Error("a ship went into Reserve mode")
	}
	g.segment(SegCleanUp, Blue).want("mode b-ca", "move", "mode r-dd", "dg")
	if g.p.vulnerable(g.unit("b-ca")) {
		t.Error("it is DG still")
	}
	g.put("05.07", "b-ca")
	if !g.p.vulnerable(g.unit("b-ca")) {
		t.Error("it is not DG in port")
	}
	g.hex("05.07", "owner=red")
	if g.p.vulnerable(g.unit("b-ca")) {
		t.Error("it is DG in a port of the other side")
	}
}

// What is listed is what the check accepts, a path to each place that can be reached.
func TestSailingIsListed(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.1c")
	g := atSea(t, []string{cruiser, gunboats, raiders, barges}, nil).
		put("03.05", "b-ca/spent_twelfths=60 b-gb b-lc/points_t=8 b-lc/points_t=4").put("02.07", "r-dd").
		hex("05.07", "owner=blue").segment(SegMovement, Blue)
	g.change(func() *changes { c := g.p.changed(); c.spend(g.unit("b-ca"), 15*oneMP); return c }())
	ends := map[string]map[string]int{}
	for _, text := range g.lists("sail") {
		c, r := g.p.parseCommand(text)
		if r != nil {
			t.Fatal(text, r)
		}
		if r := g.p.check(Blue, &c); r != nil {
			t.Errorf("%s: listed and refused by %s", text, r.Rule)
		}
		ships := strings.Fields(text)[1]
		if ends[ships] == nil {
			ends[ships] = map[string]int{}
		}
		at := g.sc.PlaceID(c.Path[len(c.Path)-1])
		if ends[ships][at] != 0 {
			t.Errorf("%s: listed twice", text)
		}
		ends[ships][at] = len(c.Path)
	}
	for ships, craft := range map[string]bool{"b-ca": false, "b-gb": false, "b-lc.1": true, "b-lc.1,b-lc.2": true,
		"b-ca,b-gb,b-lc.1,b-lc.2": false} {
		want := g.reach("03.05", strings.Split(ships, ","), craft)
		if len(want) < 20 || len(want) != len(ends[ships]) {
			t.Errorf("%s: %d places are listed, %d in reach", ships, len(ends[ships]), len(want))
		}
		for at, n := range want {
			if ends[ships][at] != n && !strings.Contains(at, "base") {
				t.Errorf("%s to %s: %d steps listed, %d are enough", ships, at, ends[ships][at], n)
			}
		}
	}
}

// reach finds by the check alone how many steps each place is away.
func (g *table) reach(from string, ships []string, _ bool) map[string]int {
	g.t.Helper()
	c := only(KindSail)
	for _, id := range ships {
		c.Units = append(c.Units, g.unit(id))
	}
	paths := map[string][]Place{from: nil}
	queue, found := []string{from}, map[string]int{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for i := range g.p.cells {
			to := g.p.placeOf(i)
			if _, seen := paths[g.sc.PlaceID(to)]; seen || g.p.channel(g.place(at), to) == costNever {
				continue
			}
			c.Path = append(slices.Clone(paths[at]), to)
			if g.p.check(Blue, &c) == nil {
				paths[g.sc.PlaceID(to)], found[g.sc.PlaceID(to)] = c.Path, len(c.Path)
				queue = append(queue, g.sc.PlaceID(to))
			}
		}
	}
	return found
}

// Of the enemy's ships only the top one of a hex is seen, with its damage and DG marker; cargo never
// (OCS 4.9a, OCS 18.3c).
func TestShipsInTheFog(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.9a")
	g := atSea(t, []string{cruiser, flotilla, raiders, barges}, nil,
		"x-1 blue regiment other infantry 4-4-3leg 3-3-8leg").
		put("02.05", "b-ca/lost=1 b-dd b-lc/points_t=8,load_t=4").put("02.05", "x-1/place=aboard,aboard=b-lc.1").
		segment(SegMovement, Blue)
	v := g.p.view(rules.SeatViewer(Red))
	if got := seen(v, "02.05"); got != "b-ca" {
		t.Errorf("red sees %q", got)
	}
	out := g.do("sail b-ca 02.06")
	var sighted []string
	for _, e := range out.Events {
		if f := e.Event.(*event).GetSighted(); f != nil && e.Audience == rules.Everyone {
			sighted = append(sighted, f.GetAt()+" "+f.GetUnit())
		} else if e.Event.(*event).GetShipsSailed() != nil && e.Audience != rules.OnlySeats(Blue) {
			t.Error("red is told where ships sail")
		}
	}
	slices.Sort(sighted)
	if got := strings.Join(sighted, ", "); got != "02.05 b-dd, 02.06 b-ca" {
		t.Errorf("red is told %q", got)
	}
	g.do("sail b-dd 02.06")
	for _, u := range g.p.view(rules.SeatViewer(Red)).GetUnits() {
		if u.GetId() == "b-lc.1" && (u.GetLoadT() != 0 || u.GetPointsT() != 8) || u.GetId() == "x-1" ||
			u.GetId() == "b-dd" {
			t.Errorf("red sees %v", u)
		}
	}
	for _, u := range g.p.view(rules.SeatViewer(Blue)).GetUnits() {
		if u.GetId() == "b-lc.1" && u.GetLoadT() != 4 {
			t.Errorf("blue sees %v", u)
		}
	}
}
