package downfall

import (
	"math/bits"

	"github.com/warledger/warledger/rules"
)

// describeAction describes the commands that spend CP.
func (p *Position) describeAction(seat rules.Seat, c Command, d *rules.Description) bool {
	unit := p.name(c.Unit)
	switch c.Kind {
	case KindMove, KindFollow, KindEnter:
		p.describeWays(c, d)
	case KindAttack:
		d.Label = rules.Say("do.attack", "units", p.names(c.Units), "from", p.hexName(c.From), "hex", p.hexName(c.Hex), "support", supportText(c),
			"naval", navalNumber(c))
		d.Pieces, d.Spaces = p.ids(c.Units), p.hexIDs(c.From, c.Hex)
	case KindConsecutive:
		d.Label = rules.Say("do.consecutive", "units", p.names(c.Units), "from", p.hexName(c.From), "hex", p.hexName(c.Hex))
		d.Pieces, d.Spaces = p.ids(c.Units), p.hexIDs(c.From, c.Hex)
	case KindAlso:
		d.Label = rules.Say("do.also", "units", p.names(c.Units), "from", p.hexName(c.From))
		d.Pieces, d.Spaces = p.ids(c.Units), p.hexIDs(c.From)
	case KindDeclare:
		d.Label = rules.Say("do.declare", "air", int(c.Count), "naval", numbers(markerNumbers(uint32(c.Detail))),
			"support", part(c.Count > 0 || c.Detail != 0, "do.declare-support"))
		d.Pieces, d.Spaces = navalPieces(c.Detail), p.hexIDs(p.declTarget())
	case KindLand:
		h := p.known(seat, p.ixHex)
		d.Label = rules.Say("do.land", "hex", p.hexName(h), "support", supportText(c), "naval", navalNumber(c))
		d.Pieces, d.Spaces = p.ids(p.tab.landing), p.hexIDs(h)
	case KindCancel:
		d.Label = rules.Say("do.cancel")
	case KindRecover:
		d.Label, d.Spaces = rules.Say("do.recover", "unit", unit), p.unitAt(c.Unit)
	case KindRebuild:
		d.Label, d.Spaces = rules.Say("do.rebuild", "unit", unit), []string{boxHolding}
	case KindStepUp:
		d.Label, d.Spaces = rules.Say("do.stepup", "unit", unit), []string{boxHolding}
	case KindDrop:
		h := p.known(seat, p.dropHex)
		d.Label, d.Pieces, d.Spaces = rules.Say("do.drop", "hex", p.hexName(h)), p.unitIDs(p.sc.Infantry11), p.hexIDs(h)
	default:
		return false
	}
	return true
}

// known is the hex of a secret plan for those who know it, NoHex for all others (DF 8.6-a, DF 15.6-b).
func (p *Position) known(seat rules.Seat, h Hex) Hex {
	if seat == US {
		return h
	}
	return NoHex
}

// declTarget is the target of the consecutive attack that is declared.
func (p *Position) declTarget() Hex {
	if p.decl.on {
		return p.decl.target
	}
	return NoHex
}

// unitAt is the hex that a unit is in.
func (p *Position) unitAt(u Unit) []string {
	if int(u) >= len(p.sc.Units) {
		return nil
	}
	return p.hexIDs(p.place[u].Hex())
}

// describeWays describes moves and entries by the units and where they go.
func (p *Position) describeWays(c Command, d *rules.Description) {
	ways := c.ways()
	d.Pieces, d.Spaces = nil, nil
	var moves []rules.Words
	for _, r := range ways {
		end := NoHex
		if len(r.Path) > 0 {
			end = r.Path[len(r.Path)-1]
		}
		d.Pieces = append(d.Pieces, p.unitIDs(r.Unit)...)
		d.Spaces = append(d.Spaces, p.hexIDs(end)...)
		moves = append(moves, going(p.name(r.Unit), p.hexName(end)))
	}
	text := enumerate(moves)
	switch c.Kind {
	case KindMove:
		d.Label = rules.Say("do.move", "moves", text)
	case KindFollow:
		d.Label = rules.Say("do.follow", "moves", text)
	default:
		d.Label = rules.Say("do.enter", "moves", text)
	}
}

