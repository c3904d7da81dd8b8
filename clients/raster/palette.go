package raster

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// The colours of what belongs to no ruleset.
const (
	paper    = "#efe9d8"
	tableTop = "#cfc8b0"
	darkInk  = "#17150f"
	paleInk  = "#fffdf4"
	neutral  = "#cfc8b4"
	fallback = "#d8d2bd"
	night    = "#1c1a16"
)

// hex is "#rrggbb" as a colour of an opacity; grey for anything else.
func hex(text string, alpha float64) color.NRGBA {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 || text[0] != '#' {
		n = 0x8a8578
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), uint8(math.Round(clamp(alpha, 0, 1) * 255))}
}

// inkOn is the darker or the paler ink, whichever is read better on a colour.
func inkOn(ground string) string {
	c := hex(ground, 1)
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	if 0.2126*linear(c.R)+0.7152*linear(c.G)+0.0722*linear(c.B) > 0.2 {
		return darkInk
	}
	return paleInk
}

// emblems give each seat the shortest beginning of its name that no other has, or its initials, so that colour
// is never the only sign.
func emblems(seats []*boardv1.SeatView) map[string]string {
	all := make(map[string]string)
	for _, s := range seats {
		all[s.GetId()] = emblem(s.GetName(), seats)
	}
	return all
}

func emblem(name string, seats []*boardv1.SeatView) string {
	alone := func(of func(string) string) bool {
		n := 0
		for _, s := range seats {
			if of(s.GetName()) == of(name) {
				n++
			}
		}
		return n == 1
	}
	if len(strings.Fields(name)) > 1 && alone(initials) {
		return initials(name)
	}
	length := len([]rune(name))
	for n := 1; n < length; n++ {
		if start := func(s string) string { r := []rune(s); return string(r[:min(n, len(r))]) }; alone(start) {
			return start(name)
		}
	}
	return name
}

func initials(name string) string {
	var out []rune
	for _, w := range strings.Fields(name) {
		out = append(out, []rune(w)[0])
	}
	return string(out)
}
