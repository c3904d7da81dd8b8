package ocs

import (
	"strings"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// barrageForecast weighs a barrage of units whose dice are thrown next (OCS 10.0a).
func (p *Position) barrageForecast(f *barrage) rules.Forecast {
	out := p.forecastOf("barrage", rules.Say("forecast.barrage", "at", p.spoken(f.at)), f.at)
	out.Assumptions = []rules.Text{rules.Say("assume.decided")}
	var tally rules.Tally
	p.barrageOdds(f, &tally, rules.Certain())
	out.Outcomes, out.Modifiers = tally.Outcomes(), p.barrageNoted(f).list
	out.Expectations = []rules.Expectation{lost(f.seat, tally.Mean())}
	return out
}

// barrageOdds counts what a barrage of units can come to, as far as a chance of it goes: DG, and steps.
func (p *Position) barrageOdds(f *barrage, tally *rules.Tally, chance rules.Likelihood) {
	spotted := p.spotted(f)
	column := p.barrageColumn(f, p.barrageShift(f, spotted, nil))
	most := p.capacity(p.combatUnits(f.seat, f.at))
	add := func(o outcome, chance rules.Likelihood) {
		switch n := min(o.losses, most); {
		case o.losses > 0:
			tally.Add("steps-"+whole(n).format(), rules.Say("forecast.dg-steps", "n", n), n, chance)
		case o.dg:
			tally.Add("dg", rules.Say("forecast.dg"), 0, chance)
		default:
			tally.Add("none", rules.Say("forecast.no-effect"), 0, chance)
		}
	}
	for sum := 2; sum <= 12; sum++ {
		c := chance.And(twoDice(sum))
		o, half := p.barrageHits(f, p.barrageResult(f, sum, column), spotted)
		if !half {
			add(o, c)
			continue
		}
		hits := max(0, min(6, 7-int(p.sc.Charts.GetBarrage().GetHalfMin())))
		add(outcome{dg: true, losses: 1}, c.And(rules.Portion(hits, 6)))
		add(outcome{dg: true}, c.And(rules.Portion(6-hits, 6)))
	}
}

// barrageNoted are the modifiers of a barrage by name.
func (p *Position) barrageNoted(f *barrage) *notes {
	n, spotted := noted(p, "forecast.of-shifts", enemy(f.seat)), p.spotted(f)
	n.add("strength", rules.Say("modifier.strength"), whole(f.strength).format())
	sum := p.barrageShift(f, spotted, func(id string, shift int) {
		if shift != 0 {
			n.add(id, rules.Say(shiftKey(id)), signedText(shift))
		}
	})
	n.add("shifts", rules.Say("modifier.shifts"), signedText(sum))
	return n
}

// shiftKey is the key of what a shift of a barrage is called.
func shiftKey(id string) string {
	if id == shiftHedgehog {
		return "modifier.shift-hedgehog"
	}
	return "modifier." + strings.ReplaceAll(id, "_", "-")
}

// facilityForecast weighs a barrage of a port or an air base by guns (OCS 10.0c).
func (p *Position) facilityForecast(seat rules.Seat, c *Command) rules.Forecast {
	strength := p.barrageStrength(c.Units)
	if c.Kind == KindNavalBarrage {
		strength = p.broadside(c.Units).Round()
	}
	out := p.forecastOf("barrage", rules.Say("forecast.barrage", "at", p.spoken(c.At)), c.At)
	var tally rules.Tally
	p.facilityOdds(enemy(seat), c.At, c.Choice, strength, &tally, rules.Certain())
	n := noted(p, "forecast.of-shifts", seat)
	n.add("strength", rules.Say("modifier.strength"), whole(strength).format())
	out.Outcomes, out.Modifiers, out.Trials = tally.Outcomes(), n.list, 6
	out.Expectations = p.planesLost(enemy(seat), c.Choice, &tally)
	return out
}

// planesLost is the expectation of air units' steps, where there are any to be lost on the ground.
func (p *Position) planesLost(owner rules.Seat, target int, tally *rules.Tally) []rules.Expectation {
	if target != targetBase {
		return nil
	}
	return []rules.Expectation{lost(owner, tally.Mean())}
}

// facilityOdds counts what a barrage of a port, an air base or a railway can come to.
func (p *Position) facilityOdds(
	owner rules.Seat, at Place, target, strength int, tally *rules.Tally, chance rules.Likelihood,
) {
	chart := p.sc.Charts.GetFacility()
	column := strengthColumn(chart.GetColumns(), strength)
	for die := 1; die <= 6; die++ {
		cell, c := chart.GetRows()[die-1].GetCells()[column], chance.And(rules.Portion(1, 6))
		switch target {
		case targetPort:
			n := min(int(p.cell(at).hits)+int(cell.GetHits()), maxPortHits) - int(p.cell(at).hits)
			tally.Add("hits-"+whole(n).format(), rules.Say("forecast.port-hits", "n", n), 0, c)
		case targetBase:
			p.baseOdds(owner, at, cell, tally, c)
		case targetRail:
			id := "none"
			if cell.GetTrainbusting() {
				id = "marker"
			}
			tally.Add(id, rules.Say("forecast.train-"+id), 0, c)
		}
	}
}

// targetRail stands for the railway among the targets of barrages.
const targetRail = -1

// baseOdds counts what a result does to an air base: levels, and a die for each air unit of its owner there.
func (p *Position) baseOdds(
	owner rules.Seat, at Place, cell *ocsv1.FacilityResult, tally *rules.Tally, chance rules.Likelihood,
) {
	level, planes := 0, 0
	if base := p.base(at); base != airstrip {
		level = base - max(1, base-int(cell.GetHits()))
	}
	for range p.planes(owner, at) {
		planes++
	}
	hits := 0
	if n := int(cell.GetPlaneMin()); n > 0 {
		hits = min(6, 7-n)
	}
	ways := 1
	for n := 0; n <= planes; n++ {
		c := chance.And(rules.Portion(ways, 1))
		for i := range planes {
			if i < n {
				c = c.And(rules.Portion(hits, 6))
			} else {
				c = c.And(rules.Portion(6-hits, 6))
			}
		}
		tally.Add(whole(level).format()+"-"+whole(n).format(), rules.Say("forecast.base-hits", "levels", level, "n", n),
			n, c)
		ways = ways * (planes - n) / (n + 1)
	}
}

// missionForecast follows a mission over all dice of air combat, interception and flak to its effect, and weighs that.
func (p *Position) missionForecast(s rules.Study) ([]rules.Forecast, error) {
	m := p.missionOf()
	if m == nil {
		return nil, nil
	}
	ends, err := rules.Unfold(referee{}, p, m.seat, Command{}, rules.Course[*Position, Command, string]{
		Begun: true,
		Choose: func(q *Position) (rules.Seat, Command) {
			ask, seats := q.ask()
			who := firstOf(seats)
			c, ok := q.byPolicy(ask, who, s.Policies)
			if !ok {
				c, _ = q.firstAnswer(who)
			}
			return who, c
		},
		Over: func(q *Position) bool { return q.aloftNo(m) },
		Key:  (*Position).skies,
	}, s)
	if err != nil {
		return nil, err
	}
	out := p.forecastOf("mission", rules.Say("forecast.mission", "mission", "@mission."+m.info().id, "at",
		p.spoken(m.at)), m.at)
	out.Method, out.Trials, out.Policies = ends.Method, ends.Trials, []string{policyInterception}
	out.Assumptions = []rules.Text{rules.Say("assume.decided")}
	out.Modifiers = p.missionNoted(m)
	var tally rules.Tally
	ends.Each(func(q *Position, chance rules.Likelihood) { q.effectOdds(m.seat, &tally, chance) })
	out.Outcomes = tally.Outcomes()
	for _, seat := range [...]rules.Seat{m.seat, enemy(m.seat)} {
		e := ends.Expect(func(q *Position) int { return q.airLosses(seat) - p.airLosses(seat) })
		e = lost(seat, e)
		e.Title = rules.Say("forecast.air-lost", "seat", seatText(seatIDs[seat]))
		out.Expectations = append(out.Expectations, e)
	}
	return []rules.Forecast{out}, nil
}

// aloftNo reports whether a mission has come to its effect, or to its end before.
func (p *Position) aloftNo(m *mission) bool {
	f := p.missionOf()
	return p.over() || f == nil || f.done() || p.top() == frame(f) && f.step == missionEffect && !p.mayFlyOn(f)
}

// skies is what two positions of one mission must have in common to be the same for what follows: the procedures, and
// all air units.
func (p *Position) skies() string {
	var b strings.Builder
	for _, f := range p.frames {
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(p.frameMessage(f))
		if err != nil {
			panic("ocs: a frame that cannot be encoded: " + err.Error())
		}
		b.Write(data)
		b.WriteByte(0)
	}
	for i := range p.units {
		if u := Unit(i); p.isPlane(u) {
			s := &p.units[u]
			b.WriteString(p.sc.PlaceID(p.spot(u)))
			b.WriteByte('0' + byte(s.lost))
			if p.active(u) {
				b.WriteByte('a')
			}
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// airLosses are the steps that the air units of a seat have lost in all.
func (p *Position) airLosses(seat rules.Seat) (n int) {
	for i := range p.units {
		if u := Unit(i); p.units[i].seat == seat && p.isPlane(u) {
			n += int(p.units[i].lost)
			if !p.units[i].place.onMap() && p.units[i].place == Dead {
				n = n - int(p.units[i].lost) + int(p.counter(u).Steps)
			}
		}
	}
	return n
}

// effectOdds counts what a mission comes to that has got so far.
func (p *Position) effectOdds(seat rules.Seat, tally *rules.Tally, chance rules.Likelihood) {
	f := p.missionOf()
	if f == nil || f.step != missionEffect || len(p.missionUnits(f)) == 0 {
		tally.Add("turned-back", rules.Say("forecast.turned-back"), 0, chance)
		return
	}
	target := f.target
	switch f.task {
	case ocsv1.Mission_MISSION_TRAINBUSTING:
		target = targetRail
	case ocsv1.Mission_MISSION_BARRAGE, ocsv1.Mission_MISSION_HIP_SHOOT:
	default:
		tally.Add("arrives", rules.Say("forecast.arrives"), 0, chance)
		return
	}
	switch target {
	case targetShips:
		n := p.broadside(p.missionUnits(f)).Round()
		tally.Add("arrives-"+whole(n).format(), rules.Say("forecast.arrives-with", "n", n), 0, chance)
	case targetUnits:
		q := p.Clone()
		g := q.bombRun(f)
		q.chooseOnly(g)
		q.frames = append(q.frames[:len(q.frames):len(q.frames)], g)
		for _, l := range q.bestTerrain().Lines {
			g.terrain = l.Terrain
		}
		q.barrageOdds(g, tally, chance)
	default:
		p.facilityOdds(enemy(seat), f.at, target, p.bombs(f), tally, chance)
	}
}

// missionNoted are the modifiers of flak and of the effect, as they are when the mission begins.
func (p *Position) missionNoted(m *mission) []rules.Modifier {
	n := noted(p, "forecast.of-flak", enemy(m.seat))
	if p.meetsFlak(m) {
		sum := p.flakModifier(m, func(id string, modifier int) {
			if modifier != 0 {
				n.add(id, rules.Say("modifier."+strings.ReplaceAll(id, "_", "-")), signedText(modifier))
			}
		})
		n.add("flak", rules.Say("modifier.flak"), signedText(sum))
		n.add("flak_hits", rules.Say("modifier.flak-hits"),
			whole(int(p.sc.Charts.GetAir().GetFlak().GetHitMin())).format())
	}
	list := n.list
	if bombing := m.task == ocsv1.Mission_MISSION_BARRAGE || m.task == ocsv1.Mission_MISSION_HIP_SHOOT; bombing &&
		m.target == targetUnits {
		list = append(list, p.barrageNoted(p.bombRun(m)).list...)
	}
	return list
}
