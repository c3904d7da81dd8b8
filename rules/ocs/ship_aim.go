package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// checkAim says why units may not fire at a target. Whoever fires at nothing holds the fire of all that are left.
func (p *Position) checkAim(_ rules.Seat, c *Command) *rules.Refusal {
	f := inner[*navalBarrage](p)
	if len(c.Units) == 0 && c.Other == NoUnit {
		return nil
	}
	if len(c.Units) == 0 || c.Other == NoUnit {
		return rules.Malformed("to aim names units and a target, or neither")
	}
	for i, u := range c.Units {
		if !slices.Contains(f.units, u) || slices.Contains(c.Units[:i], u) {
			return rules.Refuse("OCS 18.3c", "refuse.not-firing", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	return p.mayHit(f, c.Units, c.Other)
}

// playAim resolves one barrage and goes on with the units that have not fired; their strengths are not split (OCS
// 18.3c).
func (p *Position) playAim(x *exec, _ rules.Seat, cmd *Command) {
	f := inner[*navalBarrage](p)
	next := *f
	next.units, next.noted, next.came = nil, true, nil
	for i, u := range f.units {
		if len(cmd.Units) > 0 && !slices.Contains(cmd.Units, u) {
			next.units = append(next.units, u)
			next.came = append(next.came, f.cameTo(i))
		}
	}
	p.goOn(x, &next)
	if len(cmd.Units) > 0 {
		p.shell(x, f, cmd.Units, cmd.Other)
	}
}

// aimGroups are the groups of a barrage that aim at a target: all that may fire at it, of these all ships and all
// coastal batteries if there are both, and each alone.
func (p *Position) aimGroups(f *navalBarrage, target Unit) (groups [][]Unit) {
	var all, ships, batteries []Unit
	for _, u := range f.units {
		switch {
		case p.mayHit(f, []Unit{u}, target) != nil:
			continue
		case p.isBattery(u):
			batteries = append(batteries, u)
		default:
			ships = append(ships, u)
		}
		all = append(all, u)
	}
	if len(all) > 0 {
		groups = append(groups, all)
	}
	for _, g := range [...][]Unit{ships, batteries} {
		if len(g) > 1 && len(g) < len(all) {
			groups = append(groups, g)
		}
	}
	if len(all) > 1 {
		for _, u := range all {
			groups = append(groups, []Unit{u})
		}
	}
	return groups
}

// listAim lists the groups that may fire at each target, and to hold the fire.
func listAim(l *lister) {
	p, f := l.p, inner[*navalBarrage](l.p)
	craft := false
	for _, v := range p.navalTargets(enemy(l.seat), f.at) {
		if p.isCraft(v) && craft {
			continue // all landing craft are one target
		}
		craft = craft || p.isCraft(v)
		for _, g := range p.aimGroups(f, v) {
			c := only(KindAim)
			c.Units, c.Other = g, v
			l.checked(c)
		}
	}
	l.checked(only(KindAim))
}
