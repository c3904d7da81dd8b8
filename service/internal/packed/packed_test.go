package packed

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

func ring(xy ...float64) []*boardv1.Ring {
	r := new(boardv1.Ring)
	for i := 0; i < len(xy); i += 2 {
		r.Points = append(r.Points, &boardv1.Point{X: xy[i], Y: xy[i+1]})
	}
	return []*boardv1.Ring{r}
}

// TestMap: hexes are packed one by one, areas by the borders that they have in common, and what is not of whole numbers
// or not on the map stays as it is. The map itself is not changed.
func TestMap(t *testing.T) {
	t.Parallel()
	var coast, back []float64 // twenty points in common, and two more each
	for i := range 20 {
		coast = append(coast, float64(90*i), float64(i%3))
		back = append(back, float64(90*(19-i)), float64((19-i)%3))
	}
	coast, back = append(coast, 1800, 900, 0, 903), append(back, 0, -900, 1800, -903)
	for name, c := range map[string]struct{ in, want []*boardv1.Space }{
		"one by one": {
			[]*boardv1.Space{{Id: "a", Outline: ring(1, 2, 3, 5, 0, 9), Neighbors: []string{"b"},
				Centre: &boardv1.Point{X: 1, Y: 5}, City: &boardv1.Point{X: 2, Y: 2}},
				{Id: "b", Neighbors: []string{"a"}, Centre: &boardv1.Point{X: 7, Y: 5},
					Label: &boardv1.Point{X: 6, Y: 9}}},
			[]*boardv1.Space{{Id: "a", Outline: []*boardv1.Ring{{Steps: []int32{1, 2, 2, 3, -3, 4}}},
				NeighborSteps: []int32{1}, Spots: []int32{1, 5}, City: &boardv1.Point{X: 2, Y: 2}},
				{Id: "b", NeighborSteps: []int32{-1}, Spots: []int32{7, 5, -1, 4}}},
		},
		"borders": {
			[]*boardv1.Space{{Id: "a", Outline: ring(coast...)}, {Id: "b", Outline: ring(back...)}},
			[]*boardv1.Space{{Id: "a", Outline: []*boardv1.Ring{{Borders: []int32{0, 0}}}},
				{Id: "b", Outline: []*boardv1.Ring{{Borders: []int32{-1, 0}}}}},
		},
		"as it is": {
			[]*boardv1.Space{{Id: "a", Outline: ring(1, 2.5, 3, 5, 0, 9), Neighbors: []string{"elsewhere"},
				Centre: &boardv1.Point{X: 1e9, Y: 5}}},
			[]*boardv1.Space{{Id: "a", Outline: ring(1, 2.5, 3, 5, 0, 9), Neighbors: []string{"elsewhere"},
				Centre: &boardv1.Point{X: 1e9, Y: 5}}},
		},
	} {
		m := &boardv1.Map{Width: 9, Spaces: c.in}
		before := cmp.Diff(nil, m, protocmp.Transform())
		got := Map(m)
		if diff := cmp.Diff(c.want, got.GetSpaces(), protocmp.Transform()); diff != "" || got.GetWidth() != 9 {
			t.Errorf("%s, width %v (-want +got):\n%s", name, got.GetWidth(), diff)
		}
		if after := cmp.Diff(nil, m, protocmp.Transform()); after != before {
			t.Errorf("%s: the map is another than before:\n%s", name, after)
		}
	}
}
