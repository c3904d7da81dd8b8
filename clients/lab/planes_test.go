package lab

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// counted says which planes a piece of the board counts in for a seat, and how much.
var counted = map[string]func(t *rules.Tensors, p *boardv1.Piece, seat string) map[string]int{
	"toy": func(_ *rules.Tensors, p *boardv1.Piece, seat string) map[string]int {
		if p.MaxSteps == 0 {
			return nil
		}
		return map[string]int{side(p.Owner == seat, "own_", "rival_") + "steps": int(p.Steps)}
	},
	"downfall": func(t *rules.Tensors, p *boardv1.Piece, _ string) map[string]int {
		if !slices.Contains(t.Pieces, p.Id) {
			return nil
		}
		return map[string]int{p.Owner + "_units": 1, p.Owner + "_steps": int(p.Steps)}
	},
	"anniversary": func(_ *rules.Tensors, p *boardv1.Piece, _ string) map[string]int {
		kind := strings.ReplaceAll(p.Formation+"_"+p.Kind, "-", "_")
		switch {
		case p.Kind == "industrial-complex":
			return nil
		case slices.Contains(p.Marks, "aboard"):
			return map[string]int{"cargo_" + strings.ReplaceAll(p.Kind, "-", "_"): int(p.Count)}
		}
		return map[string]int{kind: int(p.Count)}
	},
	"ocs": func(_ *rules.Tensors, p *boardv1.Piece, seat string) map[string]int {
		whose := side(p.Owner == seat, "own_", "enemy_")
		hasStrength := slices.ContainsFunc(p.Numbers, func(n *boardv1.Number) bool { return n.Key == "strength" })
		switch {
		case p.Kind == "air-unit":
			return map[string]int{whose + "air": 1}
		case !hasStrength:
			return nil
		case whose == "own_":
			return map[string]int{"own_units": 1, "own_steps": int(p.Steps)}
		}
		return map[string]int{"enemy_units": 1}
	},
}

func side(own bool, yes, no string) string {
	if own {
		return yes
	}
	return no
}

// TestPlanesAgreeWithTheBoard: the planes of pieces count what the board shows the same seat, space by space.
func TestPlanesAgreeWithTheBoard(t *testing.T) {
	t.Parallel()
	for _, p := range played {
		t.Run(p.set.About().Name, func(t *testing.T) {
			t.Parallel()
			table, pick := NewTable(configured(t, p.set, p.scenario, 1)), dice.NewSeeded(9)
			if err := table.Reset(nil, nil); err != nil {
				t.Fatal(err)
			}
			for i := range p.decisions {
				if err := table.Step(anyActions(table, pick), true); err != nil {
					t.Fatal(err)
				}
				if i%20 == 0 {
					agree(t, table.games[0].game)
				}
			}
		})
	}
}

// agree compares the planes of every seat with its board.
func agree(t *testing.T, g rules.Game) {
	t.Helper()
	set := g.Ruleset()
	tensors, count := set.Tensors(g.Scenario()), counted[set.About().Name]
	for i, info := range set.About().Seats {
		seat := rules.Seat(i)
		want, looked := map[string]int{}, map[string]bool{}
		for _, p := range g.Board(rules.SeatViewer(seat), rules.English).Pieces {
			for plane, n := range count(tensors, p, info.ID) {
				if looked[plane] = true; slices.Contains(tensors.Spaces, p.Place) && n > 0 {
					want[fmt.Sprintf("%s of %s", plane, p.Place)] += n
				}
			}
		}
		planes, scalars := make([]int16, len(tensors.Planes)*len(tensors.Spaces)), make([]int16, len(tensors.Scalars))
		g.Observe(seat, planes, scalars)
		got := map[string]int{}
		for j, n := range planes {
			if id := tensors.Planes[j/len(tensors.Spaces)].ID; looked[id] && n != 0 {
				got[fmt.Sprintf("%s of %s", id, tensors.Spaces[j%len(tensors.Spaces)])] = int(n)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Fatalf("%s, turn %d: %d planes looked at; the board - and the planes + differ:\n%s",
				info.ID, g.Turn(), len(looked), diff)
		}
	}
}
