package ocs

import (
	"slices"
	"strings"
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules/rulestest"
)

// symbols are the branch symbols that must be representable (OCS Intro-II-b); Pax and Eq are pieces of their own.
var symbols = strings.Fields(`
	infantry assault_gun mechanized_infantry armor reconnaissance cavalry artillery_towed artillery_self_propelled
	naval marine glider ad_hoc mortar horse_artillery militia rocket_artillery motorcycle bicycle mountain penal
	railroad_repair commando anti_tank_gun coastal_battery anti_aircraft machine_gun assault_engineer police
	security combat_engineer parachute engineer home_guard ski armored_car headquarters
`)

// The proving scenarios together have every type of unit in play: each symbol, each type of air unit, each kind of
// landing craft, carriers and single ships, transports, Pax and Eq.
func TestProvingScenariosHaveEverything(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS Intro-II-b")
	seen := map[string]bool{}
	for _, d := range documents() {
		if !strings.HasPrefix(d.ID, "proving-") {
			continue
		}
		doc := document(t, d.ID)
		placed := map[string]bool{}
		note := func(lists ...[]string) {
			for _, id := range slices.Concat(lists...) {
				placed[id] = true
			}
		}
		afloat := func(list []*ocsv1.CraftPoints) {
			for _, c := range list {
				placed[c.GetCraft()] = true
			}
		}
		for _, s := range doc.GetSetup() {
			note(s.GetUnits(), s.GetAir(), s.GetShips())
			afloat(s.GetCraft())
			for _, x := range s.GetTransports() {
				seen["transport "+x.GetKind()] = true
			}
			seen["pax"], seen["eq"] = seen["pax"] || s.GetPax() > 0, seen["eq"] || s.GetEq() > 0
		}
		for _, side := range doc.GetSides() {
			for _, a := range side.GetArrivals() {
				note(a.GetUnits(), a.GetAir(), a.GetShips())
				afloat(a.GetCraft())
			}
		}
		for _, u := range doc.GetCounters().GetUnits() {
			for _, symbol := range u.GetSymbols() {
				seen[symbol] = seen[symbol] || placed[u.GetId()]
			}
		}
		for _, a := range doc.GetCounters().GetAir() {
			for _, k := range a.GetTypes() {
				seen[k.String()] = seen[k.String()] || placed[a.GetId()]
			}
		}
		for _, s := range doc.GetCounters().GetShips() {
			seen["ship "+s.GetKind()] = seen["ship "+s.GetKind()] || placed[s.GetId()]
		}
		for _, k := range doc.GetCounters().GetLandingCraft() {
			seen[k.GetKind().String()] = seen[k.GetKind().String()] || placed[k.GetId()]
			// what it is on land (OCS 18.4e)
			seen["transport "+k.GetAshore()] = seen["transport "+k.GetAshore()] || placed[k.GetId()]
		}
	}
	want := append(slices.Clone(symbols), "pax", "eq", "ship carrier", "ship battleship", "ship cruiser",
		"ship destroyers", "ship gunboats")
	for _, x := range document(t, "proving-ground").GetCounters().GetTransports() {
		want = append(want, "transport "+x.GetId())
	}
	for n, name := range ocsv1.AirType_name {
		if n > 0 {
			want = append(want, name)
		}
	}
	for n, name := range ocsv1.CraftKind_name {
		if n > 0 {
			want = append(want, name)
		}
	}
	for _, kind := range want {
		if !seen[kind] {
			t.Errorf("no proving scenario has a piece of type %s in play", kind)
		}
	}
}
