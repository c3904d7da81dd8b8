package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 4: Conduct Combat (AA 9.1.1). Its steps: bombing, amphibious assaults, general combat.

// The steps of the phase.
const (
	combatBombing = 1
	combatAssault = 2
	combatGeneral = 3
	combatOver    = 4
)

// agenda is what there is to fight in a step: combats that must be fought (AA 9.1.3) and combats that may be.
type agenda struct{ must, may SpaceSet }

// agenda finds the combats of the step.
func (p *Position) agenda() agenda {
	switch p.step {
	case combatBombing:
		a := agenda{must: p.raids()}
		if p.has(p.acting, scenario.Rockets) {
			a.may = p.launchers()
		}
		return a
	case combatAssault:
		return p.assaults()
	case combatGeneral:
		return p.generals()
	}
	return agenda{}
}

// raids are the territories that bombers raid.
func (p *Position) raids() SpaceSet {
	var s SpaceSet
	for _, g := range p.groups {
		if k := g.Key; k.Has(Raid) && k.Power() == p.acting && !k.Has(Done|Submerged) && k.Unit() == Bomber &&
			!p.sc.IsSea(k.At()) && !p.bombed(k) {
			s.Add(k.At())
		}
	}
	return s
}

// bombed reports whether a raider has dropped its bombs: it is no longer marked as having moved to attack.
func (p *Position) bombed(k Key) bool { return !k.Has(Moved) }

// assaults are the sea zones and territories of amphibious assaults: zones with warships first (AA 9.3.2),
// then territories all of whose zones are clear (AA 9.3.1); zones with submarines and transports may be fought
// for before (AA 9.3.3).
func (p *Position) assaults() agenda {
	var a agenda
	var blocked, targets SpaceSet
	for _, g := range p.groups {
		if g.Target() == NoSpace || g.Unit() != Transport {
			continue
		}
		z := g.At()
		targets.Add(g.Target())
		switch {
		case p.fought.Has(z):
		case p.hostileSea(z) || p.attackMarked(z):
			a.must.Add(z)
			blocked.Add(g.Target())
		case p.enemies(z) && !p.ignored.Has(z) && p.mayFightHere(z):
			a.may.Add(z)
		}
	}
	a.must = a.must.Union(targets.Minus(blocked))
	return a
}

// attackMarked reports whether own units came to attack what is in a zone (AA 8.1.4 d).
func (p *Position) attackMarked(z Space) bool {
	if !p.enemies(z) {
		return false
	}
	for _, g := range p.at(z) {
		if g.Power() == p.acting && g.Has(Attack) && !g.Has(Done) {
			return true
		}
	}
	return false
}

// mayFightHere reports whether own warships in a zone are free to attack (AA 9.4.3).
func (p *Position) mayFightHere(z Space) bool {
	for _, g := range p.at(z) {
		if g.Power() == p.acting && g.Unit().In(scenario.Warships) && !g.Has(Done|Submerged) {
			return true
		}
	}
	return false
}

// generals are the combats of step 3: every space where own units that moved meet enemies, or that is hostile (AA
// 9.4.1), be it empty (AA 8.7.5). Ships and submarines that are with enemy warships fight there, whether they moved or
// not (AA 8.2.1, AA 8.2.5, AA 8.6.4). Where there are only submarines and transports they may, or ignore them (AA
// 8.6.3). Raiders count for nothing, but others may fight where they raided (AA 9.2.8). Where a landing failed, the
// others still have to fight (AA 9.3.13).
func (p *Position) generals() agenda {
	var a agenda
	for _, g := range p.groups {
		k := g.Key
		s := k.At()
		if k.Power() != p.acting || p.fought.Has(s) || k.Has(Done|Raid|Submerged) {
			continue
		}
		switch {
		case !p.sc.IsSea(s):
			if k.Has(Moved) && (!p.friendly(s) || p.enemies(s)) && k.Unit() != AAGun {
				a.must.Add(s)
			}
		case k.Unit().In(scenario.AirUnits) && !k.Has(Moved):
		case p.hostileSea(s) || k.Has(Attack) && p.enemies(s):
			a.must.Add(s)
		case p.enemies(s) && k.Unit().In(scenario.Warships) && !p.ignored.Has(s):
			a.may.Add(s)
		}
	}
	a.may = a.may.Minus(a.must)
	return a
}

func (p *Position) askCombat() (Ask, rules.Seats) {
	if p.step == 0 || p.step >= combatOver {
		return AskNothing, 0
	}
	if a := p.agenda(); !a.may.Empty() || a.must.Len() > 1 {
		return AskCombat, seatOf(p.acting)
	}
	return AskNothing, 0
}

// stepCombat fights what is left without a choice, or goes to the next step.
func (p *Position) stepCombat(x *exec) {
	for s := range p.agenda().must.Each {
		p.fight(x, s)
		return
	}
	if p.step == combatAssault && p.dropAssaults(x) {
		return
	}
	x.Emit(eventCombatStep(p.step + 1))
}

// checkFight: one of the combats of the step (AA 9.1.2).
func (p *Position) checkFight(s Space, bomb bool) *rules.Refusal {
	if int(s) >= p.sc.Len() {
		return rules.Malformed("a combat needs its space").For(rules.ReasonUnknownSpace)
	}
	a := p.agenda()
	switch {
	case bomb != (p.step == combatBombing):
		return p.refuseAt("AA 9.1.1", "refuse.combat-step", s)
	case a.must.Has(s), !bomb && a.may.Has(s):
		return nil
	case p.step == combatAssault && p.assaultOn(s):
		return p.refuseAt("AA 9.3.1", "refuse.zone-first", s)
	}
	return p.refuseAt("AA 9.1.3", "refuse.no-combat", s)
}

// checkEndStep: what must be fought is fought (AA 9.1.3).
func (p *Position) checkEndStep() *rules.Refusal {
	a := p.agenda()
	for s := range a.must.Each {
		return p.refuseAt("AA 9.1.3", "refuse.unfought", s, "n", a.must.Len())
	}
	return nil
}

// fight begins a combat or carries out a raid.
func (p *Position) fight(x *exec, s Space) {
	switch {
	case p.step == combatBombing:
		p.raid(x, s)
	case p.sc.IsSea(s):
		p.beginSea(x, s)
	default:
		p.beginLand(x, s)
	}
}

func (p *Position) beginSea(x *exec, z Space) {
	e := &anniversaryv1.BattleBegan{Space: p.sc.SpaceID(z), Stage: anniversaryv1.Stage(StageOpen)}
	e.Origins = p.spaceIDs(p.originsOf(z))
	emit(x, e)
}

// originsOf are the spaces that attacking land or sea units came from (AA 9.9.3).
func (p *Position) originsOf(s Space) SpaceSet {
	var set SpaceSet
	for _, g := range p.at(s) {
		if g.Power() == p.acting && !g.Unit().In(scenario.AirUnits) && g.From() != NoSpace && !g.Has(Done) {
			set.Add(g.From())
		}
	}
	return set
}
