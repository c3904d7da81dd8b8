package scenario

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/kit"
)

// lineOf is a fault as "path: what", a warning with "warning" before it.
func lineOf(f rules.Fault) string {
	line := f.Path + ": " + f.What
	if f.Warning {
		line = "warning " + line
	}
	return line
}

// Each case breaks the flower in one way; the faults that come in addition to the flower's own warnings are the answer.
func TestFaults(t *testing.T) {
	t.Parallel()
	usual := map[string]bool{}
	_, faults := ReadMessage(flower.New().Doc)
	for _, f := range faults {
		usual[lineOf(f)] = true
	}
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := flower.New()
			c.edit(f)
			sc, faults := ReadMessage(f.Doc)
			var got []string
			fatal := false
			for _, x := range faults {
				if line := lineOf(x); !usual[line] {
					got = append(got, line)
					fatal = fatal || !x.Warning
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if (sc == nil) != fatal {
				t.Errorf("scenario is nil: %t, faults are fatal: %t", sc == nil, fatal)
			}
		})
	}
}

type faultCase struct {
	name string
	edit func(*flower.Flower)
	want []string
}

func faultCases() []faultCase {
	all := append(mapFaults(), sideFaults()...)
	all = append(all, unitFaults()...)
	all = append(all, setupFaults()...)
	return append(all, chartFaults()...)
}

func mapFaults() []faultCase {
	return []faultCase{
		{"nothing", func(*flower.Flower) {}, nil},
		{"id", func(f *flower.Flower) { f.Doc.Id = "Flower!" },
			[]string{`id: "Flower!", expected 1 to 64 lower-case letters, digits and dashes`}},
		{"no title", func(f *flower.Flower) { f.Doc.Title = nil }, []string{"title: no English text"}},
		{"source", func(f *flower.Flower) { f.Doc.Provenance = []*downfallv1.Provenance{{Field: "land"}} },
			[]string{"provenance[0].source: SOURCE_UNSPECIFIED, expected one of the sources"}},
		{"control characters", func(f *flower.Flower) { f.Doc.About = flower.English("a\nb") },
			[]string{"about: control characters in the text"}},
		{"grid", func(f *flower.Flower) {
			f.Doc.Grid.Orientation = 7
			f.Doc.Grid.Rows = downfallv1.Compass_COMPASS_WEST
		}, []string{
			"grid: orientation is 7, want flat top or pointy top", "grid: growth of rows is west, want north or south",
		}},
		{"malformed hex", func(f *flower.Flower) { f.Hex("K1").Id = "22x9" }, []string{
			`land[7].id: hex id "22x9": second number: want 2 digits, got 0`,
			`places[7].hex: "2221" is not a land hex of the map`,
		}},
		{"hex twice",
			func(f *flower.Flower) {
				f.Doc.Land = append(f.Doc.Land, &downfallv1.LandHex{Id: flower.DepotI, Terrain: "clear"})
			},
			[]string{"land[29].id: hex 4010 is given twice, by land[19] as well"}},
		{"terrain of a hex",
			func(f *flower.Flower) { f.Hex("N1").Terrain = "swamp"; f.Hex("N2").Ground = "mud" }, []string{
				`land[2].ground: "mud" is not a terrain of the chart`,
				`land[1].terrain: "swamp" is not a terrain of the chart`,
			}},
		// DF 6.3, case E of the register: a coastal hex without zone.
		{"coast without zone", func(f *flower.Flower) { f.Hex("N1").Coastal = true },
			[]string{"land[1].zone: the coastal hex 2120 has no zone (DF 6.3)"}},
		{"zone inland", func(f *flower.Flower) { f.Hex("N1").Zone = "roadstar" },
			[]string{"land[1].zone: hex 2120 has a zone and is not coastal"}},
		{"unknown zone", func(f *flower.Flower) { f.Coast("roadster", "N1") },
			[]string{`land[1].zone: "roadster" is not a zone of the scenario`}},
		{"sea on land", func(f *flower.Flower) { f.Doc.Sea = []string{flower.ID("C"), "3030", "3030", "30"} }, []string{
			"sea[0]: hex 2020 is land by land[0]", "sea[2]: hex 3030 is given twice",
			`sea[3]: hex id "30": second number: want 2 digits, got 0`,
		}},
		{"dry coast", func(f *flower.Flower) { f.Coast("roadstar", "C"); f.Doc.Sea = []string{"3030"} },
			[]string{"warning land[0].coastal: hex 2020 is coastal and touches no sea"}},
		{"wet inland", func(f *flower.Flower) { f.Doc.Sea = []string{"4017"} },
			[]string{"warning land[23].coastal: hex 4018 touches the sea and is not coastal"}},
		{"place", func(f *flower.Flower) {
			f.Doc.Places[1].Hex = flower.ID("C")
			f.Doc.Places[2].Name = nil
			f.Doc.Places[3].Kind = 50
		}, []string{
			"places[1].hex: hex 2020 has a name already by places[0]", "places[2].name: no English text",
			"places[3].kind: 50, expected one of the kinds of place",
		}},
		{"no entry hex", func(f *flower.Flower) { f.Hex(flower.DepotEntry).Entry = false },
			[]string{"land: no entry hex for the 56th Army (DF 8.2-c)"}},
		{"no landing hex", func(f *flower.Flower) { f.Ground("rough", flower.DepotLanding) },
			[]string{"land: no coastal hex in which IX Corps may land (DF 8.6-b)"}},
		{"no land", func(f *flower.Flower) { f.Doc.Land = nil }, []string{"land: 0 entries, expected 1 to 4096"}},
		{"zones", func(f *flower.Flower) {
			f.Doc.Zones = append(f.Doc.Zones, &downfallv1.CoastalZone{Id: "roadstar", Name: flower.English("x")},
				&downfallv1.CoastalZone{Id: "A B"})
		}, []string{
			`zones[4].id: "roadstar" is given twice`,
			`zones[5].id: "A B", expected 1 to 32 lower-case letters, digits and dashes`,
			"zones[5].name: no English text", "warning zones: 6 zones, the rulebook has 4 (DF 6.3)",
			"warning zones[1]: zone roadstar has no hexes", "warning zones[5]: zone A B has no hexes",
		}},
	}
}

