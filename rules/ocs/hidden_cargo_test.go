package ocs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// shapeTo is what a seat sees of the form of a record: each roll and event, whether it is open to the seat.
func shapeTo(seat rules.Seat, out *rules.Outcome) (list []string) {
	for _, r := range out.Rolls {
		list = append(list, fmt.Sprintf("roll %t", rules.SeatViewer(seat).MaySee(r.Audience)))
	}
	for _, e := range out.Events {
		list = append(list, fmt.Sprintf("event %t after %d", rules.SeatViewer(seat).MaySee(e.Audience), e.RollsBefore))
	}
	return list
}

// The enemy does not read from the number of dice and facts that it must not see whether a ship that it hits or sinks
// was loaded (OCS 18.3c). The owner is told what was lost.
func TestCargoUnderFire(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3c", "OCS 18.3d-i")
	for _, points := range []int{4, 8} {
		var first []string
		for _, c := range []struct {
			name, load string
			aboard     bool
			lost       string
		}{
			{"nothing", "", false, "No cargo is lost."},
			{"1 SP", ",load_t=4", false, "No cargo is lost."},
			{"a regiment", "", true, "No cargo is lost."},
			{"both", ",load_t=4", true, "Cargo lost: y-1."},
		} {
			g := atSea(t, []string{"r-du red dukw 8 0 0", "r-lst red lst 10 0 0", "r-lc red lc 10 0 0", flotilla}, nil,
				guardRed).put("02.05", fmt.Sprintf("r-du/points_t=%d%s", points, c.load)).put("02.06", "b-dd").
				segment(SegAirNaval, Blue)
			if c.aboard {
				g.put("02.05", "y-1/place=aboard,aboard=r-du.1")
			}
			g.do("naval-barrage b-dd 02.05 target=ships")
			dice := []uint32{6, 5, 4, 1}
			if points == 4 { // it sinks, for which there are no dice
				dice = dice[:3]
			}
			out := g.do("aim b-dd other=r-du.1", dice...)
			if points == 8 {
				if got := g.told(out); !strings.Contains(got, c.lost) {
					t.Errorf("%s: the owner is told %q", c.name, got)
				}
			}
			got := shapeTo(Blue, out)
			if first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%d points with %s, - with nothing aboard:\n%s", points, c.name, diff)
			}
		}
	}
}

// More than one lot may have to go for one point: the die chooses the first, the next in order follow till the rest has
// room (OCS 18.3d-i).
func TestCargoInSmallLots(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.3d-i")
	var companies []string
	for i := range 4 { // of 1 T each
		companies = append(companies, fmt.Sprintf("z-%d red company other infantry 4-4-3leg 3-3-8leg", i+1))
	}
	g := atSea(t, []string{"r-du red dukw 8 0 0", flotilla}, nil, companies...).
		put("02.05", "r-du/points_t=8,load_t=4").put("02.06", "b-dd").segment(SegAirNaval, Blue)
	for i := range 4 {
		g.put("02.05", fmt.Sprintf("z-%d/place=aboard,aboard=r-du.1", i+1))
	}
	g.do("naval-barrage b-dd 02.05 target=ships")
	out := g.do("aim b-dd other=r-du.1", 6, 5, 4, 3) // 4 T of 8 must go: the third company, the fourth, then the SP
	g.want("place z-1", "aboard", "place z-2", "aboard", "place z-3", "dead", "place z-4", "dead", "load r-du.1", 0)
	if f := told[*ocsv1.Event_CargoLost](t, out).CargoLost; len(f.Units) != 2 || f.Tokens != 4 {
		t.Errorf("told %v", f)
	}
}

// How many steps drown is open, so that the enemy sees as many hidden dice, whatever landed (OCS 18.5f-B).
func TestDrownDice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, ruleset, "OCS 18.5f-B")
	for _, c := range []struct {
		lines string
		dice  []uint32
		steps uint32
	}{
		{"[unit=x-1;count=1]", []uint32{1, 1, 1, 1}, 1},
		{"[unit=x-1;count=1],[unit=x-2;count=1]", []uint32{1, 1, 1, 1}, 1},
		{"[unit=x-div;count=1]", []uint32{1, 1, 1, 1, 1, 1}, 2},
	} {
		g := offBeach(t, "x-1", "x-2", "x-div").segment(SegMovement, Blue)
		out := g.do("land at=04.10 lines="+c.lines, c.dice...)
		drowned := uint32(0)
		for _, r := range out.Rolls {
			if r.Reason == "drown" && r.Audience == rules.OnlySeats(Blue) {
				drowned++
			}
		}
		if f := factOf[*ocsv1.Event_LandingRolled](t, out).LandingRolled; f.Steps != c.steps || drowned != c.steps {
			t.Errorf("%s: %d dice for %d steps, want %d", c.lines, drowned, f.Steps, c.steps)
		}
	}
}
