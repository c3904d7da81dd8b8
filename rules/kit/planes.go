package kit

import (
	"strings"

	"github.com/warledger/warledger/rules"
)

// Columns reads a list of columns, one a line: the id, a space and the note.
func Columns(lines string) []rules.Column {
	var list []rules.Column
	for line := range strings.Lines(lines) {
		if id, note, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			list = append(list, rules.Column{ID: id, Note: note})
		}
	}
	return list
}

// Planes are the planes of an observation that is being written.
type Planes struct {
	values []int16
	spaces int
}

// NewPlanes makes planes of a list of numbers with so many spaces in each.
func NewPlanes(values []int16, spaces int) Planes { return Planes{values, spaces} }

// Add adds to the number of a space in a plane, up to the bounds of 16 bits.
func (p Planes) Add(plane, space, n int) {
	at := &p.values[plane*p.spaces+space]
	*at = rules.Short(int(*at) + n)
}

// Raise makes the number of a space in a plane at least n.
func (p Planes) Raise(plane, space, n int) {
	at := &p.values[plane*p.spaces+space]
	*at = max(*at, rules.Short(n))
}

// Set writes the number of a space in a plane.
func (p Planes) Set(plane, space, n int) { p.values[plane*p.spaces+space] = rules.Short(n) }
