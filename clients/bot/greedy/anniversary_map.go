package greedy

import (
	"slices"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// theatre is what the map of Anniversary says, in the form that a general needs. Spaces are numbered as on the map.
type theatre struct {
	of    *boardv1.Map
	index map[string]int
	ids   []string
	// value is the income of each space; city and sea say what it is.
	value     []int
	sea, city []bool
	// capital is the power whose capital a space is; NoPower for others.
	capital []anniversary.Power
	// shores are the sea zones next to each space, coasts the territories that units may enter.
	shores, coasts [][]int
	// march, sail and flight are distances over land, by sea and through the air; tooFar where there is no way.
	// Canals count as open.
	march, sail, flight [][]uint8
}

// tooFar stands for a place that can't be reached.
const tooFar = 99

func explore(m *boardv1.Map) *theatre {
	t := &theatre{of: m, index: make(map[string]int, len(m.Spaces))}
	for i, s := range m.Spaces {
		t.index[s.Id] = i
		t.ids = append(t.ids, s.Id)
		t.value = append(t.value, int(s.Value))
		t.sea = append(t.sea, s.Terrain == "sea")
		t.city = append(t.city, slices.Contains(s.Features, "victory-city"))
		t.capital = append(t.capital, anniversary.NoPower)
	}
	t.shores, t.coasts = make([][]int, len(t.ids)), make([][]int, len(t.ids))
	for i, s := range m.Spaces {
		for _, id := range s.Neighbors {
			switch n, ok := t.index[id]; {
			case !ok || m.Spaces[n].Terrain == "neutral":
			case t.sea[n]:
				t.shores[i] = append(t.shores[i], n)
			default:
				t.coasts[i] = append(t.coasts[i], n)
			}
		}
	}
	t.findCapitals()
	t.march = t.distances(func(a, b int) bool { return !t.sea[a] && !t.sea[b] })
	t.sail = t.distances(func(a, b int) bool { return t.sea[a] && t.sea[b] })
	t.flight = t.distances(func(_, _ int) bool { return true })
	return t
}

// findCapitals reads whose capital is where from what belonged to whom.
func (t *theatre) findCapitals() {
	for _, r := range t.of.Regions {
		id, ok := strings.CutPrefix(r.Id, "original-")
		if !ok {
			continue
		}
		for _, s := range r.Spaces {
			if i, there := t.index[s]; there && slices.Contains(t.of.Spaces[i].Features, "capital") {
				t.capital[i] = scenario.PowerByID(id)
			}
		}
	}
}

// distances between all spaces over steps that somebody can take.
func (t *theatre) distances(open func(a, b int) bool) [][]uint8 {
	all := make([][]uint8, len(t.ids))
	queue := make([]int, 0, len(t.ids))
	for from := range all {
		row := make([]uint8, len(t.ids))
		for i := range row {
			row[i] = tooFar
		}
		row[from] = 0
		for queue = append(queue[:0], from); len(queue) > 0; queue = queue[1:] {
			a := queue[0]
			for _, near := range [2][]int{t.shores[a], t.coasts[a]} {
				for _, b := range near {
					if row[b] == tooFar && open(a, b) {
						row[b] = row[a] + 1
						queue = append(queue, b)
					}
				}
			}
		}
		all[from] = row
	}
	return all
}

// home is the capital of a power; -1 if it has none.
func (t *theatre) home(w anniversary.Power) int {
	if w >= anniversary.NumSeats {
		return -1
	}
	return slices.Index(t.capital, w)
}

// fromShore is the distance by sea from a zone to the nearest one next to a territory.
func (t *theatre) fromShore(zone, territory int) int {
	best := tooFar
	for _, z := range t.shores[territory] {
		best = min(best, int(t.sail[zone][z]))
	}
	return best
}
