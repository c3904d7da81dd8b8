package scenario

import (
	"fmt"
)

// space looks up a space; NoSpace if none exists, which it reports.
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

// oneOf looks up an id of a list; none if it is not there, which it reports.
func oneOf[K ~uint8](l *loader, path, id string, ids []string, none K, what string) K {
	k := ByID(ids, id, none)
	if k == none {
		l.Fault(path, "%.40q is not one of the %s", id, what)
	}
	return k
}

func (l *loader) power(path, id string) Power {
	return oneOf(l, path, id, PowerIDs[:], NoPower, "powers")
}

func (l *loader) unit(path, id string) Unit {
	return oneOf(l, path, id, UnitIDs[:], NoUnit, "types of unit")
}

func (l *loader) tech(path, id string) Tech {
	return oneOf(l, path, id, TechIDs[:], NoTech, "technologies")
}
