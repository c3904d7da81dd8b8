package scenario

import (
	"fmt"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// spaces gives the spaces their numbers and checks what is said of each. A group of islands is one territory (AA
// 2.3.2).
func (l *loader) spaces() {
	m, s := l.sc.Atlas, l.sc
	if m == nil {
		return
	}
	land, sea := m.GetTerritories(), m.GetSeaZones()
	if !l.Count("map.territories", len(land), 1, MaxSpaces) || !l.Count("map.sea_zones", len(sea), 0, MaxSpaces) {
		return
	}
	if n := len(land) + len(sea); n > MaxSpaces {
		l.Fault("map", "%d spaces, expected at most %d", n, MaxSpaces)
		return
	}
	s.Land = Space(len(land))
	for i, t := range land {
		path := fmt.Sprintf("map.territories[%d]", i)
		l.name(path, t.GetId(), t.GetName())
		info := SpaceInfo{ID: t.GetId(), Name: t.GetName(), Impassable: t.GetImpassable(), Island: NoSpace,
			Capital: NoPower}
		info.IPC = l.Number(path+".ipc", t.GetIpc(), 0, 99)
		if t.GetCity() != nil {
			l.Words(path+".city", t.GetCity(), maxName)
			info.City = t.GetCity()
			s.Cities = append(s.Cities, Space(i))
			s.CitySet.Add(Space(i))
		}
		s.Spaces = append(s.Spaces, info)
		l.owner(path, t)
		if t.GetImpassable() {
			s.Impassable.Add(Space(i))
		}
	}
	for i, z := range sea {
		l.name(fmt.Sprintf("map.sea_zones[%d]", i), z.GetId(), z.GetName())
		s.Zones = append(s.Zones, Space(len(s.Spaces)))
		s.Spaces = append(s.Spaces,
			SpaceInfo{ID: z.GetId(), Name: z.GetName(), Sea: true, Island: NoSpace, Capital: NoPower})
		s.Owner, s.Original = append(s.Owner, NoPower), append(s.Original, NoPower)
	}
}

// name checks the id of the next space and its name.
func (l *loader) name(path, id string, name *anniversaryv1.Words) {
	if !keyID.MatchString(id) {
		l.Fault(path+".id", "%.40q, expected 1 to 48 lower-case letters, digits and dashes", id)
	}
	if _, twice := l.spaceBy[id]; twice {
		l.Fault(path+".id", "%.40q is given twice", id)
	}
	l.spaceBy[id] = Space(len(l.sc.Spaces))
	l.Words(path+".name", name, maxName)
}

// owner checks who controls a territory by what is printed in it, and who did originally (AA 2.9.1). Neutral territory
// has no controller and no value (AA 2.5.3).
func (l *loader) owner(path string, t *anniversaryv1.Territory) {
	s := l.sc
	owner, original := NoPower, NoPower
	switch {
	case t.GetImpassable():
		for _, x := range [...]struct {
			field string
			there bool
		}{
			{"owner", t.GetOwner() != ""},
			{"original", t.GetOriginal() != ""},
			{"ipc", t.GetIpc() != 0},
			{"city", t.GetCity() != nil},
		} {
			if x.there {
				l.Fault(path+"."+x.field, "impassable territory has none (AA 2.5.3)")
			}
		}
	default:
		owner = l.power(path+".owner", t.GetOwner())
		original = owner
		if t.GetOriginal() != "" {
			original = l.power(path+".original", t.GetOriginal())
		}
	}
	s.Owner, s.Original = append(s.Owner, owner), append(s.Original, original)
}

// borders reads who is next to whom and fills in the tables of movement. The document joins the left and right edges
// (AA 2.2.2); the top and bottom join nothing (AA 2.2.3).
func (l *loader) borders() {
	s, n := l.sc, len(l.sc.Spaces)
	next := make([]SpaceSet, n) // impassable territory included
	for i := range n {
		path, ids := fmt.Sprintf("map.territories[%d].neighbors", i), []string(nil)
		if sp := Space(i); s.IsSea(sp) {
			path, ids = fmt.Sprintf("map.sea_zones[%d].neighbors", sp-s.Land),
				s.Atlas.GetSeaZones()[sp-s.Land].GetNeighbors()
		} else {
			ids = s.Atlas.GetTerritories()[i].GetNeighbors()
		}
		for _, other := range l.list(path, ids, l.space) {
			if other == Space(i) {
				l.Fault(path, "%s is its own neighbour", s.Spaces[i].ID)
				continue
			}
			next[i].Add(other)
			next[other].Add(Space(i))
		}
	}
	s.Adjacent = next
	s.Near, s.LandNear, s.SeaNear = make([][]Space, n), make([][]Space, n), make([][]Space, n)
	s.Lanes, s.Around = make([][]Lane, n), make([]SpaceSet, n)
	for i := range n {
		l.around(Space(i), next[i])
	}
	s.air, s.land, s.sea = distances(s.Near), distances(l.only(s.LandNear, false)), distances(l.only(s.SeaNear, true))
}

// around fills in the neighbours of a space.
func (l *loader) around(sp Space, next SpaceSet) {
	s, info := l.sc, &l.sc.Spaces[sp]
	if next.Empty() {
		l.Warn("map", "%s has no neighbours", info.ID)
	}
	zone, zones := NoSpace, 0
	for other := range next.Each {
		if s.IsSea(other) {
			zone = other
			zones++
		}
	}
	if !info.Sea {
		info.Coastal = zones > 0
		if zones == 1 && next.Len() == 1 {
			info.Island = zone
			s.Spaces[zone].Islands = append(s.Spaces[zone].Islands, sp)
		}
	}
	if info.Impassable {
		return
	}
	s.Around[sp] = next.Minus(s.Impassable)
	for other := range s.Around[sp].Each {
		s.Near[sp] = append(s.Near[sp], other)
		if !s.IsSea(other) {
			s.LandNear[sp] = append(s.LandNear[sp], other)
			continue
		}
		s.SeaNear[sp] = append(s.SeaNear[sp], other)
		if info.Sea {
			s.Lanes[sp] = append(s.Lanes[sp], Lane{To: other, Canal: NoCanal})
		}
	}
}

// only keeps the neighbours of one kind of space.
func (l *loader) only(near [][]Space, sea bool) [][]Space {
	kept := make([][]Space, len(near))
	for i := range near {
		if l.sc.IsSea(Space(i)) == sea {
			kept[i] = near[i]
		}
	}
	return kept
}

// distances counts the steps between all spaces, row by row.
func distances(near [][]Space) []uint8 {
	n := len(near)
	all := make([]uint8, n*n)
	queue := make([]Space, 0, n)
	for from := range n {
		row := all[from*n : (from+1)*n]
		for i := range row {
			row[i] = Far
		}
		row[from] = 0
		queue = append(queue[:0], Space(from))
		for at := 0; at < len(queue); at++ {
			for _, to := range near[queue[at]] {
				if row[to] == Far {
					row[to] = row[queue[at]] + 1
					queue = append(queue, to)
				}
			}
		}
	}
	return all
}

// canals closes lanes (AA 2.4).
func (l *loader) canals() {
	s := l.sc
	all := s.Atlas.GetCanals()
	if !l.Count("map.canals", len(all), 0, maxCanals) {
		return
	}
	for i, c := range all {
		path := fmt.Sprintf("map.canals[%d]", i)
		var info CanalInfo
		l.Fill(path, c, &info)
		info.A, info.B = l.zone(path+".a", c.GetA()), l.zone(path+".b", c.GetB())
		if l.Count(path+".control", len(c.GetControl()), 1, maxControl) {
			info.Control = l.territories(path+".control", c.GetControl())
		}
		s.Canals = append(s.Canals, info)
		if info.A == NoSpace || info.B == NoSpace {
			continue
		}
		if !s.Around[info.A].Has(info.B) {
			l.Fault(path, "%s and %s are not adjacent", c.GetA(), c.GetB())
			continue
		}
		l.lock(path, info.A, info.B, uint8(i))
		l.lock(path, info.B, info.A, uint8(i))
	}
}

func (l *loader) lock(path string, from, to Space, canal uint8) {
	for i := range l.sc.Lanes[from] {
		lane := &l.sc.Lanes[from][i]
		if lane.To != to {
			continue
		}
		if lane.Canal != NoCanal && from < to {
			l.Fault(path, "canals[%d] joins the same sea zones", lane.Canal)
		}
		lane.Canal = canal
	}
}
