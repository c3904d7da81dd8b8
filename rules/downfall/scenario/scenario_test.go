package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

func hexIDs(sc *Scenario, hexes []Hex) []string {
	var ids []string
	for _, h := range hexes {
		ids = append(ids, sc.HexID(h))
	}
	return ids
}

// unitOf is a unit of olympic by its id.
func unitOf(t testing.TB, sc *Scenario, id string) UnitInfo {
	t.Helper()
	u, ok := sc.UnitByID(id)
	if !ok {
		t.Fatalf("no unit %q", id)
	}
	return sc.Units[u]
}

// W-02: DF 2.5, DF 2.7, DF 2.10, DF 2.11.
func TestSampleUnit(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	u := unitOf(t, sc, "us-i-25")
	got := fmt.Sprintf("%s %s %d steps, strength %d, %s",
		kit.InLang(u.Name, rules.English), u.Formation, u.Steps, u.Strength[u.Steps], sc.HexID(u.Hex))
	if want := "25th Infantry Division us-I 2 steps, strength 5, 2621"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if u.Strength[0] != 0 || u.Strength[1] >= u.Strength[2] {
		t.Errorf("strengths %v", u.Strength)
	}
}

// W-03, the part that is data: DF 2.3, DF 3.1, DF 3.2-a, DF 3.2-c, DF 3.3-a, DF 3.3-b.
func TestPrintedSetup(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for id, want := range map[string]string{"jp-5-tk": "2819", "jp-154-div": "2921", "us-i-25": "2621"} {
		if got := sc.HexID(unitOf(t, sc, id).Hex); got != want {
			t.Errorf("%s sets up in %q, want %s", id, got, want)
		}
	}
	if got := sc.HexID(sc.Beachheads[CorpsI].Hex); got != "2621" {
		t.Errorf("the beachhead of I Corps sets up in %q", got)
	}
	if b := sc.Beachheads[CorpsIX]; b.Hex != NoHex || b.Turn != 4 {
		t.Errorf("the beachhead of IX Corps: %+v, want turn 4", b)
	}
	var printed, boxed int
	for _, u := range sc.Units {
		switch {
		case u.Formation == OtherJapan && u.Hex != NoHex:
			printed++
		case u.Owner == US && u.Hex == NoHex && u.Turn > 0:
			boxed++
		case u.Owner == US && !sc.Is(u.Hex, Coastal):
			t.Errorf("%s sets up inland", u.ID)
		}
	}
	if printed != 13 || len(sc.Setup36) != 8 || len(sc.Setup56) != 8 {
		t.Errorf("%d, %d and %d Japanese units, want 13, 8 and 8 (DF 2.12)", printed, len(sc.Setup36), len(sc.Setup56))
	}
	if boxed != 16 {
		t.Errorf("%d US units wait off the map, want 16 with both counters of the 11th", boxed)
	}
}

// DF 2.3, DF 3.2-b: what the rulebook says about its hexes.
func TestGridFacts(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	h := func(id string) Hex { return at(t, sc, id) }
	for _, id := range []string{"2911", "2912", "3111", "3112"} {
		if n := sc.Map.Distance(h(id), h("3013")); n > 2 {
			t.Errorf("%s is %d from 3013", id, n)
		}
		if !slices.Contains(sc.SetupArea, h(id)) {
			t.Errorf("the 36th Army can't set up in %s", id)
		}
	}
	if len(sc.SetupArea) != 19 {
		t.Errorf("%d hexes around Mount Kirishima, want 19", len(sc.SetupArea))
	}
	d, ok := sc.Map.DirTo(h("2409"), h("2410"))
	if !ok || !sc.Seas[h("2409")].Has(d) || !sc.Seas[h("2410")].Has(d.Opposite()) || sc.Ground[h("2409")][d] != NoHex {
		t.Error("2409 and 2410 are not divided by sea (DF 11.3-a)")
	}
	for _, pair := range [][2]string{
		{"2605", "2606"}, {"2606", "2506"}, {"2604", "2504"}, {"2605", "2504"}, {"2503", "2504"},
	} {
		if !sc.Map.Adjacent(h(pair[0]), h(pair[1])) {
			t.Errorf("%s and %s are not adjacent", pair[0], pair[1])
		}
	}
	if !sc.Is(h("2621"), Coastal) || !sc.Is(h("2514"), AirBase) || !sc.Is(h("2010"), AirBase) {
		t.Error("2621 is not coastal, or an air base is missing")
	}
}

