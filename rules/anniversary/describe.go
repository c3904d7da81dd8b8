package anniversary

import (
	"github.com/warledger/warledger/rules"
)

// describe says what a command does and touches. It makes sense of any command, legal or not.
func (p *Position) describe(_ rules.Seat, c Command) rules.Description {
	d := rules.Description{}
	if c.Kind == KindNone || c.Kind >= numKinds || c.Len > MaxItems {
		return d
	}
	d.Kind, d.Forgoes = kinds.ID(int(c.Kind)), c.Kind == KindEnd
	if !p.describeEconomy(&c, &d) && !p.describeMove(&c, &d) && !p.describeCombat(&c, &d) {
		d.Label = rules.Say("do." + d.Kind)
	}
	return d
}

// describeEconomy describes the commands of research, purchase and mobilization.
func (p *Position) describeEconomy(c *Command, d *rules.Description) bool {
	n := int(c.N)
	switch c.Kind {
	case KindResearch:
		d.Label = rules.Say("do.research", "n", n)
		d.Cost = ipcs(n * p.sc.Numbers.ResearcherCost)
		if n == 0 {
			d.Label = rules.Say("do.research-none")
		}
	case KindChart:
		d.Label = rules.Say("do.chart", "n", n)
	case KindBuy:
		cost := 0
		for _, it := range c.items() {
			if it.Unit < NumUnits && p.power < NumSeats {
				cost += int(it.N) * p.cost(p.power, it.Unit)
			}
		}
		d.Label, d.Cost = rules.Say("do.buy", rowsOf(c).with()...), ipcs(cost)
	case KindRepair:
		d.Label, d.Spaces = rules.Say("do.repair", "n", n, "space", spaceName(p.sc, c.To)), p.spaceList(c.To)
		d.Pieces = p.complexAt(c.To)
		if p.power < NumSeats {
			d.Cost = ipcs(p.repairCost(n))
		}
	case KindOrder:
		d.Label = rules.Say("do.order-second")
		if c.Yes {
			d.Label = rules.Say("do.order-first")
		}
	case KindPlace:
		p.describePlace(c, d)
	default:
		return false
	}
	return true
}

// ipcs is a price in words; none for 0.
func ipcs(n int) rules.Text {
	if n == 0 {
		return rules.Text{}
	}
	return rules.Say("cost.ipc", "n", n)
}

// rowsOf counts the units that a command names.
func rowsOf(c *Command) *rows {
	r := &rows{}
	for _, it := range c.items() {
		r.put(it.Unit, int(it.N))
	}
	return r
}

func (p *Position) describePlace(c *Command, d *rules.Description) {
	w := c.Power
	if w == NoPower {
		w = p.power
	}
	d.Label, d.Spaces = rules.Say("do.place", rowsOf(c).with("space", spaceName(p.sc, c.To))...), p.spaceList(c.To)
	if c.From != NoSpace && c.From != c.To {
		d.Label = rules.Say("do.place-through", rowsOf(c).with("space", spaceName(p.sc, c.To), "through", spaceName(p.sc, c.From))...)
		d.Spaces = p.spaceList(c.From, c.To)
	}
	for _, it := range c.items() {
		if w < NumPowers && it.Unit < NumUnits && p.pool[w][it.Unit] > 0 {
			d.Pieces = append(d.Pieces, p.pieceID(boxMobilization+w.ID(), w, it.Unit, 1))
		}
	}
}

