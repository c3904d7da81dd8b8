package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/hex"
)

// Two hexes, one north of the other, are drawn with a free edge and to whole points.
func TestCanvas(t *testing.T) {
	t.Parallel()
	g := hex.Geometry{
		Orientation: hex.FlatTop, Order: hex.ColumnRow, Shifted: hex.Even, Shift: hex.South,
		Columns: hex.East, Rows: hex.South, Format: hex.Format{First: 2, Second: 2},
	}
	north, south := hex.Coord{}, hex.Coord{}
	for id, c := range map[string]*hex.Coord{"0101": &north, "0102": &south} {
		at, err := g.Parse(id)
		if *c = at; err != nil {
			t.Fatal(err)
		}
	}
	m, err := hex.NewMap(g, []hex.Coord{north, south})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCanvas(m, 40)
	point := func(x, y float64) *boardv1.Point { return &boardv1.Point{X: x, Y: y} }
	want := &boardv1.Space{
		Id: "0101", Centre: point(33, 30), Label: point(33, 44), Neighbors: []string{"0102"},
		Outline: []*boardv1.Ring{{Points: []*boardv1.Point{
			point(22, 10), point(45, 10), point(56, 30), point(45, 50), point(22, 50), point(10, 30),
		}}},
	}
	if diff := cmp.Diff(want, c.Space(m.At(north)), protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if c.Width != 67 || c.Height != 100 {
		t.Errorf("the drawing is %v by %v", c.Width, c.Height)
	}
	d, _ := m.DirTo(m.At(north), m.At(south))
	side := []*boardv1.Point{point(45, 50), point(22, 50)}
	if diff := cmp.Diff(side, c.Side(m.At(north), d), protocmp.Transform()); diff != "" {
		t.Errorf("side (-want +got)\n%s", diff)
	}
}
