package greedy

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// judgeToy plays Outpost: take what is not ours, attack when nothing can be taken, keep units alive, end the turn last.
func judgeToy(p Position) func(*boardv1.Action) float64 {
	seat, b := p.Seat, p.Board
	place := make(map[string]string, len(b.Pieces))
	steps := make(map[string]int32, len(b.Pieces))
	for _, p := range b.Pieces {
		place[p.Id], steps[p.Id] = p.Place, p.Steps
	}
	holder := make(map[string]string, len(b.Spaces))
	for _, s := range b.Spaces {
		holder[s.Id] = s.Owner
	}
	return func(a *boardv1.Action) float64 {
		var unit, to string
		if len(a.Pieces) > 0 {
			unit = a.Pieces[0]
		}
		if len(a.Spaces) > 0 {
			to = a.Spaces[len(a.Spaces)-1]
		}
		switch a.Kind {
		case "plan":
			if holder[to] == seat {
				return 1
			}
			return 0
		case "move":
			if holder[place[unit]] == seat {
				return -1 // who holds an outpost stays
			}
			if owner, outpost := holder[to]; outpost && owner != seat {
				return 9
			}
			return 1
		case "rally":
			return 7
		case "attack":
			return 5
		case "advance":
			return 3
		case "lose":
			if steps[unit] > 1 && holder[place[unit]] == seat {
				return 1 // it can afford to hold an outpost
			}
			return -1
		default:
			return 0
		}
	}
}
