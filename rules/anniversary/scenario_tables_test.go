package anniversary

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/rulestest"
)

// The price list and the profiles (AA 7.1.2, AA 15), and what technologies change (AA 6.3, AA 6.4).
func TestUnitNumbers(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	all := scenario.Techs(1<<NumTechs - 1)
	type row struct{ Cost, Attack, Defence, Move, Hits, Dice, CostAll, AttackAll, MoveAll, DiceAll int }
	rulestest.Proves(t, book, "AA 7.1.2", "AA 15.1.1", "AA 15.2.1", "AA 15.3.1", "AA 15.4.1", "AA 15.5.1")
	for u, want := range [NumUnits]row{
		Infantry: {3, 1, 2, 1, 1, 1, 3, 1, 1, 1}, Artillery: {4, 2, 2, 1, 1, 1, 4, 2, 1, 1},
		Tank:  {5, 3, 3, 2, 1, 1, 5, 3, 2, 1},
		AAGun: {6, 0, 0, 1, 0, 1, 6, 0, 1, 1}, Complex: {15, 0, 0, 0, 0, 1, 15, 0, 0, 1},
		Fighter: {10, 3, 4, 4, 1, 1, 10, 4, 6, 1}, Bomber: {12, 4, 1, 6, 1, 1, 12, 4, 8, 2},
		Battleship: {20, 4, 4, 2, 2, 1, 17, 4, 2, 1}, Carrier: {14, 1, 2, 2, 1, 1, 11, 1, 2, 1},
		Cruiser:   {12, 3, 3, 2, 1, 1, 10, 3, 2, 1},
		Destroyer: {8, 2, 2, 2, 1, 1, 7, 2, 2, 1}, Submarine: {6, 2, 1, 2, 1, 1, 5, 3, 2, 1},
		Transport: {7, 0, 0, 2, 1, 1, 6, 0, 2, 1},
	} {
		u := Unit(u)
		i := sc.Units[u]
		rulestest.Proves(t, book, "AA 15.7.1", "AA 15.8.1", "AA 15.9.1", "AA 15.10.1", "AA 15.10.4", "AA 15.11.1")
		got := row{
			i.Cost, i.Attack, i.Defence, i.Move, i.Hits, sc.Dice(u, 0), sc.Cost(u, all), sc.Attack(u, all),
			sc.Moves(u, all), sc.Dice(u, all),
		}
		rulestest.Proves(t, book, "AA 6.4.4", "AA 15.12.1", "AA 15.12.3", "AA 15.13.1")
		if got != want || sc.Cost(u, 0) != i.Cost ||
			sc.Attack(u, all&^(1<<scenario.SuperSubmarines|1<<scenario.JetFighters)) != i.Attack ||
			sc.Moves(u, 0) != i.Move {
			t.Errorf("%s: %+v, want %+v", u.ID(), got, want)
		}
	}
	charts := "advanced-artillery rockets paratroopers increased-factory-production war-bonds mechanized-infantry " +
		"super-submarines jet-fighters improved-shipyards radar long-range-aircraft heavy-bombers"
	rulestest.Proves(t, book, "AA 6.3.1", "AA 6.4.1")
	for i, row := range sc.Tables.GetTechnologies() {
		if id := strings.Fields(charts)[i]; row.GetId() != id ||
			scenario.ByID(scenario.TechIDs[:], id, scenario.NoTech) != Tech(i) ||
			int(row.GetChart()) != i/6+1 || int(row.GetRoll()) != i%6+1 {
			t.Errorf("technology %d is %v", i, row)
		}
	}
	if scenario.SurfaceShip != 1<<Battleship|1<<Carrier|1<<Cruiser|1<<Destroyer ||
		scenario.Warships != scenario.SurfaceShip|1<<Submarine ||
		scenario.SeaUnits != scenario.Warships|1<<Transport {
		t.Error("classes of ships")
	}
	e := sc.Effects
	if got, want := [...]int{e.Support, e.RocketRange, e.Paratroopers, e.Capacity, e.Repair, e.IncomeDice,
		e.PairedMove, e.AAHit},
		[...]int{2, 3, 1, 2, 2, 1, 2, 2}; got != want {
		t.Errorf("effects %v, want %v", got, want)
	}
	if want := (scenario.Numbers{AAHit: 1, SupportedAttack: 2, ResearcherCost: 5, ResearchSuccess: 6, RepairCost: 1,
		DamageCap: 2, ComplexValue: 1}); sc.Numbers != want {
		t.Errorf("numbers %+v, want %+v", sc.Numbers, want)
	}
	if sc.Supports(0) != 1 || sc.Supports(all) != 2 || sc.AAHit(0) != 1 || sc.AAHit(all) != 2 {
		t.Error("support or radar")
	}
}

