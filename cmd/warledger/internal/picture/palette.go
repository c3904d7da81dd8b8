package picture

import (
	"strconv"

	"github.com/muesli/termenv"
)

const noColours = termenv.Ascii

func itoa(n int) string { return strconv.Itoa(n) }

// dim is for what is there to be overlooked: borders, ids.
const dim = "#808080"

// on is black or white, whichever can be read on a colour.
func on(color string) string {
	r, g, b, ok := rgb(color)
	if !ok {
		return ""
	}
	if 299*r+587*g+114*b > 140_000 {
		return "#000000"
	}
	return "#ffffff"
}

func rgb(color string) (r, g, b int, ok bool) {
	if len(color) != 7 || color[0] != '#' {
		return 0, 0, 0, false
	}
	n, err := strconv.ParseUint(color[1:], 16, 32)
	return int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff), err == nil
}

// fill is text on a colour.
func fill(color string) style {
	if _, _, _, ok := rgb(color); !ok {
		return style{}
	}
	return style{fg: on(color), bg: color}
}
