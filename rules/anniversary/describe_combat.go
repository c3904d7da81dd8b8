package anniversary

import (
	"github.com/warledger/warledger/rules"
)

// describeCombat describes the commands of Conduct Combat, and answers.
func (p *Position) describeCombat(c *Command, d *rules.Description) bool {
	to := spaceName(p.sc, c.To)
	switch c.Kind {
	case KindFight:
		d.Label, d.Spaces, d.Pieces = rules.Say("do.fight", "space", to), p.spaceList(c.To), p.piecesAt(c.To, p.attacks)
	case KindBomb:
		d.Label, d.Spaces = rules.Say("do.bomb", "space", to), p.spaceList(c.To)
		d.Pieces = p.piecesAt(c.To, func(k Key) bool { return k.Has(Raid) })
	case KindRocket:
		d.Label, d.Spaces = rules.Say("do.rocket", "from", spaceName(p.sc, c.From), "to", to), p.spaceList(c.From, c.To)
		d.Pieces = p.typed(c.From, p.acting, AAGun)
	case KindBombard:
		d.Label, d.Spaces = rules.Say("do.bombard", p.unitsWith(c)...), p.spaceList(p.battle.at)
		if c.Len == 0 {
			d.Label = rules.Say("do.bombard-none")
		}
		for _, it := range c.items() {
			d.Pieces = append(d.Pieces, p.typed(it.At, p.acting, it.Unit)...)
		}
	case KindSubmerge:
		d.Label, d.Spaces = rules.Say("do.submerge", "n", int(c.N)), p.spaceList(p.battle.at)
		if c.N == 0 {
			d.Label = rules.Say("do.submerge-none")
		}
	case KindLose:
		p.describeLosses(c, d)
	case KindAnswer:
		d.Label = rules.Say("do.answer-no")
		if c.Yes {
			d.Label = rules.Say("do.answer-yes")
		}
	case KindPress:
		d.Label, d.Spaces = rules.Say("do.press"), p.spaceList(p.battle.at)
	case KindRetreat:
		d.Label, d.Spaces, d.Pieces = rules.Say("do.retreat", "space", to), p.spaceList(c.To), p.piecesAt(p.battle.at, p.attacks)
		if c.To == NoSpace {
			d.Label = rules.Say("do.retreat-air")
		}
	case KindEnd:
		d.Label = p.describeEnd()
	default:
		return false
	}
	return true
}

func (p *Position) describeLosses(c *Command, d *rules.Description) {
	d.Label, d.Spaces = rules.Say("do.lose", p.unitsWith(c)...), p.spaceList(p.battle.at)
	if !p.battle.on() {
		return
	}
	for _, it := range c.items() {
		d.Pieces = append(d.Pieces, p.piecesOf(p.battle.at, it.Power, it, func(k Key) bool { return p.eligible(k, p.battle.stage) })...)
	}
}

// describeEnd names the phase, or the step of Conduct Combat, that ends.
func (p *Position) describeEnd() rules.Text {
	if p.phase == PhaseCombat {
		switch p.step {
		case combatBombing:
			return rules.Say("do.end-bombing")
		case combatAssault:
			return rules.Say("do.end-assault")
		}
		return rules.Say("do.end-general")
	}
	return rules.Say("do.end", "phase", phaseName(p.phase))
}
