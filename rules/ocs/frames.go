package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Procedures are data: an overrun interrupted by a retreat interrupted by a choice of losses is a stack of frames in
// the position. Each kind of frame is a struct of the chapter that decides it, with a name for each of its facts. All
// share one message, in which they are sent in events and written down: see framing.

// frame is a procedure under way. A frame in a position is never written to: a change replaces it by another one. Its
// lists may be shared between copies.
type frame interface {
	// kind is the number of the kind in the contract.
	kind() ocsv1.FrameKind
	// base is what all kinds have.
	base() *head
	// wire names the places of the message that the kind uses, and the fact that each holds.
	wire(w *framing)
	// asks is what the procedure asks now and whom, AskNothing when the engine goes on by itself.
	asks(p *Position) (Ask, rules.Seats)
	// proceed takes the next automatic step.
	proceed(p *Position, x *exec)
}

// head is what every procedure has: the seat that it belongs to, and the hex or box that it is about, or Nowhere.
type head struct {
	seat rules.Seat
	at   Place
}

func (h *head) base() *head { return h }

// blankFrames makes a frame of each kind of the contract; the kinds between are reserved.
var blankFrames = [...]func() frame{
	ocsv1.FrameKind_FRAME_KIND_EXCESS:            func() frame { return new(excess) },
	ocsv1.FrameKind_FRAME_KIND_CORRECTION:        func() frame { return new(correction) },
	ocsv1.FrameKind_FRAME_KIND_OVERRUN:           func() frame { return new(overrun) },
	ocsv1.FrameKind_FRAME_KIND_COMBAT:            func() frame { return new(combat) },
	ocsv1.FrameKind_FRAME_KIND_RETREAT:           func() frame { return new(retreat) },
	ocsv1.FrameKind_FRAME_KIND_BARRAGE:           func() frame { return new(barrage) },
	ocsv1.FrameKind_FRAME_KIND_DISPLACEMENT:      func() frame { return new(capture) },
	ocsv1.FrameKind_FRAME_KIND_RESTOCK:           func() frame { return new(restocking) },
	ocsv1.FrameKind_FRAME_KIND_FEEDING:           func() frame { return new(feeding) },
	ocsv1.FrameKind_FRAME_KIND_ATTRITION:         func() frame { return new(attrition) },
	ocsv1.FrameKind_FRAME_KIND_ARRIVAL:           func() frame { return new(arrival) },
	ocsv1.FrameKind_FRAME_KIND_SUPPLY_TABLE:      func() frame { return new(supplyTable) },
	ocsv1.FrameKind_FRAME_KIND_REPLACEMENT_TABLE: func() frame { return new(replacementTable) },
	ocsv1.FrameKind_FRAME_KIND_MISSION:           func() frame { return new(mission) },
	ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT:        func() frame { return new(airCombat) },
	ocsv1.FrameKind_FRAME_KIND_AIR_RETURN:        func() frame { return new(airReturn) },
	ocsv1.FrameKind_FRAME_KIND_AIR_ARRIVAL:       func() frame { return new(airArrival) },
	ocsv1.FrameKind_FRAME_KIND_GODZILLA:          func() frame { return new(godzilla) },
	ocsv1.FrameKind_FRAME_KIND_RAID_CHECK:        func() frame { return new(raidCheck) },
	ocsv1.FrameKind_FRAME_KIND_EVASION:           func() frame { return new(evasion) },
	ocsv1.FrameKind_FRAME_KIND_SHIP_ARRIVAL:      func() frame { return new(shipArrival) },
	ocsv1.FrameKind_FRAME_KIND_NAVAL_BARRAGE:     func() frame { return new(navalBarrage) },
	ocsv1.FrameKind_FRAME_KIND_BEACH_ASSAULT:     func() frame { return new(beachAssault) },
}

// newFrame is a frame that names nothing yet, as one that is read from an empty message.
func newFrame[T any, F interface {
	*T
	frame
}](seat rules.Seat, at Place) F {
	f := F(new(T))
	f.wire(&framing{m: &ocsv1.Frame{}, reads: true})
	*f.base() = head{seat, at}
	return f
}

// top is the innermost procedure; nil if none exists.
func (p *Position) top() frame {
	if len(p.frames) == 0 {
		return nil
	}
	return p.frames[len(p.frames)-1]
}

// inner is the innermost procedure as the kind that a question belongs to; nil if it is another one.
func inner[F frame](p *Position) F {
	f, _ := p.top().(F)
	return f
}

// goOn goes on with another step of a procedure.
func (p *Position) goOn(x *exec, f frame) {
	c := p.changed()
	c.frame(f)
	tell(x, &event{Changes: c.list})
}

// endFrame ends a procedure by an event of its own, so that the opponent sees that it ended and not whether it changed
// anything.
func (p *Position) endFrame(x *exec) {
	c := p.changed()
	c.pop()
	tell(x, &event{Changes: c.list})
}
