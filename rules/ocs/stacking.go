package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// The worked sample of a procedure: at the end of each segment every hex is looked at (a hook), a hex over the limit
// becomes a frame that asks its owner, and each answer is followed by the question again or by the end of the frame
// (OCS 4.8a).

// excess is a hex with too many units of a side, which removes some (OCS 4.8a).
type excess struct {
	head
	strat bool // the limit is that of Strat mode (OCS 21.12c)
}

func (*excess) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_EXCESS }

func (f *excess) wire(w *framing) { w.flag(&f.strat) }

// limit is the REs that may stack in a hex, in quarters (OCS 4.8). Boxes have none (OCS Intro-I-F).
func (p *Position) limit() int { return int(p.sc.Constants.GetStackingRe()) * oneRE }

// checkStacking begins a procedure for each hex over the limit, the phasing side's first.
func (p *Position) checkStacking(x *exec) {
	for h := len(p.sc.Hexes) - 1; h >= 0; h-- { // the last one that begins is asked first
		for seat := range numSeats {
			p.checkStratSpace(x, seat, Place(h))
			if p.stacked(seat, Place(h)) <= p.limit() {
				continue
			}
			c := p.changed()
			c.push(newFrame[excess](seat, Place(h)))
			x.Reveal() // that there are too many tells of the stack
			tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_StackExceeded{StackExceeded: &ocsv1.StackExceeded{
				Seat: seatIDs[seat], Hex: p.sc.PlaceID(Place(h)),
			}}})
		}
	}
}

// asks asks the owner while the hex is over the limit.
func (f *excess) asks(p *Position) (Ask, rules.Seats) {
	if p.exceeds(f) {
		return AskExcess, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// proceed ends the procedure.
func (*excess) proceed(p *Position, x *exec) {
	c := p.changed()
	c.pop()
	x.Reveal() // and so does that enough are gone
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SegmentStepped{SegmentStepped: &ocsv1.SegmentStepped{}}})
}

// checkRemove says why units may not be removed: they must be combat units of the hex, and the last of them still
// needed.
func (p *Position) checkRemove(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	f, left := inner[*excess](p), 0
	if f.strat {
		return p.checkStratRemoval(f, c.Units)
	}
	for u := range p.of(seat, f.at) {
		if p.isCombat(u) && !slices.Contains(c.Units[1:], u) {
			left += p.re(u)
		}
	}
	at := p.sc.PlaceID(f.at)
	for _, u := range c.Units {
		if p.units[u].place != f.at || !p.isCombat(u) {
			return rules.Refuse("OCS 4.8a", "refuse.not-excess", "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
		}
	}
	if left <= p.limit() {
		return rules.Refuse("OCS 4.8a", "refuse.removes-too-many", "hex", at, "limit", formatRE(p.limit())).At(at)
	}
	return nil
}

// playRemove removes units (OCS 4.8a).
func (p *Position) playRemove(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	for _, u := range cmd.Units {
		c.eliminate(u)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsRemoved{UnitsRemoved: &ocsv1.UnitsRemoved{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Hex: p.sc.PlaceID(p.top().base().at),
	}}})
}

// listRemove lists one unit at a time.
func listRemove(l *lister) {
	for u := range l.p.of(l.seat, l.p.top().base().at) {
		c := only(KindRemove)
		c.Units = []Unit{u}
		l.checked(c)
	}
}
