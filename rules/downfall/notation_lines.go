package downfall

import (
	"strconv"
	"strings"
)

// line reads a line by its first word; any other than those known is the number of a hex or the id of a box.
func (ps *parser) line() {
	if ps.p == nil {
		ps.head()
		return
	}
	sections := [...]struct {
		word string
		read func()
	}{
		{"turn", ps.turn}, {"awards", ps.awards}, {"kamikaze", ps.kamikaze}, {"air", ps.air}, {"naval", ps.naval}, {"airsupply", ps.airSupply},
		{"bombs", ps.bombs}, {"targets", ps.targets}, {"magic", ps.magic},
		{"exploded", func() { ps.hexes(ps.p.exploded) }}, {"attacked", func() { ps.hexes(ps.p.attacked) }},
		{"ixcorps", ps.plan}, {"orders", ps.orders},
		{"beachheads", ps.beachheads}, {"consecutive", ps.consecutive}, {"entry", ps.entry}, {"combat", ps.combat},
		{"attackers", func() { ps.p.fight.attackers = ps.units() }}, {"defenders", func() { ps.p.fight.defenders = ps.units() }},
		{"firing", func() { ps.p.fight.toFire = ps.units() }}, {"hurt", func() { ps.p.fight.hurt = ps.units() }},
		{"hurttwice", func() { ps.p.fight.hurtTwice = ps.units() }},
		{"offer", func() { ps.p.offer = 1 + uint8(ps.seat()) }}, {"over", ps.over},
	}
	for _, s := range sections {
		if ps.words[0] == s.word {
			ps.next()
			s.read()
			return
		}
	}
	ps.stack(ps.place())
}

func (ps *parser) head() {
	if !ps.has(version) {
		ps.fail("expected %s, not %.40q", version, ps.next())
		return
	}
	if id := ps.next(); id != ps.sc.ScenarioID() {
		ps.fail("a position of the scenario %.64q, not of %q", id, ps.sc.ScenarioID())
		return
	}
	var opt OptionSet
	for i := range optionList {
		if ps.has(optionList[i].ID) {
			opt |= 1 << i
		}
	}
	ps.p = newPosition(ps.sc, opt)
}

// stack reads the units of a place.
func (ps *parser) stack(at Place) {
	for len(ps.words) > 0 && ps.err == nil {
		ps.unit(at, ps.next())
	}
}

// unit reads a unit with its steps and marks.
func (ps *parser) unit(at Place, word string) {
	p := ps.p
	word, marks, _ := strings.Cut(word, "+")
	id, steps, stepped := strings.Cut(word, ":")
	u := ps.unitID(id)
	if ps.err != nil {
		return
	}
	if ps.seen.Has(u) {
		ps.fail("the unit %s is given twice", id)
		return
	}
	ps.seen |= bit(u)
	p.put(u, at)
	p.steps[u], p.supply[u] = p.usualSteps(u, at), p.usualSupply(u, at)
	if stepped {
		n, err := strconv.ParseUint(steps, 10, 8)
		if err != nil || n > uint64(p.sc.Units[u].Steps) {
			ps.fail("%s has %.20q steps, expected at most %d", id, steps, p.sc.Units[u].Steps)
			return
		}
		p.steps[u] = uint8(n)
	}
	if marks != "" {
		ps.marks(u, marks)
	}
}

func (ps *parser) marks(u Unit, text string) {
	p := ps.p
marks:
	for _, m := range strings.Split(text, "+") {
		for s, id := range supplyIDs {
			if id == m {
				p.supply[u] = Supply(s)
				continue marks
			}
		}
		for _, known := range p.unitMarks() {
			if known.id == m {
				*known.set |= bit(u)
				continue marks
			}
		}
		ps.fail("%s has the unknown mark %.20q", p.id(u), m)
		return
	}
}
