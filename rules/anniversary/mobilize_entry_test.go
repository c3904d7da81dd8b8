package anniversary

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules/rulestest"
)

// northSea is the United Kingdom with ships to place and complexes in Norway (3 units; sea zones 3, 5 and 6), in
// northwestern Europe (2; 5, 6 and 7), in France (6; 7 and 13) and at home (8; 2, 3, 6, 7 and 8), less damage.
func northSea(t testing.TB, norway, northwest, france, home int) *table {
	t.Helper()
	g := on1941(t).hold(UnitedKingdom, "norway", "northwestern-europe", "france").
		complex("norway", "northwestern-europe", "france").
		damage("norway", 3-norway).damage("northwestern-europe", 2-northwest).damage("france", 6-france).
		damage("united-kingdom", 8-home).bought(UnitedKingdom, 30, Destroyer).bought(UnitedKingdom, 9, Infantry)
	return g.turn(UnitedKingdom, PhaseMobilize)
}

// Ships that name no complex come in through any (AA 13.2.3). A placement is refused only if there is no way to find
// all of them a complex, whatever came first.
func TestShipsAreSpreadOverComplexes(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.2.3", "AA 13.2.2")
	for _, c := range []struct {
		name                            string
		norway, northwest, france, home int
		placed                          []string
		refused                         []string
	}{
		{"more than one holds", 3, 2, 0, 8, []string{"1 destroyer sz-6 through norway", "12 destroyer sz-6"},
			[]string{
				"1 destroyer sz-6", "1 destroyer sz-3", "1 destroyer sz-6 through norway", "1 infantry united-kingdom",
			}},
		{"the later one has no other", 3, 2, 0, 0, []string{"2 destroyer sz-6", "3 destroyer sz-3"},
			[]string{"1 destroyer sz-5", "1 destroyer sz-6", "1 infantry norway", "1 infantry northwestern-europe"}},
		{"ships make room for ships that make room", 3, 2, 2, 0,
			[]string{"2 destroyer sz-7", "3 destroyer sz-5", "2 destroyer sz-13"},
			[]string{"1 destroyer sz-5", "1 destroyer sz-7", "1 destroyer sz-13"}},
		{"a named complex", 3, 2, 0, 0, []string{"2 destroyer sz-6", "3 destroyer sz-6 through norway"},
			[]string{"1 destroyer sz-6", "1 destroyer sz-6 through northwestern-europe"}},
		{"land units", 3, 2, 0, 0, []string{"4 destroyer sz-6", "1 infantry norway"},
			[]string{"1 infantry norway", "1 destroyer sz-6"}},
		{"what is named stays there", 3, 2, 0, 0, []string{"2 destroyer sz-6 through norway"},
			[]string{"2 destroyer sz-3", "4 destroyer sz-6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := northSea(t, c.norway, c.northwest, c.france, c.home)
			for _, x := range c.placed {
				g.do("place " + x)
			}
			for _, x := range c.refused {
				g.refused("AA 13.2.2", "place "+x)
			}
			again, err := parsePosition(g.sc, g.p.format())
			if err != nil || again.setting != g.p.setting {
				t.Errorf("written and read: %v", err)
			}
		})
	}
}

// The numbers of a refusal are those that would have been legal.
func TestRoomForShips(t *testing.T) {
	t.Parallel()
	g := northSea(t, 3, 2, 0, 0)
	g.do("place 4 destroyer sz-6")
	r := g.refused("AA 13.2.2", "place 2 destroyer sz-3")
	if got := fmt.Sprint(r); !strings.Contains(got, "1") {
		t.Errorf("refused with %s", got)
	}
	if n := g.p.roomAt(UnitedKingdom, g.space("norway")); n != 1 {
		t.Errorf("room in Norway for %d", n)
	}
	g.do("place 1 destroyer sz-3")
}

