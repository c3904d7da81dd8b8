package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

type oddsCmd struct {
	Game  string `arg:"" help:"Game."`
	Space string `arg:"" help:"Space where the battle takes place."`
	when
	Kind   string            `help:"Kind of battle; by default the one that the position suggests." placeholder:"KIND"`
	By     string            `help:"Attacking party; by default the one that the position suggests." placeholder:"ID"`
	Attack string            `help:"Attacking units, such as '3 infantry, 1 tank'; by default all that are there or could come." placeholder:"UNITS"`
	Defend string            `help:"Defending units; by default those in the space." placeholder:"UNITS"`
	With   []string          `name:"attack-with" help:"Traits of the attacker, such as technologies." placeholder:"ID,..."`
	Has    []string          `name:"defend-with" help:"Traits of the defender." placeholder:"ID,..."`
	Losses []string          `name:"attack-losses" help:"What the attacker loses first, in order; the policies order the rest." placeholder:"ID,..."`
	Loses  []string          `name:"defend-losses" help:"What the defender loses first, in order." placeholder:"ID,..."`
	Policy map[string]string `help:"How choices within the battle are made; the ruleset lists its policies." placeholder:"ID=VALUE"`
}

// Run weighs a battle.
func (c oddsCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	q := warledger.BattleQuery{Space: c.Space, Kind: c.Kind, Policies: c.Policy, Viewer: a.line.As,
		Attacker: &v1.BattleForce{Party: c.By, Losses: c.Losses}, Defender: &v1.BattleForce{Losses: c.Loses}}
	if q.Version, err = c.version(a, game); err != nil {
		return err
	}
	if c.Attack != "" || c.Defend != "" || c.With != nil || c.Has != nil {
		if err := c.enter(a, game, &q); err != nil {
			return err
		}
	}
	out, err := game.Battle(a.ctx, q)
	if err != nil {
		return err
	}
	return a.message(out, func() {
		a.battleSide(a.words("Attack"), out.Form.Attacker)
		a.battleSide(a.words("Defence"), out.Form.Defender)
		a.forecast(out.Forecast)
	})
}

// enter puts what was typed into the form of the battle; what was not typed stays as the position has it.
func (c oddsCmd) enter(a *app, game *warledger.Game, q *warledger.BattleQuery) error {
	blank := *q
	blank.Attacker, blank.Defender = &v1.BattleForce{Party: c.By}, nil
	out, err := game.Battle(a.ctx, blank)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		into   *v1.BattleForce
		form   *v1.BattleFormSide
		units  string
		traits []string
	}{
		{q.Attacker, out.Form.Attacker, c.Attack, c.With}, {q.Defender, out.Form.Defender, c.Defend, c.Has},
	} {
		if side.units == "" && side.traits == nil {
			continue
		}
		f := side.into
		f.Entered, f.Numbers, f.Traits = true, map[string]int32{}, side.traits
		for _, n := range side.form.Numbers {
			if side.units == "" && n.Most > 0 {
				f.Numbers[n.Id] = n.Value
			}
		}
		if side.traits == nil {
			for _, t := range side.form.Traits {
				if t.On {
					f.Traits = append(f.Traits, t.Id)
				}
			}
		}
		if err := typedUnits(side.units, f.Numbers); err != nil {
			return err
		}
	}
	return nil
}

// typed is a number, which may be left out for one, and a unit.
var typed = regexp.MustCompile(`^([0-9]{0,9}) ?([a-z-]+)$`)

// typedUnits reads "3 infantry, 1 tank", also without blanks.
func typedUnits(text string, into map[string]int32) error {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		m := typed.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return usageError{fmt.Sprintf("%q, expected a number and a unit, for example '3 infantry, 1 tank'", part)}
		}
		n := 1
		if m[1] != "" {
			n, _ = strconv.Atoi(m[1]) // nine digits at most
		}
		into[m[2]] += int32(min(n, math.MaxInt16))
	}
	return nil
}

// battleSide prints what a side was weighed with, and what else could come.
func (a *app) battleSide(title string, s *v1.BattleFormSide) {
	who := s.Party
	for _, p := range s.Parties {
		if p.Id == s.Party {
			who = p.Title
		}
	}
	var have, more []string
	for _, n := range s.Numbers {
		if n.Value > 0 && n.Most > 0 {
			have = append(have, fmt.Sprintf("%d %s", n.Value, n.Title))
		}
		if rest := n.There + n.WithinReach - n.Value; rest > 0 {
			more = append(more, fmt.Sprintf("%d %s", rest, n.Title))
		}
	}
	for _, t := range s.Traits {
		if t.On {
			have = append(have, t.Title)
		}
	}
	a.say("%s (%s): %s\n", title, orDash(who), orDash(join(have)))
	if more != nil {
		a.say("  also there or in reach: %s\n", join(more))
	}
}
