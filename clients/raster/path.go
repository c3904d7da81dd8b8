package raster

import (
	"math"
	"strconv"
	"strings"
)

// pen is what outlines are drawn with: lines and curves in a box of its own, as a context of gg has them.
type pen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CubicTo(x1, y1, x2, y2, x3, y3 float64)
	ClosePath()
}

// arity is how many numbers each command of SVG path data takes.
var arity = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

// longest is how many letters of path data are read: what is longer is no silhouette.
const longest = 20_000

// farthest is how far from its box of 100 by 100 a silhouette is followed.
const farthest = 1e5

// tracer follows path data.
type tracer struct {
	pen                  pen
	at                   func(x, y float64) (float64, float64)
	x, y, startX, startY float64
	controlX, controlY   float64 // of the last curve, for those that go on smoothly
	last                 byte
	open                 bool
}

// trace draws SVG path data, each point where at puts it. What it does not understand ends it: a
// shape comes from outside.
func trace(p pen, data string, at func(x, y float64) (float64, float64)) {
	t := &tracer{pen: p, at: func(x, y float64) (float64, float64) {
		return at(clamp(x, -farthest, farthest), clamp(y, -farthest, farthest))
	}}
	data = data[:min(len(data), longest)]
	command := byte(0)
	for {
		data = strings.TrimLeft(data, " ,\t\r\n")
		if data == "" {
			return
		}
		if c := data[0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			command, data = c, data[1:]
		} else if command == 0 || command == 'Z' || command == 'z' {
			return
		}
		n, known := arity[command&^0x20]
		if !known {
			return
		}
		var v [7]float64
		for i := range n {
			var ok bool
			if v[i], data, ok = number(data, command&^0x20 == 'A' && (i == 3 || i == 4)); !ok {
				return
			}
		}
		t.step(command, v)
		if command == 'M' || command == 'm' { // further pairs are lines
			command--
		}
	}
}

// number reads the number that a text begins with; a flag of an arc is a single digit.
func number(s string, flag bool) (float64, string, bool) {
	s = strings.TrimLeft(s, " ,\t\r\n")
	if flag {
		if s == "" || s[0] != '0' && s[0] != '1' {
			return 0, s, false
		}
		return float64(s[0] - '0'), s[1:], true
	}
	n, point := 0, false
	for ; n < len(s); n++ {
		c := s[n]
		switch {
		case c >= '0' && c <= '9':
			continue
		case (c == '-' || c == '+') && (n == 0 || s[n-1] == 'e' || s[n-1] == 'E'):
			continue
		case c == '.' && !point:
			point = true
			continue
		case (c == 'e' || c == 'E') && n > 0:
			point = true
			continue
		}
		break
	}
	v, err := strconv.ParseFloat(s[:n], 64)
	return clamp(v, -1e4, 1e4), s[n:], err == nil && !math.IsNaN(v)
}

func (t *tracer) step(command byte, v [7]float64) {
	kind := command &^ 0x20
	if command != kind { // relative: every coordinate counts from where the pen is
		dx, dy := t.x, t.y
		switch kind {
		case 'V':
			v[0] += dy
		case 'A':
			v[5], v[6] = v[5]+dx, v[6]+dy
		case 'H':
			v[0] += dx
		default:
			for i := range v {
				v[i] += []float64{dx, dy}[i%2]
			}
		}
	}
	switch kind {
	case 'M':
		t.startX, t.startY, t.x, t.y, t.open = v[0], v[1], v[0], v[1], true
		t.pen.MoveTo(t.at(v[0], v[1]))
	case 'L':
		t.line(v[0], v[1])
	case 'H':
		t.line(v[0], t.y)
	case 'V':
		t.line(t.x, v[0])
	case 'C':
		t.cubic(v[0], v[1], v[2], v[3], v[4], v[5])
	case 'S':
		x, y := t.mirror("CS")
		t.cubic(x, y, v[0], v[1], v[2], v[3])
	case 'Q':
		t.quadratic(v[0], v[1], v[2], v[3])
	case 'T':
		x, y := t.mirror("QT")
		t.quadratic(x, y, v[0], v[1])
	case 'A':
		t.arc(v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5], v[6])
	case 'Z':
		if t.open {
			t.pen.ClosePath()
		}
		t.x, t.y = t.startX, t.startY
	}
	t.last = kind
}

func (t *tracer) begin() {
	if !t.open {
		t.pen.MoveTo(t.at(t.x, t.y))
		t.open = true
	}
}

func (t *tracer) line(x, y float64) {
	t.begin()
	t.x, t.y = x, y
	t.pen.LineTo(t.at(x, y))
}

func (t *tracer) cubic(x1, y1, x2, y2, x, y float64) {
	t.begin()
	a, b := t.at(x1, y1)
	c, d := t.at(x2, y2)
	e, f := t.at(x, y)
	t.pen.CubicTo(a, b, c, d, e, f)
	t.controlX, t.controlY, t.x, t.y = x2, y2, x, y
}

func (t *tracer) quadratic(x1, y1, x, y float64) {
	x0, y0 := t.x, t.y
	t.cubic(x0+(x1-x0)*2/3, y0+(y1-y0)*2/3, x+(x1-x)*2/3, y+(y1-y)*2/3, x, y)
	t.controlX, t.controlY = x1, y1
}

// mirror is the control point that continues the last curve, if that was of the right kind.
func (t *tracer) mirror(after string) (x, y float64) {
	if t.last != 0 && strings.IndexByte(after, t.last) >= 0 {
		return 2*t.x - t.controlX, 2*t.y - t.controlY
	}
	return t.x, t.y
}

// arc draws a part of an ellipse as curves, by the conversion in the notes on implementation of SVG 1.1 (F.6.5).
func (t *tracer) arc(rx, ry, turn float64, large, sweep bool, x, y float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx < 1e-3 || ry < 1e-3 || math.Abs(x-t.x) > farthest || math.Abs(y-t.y) > farthest || x == t.x && y == t.y {
		t.line(x, y)
		return
	}
	sin, cos := math.Sincos(turn * math.Pi / 180)
	hx, hy := (t.x-x)/2, (t.y-y)/2
	px, py := cos*hx+sin*hy, cos*hy-sin*hx
	if over := px*px/(rx*rx) + py*py/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	k := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*py*py-ry*ry*px*px)/(rx*rx*py*py+ry*ry*px*px)))
	if large == sweep {
		k = -k
	}
	qx, qy := k*rx*py/ry, -k*ry*px/rx
	cx, cy := cos*qx-sin*qy+(t.x+x)/2, sin*qx+cos*qy+(t.y+y)/2
	from := math.Atan2((py-qy)/ry, (px-qx)/rx)
	span := math.Atan2((-py-qy)/ry, (-px-qx)/rx) - from
	if sweep && span < 0 {
		span += 2 * math.Pi
	} else if !sweep && span > 0 {
		span -= 2 * math.Pi
	}
	parts := int(math.Ceil(math.Abs(span)/(math.Pi/2) - 1e-9))
	step := span / float64(max(parts, 1))
	reach := 4.0 / 3 * math.Tan(step/4)
	on := func(a, b float64) (float64, float64) { return cx + cos*rx*a - sin*ry*b, cy + sin*rx*a + cos*ry*b }
	for range parts {
		s0, c0 := math.Sincos(from)
		s1, c1 := math.Sincos(from + step)
		x1, y1 := on(c0-reach*s0, s0+reach*c0)
		x2, y2 := on(c1+reach*s1, s1-reach*c1)
		x3, y3 := on(c1, s1)
		t.cubic(x1, y1, x2, y2, x3, y3)
		from += step
	}
}
