package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// Cargo goes from one detrainable hex to another over railways that the side controls, for its weight in rail capacity,
// half of it wholly on double track.
func TestRailTrip(t *testing.T) {
	t.Parallel()
	g :=
		onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
			"x-2 blue regiment other infantry 3-3-3leg 2-3-8leg").
			put("05.07", "x-1/move x-2 bl-22-sec").put("09.07", "bl-corps").dump("05.07", Blue, 60).
			segment(SegMovement, Blue)
	g.refused("OCS 5.6a", "rail x-2 at=09.07 tokens=0") // in Combat mode
	rulestest.Proves(t, ruleset, "OCS 13.3c-i")
	g.refused("OCS 13.3c-i", "rail x-1 at=06.06 tokens=0")
	rulestest.Proves(t, ruleset, "OCS 13.3", "OCS 13.3a-i", "OCS 13.3c", "OCS 13.3c-3", "OCS 13.8c", "OCS 4.7a")
	if got := g.lists("rail"); !slices.Contains(got, "rail x-1 at=09.07") {
		t.Errorf("it lists %v", got)
	}
	g.do("rail x-1 at=09.07 tokens=0")
	g.want("place x-1", "09.07", "register blue rail-used", 16, "mark x-1 done", true) // 1 RE, half: 2 tokens
	g.refused("OCS 6.1f", "move x-1 09.08")
	g.do("rail from=05.07 at=09.07 tokens=20")
	g.want("ground 05.07 blue", 40, "ground 09.07 blue", 20, "register blue rail-used", 96) // all of 12 tokens
	rulestest.Proves(t, ruleset, "OCS 13.3a")
	g.refused("OCS 13.3a", "rail from=05.07 at=09.07 tokens=1")
	g.refused("OCS 12.2a", "rail from=09.07 at=05.07 tokens=1")
	rulestest.Proves(t, ruleset, "OCS 13.3b")
	g.do("end")
	g.want("register blue rail-used", 0)
	g = onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "x-1/move bl-22-sec").
		put("09.07", "bl-corps/move").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 13.1b-iii", "OCS 13.8c")
	g.refused("OCS 13.3c-i", "rail x-1 at=09.07 tokens=0") // the HQ is not able to
}

// What a truck carries has come by rail with it; an empty truck carries nothing (OCS 12.2b).
func TestTrucksByRail(t *testing.T) {
	t.Parallel()
	for load, want := range map[string]ocsv1.Carriage{ // order-free: each is its own case
		"": ocsv1.Carriage_CARRIAGE_UNSPECIFIED, ",load_t=1": ocsv1.Carriage_CARRIAGE_RAIL,
	} {
		g := onGround(t).put("05.07", "bl-22-sec truck-blue/points_t=4"+load).put("09.07", "bl-corps").
			segment(SegMovement, Blue)
		g.do("rail truck-blue.1 at=09.07 tokens=0")
		if got := ocsv1.Carriage(g.p.units[g.unit("truck-blue.1")].carried); got != want {
			t.Errorf("%q: carried %v, want %v", load, got, want)
		}
	}
}

// A line is controlled between a source and combat units that live off it; enemy combat units and ZOCs stop cargo.
func TestRailControl(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3h", "OCS 13.3c-ii", "OCS 13.3c-iii")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "bl-22-sec x-1/move").
		put("09.07", "bl-corps").put("11.09", "rd-1-inf").segment(SegMovement, Blue)
	r := g.p.railways(Blue)
	// order-free: each is its own case
	for at, want := range map[string]bool{"05.07": true, "07.07": true, "09.07": true, "11.08": false, "13.08": false,
		"09.10": false, "06.06": true} {
		if r.controlled.has(g.place(at).Hex()) != want {
			t.Errorf("%s is controlled: %v", at, !want)
		}
	}
	g.put("07.08", "rd-2-inf").segment(SegMovement, Blue) // its ZOC lies on 07.07 and 08.06
	g.refused("OCS 13.3c-iii", "rail x-1 at=09.07 tokens=0")
	c := g.p.changed()
	c.move(g.unit("bl-2-mtn"), g.place("07.07"))
	c.move(g.unit("bl-10-ase"), g.place("08.06"))
	c.mark(g.unit("bl-2-mtn"), ocsv1.UnitMark_UNIT_MARK_COMMITTED)
	c.mark(g.unit("bl-10-ase"), ocsv1.UnitMark_UNIT_MARK_COMMITTED)
	g.change(c)
	g.refused("OCS 13.3c-2", "rail x-1 at=09.07 tokens=0") // negated for the link, not for cargo
	g.put("09.02", "bl-2-mtn").put("09.03", "bl-10-ase")
	g.put("07.07", "rd-2-inf").segment(SegMovement, Blue)
	g.refused("OCS 13.3c-ii", "rail x-1 at=09.07 tokens=0")
}

