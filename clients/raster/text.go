package raster

import (
	_ "embed"
	"image"
	"image/color"
	"math"
	"sync"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// mplus is the font for Japanese, M+ 1p of the M+ Fonts Project; its licence is beside it.
//
//go:embed fonts/mplus-1p-regular.ttf
var mplus []byte

// cuts are the fonts by weight, and behind each the one that has Japanese.
type cuts struct{ regular, bold, wide *opentype.Font }

// parsed reads the embedded fonts once. They are a part of the program, so one that cannot be read is
// a fault of the build.
var parsed = sync.OnceValue(func() cuts {
	read := func(data []byte) *opentype.Font {
		f, err := opentype.Parse(data)
		if err != nil {
			panic(err)
		}
		return f
	}
	return cuts{read(goregular.TTF), read(gobold.TTF), read(mplus)}
})

// weight of letters.
type weight int

const (
	regular weight = iota
	bold
	wide
)

// writer writes text into a picture. Faces are not safe for concurrent use, so each picture has its own.
type writer struct {
	image  *image.RGBA
	faces  map[faceKey]font.Face
	buffer sfnt.Buffer
}

type faceKey struct {
	w    weight
	size int // in quarters of a pixel
}

// leastSize is below what letters are not written: nobody could read them.
const leastSize = 5.0

func (w *writer) face(weight weight, size float64) font.Face {
	key := faceKey{weight, int(math.Round(min(size, 200) * 4))}
	if f := w.faces[key]; f != nil {
		return f
	}
	c := parsed()
	f, err := opentype.NewFace([]*opentype.Font{c.regular, c.bold, c.wide}[weight],
		&opentype.FaceOptions{Size: float64(key.size) / 4, DPI: 72})
	if err != nil {
		panic(err) // no size or resolution makes the package fail
	}
	w.faces[key] = f
	return f
}

// faceOf is the face that has a letter: the Go font of the weight, or else M+.
func (w *writer) faceOf(r rune, weight weight, size float64) font.Face {
	c := parsed()
	if i, err := []*opentype.Font{c.regular, c.bold}[weight].GlyphIndex(&w.buffer, r); err == nil && i != 0 {
		return w.face(weight, size)
	}
	return w.face(wide, size)
}

// measure is the width of a text in pixels.
func (w *writer) measure(text string, weight weight, size float64) float64 {
	sum := fixed.Int26_6(0)
	for _, r := range text {
		if a, ok := w.faceOf(r, weight, size).GlyphAdvance(r); ok {
			sum += a
		}
	}
	return float64(sum) / 64
}

// write puts a text with its baseline at a place; ax is what part of its width lies left of it.
func (w *writer) write(text string, x, y, ax float64, weight weight, size float64, c color.Color) {
	if size < leastSize || text == "" {
		return
	}
	if ax != 0 {
		x -= w.measure(text, weight, size) * ax
	}
	if x < -4000 || y < -4000 || x > 40_000 || y > 40_000 || math.IsNaN(x+y) {
		return
	}
	d := font.Drawer{Dst: w.image, Src: image.NewUniform(c),
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		d.Face = w.faceOf(r, weight, size)
		d.DrawString(text[:n])
		text = text[n:]
	}
}

// halo is write with a pale rim, for letters on a map.
func (w *writer) halo(text string, x, y, ax float64, weight weight, size float64, ink, rim color.Color) {
	if size < leastSize {
		return
	}
	x -= w.measure(text, weight, size) * ax
	r := max(size*0.11, 0.8)
	for _, d := range [...][2]float64{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-.7, -.7}, {.7, -.7}, {-.7, .7}, {.7, .7}} {
		w.write(text, x+d[0]*r, y+d[1]*r, 0, weight, size, rim)
	}
	w.write(text, x, y, 0, weight, size, ink)
}

// clip shortens a text to a width, with an ellipsis where something is missing.
func (w *writer) clip(text string, width float64, weight weight, size float64) string {
	if w.measure(text, weight, size) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && w.measure(string(runes)+"…", weight, size) > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// wrap breaks a text into lines of a width: at blanks, and between any two letters of Japanese.
func (w *writer) wrap(text string, width float64, weight weight, size float64) []string {
	var lines []string
	line, lastBlank := []rune(nil), -1
	for _, r := range text {
		if r == ' ' && len(line) == 0 {
			continue
		}
		line = append(line, r)
		if r == ' ' {
			lastBlank = len(line) - 1
		}
		if w.measure(string(line), weight, size) <= width || len(line) < 2 {
			continue
		}
		cut := len(line) - 1
		if r < 0x2e80 && lastBlank > 0 {
			cut = lastBlank
		}
		lines = append(lines, string(line[:cut]))
		rest := line[cut:]
		for len(rest) > 0 && rest[0] == ' ' {
			rest = rest[1:]
		}
		line, lastBlank = append([]rune(nil), rest...), -1
	}
	if len(line) > 0 {
		lines = append(lines, string(line))
	}
	return lines
}
