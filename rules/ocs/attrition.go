package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// allSteps in the attrition table is every step that is out of supply.
const allSteps = 255

// attrition is a procedure of a side that has steps to lose in a place (OCS 12.8b).
type attrition struct {
	head
	steps int // that it still has to take
}

func (*attrition) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_ATTRITION }

func (f *attrition) wire(w *framing) {
	wireNumber(w, &f.steps)
	w.keep()
}

func (*attrition) proceed(p *Position, x *exec) { p.endFrame(x) }

// unsupplied are the combat units of a seat in a place with an Out of Supply marker.
func (p *Position) unsupplied(seat rules.Seat, at Place) (list []Unit, steps int) {
	for u := range p.of(seat, at) {
		if p.isCombat(u) && p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
			list, steps = append(list, u), steps+p.stepsLeft(u)
		}
	}
	return list, steps
}

// attrite rolls once for each place with units out of supply of the side whose Supply Phase it is (OCS 12.6d, OCS
// 12.8a, OCS 12.8b).
func (p *Position) attrite(x *exec) {
	for i := range p.cells {
		for seat := range numSeats {
			if !p.together && seat != p.phasing {
				continue
			}
			at := p.placeOf(i)
			if list, steps := p.unsupplied(seat, at); len(list) > 0 {
				p.attriteAt(x, seat, at, list, steps)
			}
		}
	}
}

// attriteAt rolls for one place. Losses of more steps than there are cost all of them; else the owner is asked.
func (p *Position) attriteAt(x *exec, seat rules.Seat, at Place, list []Unit, steps int) {
	x.Reveal() // how many steps there are, and their best rating, tells on the result
	dice := x.Roll(6, "attrition") + x.Roll(6, "attrition")
	loss := min(p.attrition(p.starvingRating(list), dice, steps), steps)
	fact := &ocsv1.AttritionRolled{Seat: seatIDs[seat], Hex: p.sc.PlaceID(at), Dice: uint32(dice), Steps: uint32(loss)}
	c := p.changed()
	switch {
	case loss == steps:
		for _, u := range list {
			c.eliminate(u)
		}
	case loss > 0:
		f := newFrame[attrition](seat, at)
		f.steps = loss
		c.push(f)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AttritionRolled{AttritionRolled: fact}})
}

// starvingRating is the best Action Rating of units out of supply: DG does not lower it, Strat mode makes it 0 (OCS
// 12.8c).
func (p *Position) starvingRating(list []Unit) int {
	best := 0
	for _, u := range list {
		if p.units[u].marker != Strat {
			best = max(best, p.shown(u).Rating)
		}
	}
	return best
}

// attrition looks the table up: the row of the rating, or the best row below it, and a modifier for many steps (OCS
// 12.8b).
func (p *Position) attrition(rating, dice, steps int) int {
	t := p.sc.Charts.GetAttrition()
	if steps >= int(t.GetManySteps()) {
		dice += int(t.GetManyModifier())
	}
	var row *ocsv1.AttritionRow
	for _, r := range t.GetRows() {
		if int(r.GetRating()) <= rating && (row == nil || r.GetRating() > row.GetRating()) {
			row = r
		}
	}
	for _, b := range row.GetBands() {
		if dice <= int(b.GetMax()) {
			return int(b.GetSteps())
		}
	}
	return allSteps
}

// asks asks the owner while steps are to be lost.
func (f *attrition) asks(*Position) (Ask, rules.Seats) {
	if f.steps > 0 {
		return AskAttrition, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

// checkSuffer says why steps may not be taken so: they are of units out of supply in the hex, no more than are to be
// lost. The unit whose rating was used need not lose any.
func (p *Position) checkSuffer(seat rules.Seat, c *Command) *rules.Refusal {
	f, sum := inner[*attrition](p), 0
	at := p.sc.PlaceID(f.at)
	for i, l := range c.Lines {
		if r := p.checkOwn(seat, l.Unit); r != nil {
			return r
		}
		for _, b := range c.Lines[:i] {
			if b.Unit == l.Unit {
				return rules.Malformed("unit %s is named twice", p.id(l.Unit))
			}
		}
		switch {
		case p.units[l.Unit].place != f.at || !p.isCombat(l.Unit) ||
			!p.has(l.Unit, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY):
			return rules.Refuse("OCS 12.8b", "refuse.not-starving", "unit", p.unitName(l.Unit),
				"hex", at).About(p.id(l.Unit)).At(at)
		case l.Count == 0 || l.Count > p.stepsLeft(l.Unit):
			return rules.Refuse("OCS 12.8b", "refuse.steps", "unit", p.unitName(l.Unit),
				"n", p.stepsLeft(l.Unit)).About(p.id(l.Unit))
		}
		sum += l.Count
	}
	if sum == 0 || sum > f.steps {
		return rules.Refuse("OCS 12.8b", "refuse.losses", "need", f.steps, "given", sum)
	}
	return nil
}

// playSuffer takes steps.
func (p *Position) playSuffer(x *exec, seat rules.Seat, cmd *Command) {
	next := *inner[*attrition](p)
	c := p.changed()
	fact := &ocsv1.AttritionSuffered{Seat: seatIDs[seat], Hex: p.sc.PlaceID(next.at)}
	for _, l := range cmd.Lines {
		c.lose(l.Unit, l.Count)
		next.steps -= l.Count
		fact.Units, fact.Steps = append(fact.Units, p.id(l.Unit)), append(fact.Steps, uint32(l.Count))
	}
	c.frame(&next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AttritionSuffered{AttritionSuffered: fact}})
}

// listSuffer lists one step of one unit.
func listSuffer(l *lister) {
	at := l.p.top().base().at
	for u := range l.p.of(l.seat, at) {
		c := only(KindSuffer)
		c.Lines = []Line{{Unit: u, At: Nowhere, Count: 1, By: NoUnit, Terrain: -1}}
		l.checked(c)
	}
}
