package hex

import (
	"fmt"
	"slices"
)

// Dir is one of the six directions of a hex, 0 to 5, clockwise from the one that is north, or first east of north.
// What a number means depends on the orientation of the map.
type Dir uint8

// NumDirs is the number of directions, and of sides and corners, that a hex has.
const NumDirs = 6

// Directions of a map with flat tops: there is a north and a south, and no east or west.
const (
	FlatN Dir = iota
	FlatNE
	FlatSE
	FlatS
	FlatSW
	FlatNW
)

// Directions of a map with pointed tops: there is an east and a west, and no north or south.
const (
	PointyNE Dir = iota
	PointyE
	PointySE
	PointySW
	PointyW
	PointyNW
)

// Opposite is the direction that leads back.
func (d Dir) Opposite() Dir { return d.Turn(3) }

// Turn is the direction n sixths of a circle clockwise of d; a negative n turns counterclockwise.
func (d Dir) Turn(n int) Dir { return Dir(((int(d)+n)%NumDirs + NumDirs) % NumDirs) }

// Orientation says which part of a hex points north.
type Orientation uint8

// The orientations. The zero value is neither, so that a forgotten one is found.
const (
	FlatTop   Orientation = 1 + iota // a side to the north: hexes share sides along columns
	PointyTop                        // a corner to the north: hexes share sides along rows
)

func (o Orientation) String() string {
	switch o {
	case FlatTop:
		return "flat top"
	case PointyTop:
		return "pointy top"
	}
	return fmt.Sprintf("orientation %d", uint8(o))
}

func (o Orientation) dirNames() [NumDirs]string {
	if o == PointyTop {
		return [NumDirs]string{"NE", "E", "SE", "SW", "W", "NW"}
	}
	return [NumDirs]string{"N", "NE", "SE", "S", "SW", "NW"}
}

// DirName is the compass name of d, "N" to "NW". d above 5 gives "direction d".
func (o Orientation) DirName(d Dir) string {
	if d >= NumDirs {
		return fmt.Sprintf("direction %d", uint8(d))
	}
	return o.dirNames()[d]
}

// ParseDir reads what DirName writes. The error says which names this orientation has.
func (o Orientation) ParseDir(name string) (Dir, error) {
	names := o.dirNames()
	if d := slices.Index(names[:], name); d >= 0 {
		return Dir(d), nil
	}
	return 0, fmt.Errorf("hex direction %q: want one of %v (%v)", name, names, o)
}
