package scenario

import "fmt"

// stack is what sets up in a hex.
type stack struct {
	japanese, us, artillery int
	corps                   Formation // of the US units that have one; Reserve for none
	mixed, beachhead        bool
}

// stacks checks the set-up hexes against the stacking rules and finds those in which the 36th Army may set
// up (DF 10.1, DF 3.2-b).
func (l *loader) stacks() {
	if l.sc.Map == nil {
		return
	}
	at := make([]stack, l.sc.Map.Len())
	for i := range at {
		at[i].corps = Reserve
	}
	for i := range l.sc.Units {
		if u := &l.sc.Units[i]; u.Hex != NoHex {
			at[u.Hex].add(u)
			l.stacked(fmt.Sprintf("units[%d].hex", i), u, at[u.Hex])
		}
	}
	taken := map[Hex]string{}
	for i, b := range l.doc.GetBeachheads() {
		path := fmt.Sprintf("beachheads[%d].hex", i)
		f, ok := l.sc.BeachheadByID(b.GetId())
		if !ok || l.sc.Beachheads[f].Hex == NoHex {
			continue
		}
		h := l.sc.Beachheads[f].Hex
		if first, twice := taken[h]; twice && first != b.GetId() {
			l.Fault(path, "%s holds the beachhead %s already", l.sc.Map.ID(h), first)
		}
		taken[h] = b.GetId()
		if at[h].japanese > 0 {
			l.Fault(path, "a Japanese unit sets up in %s", l.sc.Map.ID(h))
		}
		at[h].beachhead = true
	}
	l.setupArea(at)
}

func (s *stack) add(u *UnitInfo) {
	switch {
	case u.Owner == Japan:
		s.japanese++
	case u.Role == CorpsArtillery:
		s.artillery++
	default:
		s.us++
	}
	if u.Formation.IsCorps() {
		s.mixed = s.mixed || s.corps != Reserve && s.corps != u.Formation
		s.corps = u.Formation
	}
}

// stacked reports what a unit breaks by joining a stack.
func (l *loader) stacked(path string, u *UnitInfo, s stack) {
	id := l.sc.Map.ID(u.Hex)
	switch {
	case s.japanese > 0 && s.us+s.artillery > 0:
		l.Fault(path, "US and Japanese units set up in %s (DF 10.1)", id)
	case s.japanese > JapaneseStack:
		l.Fault(path, "%d Japanese units set up in %s, expected at most %d (DF 10.3-a)", s.japanese, id, JapaneseStack)
	case s.us > USStack && u.Owner == US && u.Role != CorpsArtillery:
		l.Fault(path, "%d US units set up in %s, expected at most %d (DF 10.4)", s.us, id, USStack)
	case s.artillery > ArtilleryStack && u.Role == CorpsArtillery:
		l.Fault(path, "%d corps artillery units set up in %s, expected at most %d (DF 10.4)",
			s.artillery, id, ArtilleryStack)
	case s.mixed && u.Formation.IsCorps():
		l.Warn(path, "units of several corps set up in %s (DF 10.5)", id)
	}
}

// setupArea lists the hexes around the centre. One in which US units set up later is left out.
func (l *loader) setupArea(at []stack) {
	limits := l.doc.GetLimits()
	if limits.GetArmy36Centre() == "" {
		l.Fault("limits.army36_centre", "not given: the 36th Army has no place to set up (DF 3.2-b)")
		return
	}
	s := l.sc
	s.Chart.Centre = l.hex("limits.army36_centre", limits.GetArmy36Centre())
	s.Chart.Within = l.Number("limits.army36_distance", limits.GetArmy36Distance(), 0, 99)
	if s.Chart.Centre == NoHex {
		return
	}
	room := 0
	for h := range Hex(s.Map.Len()) {
		if here := at[h]; s.Map.Distance(h, s.Chart.Centre) <= s.Chart.Within && here.us+here.artillery == 0 &&
			!here.beachhead {
			s.SetupArea = append(s.SetupArea, h)
			room += max(0, JapaneseStack-here.japanese)
		}
	}
	if room < len(s.Setup36) {
		l.Fault("limits.army36_distance", "room for %d units around %s, and the 36th Army has %d (DF 3.2-b)",
			room, limits.GetArmy36Centre(), len(s.Setup36))
	}
}
