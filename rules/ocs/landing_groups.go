package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// groupRE is the REs that one roll covers (OCS 18.5f-C).
const groupRE = 3 * oneRE

// checkGroups checks that units land in as few groups of at most 3 REs as can be; a unit that is larger is one alone
// (OCS 18.5f-C, Decision D72). How many landing craft they come from is not limited (OCS 18.5b).
func (p *Position) checkGroups(lines []Line) *rules.Refusal {
	sums, units := map[int]int{}, make([]Unit, 0, len(lines))
	for _, l := range lines {
		sums[l.Count] += p.re(l.Unit)
		if sums[l.Count] > groupRE && sums[l.Count] > p.re(l.Unit) {
			return rules.Refuse("OCS 18.5f-C", "refuse.group", "n", l.Count)
		}
		units = append(units, l.Unit)
	}
	if least := len(p.pack(units)); len(sums) > least {
		return rules.Refuse("OCS 18.5f-C", "refuse.groups", "n", len(sums), "m", least)
	}
	return nil
}

// maxPacked is how many units are packed by trying everything; more are packed largest first.
const maxPacked = 12

// pack puts units into as few groups of at most 3 REs as can be (OCS 18.5f-C).
func (p *Position) pack(units []Unit) (groups [][]Unit) {
	order := slices.Clone(units)
	slices.SortStableFunc(order, func(a, b Unit) int { return p.re(b) - p.re(a) })
	best := p.packGreedily(order)
	if len(order) <= maxPacked {
		p.packBetter(order, nil, &best)
	}
	return best
}

// packGreedily puts each unit into the first group that has room.
func (p *Position) packGreedily(order []Unit) (groups [][]Unit) {
	for _, u := range order {
		i := slices.IndexFunc(groups, func(g []Unit) bool { return p.reOf(g)+p.re(u) <= groupRE })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], u)
	}
	return groups
}

// packBetter tries every way for what is left, as long as it could need fewer groups than the best one.
func (p *Position) packBetter(left []Unit, groups [][]Unit, best *[][]Unit) {
	if len(groups) >= len(*best) {
		return
	}
	if len(left) == 0 {
		*best = make([][]Unit, len(groups))
		for i, g := range groups {
			(*best)[i] = slices.Clone(g)
		}
		return
	}
	for i, g := range groups {
		if p.reOf(g)+p.re(left[0]) <= groupRE {
			groups[i] = append(g, left[0])
			p.packBetter(left[1:], groups, best)
			groups[i] = g
		}
	}
	p.packBetter(left[1:], append(groups, []Unit{left[0]}), best)
}

// reOf is the REs of units, in quarters.
func (p *Position) reOf(units []Unit) (n int) {
	for _, u := range units {
		n += p.re(u)
	}
	return n
}

// groupsOf are the groups of a landing, in order of their numbers.
func groupsOf(lines []Line) (groups [][]Unit) {
	var numbers []int
	for _, l := range lines {
		if !slices.Contains(numbers, l.Count) {
			numbers = append(numbers, l.Count)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		var g []Unit
		for _, l := range lines {
			if l.Count == n {
				g = append(g, l.Unit)
			}
		}
		groups = append(groups, g)
	}
	return groups
}
