package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

// offered are the commands of a kind that the list has, in the notation.
func (g *table) offered(kind string) []string {
	var list []string
	g.p.Legal(g.asked(), rules.Filter{Kind: kind}, func(c Command) bool {
		list = append(list, grammar.Format(g.p, c))
		return true
	})
	return list
}

// A new fighter is offered to carriers at sea beside a complex, land units to land alone (AA 13.1.4).
func TestWhereNewUnitsAreOffered(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 13.1.4")
	g := on1941(t).put("56", UnitedStates, "aircraft-carrier").bought(UnitedStates, 1, Fighter).
		bought(UnitedStates, 1, Infantry).turn(UnitedStates, PhaseMobilize)
	var fighters, infantry int
	for _, c := range g.offered("place") {
		if strings.Contains(c, "sz-") != (c == "place 1 fighter sz-56" ||
			strings.HasPrefix(c, "place 1 fighter sz-56 through")) {
			t.Errorf("offered: %s", c)
		}
		if strings.HasPrefix(c, "place 1 fighter sz-56") {
			fighters++
		}
		if strings.HasPrefix(c, "place 1 infantry") {
			infantry++
		}
	}
	if fighters != 1 || infantry == 0 {
		t.Errorf("%q", g.offered("place"))
	}
}

// Only units that were aboard when the turn began are carried.
func TestWhatIsCarriedFromTheBeginning(t *testing.T) {
	t.Parallel()
	for units, want := range map[string]bool{
		"transport": false, "transport[infantry]": true, "transport[infantry+loaded]": false,
		"transport[infantry+loaded,infantry]": true, "transport[infantry:united-kingdom]": false,
	} {
		g := on1941(t).put("7", UnitedStates, units)
		for _, k := range g.p.at(g.space("7")) {
			if k.Unit() == Transport && g.p.carries(k.Key, UnitedStates) != want {
				t.Errorf("%s: %v", units, !want)
			}
		}
	}
}

// The question whether to submerge is about the submarines of the seat that is asked, and no other piece (AA 9.7.2).
func TestSubmarinesThatMaySubmergeAreNamed(t *testing.T) {
	t.Parallel()
	g := atSea(t, "2 submarine cruiser", "", "submarine cruiser")
	g.do("end")
	g.wantsAnswer("submerge", UnitedKingdom)
	ask, _ := g.p.ask()
	pieces, spaces := g.p.askAbout(ask, g.asked())
	want := g.p.piecesAt(g.space("5"), func(k Key) bool { return k.Unit() == Submarine && k.Power() == UnitedKingdom })
	if diff := cmp.Diff(want, pieces); diff != "" || len(pieces) == 0 || len(spaces) != 1 {
		t.Errorf("in %q:\n%s", spaces, diff)
	}
}

// What is aboard stands in brackets that are closed.
func TestFreightIsClosed(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("7", UnitedStates, "transport[infantry]").turn(UnitedStates, PhaseMove)
	text := g.p.format()
	if _, err := parsePosition(g.sc, text); err != nil || !strings.Contains(text, "transport[infantry]") {
		t.Fatalf("%v\n%s", err, text)
	}
	broken := strings.Replace(text, "transport[infantry]", "transport[infantry", 1)
	if _, err := parsePosition(g.sc, broken); err == nil || !strings.Contains(err.Error(), "expected ]") {
		t.Errorf("got %v", err)
	}
}

// A bombardment names the sea zones of its ships (AA 9.3.6).
func TestBombardmentsNameTheirZones(t *testing.T) {
	t.Parallel()
	g := france(t, "submarine transport")
	g.all(landInFrance, "move 1 battleship sz-8>sz-7", "end", "fight france")
	g.want("asks", "bombard")
	c, r := g.p.parseCommand("bombard 1 battleship@sz-7")
	if r != nil {
		t.Fatal(r)
	}
	if got := catalogue.Format(rules.English, g.p.Describe(0, c).Label); !strings.Contains(got, "Sea Zone 7") {
		t.Errorf("%q", got)
	}
}

