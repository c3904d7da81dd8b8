package picture_test

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"github.com/warledger/warledger/cmd/warledger/internal/picture"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

// position is the toy's ridge after a few commands, with its map.
func position(t *testing.T, lang rules.Lang, commands ...string) (*boardv1.Board, *boardv1.Map) {
	t.Helper()
	set := toy.Ruleset()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	o, err := set.About().NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := set.New(sc, o)
	src := dice.NewManual([]uint32{1, 6})
	if _, err := g.Start(src); err != nil {
		t.Fatal(err)
	}
	for _, text := range commands {
		seat := toy.Red
		if rest, ok := strings.CutPrefix(text, "blue "); ok {
			seat, text = toy.Blue, rest
		}
		c, err := g.ParseCommand(text)
		if err != nil {
			t.Fatal(err)
		}
		if g, _, err = g.Play(seat, c, src); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return g.Board(rules.Auditor, lang), set.Map(sc, lang)
}

// inPlay is a position with an attack on its way.
func inPlay(t *testing.T) (*boardv1.Board, *boardv1.Map) {
	return position(t, rules.English, "plan 0103", "blue plan 0503", "move r2 0304", "attack r2 b2")
}

// turned turns a map of columns into one of rows, with a river, a road and a box.
func turned(m *boardv1.Map) *boardv1.Map {
	m.Width, m.Height = m.Height, m.Width
	for _, s := range m.Spaces {
		for _, p := range append(s.Outline[0].Points, s.Centre) {
			p.X, p.Y = p.Y, p.X
		}
	}
	m.Edges = []*boardv1.Edge{
		{A: "0103", B: "0102", Kind: "river"}, {A: "0203", B: "0103", Kind: "river"},
		{A: "0103", B: "0202", Kind: "river"},
		{A: "0304", B: "0204", Kind: "river"}, {A: "0304", B: "0203", Kind: "river"},
		{A: "nowhere", B: "0203", Kind: "river"},
	}
	m.Legend = append(m.Legend, &boardv1.Legend{Key: "river", Name: "River", Color: "#2040ff", Glyph: "="},
		&boardv1.Legend{Key: "road", Name: "Road"})
	m.Links = []*boardv1.Link{{Kind: "road", Spaces: []string{"0101", "0102", "0103"}}}
	m.Regions = []*boardv1.Region{{Id: "west", Name: "The west", Spaces: []string{"0102", "0103"}}}
	m.Boxes = []*boardv1.Box{{Id: "pool", Name: "Pool", Owner: "blue"}}
	return m
}

// golden holds a picture against the one in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func colours() *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	return r
}

func TestPictures(t *testing.T) {
	t.Parallel()
	b, m := inPlay(t)
	golden(t, "columns", picture.Board(b, m, picture.Options{Legend: true}))
	golden(t, "columns-wide", picture.Board(b, m, picture.Options{Width: 100}))
	golden(t, "columns-narrow", picture.Board(b, m, picture.Options{Width: 40}))
	golden(t, "columns-part", picture.Board(b, m, picture.Options{Width: 20, Centre: "0503"}))
	golden(t, "columns-colour", picture.Board(b, m, picture.Options{Renderer: colours()}))

	m.Legend = append(m.Legend, &boardv1.Legend{Key: "river", Name: "River", Color: "#2040ff", Glyph: "="})
	for _, next := range []string{"0101", "0103", "0202", "0201"} { // the text in the hex stays
		m.Edges = append(m.Edges, &boardv1.Edge{A: "0102", B: next, Kind: "river"})
	}
	golden(t, "columns-river", picture.Board(b, m, picture.Options{}))

	_, m = inPlay(t)
	m = turned(m)
	b.Pieces = append(b.Pieces,
		&boardv1.Piece{Id: "x1", ShortName: "x1", Owner: "blue", Place: "pool", Count: 3},
		&boardv1.Piece{Id: "x2", Name: "lost", Place: "limbo"},
		&boardv1.Piece{Id: "x3", ShortName: "第25師団", Owner: "blue", Place: "0302", Order: 2, Count: 12},
		&boardv1.Piece{Id: "x4", ShortName: "HQ", Owner: "red", Place: "0302", Order: 1})
	b.Spaces = append(b.Spaces, &boardv1.SpaceState{Id: "0302", Terrain: "water", Marks: []string{"flooded"}})
	golden(t, "rows", picture.Board(b, m, picture.Options{Legend: true}))
	golden(t, "rows-wide", picture.Board(b, m, picture.Options{Width: 80}))
	golden(t, "rows-narrow", picture.Board(b, m, picture.Options{Width: 32}))
	golden(t, "rows-colour", picture.Board(b, m, picture.Options{Renderer: colours()}))
	var closeups strings.Builder
	for _, id := range []string{"0103", "0302", "0201", "pool", "limbo"} {
		text, ok := picture.Space(b, m, id, picture.Options{})
		if !ok {
			t.Errorf("%s is not there", id)
		}
		closeups.WriteString(text)
	}
	golden(t, "closeups", closeups.String())

	for _, s := range m.Spaces {
		s.Outline[0].Points = s.Outline[0].Points[:5]
	}
	golden(t, "areas", picture.Board(b, m, picture.Options{Width: 60}))
}

func TestJapanese(t *testing.T) {
	t.Parallel()
	b, m := position(t, rules.Japanese, "plan 0103")
	golden(t, "japanese", picture.Board(b, m, picture.Options{Width: 100}))
}

func TestNoSuchSpace(t *testing.T) {
	t.Parallel()
	b, m := inPlay(t)
	if text, ok := picture.Space(b, m, "9999", picture.Options{}); ok {
		t.Errorf("gave %q", text)
	}
}

// TestAnythingCanBeDrawn: boards with holes in them do not stop the program.
func TestAnythingCanBeDrawn(t *testing.T) {
	t.Parallel()
	b, m := inPlay(t)
	for name, text := range map[string]string{
		"nothing":  picture.Board(nil, nil, picture.Options{}),
		"no map":   picture.Board(b, nil, picture.Options{Width: 1}),
		"no board": picture.Board(nil, m, picture.Options{Width: 1}),
		"one hex":  picture.Board(b, &boardv1.Map{Spaces: m.Spaces[:1]}, picture.Options{Width: 3}),
		"a hex of no size": picture.Board(b, &boardv1.Map{Spaces: []*boardv1.Space{
			{Id: "a", Centre: &boardv1.Point{}, Outline: []*boardv1.Ring{{Points: make([]*boardv1.Point, 6)}}},
		}},
			picture.Options{}),
		"two in one place": picture.Board(b, &boardv1.Map{Spaces: append(m.Spaces[:1:1], m.Spaces[0])},
			picture.Options{}),
	} {
		if strings.Contains(text, "NaN") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestWidthIsKept at every width at which a hex fits.
func TestWidthIsKept(t *testing.T) {
	t.Parallel()
	b, m := inPlay(t)
	for _, m := range []*boardv1.Map{m, nil} {
		if m == nil {
			_, m = inPlay(t)
			m = turned(m)
		}
		for width := 7; width < 120; width++ {
			picture := picture.Board(b, m, picture.Options{Width: width})
			for line := range strings.Lines(picture) {
				if strings.ContainsAny(line[:1], "?»(PTS") { // sentences are not wrapped
					continue
				}
				if n := len(strings.TrimRight(line, "\n")); n > width {
					t.Fatalf("width %d: a line of %d: %s", width, n, line)
				}
			}
		}
	}
}
