package ocs

import (
	"slices"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// crimean are the Crimean scenarios with aircraft and ships.
var crimean = []string{"crimea-trappenjagd", "crimea-sevastopol", "crimea-kerch-feodosiya", "crimea-campaign"}

// Every air unit and ship of the Crimean game is set up or arrives in one of its scenarios; the campaign has every one
// but those that only a scenario needs.
func TestCrimeanWings(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-IV-F")
	used, inCampaign := map[string]bool{}, map[string]bool{}
	for _, name := range crimean {
		doc := document(t, name)
		note := func(list []string) {
			for _, id := range list {
				used[id] = true
				inCampaign[id] = inCampaign[id] || name == "crimea-campaign"
			}
		}
		for _, s := range doc.GetSetup() {
			note(slices.Concat(s.GetAir(), s.GetShips()))
		}
		for _, side := range doc.GetSides() {
			for _, a := range side.GetArrivals() {
				note(slices.Concat(a.GetAir(), a.GetShips()))
			}
			for _, w := range side.GetWithdrawals() {
				for _, id := range w.GetAir() {
					if !used[id] {
						t.Errorf("%s: %s leaves and never came", name, id)
					}
				}
			}
		}
		if doc.GetSides()[0].GetHipShoot()[0] != "ge" || len(doc.GetSides()[0].GetHipShoot()) != 1 ||
			len(doc.GetSides()[1].GetHipShoot()) != 0 {
			t.Errorf("%s: others than German air units hip shoot", name)
		}
		if sc := load(t, doc); !sc.Flies || !sc.Sails {
			t.Errorf("%s has no aircraft or no ships", name)
		}
	}
	c := document(t, "crimea-campaign").GetCounters()
	for _, a := range c.GetAir() {
		if !used[a.GetId()] {
			t.Errorf("%s is nowhere", a.GetId())
		}
	}
	for _, s := range c.GetShips() {
		if !inCampaign[s.GetId()] {
			t.Errorf("%s is not in the campaign", s.GetId())
		}
	}
}

// A box lies in the air where its hex does, in play or not; air units fly from it as far as that allows, half in
// limited flight, not at all without flight.
func TestBoxesInTheAir(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 14.2d", "OCS 17.0a", "OCS 14.1f")
	g := begun(t, "crimea-sevastopol")
	box := g.place("transcaucasus")
	for _, at := range []string{"22.01", "13.05", "14.05"} {
		n, ok := g.p.airDistance(box, g.place(at))
		if back, _ := g.p.airDistance(g.place(at), box); !ok || n != back {
			t.Errorf("%s: %d there, %d back", at, n, back)
		}
		h, _ := g.p.sc.Map.Geometry().Parse("55.08")
		direct := g.p.sc.Map.Geometry().Distance(h, g.p.sc.Map.Coord(g.place(at).Hex()))
		if n != direct+7 {
			t.Errorf("%s is %d hexes away, want %d", at, n, direct+7)
		}
	}
	u := g.unit("so-5-gap")
	n, _ := g.p.airDistance(box, g.place("13.05"))
	g.p.sc.Counters[u].Plane.Sides[0].Range = n
	for flight, want := range map[int]bool{fullFlight: true, limitedFlight: false} {
		g.p.flight = uint8(flight)
		if got := g.p.checkRange(u, g.place("13.05"), 1, 1, "OCS 14.2d") == nil; got != want {
			t.Errorf("with flight %s it flies: %v", flights[flight], got)
		}
	}
	g.p.flight = noFlight
	if r := g.p.checkFlyers(Red, []Unit{u}); r == nil || r.Rule != "OCS 14.1f" {
		t.Errorf("without flight: %v", r)
	}
}

// What is set up aboard ships and landing craft is aboard them and seen by nobody but its owner; a document may not put
// more there than they carry.
func TestSetUpAboard(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 4.7a")
	g := begun(t, "crimea-kerch-feodosiya")
	for unit, at := range map[string]string{"so-226-mr": "46.08", "so-recon-co": "46.08", "so-157-rd": "46.08",
		"so-224-rd": "50.17", "so-83-nav": "51.15"} {
		u := g.unit(unit)
		if s := &g.p.units[u]; s.place != Aboard || g.p.spot(u) != g.place(at) {
			t.Errorf("%s is %s, at %s", unit, g.p.sc.PlaceID(s.place), g.p.sc.PlaceID(g.p.spot(u)))
		}
		if got := g.p.sees(rules.SeatViewer(Blue), u); got != unseen {
			t.Errorf("the enemy sees %v of %s", got, unit)
		}
	}
	stack := func(d *ocsv1.Scenario) *ocsv1.Stack {
		for _, s := range d.GetSetup() {
			if s.GetAt() == "46.08" {
				return s
			}
		}
		return nil
	}
	for name, spoil := range map[string]func(s *ocsv1.Stack){
		"too many":    func(s *ocsv1.Stack) { s.GetCraft()[0].PointsT = 1 },
		"no carrier":  func(s *ocsv1.Stack) { s.GetCargo()[0].On = "so-molotov" },
		"no such":     func(s *ocsv1.Stack) { s.GetCargo()[0].Unit = "so-nobody" },
		"twice":       func(s *ocsv1.Stack) { s.GetCargo()[0].Unit = s.GetCargo()[1].GetUnit() },
		"not on foot": func(s *ocsv1.Stack) { s.GetCargo()[0].Unit = "so-81-tb" },
	} {
		doc := document(t, "crimea-kerch-feodosiya")
		spoil(stack(doc))
		if _, faults := loadMessage(doc); !faults.Fatal() {
			t.Errorf("%s: no fault", name)
		}
	}
}
