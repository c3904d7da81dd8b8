package hex_test

import (
	"fmt"

	"github.com/warledger/warledger/rules/hex"
)

// Columns are numbered to the east and rows to the north; even columns lie half a hex further north. Ids are "CC.RR".
func Example() {
	g := hex.Geometry{
		Orientation: hex.FlatTop, Order: hex.ColumnRow, Shifted: hex.Even, Shift: hex.North,
		Columns: hex.East, Rows: hex.North, Format: hex.Format{First: 2, Second: 2, Separator: "."},
	}
	var coords []hex.Coord
	for col := int16(1); col <= 10; col++ {
		for row := int16(1); row <= 10; row++ {
			coords = append(coords, hex.Coord{Col: col, Row: row})
		}
	}
	m, err := hex.NewMap(g, coords)
	if err != nil {
		panic(err)
	}
	from, _ := m.ByID("05.05")
	to, _ := m.ByID("08.05")
	river := m.NewSideSet()
	side, _ := m.SideBetween(from, m.Neighbor(from, hex.FlatNE))
	river.Add(side)

	var flood hex.Flood
	path, cost, ok := flood.CheapestPath(nil, m, from, to, 6, func(from, _ hex.Index, d hex.Dir) (int, hex.Verdict) {
		if river.Has(m.Side(from, d)) {
			return 3, hex.Pass
		}
		return 1, hex.Pass
	})
	fmt.Println("cost", cost, ok)
	for _, i := range path {
		fmt.Print(m.ID(i), " ")
	}
	// Output:
	// cost 3 true
	// 05.05 06.04 07.05 08.05
}
