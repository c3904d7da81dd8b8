package anniversary

import (
	"fmt"
)

// space looks up a space; NoSpace if there is none, which it reports.
func (l *loader) space(path, id string) Space {
	sp, ok := l.spaceBy[id]
	if !ok {
		l.Fault(path, "%.40q is not a space of the map", id)
		return NoSpace
	}
	return sp
}

// territory looks up a territory that may be entered.
func (l *loader) territory(path, id string) Space {
	sp := l.space(path, id)
	switch {
	case sp == NoSpace:
	case l.sc.IsSea(sp):
		l.Fault(path, "%s is a sea zone, expected a territory", id)
		return NoSpace
	case l.sc.Spaces[sp].Impassable:
		l.Fault(path, "%s is impassable (AA 2.5.2)", id)
		return NoSpace
	}
	return sp
}

// zone looks up a sea zone.
func (l *loader) zone(path, id string) Space {
	sp := l.space(path, id)
	if sp != NoSpace && !l.sc.IsSea(sp) {
		l.Fault(path, "%s is a territory, expected a sea zone", id)
		return NoSpace
	}
	return sp
}

// territories looks up a list of territories, each given once.
func (l *loader) territories(path string, ids []string) []Space {
	return l.list(path, ids, l.territory)
}

func (l *loader) list(path string, ids []string, find func(path, id string) Space) []Space {
	var all []Space
	var seen SpaceSet
	for i, id := range ids {
		at := fmt.Sprintf("%s[%d]", path, i)
		sp := find(at, id)
		switch {
		case sp == NoSpace:
			continue
		case seen.Has(sp):
			l.Fault(at, "%s is given twice", id)
			continue
		}
		seen.Add(sp)
		all = append(all, sp)
	}
	return all
}

// power looks up a power; NoPower if there is none, which it reports.
func (l *loader) power(path, id string) Power {
	w := PowerByID(id)
	if w == NoPower {
		l.Fault(path, "%.40q is not one of the powers", id)
	}
	return w
}

// unit looks up a type of unit; NoUnit if there is none, which it reports.
func (l *loader) unit(path, id string) Unit {
	u := UnitByID(id)
	if u == NoUnit {
		l.Fault(path, "%.40q is not one of the types of unit", id)
	}
	return u
}