// describeMove describes the commands of movement.
func (p *Position) describeMove(c *Command, d *rules.Description) bool {
	from, to := spaceName(p.sc, c.From), spaceName(p.sc, c.To)
	r := &rows{}
	switch c.Kind {
	case KindMove:
		p.describeUnits(c, d)
	case KindShip:
		p.describeShip(c, d)
	case KindDrop:
		r.put(Bomber, int(c.N))
		r.put(Infantry, int(c.N))
		d.Label, d.Spaces = rules.Say("do.drop", r.with("from", from, "to", to)...), p.spaceList(c.From, c.To)
		d.Pieces = append(p.typed(c.From, p.acting, Bomber), p.typed(c.From, p.acting, Infantry)...)
	case KindRaid:
		r.put(Bomber, int(c.N))
		d.Label, d.Spaces = rules.Say("do.raid", r.with("from", from, "to", to)...), p.spaceList(c.From, c.To)
		d.Pieces = p.typed(c.From, p.acting, Bomber)
	case KindJoin:
		r.put(Fighter, int(c.N))
		d.Label, d.Spaces = rules.Say("do.join", r.with("space", to)...), p.spaceList(c.To)
		d.Pieces = p.typed(c.To, p.acting, Fighter)
	case KindDivert:
		r.put(Fighter, int(c.N))
		w := c.Power
		if w == NoPower {
			w = p.homelessPower()
		}
		d.Label, d.Spaces = rules.Say("do.divert", r.with("power", powerName(w), "from", from, "to", to)...), p.spaceList(c.From, c.To)
		d.Pieces = p.typed(c.From, w, Fighter)
	case KindRecall:
		p.describeRecall(c, d)
	default:
		return false
	}
	return true
}

// describeRecall names the units of the combat move that is taken back.
func (p *Position) describeRecall(c *Command, d *rules.Description) {
	r, back := &rows{}, NoSpace
	for i := range p.plan {
		if m := &p.plan[i]; m.entry == c.N && m.after != 0 && m.before != 0 {
			r.put(m.before.Unit(), int(m.n))
			d.Pieces = append(d.Pieces, p.pieceList(m.after)...)
			back = m.before.At()
		}
	}
	d.Label, d.Spaces = rules.Say("do.recall", r.with("space", spaceName(p.sc, back))...), p.spaceList(back)
}

// describeUnits describes a move.
func (p *Position) describeUnits(c *Command, d *rules.Description) {
	w := c.Power
	if w == NoPower {
		w = p.acting
	}
	key := "do.move"
	if c.Via != NoSpace {
		key = "do.move-via"
	}
	d.Label = rules.Say(key, p.unitsWith(c, "from", spaceName(p.sc, c.From), "to", spaceName(p.sc, c.To), "via", spaceName(p.sc, c.Via))...)
	d.Spaces = p.spaceList(c.From, c.Via, c.To)
	for _, it := range c.items() {
		d.Pieces = append(d.Pieces, p.piecesOf(c.From, w, it, p.ready)...)
	}
}

// describeShip describes a plan of transports: what they have aboard, where they sail and where they land it.
func (p *Position) describeShip(c *Command, d *rules.Description) {
	key := "do.ship"
	switch sails := c.From != c.To || c.Via != NoSpace; {
	case c.Target != NoSpace && sails:
		key = "do.ship-land"
	case c.Target != NoSpace:
		key = "do.ship-unload"
	case !sails:
		key = "do.ship-load"
	}
	d.Label = rules.Say(key, p.unitsWith(c, "ships", int(c.N), "from", p.departure(c), "to", spaceName(p.sc, c.To), "target", spaceName(p.sc, c.Target))...)
	if c.Power != NoPower && c.Power != p.acting {
		d.Label = rules.Say("do.ship-allied", "what", inWords(d.Label), "power", powerName(c.Power))
	}
	d.Pieces = p.typed(c.From, c.Power, Transport)
	ports := SpaceSet{}
	for _, it := range c.items() {
		if it.At != NoSpace {
			ports.Add(it.At)
			d.Pieces = append(d.Pieces, p.typed(it.At, it.Power, it.Unit)...)
		}
	}
	d.Spaces = append(p.spaceIDs(ports), p.spaceList(c.From, c.Via)...)
	if c.To != c.From {
		d.Spaces = append(d.Spaces, p.spaceList(c.To)...)
	}
	d.Spaces = append(d.Spaces, p.spaceList(c.Target)...)
}
