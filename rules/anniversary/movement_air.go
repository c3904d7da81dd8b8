package anniversary

import "github.com/warledger/warledger/rules"

// Air units: one allowance for the whole turn (AA 8.3.1), every space entered counts (AA 8.3.2), hostile spaces don't
// stop them (AA 8.3.3), and they land elsewhere than in territory that was taken in this turn (AA 15.6.2).

// planAir plans a move of air units.
func (p *Position) planAir(c *Command, w Power, o *plan) *rules.Refusal {
	o.path[0], o.path[1], o.steps = c.From, c.To, 1
	if c.From == c.To {
		return p.no(o, "AA 12.3.6", "refuse.no-move", c.To)
	}
	if p.phase == PhaseMove {
		return p.planStrike(c, w, o)
	}
	return p.planLanding(c, w, o)
}

// planStrike plans a combat move of air units.
func (p *Position) planStrike(c *Command, w Power, o *plan) *rules.Refusal {
	mark, r := p.strikeEnd(c, w, o)
	if r != nil {
		return r
	}
	d := p.flight(w, c.From, c.To)
	for _, it := range c.items() {
		left := p.moves(w, it.Unit) - d
		if left < 0 {
			return p.no(o, "AA 8.1.6", "refuse.too-far", c.To, "from", p.name(c.From), "steps", p.moves(w, it.Unit))
		}
		if !p.canReturn(w, it.Unit, c.To, left, &o.proof) {
			return p.refuseReturn(o, it.Unit, c.To, left)
		}
		short := p.pickUnits(c.From, w, it, func(k Key, n uint16) bool {
			if o.full() {
				return false
			}
			o.add(k, k.moveTo(c.To).use(uint8(d)).mark(mark), n)
			return true
		})
		if short > 0 {
			return p.shortage(o, c.From, w, it)
		}
	}
	return nil
}

// refuseReturn refuses an attack without a way back (AA 8.3.4); a bomber can't use up its movement (AA 8.3.10).
func (p *Position) refuseReturn(o *plan, u Unit, s Space, left int) *rules.Refusal {
	rule := "AA 8.3.4"
	if u == Bomber {
		rule = "AA 8.3.10"
	}
	return p.no(o, rule, "refuse.no-return", s, "unit", unitName(u), "left", left)
}

// strikeEnd says why air units may not attack a space, and how they are marked: hostile territory; a sea zone with
// warships; or one with submarines and transports alone, which they then must attack (AA 8.1.4 d).
func (p *Position) strikeEnd(c *Command, w Power, o *plan) (Mark, *rules.Refusal) {
	mark := Moved
	if c.Kind == KindRaid {
		mark |= Raid
	}
	switch {
	case p.sc.IsSea(c.To) && p.hostileSea(c.To), p.wasHostile(c.To) && !p.sc.IsSea(c.To):
		return mark, nil
	case p.sc.IsSea(c.To) && p.enemies(c.To):
		return mark | Attack, nil
	case p.sc.IsSea(c.To):
		return 0, p.no(o, "AA 8.1.3", "refuse.nothing-there", c.To)
	}
	return 0, p.no(o, "AA 8.1.3", "refuse.friendly-end", c.To) // AA 1.1.7
}

// planRaid plans bombers that raid a complex (AA 8.9.1): only bombers (AA 9.2.1), only where there is one.
func (p *Position) planRaid(c *Command, o *plan) *rules.Refusal {
	move := *c
	move.Len = 0
	move = move.with(line(Bomber, c.N))
	if r := p.checkMove(&move, p.acting, o); r != nil {
		return r
	}
	if p.sc.IsSea(c.To) || !p.startComplex.Has(c.To) {
		return p.no(o, "AA 8.9.1", "refuse.no-complex", c.To)
	}
	return p.planAir(&move, p.acting, o)
}

