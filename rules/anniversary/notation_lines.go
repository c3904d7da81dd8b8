package anniversary

import (
	"slices"
	"strings"

	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

func (n *notes) turn() {
	p := n.p
	if !n.Line("turn", true) {
		return
	}
	n.clock = true
	kit.Int(n.Notes, &p.round, 0, 9999)
	kit.Int(n.Notes, &p.turn, 0, len(p.sc.Order))
	n.power(&p.power)
	kit.Name(n.Notes, &p.phase, phaseIDs[:])
	kit.Int(n.Notes, &p.step, 0, 9)
	if n.Option("acting", p.acting != p.power) {
		n.power(&p.acting)
	} else {
		p.acting = p.power
	}
	n.Flag("second", &p.swapped)
	n.Flag("chinafirst", &p.chinaFirst)
	kit.Count(n.Notes, "entries", &p.entries, 1, 255, 0)
}

// powerLines are what the powers have, a line for each that has anything.
func (n *notes) powerLines() {
	p := n.p
	for w := range NumPowers {
		has := p.pool[w] != [NumUnits]uint16{} || w < NumSeats && (p.ipc[w] != 0 || p.tokens[w] != 0 || p.tech[w] != 0)
		if !n.Line("power", has) {
			continue
		}
		if kit.Name(n.Notes, &w, scenario.PowerIDs[:]); w < NumSeats {
			n.economy(w)
		}
		if !n.Option("pool", p.pool[w] != [NumUnits]uint16{}) {
			continue
		}
		for u, held := range p.pool[w] {
			if held > 0 && !n.Reading {
				kit.Int(n.Notes, &held, 1, 60000)
				n.Word(scenario.UnitIDs[u])
			}
		}
		for n.Going() {
			held := n.Number(n.Next(), 1, 60000)
			p.pool[w][n.Index(n.Next(), scenario.UnitIDs[:])] = uint16(held)
		}
	}
}

func (n *notes) economy(w Power) {
	p := n.p
	kit.Count(n.Notes, "ipc", &p.ipc[w], 1, 60000, 0)
	kit.Count(n.Notes, "tokens", &p.tokens[w], 1, 30000, 0)
	if !n.Option("tech", p.tech[w] != 0) {
		return
	}
	if !n.Reading {
		n.Word(ids(uint64(p.tech[w]), scenario.TechIDs[:]))
		return
	}
	for _, id := range strings.Split(n.Next(), ",") {
		p.tech[w] |= 1 << n.Index(id, scenario.TechIDs[:])
	}
}

// control is what a power controls and did not at the start.
func (n *notes) control() {
	p := n.p
	n.changed("control", func(s Space) (now, then Power) { return p.owner[s], p.sc.Owner[s] },
		func(s Space, w Power) { p.owner[s] = w })
}

// changed are lines of spaces that were another power's, a line for each power.
func (n *notes) changed(name string, of func(Space) (is, was Power), set func(Space, Power)) {
	for w := range Power(NoPower + 1) {
		var spaces SpaceSet
		for s := range Space(n.p.sc.Len()) {
			if is, was := of(s); is == w && was != w && !n.Reading {
				spaces.Add(s)
			}
		}
		if !n.Line(name, !spaces.Empty()) {
			continue
		}
		n.power(&w)
		n.set(&spaces)
		for s := range spaces.Each {
			set(s, w)
		}
	}
}

func (n *notes) markers() {
	n.spaces("complexes", &n.p.complexes)
	n.amounts("damage", &n.p.damage)
}

// begun reports whether there is a start-of-turn state to write (AA 4.2.6).
func (n *notes) begun() bool { return n.Reading || n.p.power != NoPower }

func (n *notes) start() {
	p := n.p
	if n.begun() {
		n.changed("start", func(s Space) (then, now Power) { return p.startOwner[s], p.owner[s] },
			func(s Space, w Power) { n.starts[s] = w + 1 })
	}
}

// orNothing is a line of a set that may be empty: "-".
func (n *notes) orNothing(name string, set *SpaceSet, holds bool) bool {
	if !n.Line(name, holds) {
		return false
	}
	if !n.Option("-", set.Empty()) {
		n.set(set)
	}
	return true
}

func (n *notes) startComplexes() {
	set := n.p.startComplex
	if n.Reading {
		set = SpaceSet{}
	}
	if n.begun() && n.orNothing("startcomplexes", &set, n.p.startComplex != n.p.complexes) {
		n.startComplex = &set
	}
}

// hostile are the sea zones that were hostile when the turn began; that none was is said where some may have been.
func (n *notes) hostile() {
	if p := n.p; n.begun() {
		n.orNothing("hostile", &p.startHostile, !n.Reading && (!p.startHostile.Empty() || p.mayHaveBeenHostile()))
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

// canals are the canals that the side may use; that there is none is said where it held one.
func (n *notes) canals() {
	p := n.p
	if !n.begun() ||
		!n.Line("canals", !n.Reading && (p.canals != 0 || p.canalsOf(&p.startOwner, p.power.Side()) != 0)) ||
		n.Option("-", p.canals == 0) {
		return
	}
	names := make([]string, len(p.sc.Canals))
	for i := range p.sc.Canals {
		if names[i] = p.sc.Canals[i].ID; !n.Reading && p.canals&(1<<i) != 0 {
			n.Word(names[i])
		}
	}
	for n.Going() {
		if w := n.Next(); slices.Contains(names, w) {
			p.canals |= 1 << slices.Index(names, w)
		} else {
			n.Fail("there is no canal %.40q", w)
		}
	}
}

// thisTurn is what was done in the turn.
func (n *notes) thisTurn() {
	p := n.p
	n.spaces("fought", &p.fought)
	n.spaces("ignored", &p.ignored)
	n.spaces("rocketfrom", &p.rocketFrom)
	n.spaces("rocketat", &p.rocketAt)
	n.amounts("placed", &p.placed)
	n.amounts("unnamed", &p.unnamed)
	powers(n, "denied", &p.denied)
}

func (n *notes) planned() {
	for i := 0; n.Line("planned", i < len(n.p.plan)); i++ {
		m := planned{via: NoSpace}
		if !n.Reading {
			m = n.p.plan[i]
		}
		kit.Int(n.Notes, &m.entry, 0, 255)
		kit.Int(n.Notes, &m.n, 1, 9999)
		n.become(&m.before, &m.after)
		if n.Option("via", m.via != NoSpace) {
			n.space(&m.via)
		}
		if n.Reading {
			n.p.plan = append(n.p.plan, m)
		}
	}
}

// battle is the combat that is going on, with its sets and the casualties picked.
func (n *notes) battle() {
	b := &n.p.battle
	if n.Line("battle", b.on()) {
		if n.Reading {
			*b = battle{chooser: NoPower, picks: b.picks[:0]}
		}
		n.combat(b)
	}
	if !n.Reading && !b.on() {
		return
	}
	n.spaces("origins", &b.origins)
	n.spaces("shores", &b.shores)
	powers(n, "dived", &b.dived)
	powers(n, "agreed", &b.agreed)
	for i := 0; n.Line("pick", i < len(b.picks)); i++ {
		var x pick
		if !n.Reading {
			x = b.picks[i]
		}
		kit.Int(n.Notes, &x.n, 1, 9999)
		n.key(&x.Key)
		if n.Flag("damage", &x.damage); n.Reading {
			b.picks = append(b.picks, x)
		}
	}
}

func (n *notes) combat(b *battle) {
	n.space(&b.at)
	kit.Name(n.Notes, &b.stage, stageIDs[:])
	kit.Count(n.Notes, "round", &b.round, 1, 255, 0)
	kit.Count(n.Notes, "landed", &b.landed, 1, 255, 0)
	n.Flag("attackerdestroyer", &b.attackerDestroyer)
	n.Flag("defenderdestroyer", &b.defenderDestroyer)
	if n.Option("hits", b.hits != [odds.NumClasses]uint16{}) {
		for i := range b.hits {
			kit.Int(n.Notes, &b.hits[i], 0, 9999)
		}
	}
	if n.Option("chooser", b.chooser != NoPower) {
		kit.Name(n.Notes, &b.chooser, scenario.PowerIDs[:])
	}
	n.Flag("listed", &b.listed)
	n.Flag("retreated", &b.retreated)
}

func (n *notes) request() {
	r := &n.p.request
	if !n.Line("request", r.on()) {
		return
	}
	kit.Name(n.Notes, &r.power, scenario.PowerIDs[:])
	kit.Name(n.Notes, &r.ally, scenario.PowerIDs[:NumSeats])
	kit.Int(n.Notes, &r.n, 1, 9999)
	n.become(&r.before, &r.after)
	if n.Option("ship", r.ship != 0 || r.laden != 0) {
		n.become(&r.ship, &r.laden)
	}
}

func (n *notes) conceded() { powers(n, "conceded", &n.p.conceded) }

func (n *notes) over() {
	p := n.p
	if !n.Line("over", p.over()) {
		return
	}
	kit.Name(n.Notes, &p.winner, sideIDs[:NoSide])
	level := p.level - levelCities
	kit.Name(n.Notes, &level, levelIDs[levelCities:])
	p.level = level + levelCities
}
