package downfall

import (
	"regexp"
	"slices"
	"testing"
	"unicode"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

func TestMapPicture(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	m := drawMap(sc, rules.English)
	if want := sc.Map.Len() + len(sc.Doc.Sea); len(m.Spaces) != want {
		t.Fatalf("%d spaces, want %d", len(m.Spaces), want)
	}
	spaces := map[string]*boardv1.Space{}
	sea := 0
	for _, s := range m.Spaces {
		spaces[s.Id] = s
		if s.Terrain == scenario.SeaKind {
			sea++
		}
		for _, p := range s.Outline[0].Points {
			if p.X < 0 || p.Y < 0 || p.X > m.Width || p.Y > m.Height {
				t.Errorf("%s has a corner at %v, off the canvas of %v by %v", s.Id, p, m.Width, m.Height)
			}
		}
	}
	if sea != len(sc.Doc.Sea) {
		t.Errorf("%d sea spaces, want %d", sea, len(sc.Doc.Sea))
	}
	for _, e := range m.Edges {
		a, b := spaces[e.A], spaces[e.B]
		if !slices.Contains(a.Neighbors, e.B) || !slices.Contains(b.Neighbors, e.A) {
			t.Errorf("edge between %s and %s, which are not neighbours", e.A, e.B)
		}
		for _, p := range e.Points {
			if !corner(a, p) || !corner(b, p) {
				t.Errorf("%s between %s and %s runs through %v, which is not a corner of both", e.Kind, e.A, e.B, p)
			}
		}
	}
	if s := spaces["2514"]; s.Name != "Miyakonojo" || !slices.Equal(s.Features, []string{"airbase", "objective"}) ||
		s.Terrain != "town" {
		t.Errorf("2514 is %v", s)
	}
	if s := spaces["2621"]; !slices.Equal(s.Features, []string{"coastal", "beach"}) {
		t.Errorf("2621 is %v", s)
	}
	for _, r := range m.Regions {
		for _, id := range r.Spaces {
			if spaces[id] == nil {
				t.Errorf("region %s has the unknown space %s", r.Id, id)
			}
		}
	}
}

func corner(s *boardv1.Space, p *boardv1.Point) bool {
	return slices.ContainsFunc(s.Outline[0].Points, func(q *boardv1.Point) bool { return proto.Equal(p, q) })
}

// Every kind that the map shows is explained, with a colour and a glyph.
func TestMapLegend(t *testing.T) {
	t.Parallel()
	color := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	for _, sc := range []*Scenario{olympic(t),
		flowerScenario(t, func(f *flower.Flower) { f.Coast("roadstar", "C"); f.Sea("C", "N1") })} {
		m := drawMap(sc, rules.English)
		legend := map[string]bool{}
		for _, l := range m.Legend {
			legend[l.Key] = true
			if l.Name == "" || l.Name == l.Key &&
				sc.ScenarioID() == "olympic" || !color.MatchString(l.Color) || l.Glyph == "" || l.Glyph == "?" {
				t.Errorf("legend %v", l)
			}
		}
		var used []string
		for _, s := range m.Spaces {
			used = append(append(used, s.Terrain), s.Features...)
		}
		for _, e := range m.Edges {
			used = append(used, e.Kind)
		}
		for _, key := range used {
			if !legend[key] {
				t.Errorf("%s: the legend does not explain %q", sc.ScenarioID(), key)
			}
		}
	}
}

func TestMapLanguagesAndDigest(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	en, ja := drawMap(sc, rules.English), drawMap(sc, rules.Japanese)
	if en.Digest == ja.Digest || len(en.Digest) != 64 {
		t.Errorf("digests %q and %q", en.Digest, ja.Digest)
	}
	if again := drawMap(olympic(t), rules.English); !proto.Equal(en, again) {
		t.Error("the same map is drawn differently")
	}
	kanji := func(s string) bool { return s == "" || hasJapanese(s) }
	for _, s := range ja.Spaces {
		if !kanji(s.Name) {
			t.Errorf("%s is called %q in Japanese", s.Id, s.Name)
		}
	}
	for _, b := range ja.Boxes {
		if !kanji(b.Name) {
			t.Errorf("box %s is called %q in Japanese", b.Id, b.Name)
		}
	}
	for _, u := range sc.Units {
		if !hasJapanese(u.Name.Ja) {
			t.Errorf("%s is called %q in Japanese", u.ID, u.Name.Ja)
		}
	}
}

func hasJapanese(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Katakana, unicode.Hiragana) {
			return true
		}
	}
	return false
}

// FuzzLoadScenario holds that play and pictures can be made of whatever loads.
func FuzzLoadScenario(f *testing.F) {
	f.Add(olympicDoc)
	doc, err := protojson.Marshal(flower.New().Doc)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(doc)
	f.Fuzz(func(t *testing.T, doc []byte) {
		sc, faults := LoadScenario(doc)
		if (sc == nil) != faults.Fatal() {
			t.Fatalf("scenario is nil: %t, faults: %v", sc == nil, faults)
		}
		if sc != nil && len(sc.BoardMap(rules.Japanese).GetSpaces()) < sc.Map.Len() {
			t.Fatal("hexes are missing from the map")
		}
	})
}
