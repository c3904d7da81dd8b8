package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/kit"
)

// A forecast weighs what a command leads into by chance: a combat or an overrun (OCS 9, OCS 8), a barrage (OCS 10), an
// air mission (OCS 14) or checks for attrition (OCS 12.8b). What must be decided before the dice is decided by the
// standing orders that the seat knows, which are its own, and else by the policies. It is made of what the seat knows.

// Policies of forecasts, with their values.
const (
	policyAttackerSupply, supplyAll, supplyPaid         = "attacker_supply", "all", "paid"
	policyDefenderSupply                                = "defender_supply"
	policyAttackerOptions, optionsRetreat, optionsSteps = "attacker_options", "retreat", "steps"
	policyDefenderOptions                               = "defender_options"
	policyInterception, interceptNever, interceptAlways = "interception", "never", "always"
)

// policies are those by which what a forecast needs is decided.
var policies = []rules.Policy{
	kit.Policy(policyAttackerSupply, supplyAll, supplyPaid), kit.Policy(policyDefenderSupply, supplyAll, supplyPaid),
	kit.Policy(policyAttackerOptions, optionsSteps, optionsRetreat),
	kit.Policy(policyDefenderOptions, optionsRetreat, optionsSteps),
	kit.Policy(policyInterception, interceptNever, interceptAlways),
}

// Forecast weighs what a command leads into.
func (p *Position) Forecast(seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	if (c.Kind == KindBarrage || c.Kind == KindNavalBarrage) && (c.Choice == targetPort || c.Choice == targetBase) {
		f := p.facilityForecast(seat, &c)
		return []rules.Forecast{f}, nil
	}
	q, err := p.leadIn(seat, c, s)
	if q == nil || err != nil {
		return nil, err
	}
	switch f := q.top().(type) {
	case *combat:
		if f.step == combatTerrain {
			return []rules.Forecast{q.combatForecast(f, s)}, nil
		}
	case *barrage:
		if f.step == barrageChoose {
			return []rules.Forecast{q.barrageForecast(f)}, nil
		}
	case *mission, *airCombat:
		return q.missionForecast(s)
	case nil:
		if q.segment == SegSupply && q.stage == opening && q.step == 1 {
			return q.attritionForecasts(), nil
		}
	}
	return nil, nil
}

// leadIn carries a command out on a copy, with every automatic step and every answer that orders and policies give, up
// to where the first die is thrown; nil if it comes to a question that they don't answer, or to the end.
func (p *Position) leadIn(seat rules.Seat, c Command, s rules.Study) (*Position, error) {
	try := func(q *Position, do func(*exec)) bool {
		return rules.Try(referee{}, q, dice.NewScript(nil), new(rules.Outcome), do) == nil
	}
	q := p.Clone()
	if !try(q, func(x *exec) { referee{}.Play(x, seat, c) }) {
		return nil, nil
	}
	for !q.over() {
		if err := s.Halt(); err != nil {
			return nil, err
		}
		ask, seats := q.ask()
		if ask == AskNothing {
			before := q.Clone()
			if !try(q, func(x *exec) { x.Pos.stepOn(x) }) {
				return before, nil
			}
			continue
		}
		who := firstOf(seats)
		answer, ok := q.orderedAnswer(ask, who)
		if !ok {
			answer, ok = q.byPolicy(ask, who, s.Policies)
		}
		if !ok || !try(q, func(x *exec) { referee{}.Play(x, who, answer) }) {
			return nil, nil
		}
	}
	return nil, nil
}

// orderedAnswer is what a seat's standing orders answer within a procedure; false if they leave it to the policies.
func (p *Position) orderedAnswer(ask Ask, seat rules.Seat) (Command, bool) {
	if len(p.frames) == 0 || !p.ordersAny(seat) {
		return Command{}, false
	}
	c, ok := p.byOrder(ask, seat)
	return c, ok && p.check(seat, &c) == nil
}

// firstOf is the first seat of some.
func firstOf(seats rules.Seats) rules.Seat {
	for seat := range seats.Each {
		return seat
	}
	return rules.NoSeat
}

// byPolicy answers what is asked before the dice of a combat, a barrage or a mission; false if it is another question.
func (p *Position) byPolicy(ask Ask, seat rules.Seat, policies rules.Policies) (Command, bool) {
	switch ask {
	case AskCombatSupply:
		f := inner[*combat](p)
		of := policyAttackerSupply
		if seat != f.seat {
			of = policyDefenderSupply
		}
		if policies.Value(of) == supplyAll {
			p.grantSupply(p.fighters(f, seat))
		}
		return only(KindReady), true
	case AskLead:
		return p.bestLead(seat), true
	case AskTerrain:
		return p.bestTerrain(), true
	case AskIntercept:
		c := only(KindIntercept)
		if policies.Value(policyInterception) == interceptAlways {
			c.Unit = p.bestInterceptor()
		}
		return c, true
	case AskStandDown:
		return only(KindStandDown), true
	case AskEngage, AskTakeHit, AskJettison, AskFlyBack:
		return p.firstAnswer(seat)
	}
	return Command{}, false
}

// grantSupply gives units combat supply in a copy, without a payment.
func (p *Position) grantSupply(units []Unit) {
	for _, u := range units {
		s := p.units[u]
		s.marks |= 1 << ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED
		p.set(u, s)
	}
}

// firstAnswer is the first legal answer of a seat.
func (p *Position) firstAnswer(seat rules.Seat) (first Command, ok bool) {
	p.Legal(seat, rules.Filter{}, func(c Command) bool {
		if kinds[c.Kind].Offer {
			return true
		}
		first, ok = c, true
		return false
	})
	return first, ok
}

