package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Combat moves can be taken back until the phase ends, since nothing random happens in it (AA 8.1.9).

// checkRecall: a move of this phase that nothing else depends on.
func (p *Position) checkRecall(entry uint8) *rules.Refusal {
	found := false
	via := NoSpace
	for _, m := range p.plan {
		if m.entry != entry {
			continue
		}
		found, via = true, m.via
		if m.after != 0 && p.count(m.after) < int(m.n) {
			return rules.Refuse("AA 8.1.9", "refuse.recall-moved", "entry", int(entry))
		}
	}
	switch {
	case !found:
		return rules.Refuse("AA 8.1.9", "refuse.no-entry-to-recall", "entry", int(entry))
	case via != NoSpace && p.heirs(via):
		return p.refuseAt("AA 8.7.2", "refuse.recall-blitz", via)
	}
	return p.checkEscorts(entry)
}

// heirs reports whether more than a marker changed when a territory was blitzed: a capital's
// treasury, or what reverted.
func (p *Position) heirs(s Space) bool { return p.sc.Spaces[s].Capital < NumSeats }

// checkEscorts: escorts may stay in a friendly zone only beside an assault (AA 8.1.4 b).
func (p *Position) checkEscorts(entry uint8) *rules.Refusal {
	for _, m := range p.plan {
		if m.entry != entry || m.after == 0 || m.after.Target() == NoSpace {
			continue
		}
		z := m.after.At()
		others := 0
		for _, g := range p.at(z) {
			if g.Target() != NoSpace {
				others += int(g.N)
			}
		}
		if others > int(m.n) || p.hostileSea(z) {
			continue
		}
		for _, e := range p.plan {
			if e.entry != entry && e.after != 0 && e.after.At() == z && e.after.Unit().In(scenario.SeaUnits) &&
				e.after.Target() == NoSpace &&
				!e.after.Has(Attack) && !p.startHostile.Has(e.before.At()) {
				return p.refuseAt("AA 8.1.4", "refuse.recall-escort", z)
			}
		}
	}
	return nil
}

// recall takes a move back; a territory that no other move blitzes through goes back to its owner.
func (p *Position) recall(x *exec, entry uint8) {
	e := &anniversaryv1.MoveRecalled{Entry: uint32(entry)}
	var list []change
	via, others := NoSpace, false
	for _, m := range p.plan {
		if m.entry == entry {
			list = append(list, change{m.after, m.before, m.n})
			via = m.via
		}
	}
	for _, m := range p.plan {
		others = others || m.entry != entry && m.via == via
	}
	if via != NoSpace && !others && p.owner[via] != p.startOwner[via] {
		e.Restored, e.Owner = p.sc.SpaceID(via), protoPower(p.startOwner[via])
	}
	e.Changes = p.changes(list)
	emit(x, e)
}

// checkEndMove: every air unit that attacks must be able to land, all together (AA 8.3.4, AA 8.3.11).
func (p *Position) checkEndMove() *rules.Refusal {
	if short := p.proven(p.acting); short > 0 {
		return rules.Refuse("AA 8.3.11", "refuse.no-proof", "n", short)
	}
	return nil
}
