package hex

import "fmt"

// grid finds the index of a place in constant time.
type grid struct {
	cells        []Index
	line, half   int // of the first cell
	lines, width int
}

func newGrid(places []place) (grid, error) {
	loLine, hiLine := int(places[0].line), int(places[0].line)
	loHalf, hiHalf := int(places[0].along>>1), int(places[0].along>>1)
	for _, p := range places {
		loLine, hiLine = min(loLine, int(p.line)), max(hiLine, int(p.line))
		loHalf, hiHalf = min(loHalf, int(p.along>>1)), max(hiHalf, int(p.along>>1))
	}
	g := grid{line: loLine, half: loHalf, lines: hiLine - loLine + 1, width: hiHalf - loHalf + 1}
	if g.lines*g.width > maxGrid {
		return grid{},
			fmt.Errorf("hex map: %d hexes spread over %d by %d, want at most %d cells",
				len(places), g.lines, g.width, maxGrid)
	}
	g.cells = make([]Index, g.lines*g.width)
	for i := range g.cells {
		g.cells[i] = None
	}
	for i, p := range places {
		g.cells[g.cell(p)] = Index(i)
	}
	return g, nil
}

// cell is -1 outside the grid. Places of one line are 2 apart, so halving along keeps them apart.
func (g *grid) cell(p place) int {
	line, half := int(p.line)-g.line, int(p.along>>1)-g.half
	if line < 0 || line >= g.lines || half < 0 || half >= g.width {
		return -1
	}
	return line*g.width + half
}

func (g *grid) at(p place) Index {
	if c := g.cell(p); c >= 0 {
		return g.cells[c]
	}
	return None
}
