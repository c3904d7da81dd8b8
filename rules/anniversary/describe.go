package anniversary

import "github.com/warledger/warledger/rules"

// Describe says what a command does and touches. It makes sense of any command, legal or not.
func (p *Position) Describe(_ rules.Seat, c Command) rules.Description {
	d := rules.Description{Kind: kinds.ID(int(c.Kind)), Forgoes: c.Kind == KindEnd}
	if d.Kind == "" || c.Len > MaxItems {
		return rules.Description{}
	}
	if n := p.price(&c); n > 0 {
		d.Cost = rules.Say("cost.ipc", "n", n)
	}
	d.Label.Key, d.Lot = p.label(&c, d.Kind), p.lot(&c)
	p.touch(&c, grammar.Tell(p, c, &d))
	return d
}

// label is the message of a command: that of its kind, or of what it says about it.
func (p *Position) label(c *Command, id string) string {
	id = "do." + id
	switch {
	case c.Yes:
		return id + "-yes"
	case c.N == 0 && (c.Kind == KindResearch || c.Kind == KindSubmerge), c.Len == 0 && c.Kind == KindBombard:
		return id + "-none"
	case c.Kind == KindPlace && c.From != NoSpace && c.From != c.To:
		return "do.place-through"
	case c.Kind == KindRetreat && c.To == NoSpace:
		return "do.retreat-air"
	case c.Kind == KindEnd && p.phase == PhaseCombat:
		return id + "-" + combatIDs[min(max(p.step, combatBombing), combatGeneral)]
	case c.Kind != KindShip:
		return id
	}
	switch sails := c.From != c.To || c.Via != NoSpace; {
	case c.Target != NoSpace && sails:
		return "do.ship-land"
	case c.Target != NoSpace:
		return "do.ship-unload"
	case !sails:
		return "do.ship-load"
	}
	return id
}

// lot is what a purchase of one unit buys, or one casualty.
func (p *Position) lot(c *Command) rules.Lot {
	if c.Kind == KindLose && c.Len == 1 && c.Items[0].N == 1 && p.battle.on() {
		return p.lossLot(c.Items[0])
	}
	if c.Kind != KindBuy || c.Len != 1 || c.Items[0].N != 1 || c.Items[0].Unit >= NumUnits || p.power >= NumPowers {
		return rules.Lot{}
	}
	u := c.Items[0].Unit
	return rules.Lot{
		Verb: kinds.ID(int(KindBuy)), Thing: u.ID(), Name: rules.Text{Key: "unit." + u.ID()},
		Price: p.cost(p.power, u), Purse: int(p.ipc[p.power]), Kinds: MaxItems,
	}
}

// price is what a command costs in IPCs.
func (p *Position) price(c *Command) int {
	switch {
	case c.Kind == KindResearch:
		return int(c.N) * p.sc.Numbers.ResearcherCost
	case p.power >= NumSeats:
	case c.Kind == KindRepair:
		return p.repairCost(int(c.N))
	case c.Kind == KindBuy:
		return p.bill(c)
	}
	return 0
}

// touch adds what a command touches without naming it.
func (p *Position) touch(c *Command, x *phrase) {
	at := p.battle.at
	switch c.Kind {
	case KindRepair:
		x.Pieces(p.complexAt(c.To)...)
	case KindRocket:
		x.Pieces(p.typed(c.From, p.acting, AAGun)...)
	case KindFight:
		x.Pieces(p.piecesAt(c.To, p.attacks)...)
	case KindBomb:
		x.Pieces(p.piecesAt(c.To, func(k Key) bool { return k.Has(Raid) })...)
	case KindRetreat:
		x.Pieces(p.piecesAt(at, p.attacks)...)
	case KindBombard, KindSubmerge, KindLose, KindPress:
		x.Spaces(p.spaceList(at)...)
	case KindDivert:
		x.Arg("power", powerName(p.whose(c)))
	case KindEnd:
		x.Arg("phase", phaseName(p.phase))
	case KindShip:
		if c.Power != NoPower && c.Power != p.acting {
			x.Told.Label = rules.Say("do.ship-allied", "what", inWords(x.Told.Label), "power", powerName(c.Power))
		}
	}
}

// whose is the power whose units a command is about; of ships that no power is named for, NoPower.
func (p *Position) whose(c *Command) Power {
	switch {
	case c.Power != NoPower || c.Kind == KindShip:
		return c.Power
	case c.Kind == KindDivert:
		return p.homelessPower()
	case c.Kind == KindPlace:
		return p.power
	}
	return p.acting
}

// tellCount tells a number of units of a type, and those that they can be.
func (x *phrase) tellCount(c *Command, u Unit) {
	p, at, r := x.p, c.From, rowOf(u, int(c.N))
	if c.Kind == KindJoin {
		at = c.To
	}
	x.Pieces(p.typed(at, p.whose(c), u)...)
	if c.Kind == KindDrop {
		r.put(Infantry, int(c.N))
		x.Pieces(p.typed(at, p.acting, Infantry)...)
	}
	x.Arg("count", r.words())
}

// tellUnits tells the lines of a command, and the pieces that they can be.
func (x *phrase) tellUnits(c *Command) {
	x.Arg("units", x.p.unitsOf(c))
	for _, it := range c.items() {
		x.Pieces(x.piecesFor(c, it)...)
	}
}

// piecesFor are the pieces that a line of a command can be.
func (x *phrase) piecesFor(c *Command, it Item) []string {
	p := x.p
	w := p.whose(c)
	switch c.Kind {
	case KindMove:
		return p.piecesOf(c.From, w, it, p.ready)
	case KindBombard:
		return p.typed(it.At, p.acting, it.Unit)
	case KindShip:
		if it.At == NoSpace {
			return p.aboardOf(c.From, w, it)
		}
		return p.typed(it.At, it.Power, it.Unit)
	case KindLose:
		if p.battle.on() {
			return p.piecesOf(p.battle.at, it.Power, it, func(k Key) bool { return p.eligible(k, p.battle.stage) })
		}
	case KindPlace:
		if w < NumPowers && it.Unit < NumUnits && p.pool[w][it.Unit] > 0 {
			return []string{p.pieceID(boxMobilization+w.ID(), w, it.Unit, 1)}
		}
	}
	return nil
}

// tellRecall tells the units of the combat move that is taken back.
func (x *phrase) tellRecall(c *Command) {
	p, r, back, now := x.p, &rows{}, NoSpace, NoSpace
	for i := range p.plan {
		if m := &p.plan[i]; m.entry == c.N && m.after != 0 && m.before != 0 {
			r.put(m.before.Unit(), int(m.n))
			x.Pieces(p.pieceList(m.after)...)
			if back == NoSpace {
				now = m.after.At()
			}
			back = m.before.At()
		}
	}
	x.Arg("n", int(c.N))
	x.Arg("units", r.words())
	x.Arg("from", spaceName(p.sc, now))
	x.space("space", &back)
}

// tellWay tells a way, with the space on it if there is one. Ships that stay where they are have one space.
func (x *phrase) tellWay(c *Command) {
	x.Arg("from", x.p.departure(c))
	x.Arg("to", spaceName(x.p.sc, c.To))
	if x.Spaces(x.p.spaceList(c.From, c.Via)...); c.Kind != KindShip || c.To != c.From {
		x.Spaces(x.p.spaceList(c.To)...)
	}
}