// AA 3.1.1, AA 14.2.4, AA 14.3.
func TestGoals(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1942")
	var levels []int
	for _, v := range sc.Levels {
		levels = append(levels, v.Cities)
	}
	rulestest.Proves(t, book, "AA 3.1.1")
	if !slices.Equal(levels, []int{15, 13, 18}) {
		t.Errorf("levels %v", levels)
	}
	var got []string
	rulestest.Proves(t, book, "AA 14.2.4")
	for _, o := range sc.Objectives {
		s := fmt.Sprintf("%s %s %d %d/%d", o.Rule, o.Power.ID(), o.Bonus, o.Need, len(o.Territories))
		if o.Alone {
			s += " alone"
		}
		if o.NoAllies {
			s += " no-allies"
		}
		got = append(got, strings.TrimSpace(s+" "+strings.Join(spaceIDs(sc, o.NoWarships), " ")))
		p, ok := rulebook().Find(o.Rule)
		if !ok {
			t.Errorf("%s names no paragraph: %s", o.ID, o.Rule)
		}
		// The paragraph's summary names every territory.
		for _, sp := range o.Territories {
			if !strings.Contains(p.Text, sc.SpaceName(sp, rules.English)) {
				t.Errorf("%s does not name %s", o.Rule, sc.SpaceID(sp))
			}
			if ja := o.Text.GetJa(); !strings.Contains(ja, sc.SpaceName(sp, rules.Japanese)) {
				t.Errorf("%s: %s does not name %s", o.ID, ja, sc.SpaceName(sp, rules.Japanese))
			}
		}
	}
	rulestest.Proves(t, book, "AA 14.3.1", "AA 14.3.2", "AA 14.3.3", "AA 14.3.4", "AA 14.3.5", "AA 14.3.6")
	want := []string{
		"AA 14.3.1 germany 5 6/6", "AA 14.3.2 germany 5 3/5", "AA 14.3.3 germany 5 1/2", "AA 14.3.4 japan 5 3/3",
		"AA 14.3.5 japan 5 4/6",
		"AA 14.3.6 japan 5 1/3", "AA 14.3.7 united-kingdom 5 6/6", "AA 14.3.8 united-kingdom 5 1/6",
		"AA 14.3.9 united-kingdom 5 1/2",
		"AA 14.3.10 italy 5 4/4 sz-13 sz-14 sz-15", "AA 14.3.11 italy 5 3/4", "AA 14.3.12 united-states 5 3/3",
		"AA 14.3.13 united-states 5 1/1",
		"AA 14.3.14 united-states 5 1/1", "AA 14.3.15 united-states 5 3/4",
		"AA 14.3.16 soviet-union 5 1/1 alone no-allies", "AA 14.3.17 soviet-union 10 3/6",
	}
	rulestest.Proves(t, book, "AA 14.3.7", "AA 14.3.8", "AA 14.3.9", "AA 14.3.10", "AA 14.3.11", "AA 14.3.12")
	rulestest.Proves(t, book, "AA 14.3.13", "AA 14.3.14", "AA 14.3.15", "AA 14.3.16", "AA 14.3.17")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every name is there in both languages, and none is a copy of the other.
func TestNames(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	seen := map[string]string{}
	check := func(what, en, ja string) {
		if en == "" || ja == "" || en == ja {
			t.Errorf("%s is %q, %q", what, en, ja)
		}
	}
	for sp := range Space(sc.Len()) {
		id, ja := sc.SpaceID(sp), sc.SpaceName(sp, rules.Japanese)
		check(id, sc.SpaceName(sp, rules.English), ja)
		if other := seen[ja]; other != "" {
			t.Errorf("%s and %s are both %s", id, other, ja)
		}
		seen[ja] = id
		if c := sc.Spaces[sp].City; c != nil {
			check(id, c.GetEn(), c.GetJa())
		}
	}
	for u, i := range sc.Units {
		check(Unit(u).ID(), i.Name.GetEn(), i.Name.GetJa())
		check(Unit(u).ID(), i.Plural.GetEn(), i.Plural.GetJa())
	}
	for i := range sc.Techs {
		check(Tech(i).ID(), sc.Techs[i].Name.GetEn(), sc.Techs[i].Name.GetJa())
		check(Tech(i).ID(), sc.Techs[i].Summary.GetEn(), sc.Techs[i].Summary.GetJa())
	}
	for w, p := range sc.Powers {
		check(Power(w).ID(), p.Name.GetEn(), p.Name.GetJa())
	}
	check("title", sc.ScenarioTitle(rules.English), sc.ScenarioTitle(rules.Japanese))
	check("about", sc.ScenarioAbout(rules.English), sc.ScenarioAbout(rules.Japanese))
}

func TestSpaceSet(t *testing.T) {
	t.Parallel()
	s := scenario.SpacesOf(3, 64, 199, NoSpace)
	if got := slices.Collect(s.Each); !slices.Equal(got, []Space{3, 64, 199}) || s.Len() != 3 {
		t.Errorf("%v", got)
	}
	if s.Has(NoSpace) || s.Has(4) || !s.Has(64) {
		t.Error("Has")
	}
	s.Remove(64)
	s.Remove(NoSpace)
	if s != scenario.SpacesOf(3, 199) || s.Union(scenario.SpacesOf(1)).Len() != 3 ||
		s.Intersect(scenario.SpacesOf(3, 4)) != scenario.SpacesOf(3) ||
		s.Minus(scenario.SpacesOf(3)) != scenario.SpacesOf(199) {
		t.Error("sets")
	}
	if empty := (SpaceSet{}); !empty.Empty() || s.Empty() {
		t.Error("Empty")
	}
	for sp := range s.Each {
		if sp == 199 {
			t.Error("went on after the end")
		}
		break
	}
}
