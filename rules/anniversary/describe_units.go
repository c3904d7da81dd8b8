package anniversary

import (
	"github.com/warledger/warledger/rules"
)

// unitsOf puts the units that a command names into words. What is needed to tell them from others of their type is
// said: whose they are, from where they come, and which of those that differ.
func (p *Position) unitsOf(c *Command) rules.Words {
	r, plain := &rows{}, true
	list := make([]rules.Words, 0, c.Len)
	for _, it := range c.items() {
		r.put(it.Unit, int(it.N))
		one := numbered(it.Unit, max(int(it.N), 1))
		for _, remark := range p.remarks(c, it) {
			one, plain = inWords(rules.Say("list.with", "units", one, "remark", inWords(remark))), false
		}
		list = append(list, one)
	}
	if plain {
		return r.words()
	}
	return rules.Join(list, ", ", "、")
}

// remarks are what has to be said of a line of units.
func (p *Position) remarks(c *Command, it Item) (list []rules.Text) {
	own := p.acting
	if c.Power != NoPower {
		own = c.Power
	}
	if c.Kind != KindShip && it.Power != NoPower && it.Power != own {
		list = append(list, rules.Say("list.power", "power", powerName(it.Power)))
	}
	if it.At != NoSpace && (c.Kind == KindShip || c.Kind == KindBombard) {
		list = append(list, rules.Say("list.from", "space", spaceName(p.sc, it.At)))
	}
	if it.Variant > 0 {
		list = append(list, p.group(c, it))
	}
	if it.Stays {
		list = append(list, rules.Say("list.stays"))
	}
	return list
}

// group says which of the groups of a type that differ is meant, by what it has moved already and by its number on the
// board.
func (p *Position) group(c *Command, it Item) rules.Text {
	at, used := c.From, 0
	if c.Kind == KindLose {
		at = p.battle.at
	}
	power := it.Power
	if power == NoPower {
		power = p.acting
	}
	if int(at) < p.sc.Len() {
		p.eachPiece(at, func(g Group, variant int) {
			if g.Unit() == it.Unit && g.Power() == power && variant == int(it.Variant) {
				used = int(g.Used())
			}
		})
	}
	if used > 0 {
		return rules.Say("list.group-moved", "n", int(it.Variant), "used", used)
	}
	return rules.Say("list.group", "n", int(it.Variant))
}

// inWords is a message in every language, as a part of another.
func inWords(t rules.Text) rules.Words {
	return catalogue.Words(t)
}

// departure is where a command's units set out, with the way that was chosen.
func (p *Position) departure(c *Command) any {
	if c.Via == NoSpace {
		return spaceName(p.sc, c.From)
	}
	return inWords(rules.Say("list.way", "from", spaceName(p.sc, c.From), "via", spaceName(p.sc, c.Via)))
}