// A railroad repair unit converts the hexes that it enters by its own movement, at most four, also after a trip by rail
// (EX-13-02).
func TestGaugeConversion(t *testing.T) {
	t.Parallel()
	g := onGround(t).put("05.07", "bl-12-rr bl-22-sec").put("10.07", "bl-corps").segment(SegMovement, Blue)
	rulestest.Proves(t, ruleset, "OCS 13.3f")
	g.refused("OCS 13.3f", "convert bl-12-rr")
	rulestest.Proves(t, ruleset, "OCS 13.3g-B", "OCS 13.3g-C")
	g.do("rail bl-12-rr at=11.08 tokens=0") // beyond what is controlled, no station
	g.want("place bl-12-rr", "11.08", "spent bl-12-rr", "0")
	g.do("move bl-12-rr 12.08")
	g.want("place bl-12-rr", "12.08")
	if g.p.cells[g.place("12.08").Hex()].gauge == 1 {
		g.refused("OCS 13.3f", "convert bl-12-rr")
	}
	rulestest.Proves(t, ruleset, "OCS 13.3d", "OCS 13.3f-B", "OCS 13.3g-A")
	g.do("move bl-12-rr 13.08")
	g.do("convert bl-12-rr")
	g.want("gauge 13.08", 1, "hexmark 13.08 converted", true)
	g.refused("OCS 13.3f", "convert bl-12-rr")
	g.put("15.08", "rd-1-inf").do("move bl-12-rr 14.08")
	rulestest.Proves(t, ruleset, "OCS 13.3f-A")
	g.refused("OCS 13.3f-A", "convert bl-12-rr")
	rulestest.Proves(t, ruleset, "OCS 13.3g")
	g.refused("OCS 13.3g", "convert bl-corps")
}

// As many hexes as its allowance, and never more than four; only by its own movement, in Combat mode or DG with that
// face, and no train runs over them in the same turn (EX-13-02).
func TestConversionLimits(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3f-B", "OCS 13.3g-A", "OCS 13.3g-D", "OCS 5.5b", "OCS 5.10e")
	const repair = " blue battalion other railroad_repair (1)-1-%sleg (1)-1-12truck rail_repair"
	six, three := strings.Replace(repair, "%s", "6", 1), strings.Replace(repair, "%s", "3", 1)
	line := []string{"12.08", "13.08", "14.08", "15.09", "16.09"}
	lay := func() *table {
		g := onGround(t, "x-1"+six, "x-2"+six, "x-3"+three, "x-4"+six, "x-5"+six).
			put("05.07", "bl-22-sec x-1").put("10.07", "bl-corps").put("11.08", "x-2 x-3 x-4/move,fuel=lasting x-5/dg")
		for _, at := range line {
			g.hex(at, "gauge=2")
		}
		return g.segment(SegMovement, Blue)
	}
	g := lay()
	g.do("rail x-1 at=11.08 tokens=0")
	for i, at := range line {
		g.do("move x-1 " + at)
		if i == 4 {
			g.refused("OCS 13.3g-D", "convert x-1")
			break
		}
		g.do("convert x-1")
		g.want("gauge "+at, 1)
	}
	if got := g.lists("rail"); slices.ContainsFunc(got,
		func(s string) bool { return strings.Contains(s, "12.08") || strings.Contains(s, "13.08") }) {
		t.Errorf("trains run over what was converted in this turn: %v", got)
	}
	g.refused("OCS 13.3c-2", "rail x-2 at=13.08 tokens=0")
	g = lay()
	for _, at := range line[:3] {
		g.do("move x-3 " + at)
		g.do("convert x-3")
	}
	g.want("gauge 14.08", 1)
	g.do("move x-3 15.09")
	g.refused("OCS 13.3g-D", "convert x-3") // three are its allowance
	g = lay()
	g.do("move x-4 12.08")
	g.refused("OCS 13.3g-D", "convert x-4") // in Move mode
	g.do("move x-5 12.08")
	g.do("convert x-5") // DG with its Combat face up
	g.put("12.08", "x-2")
	g.hex("12.08", "gauge=2").refused("OCS 13.3f-B", "convert x-2") // it did not enter the hex now
}