// planJoin plans fighters over a carrier that take part in the combat there (AA 8.2.6, AA 9.5.2).
func (p *Position) planJoin(c *Command, o *plan) *rules.Refusal {
	n := Space(p.sc.Len())
	if c.To >= n || c.N == 0 {
		return rules.Malformed("fighters that join need their sea zone and a number from 1")
	}
	o.path[0] = c.To
	mark := Moved
	switch {
	case !p.sc.IsSea(c.To) || !p.enemies(c.To):
		return p.no(o, "AA 9.5.2", "refuse.nothing-there", c.To)
	case !p.hostileSea(c.To):
		mark |= Attack
	}
	left := p.pickUnits(c.To, p.acting, line(Fighter, c.N), func(k Key, n uint16) bool {
		o.add(k, k.mark(mark), n)
		return true
	})
	if left > 0 {
		return p.shortage(o, c.To, p.acting, line(Fighter, c.N))
	}
	if !p.canReturn(p.acting, Fighter, c.To, p.moves(p.acting, Fighter), &o.proof) {
		return p.refuseReturn(o, Fighter, c.To, p.moves(p.acting, Fighter))
	}
	return nil
}

// planLanding plans a noncombat move of air units (AA 12.3).
func (p *Position) planLanding(c *Command, w Power, o *plan) *rules.Refusal {
	if r := p.landingPlace(c, o); r != nil {
		return r
	}
	d, sea := p.flight(w, c.From, c.To), p.sc.IsSea(c.To)
	free := 0
	if sea {
		free = p.freeDecks(w, c.To)
	}
	for _, it := range c.items() {
		left := p.pickUnits(c.From, w, it, func(k Key, n uint16) bool {
			if o.full() || int(k.Used())+d > p.moves(w, it.Unit) {
				return false
			}
			after := k.moveTo(c.To).unmark(Moved | Attack | Raid).use(k.Used() + uint8(d))
			switch {
			case !sea:
				o.add(k, after.use(0).mark(Done), n)
			case free > 0:
				aboard := min(n, uint16(free))
				free -= int(aboard)
				o.add(k, after.use(0).mark(Done), aboard)
				if n > aboard {
					o.add(k, after.mark(Moved), n-aboard)
				}
			default:
				o.add(k, after.mark(Moved), n)
			}
			return true
		})
		if left > 0 {
			return p.landingShortage(c, w, o, it, d)
		}
	}
	if sea {
		return p.checkHover(w, o)
	}
	return nil
}

// landingPlace: territory that was friendly when the turn began (AA 12.3.2, AA 12.3.3, also the smallest island, AA
// 2.3.4), or a sea zone for fighters (AA 12.3.4): no bomber and no fighter without a carrier ever defends at sea (AA
// 15.6.1).
func (p *Position) landingPlace(c *Command, o *plan) *rules.Refusal {
	switch {
	case !p.sc.IsSea(c.To):
		if !p.wasFriendly(c.To) {
			return p.no(o, "AA 12.3.3", "refuse.was-hostile", c.To)
		}
	default:
		for _, it := range c.items() {
			if it.Unit == Bomber {
				return p.no(o, "AA 12.3.4", "refuse.bomber-at-sea", c.To) // AA 12.3.6
			}
		}
	}
	return nil
}

func (p *Position) landingShortage(c *Command, w Power, o *plan, it Item, d int) *rules.Refusal {
	if o.quiet {
		return silent
	}
	reach := 0
	for _, g := range p.at(c.From) {
		if g.Power() == w && g.Unit() == it.Unit && p.ready(g.Key) && int(g.Used())+d > p.moves(w, it.Unit) {
			reach = max(reach, p.moves(w, it.Unit)-int(g.Used()))
		}
	}
	if reach > 0 || d > p.moves(w, it.Unit) {
		return p.no(o, "AA 12.3.1", "refuse.out-of-reach", c.To, "unit", unitName(it.Unit), "left", reach,
			"distance", d)
	}
	return p.shortage(o, c.From, w, it)
}

// checkHover: a fighter that finds no room now must find some by the end of the phase (AA 12.3.6), and takes no other's
// (AA 12.5.3); an ally whose deck it needs may have to be asked (AA 8.1.12).
func (p *Position) checkHover(w Power, o *plan) *rules.Refusal {
	z := o.path[1]
	if p.spoils(w, o.changes(), &o.proof) {
		return p.no(o, "AA 12.3.6", "refuse.no-deck", z)
	}
	if ally, policy := p.deckOwner(w, z, o); ally != NoPower {
		if policy == Never {
			return p.no(o, "AA 8.1.12", "refuse.no-consent", z, "power", powerName(ally))
		}
		if policy == AskFirst {
			if o.ask = ally; o.n > 1 {
				return p.no(o, "AA 8.1.12", "refuse.one-at-a-time", z, "power", powerName(ally))
			}
		}
	}
	return nil
}
