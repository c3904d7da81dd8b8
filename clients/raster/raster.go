package raster

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Options say what to draw and how large.
type Options struct {
	// Around is the space or hex in the middle, if only a region shall be drawn; empty for the whole map.
	Around string
	// Radius of the region in spaces, at least 1; 4 if 0.
	Radius float64
	// Spaces and Pieces are marked by a frame: what an order touches, say.
	Spaces, Pieces []string
	// Scale is how many pixels a unit of the map takes; 0 for what makes the map about 1600 pixels wide or high.
	Scale float64
	// MapOnly leaves out what stands around the map: the clock, seats, tracks, boxes and questions.
	MapOnly bool
}

const (
	// usualSide is the longer side of a map that is drawn without a scale, in pixels; regionSide that of a region.
	usualSide, regionSide = 1600, 1100
	// mostPixels is the size of the largest picture.
	mostPixels = 40_000_000
	// largestPitch is how far neighbours are apart at most where no scale is given, in pixels.
	largestPitch = 130
	usualRadius  = 4
)

// ErrNoSpace says that the map has no space of the name given.
var ErrNoSpace = errors.New("the map has no such space")

// ErrTooLarge says that the picture would be too large, or that the map has no size.
var ErrTooLarge = errors.New("the picture would be too large")

// Draw draws a board on its map. It fails with [ErrNoSpace] or [ErrTooLarge], and on a map without size.
func Draw(b *boardv1.Board, m *boardv1.Map, o Options) (*image.RGBA, error) {
	a := newAtlas(m)
	v, err := a.view(o)
	if err != nil {
		return nil, err
	}
	s := newScene(b, a, v)
	if !o.MapOnly {
		s.plan(o.Around == "")
	}
	if s.width*s.height > mostPixels {
		return nil, fmt.Errorf("%w: %d by %d pixels", ErrTooLarge, s.width, s.height)
	}
	s.begin()
	s.drawMap(o)
	if !o.MapOnly {
		s.drawMargins()
	}
	return s.image, nil
}

// EncodePNG writes a picture as PNG.
func EncodePNG(w io.Writer, img image.Image) error {
	return (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(w, img)
}

// view is the part of the map that is drawn, in units of the map, and how many pixels a unit takes.
type view struct {
	x, y, width, height float64
	scale               float64
}

func (a *atlas) view(o Options) (view, error) {
	v := view{width: a.world.GetWidth(), height: a.world.GetHeight()}
	if !(v.width > 0 && v.height > 0 && v.width < 1e6 && v.height < 1e6) {
		return v, fmt.Errorf("%w: the map is %g by %g", ErrTooLarge, v.width, v.height)
	}
	side := float64(usualSide)
	if o.Around != "" {
		i := slices.IndexFunc(a.world.GetSpaces(), func(s *boardv1.Space) bool { return s.GetId() == o.Around })
		if i < 0 {
			return v, fmt.Errorf("%w: %q", ErrNoSpace, o.Around)
		}
		v = a.region(a.world.Spaces[i], o.Radius)
		side = regionSide
	}
	v.scale = o.Scale
	if v.scale == 0 {
		v.scale = min(side/max(v.width, v.height), largestPitch/a.pitch)
	}
	if !(v.scale > 0) || v.width*v.scale > 30_000 || v.height*v.scale > 30_000 ||
		v.width*v.height*v.scale*v.scale > mostPixels {
		return v, fmt.Errorf("%w: scale %g of a map of %.0f by %.0f", ErrTooLarge, o.Scale, v.width, v.height)
	}
	return v, nil
}

// region is the part of the map around a space, moved so that it lies within the map.
func (a *atlas) region(s *boardv1.Space, radius float64) view {
	if radius <= 0 || math.IsNaN(radius) {
		radius = usualRadius
	}
	half := (max(radius, 1) + 0.6) * a.pitch
	if !a.grid {
		x0, y0, x1, y1 := bounds(s)
		half = max(half, (x1-x0)*0.7, (y1-y0)*0.7)
	}
	v := view{width: min(2*half, a.world.GetWidth()), height: min(2*half, a.world.GetHeight())}
	v.x = clamp(centre(s).GetX()-v.width/2, 0, a.world.GetWidth()-v.width)
	v.y = clamp(centre(s).GetY()-v.height/2, 0, a.world.GetHeight()-v.height)
	return v
}

func clamp(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return max(low, min(x, high))
}