// A command that names a space beyond the map's last is malformed, whichever of its spaces it is.
func TestSpacesBeyondTheMap(t *testing.T) {
	t.Parallel()
	p := on1941(t).turn(Germany, PhaseMove).p
	n := Space(p.sc.Len())
	const drop, place = "a drop needs a number of bombers and where they go", "a placement needs units and their space"
	for name, tt := range map[string]struct {
		check func(*Command, *plan) *rules.Refusal
		c     Command
		want  string
	}{
		"drop from":       {p.planDrop, Command{N: 1, From: n}, drop},
		"drop to":         {p.planDrop, Command{N: 1, To: n}, drop},
		"drop of nothing": {p.planDrop, Command{}, drop},
		"drop":            {p.planDrop, Command{N: 1, From: n - 1, To: n - 1}, ""},
		"place from":      {p.checkPlace, Command{Len: 1, From: n}, place},
		"place to":        {p.checkPlace, Command{Len: 1, To: n, From: NoSpace}, place},
		"nothing":         {p.checkPlace, Command{From: NoSpace}, place},
	} {
		r := tt.check(&tt.c, new(plan))
		if r == nil || r.Words != tt.want {
			t.Errorf("%s: %v, want %q", name, r, tt.want)
		}
	}
}

// Moves are listed where only they are asked for, too.
func TestMovesAlone(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("france", UnitedKingdom, "bomber infantry").turn(UnitedKingdom, PhaseMove)
	if len(g.offered("move")) == 0 {
		t.Error("no move is listed")
	}
}

// A position between combats keeps nothing of one: no casualties, no answers and no origins (AA 9.1).
func TestNothingIsLeftOfACombat(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*battle){
		"nothing":    func(*battle) {},
		"casualties": func(b *battle) { b.picks = make([]pick, 1) },
		"an answer":  func(b *battle) { b.agreed = 1 },
		"a dive":     func(b *battle) { b.dived = 1 },
		"an origin":  func(b *battle) { b.origins.Add(0) },
		"a shore":    func(b *battle) { b.shores.Add(0) },
	} {
		p := on1941(t).turn(Germany, PhaseMove).p
		if change(&p.battle); (p.soundBattle() == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, p.soundBattle())
		}
	}
}

// The board marks what China holds and what is held by another power than its first owner.
func TestOwnersAreMarked(t *testing.T) {
	t.Parallel()
	g := on1941(t).hold(UnitedStates, "france").turn(Germany, PhaseMove)
	marks := map[string]string{}
	for _, s := range (referee{}).Board(g.p, rules.Spectator, rules.English).GetSpaces() {
		marks[s.GetId()] = strings.Join(s.GetMarks(), " ")
	}
	want := map[string]string{"yunnan": "china", "germany": "", "france": "occupied", "japan": ""}
	for id, mark := range want {
		if marks[id] != mark {
			t.Errorf("%s is marked %q, want %q", id, marks[id], mark)
		}
	}
}

// Before the rounds of a combat a forecast names what ships bombard with, and in them no bombardment (AA 9.3.6).
func TestBombardmentsAreAmongTheModifiers(t *testing.T) {
	t.Parallel()
	g := france(t, "")
	g.all(landInFrance, "move 1 battleship sz-8>sz-7", "end")
	g.want("asks", "bombard")
	for stage, want := range map[Stage]bool{StageBombard: true, StageConclude: false} {
		p := g.p.Clone()
		p.battle.stage = stage
		got := false
		for _, m := range p.modifiers() {
			got = got || m.Of.Key == "modifier.in-bombardment"
		}
		if got != want {
			t.Errorf("in step %d a bombardment is named: %v", stage, got)
		}
	}
}

// The plan of a drop leads from where the bombers start to where the infantry lands (AA 6.3.7).
func TestPlansOfDropsHaveTheirWay(t *testing.T) {
	t.Parallel()
	p, o := on1941(t).turn(Germany, PhaseMove).p, new(plan)
	p.planDrop(&Command{N: 1, From: 3, To: 5}, o)
	if o.steps != 1 || o.path[0] != 3 || o.path[1] != 5 {
		t.Errorf("%d steps from %d to %d", o.steps, o.path[0], o.path[1])
	}
}
