package anniversary

import (
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// tables are made from a scenario when a game is set up; they never change.
type tables struct {
	// space finds spaces by id.
	space map[string]Space
	// flight are the steps between the spaces that Chinese units may enter, through nothing else (AA
	// 5.3.1); Far elsewhere.
	flight [MaxSpaces][MaxSpaces]uint8
	// ports are each sea zone and its coasts; assaults are it and the coasts within two steps of it,
	// whatever bars the way.
	ports, assaults [MaxSpaces]SpaceSet
}

func newTables(sc *Scenario) *tables {
	t := &tables{space: make(map[string]Space, sc.Len())}
	for s := range Space(sc.Len()) {
		t.space[sc.SpaceID(s)] = s
		for o := range t.flight[s] {
			t.flight[s][o] = scenario.Far
		}
	}
	for s := range sc.ChinaRules.Range.Each {
		t.spread(sc, s)
	}
	for _, z := range sc.Zones {
		t.ports[z] = scenario.SpacesOf(append([]Space{z}, sc.LandNear[z]...)...)
	}
	for _, z := range sc.Zones {
		t.assaults[z] = t.ports[z]
		for _, a := range sc.Lanes[z] {
			t.assaults[z] = t.assaults[z].Union(t.ports[a.To])
			for _, b := range sc.Lanes[a.To] {
				t.assaults[z] = t.assaults[z].Union(t.ports[b.To])
			}
		}
	}
	return t
}

// spread measures the flights of the Flying Tigers from a space.
func (t *tables) spread(sc *Scenario, from Space) {
	row := &t.flight[from]
	row[from] = 0
	for queue := []Space{from}; len(queue) > 0; queue = queue[1:] {
		for _, n := range sc.Near[queue[0]] {
			if sc.ChinaRules.Range.Has(n) && row[n] == scenario.Far {
				row[n] = row[queue[0]] + 1
				queue = append(queue, n)
			}
		}
	}
}

// flight is the distance that an air unit of a power flies between two spaces (AA 8.3.2): over neutral territory
// nothing does (AA 2.5.2), and China stays in its range (AA 5.3.5).
func (p *Position) flight(w Power, a, b Space) int {
	if w == China {
		return int(p.tab.flight[a][b])
	}
	return p.sc.AirDistance(a, b)
}