// Only what is in Move mode travels by rail (EX-5.2-1), railroad repair units also in Combat mode (OCS 5.5a): nothing
// in Reserve or Strat mode, or DG.
func TestRailModes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 5.5a", "OCS 5.6a", "OCS 5.7e", "OCS 5.8d", "OCS 5.10d", "OCS 13.3c-1")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "bl-22-sec").put("09.07",
		"bl-corps")
	for state, rule := range map[string]string{ // order-free: each is its own case
		"combat": "OCS 5.6a", "reserve,move": "OCS 5.7e", "reserve": "OCS 5.7e", "strat": "OCS 5.8d",
		"dg,move": "OCS 5.10d", "dg,combat": "OCS 5.10d",
	} {
		g.put("05.07", "x-1/marker=none,"+state).segment(SegMovement, Blue)
		g.refused(rule, "rail x-1 at=09.07 tokens=0")
		for _, c := range g.lists("rail") {
			if c == "rail units=x-1 at=09.07 tokens=0" || c == "rail x-1 at=09.07 tokens=0" {
				t.Errorf("%s: it lists %s", state, c)
			}
		}
	}
	g.put("05.07", "x-1/marker=none,move").segment(SegMovement, Blue).do("rail x-1 at=09.07 tokens=0")
	g.want("place x-1", "09.07")
	g = onGround(t).put("05.07", "bl-12-rr/combat bl-22-sec").put("09.07", "bl-corps").segment(SegMovement, Blue)
	g.do("rail bl-12-rr at=09.07 tokens=0")
	g = onGround(t).put("05.07", "bl-12-rr/dg bl-22-sec").put("09.07", "bl-corps").segment(SegMovement, Blue)
	g.refused("OCS 5.10d", "rail bl-12-rr at=09.07 tokens=0")
	g = onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.06", "x-1/move").
		put("05.07", "bl-22-sec").put("09.07", "bl-corps").segment(SegMovement, Blue)
	c := g.p.changed()
	c.spend(g.unit("x-1"), 4*oneMP)
	c.move(g.unit("x-1"), g.place("05.07"))
	g.change(c).do("rail x-1 at=09.07 tokens=0") // half of its 8 MP
	c = g.p.changed()
	c.move(g.unit("bl-22-sec"), g.place("05.07"))
	c.unit(g.unit("bl-22-sec")).Face = ocsv1.Face_FACE_MOVE
	c.spend(g.unit("bl-22-sec"), 3*oneMP+oneMP/2+1)
	g.change(c).refused("OCS 13.3c-1", "rail bl-22-sec at=09.07 tokens=0") // more than half of 7
}