// DF 4.2 to DF 4.10, DF 8.2, DF 8.6, DF 6.3: places that the rules need.
func TestPlaceFacts(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	var awards []string
	for _, a := range sc.Chart.Awards {
		hexes := strings.Join(hexIDs(sc, a.Hexes), " ")
		if a.Kind == downfallv1.AwardKind_AWARD_KIND_TOWNS {
			hexes = fmt.Sprintf("%d of %d", a.Need, len(a.Hexes))
		}
		awards = append(awards, fmt.Sprintf("%s turns %d-%d: %s", a.Rule, a.From, a.To, hexes))
	}
	want := []string{
		"DF 4.2 turns 2-2: 2 of 12", "DF 4.3 turns 7-7: 4 of 12", "DF 4.4 turns 1-20: 2514", "DF 4.5 turns 1-20: 2010",
		"DF 4.6 turns 1-30: ", "DF 4.7 turns 30-30: 2506 2605 2606", "DF 4.8 turns 30-30: 2615",
		"DF 4.9 turns 30-30: 3013", "DF 4.10 turns 30-30: ",
	}
	if diff := cmp.Diff(want, awards); diff != "" {
		t.Errorf("awards (-want +got):\n%s", diff)
	}
	names := map[string]string{"2010": "Kanoya", "2514": "Miyakonojo", "2615": "Takarabe", "3013": "Mount Kirishima",
		"2506": "Kagoshima City"}
	for _, p := range sc.Doc.Places {
		if n, ok := names[p.Hex]; ok && n != p.Name.En {
			t.Errorf("%s is %s, want %s", p.Hex, p.Name.En, n)
		}
	}
	var zones []string
	for _, z := range sc.Zones {
		zones = append(zones, kit.InLang(z.Name, rules.English))
	}
	slices.Sort(zones)
	if diff := cmp.Diff([]string{"Limousine", "Roadstar", "Station Wagon", "Town Car"}, zones); diff != "" {
		t.Errorf("zones (-want +got):\n%s", diff)
	}
	var landings []string
	for h := range Hex(sc.Map.Len()) {
		if sc.LandingHex(h, sc.Terrain[h]) {
			landings = append(landings, sc.HexID(h))
		}
	}
	if len(landings) != 21 || slices.Contains(landings, "2621") || len(sc.Entries) != 23 {
		t.Errorf("%d landing hexes and %d entry hexes, want 21 and 23: %v", len(landings), len(sc.Entries), landings)
	}
}

// T-03, T-04, T-08, T-13: the tables.
func TestTables(t *testing.T) {
	t.Parallel()
	c := &olympic(t).Chart
	var rows []string
	for n := 1; n <= 10; n++ {
		k := c.Kamikaze[n]
		rows = append(rows, fmt.Sprintf("%d: row %d CP %d caps %d %d MF %d CP %+d %t",
			n, k.Row, k.USCP, k.AirCap, k.NavalCap, k.JPMF, k.JPCP, k.Ban))
	}
	want := []string{
		"1: row 1 CP 6 caps 99 99 MF 3 CP +0 false", "2: row 2 CP 5 caps 99 99 MF 3 CP +0 false",
		"3: row 3 CP 4 caps 3 3 MF 3 CP +1 false", "4: row 3 CP 4 caps 3 3 MF 3 CP +1 false",
		"5: row 4 CP 3 caps 2 2 MF 4 CP +2 false", "6: row 4 CP 3 caps 2 2 MF 4 CP +2 false",
		"7: row 5 CP 2 caps 1 1 MF 5 CP +3 false", "8: row 5 CP 2 caps 1 1 MF 5 CP +3 false",
		"9: row 6 CP 1 caps 0 0 MF 6 CP +4 true", "10: row 6 CP 1 caps 0 0 MF 6 CP +4 true",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("kamikaze table, DF 6.5 (-want +got):\n%s", diff)
	}
	if c.LastTurn() != 30 {
		t.Fatalf("%d turns", c.LastTurn())
	}
	for n := 1; n <= 30; n++ {
		mod := 0
		switch {
		case n == 1:
			mod = 1
		case n >= 20:
			mod = -2
		case n >= 10:
			mod = -1
		}
		wanted := TurnInfo{Kamikaze: mod, Army56: max(0, min(10, n-9)), Army56Early: min(10, n)}
		got := c.Turns[n]
		got.Label = nil
		if got != wanted {
			t.Errorf("turn %d: %+v, want %+v (DF 6.6, DF 8.2-a, DF 15.3)", n, got, wanted)
		}
	}
	if diff := cmp.Diff([11]int{0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2}, c.Drop); diff != "" {
		t.Errorf("drop table, DF 15.6-f (-want +got):\n%s", diff)
	}
	prices := Prices{Move: 1, Attack: 2, Recover: 1, Rebuild: 1, Enter: 1, Landing: 3, Enter56: 1, Service: 4,
		AirSupply: 1, Drop: 2, JPTurn1: 6}
	if diff := cmp.Diff(prices, c.CP); diff != "" {
		t.Errorf("prices, DF 7.T (-want +got):\n%s", diff)
	}
}

