package anniversary

import (
	"strings"

	"github.com/warledger/warledger/rules/kit"
)

// head writes the scenario, the options and the clock.
func (w *writer) head() {
	p := w.p
	w.line(version).word(p.sc.ScenarioID())
	for i, o := range p.opt.values() {
		if option := &optionList[i]; o != option.Values[0] {
			if o == "true" && option.Values[0] == "false" {
				w.word(option.ID)
			} else {
				w.word(option.ID + "=" + o)
			}
		}
	}
	w.line("turn").number(int(p.round)).number(int(p.turn)).power(p.power).word(phaseIDs[p.phase]).number(int(p.step))
	if p.acting != p.power {
		w.word("acting").power(p.acting)
	}
	w.flag(p.swapped, "second").flag(p.chinaFirst, "chinafirst").count("entries", int(p.entries))
}

// values are the options in the order of the list. The preset is what it turns on.
func (o *options) values() [9]string {
	flag := func(on bool) string {
		if on {
			return "true"
		}
		return "false"
	}
	cities := "15"
	switch o.cities {
	case 13:
		cities = "13"
	case 18:
		cities = "18"
	}
	return [...]string{
		cities, flag(o.research), flag(o.objectives), flag(o.rocketLimit), flag(o.tinyIslands), flag(o.bigFactories), flag(o.printed), flag(o.chinese),
		"false",
	}
}

// economy writes what the powers have.
func (w *writer) economy() {
	p := w.p
	for x := range Power(NumPowers) {
		from := len(w.b)
		if w.line("power").power(x); x < NumSeats {
			if w.count("ipc", int(p.ipc[x])).count("tokens", int(p.tokens[x])); p.tech[x] != 0 {
				w.word("tech", techWords(p.tech[x]))
			}
		}
		if p.pool[x] != [NumUnits]uint16{} {
			w.word("pool")
		}
		for u, n := range p.pool[x] {
			if n > 0 {
				w.number(int(n)).word(unitIDs[u])
			}
		}
		if len(w.b) == from+len("\npower ")+len(powerIDs[x]) {
			w.b = w.b[:from] // it has nothing
		}
	}
}

// techWords joins the ids of technologies.
func techWords(set Techs) string {
	var ids []string
	for t := range NumTechs {
		if set.Has(t) {
			ids = append(ids, techIDs[t])
		}
	}
	return strings.Join(ids, ",")
}

// control writes who controls what, and the complexes.
func (w *writer) control() {
	p := w.p
	for x := range Power(NoPower + 1) {
		var set SpaceSet
		for s := range Space(p.sc.Len()) {
			if p.owner[s] == x && p.sc.Owner[s] != x {
				set.Add(s)
			}
		}
		w.spaces("control "+orNone(x.ID()), set)
	}
	w.spaces("complexes", p.complexes)
	w.amounts("damage", &p.damage)
}

// startOfTurn writes the start-of-turn state (AA 4.2.6).
func (w *writer) startOfTurn() {
	p := w.p
	for x := range Power(NoPower + 1) {
		var set SpaceSet
		for s := range Space(p.sc.Len()) {
			if p.startOwner[s] == x && p.owner[s] != x {
				set.Add(s)
			}
		}
		w.spaces("start "+orNone(x.ID()), set)
	}
	switch {
	case p.startComplex == p.complexes:
	case p.startComplex.Empty():
		w.line("startcomplexes -")
	default:
		w.spaces("startcomplexes", p.startComplex)
	}
	if p.startHostile.Empty() && p.mayHaveBeenHostile() {
		w.line("hostile -")
	} else {
		w.spaces("hostile", p.startHostile)
	}
	switch {
	case p.canals != 0:
		w.line("canals")
	case p.canalsOf(&p.startOwner, p.power.Side()) != 0:
		w.line("canals -")
	}
	for i := range p.sc.Canals {
		if p.canals&(1<<i) != 0 {
			w.word(p.sc.Canals[i].ID)
		}
	}
}

