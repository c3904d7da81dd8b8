package scenario

import (
	"fmt"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// order reads the turn order (AA 4.1). The round ends with the turn of the United States, after which victory
// is checked (AA 3.2.2).
func (l *loader) order() {
	ids := l.doc.GetTurnOrder()
	if !l.Count("turn_order", len(ids), int(NumSeats), int(NumSeats)) {
		return
	}
	var seen [NumPowers]bool
	for i, id := range ids {
		path := fmt.Sprintf("turn_order[%d]", i)
		w := l.power(path, id)
		switch {
		case w == NoPower:
			continue
		case w == China:
			l.Fault(path, "China acts in the turn of %s (AA 5.4)", UnitedStates.ID())
		case seen[w]:
			l.Fault(path, "%s is given twice", id)
		}
		seen[w] = true
		l.sc.Order[i] = w
	}
	if last := len(ids) - 1; PowerByID(ids[last]) != UnitedStates {
		l.Fault(fmt.Sprintf("turn_order[%d]", last), "%.40q, expected %s: a round ends with its turn (AA 3.2.2)",
			ids[last], UnitedStates.ID())
	}
}

func (l *loader) treasuries() {
	if !l.Count("treasuries", len(l.doc.GetTreasuries()), 0, int(NumSeats)) {
		return
	}
	var seen [NumPowers]bool
	for i, t := range l.doc.GetTreasuries() {
		path := fmt.Sprintf("treasuries[%d]", i)
		w := l.power(path+".power", t.GetPower())
		switch {
		case w == NoPower:
			continue
		case w == China:
			l.Fault(path+".power", "China has no treasury (AA 5.1.2)")
		case seen[w]:
			l.Fault(path+".power", "%s is given twice", t.GetPower())
		}
		seen[w] = true
		l.sc.Powers[w].Treasury = l.Number(path+".ipc", t.GetIpc(), 0, maxTreasury)
	}
}

// control puts the set-up markers over the printed symbols (AA 1.3.5).
func (l *loader) control() {
	s := l.sc
	s.Marker = make([]Power, len(s.Spaces))
	for i := range s.Marker {
		s.Marker[i] = NoPower
	}
	if !l.Count("markers", len(l.doc.GetMarkers()), 0, MaxSpaces) {
		return
	}
	for i, m := range l.doc.GetMarkers() {
		path := fmt.Sprintf("markers[%d]", i)
		w := l.power(path+".power", m.GetPower())
		for _, sp := range l.territories(path+".territories", m.GetTerritories()) {
			if s.Marker[sp] != NoPower {
				l.Fault(path+".territories", "%s has a marker of %s already", s.Spaces[sp].ID, s.Marker[sp].ID())
			}
			if s.Owner[sp] == w {
				l.Warn(path+".territories", "the symbol of %s is printed in %s", m.GetPower(), s.Spaces[sp].ID)
			}
			s.Marker[sp], s.Owner[sp] = w, w
		}
		if w == China {
			l.Fault(path+".power", "China has no markers but of what it controls by print")
		}
	}
}

// placements reads the units. Everything that the rules would not let stand at the start of a turn is refused.
func (l *loader) placements() {
	s := l.sc
	if !l.Count("placements", len(l.doc.GetPlacements()), 0, maxPlacements) {
		return
	}
	type place struct {
		w  Power
		sp Space
	}
	seen := map[place]int{}
	complexes := make([]int, len(s.Spaces))
	for i, p := range l.doc.GetPlacements() {
		path := fmt.Sprintf("placements[%d]", i)
		w, sp := l.power(path+".power", p.GetPower()), l.space(path+".space", p.GetSpace())
		if w == NoPower || sp == NoSpace {
			continue
		}
		if j, twice := seen[place{w, sp}]; twice {
			l.Fault(path, "placements[%d] is of the same power in the same space", j)
			continue
		}
		seen[place{w, sp}] = i
		l.mayStand(path+".space", w, sp)
		counts := l.stacks(path, w, sp, p.GetUnits())
		l.loads(path, w, sp, counts, p.GetLoads())
		if complexes[sp] += counts[Complex]; complexes[sp] > 1 {
			l.Fault(path+".units", "more than one industrial complex in %s (AA 13.2.5)", p.GetSpace())
		}
	}
}

// mayStand checks that units of a power can be in a space at all.
func (l *loader) mayStand(path string, w Power, sp Space) {
	s := l.sc
	switch info := &s.Spaces[sp]; {
	case info.Impassable:
		l.Fault(path, "%s is impassable (AA 2.5.2)", info.ID)
	case !info.Sea && s.Owner[sp].Side() != w.Side():
		l.Fault(path, "%s is controlled by the other side", info.ID)
	case w == China && s.Tables != nil && !s.ChinaRules.Range.Has(sp):
		l.Fault(path, "Chinese units may not enter %s (AA 5.3.1)", info.ID)
	}
}

// stacks reads the units of one placement and counts them by type.
func (l *loader) stacks(path string, w Power, sp Space, units []*anniversaryv1.UnitCount) (counts [NumUnits]int) {
	s := l.sc
	if !l.Count(path+".units", len(units), 1, int(NumUnits)) {
		return counts
	}
	for i, c := range units {
		at := fmt.Sprintf("%s.units[%d]", path, i)
		u, n := l.unit(at+".unit", c.GetUnit()), l.Number(at+".count", c.GetCount(), 1, maxCount)
		if u == NoUnit {
			continue
		}
		if counts[u] > 0 {
			l.Fault(at+".unit", "%s is given twice", c.GetUnit())
			continue
		}
		switch {
		case u.In(SeaUnits) && !s.IsSea(sp):
			l.Fault(at+".unit", "%s in a territory (AA 2.1.2)", c.GetUnit())
		case (u == Bomber || u == Complex) && s.IsSea(sp):
			l.Fault(at+".unit", "%s in a sea zone (AA 2.1.2)", c.GetUnit())
		case u == Complex && s.Owner[sp] != w:
			l.Fault(at+".unit", "an industrial complex of a power that does not control %s (AA 10.1.5)",
				s.Spaces[sp].ID)
		}
		counts[u] = n
		s.Stacks = append(s.Stacks, Stack{Power: w, Space: sp, Unit: u, Count: n})
	}
	return counts
}

// loads reads what is aboard of what (AA 1.3.9).
func (l *loader) loads(path string, w Power, sp Space, counts [NumUnits]int, loads []*anniversaryv1.Load) {
	s := l.sc
	if !l.Count(path+".loads", len(loads), 0, 2*maxCount) {
		return
	}
	var ships, aboard [NumUnits]int
	for i, load := range loads {
		at := fmt.Sprintf("%s.loads[%d]", path, i)
		ship := l.unit(at+".ship", load.GetShip())
		if ship == NoUnit {
			continue
		}
		if !ship.In(1<<Carrier | 1<<Transport) {
			l.Fault(at+".ship", "%s carries nothing (AA 15.9.3)", load.GetShip())
			continue
		}
		ships[ship]++
		if ships[ship] == counts[ship]+1 {
			l.Fault(at+".ship", "more loads than %d of %s", counts[ship], load.GetShip())
		}
		cargo := l.cargo(at+".cargo", ship, load.GetCargo())
		for _, u := range cargo {
			if u != NoUnit {
				aboard[u]++
			}
		}
		s.Loads = append(s.Loads, Load{Power: w, Space: sp, Ship: ship, Cargo: cargo})
	}
	for u := range NumUnits {
		switch {
		case !s.IsSea(sp) && aboard[u] > 0:
			l.Fault(path+".loads", "a load in a territory")
		case s.IsSea(sp) && u.In(LandUnits|1<<Fighter) && aboard[u] != counts[u]:
			l.Fault(path+".loads", "%d of %s in the sea zone and %d aboard (AA 1.3.9)", counts[u], u.ID(), aboard[u])
		}
	}
}

// cargo checks the load of one ship (AA 15.11.2, AA 15.13.4). Infantry comes last.
func (l *loader) cargo(path string, ship Unit, ids []string) [2]Unit {
	cargo := [2]Unit{NoUnit, NoUnit}
	if !l.Count(path, len(ids), 1, 2) {
		return cargo
	}
	for i, id := range ids {
		u := l.unit(fmt.Sprintf("%s[%d]", path, i), id)
		if u == NoUnit {
			continue
		}
		if ship == Carrier && u != Fighter || ship == Transport && !u.In(LandUnits) {
			l.Fault(fmt.Sprintf("%s[%d]", path, i), "%s on %s", id, ship.ID())
			continue
		}
		cargo[i] = u
	}
	if ship == Transport && cargo[0] != Infantry && cargo[1] != Infantry && cargo[1] != NoUnit {
		l.Fault(path, "%s and %s on one transport (AA 15.13.4)", ids[0], ids[1])
	}
	if cargo[0] == NoUnit || cargo[0] == Infantry && cargo[1] != NoUnit {
		cargo[0], cargo[1] = cargo[1], cargo[0]
	}
	return cargo
}
