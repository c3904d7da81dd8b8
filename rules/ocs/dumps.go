package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// destroyedMark is the mark of a hex whose dump a seat tried to destroy in the phase.
func destroyedMark(seat rules.Seat) ocsv1.HexMark {
	if seat == Blue {
		return ocsv1.HexMark_HEX_MARK_BLUE_DESTROYED
	}
	return ocsv1.HexMark_HEX_MARK_RED_DESTROYED
}

// checkDestroy says why supply may not be destroyed (OCS 12.11a): a dump of one's own, loaded or not (OCS 12.11), once
// in a phase, and no more than there is; the attempt may be restricted to a part.
func (p *Position) checkDestroy(seat rules.Seat, c *Command) *rules.Refusal {
	if !c.At.onMap() || c.N == 0 {
		return rules.Malformed("the command names no place or no tokens")
	}
	at := p.sc.PlaceID(c.At)
	if p.cell(c.At).marks.has(destroyedMark(seat)) {
		return rules.Refuse("OCS 12.11a", "refuse.destroyed-before", "hex", at).At(at)
	}
	lies := 0
	for _, m := range p.blowable(seat, c.At, c.Unit) {
		lies += m.tokens
	}
	if c.N > lies {
		return rules.Refuse("OCS 12.11a", "refuse.tokens", "hex", at, "need", c.N, "left", lies).At(at)
	}
	return nil
}

// blowable is the supply of a seat in a place, on one transport or on all and on the ground, which comes first.
func (p *Position) blowable(seat rules.Seat, at Place, on Unit) (list []means) {
	if n := int(p.cell(at).ground[seat]); n > 0 && on == NoUnit {
		list = append(list, means{at, NoUnit, n})
	}
	for u := range p.of(seat, at) {
		if p.units[u].load > 0 && (on == NoUnit || on == u) {
			list = append(list, means{at, u, int(p.units[u].load)})
		}
	}
	return list
}

// playDestroy rolls on the dump destruction table; the share of what was named is removed, rounded to the nearest
// token. Transports stay (OCS 12.11). The enemy sees that it was tried, not how much was there.
func (p *Position) playDestroy(x *exec, seat rules.Seat, cmd *Command) {
	die := x.Roll(6, "destruction")
	left := share(cmd.N, int(p.sc.Charts.GetDestructionPercent()[die-1]))
	fact := &ocsv1.DumpDestroyed{Seat: seatIDs[seat], Hex: p.sc.PlaceID(cmd.At), Die: uint32(die)}
	c := p.changed()
	c.hex(cmd.At).Set = []ocsv1.HexMark{destroyedMark(seat)}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_DumpDestroyed{DumpDestroyed: fact}})
	var take []means
	for _, m := range p.blowable(seat, cmd.At, cmd.Unit) {
		if n := min(left, m.tokens); n > 0 {
			take, left = append(take, means{m.at, m.on, n}), left-n
			fact = &ocsv1.DumpDestroyed{Seat: seatIDs[seat], Hex: p.sc.PlaceID(cmd.At), Die: uint32(die),
				Tokens: fact.GetTokens() + uint32(n)}
		}
	}
	if len(take) == 0 {
		return
	}
	c = p.changed()
	p.spendSupply(c, seat, take)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_DumpDestroyed{DumpDestroyed: fact}})
}

// listDestroy lists destroying all supply of a hex, and one token of it.
func listDestroy(l *lister) {
	for i := range l.p.cells {
		at, lies := l.p.placeOf(i), 0
		if !l.aims(at) {
			continue
		}
		for _, m := range l.p.blowable(l.seat, at, NoUnit) {
			lies += m.tokens
		}
		for _, n := range [...]int{lies, 1} {
			if lies == 0 || n == 1 && lies == 1 && n != lies {
				continue
			}
			c := only(KindDestroy)
			c.At, c.N = at, n
			l.checked(c)
			if lies == 1 {
				break
			}
		}
	}
}
