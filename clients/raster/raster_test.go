package raster

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/downfall"
	"github.com/warledger/warledger/rules/ocs"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// hexMap is two rows of square "hexes", 100 wide, of which the left ones are sea; what is tested is where things land.
func hexMap() *boardv1.Map {
	m := &boardv1.Map{Width: 400, Height: 200,
		Legend: []*boardv1.Legend{{Key: "sea", Color: "#0000ff"}, {Key: "clear", Color: "#00ff00"}}}
	id := func(x, y int) string { return string(rune('A'+x)) + string(rune('1'+y)) }
	for y := range 2 {
		for x := range 4 {
			fx, fy := float64(x)*100, float64(y)*100
			s := &boardv1.Space{
				Id: id(x, y), Terrain: "clear", Centre: &boardv1.Point{X: fx + 50, Y: fy + 50},
				Label: &boardv1.Point{X: fx + 50, Y: fy + 90},
				Outline: []*boardv1.Ring{{Points: []*boardv1.Point{
					{X: fx, Y: fy}, {X: fx + 100, Y: fy}, {X: fx + 100, Y: fy + 100}, {X: fx, Y: fy + 100},
				}}},
			}
			if x == 0 {
				s.Terrain = "sea"
			}
			if x > 0 {
				s.Neighbors = append(s.Neighbors, id(x-1, y))
			}
			m.Spaces = append(m.Spaces, s)
		}
	}
	return m
}

func hexBoard() *boardv1.Board {
	return &boardv1.Board{
		Seats: []*boardv1.SeatView{{Id: "red", Name: "Red", Color: "#aa0000"},
			{Id: "blue", Name: "Blue", Color: "#000088"}},
		Clock: &boardv1.Clock{Text: "Turn 1"}, Prompts: []*boardv1.Prompt{{Seat: "red", Text: "Move."}},
		Pieces: []*boardv1.Piece{{Id: "r1", Owner: "red", Place: "C1", ShortName: "1", Count: 1},
			{Id: "b1", Owner: "blue", Place: "box", Count: 3, Kind: "tank"}},
	}
}

