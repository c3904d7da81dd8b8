package ocs

import (
	"strconv"

	"github.com/warledger/warledger/rules"
)

// combatForecast weighs a combat whose dice are thrown next: every result of the CRT with its chance, and what it comes
// to by the policies.
func (p *Position) combatForecast(f *combat, s rules.Study) rules.Forecast {
	kind, title := "combat", "forecast.combat"
	switch f.form {
	case overrunAttack:
		kind, title = "overrun", "forecast.overrun"
	case beachAttack:
		kind, title = "beach-assault", "forecast.beach"
	}
	out := p.forecastOf(kind, rules.Say(title, "at", p.spoken(f.at)), f.at)
	out.Policies = []string{policyAttackerSupply, policyDefenderSupply, policyAttackerOptions, policyDefenderOptions}
	out.Assumptions = []rules.Text{rules.Say("assume.decided"), rules.Say("assume.room")}
	k, n := p.clashNoted(f)
	out.Modifiers = n.list

	var results, hex, exploits rules.Tally
	var losses [numSeats]rules.Tally
	foe, trials := enemy(f.seat), 0
	k.cells(p, func(cell string, chance rules.Likelihood) {
		trials++
		r := readResult(cell)
		results.Add(cell, rules.Say("forecast.result", "result", cell, "attacker", p.suffers(r.attacker),
			"defender", p.suffers(r.defender)), 0, chance)
		e := p.after(f, r, s.Policies)
		losses[f.seat].Add(e.attacker.id(), e.attacker.label(), e.attacker.steps, chance)
		losses[foe].Add(e.defender.id(), e.defender.label(), e.defender.steps, chance)
		if e.cleared {
			hex.Add("cleared", rules.Say("forecast.cleared"), 1, chance)
		} else {
			hex.Add("held", rules.Say("forecast.held"), 0, chance)
		}
		if f.form == regularAttack && e.exploits > 0 {
			exploits.Add(strconv.Itoa(e.exploits), rules.Say("forecast.exploits", "n", e.exploits), e.exploits, chance)
		} else {
			exploits.Add("0", rules.Say("forecast.no-exploitation"), 0, chance)
		}
	})
	out.Outcomes, out.Trials = results.Outcomes(), trials
	out.Distributions = []rules.Distribution{{
		ID: "hex", Title: rules.Say("forecast.hex", "at", p.spoken(f.at)), Seat: rules.NoSeat,
		Shares: hex.Shares("cleared"),
	}}
	for _, seat := range [...]rules.Seat{f.seat, foe} {
		out.Distributions = append(out.Distributions, rules.Distribution{
			ID: "lost", Title: rules.Say("forecast.lost", "seat", seatText(seatIDs[seat])), Seat: seat,
			Shares: losses[seat].Shares("steps"),
		})
		out.Expectations = append(out.Expectations, lost(seat, losses[seat].Mean()))
	}
	if f.form == regularAttack {
		out.Distributions = append(out.Distributions, rules.Distribution{
			ID: "exploitation", Title: rules.Say("forecast.exploitation"), Seat: f.seat,
			Shares: exploits.Shares("rating"),
		})
	}
	return out
}

// cells visits the cells of the CRT that a combat can come to, with their chances: two dice for surprise, one for the
// shift if somebody is surprised, two for the result.
func (k *clash) cells(p *Position, visit func(cell string, chance rules.Likelihood)) {
	rows := p.sc.Charts.GetCombat().GetRows()
	columns := make([]rules.Likelihood, len(k.columns))
	none := rules.Portion(0, 1)
	for i := range columns {
		columns[i] = none
	}
	for sum := 2; sum <= 12; sum++ {
		side := k.surprised(k.surprise(sum))
		if side == 0 {
			columns[k.start] = columns[k.start].Or(twoDice(sum))
			continue
		}
		for die := 1; die <= 6; die++ {
			c := k.column(side * die)
			columns[c] = columns[c].Or(twoDice(sum).And(rules.Portion(1, 6)))
		}
	}
	for column, a := range columns {
		for sum := 2; sum <= 12 && a.Value > 0; sum++ {
			visit(rows[k.row(sum, len(rows))-1].GetCells()[column], a.And(twoDice(sum)))
		}
	}
}

