package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// The carrier of the cases and its group.
var (
	flattop = "b-cv blue carrier 0/0 0 3/1 4 20/10 single planes=4"
	deck    = []string{
		"b-f blue fighter 3/2 1/1 16 on=b-cv", "b-g blue fighter 3/2 1/1 16 on=b-cv",
		"b-t blue tactical (1)/(0) (7)/(3) 18 on=b-cv", "b-u blue tactical (1)/(0) 6/3 18 on=b-cv",
		"r-f red fighter 3/2 1/1 30", "r-t red tactical (1)/(0) 12/6 30",
	}
)

// carrierAt is a carrier at sea with its group aboard.
func carrierAt(t testing.TB, at string, ships ...string) *table {
	t.Helper()
	g := atSea(t, append(ships, flattop), deck, scouts, guardRed)
	for _, u := range []string{"b-f", "b-g", "b-t", "b-u"} {
		g.put(at, u+"/place=aboard,aboard=b-cv")
	}
	return g.put(at, "b-cv")
}

// Air units of a carrier fly from where it is and return to it; it may sail before and after in the same segment and
// takes those aboard along (OCS 18.2d). They operate from it alone (OCS 18.2a).
func TestCarrierOperations(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2a", "OCS 18.2d", "OCS 14.4c")
	g := carrierAt(t, "02.04").hex("05.12", "air_base=2").hex("07.07", "air_base=1").put("10.05", "y-1").
		hex("10.05", "air_base=1").put("10.05", "r-f/set=inactive").segment(SegMovement, Blue)
	if !g.p.inZone(Blue, g.place("09.05")) || g.p.inZone(Blue, g.place("13.05")) {
		t.Error("the patrol zone is not around the carrier")
	}
	g.refused("OCS 18.2a", "transfer b-f 05.12")
	g.do("sail b-cv 03.04")
	g.do("sweep b-f,b-g 10.05") // nobody fights
	g.want("place b-f", "aboard", "mark b-f inactive", true, "mark b-f flown", true, "place b-t", "aboard",
		"asks", "move")
	g.do("sail b-cv 02.03>01.03")
	if at := g.p.spot(g.unit("b-f")); at != g.place("01.03") {
		t.Errorf("it is at %s", g.sc.PlaceID(at))
	}
	g.segment(SegAirNaval, Blue)
	g.refused("OCS 14.2d", "air-barrage b-u 20.10")
	g.do("air-barrage b-u 10.05", 1, 1, 1, 1)
	g.want("place b-u", "aboard", "mark b-u inactive", true)
	if g.p.carrierOf(g.unit("b-u")) != g.unit("b-cv") {
		t.Error("it is not on its carrier")
	}

	// Without a deck to return to they are lost.
	g = carrierAt(t, "03.04").put("10.05", "y-1").segment(SegAirNaval, Blue)
	g.sc.Counters[g.unit("b-cv")].Ship.Planes = 3 // those that stayed fill it
	g.do("air-barrage b-u 10.05", 1, 1, 1, 1)
	g.want("place b-u", "dead")
}

// A carrier is an air base of its air units: fighters sweep it and they fight from it; the enemy sees an active one of
// them on top (OCS 18.2d, OCS 4.9a).
func TestCarrierUnderSweep(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2d", "OCS 14.6", "OCS 4.9a")
	g := carrierAt(t, "03.04").put("07.07", "r-f r-t").hex("07.07", "air_base=2").segment(SegMovement, Red)
	v := g.p.view(rules.SeatViewer(Red))
	if got := seen(v, "03.04"); got != "b-cv b-f" {
		t.Errorf("red sees %q", got)
	}
	if got := g.lists("sweep"); !slices.Contains(got, "sweep r-f at=03.04") ||
		slices.Contains(got, "sweep r-f at=03.05") {
		t.Errorf("listed %s", got)
	}
	g.refused("OCS 14.6", "sweep r-f 03.05")
	g.do("sweep r-f 03.04")
	g.want("asks", "stand-down")
	if got := len(inner[*airCombat](g.p).defenders); got != 4 {
		t.Errorf("%d air units of the carrier fight", got)
	}
	g.do("stand-down b-g,b-t")
	g.want("place b-g", "aboard", "mark b-g inactive", true, "mark b-f inactive", false, "asks", "engage")

	// What goes with the carrier is seen to go.
	g = carrierAt(t, "03.04").segment(SegMovement, Blue)
	out := g.do("sail b-cv 03.05")
	var told []string
	for _, e := range out.Events {
		if f := e.Event.(*event).GetSighted(); f != nil && f.GetAir() {
			told = append(told, f.GetAt()+" "+f.GetUnit())
		}
	}
	if got := strings.Join(told, ", "); got != "03.04 , 03.05 b-f" {
		t.Errorf("told %q", got)
	}
}

// In the Aircraft Refit Phase carriers refit all their air units without supply; a damaged one two, which its owner
// chooses (OCS 18.2b, OCS 18.2c).
func TestCarriersRefit(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2b", "OCS 18.2c")
	set := func(carrier string, inactive ...string) *table {
		g := carrierAt(t, "03.04").put("03.04", "b-cv"+carrier)
		for _, u := range inactive {
			g.put("03.04", u+"/place=aboard,aboard=b-cv,set=inactive")
		}
		return g.segment(SegRefit, Blue)
	}
	set("", "b-f", "b-g", "b-t", "b-u").want("mark b-f inactive", false, "mark b-g inactive", false,
		"mark b-t inactive", false, "mark b-u inactive", false)
	set("/lost=1", "b-f", "b-g").want("mark b-f inactive", false, "mark b-g inactive", false)

	g := set("/lost=1", "b-f", "b-g", "b-t").want("mark b-f inactive", true, "mark b-t inactive", true)
	g.refused("OCS 18.2c", "end")
	g.refused("OCS 18.2c", "refit-aboard b-f,b-g,b-t")
	g.refused("OCS 18.2c", "refit-aboard b-f")
	g.refused("OCS 18.2c", "refit-aboard b-f,r-f")
	g.refused("OCS 18.2b", "refit-aboard b-f,b-u")
	if got := strings.Join(g.lists("refit-aboard"),
		", "); got != "refit-aboard b-f,b-g, refit-aboard b-f,b-t, refit-aboard b-g,b-t" {
		t.Errorf("listed %s", got)
	}
	g.do("refit-aboard b-f,b-t")
	g.want("mark b-f inactive", false, "mark b-g inactive", true, "mark b-t inactive", false)
	g.refused("OCS 18.2c", "refit-aboard b-g")
	g.do("end")
}

