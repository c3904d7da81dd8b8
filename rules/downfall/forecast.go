package downfall

import (
	"strconv"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// A forecast follows a combat to its end over all dice (DF 13), or a consecutive attack through all of its combats (DF
// 7.8), with every choice made by the policies.

// Policies of forecasts, with their values.
const (
	policyTargets, targetsWeak, targetsStrong = "targets", "weakest", "strongest"
	policyBreak, breakNever, breakAlways      = "break_off", "never", "always"
	policySupport, supportNone, supportAll    = "support", "none", "all"
)

// policies are those by which the choices within a combat are made.
var policies = []rules.Policy{
	kit.Policy(policyTargets, targetsWeak, targetsStrong), kit.Policy(policyBreak, breakNever, breakAlways),
	kit.Policy(policySupport, supportNone, supportAll),
}

// affair is what a forecast is about.
type affair struct {
	seat                 rules.Seat // that attacks
	attackers, defenders UnitSet
	target               Hex
	whole                bool // a consecutive attack with all of its combats
}

// affairOf is what a command leads into; false if it is no combat.
func (p *Position) affairOf(seat rules.Seat, c Command) (a affair, ok bool) {
	switch c.Kind {
	case KindAttack:
		a = affair{seat: seat, attackers: c.Units, target: c.Hex}
	case KindLand:
		a = affair{seat: US, attackers: p.tab.landing, target: p.ixHex}
	case KindDeclare:
		a = affair{seat: seat, target: p.decl.target, whole: true}
		for _, units := range p.decl.units[:p.decl.count] {
			a.attackers |= units
		}
	case KindSupport, KindBombard, KindShot, KindHold, KindRetreat, KindStay, KindAbort, KindPress:
		f := &p.fight
		return affair{seat: p.attacker(), attackers: f.attackers, defenders: f.defenders, target: f.target}, f.on
	default:
		return a, false
	}
	a.defenders = p.groundOf(enemy(a.seat), a.target) &^ p.tab.asco
	return a, a.defenders != 0
}

// plight is what two positions of one affair must have in common to be the same for what follows and for
// what is asked in the end.
type plight struct {
	fight        fight
	decl         declaration
	place        [MaxUnits]Place
	steps        [MaxUnits]uint8
	supply       [MaxUnits]Supply
	beachhead    [scenario.NumCorps]Place
	vp           int16
	earned, lost uint32
	air, level   uint8
	naval        uint32
}

func (p *Position) plight() plight {
	k := plight{
		fight: p.fight, decl: p.decl, place: p.place, steps: p.steps, supply: p.supply, beachhead: p.beachhead,
		vp: p.vp, earned: p.earned, lost: p.lost, air: p.air, level: p.level, naval: p.navalReady,
	}
	k.fight.chemical = min(k.fight.chemical, 1) // the die matters by what it came to
	return k
}

// Forecast follows the combat that a command leads into.
func (p *Position) Forecast(seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	a, ok := p.affairOf(seat, c)
	if !ok {
		return nil, nil
	}
	ends, err := rules.Unfold(referee{}, p, seat, c, rules.Course[*Position, Command, plight]{
		Choose: func(q *Position) (rules.Seat, Command) { return q.byPolicy(s.Policies) },
		Over:   func(q *Position) bool { return q.finished(a.whole) },
		Key:    (*Position).plight,
	}, s)
	if err != nil {
		return nil, err
	}
	f := rules.Forecast{
		Kind: "combat", Title: rules.Say("forecast.combat", "hex", p.sc.HexName(a.target)),
		Spaces: []string{p.sc.HexID(a.target)},
		Method: ends.Method, Trials: ends.Trials, Policies: []string{policyTargets, policyBreak, policySupport},
		Outcomes:  ends.Outcomes(func(q *Position) (string, rules.Text) { return q.result(&a) }),
		Modifiers: p.modifiersAfter(seat, c, &a),
	}
	if a.whole {
		f.Kind, f.Title = "consecutive", rules.Say("forecast.consecutive", "hex", p.sc.HexName(a.target))
	}
	for _, side := range []struct {
		seat  rules.Seat
		units UnitSet
	}{{a.seat, a.attackers}, {enemy(a.seat), a.defenders}} {
		who := "@seat." + seatIDs[side.seat]
		f.Distributions = append(f.Distributions, rules.Distribution{
			ID: "survivors", Title: rules.Say("forecast.survivors", "seat", who), Seat: side.seat,
			Shares: ends.Shares(func(q *Position) (rules.Text, []rules.Count) { return q.survivors(side.units) }),
		})
		e := ends.Expect(func(q *Position) int { return p.stepsOf(side.units) - q.stepsOf(side.units) })
		e.ID, e.Seat, e.Title, e.Unit = "lost", side.seat, rules.Say("forecast.lost", "seat", who),
			rules.Say("forecast.steps")
		f.Expectations = append(f.Expectations, e)
	}
	e := ends.Expect(func(q *Position) int { return int(q.vp) - int(p.vp) })
	e.ID, e.Seat, e.Title, e.Unit = "points", rules.NoSeat, rules.Say("forecast.points"), rules.Say("forecast.vp")
	f.Expectations = append(f.Expectations, e)
	return []rules.Forecast{f}, nil
}

// finished reports whether a combat has come to its end, the advance aside, or a whole consecutive attack has.
func (p *Position) finished(whole bool) bool {
	f := &p.fight
	if whole {
		return p.over() || !f.on && !p.decl.on
	}
	return p.over() || !f.on || f.stage == StageAdvance || f.stage == StageDone
}

// byPolicy answers the question of a combat: by the standing orders that are known, else by the policies.
func (p *Position) byPolicy(policies rules.Policies) (rules.Seat, Command) {
	ask, seat := p.ask()
	if len(p.orders[seat&1]) > 0 {
		if c, ok := p.byOrder(ask, seat); ok && p.check(seat, c) == nil {
			return seat, c
		}
	}
	f, strong := &p.fight, policies.Value(policyTargets) == targetsStrong
	switch ask {
	case AskSupport:
		if policies.Value(policySupport) == supportAll {
			return seat, p.supportByOrder(supportBoth)
		}
		return seat, only(KindSupport)
	case AskBombard:
		return seat, naming(KindBombard, p.choose(p.standing(f.defenders), strong))
	case AskFire:
		return seat, p.fireAt(p.choose(p.targets(), strong))
	case AskBreak:
		return seat, p.breakBy(policies.Value(policyBreak))
	case AskWithdraw:
		return seat, p.onlyWithdrawal()
	}
	return seat, only(KindAdvance) // nobody does
}

// fireAt is the next shot, of the unit that is firing or the first that may.
func (p *Position) fireAt(target Unit) Command {
	c := naming(KindShot, p.fight.shooter)
	if p.fight.shots == 0 {
		c.Unit = p.fight.toFire.First()
	}
	c.Other = target
	return c
}

// choose is the weakest or the strongest unit: by the steps that it has, then by its strength, then by the order of the
// scenario.
func (p *Position) choose(among UnitSet, strong bool) Unit {
	best := NoUnit
	worth := func(u Unit) int { return int(p.steps[u])<<8 + p.sc.Units[u].Strength[min(int(p.steps[u]), 2)] }
	for u := range among.Each {
		if best == NoUnit || (worth(u) < worth(best)) != strong && worth(u) != worth(best) {
			best = u
		}
	}
	return best
}

// breakBy stays, or leaves and gives the step back to the first unit that lost one.
func (p *Position) breakBy(value string) Command {
	leave, remain := KindAbort, KindPress
	if p.fight.byJapan {
		leave, remain = KindRetreat, KindStay
	}
	if value == breakAlways {
		return naming(leave, p.fight.hurt.First())
	}
	return only(remain)
}

// result names the end of an affair.
func (p *Position) result(a *affair) (string, rules.Text) {
	att, def := p.standing(a.attackers), p.standing(a.defenders)
	switch {
	case att == 0 && def == 0:
		return "both-destroyed", rules.Say("forecast.both-destroyed")
	case def == 0:
		return "cleared", rules.Say("forecast.cleared")
	case att == 0:
		return "attackers-destroyed", rules.Say("forecast.attackers-destroyed")
	case p.fight.retreat && a.seat == Japan:
		return "retreated", rules.Say("forecast.retreated")
	case p.fight.retreat:
		return "aborted", rules.Say("forecast.aborted")
	}
	return "held", rules.Say("forecast.held")
}

func (p *Position) stepsOf(units UnitSet) (n int) {
	for u := range units.Each {
		n += int(p.steps[u])
	}
	return n
}

// survivors are the steps that units have left.
func (p *Position) survivors(units UnitSet) (rules.Text, []rules.Count) {
	var names []rules.Words
	var counts []rules.Count
	for u := range p.standing(units).Each {
		n := int(p.steps[u])
		names = append(names, rules.Join([]rules.Words{p.name(u), plain(strconv.Itoa(n))}, " ", " "))
		counts = append(counts, rules.Count{ID: p.id(u), N: n})
	}
	return rules.Say("forecast.units", "units", enumerate(names)), counts
}
