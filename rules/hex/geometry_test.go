package hex

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// downfall is the numbering of Downfall's map: rows of hexes numbered to the north, then the place in the row to the
// east; odd rows lie half a hex to the east.
var downfall = Geometry{
	Orientation: PointyTop, Order: RowColumn, Shifted: Odd, Shift: East, Columns: East, Rows: North,
	Format: Format{First: 2, Second: 2},
}

// crimea is the numbering of OCS Crimea: columns to the east, rows to the north, even columns half a hex further north.
var crimea = Geometry{
	Orientation: FlatTop, Order: ColumnRow, Shifted: Even, Shift: North, Columns: East, Rows: North,
	Format: Format{First: 2, Second: 2, Separator: "."},
}

func TestDownfallNeighbors(t *testing.T) {
	t.Parallel()
	dirs := []Dir{PointyW, PointyE, PointyNW, PointyNE, PointySW, PointySE}
	for c := int16(1); c < 30; c++ {
		for r := int16(1); r < 30; r++ {
			want := [][2]int16{{c, r - 1}, {c, r + 1}, {c + 1, r - 1}, {c + 1, r}, {c - 1, r - 1}, {c - 1, r}}
			if c%2 == 1 {
				want = [][2]int16{{c, r - 1}, {c, r + 1}, {c + 1, r}, {c + 1, r + 1}, {c - 1, r}, {c - 1, r + 1}}
			}
			var got [][2]int16
			for _, d := range dirs {
				n := downfall.Neighbor(Coord{Row: c, Col: r}, d)
				got = append(got, [2]int16{n.Row, n.Col})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%02d%02d (-want +got):\n%s", c, r, diff)
			}
		}
	}
}

func TestCrimeaNeighbors(t *testing.T) {
	t.Parallel()
	dirs := []Dir{FlatN, FlatNE, FlatSE, FlatS, FlatSW, FlatNW}
	for c := int16(1); c < 30; c++ {
		for r := int16(1); r < 30; r++ {
			want := [][2]int16{{c, r + 1}, {c + 1, r + 1}, {c + 1, r}, {c, r - 1}, {c - 1, r}, {c - 1, r + 1}}
			if c%2 == 1 {
				want = [][2]int16{{c, r + 1}, {c + 1, r}, {c + 1, r - 1}, {c, r - 1}, {c - 1, r - 1}, {c - 1, r}}
			}
			var got [][2]int16
			for _, d := range dirs {
				n := crimea.Neighbor(Coord{Col: c, Row: r}, d)
				got = append(got, [2]int16{n.Col, n.Row})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%02d.%02d (-want +got):\n%s", c, r, diff)
			}
		}
	}
}

// layouts are all geometries of ids like "12.03".
func layouts() []Geometry {
	var all []Geometry
	for _, order := range []Order{ColumnRow, RowColumn} {
		for _, shifted := range []Parity{Even, Odd} {
			for _, columns := range []Way{East, West} {
				for _, rows := range []Way{North, South} {
					g := Geometry{Order: order, Shifted: shifted, Columns: columns, Rows: rows,
						Format: Format{2, 2, "."}}
					for _, shift := range []Way{North, South, East, West} {
						g.Shift, g.Orientation = shift, FlatTop
						if shift == East || shift == West {
							g.Orientation = PointyTop
						}
						all = append(all, g)
					}
				}
			}
		}
	}
	return all
}

// TestLayoutsLieOnThePlane checks every layout against its words: where a hex is drawn, by the meaning of the fields,
// and where its neighbours are, by the compass.
func TestLayoutsLieOnThePlane(t *testing.T) {
	t.Parallel()
	all := layouts()
	if len(all) != 64 {
		t.Fatalf("%d layouts", len(all))
	}
	for _, g := range all {
		for col := int16(0); col < 7; col++ {
			for row := int16(0); row < 7; row++ {
				c := Coord{col, row}
				if got, want := g.Center(c), drawn(g, c); !near(got, want) {
					t.Fatalf("%+v: center of %v is %v, want %v", g, c, got, want)
				}
				checkNeighbors(t, g, c)
			}
		}
	}
}

