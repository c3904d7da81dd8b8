package ocs

import (
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// scheduled is the proving ground in which ships arrive and leave.
func scheduled(t *testing.T) *table {
	t.Helper()
	g := atSea(t, []string{cruiser, flotilla, gunboats, barges, "b-cv blue carrier 0/0 0 3/1 4 20/10 single planes=2"},
		[]string{"b-f blue fighter 3/2 1/1 20 on=b-cv"})
	doc := g.sc.Doc
	doc.Sides[0].Arrivals = []*ocsv1.Arrival{
		{Turn: 2, At: "BN", Ships: []string{"b-dd"}, Craft: []*ocsv1.CraftPoints{{Craft: "b-lc", PointsT: 8}}},
		{Turn: 2, At: "blue-base", Ships: []string{"b-ca"}},
		{Turn: 2, At: "port-05-07", Ships: []string{"b-gb"}},
		{Turn: 4, At: "blue-base", Ships: []string{"b-cv"}},
	}
	doc.Sides[0].Withdrawals = []*ocsv1.Withdrawal{{Turn: 3, Ships: []string{"b-cv", "b-ca"}}}
	sc := load(t, doc)
	g = &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(2).put("02.05", "b-cv").put("02.05", "b-f/place=aboard,aboard=b-cv")
}

// Ships of the schedule come into a port: their entry if it is one, any friendly port otherwise; they leave with what
// is aboard (OCS 2.3-D, OCS 13.6a).
func TestShipsArrive(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 2.3-D", "OCS 13.6a")
	g := scheduled(t).hex("05.07", "owner=red").hex("05.12", "owner=blue").segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.want("asks", "place-ship", "place b-ca", "waiting", "place b-dd", "waiting")
	g.refused("OCS 2.3-D", "place-ship b-ca blue-base") // the first one first
	g.refused("OCS 13.6a", "place-ship b-dd 05.07")     // the enemy's
	g.refused("OCS 13.6a", "place-ship b-dd 05.15")     // no port
	if got := strings.Join(g.lists("place-ship"),
		", "); got != "place-ship unit=b-dd at=05.12, place-ship unit=b-dd at=blue-base" {
		t.Errorf("listed: %s", got)
	}
	g.do("place-ship b-dd 05.12")
	g.do("place-ship b-lc.1 05.12")
	g.want("place b-dd", "05.12", "place b-lc.1", "05.12", "points b-lc.1", 8, "place b-ca", "blue-base", "place b-gb",
		"waiting", "asks", "reinforce")

	g.hex("05.07", "owner=blue").inTurn(3).segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	// what waited comes, with only one port for it
	g.want("place b-gb", "05.07", "place b-cv", "gone", "place b-f", "gone", "place b-ca", "gone")
	g.inTurn(4).segment(SegReinforcement, Blue)
	for g.fact("asks") == "place" {
		g.do("waive")
	}
	g.want("place b-cv", "blue-base") // it returns
}

// The fields of ships are checked, and where they are set up (OCS Intro-II-g, OCS 18.1c, OCS 18.1f, OCS 18.2a).
func TestShipFaults(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-II-g", "OCS 18.1f", "OCS 18.2a")
	for _, c := range []struct {
		name  string
		spoil func(*ocsv1.Scenario)
		want  string
	}{
		{"kind", func(d *ocsv1.Scenario) { d.Counters.LandingCraft[0].Kind = 7 },
			"counters.landing_craft[0].kind: 7 is no kind of landing craft"},
		{"too quick", func(d *ocsv1.Scenario) { d.Counters.LandingCraft[0].Movement = 20 },
			"counters.landing_craft[0].movement: 20, expected at most 10 for a slow ship (OCS 18.4b)"},
		{"speed", func(d *ocsv1.Scenario) { d.Counters.Ships[0].Full.Movement = 21 },
			"counters.ships[0].full.movement: 21, expected at most 20 (OCS 18.1f)"},
		{"slow", func(d *ocsv1.Scenario) { d.Counters.Ships[0].Slow = true },
			"counters.ships[0].full.movement: 20, expected at most 10 (OCS 18.1f)"},
		{"group", func(d *ocsv1.Scenario) { d.Counters.Ships[2].Reduced.Movement = 10 },
			"counters.ships[2].reduced.movement: 10, and 20 undamaged (OCS 18.1f)"},
		{"face", func(d *ocsv1.Scenario) { d.Counters.Ships[0].Reduced = nil },
			"counters.ships[0].reduced: no numbers"},
		{"carrier", func(d *ocsv1.Scenario) { d.Counters.Air[0].Carrier = "bl-ca" },
			`counters.air[0].carrier: "bl-ca" is no carrier`},
		{"ashore", func(d *ocsv1.Scenario) {
			d.Setup = append(d.Setup, &ocsv1.Stack{Seat: "blue", At: "05.08", Ships: []string{"bl-ca"}})
		}, "05.08 is neither sea nor a port of the side (OCS 18.1c)"},
		{"inland", func(d *ocsv1.Scenario) {
			d.Setup = append(d.Setup,
				&ocsv1.Stack{Seat: "blue", At: "07.07", Craft: []*ocsv1.CraftPoints{{Craft: "b-lc", PointsT: 4}}})
		}, "07.07 is neither sea nor coast nor a port of the side (OCS 18.1c)"},
		{"no points", func(d *ocsv1.Scenario) {
			d.Setup = append(d.Setup,
				&ocsv1.Stack{Seat: "blue", At: "01.07", Craft: []*ocsv1.CraftPoints{{Craft: "b-lc"}}})
		}, "craft[0].points_t: no points"},
		{"no craft", func(d *ocsv1.Scenario) {
			d.Setup = append(d.Setup,
				&ocsv1.Stack{Seat: "red", At: "01.07", Craft: []*ocsv1.CraftPoints{{Craft: "b-lc", PointsT: 4}}})
		}, `craft[0].craft: the side has no landing craft "b-lc"`},
		{"no home", func(d *ocsv1.Scenario) {
			d.Setup = append(d.Setup, &ocsv1.Stack{Seat: "blue", At: "07.06", AirBase: 1, Air: []string{"bl-cvf"}})
		}, "bl-cvf operates only from bl-cv, which is not there (OCS 18.2a)"},
		{"no room", func(d *ocsv1.Scenario) {
			d.Counters.Ships[3].AirCapacity = 1
			d.Setup = append(d.Setup,
				&ocsv1.Stack{Seat: "blue", At: "01.07", Ships: []string{"bl-cv"}, Air: []string{"bl-cvf", "bl-cvt"}})
		}, "2 air units on bl-cv, which has room for 1 (OCS 18.2a)"},
	} {
		doc := document(t, "proving-ground")
		doc.Counters.LandingCraft = []*ocsv1.LandingCraft{
			{Id: "b-lc", Name: &ocsv1.Words{En: "LC"}, Seat: "blue", Kind: ocsv1.CraftKind_CRAFT_KIND_LC},
		}
		if _, faults := loadMessage(document(t, "proving-ground")); faults.Fatal() {
			t.Fatal(faults)
		}
		c.spoil(doc)
		_, faults := loadMessage(doc)
		found := false
		for _, f := range faults {
			found = found || strings.Contains(f.Path+": "+f.What, c.want)
		}
		if !found {
			t.Errorf("%s: no fault %q among %v", c.name, c.want, faults)
		}
	}

	// What a document leaves out is the series' number.
	doc := document(t, "proving-ground")
	doc.Counters.Ships[2].Full.Movement, doc.Counters.Ships[2].Reduced.Movement,
		doc.Counters.Ships[4].Full.Movement, doc.Counters.Ships[4].Reduced.Movement = 0, 0, 0, 0
	doc.Counters.LandingCraft = []*ocsv1.LandingCraft{
		{Id: "b-lc", Name: &ocsv1.Words{En: "LC"}, Seat: "blue", Kind: ocsv1.CraftKind_CRAFT_KIND_LC},
		{Id: "b-du", Name: &ocsv1.Words{En: "DUKW"}, Seat: "blue", Kind: ocsv1.CraftKind_CRAFT_KIND_DUKW},
	}
	doc.Setup = append(doc.Setup,
		&ocsv1.Stack{Seat: "blue", At: "01.07", Ships: []string{"bl-cv"}, Air: []string{"bl-cvf"},
			Craft: []*ocsv1.CraftPoints{{Craft: "b-du", PointsT: 4}}})
	sc := load(t, doc)
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	g.settle()
	for id, mp := range map[string]Cost{"bl-dd": 20, "bl-mon": 10, "b-du.1": 8} {
		if u := g.unit(id); g.p.sailingMA(u) != mp*oneMP {
			t.Errorf("%s has %s MP, want %d", id, formatCost(g.p.sailingMA(u)), mp)
		}
	}
	g.want("place bl-cv", "01.07", "place bl-cvf", "aboard", "points b-du.1", 4)
	if owner := g.p.cell(g.place("01.07")).owner; owner != Blue || !sc.Sails {
		t.Errorf("owner %v, sails %v", owner, sc.Sails)
	}
}
