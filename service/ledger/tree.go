package ledger

import (
	"fmt"
	"math"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Tree is the history of a game: which record was decided on which, where the head is, and what can be taken back and
// done again. It is fed the headers of a log in order. The zero value is a game before its first record.
//
// Only the first record and commands are places of the tree. Undo and redo move the head between them; changes of the
// table and records that ask for dice leave it where it is.
type Tree struct {
	nodes []node // of version n at n-1
	redo  []uint64
}

// node is a record, kept small: a game in memory has one for each of its records. jump leads to an ancestor so far away
// that any ancestor is found in a logarithm of steps. A record is a place if it sets the head to itself.
type node struct {
	parent, head, jump version32
	depth              uint32
	asides             uint32 // on the line to it
}

// version32 is a version. A log of more than 2^32 records would not fit into memory.
type version32 = uint32

// Version is that of the last record; 0 before the first.
func (t *Tree) Version() uint64 { return uint64(len(t.nodes)) }

// Head is the version whose position is the current one; 0 before the first record.
func (t *Tree) Head() uint64 { return t.HeadAt(t.Version()) }

// HeadAt is the head after the record of a version: the place whose position that version shows. 0 if
// there is no such record.
func (t *Tree) HeadAt(version uint64) uint64 {
	if version == 0 || version > t.Version() {
		return 0
	}
	return uint64(t.nodes[version-1].head)
}

// Parent is the place that a place was decided on; 0 for the first and for what is no place.
func (t *Tree) Parent(version uint64) uint64 {
	if !t.isPlace(version) {
		return 0
	}
	return uint64(t.nodes[version-1].parent)
}

// Line is the versions from the first record to the head, as they were decided on each other: what the
// current position is made of.
func (t *Tree) Line() []uint64 { return t.LineTo(t.Head()) }

// LineTo is the versions from the first record to a place; nil if unknown.
func (t *Tree) LineTo(place uint64) []uint64 {
	if !t.isPlace(place) {
		return nil
	}
	line := make([]uint64, 0, t.nodes[place-1].depth+1)
	for v := place; v != 0; v = uint64(t.nodes[v-1].parent) {
		line = append(line, v)
	}
	slices.Reverse(line)
	return line
}

// Depth is the number of places before a place on its line.
func (t *Tree) Depth(place uint64) int {
	if !t.isPlace(place) {
		return 0
	}
	return int(t.nodes[place-1].depth)
}

// Moves is the number of nodes before a node on its line that are not asides.
func (t *Tree) Moves(place uint64) int {
	if !t.isPlace(place) {
		return 0
	}
	n := t.nodes[place-1]
	if n.parent == 0 {
		return 0
	}
	return int(n.depth - t.nodes[n.parent-1].asides)
}

// Precedes reports whether place a lies on the line to place b and is not b itself.
func (t *Tree) Precedes(a, b uint64) bool {
	if !t.isPlace(a) || !t.isPlace(b) {
		return false
	}
	for b > a {
		if n := t.nodes[b-1]; uint64(n.jump) >= a {
			b = uint64(n.jump)
		} else {
			b = uint64(n.parent)
		}
		if b == a {
			return true
		}
	}
	return false
}

// UndoTarget is where the head goes if the last command is taken back; 0 if none exists.
func (t *Tree) UndoTarget() uint64 { return t.Parent(t.Head()) }

// RedoTarget is where the head goes if the last undo is taken back; 0 if none exists, or a command came after it.
func (t *Tree) RedoTarget() uint64 {
	if len(t.redo) == 0 {
		return 0
	}
	return t.redo[len(t.redo)-1]
}

// Next is the header of a next record that does not move the head: version, parent, head and kind are set.
func (t *Tree) Next(kind logv1.RecordKind) *logv1.RecordHeader {
	h := &logv1.RecordHeader{Version: t.Version() + 1, Parent: t.Head(), Head: t.Version() + 1, Kind: kind}
	if kind == logv1.RecordKind_RECORD_KIND_TABLE || kind == logv1.RecordKind_RECORD_KIND_ASK {
		h.Head = h.Parent
	}
	return h
}

// NextMove is the header of a next record that moves the head, back or forward.
func (t *Tree) NextMove(to uint64) *logv1.RecordHeader {
	h := t.Next(logv1.RecordKind_RECORD_KIND_UNDO)
	h.Head = to
	if to > h.Parent {
		h.Kind = logv1.RecordKind_RECORD_KIND_REDO
	}
	return h
}

// Add takes the next record into the tree. It says what is wrong if the record cannot follow, and then changes nothing.
func (t *Tree) Add(h *logv1.RecordHeader) error {
	if what := t.inspect(h); what != "" {
		return &ChainError{Version: h.Version, What: what}
	}
	n := node{parent: version32(h.Parent), head: version32(h.Head)}
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED, logv1.RecordKind_RECORD_KIND_COMMAND:
		t.measure(&n)
		if h.Aside {
			n.asides++
		}
		t.redo = nil
	case logv1.RecordKind_RECORD_KIND_UNDO:
		t.redo = append(t.redo, h.Parent)
	case logv1.RecordKind_RECORD_KIND_REDO:
		if t.RedoTarget() == h.Head {
			t.redo = t.redo[:len(t.redo)-1]
		}
	}
	t.nodes = append(t.nodes, n)
	return nil
}