// supportText refers to what supports a combat.
func supportText(c Command) string {
	switch {
	case c.Count > 0 && c.Detail != 0:
		return "@support.both"
	case c.Detail != 0:
		return "@support.naval"
	case c.Count > 0:
		return "@support.air"
	}
	return "@support.none"
}

func navalNumber(c Command) int {
	if c.Detail == 0 {
		return 0
	}
	return bits.TrailingZeros64(c.Detail) + 1
}

// describeCombat describes the commands within a combat.
func (p *Position) describeCombat(seat rules.Seat, c Command, d *rules.Description) bool {
	unit, target := p.name(c.Unit), p.fightTarget()
	switch c.Kind {
	case KindSupport:
		d.Label, d.Spaces = rules.Say("do.support", "support", supportText(c), "naval", navalNumber(c)), target
		d.Pieces = navalPieces(c.Detail)
	case KindBombard:
		d.Label = rules.Say("do.bombard", "unit", unit)
		if c.Unit == NoUnit {
			d.Label = rules.Say("do.bombard-none")
		}
		d.Spaces = target
	case KindShot:
		d.Label, d.Pieces = rules.Say("do.shot", "unit", unit, "target", p.name(c.Other)), p.unitIDs(c.Unit, c.Other)
		d.Spaces = p.unitAt(c.Other)
	case KindHold:
		d.Label, d.Pieces = rules.Say("do.hold"), p.shooting()
	case KindRetreat:
		d.Label = rules.Say("do.retreat", "unit", unit)
	case KindAbort:
		d.Label = rules.Say("do.abort", "unit", unit)
	case KindWithdraw:
		p.describeWithdrawal(c, d)
	case KindAdvance:
		d.Label, d.Pieces, d.Spaces = rules.Say("do.advance", "units", p.names(c.Units)), p.ids(c.Units), target
		if c.Units == 0 {
			d.Label = rules.Say("do.advance-none")
		}
	case KindEliminate:
		d.Label, d.Spaces = rules.Say("do.eliminate", "unit", unit), p.unitAt(c.Unit)
	case KindEnd:
		d.Label = rules.Say("do.end", "phase", phaseText(p.phase))
	case KindAccept, KindDecline:
		d.Label = rules.Say("do."+d.Kind, "seat", seatText(enemy(seat&1)))
	default:
		return false
	}
	return true
}

// shooting is the unit that fired last and has shots left.
func (p *Position) shooting() []string {
	if !p.fight.on {
		return nil
	}
	return p.unitIDs(p.fight.shooter)
}

func (p *Position) fightTarget() []string {
	if !p.fight.on {
		return nil
	}
	return p.hexIDs(p.fight.target)
}

func (p *Position) describeWithdrawal(c Command, d *rules.Description) {
	d.Pieces, d.Spaces = nil, nil
	if c.Routes == nil {
		d.Label, d.Spaces = rules.Say("do.withdraw", "hex", p.hexName(c.Hex)), p.hexIDs(c.Hex)
		if p.fight.on {
			d.Pieces = p.ids(p.retreating())
		}
		return
	}
	var moves []rules.Words
	for _, r := range *c.Routes {
		to := NoHex
		if len(r.Path) > 0 {
			to = r.Path[0]
		}
		moves = append(moves, going(p.name(r.Unit), p.hexName(to)))
		d.Pieces, d.Spaces = append(d.Pieces, p.unitIDs(r.Unit)...), append(d.Spaces, p.hexIDs(to)...)
	}
	d.Label = rules.Say("do.withdraw-apart", "moves", enumerate(moves))
}
