package anniversary

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

var colour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// inside reports whether a point is in an outline, even-odd.
func inside(outline []*boardv1.Ring, p *boardv1.Point) bool {
	in := false
	for _, r := range outline {
		n := len(r.GetPoints())
		for i := range n {
			a, b := r.GetPoints()[i], r.GetPoints()[(i+1)%n]
			if (a.GetY() > p.GetY()) != (b.GetY() > p.GetY()) &&
				p.GetX() < (b.GetX()-a.GetX())*(p.GetY()-a.GetY())/(b.GetY()-a.GetY())+a.GetX() {
				in = !in
			}
		}
	}
	return in
}

// area of an outline whose rings don't cross: outer rings and holes run opposite ways, or the absolute values are
// taken apart by nesting.
func area(outline []*boardv1.Ring) float64 {
	sum := 0.0
	for i, r := range outline {
		a, n := 0.0, len(r.GetPoints())
		for k := range n {
			p, q := r.GetPoints()[k], r.GetPoints()[(k+1)%n]
			a += p.GetX()*q.GetY() - q.GetX()*p.GetY()
		}
		depth := 0
		for j, other := range outline {
			if i != j && inside([]*boardv1.Ring{other}, middle(r)) {
				depth++
			}
		}
		sum += math.Abs(a) / 2 * float64(1-2*(depth%2))
	}
	return sum
}

// middle is a point just inside a ring, near its first side.
func middle(r *boardv1.Ring) *boardv1.Point {
	a, b := r.GetPoints()[0], r.GetPoints()[1]
	x, y := (a.GetX()+b.GetX())/2, (a.GetY()+b.GetY())/2
	for _, d := range [...][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if p := (&boardv1.Point{X: x + d[0]*0.01, Y: y + d[1]*0.01}); inside([]*boardv1.Ring{r}, p) {
			return p
		}
	}
	return a
}

func TestMapPicture(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	m := sc.BoardMap(rules.English)
	if m.GetWidth() != 4000 || m.GetHeight() != 2000 || !m.GetWraps() || len(m.GetSpaces()) != 162 ||
		len(m.GetEdges()) != 2 || len(m.GetBoxes()) != 7 {
		t.Errorf("%v x %v, %d spaces, %d edges, %d boxes",
			m.GetWidth(), m.GetHeight(), len(m.GetSpaces()), len(m.GetEdges()), len(m.GetBoxes()))
	}
	legend, ids := map[string]bool{}, map[string]bool{}
	for _, l := range m.GetLegend() {
		if legend[l.GetKey()] || l.GetName() == "" || !colour.MatchString(l.GetColor()) || l.GetGlyph() == "" {
			t.Errorf("legend %v", l)
		}
		legend[l.GetKey()] = true
	}
	total := 0.0
	for _, s := range m.GetSpaces() {
		ids[s.GetId()] = true
		if !legend[s.GetTerrain()] || s.GetName() == "" || len(s.GetNeighbors()) == 0 {
			t.Errorf("space %s: %s, %s", s.GetId(), s.GetTerrain(), s.GetName())
		}
		for _, f := range s.GetFeatures() {
			if !legend[f] {
				t.Errorf("%s has the feature %s", s.GetId(), f)
			}
		}
		if !inside(s.GetOutline(), s.GetCentre()) {
			t.Errorf("%s: pieces would stack outside, at %v", s.GetId(), s.GetCentre())
		}
		for _, r := range s.GetOutline() {
			if len(r.GetPoints()) < 3 {
				t.Errorf("%s has a ring of %d points", s.GetId(), len(r.GetPoints()))
			}
			for _, p := range r.GetPoints() {
				if p.GetX() != math.Trunc(p.GetX()) || p.GetY() != math.Trunc(p.GetY()) || p.GetX() > m.GetWidth() ||
					p.GetY() > m.GetHeight() {
					t.Errorf("%s: point %v", s.GetId(), p)
				}
			}
		}
		total += area(s.GetOutline())
	}
	// Spaces and the decor that covers tile the canvas exactly.
	for i, d := range sc.Art.GetDecor() {
		if d.GetCovers() {
			total += area(sc.Picture.Decor[i])
		}
	}
	if math.Abs(total-4000*2000) > 1 {
		t.Errorf("the shapes cover %v, want %v", total, 4000*2000)
	}
	for _, r := range m.GetRegions() {
		for _, id := range r.GetSpaces() {
			if !ids[id] || r.GetName() == "" || r.GetKind() == "" {
				t.Errorf("region %v", r)
			}
		}
	}
	for _, s := range m.GetSpaces() {
		for _, n := range s.GetNeighbors() {
			if !ids[n] {
				t.Errorf("%s is next to %s", s.GetId(), n)
			}
		}
	}
	for _, e := range m.GetEdges() {
		if len(e.GetPoints()) < 2 || !legend[e.GetKind()] {
			t.Errorf("edge %v", e)
		}
	}
}