func sideFaults() []faultCase {
	pair := func(a, b string) *downfallv1.HexPair { return &downfallv1.HexPair{A: flower.ID(a), B: flower.ID(b)} }
	return []faultCase{
		{"river twice", func(f *flower.Flower) { f.River("C", "N1"); f.River("N1", "C") },
			[]string{"hexsides[1].sides[0]: the hexside of 2120 and 2020 is given twice, " +
				"by hexsides[0].sides[0] as well"}},
		{"river and sea", func(f *flower.Flower) { f.River("C", "N1"); f.Sea("C", "N1") }, []string{
			"hexsides[1].sides[0]: the hexside of 2020 and 2120 is given twice, by hexsides[0].sides[0] as well",
		}},
		{"far river", func(f *flower.Flower) { f.River("C", "K1"); f.River("C", "C") }, []string{
			"hexsides[0].sides[0]: hexes 2020 and 2221 are not adjacent",
			"hexsides[1].sides[0]: hexes 2020 and 2020 are not adjacent",
		}},
		{"river off the map", func(f *flower.Flower) { f.River("C", "9999") },
			[]string{`hexsides[0].sides[0].b: "9999" is not a land hex of the map`}},
		{"kind of hexside", func(f *flower.Flower) { f.Between(0, "C", "N1") },
			[]string{"hexsides[0].kind: HEXSIDE_KIND_UNSPECIFIED, expected river or sea"}},
		{"sea hexside inland", func(f *flower.Flower) { f.Sea("C", "N1") }, []string{
			"warning land[0].coastal: hex 2020 touches the sea and is not coastal",
			"warning land[1].coastal: hex 2120 touches the sea and is not coastal",
		}},
		{"line", func(f *flower.Flower) {
			f.Hex("K1").South = false
			f.Doc.BeachheadsLine = []*downfallv1.HexPair{pair("K1", "N1"), pair("N1", "K1"), pair("C", "N1"),
				pair("K1", "E1")}
		}, []string{
			"beachheads_line[1]: the hexside of 2120 and 2221 is given twice",
			"warning beachheads_line[2]: hexes 2020 and 2120 are on the same side of the line",
			"warning beachheads_line: the hexside of 2220 and 2221 is not on the line, yet " +
				"only one of them is south of it",
		}},
	}
}

func TestNotADocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ doc, want string }{
		"empty":         {"", "unexpected token"},
		"not JSON":      {"{", "unexpected"},
		"unknown field": {`{"idd": "x"}`, `unknown field "idd"`},
		"field twice":   {`{"id": "x", "id": "y"}`, `duplicate field "id"`},
		"wrong type":    {`{"units": 3}`, "unexpected token 3"},
		"negative":      {`{"units": [{"steps": -1}]}`, "invalid value for uint32"},
		"trailing":      {`{} {}`, "unexpected token"},
		"too long": {strings.Repeat(" ", kit.MaxDocument+1),
			"the document has 4194305 bytes, expected at most 4194304"},
		"deep": {strings.Repeat("[", 100_000), "unexpected token ["},
	} {
		sc, faults := Read([]byte(c.doc))
		if sc != nil || len(faults) != 1 || !strings.Contains(faults[0].What, c.want) {
			t.Errorf("%s: %v, want a fault with %q", name, faults, c.want)
		}
	}
}

// However much is wrong, the answer stays short.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	f := flower.New()
	for range 3000 {
		f.Doc.Provenance = append(f.Doc.Provenance, &downfallv1.Provenance{})
	}
	_, faults := ReadMessage(f.Doc)
	if last := faults[len(faults)-1].What; len(faults) != kit.MaxFaults+1 ||
		!strings.HasSuffix(last, "more faults are not listed") {
		t.Errorf("%d faults, the last %q", len(faults), last)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(document(f))
	flowerDoc, err := protojson.Marshal(flower.New().Doc)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(flowerDoc)
	for _, c := range faultCases() {
		x := flower.New()
		c.edit(x)
		doc, err := protojson.Marshal(x.Doc)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Add([]byte(`{"grid": {"orientation": 2, "order": 2, "shifted": 2, "shift": 2, "columns": 2, "rows": 1,
		"separator": "."}, "land": [{"id": "0.0"}, {"id": "9999.9999"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		sc, faults := Read(doc)
		again, twice := Read(bytes.Clone(doc))
		if diff := cmp.Diff(faults, twice); diff != "" {
			t.Fatalf("loading twice gives other faults:\n%s", diff)
		}
		if (sc == nil) != faults.Fatal() || (sc == nil) != (again == nil) {
			t.Fatalf("scenario is nil: %t, faults: %v", sc == nil, faults)
		}
	})
}

// The same past the JSON, so that more of what the fuzzer makes up gets to the checks.
func FuzzReadMessage(f *testing.F) {
	for _, c := range faultCases() {
		x := flower.New()
		c.edit(x)
		wire, err := proto.Marshal(x.Doc)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		msg := &downfallv1.Scenario{}
		if proto.Unmarshal(wire, msg) != nil {
			return
		}
		if sc, faults := ReadMessage(msg); (sc == nil) != faults.Fatal() {
			t.Fatalf("scenario is nil: %t, faults: %v", sc == nil, faults)
		}
	})
}
