package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Procedures are data: an overrun interrupted by a retreat interrupted by a choice of losses is a stack of frames in the position. All frames have the
// same fields, so that they are cloned, compared, written down and sent in events in one way; each kind of frame says in its chapter what the fields
// mean, with names for its steps and numbers.

// FrameKind is a kind of procedure, by the numbers of the contract.
type FrameKind uint8

// frame is a procedure under way. A frame in a position is never written to: it is replaced by a change. Its lists may be shared between copies.
type frame struct {
	kind    FrameKind
	step    uint8
	seat    rules.Seat // that it belongs to
	from    Place
	at      Place
	unit    Unit
	enemy   Unit
	units   []Unit
	enemies []Unit
	places  []Place
	numbers []int32
}

// newFrame is a frame of a kind that names nothing yet.
func newFrame(kind ocsv1.FrameKind, seat rules.Seat) frame {
	return frame{kind: FrameKind(kind), seat: seat, from: Nowhere, at: Nowhere, unit: NoUnit, enemy: NoUnit}
}

// number is number i of a frame, 0 if it was not set.
func (f *frame) number(i int) int {
	if i >= len(f.numbers) {
		return 0
	}
	return int(f.numbers[i])
}

// with is a copy of the frame with number i set. The numbers of the original stay.
func (f frame) with(i int, n int) frame {
	list := append([]int32(nil), f.numbers...)
	for len(list) <= i {
		list = append(list, 0)
	}
	list[i] = int32(n)
	f.numbers = list
	return f
}

// stepped is a copy of the frame at another step.
func (f frame) stepped(step uint8) frame { f.step = step; return f }

// top is the innermost procedure; nil if there is none.
func (p *Position) top() *frame {
	if len(p.frames) == 0 {
		return nil
	}
	return &p.frames[len(p.frames)-1]
}

// frameMessage writes a frame.
func (p *Position) frameMessage(f *frame) *ocsv1.Frame {
	m := &ocsv1.Frame{
		Kind: ocsv1.FrameKind(f.kind), Step: uint32(f.step), Seat: seatID(f.seat), From: p.sc.PlaceID(f.from), At: p.sc.PlaceID(f.at),
		Unit: p.id(f.unit), Enemy: p.id(f.enemy), Units: p.ids(f.units), Enemies: p.ids(f.enemies), Numbers: f.numbers,
	}
	for _, at := range f.places {
		m.Places = append(m.Places, p.sc.PlaceID(at))
	}
	return m
}