// measure sets depth and jump of a new place. The jumps are those of a skew-binary list.
func (t *Tree) measure(n *node) {
	if n.parent == 0 {
		return
	}
	p := t.nodes[n.parent-1]
	n.depth, n.jump, n.asides = p.depth+1, n.parent, p.asides
	if p.jump == 0 {
		return
	}
	if j := t.nodes[p.jump-1]; j.jump != 0 && p.depth-j.depth == j.depth-t.nodes[j.jump-1].depth {
		n.jump = j.jump
	}
}

func (t *Tree) inspect(h *logv1.RecordHeader) (fault string) {
	version, head := t.Version()+1, t.Head()
	switch {
	case version > math.MaxUint32:
		return "is one more than a game can have"
	case h.Version != version:
		return fmt.Sprintf("has version %d, expected %d", h.Version, version)
	case h.Parent != head:
		return fmt.Sprintf("was decided on version %d, but the head was %d", h.Parent, head)
	case (version == 1) != (h.Kind == logv1.RecordKind_RECORD_KIND_CREATED):
		return fmt.Sprintf("is a %s; the first record creates the game, and no other", h.Kind)
	}
	switch aside := h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND && h.Seat != "" && !h.Revealed; {
	case h.Aside && !aside:
		return "is an aside, but not a command of a seat that reveals nothing"
	case h.Aside && h.Asked != 0:
		return fmt.Sprintf("is an aside, but throws the dice that record %d asked for", h.Asked)
	case h.Carries != 0 && (!h.Aside || h.Carries >= version || !t.isPlace(h.Carries)):
		return fmt.Sprintf("repeats aside %d, which it cannot", h.Carries)
	}
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED, logv1.RecordKind_RECORD_KIND_COMMAND:
		if h.Head != version {
			return fmt.Sprintf("sets the head to %d, expected its own version", h.Head)
		}
	case logv1.RecordKind_RECORD_KIND_TABLE, logv1.RecordKind_RECORD_KIND_ASK:
		if h.Head != head {
			return fmt.Sprintf("changes the table and sets the head to %d, expected %d as before", h.Head, head)
		}
	case logv1.RecordKind_RECORD_KIND_UNDO:
		if !t.Precedes(h.Head, head) {
			return fmt.Sprintf("moves the head back to %d, which is not on the line to %d", h.Head, head)
		}
	case logv1.RecordKind_RECORD_KIND_REDO:
		if !t.mayRedo(h.Head) {
			return fmt.Sprintf("moves the head forward to %d, expected at most %d on its line", h.Head, t.RedoTarget())
		}
	default:
		return fmt.Sprintf("has kind %d, which is not known", h.Kind)
	}
	return ""
}

// mayRedo reports whether the head may go forward to a place: the redo target or one on the way to it.
func (t *Tree) mayRedo(to uint64) bool {
	target := t.RedoTarget()
	return target != 0 && t.Precedes(t.Head(), to) && (to == target || t.Precedes(to, target))
}

func (t *Tree) isPlace(version uint64) bool {
	return version > 0 && version <= t.Version() && uint64(t.nodes[version-1].head) == version
}