// DF 15.5 (D-61): six sides for ten, each result equally likely.
func TestTwoDice(t *testing.T) {
	t.Parallel()
	d10 := olympic(t).Chart.D10
	var times [11]int
	for first := 1; first <= 6; first++ {
		for second := 1; second <= 6; second++ {
			times[d10[first][second]]++
		}
	}
	if diff := cmp.Diff([11]int{6, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, times); diff != "" {
		t.Errorf("pairs by result (-want +got):\n%s", diff)
	}
	if d10[3][5] != 5 || d10[4][1] != 6 {
		t.Errorf("3-5 gives %d and 4-1 gives %d, want 5 and 6", d10[3][5], d10[4][1])
	}
}

// DF 2.7, DF 2.12, DF 3.4, DF 8.6-c, DF 8.8, DF 12.3, DF 14.3: special units and the terrain chart.
func TestUnitFacts(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	var special []string
	for _, u := range sc.Units {
		switch {
		case u.Role == CoastalUnit, u.Role == ServiceCommand, u.Lands, u.Formation == Reserve:
			special = append(special, fmt.Sprintf("%s %d", u.ID, u.Turn))
		case u.Role == CorpsArtillery && u.Steps != 1:
			t.Errorf("%s has %d steps", u.ID, u.Steps)
		}
	}
	slices.Sort(special)
	want := []string{
		"jp-154-div 0", "jp-156-div 0", "jp-206-div 0", "us-6-asco 20", "us-ix-81 4", "us-ix-98 4",
		"us-rsv-11 22", "us-rsv-11abn 22", "us-rsv-6 12", "us-rsv-7 8", "us-rsv-96 10",
	}
	if diff := cmp.Diff(want, special); diff != "" {
		t.Errorf("special units (-want +got):\n%s", diff)
	}
	if unitOf(t, sc, "us-ix-77").Turn != 5 || unitOf(t, sc, "us-rsv-11").Strength[2] != 5 {
		t.Error("77th not on turn 5, or 11th not of strength 5 (DF 8.3, DF 3.4)")
	}
	varying := 0
	for _, r := range sc.Terrains {
		if r.Variable {
			varying++
		}
		if move := map[bool]int{true: 1, false: 2}[r.ID == "clear"]; r.USMove != move {
			t.Errorf("%s costs %d, want %d (DF 12.4)", r.ID, r.USMove, move)
		}
	}
	if varying != 6 || sc.River != (RiverInfo{1, -1, -1}) {
		t.Errorf("%d terrains vary, river %+v", varying, sc.River)
	}
	counters := len(sc.Units) + len(sc.Beachheads) + sc.Chart.Markers.USNaval + sc.Chart.Markers.BPFNaval +
		sc.Chart.Markers.USAir + sc.Chart.Markers.BPFAir
	if counters != 65 {
		t.Errorf("%d counters besides bombs and information, want 65 (DF GS, DF 2.1)", counters)
	}
}

// DF 14.6-b, DF 11.3-a, DF 12.4: the tables of hexes agree with the document.
func TestHexTables(t *testing.T) {
	t.Parallel()
	sc := flowerScenario(t, func(f *flower.Flower) {
		f.Coast("limousine", "N1")
		f.Coast("roadstar", "N2")
		f.Ground("rough", "N3")
		f.River("C", "N4")
		f.Sea("C", "N1")
	})
	c, d := at(t, sc, "C"), func(a, b string) hex.Dir {
		d, _ := sc.Map.DirTo(at(t, sc, a), at(t, sc, b))
		return d
	}
	if !sc.Served[c].Has(0) || !sc.Served[c].Has(1) || sc.Served[c].Has(2) || sc.Zone[c] != NoZone {
		t.Errorf("zones %b serve C", sc.Served[c])
	}
	if !sc.Served[at(t, sc, "N1")].Has(1) || sc.Zone[at(t, sc, "N1")] != 0 {
		t.Error("N1 is not served by its neighbour's zone")
	}
	if sc.Served[at(t, sc, "N4")] != 0 || !sc.Is(c, NextCoast) || sc.Is(c, Coastal) {
		t.Error("wrong coast")
	}
	if sc.Ground[c][d("C", "N1")] != NoHex || sc.Near[c][d("C", "N1")] != at(t, sc, "N1") {
		t.Error("the sea hexside is open, or the hexes are not adjacent")
	}
	if !sc.Rivers[c].Has(d("C", "N4")) || !sc.Rivers[at(t, sc, "N4")].Has(d("N4", "C")) {
		t.Error("the river is not on both sides")
	}
	if sc.Terrains[sc.Terrain[at(t, sc, "N3")]].ID != "rough" {
		t.Error("N3 is not rough")
	}
}

// What is read is what was written: nothing of olympic is lost on the way through the message.
func TestDocumentRoundTrip(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	out, err := protojson.Marshal(sc.Doc)
	if err != nil {
		t.Fatal(err)
	}
	again, faults := Read(out)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if diff := cmp.Diff(sc.Chart.Kamikaze, again.Chart.Kamikaze); diff != "" || !slices.Equal(sc.Served, again.Served) {
		t.Errorf("changed on the way (-want +got):\n%s", diff)
	}
	if sc.ScenarioID() != "olympic" || sc.ScenarioTitle(rules.Japanese) == sc.ScenarioTitle(rules.English) ||
		sc.ScenarioAbout("xx") != sc.ScenarioAbout(rules.English) {
		t.Error("id, title or description is wrong")
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read(document(b))
	}
}
