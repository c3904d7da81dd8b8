package scenario

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// draft is a scenario to be changed before it is loaded: 1942, with map and tables of its own and without a drawing. It
// loads without faults.
type draft struct{ *anniversaryv1.Scenario }

// document is a document that comes with the ruleset.
func document(tb testing.TB, id string) []byte {
	tb.Helper()
	doc, err := os.ReadFile("../scenarios/" + id + ".json")
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func newDraft(tb testing.TB) draft {
	tb.Helper()
	d := draft{&anniversaryv1.Scenario{}}
	if err := protojson.Unmarshal(document(tb, "1942"), d.Scenario); err != nil {
		tb.Fatal(err)
	}
	d.MapId, d.TablesId, d.DrawingId = "", "", ""
	d.Map, d.Tables = proto.CloneOf(shippedMap), proto.CloneOf(shippedTables)
	return d
}

// place is the placement of a power in a space.
func (d draft) place(power, space string) *anniversaryv1.Placement {
	for _, p := range d.GetPlacements() {
		if p.GetPower() == power && p.GetSpace() == space {
			return p
		}
	}
	p := &anniversaryv1.Placement{Power: power, Space: space}
	d.Placements = append(d.Placements, p)
	return p
}

func (d draft) land(id string) *anniversaryv1.Territory {
	for _, t := range d.Map.GetTerritories() {
		if t.GetId() == id {
			return t
		}
	}
	return &anniversaryv1.Territory{}
}

// one sets the units of a placement.
func one(p *anniversaryv1.Placement, unit string, count uint32) {
	p.Units, p.Loads = []*anniversaryv1.UnitCount{{Unit: unit, Count: count}}, nil
}

// written is a fault as the tables below write it.
func written(faults rules.Faults) []string {
	var all []string
	for _, f := range faults {
		s := f.Path + ": " + f.What
		if f.Warning {
			s = "warning " + s
		}
		all = append(all, s)
	}
	return all
}

type faultCase struct {
	name string
	edit func(draft)
	want []string
}

func TestDraftLoads(t *testing.T) {
	t.Parallel()
	if sc, faults := ReadMessage(newDraft(t).Scenario); sc == nil || len(faults) > 0 {
		t.Error(faults)
	}
}

// Each broken document gives exactly these faults.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDraft(t)
			c.edit(d)
			sc, faults := ReadMessage(d.Scenario)
			if (sc == nil) != faults.Fatal() {
				t.Errorf("scenario is nil: %t", sc == nil)
			}
			if diff := cmp.Diff(c.want, written(faults)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func faultCases() []faultCase {
	return slices.Concat(headerFaults(), mapFaults(), tableFaults(), goalFaults(), setupFaults(), drawingFaults())
}

func TestNotADocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ doc, want string }{
		"empty":         {"", "unexpected token"},
		"not JSON":      {"{", "unexpected"},
		"unknown field": {`{"idd": "x"}`, `unknown field "idd"`},
		"field twice":   {`{"id": "x", "id": "y"}`, `duplicate field "id"`},
		"wrong type":    {`{"placements": 3}`, "unexpected token 3"},
		"negative":      {`{"treasuries": [{"ipc": -1}]}`, "invalid value for uint32"},
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
	d := newDraft(t)
	for range 1000 {
		d.Placements = append(d.Placements, &anniversaryv1.Placement{})
	}
	_, faults := ReadMessage(d.Scenario)
	if last := faults[len(faults)-1].What; len(faults) != kit.MaxFaults+1 ||
		!strings.HasSuffix(last, "more faults are not listed") {
		t.Errorf("%d faults, the last %q", len(faults), last)
	}
}

func FuzzRead(f *testing.F) {
	// without the drawing, which takes most of the time
	for _, doc := range [][]byte{document(f, "1941"), document(f, "1942")} {
		f.Add(bytes.Replace(doc, []byte(`"drawing_id": "world",`), nil, 1))
	}
	f.Add([]byte(`{"drawing": {"id": "d", "width": 9, "height": 9, "shapes": [{"space": "alaska",
		"path": "M1 1l2 2h-2z", "label": {"x": 1}, "stack": {"y": 1}}]}, "map_id": "world"}`))
	f.Add([]byte(`{"id": "x", "map": {"id": "m", "territories": [{"id": "a", "neighbors": ["b"]}],
		"sea_zones": [{"id": "b"}]}, "tables_id": "anniversary"}`))
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
		d := newDraft(f)
		c.edit(d)
		wire, err := proto.Marshal(d.Scenario)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		msg := &anniversaryv1.Scenario{}
		if proto.Unmarshal(wire, msg) != nil {
			return
		}
		if sc, faults := ReadMessage(msg); (sc == nil) != faults.Fatal() {
			t.Fatalf("scenario is nil: %t, faults: %v", sc == nil, faults)
		}
	})
}

func FuzzPath(f *testing.F) {
	f.Add("M1 1l2 3-1-1zm4 4h5v-2H1V0z")
	f.Fuzz(func(t *testing.T, text string) {
		p := pen{text: text, width: 100, height: 100, left: 50}
		if p.draw() != nil {
			return
		}
		points := 0
		for _, r := range p.rings {
			points += len(r.GetPoints())
			for _, q := range r.GetPoints() {
				if q.GetX() < 0 || q.GetX() > 100 || q.GetY() < 0 || q.GetY() > 100 {
					t.Fatalf("the point %v is off the canvas", q)
				}
			}
		}
		if points+p.left != 50 {
			t.Fatalf("%d points, %d left of 50", points, p.left)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	doc := document(b, "1941")
	for b.Loop() {
		if sc, _ := Read(doc); sc == nil {
			b.Fatal("no scenario")
		}
	}
}