// Nothing is loaded in an enemy ZOC, carried through one or unloaded in one, and friendly units do not help (OCS
// 4.5a-C); nor is a hex converted (OCS 4.5a-E).
func TestRailInZOC(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.5a-C", "OCS 4.5a-E", "OCS 13.3c-2", "OCS 13.3a", "OCS 13.3f-A", "OCS 13.6b")
	lay := func(enemyAt string) *table {
		return onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg",
			"x-2 blue regiment other infantry 3-3-3leg 2-3-8leg",
			"y-1 red regiment other infantry 3-3-3leg 2-3-8leg").
			put("05.07", "x-1/move bl-22-sec").put("09.07", "bl-corps x-2").put("07.07", "bl-2-mtn").
			put(enemyAt, "y-1").dump("05.07", Blue, 8).segment(SegMovement, Blue)
	}
	for at, want := range map[string][2]string{ // order-free: each is its own case
		"05.06": {"OCS 13.3c-1", "bl-22-sec"}, "07.06": {"OCS 13.3c-2", "bl-2-mtn"}, "09.08": {"OCS 13.3c-3", "x-2"},
	} {
		g, rule := lay(at), want[0]
		g.do("commit " + want[1])
		for _, c := range []string{"rail x-1 at=09.07 tokens=0", "rail from=05.07 at=09.07 tokens=1"} {
			g.refused(rule, c)
		}
		if got := g.lists("rail"); len(got) != 0 && at != "09.08" {
			t.Errorf("with an enemy in %s it lists %v", at, got)
		}
	}
	g := lay("14.05")
	g.do("rail x-1 at=09.07 tokens=0")

	// What came by rail from off the map entrains where it is, but goes through no ZOC either.
	g = lay("05.06")
	c := g.p.changed()
	c.mark(g.unit("x-1"), ocsv1.UnitMark_UNIT_MARK_OFF_MAP_RAIL)
	g.change(c).refused("OCS 13.3c-1", "rail x-1 at=09.07 tokens=0")

	g = onGround(t, "y-1 red regiment other infantry 3-3-3leg 2-3-8leg").put("12.08", "bl-12-rr bl-22-sec").
		put("13.08", "bl-2-mtn").put("14.08", "y-1").segment(SegMovement, Blue)
	g.do("move bl-12-rr 13.08") // negated for its movement, not for the rails
	g.refused("OCS 13.3f-A", "convert bl-12-rr")
	if got := g.lists("convert"); len(got) != 0 {
		t.Errorf("it lists %v", got)
	}
}

// Rail capacity counts REs, SP and transport points alike (EX-4.7-1): 1 RE or 1 SP is 4 tokens, leg units with a Move
// allowance of at most 6 half, and a transport its size, loaded or not (OCS 4.7). Transports carry nothing but supply.
func TestTransportEquivalents(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.7", "OCS 4.7a", "OCS 4.7b", "OCS 4.7c", "OCS 13.2e")
	g :=
		onGround(t, "x-six blue regiment other infantry 3-3-3leg 2-3-6leg",
			"x-seven blue regiment other infantry 3-3-3leg 2-3-7leg",
			"x-none blue regiment other infantry 3-3-3leg 2-3-0leg",
			"x-truck blue regiment other infantry 3-3-3leg 2-3-6truck",
			"x-bn blue battalion other infantry 3-3-3leg 2-3-6leg",
			"x-co blue company other infantry 3-3-3leg 2-3-8leg",
			"x-div blue division other infantry 9-3-3leg 3-3-8leg").
			put("05.07", "bl-22-sec x-six/move x-seven/move x-none/move x-truck/move x-bn/move x-co/move "+
				"x-div/move,lost=1 truck-blue/points_t=5 truck-blue/points_t=5,load_t=4")
	for id, want := range map[string]string{ // order-free: each is its own case
		"x-six": "2", "x-seven": "4", "x-none": "4", "x-truck": "4", "x-bn": "1", "x-co": "1", "x-div": "8",
		"truck-blue.1": "5", "truck-blue.2": "5",
	} {
		if got := tokensText(g.p.freight(g.unit(id))); got != want {
			t.Errorf("%s counts %sT, want %sT", id, got, want)
		}
	}
	if one := g.p.freight(g.unit("x-seven")); one != oneSP*oneToken ||
		one != 2*oneToken+g.p.freight(g.unit("x-seven"))/2 {
		t.Errorf("1 RE counts %sT", tokensText(one))
	}
	g.put("09.07", "bl-corps").dump("05.07", Blue, 8).segment(SegMovement, Blue)
	// On double track all count half: 5 + 4 + 2 tokens are 11/2, which are 44 eighths.
	g.all("rail truck-blue.2 at=09.07 tokens=0", "rail x-seven at=09.07 tokens=0", "rail from=05.07 at=09.07 tokens=2")
	g.want("register blue rail-used", 44, "place truck-blue.2", "09.07", "load truck-blue.2", 4, "ground 09.07 blue", 2)
	g.refused("OCS 13.2f", "load x-six tokens=1")
}
