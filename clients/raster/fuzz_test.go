package raster

import (
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// sheet notes whether path data yields anything that is not a number.
type sheet struct{ t *testing.T }

func (s sheet) see(all ...float64) {
	for _, v := range all {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			s.t.Fatalf("a point at %v", all)
		}
	}
}
func (s sheet) MoveTo(x, y float64)              { s.see(x, y) }
func (s sheet) LineTo(x, y float64)              { s.see(x, y) }
func (s sheet) CubicTo(a, b, c, d, e, f float64) { s.see(a, b, c, d, e, f) }
func (s sheet) ClosePath()                       {}

func FuzzPathData(f *testing.F) {
	for _, d := range []string{"M0 30 30 0H58L0 58Z", "m1-1.5.5a1 2 30 01 4 4z", "M0 0C1 2 3 4 5 6S7 8 9 9Q1 1 2 2T5 5",
		"A1 1 0 1 0 3 3", "M1e3 1e-3V4h2v1", "M0 0A0 1 0 0 0 1 1A1e-9 1 0 0 0 5 5"} {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, data string) {
		trace(sheet{t}, data, func(x, y float64) (float64, float64) { return x, y })
	})
}

func FuzzDraw(f *testing.F) {
	for _, b := range []*boardv1.Board{{}, hexBoard()} {
		b.Map = hexMap()
		f.Add(protojson.Format(b), "C1")
	}
	f.Add(`{"map":{"width":10,"height":10,"spaces":[{"id":"a","outline":[{"points":[`+
		`{"x":"NaN","y":"Infinity"},{"x":1e300}]}]}]},"pieces":[{"place":"a","count":9,"steps":-4,"maxSteps":99}]}`,
		"a")
	f.Fuzz(func(t *testing.T, text, around string) {
		b := new(boardv1.Board)
		if protojson.Unmarshal([]byte(text), b) != nil {
			return
		}
		if b.GetMap().GetWidth() > 2000 || b.GetMap().GetHeight() > 2000 {
			return
		}
		_, _ = Draw(b, b.Map, Options{Around: around, Scale: 0.5})
	})
}