// bestLead names the unit with the best Action Rating that may lead, the first of equals.
func (p *Position) bestLead(seat rules.Seat) Command {
	best := only(KindLead)
	for _, u := range p.fighters(inner[*combat](p), seat) {
		c := only(KindLead)
		if c.Unit = u; p.checkLead(seat, &c) == nil && (best.Unit == NoUnit || p.rating(u) > p.rating(best.Unit)) {
			best = c
		}
	}
	return best
}

// bestInterceptor is the fighter with the best rating that may intercept, the first of equals.
func (p *Position) bestInterceptor() Unit {
	best := NoUnit
	f := inner[*mission](p)
	for _, u := range p.interceptors(f) {
		if p.orderedIn(enemy(f.seat), orderGrounded, subject{at: f.at, units: []Unit{u}}) > 0 {
			continue
		}
		if best == NoUnit || p.plane(u).Rating > p.plane(best).Rating {
			best = u
		}
	}
	return best
}

// bestTerrain chooses for each site the terrain that is best for the defender, the first of equals.
func (p *Position) bestTerrain() Command {
	c := only(KindTerrain)
	for _, s := range p.unchosen(inner[siting](p)) {
		best, least := s.options[0], Fraction{}
		for i, t := range s.options {
			if n := p.worth(s, t); i == 0 || n.Less(least) {
				best, least = t, n
			}
		}
		c.Lines = append(c.Lines, Line{Unit: NoUnit, At: s.at, By: NoUnit, Terrain: best})
	}
	return c
}

// worth is what a terrain of a site is worth to whoever attacks: the strength of the units in an attacking hex; for the
// hex itself, the odds column of the totals from the left, or the shifts of a barrage.
func (p *Position) worth(s site, terrain int16) Fraction {
	f := inner[*combat](p)
	if f == nil {
		category := p.sc.Terrains[terrain].Category[p.frozen()]
		return whole(100 + p.namedShift(categoryIDs[category])) // above 0
	}
	defenders := p.fighters(f, enemy(f.seat))
	effect, sum := p.antiTankIn(defenders, f.at), whole(0)
	if s.across != ownSite {
		for _, u := range p.fighters(f, f.seat) {
			if p.spot(u) == s.at {
				sum = sum.Plus(p.attackStrength(u, p.attackTerrain(int(terrain)), effect, nil))
			}
		}
		return sum
	}
	t := &p.sc.Terrains[terrain]
	attack, defence := whole(0), whole(0)
	for _, u := range p.fighters(f, f.seat) {
		attack = attack.Plus(p.attackStrength(u, t.Attack[p.frozen()], effect, nil))
	}
	for _, u := range defenders {
		defence = defence.Plus(p.defenceStrength(u, t.Defend[p.frozen()], nil))
	}
	columns := p.sc.Charts.GetCombat().GetOdds()[t.Category[p.frozen()]].GetColumns()
	return whole(oddsColumn(columns, attack, defence))
}

// attritionForecasts weigh the checks for attrition that come next, one for each place.
func (p *Position) attritionForecasts() (list []rules.Forecast) {
	for i := range p.cells {
		for seat := range numSeats {
			units, steps := p.unsupplied(seat, p.placeOf(i))
			if len(units) > 0 && (p.together || seat == p.phasing) {
				list = append(list, p.attritionForecast(seat, p.placeOf(i), units, steps))
			}
		}
	}
	return list
}

func (p *Position) attritionForecast(seat rules.Seat, at Place, units []Unit, steps int) rules.Forecast {
	rating, n := p.starvingRating(units), noted(p, "forecast.of-attrition", seat)
	n.add("rating", rules.Say("forecast.starving-rating"), whole(rating).format(), units...)
	if t := p.sc.Charts.GetAttrition(); steps >= int(t.GetManySteps()) {
		n.add("many_steps", rules.Say("forecast.many-steps", "n", steps), signedText(int(t.GetManyModifier())))
	}
	var tally rules.Tally
	for sum := 2; sum <= 12; sum++ {
		loss := min(p.attrition(rating, sum, steps), steps)
		tally.Add(whole(loss).format(), rules.Say("forecast.loses", "n", loss), loss, twoDice(sum))
	}
	f := p.forecastOf("attrition", rules.Say("forecast.attrition", "at", p.spoken(at)), at)
	f.Outcomes, f.Modifiers = tally.Outcomes(), n.list
	f.Expectations = []rules.Expectation{lost(seat, tally.Mean())}
	return f
}

// forecastOf is an exact forecast about a place.
func (p *Position) forecastOf(kind string, title rules.Text, at Place) rules.Forecast {
	return rules.Forecast{Kind: kind, Title: title, Spaces: []string{p.sc.PlaceID(at)}, Method: rules.MethodExact,
		Trials: twoDiceWays}
}

// lost makes the mean of steps that a seat loses an expectation.
func lost(seat rules.Seat, e rules.Expectation) rules.Expectation {
	e.ID, e.Seat = "lost", seat
	e.Title, e.Unit = rules.Say("forecast.lost", "seat", seatText(seatIDs[seat])), rules.Say("forecast.steps")
	return e
}

// twoDiceWays are the ways in which two dice fall.
const twoDiceWays = 36

// twoDice is the chance of a sum of two dice.
func twoDice(sum int) rules.Likelihood { return rules.Portion(6-abs(sum-7), twoDiceWays) }

// missionOf is the outermost mission under way; nil if none is.
func (p *Position) missionOf() *mission {
	i := slices.IndexFunc(p.frames, func(f frame) bool { _, ok := f.(*mission); return ok })
	if i < 0 {
		return nil
	}
	return p.frames[i].(*mission)
}