// The map is the same for both scenarios, is its own digest, and differs between languages in names and readings alone.
func TestMapDigest(t *testing.T) {
	t.Parallel()
	a, b := shippedScenario(t, "1941"), shippedScenario(t, "1942")
	for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
		m := a.BoardMap(lang)
		if m.GetDigest() != b.BoardMap(lang).GetDigest() || m.GetDigest() != rules.MapDigest(m) ||
			len(m.GetDigest()) != 64 {
			t.Errorf("digest in %s: %s and %s", lang, m.GetDigest(), b.BoardMap(lang).GetDigest())
		}
	}
	en, ja := proto.CloneOf(a.BoardMap(rules.English)), proto.CloneOf(a.BoardMap(rules.Japanese))
	if en.GetDigest() == ja.GetDigest() {
		t.Error("both languages have one digest")
	}
	for _, m := range []*boardv1.Map{en, ja} {
		m.Digest = ""
		for _, s := range m.GetSpaces() {
			s.Name, s.Reading = "", ""
		}
		for _, l := range slices.Concat(m.GetLegend(), m.GetKinds(), m.GetMarks(), m.GetNumbers()) {
			l.Name = ""
		}
		for _, r := range m.GetRegions() {
			r.Name = ""
		}
		for _, x := range m.GetBoxes() {
			x.Name, x.Reading = "", ""
		}
		for _, x := range m.GetDecor() {
			x.Name = ""
		}
	}
	if !proto.Equal(en, ja) {
		t.Error("the languages differ in more than names")
	}
}

// Without a drawing every space has its own place on the canvas.
func TestMapWithoutDrawing(t *testing.T) {
	t.Parallel()
	doc := &anniversaryv1.Scenario{}
	if err := protojson.Unmarshal(doc1942, doc); err != nil {
		t.Fatal(err)
	}
	doc.DrawingId = ""
	sc, faults := prepare(scenario.ReadMessage(doc))
	if sc == nil {
		t.Fatal(faults)
	}
	m := sc.BoardMap(rules.Japanese)
	seen := map[[2]float64]string{}
	for _, s := range m.GetSpaces() {
		at := [2]float64{s.GetCentre().GetX(), s.GetCentre().GetY()}
		if other := seen[at]; other != "" || at[0] > m.GetWidth() || at[1] > m.GetHeight() || len(s.GetOutline()) > 0 {
			t.Errorf("%s is at %v, as %q", s.GetId(), at, other)
		}
		seen[at] = s.GetId()
	}
}

// The board has what a client needs to draw areas well: letters, room for pieces, places of cities, ice and lakes.
func TestMapHasWhatIsDrawn(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
		m := sc.BoardMap(lang)
		cities, kinds := 0, map[string]int{}
		for _, s := range m.Spaces {
			if s.LabelSize <= 0 || s.Room <= 0 {
				t.Errorf("%s: letters of %v, room of %v", s.Id, s.LabelSize, s.Room)
			}
			if s.City != nil {
				cities++
				if !inside(s.Outline, s.City) {
					t.Errorf("the city of %s lies outside", s.Id)
				}
			}
		}
		for _, d := range m.Decor {
			kinds[d.Kind]++
			if d.Name == "" || len(d.Outline) == 0 {
				t.Errorf("%s without a name or an outline", d.Kind)
			}
		}
		if cities != 18 || kinds["ice"] == 0 || kinds["lake"] == 0 || len(kinds) != 2 {
			t.Errorf("%d cities, decor %v", cities, kinds)
		}
	}
}

// FuzzLoadScenario holds that whatever loads can be drawn, with all of its spaces.
func FuzzLoadScenario(f *testing.F) {
	for _, doc := range [][]byte{doc1941, doc1942} { // without the drawing, which takes most of the time
		f.Add(bytes.Replace(doc, []byte(`"drawing_id": "world",`), nil, 1))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		sc, faults := LoadScenario(doc)
		if (sc == nil) != faults.Fatal() {
			t.Fatalf("scenario is nil: %t, faults: %v", sc == nil, faults)
		}
		if sc != nil && len(sc.BoardMap(rules.Japanese).GetSpaces()) != sc.Len() {
			t.Fatal("spaces are missing from the map")
		}
	})
}