func draw(t testing.TB, b *boardv1.Board, m *boardv1.Map, o Options) *image.RGBA {
	t.Helper()
	img, err := Draw(b, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func at(img *image.RGBA, x, y int) color.RGBA { return img.RGBAAt(x, y) }

var (
	seaBlue   = color.RGBA{0, 0, 255, 255}
	landGreen = color.RGBA{0, 255, 0, 255}
	redSide   = color.RGBA{0xaa, 0, 0, 255}
)

func TestTerrainAndPiecesLandWhereTheMapHasThem(t *testing.T) {
	t.Parallel()
	img := draw(t, hexBoard(), hexMap(), Options{MapOnly: true, Scale: 2})
	if got, want := img.Bounds(), image.Rect(0, 0, 800, 400); got != want {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	for where, c := range map[image.Point]color.RGBA{{40, 100}: seaBlue, {340, 100}: landGreen, {480, 80}: redSide,
		{740, 300}: landGreen} {
		if got := at(img, where.X, where.Y); got != c {
			t.Errorf("at %v: %v, want %v", where, got, c)
		}
	}
}

// What lies between two spaces is drawn where their outlines meet if the map has no line of it, as broad and in the
// colour that the legend has.
func TestWhatLiesBetweenSpaces(t *testing.T) {
	t.Parallel()
	m := hexMap()
	m.Legend = append(m.Legend, &boardv1.Legend{Key: "brook", Color: "#ff0000", Width: 0.1},
		&boardv1.Legend{Key: "stream", Color: "#ffff00", Width: 0.3})
	m.Edges = []*boardv1.Edge{{A: "B1", B: "C1", Kind: "brook"}, {A: "D2", B: "C2", Kind: "stream"},
		{A: "A1", B: "D1", Kind: "brook"}, {A: "A1", B: "nowhere", Kind: "brook"}}
	img := draw(t, hexBoard(), m, Options{MapOnly: true, Scale: 1})
	reds := func(y, red, green uint8) (n int) {
		for x := 150; x < 400; x++ {
			if c := at(img, x, int(y)); c.B < 60 && apart(c, color.RGBA{red, green, 0, 255}) < 60 {
				n++
			}
		}
		return n
	}
	if brook, stream := reds(20, 255, 0), reds(120, 255, 255); brook < 8 || brook > 12 || stream < 26 || stream > 34 {
		t.Errorf("lines are %d and %d pixels broad, want 10 and 30", brook, stream)
	}
	for x := range 100 {
		if c := at(img, x, 20); apart(c, seaBlue) > 60 && x > 3 && x < 97 {
			t.Fatalf("something is drawn between spaces that do not meet, at %d: %v", x, c)
		}
	}
}

func TestRegionIsTheMapMovedAndEnlarged(t *testing.T) {
	t.Parallel()
	img := draw(t, hexBoard(), hexMap(), Options{MapOnly: true, Around: "D1", Radius: 1, Scale: 1})
	if got, want := img.Bounds().Dx(), 320; got != want { // one and 0.6 spaces on either side, within the map
		t.Fatalf("width %d, want %d", got, want)
	}
	if got := at(img, 10, 80); got != seaBlue {
		t.Errorf("left edge is %v, want the last bit of sea", got)
	}
	if got := at(img, 40, 80); got != landGreen {
		t.Errorf("beside it is %v, want land", got)
	}
}

// Zones of control would cover a picture of the whole map; close up they are there, and other marks always.
func TestZonesAreLeftOutOfWholeMaps(t *testing.T) {
	t.Parallel()
	m := hexMap()
	m.Marks = []*boardv1.Legend{{Key: "zone", Color: "#ff0000", Glyph: "z"}, {Key: "ruin", Glyph: "r"}}
	with := func(scale float64, marks ...string) *image.RGBA {
		b := hexBoard()
		b.Spaces = append(b.Spaces, &boardv1.SpaceState{Id: "D2", Marks: marks})
		return draw(t, b, m, Options{MapOnly: true, Scale: scale})
	}
	same := func(scale float64, mark string) bool {
		return bytes.Equal(with(scale).Pix, with(scale, mark).Pix)
	}
	if !same(0.2, "zone") {
		t.Error("a zone is drawn where a hex is small")
	}
	if same(2, "zone") || same(0.2, "ruin") {
		t.Error("a zone is not drawn close up, or another mark is not drawn")
	}
}

func TestMarkedSpacesAndPiecesDiffer(t *testing.T) {
	t.Parallel()
	plain := draw(t, hexBoard(), hexMap(), Options{MapOnly: true, Scale: 2})
	marked := draw(t, hexBoard(), hexMap(),
		Options{MapOnly: true, Scale: 2, Spaces: []string{"D2", "nowhere"}, Pieces: []string{"r1"}})
	if at(marked, 740, 300) == at(plain, 740, 300) {
		t.Error("a marked space looks as before")
	}
	if at(marked, 340, 100) != at(plain, 340, 100) {
		t.Error("an unmarked space changed")
	}
	changed := 0
	for y := 30; y < 170; y++ {
		for x := 430; x < 570; x++ {
			if at(plain, x, y) != at(marked, x, y) {
				changed++
			}
		}
	}
	if changed < 100 {
		t.Errorf("%d pixels around a marked piece changed", changed)
	}
}

func TestMarginsHoldBoxesAndQuestions(t *testing.T) {
	t.Parallel()
	b := hexBoard()
	with := draw(t, b, hexMap(), Options{Scale: 2})
	b.Pieces = b.Pieces[:1]
	without := draw(t, b, hexMap(), Options{Scale: 2})
	b.Prompts = nil
	silent := draw(t, b, hexMap(), Options{Scale: 2})
	bare := draw(t, b, hexMap(), Options{Scale: 2, MapOnly: true})
	heights := []int{with.Bounds().Dy(), without.Bounds().Dy(), silent.Bounds().Dy(), bare.Bounds().Dy()}
	for i := 1; i < len(heights); i++ {
		if heights[i] >= heights[i-1] {
			t.Errorf("heights %v: the %d. is not lower", heights, i+1)
		}
	}
}

func TestEqualBoardsGiveEqualBytes(t *testing.T) {
	t.Parallel()
	for _, name := range scenarios() {
		b := position(t, name, rules.English)
		var first bytes.Buffer
		for range 3 {
			var file bytes.Buffer
			if err := EncodePNG(&file, draw(t, proto.Clone(b).(*boardv1.Board), b.Map, Options{})); err != nil {
				t.Fatal(err)
			}
			if first.Len() == 0 {
				first = file
			} else if !bytes.Equal(first.Bytes(), file.Bytes()) {
				t.Errorf("%s: two pictures of one board differ", name)
			}
		}
	}
}

// TestPicturesOfBoards draws games as they begin and compares them with stored pictures of one pixel for 16 by 16.
// Fonts are a part of the program, so little may differ between machines.
func TestPicturesOfBoards(t *testing.T) {
	t.Parallel()
	for _, name := range scenarios() {
		b := position(t, name, rules.English)
		got := shrunk(draw(t, b, b.Map, Options{}), 16)
		golden := filepath.Join("testdata", name+".png")
		if os.Getenv("UPDATE") != "" {
			var file bytes.Buffer
			if err := EncodePNG(&file, got); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, file.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Bounds(), got.Bounds()); diff != "" {
			t.Fatalf("%s: size: %s", name, diff)
		}
		far := 0
		for y := range got.Bounds().Dy() {
			for x := range got.Bounds().Dx() {
				if apart(want.At(x, y), got.At(x, y)) > 12 {
					far++
				}
			}
		}
		if far > 0 {
			t.Errorf("%s: %d of %d cells differ; UPDATE=1 takes new pictures",
				name, far, got.Bounds().Dx()*got.Bounds().Dy())
		}
	}
}

func apart(a, b color.Color) int {
	r, g, c, _ := a.RGBA()
	x, y, z, _ := b.RGBA()
	d := func(p, q uint32) int { return max(int(p>>8)-int(q>>8), int(q>>8)-int(p>>8)) }
	return max(d(r, x), d(g, y), d(c, z))
}

// shrunk takes the mean of squares of pixels.
func shrunk(img *image.RGBA, side int) *image.RGBA {
	small := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx()/side, img.Bounds().Dy()/side))
	for y := range small.Bounds().Dy() {
		for x := range small.Bounds().Dx() {
			var sum [3]int
			for j := range side {
				for i := range side {
					c := img.RGBAAt(x*side+i, y*side+j)
					sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
				}
			}
			n := side * side
			small.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return small
}

// positions are games as they begin: a small one, hexes and areas.
var positions = map[string]func() rules.Ruleset{"ridge": toy.Ruleset, "olympic": downfall.New, "1941": anniversary.New,
	"proving-ground": ocs.New}

// scenarios are those that are drawn: with the race detector the small one alone.
func scenarios() []string {
	if testing.Short() {
		return []string{"ridge"}
	}
	return slices.Sorted(maps.Keys(positions))
}

// position is the board of a game as it begins, to a spectator, with its map.
func position(t testing.TB, scenario string, lang rules.Lang) *boardv1.Board {
	t.Helper()
	set := positions[scenario]()
	for _, d := range set.ScenarioDocuments() {
		if d.ID != scenario {
			continue
		}
		sc, faults := set.LoadScenario(d.Data)
		if faults.Fatal() {
			t.Fatal(faults)
		}
		o, err := set.About().NewOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		game := set.New(sc, o)
		if _, err := game.Start(dice.NewManual(slices.Repeat([]uint32{1}, 64))); err != nil {
			t.Fatal(err)
		}
		b := game.Board(rules.Viewer{}, lang)
		b.Map = set.Map(sc, lang)
		return b
	}
	t.Fatalf("no scenario %s", scenario)
	return nil
}

func TestJapaneseHasLetters(t *testing.T) {
	t.Parallel()
	for _, name := range scenarios() {
		b := position(t, name, rules.Japanese)
		draw(t, b, b.Map, Options{})
	}
	b := hexBoard()
	b.Prompts[0].Text = "移動する部隊を選択せよ。"
	japanese := draw(t, b, hexMap(), Options{})
	b.Prompts[0].Text = "\ue000\ue000\ue000\ue000\ue000\ue000\ue000\ue000\ue000\ue000\ue000\ue000" // no font has these
	boxes := draw(t, b, hexMap(), Options{})
	if bytes.Equal(japanese.Pix, boxes.Pix) {
		t.Error("Japanese looks like letters that no font has")
	}
}

func TestWhatCannotBeDrawnIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Draw(hexBoard(), hexMap(), Options{Around: "Z9"}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("an unknown space: %v", err)
	}
	for name, o := range map[string]Options{"huge": {Scale: 1e6}, "negative": {Scale: -1}} {
		if _, err := Draw(hexBoard(), hexMap(), o); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Draw(nil, nil, Options{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("no map: %v", err)
	}
}
