package anniversary

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// A forecast weighs the combats that a command leads into (AA 9), with every choice made by the policies: those that a
// combat move plans, the one that is begun, and the rest of the one that is under way.

// Policies of forecasts, with their values.
const (
	policyAttackerLosses, policyDefenderLosses       = "attacker_losses", "defender_losses"
	lossesByPrice, lossesAirFirst, lossesStanding    = "by_price", "air_first", "standing"
	policyRetreat, retreatNever, retreatHalf, oneGo  = "retreat", "never", "below_half", "after_one_round"
	policySubmarines, submarinesFire, submarinesDive = "submarines", "strike", "submerge"
)

// airFirst loses aircraft before what can take territory.
var airFirst = [...]Unit{Hull, Fighter, Bomber, Submarine, Destroyer, Infantry, Artillery, Tank, Cruiser, Carrier,
	Battleship, Transport}

// byLosses are orders of loss.
var byLosses = []rules.PolicyValue{
	{Value: lossesByPrice, Key: "policy.losses-by-price"}, {Value: lossesAirFirst, Key: "policy.losses-air-first"},
	{Value: lossesStanding, Key: "policy.losses-standing"},
}

// policies are those by which the choices within a combat are made.
var policies = []rules.Policy{
	{ID: policyAttackerLosses, Key: "policy.attacker-losses", Values: byLosses},
	{ID: policyDefenderLosses, Key: "policy.defender-losses", Values: byLosses},
	{ID: policyRetreat, Key: "policy.retreat", Values: []rules.PolicyValue{
		{Value: retreatNever, Key: "policy.retreat-never"}, {Value: retreatHalf, Key: "policy.retreat-half"},
		{Value: oneGo, Key: "policy.retreat-one"},
	}},
	{ID: policySubmarines, Key: "policy.submarines", Values: []rules.PolicyValue{
		{Value: submarinesFire, Key: "policy.submarines-strike"},
		{Value: submarinesDive, Key: "policy.submarines-dive"},
	}},
}

// belowHalf is the strength in per cent of the enemy's below which the attacker breaks off.
const belowHalf = 50

// Forecast weighs the combats that a command leads into.
func (p *Position) Forecast(seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	switch {
	case p.battle.on():
		return p.forecastRest(seat, c, s)
	case p.phase == PhaseCombat && c.Kind == KindFight && p.step != combatBombing:
		return p.forecastAll(spaceSet(c.To), s)
	case p.phase != PhaseMove || p.request.on():
		return nil, nil
	case c.Kind == KindEnd:
		return p.forecastAll(p.planned(), s)
	}
	switch c.Kind {
	case KindMove, KindShip, KindDrop, KindJoin:
		q := p.Clone()
		err := rules.Try(referee{}, q, dice.NewScript(nil), new(rules.Outcome), func(x *exec) { q.play(x, seat, &c) })
		if err != nil { // none: combat moves throw no dice, and ask no ally (AA 11.2.3)
			return nil, nil
		}
		return q.forecastAll(spaceSet(c.To, c.Target).Both(q.planned()), s)
	}
	return nil, nil
}

// spaceSet is the set of the spaces that are some.
func spaceSet(list ...Space) (set SpaceSet) {
	for _, s := range list {
		if s < MaxSpaces {
			set.Add(s)
		}
	}
	return set
}

// planned are the spaces in which the combat moves so far lead to a combat: general ones, and assaults, whether or
// not the sea is clear.
func (p *Position) planned() SpaceSet {
	q := p.Clone()
	q.phase = PhaseCombat
	set := q.generals().must.Union(q.assaults().must)
	for _, g := range q.groups {
		if g.Unit() == Transport && g.Target() != NoSpace {
			set.Add(g.Target())
		}
	}
	return set
}

// forecastAll weighs the combats of some spaces as if they began now.
func (p *Position) forecastAll(spaces SpaceSet, s rules.Study) ([]rules.Forecast, error) {
	var list []rules.Forecast
	for at := range spaces.Each {
		q := p.Clone()
		q.phase, q.step = PhaseCombat, combatGeneral
		err := rules.Try(referee{}, q, dice.NewScript(nil), new(rules.Outcome), func(x *exec) { q.fight(x, at) })
		if err != nil {
			return nil, nil
		}
		att, def := q.forces()
		if att.Fighting == 0 || def.Fighting+def.Transports == 0 {
			continue // nobody to fight with
		}
		f, err := q.weigh(s,
			func() (*rules.Ends[*Position], error) { return q.sampleBattle(s, rules.NoSeat, only(KindNone), true) })
		if err != nil {
			return nil, nil
		}
		if !q.sc.IsSea(at) && p.seaFirst(at) {
			f.Assumptions = append(f.Assumptions, rules.Say("assume.sea-first"))
		}
		list = append(list, *q.withPolicies(f, s))
	}
	return list, nil
}

// seaFirst reports whether an assault depends on a combat at sea (AA 9.3.1).
func (p *Position) seaFirst(at Space) bool {
	for _, g := range p.groups {
		if g.Unit() == Transport && g.Target() == at && !p.fought.Has(g.At()) &&
			(p.hostileSea(g.At()) || p.attackMarked(g.At())) {
			return true
		}
	}
	return false
}

// forecastRest weighs what is left of the combat under way after an answer within it.
func (p *Position) forecastRest(seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	switch c.Kind {
	case KindBombard, KindSubmerge, KindLose, KindAnswer, KindPress:
	default:
		return nil, nil
	}
	sample := func() (*rules.Ends[*Position], error) { return p.sampleBattle(s, seat, c, false) }
	var f *rules.Forecast
	var err error
	if c.Kind == KindPress {
		f, err = p.weigh(s, sample)
	} else {
		f, err = p.sampledForecast(sample)
	}
	if err != nil {
		return nil, err
	}
	return []rules.Forecast{*p.withPolicies(f, s)}, nil
}