// Ships that name no complex leave one to a carrier that fighters wait for (AA 12.5.3).
func TestShipsLeaveRoomForTheCarrier(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.2.3", "AA 12.5.3")
	g := on1941(t).hold(UnitedKingdom, "norway", "northwestern-europe").complex("norway", "northwestern-europe").
		damage("united-kingdom", 8).put("3", UnitedKingdom, "2 fighter/4+moved").
		bought(UnitedKingdom, 5, Destroyer).bought(UnitedKingdom, 1, Carrier).turn(UnitedKingdom, PhaseNoncombat)
	g.do("end")
	g.do("place 3 destroyer sz-6")
	g.refused("AA 12.5.3", "place 2 destroyer sz-6")
	g.refused("AA 12.5.3", "end")
	g.do("place 1 destroyer sz-6")
	g.refused("AA 12.5.3", "place 1 destroyer sz-6")
	g.refused("AA 12.5.3", "place 1 aircraft-carrier sz-6")
	g.do("place 1 aircraft-carrier sz-3")
	g.want("at 3", "united-kingdom 2 fighter aircraft-carrier")
	g.do("end")
}

// A position in which ships find no complex is refused.
func TestShipsWithoutComplex(t *testing.T) {
	t.Parallel()
	g := northSea(t, 3, 2, 0, 0)
	g.do("place 4 destroyer sz-6")
	text := g.p.format()
	for _, c := range []struct{ unnamed, want string }{
		{"sz-6:5", ""}, {"sz-6:6", "find no industrial complex"}, {"sz-3:3 sz-6:3", "find no industrial complex"},
		{"sz-12:1", "find no industrial complex"}, {"norway:1", "find no industrial complex"},
	} {
		_, err := parsePosition(g.sc, strings.Replace(text, "unnamed sz-6:4", "unnamed "+c.unnamed, 1))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.unnamed, err)
		}
	}
}

// wayIn is a placement: how many units come in through one of some complexes.
type wayIn struct {
	n       int
	through []string
}

// findable tries every way to assign units to complexes.
func findable(list []wayIn, room map[string]int) bool {
	if len(list) == 0 {
		return true
	}
	x, rest := list[0], list
	if x.n == 0 {
		return findable(rest[1:], room)
	}
	list = append([]wayIn{{x.n - 1, x.through}}, rest[1:]...)
	for _, id := range x.through {
		if room[id] > 0 {
			room[id]--
			found := findable(list, room)
			room[id]++
			if found {
				return true
			}
		}
	}
	return false
}

// TestPlacementsAreRefusedOnlyWithoutAWay: placements in any order are accepted exactly if trying all ways finds one.
func TestPlacementsAreRefusedOnlyWithoutAWay(t *testing.T) {
	t.Parallel()
	beside := map[string][]string{
		"sz-3": {"norway", "united-kingdom"}, "sz-5": {"norway", "northwestern-europe"},
		"sz-6": {"norway", "northwestern-europe", "united-kingdom"},
		"sz-7": {"northwestern-europe", "france", "united-kingdom"}, "sz-13": {"france"}, "sz-2": {"united-kingdom"},
	}
	zones := []string{"sz-2", "sz-3", "sz-5", "sz-6", "sz-7", "sz-13"}
	start := northSea(t, 3, 2, 6, 8)
	rapid.Check(t, func(rt *rapid.T) {
		g := &table{t: t, sc: start.sc, p: start.p.Clone()}
		room := map[string]int{}
		for _, id := range []string{"norway", "northwestern-europe", "france", "united-kingdom"} {
			room[id] = rapid.IntRange(0, 2).Draw(rt, id)
			s := g.space(id)
			g.p.damage[s] = uint8(g.sc.Spaces[s].IPC - room[id])
		}
		var list []wayIn
		for range rapid.IntRange(1, 7).Draw(rt, "placements") {
			z := rapid.SampledFrom(zones).Draw(rt, "zone")
			x := wayIn{rapid.IntRange(1, 3).Draw(rt, "units"), beside[z]}
			command := fmt.Sprintf("place %d destroyer %s", x.n, z)
			switch rapid.IntRange(0, 3).Draw(rt, "kind") {
			case 0:
				x.through = []string{rapid.SampledFrom(x.through).Draw(rt, "through")}
				command += " through " + x.through[0]
			case 1:
				x.through = []string{rapid.SampledFrom(x.through).Draw(rt, "territory")}
				command = fmt.Sprintf("place %d infantry %s", x.n, x.through[0])
			}
			_, err := g.try(UnitedKingdom.Seat(), command)
			want := findable(append(list[:len(list):len(list)], x), room)
			if (err == nil) != want {
				rt.Fatalf("%s after %v with room %v: %v", command, list, room, err)
			}
			if err == nil {
				list = append(list, x)
			}
		}
	})
}
