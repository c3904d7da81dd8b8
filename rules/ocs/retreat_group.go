package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// retreatGroup is a group on its way, which goes hex by hex. Its message is a retreat at groupStep.
type retreatGroup struct {
	head
	units  []Unit
	path   []Place // hexes ahead
	gone   int     // hexes behind
	losses []int   // steps that each unit has still to lose, as far as any has
}

func (*retreatGroup) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_RETREAT }

func (f *retreatGroup) wire(w *framing) {
	step := groupStep
	wireStep(w, &step)
	w.units(&f.units)
	w.places(&f.path)
	w.next(0) // hexes to retreat, of the retreat
	wireNumber(w, &f.gone)
	wireList(w, &f.losses, len(f.units))
}

func (*retreatGroup) asks(*Position) (Ask, rules.Seats) { return AskNothing, 0 }

// proceed takes a group into the next hex of its path.
func (f *retreatGroup) proceed(p *Position, x *exec) {
	var group []Unit
	for _, u := range f.units {
		if p.units[u].place.onMap() {
			group = append(group, u)
		}
	}
	if len(f.path) == 0 || len(group) == 0 {
		p.endFrame(x)
		return
	}
	next, to := *f, f.path[0]
	next.gone, next.path = f.gone+1, f.path[1:]
	zoc, dg := p.inZOC(enemy(f.seat), to.Hex()), p.anyDG(group)
	victim := NoUnit
	if zoc && dg {
		victim = p.victim(&next, group)
	}
	c := p.changed()
	for _, u := range group {
		c.move(u, to)
		if victim == u {
			c.lose(u, 1)
		}
	}
	p.seize(c, group, to)
	if victim != NoUnit {
		x.Reveal()
	}
	tell(x, &event{Changes: c.list})
	if zoc || next.gone == 2 && !p.allDG(group) { // OCS 5.10a-B, OCS 5.10a-C, OCS 9.12a
		c := p.changed()
		p.disorganise(c, f.seat, to) // and all that are there (OCS 5.10a-D)
		tell(x, &event{Changes: c.list})
	}
	p.goOn(x, &next)
	p.capture(x, f.seat, to)
}

// victim is the next unit that the owner chose to lose a step, of those that are DG. It is noted that it has lost it.
func (p *Position) victim(next *retreatGroup, group []Unit) Unit {
	for i, n := range next.losses {
		if u := next.units[i]; n > 0 && p.units[u].marker == DG && slices.Contains(group, u) {
			next.losses = slices.Clone(next.losses) // the list may be shared
			next.losses[i]--
			return u
		}
	}
	return NoUnit
}

// allDG reports whether all combat units of a group that are left are DG.
func (p *Position) allDG(group []Unit) bool {
	for _, u := range group {
		if p.isCombat(u) && p.units[u].place.onMap() && p.units[u].marker != DG {
			return false
		}
	}
	return true
}