// clashNoted is a combat before the dice, with every modifier by name.
func (p *Position) clashNoted(f *combat) (clash, *notes) {
	n := noted(p, "forecast.of-strengths", rules.NoSeat)
	k := p.clash(f, n)
	for i := range n.list { // whose they are is whose the unit is
		if u, _, ok := p.unitByID(n.list[i].Pieces[0]); ok {
			n.list[i].Seat = p.units[u].seat
		}
	}
	n.about("forecast.of-column", rules.NoSeat)
	n.add("attack", rules.Say("modifier.attack"), k.attack.format())
	n.add("defence", rules.Say("modifier.defence"), k.defence.format())
	n.add("column", rules.Say("modifier.column", "terrain", p.sc.terrainName(f.terrain)), k.columns[k.start])
	for _, of := range [...]string{"forecast.of-surprise", "forecast.of-result"} {
		n.about(of, f.seat)
		n.add("action_rating", rules.Say("modifier.action-rating", "unit", p.unitName(f.attack)),
			signedText(p.rating(f.attack)), f.attack)
		n.about(of, enemy(f.seat))
		n.add("action_rating", rules.Say("modifier.action-rating", "unit", p.unitName(f.defence)),
			signedText(-p.rating(f.defence)), f.defence)
		dug := k.hedgehog
		if of == "forecast.of-surprise" {
			dug = min(dug, 1)
		}
		if dug > 0 {
			n.add("hedgehog", rules.Say("modifier.hedgehog", "level", k.hedgehog), signedText(-dug))
		}
	}
	return k, n
}

// suffers says what a side suffers by a result.
func (p *Position) suffers(o outcome) rules.Words {
	var list []rules.Words
	for _, part := range [...]struct {
		n   int
		key string
	}{{o.losses, "forecast.part-losses"}, {o.options, "forecast.part-options"}} {
		if part.n > 0 {
			list = append(list, said(rules.Say(part.key, "n", part.n)))
		}
	}
	if o.dg {
		list = append(list, said(rules.Say("forecast.part-dg")))
	}
	if len(list) == 0 {
		return said(rules.Say("forecast.part-nothing"))
	}
	return rules.Join(list, ", ", "、")
}

// toll is what a side pays in the end.
type toll struct{ steps, hexes int }

func (t toll) id() string { return strconv.Itoa(t.steps) + "-" + strconv.Itoa(t.hexes) }

func (t toll) label() rules.Text { return rules.Say("forecast.toll", "n", t.steps, "hexes", t.hexes) }

// aftermathOf is what a result comes to.
type aftermathOf struct {
	attacker, defender toll
	cleared            bool
	exploits           int
}

// asSteps reports whether a seat takes options as losses of steps: by its standing order, else by the policy.
func (p *Position) asSteps(seat rules.Seat, order int, policy string) bool {
	if n := p.ordered(seat, order); n != 0 {
		return n == lossesSteps
	}
	return policy == optionsSteps
}

// after works out what a result comes to if options are taken by orders and policies (OCS 9.10), and every retreat
// finds room.
func (p *Position) after(f *combat, r combatResult, policies rules.Policies) (e aftermathOf) {
	pay := func(seat rules.Seat, o outcome, steps bool) (t toll) {
		all := p.capacity(p.fighters(f, seat))
		if t.steps = o.losses; steps {
			t.steps += o.options
		} else {
			t.hexes = o.options
		}
		if t.steps >= all {
			t = toll{steps: all} // nobody is left to retreat
		}
		return t
	}
	byAttacker := f.isBeach() || p.asSteps(f.seat, orderAttackLosses, policies.Value(policyAttackerOptions))
	e.attacker = pay(f.seat, r.attacker, byAttacker)
	unmet := r.attacker.options > 0 && e.attacker.hexes == 0 && e.attacker.steps < r.attacker.due()
	if e.attacker.hexes > 0 || unmet { // OCS 9.10a: the defender ignores its options
		r.defender.options = 0
	}
	bySteps := p.asSteps(enemy(f.seat), orderDefenceLosses, policies.Value(policyDefenderOptions))
	e.defender = pay(enemy(f.seat), r.defender, bySteps)
	e.cleared = e.defender.hexes > 0 || e.defender.steps >= p.capacity(p.fighters(f, enemy(f.seat)))
	if e.attacker.hexes == 0 && !unmet { // OCS 9.10b
		e.exploits = r.exploitation
	}
	return e
}