// Ships do not reach a carrier while another ship of its side is in their range; air units and coastal batteries do
// (OCS 18.2e).
func TestScreens(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2e")
	set := func() *table {
		return carrierAt(t, "03.04", raiders, flotilla, cruiser).put("03.06", "r-dd").put("07.07", "r-t").hex("07.07",
			"air_base=2")
	}
	g := set().put("03.03", "b-dd").segment(SegAirNaval, Red) // in another hex, in range
	if got := g.p.topShip(Blue, g.place("03.04")); got != g.unit("b-cv") {
		t.Errorf("on top is %s", g.p.id(got))
	}
	g.do("naval-barrage r-dd 03.04 target=ships")
	g.want("asks", "air-naval", "mark r-dd barraged", true) // nothing to aim at

	g = set().put("03.02", "b-dd").segment(SegAirNaval, Red) // out of range
	g.do("naval-barrage r-dd 03.04 target=ships")
	g.do("aim r-dd other=b-cv", 1, 1)

	g = set().put("03.04", "b-ca").segment(SegAirNaval, Red)
	if got := g.p.topShip(Blue, g.place("03.04")); got != g.unit("b-ca") {
		t.Errorf("on top is %s", g.p.id(got))
	}
	g.do("naval-barrage r-dd 03.04 target=ships")
	g.refused("OCS 18.2e", "aim r-dd other=b-cv")
	g.do("aim r-dd other=b-ca", 1, 1)
	g.do("air-barrage r-t 03.04 target=ships") // the fighters of the carrier meet it
	g.want("asks", "stand-down", "place r-t", "03.04")
}

// With a carrier go its air units (OCS 18.2d, OCS 18.3d-A).
func TestCarrierSunk(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2d", "OCS 18.3d-A")
	g := carrierAt(t, "03.04", "r-bb red battleship 60/30 4 3/2 5 20/10 single").put("03.06", "r-bb").
		put("03.04", "b-cv/lost=1").segment(SegAirNaval, Red)
	g.do("naval-barrage r-bb 03.04 target=ships")
	g.do("aim r-bb other=b-cv", 6, 6)
	g.want("place b-cv", "dead", "place b-f", "dead", "place b-u", "dead")
}

// Air units of a carrier arrive on it, and come back to it out of the dead pile (OCS 18.2a).
func TestCarrierGroupComesAboard(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.2a", "OCS 13.5f", "OCS 2.3-D")
	g := carrierAt(t, "03.04").put("07.07", "bl-corps eq-blue").hex("07.07", "air_base=2")
	g.put("03.04", "b-f/place=dead").put("03.04", "b-g/place=dead")
	g.sc.Counters[g.unit("b-cv")].Ship.Planes = 3
	g.segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.refused("OCS 18.2a", "restore-air eq-blue.1 lines=[unit=b-f;at=07.07;count=2]")
	// room for one
	g.refused("OCS 18.2a", "restore-air eq-blue.1 lines=[unit=b-f;at=03.04;count=1] lines=[unit=b-g;at=03.04;count=1]")
	if got := g.lists("restore-air"); !slices.Contains(got,
		"restore-air unit=eq-blue.1 lines=[unit=b-f;at=03.04;count=2]") || len(got) != 4 {
		t.Errorf("listed %q", got)
	}
	g.do("restore-air eq-blue.1 lines=[unit=b-f;at=03.04;count=2]")
	g.want("place b-f", "aboard", "mark b-f inactive", false)
	if g.p.carrierOf(g.unit("b-f")) != g.unit("b-cv") {
		t.Error("it is not on its carrier")
	}
	if got := g.p.basesFor(Blue, g.unit("b-g")); got != nil {
		t.Errorf("room for another at %v", got)
	}

	doc := document(t, "proving-seas")
	doc.Sides[0].Arrivals = append(doc.Sides[0].Arrivals, &ocsv1.Arrival{Turn: 1, At: "BN", Air: []string{"bl-cvf"}})
	doc.Setup[2].Air = []string{"bl-cvt"}
	sc := load(t, doc)
	g = &table{t: t, p: newPosition(sc, options{}), sc: sc}
	g.settle()
	g.inTurn(1).segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.want("asks", "place-air")
	g.refused("OCS 18.2a", "place-air bl-cvf 05.12")
	g.do("place-air bl-cvf 03.03")
	g.want("place bl-cvf", "aboard", "asks", "reinforce")
}

// A stack that names what is no carrier among its ships, and air units of it, is faulty and no more than that.
func TestNoCarrierInAStack(t *testing.T) {
	t.Parallel()
	doc := document(t, "proving-seas")
	if n := len(doc.GetCounters().GetShips()); n == 0 {
		t.Fatal("the document has no ships")
	}
	doc.Counters.Ships = nil
	if sc, faults := loadMessage(doc); sc != nil || !faults.Fatal() {
		t.Errorf("loaded without its ships: %v", faults)
	}
}
