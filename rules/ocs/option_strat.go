package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Strat mode with the revised transport options: little room for it in a hex (OCS 21.12c), and no trace but by direct
// draw (OCS 21.12d).

// stratLimit is the REs in Strat mode that may be in a hex at the end of a segment, in quarters (OCS 21.12c).
const stratLimit = 3 * oneRE

// stratCrowd are the units of a seat in Strat mode in a hex if they are too many (OCS 21.12c): a single unit of several
// steps, or units of a single formation, may always be there.
func (p *Position) stratCrowd(seat rules.Seat, at Place) []Unit {
	var list []Unit
	for u := range p.of(seat, at) {
		if p.isCombat(u) && p.units[u].marker == Strat {
			list = append(list, u)
		}
	}
	if p.stratFits(list) {
		return nil
	}
	return list
}

// stratFits reports whether units in Strat mode may be in one hex.
func (p *Position) stratFits(list []Unit) bool {
	sum, one := 0, true
	for _, u := range list {
		f := p.counter(u).Formation
		sum, one = sum+p.re(u), one && f >= 0 && f == p.counter(list[0]).Formation
	}
	return sum <= stratLimit || one || len(list) == 1 && p.counter(list[0]).Steps > 1
}

// exceeds reports whether a hex is over the limit that a procedure is about.
func (p *Position) exceeds(f *excess) bool {
	if f.strat {
		return len(p.stratCrowd(f.seat, f.at)) > 0
	}
	return p.stacked(f.seat, f.at) > p.limit()
}

// checkStratSpace begins a procedure if too many units in Strat mode are in a hex at the end of a segment.
func (p *Position) checkStratSpace(x *exec, seat rules.Seat, at Place) {
	if !p.opt.stratModeSpace || len(p.stratCrowd(seat, at)) == 0 {
		return
	}
	f := newFrame[excess](seat, at)
	f.strat = true
	c := p.changed()
	c.push(f)
	x.Reveal() // as in checkStacking
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_StackExceeded{StackExceeded: &ocsv1.StackExceeded{
		Seat: seatIDs[seat], Hex: p.sc.PlaceID(at), Strat: true,
	}}})
}

// checkStratRemoval says why units may not be removed from a crowd in Strat mode: each is of it, and the last of them
// is still too many.
func (p *Position) checkStratRemoval(f *excess, list []Unit) *rules.Refusal {
	at, crowd := p.sc.PlaceID(f.at), p.stratCrowd(f.seat, f.at)
	for i, u := range list {
		switch {
		case !slices.Contains(crowd, u):
			return rules.Refuse("OCS 21.12c", "refuse.not-excess", "unit", p.unitName(u),
				"hex", at).About(p.id(u)).At(at)
		case p.stratFits(without(crowd, list[:i])):
			return rules.Refuse("OCS 21.12c", "refuse.removes-too-many", "hex", at,
				"limit", formatRE(stratLimit)).At(at)
		}
	}
	return nil
}

// stratTrace is the paragraph by which a unit in Strat mode must be able to trace where it stops: by its own draw only
// with the option (OCS 21.12d).
func (p *Position) stratTrace() string {
	if p.opt.stratModeDirectDraw {
		return "OCS 21.12d"
	}
	return "OCS 5.8b"
}

// stratTraces reports whether a unit that took Strat mode may keep it where it stands.
func (p *Position) stratTraces(u Unit) bool {
	if !p.opt.stratModeDirectDraw {
		return p.canTrace(u)
	}
	s := p.survey(p.units[u].seat)
	return s.excused(u) || s.direct(u)
}
