package downfall

import (
	"slices"
	"strconv"

	"github.com/warledger/warledger/rules"
)

// Describe says what a command does and touches. It makes sense of any command, legal or not.
func (p *Position) Describe(seat rules.Seat, c Command) rules.Description {
	d := rules.Description{Kind: kinds.ID(int(c.Kind)), Forgoes: c.Kind == KindEnd}
	if d.Kind == "" {
		return d
	}
	if cost := p.price(c); cost > 0 {
		d.Cost = rules.Say("cost.cp", "n", cost)
	}
	d.Label.Key = label(&c, d.Kind)
	p.touch(seat, &c, grammar.Tell(p, c, &d))
	return d
}

// label is the message of a command: that of its kind, or of what it says about it.
func label(c *Command, id string) string {
	switch {
	case c.Kind == KindOrders && c.Hex != NoHex:
		return "do.orders-drop"
	case c.Kind == KindOrders && c.Count == modeInfantry:
		return "do.orders-infantry"
	case c.Kind == KindOrders && c.Count == modeAirborne:
		return "do.orders-airborne"
	case c.Kind == KindOrders:
		return "do.orders-stay"
	case c.Kind == KindSupply && c.Hex == NoHex:
		return "do.supply-none"
	case c.Kind == KindBombard && c.Unit == NoUnit:
		return "do.bombard-none"
	case c.Kind == KindAdvance && c.Units == 0:
		return "do.advance-none"
	case c.Kind == KindWithdraw && c.Routes != nil:
		return "do.withdraw-apart"
	}
	return "do." + id
}

// touch adds what a command touches without naming it.
func (p *Position) touch(seat rules.Seat, c *Command, x *phrase) {
	switch c.Kind {
	case KindConsecutive:
		slices.Reverse(x.Told.Spaces) // the target last
	case KindDeclare:
		x.Spaces(p.hexIDs(p.declTarget())...)
	case KindLand, KindDrop:
		pieces, h := p.ids(p.tab.landing), p.ixHex
		if c.Kind == KindDrop {
			pieces, h = p.unitIDs(p.sc.Infantry11), p.dropHex
		}
		if seat != US {
			h = NoHex // a secret plan (DF 8.6-a, DF 15.6-b)
		}
		x.Pieces(pieces...)
		x.hex("hex", &h)
	case KindRecover, KindEliminate:
		x.Spaces(p.unitAt(c.Unit)...)
	case KindRebuild, KindStepUp:
		x.Spaces(boxHolding)
	case KindShot:
		x.Spaces(p.unitAt(c.Other)...)
	case KindEnd:
		x.Arg("phase", phaseText(p.phase))
	case KindAccept, KindDecline:
		x.Arg("seat", seatText(enemy(seat&1)))
	}
	if c.Kind == KindSupport {
		x.Pieces(navalPieces(c.Detail)...)
	}
	if p.fight.on {
		p.touchCombat(c, x)
	}
}

// touchCombat adds what a command of a combat touches.
func (p *Position) touchCombat(c *Command, x *phrase) {
	switch c.Kind {
	case KindSupport, KindBombard, KindAdvance:
		x.Spaces(p.hexIDs(p.fight.target)...)
	case KindHold:
		x.Pieces(p.unitIDs(p.fight.shooter)...)
	}
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

// price is what a command costs in CP (DF 7.T). That of a consecutive attack is paid by its declaration (DF 7.8-c).
func (p *Position) price(c Command) int {
	cp := &p.sc.Chart.CP
	switch c.Kind {
	case KindMove:
		return cp.Move
	case KindEnter:
		switch u := c.ways()[0].Unit; {
		case u == p.sc.Service:
			return cp.Service
		case p.tab.japan.Has(u):
			return cp.Enter56
		}
		return cp.Enter
	case KindAttack:
		return cp.Attack
	case KindDeclare:
		return int(p.decl.count) * cp.Attack
	case KindLand:
		return cp.Landing
	case KindRecover:
		return cp.Recover
	case KindRebuild, KindStepUp:
		return cp.Rebuild
	case KindDrop:
		return cp.Drop
	case KindSupply:
		if c.Hex != NoHex {
			return cp.AirSupply
		}
	}
	return 0
}

// names are the names of a set of units.
func (p *Position) names(s UnitSet) rules.Words {
	var names []rules.Words
	for u := range s.Each {
		names = append(names, p.name(u))
	}
	return enumerate(names)
}

func (p *Position) hexIDs(hexes ...Hex) []string {
	var ids []string
	for _, h := range hexes {
		if h != NoHex && int(h) < len(p.at) {
			ids = append(ids, p.sc.HexID(h))
		}
	}
	return ids
}

func (p *Position) hexName(h Hex) rules.Words {
	if h == NoHex || int(h) >= len(p.at) {
		return plain("-")
	}
	return p.sc.HexName(h)
}

// unitIDs are the ids of units that a command names one by one.
func (p *Position) unitIDs(units ...Unit) []string {
	var ids []string
	for _, u := range units {
		if int(u) < len(p.sc.Units) {
			ids = append(ids, p.id(u))
		}
	}
	return ids
}

// navalPieces are the ids of naval markers on the board.
func navalPieces(set uint64) []string {
	var ids []string
	for m := range maxNaval {
		if set&(1<<m) != 0 {
			ids = append(ids, "naval-"+strconv.Itoa(m+1))
		}
	}
	return ids
}
