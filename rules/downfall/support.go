package downfall

import (
	"math/bits"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
)

// Air and naval support (DF 14.5, DF 14.6): at most one marker of each in a combat (D-50), each once a turn
// (DF 14.5-b, DF 14.6-c).

// supply of markers for the combat: those committed in a US consecutive attack (DF 7.9-c, D-20), else all that are
// ready. Each serves one of the attacks, which is said attack by attack: in a US consecutive attack (DF 14.5-c), and
// against a Japanese one (DF 7.9-b, DF 14.5-d).
func (p *Position) markers() (air uint8, naval uint32) {
	if p.decl.declared && !p.fight.byJapan {
		return p.decl.air, p.decl.naval
	}
	return p.air, p.navalReady
}

// serving are the markers of a set that serve a hex: those in the zones that hold it or an adjacent
// coastal hex (DF 14.6-b).
func (p *Position) serving(set uint32, h Hex) uint32 {
	var s uint32
	for rest := set; rest != 0; rest &= rest - 1 {
		m := bits.TrailingZeros32(rest)
		if p.sc.Served[h].Has(p.navalZone[m]) {
			s |= 1 << m
		}
	}
	return s
}

// supportable reports whether there is any support to decide about.
func (p *Position) supportable() bool {
	air, naval := p.markers()
	return air > 0 || p.serving(naval, p.fight.usHex()) != 0
}

// checkSupportOf checks the support of US units in a hex, from markers that are there for it.
func (p *Position) checkSupportOf(c Command, h Hex, air uint8, naval uint32) *rules.Refusal {
	committed := p.decl.declared && p.fight.on && !p.fight.byJapan
	switch {
	case c.Count > 1:
		return p.refuse("DF 14.5-a", "refuse.one-air")
	case bits.OnesCount64(c.Detail) > 1:
		return p.refuse("DF 14.6-a", "refuse.one-naval")
	case c.Count > air && committed:
		return p.refuse("DF 7.9-c", "refuse.not-committed")
	case c.Count > air:
		return p.refuse("DF 14.5-b", "refuse.no-air")
	case c.Detail&^uint64(naval) != 0 && committed:
		return p.refuse("DF 7.9-c", "refuse.not-committed")
	case c.Detail&^uint64(naval) != 0:
		return p.refuse("DF 14.6-c", "refuse.no-naval")
	case c.Detail != 0 && p.sc.Served[h] == 0:
		return p.refuseHex("DF 14.6-a", "refuse.no-coast", h)
	case c.Detail&^uint64(p.serving(naval, h)) != 0:
		return p.refuseHex("DF 14.6-b", "refuse.other-zone", h)
	}
	return nil
}

func (p *Position) checkSupport(c Command) *rules.Refusal {
	air, naval := p.markers()
	return p.checkSupportOf(c, p.fight.usHex(), air, naval)
}

// giveSupport records what supports the combat; nothing is said if nothing does and nothing was asked. The markers are
// used up at once, also if the units retreat (DF 13.10-10): they come back with the next turn (DF 13.2-5, DF 13.3-6).
func (p *Position) giveSupport(x *exec, c Command) {
	e := &downfallv1.SupportGiven{Air: c.Count > 0}
	if c.Detail != 0 {
		e.Naval = uint32(bits.TrailingZeros64(c.Detail)) + 1
	}
	if e.Air || e.Naval > 0 || p.fight.stage == StageSupport {
		emit(x, e)
	}
}

// eachSupport yields a command with every support that its hex can have: of the markers in one zone the lowest.
func (p *Position) eachSupport(c Command, h Hex, air uint8, naval uint32, yield func(Command) bool) bool {
	serving := p.serving(naval, h)
	for n := range min(air, 1) + 1 {
		c.Count, c.Detail = n, 0
		if !yield(c) {
			return false
		}
		var zones scenario.Zones
		for rest := serving; rest != 0; rest &= rest - 1 {
			m := bits.TrailingZeros32(rest)
			if zones.Has(p.navalZone[m]) {
				continue
			}
			zones |= 1 << p.navalZone[m]
			c.Detail = 1 << m
			if !yield(c) {
				return false
			}
		}
	}
	return true
}
