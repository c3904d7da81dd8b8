package flower

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules/hex"
)

// The names say where the hexes lie.
func TestNamesLieAsTheySay(t *testing.T) {
	t.Parallel()
	grid := hex.Geometry{
		Orientation: hex.PointyTop, Order: hex.RowColumn, Shifted: hex.Odd, Shift: hex.East, Columns: hex.East,
		Rows: hex.North, Format: hex.Format{First: 2, Second: 2},
	}
	centre, err := grid.Parse(ID("C"))
	if err != nil {
		t.Fatal(err)
	}
	want := make([]string, 1+3*hex.NumDirs)
	want[0] = "C " + grid.ID(centre)
	for i := range hex.NumDirs {
		d := hex.Dir(i)
		near := grid.Neighbor(centre, d)
		for ring, at := range []hex.Coord{near, grid.Neighbor(near, d), grid.Neighbor(near, d.Turn(1))} {
			want[1+ring*hex.NumDirs+i] = fmt.Sprintf("%c%d %s", "NKE"[ring], i+1, grid.ID(at))
		}
	}
	var got []string
	for _, name := range Names() {
		got = append(got, name+" "+ID(name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-as named +in the document)\n%s", diff)
	}
	if ID("4016") != "4016" {
		t.Error("an id does not stay as it is")
	}
}