// mayHaveBeenHostile reports whether a sea zone may have been hostile when the turn began, by what the rest of the
// position says. Enemy warships do not move in the turn, so zones that were hostile still are, or a combat sank what
// made them so. Where it reports false a position needs no line to say that none was; everywhere else a line left out
// by mistake would silently make another position.
func (p *Position) mayHaveBeenHostile() bool {
	if !p.hostileNow(p.power.Side()).Empty() || p.battle.on() && p.sc.IsSea(p.battle.at) {
		return true
	}
	for s := range p.fought.Each {
		if p.sc.IsSea(s) {
			return true
		}
	}
	return false
}

// thisTurn writes what was done in the turn.
func (w *writer) thisTurn() {
	p := w.p
	w.spaces("fought", p.fought)
	w.spaces("ignored", p.ignored)
	w.spaces("rocketfrom", p.rocketFrom)
	w.spaces("rocketat", p.rocketAt)
	w.amounts("placed", &p.placed)
	w.amounts("unnamed", &p.unnamed)
	w.powers("denied", uint32(p.denied))
	for i := range p.plan {
		m := &p.plan[i]
		w.line("planned").number(int(m.entry)).number(int(m.n)).key(m.before).word(">").key(m.after)
		if m.via != NoSpace {
			w.word("via").space(m.via)
		}
	}
}

// battle writes the procedures under way: the combat and the request to an ally.
func (w *writer) battle() {
	if b := &w.p.battle; b.on() {
		w.line("battle").space(b.at).word(stageIDs[b.stage]).count("round", int(b.round)).count("landed", int(b.landed))
		w.flag(b.attackerDestroyer, "attackerdestroyer").flag(b.defenderDestroyer, "defenderdestroyer")
		if b.hits != [numClasses]uint16{} {
			w.word("hits").number(int(b.hits[0])).number(int(b.hits[1])).number(int(b.hits[2]))
		}
		if b.chooser != NoPower {
			w.word("chooser").power(b.chooser)
		}
		w.flag(b.listed, "listed").flag(b.retreated, "retreated")
		w.spaces("origins", b.origins)
		w.spaces("shores", b.shores)
		w.powers("dived", uint32(b.dived))
		w.powers("agreed", uint32(b.agreed))
		for i := range b.picks {
			w.line("pick").number(int(b.picks[i].n)).key(b.picks[i].Key).flag(b.picks[i].damage, "damage")
		}
	}
	if r := &w.p.request; r.on() {
		w.line("request").power(r.power).power(r.ally).number(int(r.n)).key(r.before).word(">").key(r.after)
		if r.ship != 0 || r.laden != 0 {
			w.word("ship").key(r.ship).word(">").key(r.laden)
		}
	}
}

// seats writes what seats ordered and conceded, and how the game ended.
func (w *writer) seats() {
	p := w.p
	for i := range p.orders {
		if p.orders[i] != (standing{}) {
			x := p.ordering(kit.Phrase{Shape: kit.Write})
			x.writeOrders(p.orders[i].orders())
			w.line("orders").power(Power(i)).b = append(w.b, x.Text...)
		}
	}
	w.powers("conceded", uint32(p.conceded))
	if p.over() {
		w.line("over").word(sideIDs[p.winner], levelIDs[p.level])
	}
}

// orders are standing orders as a command gives them.
func (s *standing) orders() *Standing {
	o := &Standing{
		Retreat: s.retreat, Submarines: s.subs, Bombard: s.bombard, Divert: s.divert, Agree: s.agree, Carriers: s.carriers, Transports: s.transports,
	}
	if s.n > 0 {
		o.Losses = append(o.Losses, s.losses[:s.n]...)
	}
	return o
}

// stacks writes the units by space and power.
func (w *writer) stacks() {
	last := Key(0)
	for _, g := range w.p.groups {
		if last == 0 || g.At() != last.At() || g.Power() != last.Power() {
			w.line("at").space(g.At()).power(g.Power())
		}
		w.number(int(g.N)).unit(g.Key)
		last = g.Key
	}
}
