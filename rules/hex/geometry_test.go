package hex

import (
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