func drawn(g Geometry, c Coord) Point {
	unitX, unitY := math.Sqrt(3)/2, 1.0
	line := c.Col
	if g.Orientation == PointyTop {
		unitX, unitY = unitY, unitX
		line = c.Row
	}
	p := Point{float64(c.Col) * unitX, float64(c.Row) * unitY}
	if g.Columns == West {
		p.X = -p.X
	}
	if g.Rows == North {
		p.Y = -p.Y
	}
	if (g.Shifted == Even) == (line%2 == 0) {
		by := map[Way]Point{North: {0, -.5}, South: {0, .5}, East: {.5, 0}, West: {-.5, 0}}[g.Shift]
		p = Point{p.X + by.X, p.Y + by.Y}
	}
	return p
}

func checkNeighbors(t *testing.T, g Geometry, c Coord) {
	t.Helper()
	degrees := map[string]float64{"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}
	if g.Orientation == PointyTop {
		degrees = map[string]float64{"NE": 30, "E": 90, "SE": 150, "SW": 210, "W": 270, "NW": 330}
	}
	center, corners := g.Center(c), g.Corners(c)
	for d := range Dir(NumDirs) {
		n := g.Neighbor(c, d)
		sin, cos := math.Sincos(degrees[g.Orientation.DirName(d)] * math.Pi / 180)
		if want := (Point{center.X + sin, center.Y - cos}); !near(g.Center(n), want) {
			t.Fatalf("%+v: %v is %s of %v but drawn at %v, want %v",
				g, n, g.Orientation.DirName(d), c, g.Center(n), want)
		}
		if back := g.Neighbor(n, d.Opposite()); back != c {
			t.Fatalf("%+v: %v and back is %v", g, c, back)
		}
		if g.Distance(c, n) != 1 {
			t.Fatalf("%+v: distance %v %v is %d", g, c, n, g.Distance(c, n))
		}
		mine := [2]Point{corners[d], corners[d.Turn(1)]}
		theirs := g.Corners(n)
		if !near(mine[0], theirs[d.Turn(4)]) || !near(mine[1], theirs[d.Turn(3)]) {
			t.Fatalf("%+v: side %s of %v is drawn at %v, from the other hex at %v",
				g, g.Orientation.DirName(d), c, mine, theirs)
		}
	}
}

func near(a, b Point) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) < 1e-9 }

func TestGeometryFaults(t *testing.T) {
	t.Parallel()
	with := func(change func(*Geometry)) Geometry {
		g := crimea
		change(&g)
		return g
	}
	tests := []struct {
		name string
		g    Geometry
		want []string // "" for none
	}{
		{"downfall", downfall, nil},
		{"crimea", crimea, nil},
		{"columns shifted east", with(func(g *Geometry) { g.Shift = East }),
			[]string{"shift of columns is east, want north or south"}},
		{"rows shifted north", with(func(g *Geometry) { g.Orientation = PointyTop }),
			[]string{"shift of rows is north, want east or west"}},
		{"no parity", with(func(g *Geometry) { g.Shifted = 0 }), []string{"shifted parity is 0"}},
		{"no separator", with(func(g *Geometry) { g.Format = Format{} }), []string{"need a separator"}},
		{"digit as separator", with(func(g *Geometry) { g.Format.Separator = "0" }), []string{`separator "0"`}},
		{"long separator", with(func(g *Geometry) { g.Format.Separator = "----" }), []string{`separator "----"`}},
		{"long numbers", with(func(g *Geometry) { g.Format.First = 5 }), []string{"digits are 5 and 2"}},
		{"all at once", Geometry{}, []string{"orientation", "order", "parity", "columns", "rows", "separator"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.g.Validate()
			if (err == nil) != (tt.want == nil) {
				t.Fatalf("got %v", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
		})
	}
}

func TestDirNames(t *testing.T) {
	t.Parallel()
	for _, o := range []Orientation{FlatTop, PointyTop} {
		for d := range Dir(NumDirs) {
			got, err := o.ParseDir(o.DirName(d))
			if err != nil || got != d {
				t.Errorf("%v: %s parses as %d, %v", o, o.DirName(d), got, err)
			}
		}
	}
	if _, err := FlatTop.ParseDir("E"); err == nil || !strings.Contains(err.Error(), "flat top") {
		t.Errorf("E on a flat map: %v", err)
	}
	if Dir(1).Turn(-2) != 5 || Dir(5).Turn(8) != 1 {
		t.Error("turns")
	}
}
