package picture

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/mattn/go-runewidth"
)

// style is how a cell looks; colours are "#rrggbb" or empty.
type style struct {
	fg, bg string
	bold   bool
}

// cell is one place of the canvas. A wide character leaves the cell after it empty.
type cell struct {
	r    rune
	skip bool
	s    style
}

// canvas is a sheet of cells that text is put on.
type canvas struct {
	w, h  int
	cells []cell
}

func newCanvas(w, h int) *canvas {
	c := &canvas{w: w, h: h, cells: make([]cell, w*h)}
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// at is a cell; nil off the canvas.
func (c *canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= c.w || y >= c.h {
		return nil
	}
	return &c.cells[y*c.w+x]
}

func (c *canvas) set(x, y int, r rune, s style) {
	if p := c.at(x, y); p != nil {
		*p = cell{r: r, s: s}
	}
}

// put writes text and gives the number of cells that it took. What does not fit into width is cut off.
func (c *canvas) put(x, y, width int, text string, s style) int {
	used := 0
	for _, r := range text {
		n := widths.RuneWidth(r)
		if n == 0 {
			continue
		}
		if used+n > width {
			break
		}
		c.set(x+used, y, r, s)
		if n == 2 {
			if p := c.at(x+used+1, y); p != nil {
				*p = cell{skip: true}
			}
		}
		used += n
	}
	return used
}

// widths counts cells alike on every terminal: characters of doubtful width are narrow.
var widths = &runewidth.Condition{}

// clip cuts text to a number of cells.
func clip(text string, width int) string { return widths.Truncate(text, max(width, 0), "") }

// wide is the number of cells that text takes.
func wide(text string) int { return widths.StringWidth(text) }

// pad fills text up to a number of cells, or cuts it.
func pad(text string, width int) string { return widths.FillRight(clip(text, width), width) }

// painter turns styles into what the terminal understands.
type painter struct {
	renderer *lipgloss.Renderer
	plain    bool
}

func (p painter) paint(s style, text string) string {
	if p.plain || s == (style{}) || text == "" {
		return text
	}
	look := p.renderer.NewStyle().Bold(s.bold)
	if s.fg != "" {
		look = look.Foreground(lipgloss.Color(s.fg))
	}
	if s.bg != "" {
		look = look.Background(lipgloss.Color(s.bg))
	}
	return look.Render(text)
}

// render turns the canvas into lines, without blanks at their ends.
func (c *canvas) render(p painter) string {
	var out strings.Builder
	for y := range c.h {
		row := c.cells[y*c.w : (y+1)*c.w]
		for len(row) > 0 && !row[len(row)-1].skip && row[len(row)-1].r == ' ' &&
			(p.plain || row[len(row)-1].s.bg == "") {
			row = row[:len(row)-1]
		}
		var run strings.Builder
		var look style
		for _, one := range row {
			if one.skip {
				continue
			}
			if one.s != look {
				out.WriteString(p.paint(look, run.String()))
				run.Reset()
				look = one.s
			}
			run.WriteRune(one.r)
		}
		out.WriteString(p.paint(look, run.String()))
		out.WriteByte('\n')
	}
	return out.String()
}
