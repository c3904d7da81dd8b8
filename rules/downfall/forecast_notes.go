package downfall

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// modifiersAfter are the modifiers of the units in the combat that a command leads into, by name (DF 14): the strength
// of each, what changes it, and the sum. It is empty where the command throws dice before there is a combat.
func (p *Position) modifiersAfter(seat rules.Seat, c Command, a *affair) []rules.Modifier {
	q := p.Clone()
	if !p.fight.on {
		err := rules.Try(referee{}, q, dice.NewScript(nil), new(rules.Outcome),
			func(x *exec) { referee{}.Play(x, seat, c) })
		if err != nil || !q.fight.on {
			return nil
		}
	}
	var list []rules.Modifier
	for _, side := range [...]struct {
		seat  rules.Seat
		units UnitSet
	}{{a.seat, q.fight.attackers}, {enemy(a.seat), q.standing(a.defenders)}} {
		for u := range side.units.Each {
			list = append(list, q.modifiersOf(side.seat, u)...)
		}
	}
	return list
}

// modifiersOf are the modifiers of one unit's strength: the largest die that hits.
func (p *Position) modifiersOf(seat rules.Seat, u Unit) (list []rules.Modifier) {
	base := p.sc.Units[u].Strength[min(p.steps[u], 2)]
	add := func(key, value string) {
		list = append(list, rules.Modifier{
			ID: strings.TrimPrefix(key, "modifier."), Of: rules.Say("modifier.of", "unit", p.name(u)),
			Title: rules.Say(key), Value: value, Seat: seat, Pieces: []string{p.id(u)},
		})
	}
	add("modifier.printed", strconv.Itoa(base))
	terrain, river, supply, support := p.partsOf(u)
	for _, m := range [...]struct {
		key string
		n   int
	}{
		{"modifier.terrain", terrain}, {"modifier.river", river}, {"modifier.supply", supply},
		{"modifier.support", support},
	} {
		if m.n != 0 {
			add(m.key, signed(m.n))
		}
	}
	if len(list) > 1 {
		add("modifier.total", strconv.Itoa(p.strength(u)))
	}
	return list
}
