package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// Cargo goes from one detrainable hex to another over railways that the side controls, for its weight in rail capacity, half of it wholly on double track.
func TestRailTrip(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3", "OCS 13.3a", "OCS 13.3a-i", "OCS 13.3b", "OCS 13.3c", "OCS 13.3c-1", "OCS 13.3c-2", "OCS 13.3c-3", "OCS 13.3c-i",
		"OCS 13.8c", "OCS 13.1b-iii", "OCS 13.3f", "OCS 4.7a")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg", "x-2 blue regiment other infantry 3-3-3leg 2-3-8leg").
		put("05.07", "x-1/move x-2 bl-22-sec").put("09.07", "bl-corps").dump("05.07", Blue, 60).segment(SegMovement, Blue)
	g.refused("OCS 13.3c-1", "rail x-2 at=09.07 tokens=0") // in Combat mode
	g.refused("OCS 13.3c-i", "rail x-1 at=06.06 tokens=0")
	g.do("rail x-1 at=09.07 tokens=0")
	g.want("place x-1", "09.07", "register blue rail-used", 16, "mark x-1 done", true) // 1 RE, half: 2 tokens
	g.refused("OCS 6.1f", "move x-1 09.08")
	g.do("rail from=05.07 at=09.07 tokens=20")
	g.want("ground 05.07 blue", 40, "ground 09.07 blue", 20, "register blue rail-used", 96) // all of 12 tokens
	g.refused("OCS 13.3a", "rail from=05.07 at=09.07 tokens=1")
	g.refused("OCS 12.2a", "rail from=09.07 at=05.07 tokens=1")
	g.do("end")
	g.want("register blue rail-used", 0)
	g = onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "x-1/move bl-22-sec").put("09.07", "bl-corps/move").segment(SegMovement, Blue)
	g.refused("OCS 13.3c-i", "rail x-1 at=09.07 tokens=0") // the HQ is not able to
}

// A line is controlled between a source and combat units that live off it; enemy combat units and ZOCs stop cargo.
func TestRailControl(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3h", "OCS 13.3c-ii", "OCS 13.3c-iii")
	g := onGround(t, "x-1 blue regiment other infantry 3-3-3leg 2-3-8leg").put("05.07", "bl-22-sec x-1/move").put("09.07", "bl-corps").put("11.09", "rd-1-inf").segment(SegMovement, Blue)
	r := g.p.railways(Blue)
	for at, want := range map[string]bool{"05.07": true, "07.07": true, "09.07": true, "11.08": false, "13.08": false, "09.10": false, "06.06": true} { // order-free: each is its own case
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

// A railroad repair unit converts the hexes that it enters by its own movement, at most four, also after a trip by rail (EX-13-02).
func TestGaugeConversion(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 13.3d", "OCS 13.3f-A", "OCS 13.3f-B", "OCS 13.3g", "OCS 13.3g-A", "OCS 13.3g-B", "OCS 13.3g-C", "OCS 13.3g-D")
	g := onGround(t).put("05.07", "bl-12-rr bl-22-sec").put("10.07", "bl-corps").segment(SegMovement, Blue)
	g.refused("OCS 13.3f", "convert bl-12-rr")
	g.do("rail bl-12-rr at=11.08 tokens=0") // beyond what is controlled, no station
	g.want("place bl-12-rr", "11.08", "spent bl-12-rr", "0")
	g.do("move bl-12-rr 12.08")
	g.want("place bl-12-rr", "12.08")
	if g.p.cells[g.place("12.08").Hex()].gauge == 1 {
		g.refused("OCS 13.3f", "convert bl-12-rr")
	}
	g.do("move bl-12-rr 13.08")
	g.do("convert bl-12-rr")
	g.want("gauge 13.08", 1, "hexmark 13.08 converted", true)
	g.refused("OCS 13.3f", "convert bl-12-rr")
	g.put("15.08", "rd-1-inf").do("move bl-12-rr 14.08")
	g.refused("OCS 13.3f-A", "convert bl-12-rr")
}
