package greedy

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
)

// world is the map of Anniversary.
func world(t testing.TB) *theatre {
	t.Helper()
	set := anniversary.New()
	sc, faults := set.LoadScenario(set.ScenarioDocuments()[0].Data)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	return explore(set.Map(sc, rules.English))
}

func TestTheatre(t *testing.T) {
	t.Parallel()
	w := world(t)
	at := func(id string) int { return w.index[id] }
	for _, x := range []struct {
		what      string
		got, want int
	}{
		{"Germany to Russia over land", int(w.march[at("germany")][at("russia")]), 4},
		{"Japan over land", int(w.march[at("japan")][at("manchuria")]), tooFar},
		{"by sea from Germany to the coast of the United Kingdom", w.fromShore(at("sz-5"), at("united-kingdom")), 1},
		{"the capital of Japan", w.home(anniversary.Japan), at("japan")},
		{"the capital of China", w.home(anniversary.China), -1},
	} {
		if x.got != x.want {
			t.Errorf("%s: %d, want %d", x.what, x.got, x.want)
		}
	}
}

func TestOptionsAreUnderstood(t *testing.T) {
	t.Parallel()
	w := world(t)
	at := func(id string) int { return w.index[id] }
	f := newField(w, Position{Seat: "germany", Board: &boardv1.Board{}})
	none := func(o option) option { // fills in what a command doesn't name
		for _, s := range []*int{&o.from, &o.via, &o.to, &o.target} {
			if *s == 0 {
				*s = -1
			}
		}
		return o
	}
	for command, want := range map[string]option{
		"move 3 tank poland>east-poland>ukraine": {kind: "move", unit: anniversary.Tank, n: 3, from: at("poland"),
			via: at("east-poland"), to: at("ukraine")},
		"move 1 tank 1 infantry germany>poland>ukraine": {
			kind: "move", unit: anniversary.Tank, n: 1, pairs: true, from: at("germany"), via: at("poland"),
			to: at("ukraine"),
		},
		"ship 1 sz-6>sz-5 with tank@united-kingdom infantry land norway": {
			kind: "ship", unit: anniversary.Transport, n: 1, from: at("sz-6"), to: at("sz-5"), target: at("norway"),
			loads: []load{{unit: anniversary.Tank, at: at("united-kingdom")}, {unit: anniversary.Infantry, at: -1}},
		},
		"ship 1 sz-5 with infantry+stays artillery@germany of italy": {
			kind: "ship", unit: anniversary.Transport, n: 1, from: at("sz-5"), to: at("sz-5"),
			loads: []load{{unit: anniversary.Infantry, at: -1, stays: true},
				{unit: anniversary.Artillery, at: at("germany")}},
		},
		"place 1 destroyer sz-5 through germany": {kind: "place", unit: anniversary.Destroyer, n: 1,
			from: at("germany"), to: at("sz-5")},
		"repair germany 2":       {kind: "repair", unit: anniversary.NoUnit, n: 2, to: at("germany")},
		"lose 1 fighter:japan#2": {kind: "lose", unit: anniversary.Fighter, n: 1},
		"research 2":             {kind: "research", unit: anniversary.NoUnit, n: 2},
	} {
		want = none(want)
		got := option{kind: want.kind, unit: anniversary.NoUnit, from: -1, via: -1, to: -1, target: -1}
		f.parse(&got, strings.Fields(command))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(option{}, load{})); diff != "" {
			t.Errorf("%s:\n%s", command, diff)
		}
	}
	if got, want := times("move 1 infantry germany>poland", 4), "move 4 infantry germany>poland"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRoughOddsAreNearTheExact: the mean of the dice says nearly what the exact odds say.
func TestRoughOddsAreNearTheExact(t *testing.T) {
	t.Parallel()
	w := newWeigher()
	for _, b := range []battle{
		{att: stack{anniversary.Infantry: 3, anniversary.Tank: 3}, def: stack{anniversary.Infantry: 3}},
		{att: stack{anniversary.Infantry: 2}, def: stack{anniversary.Infantry: 4, anniversary.Fighter: 1}},
		{att: stack{anniversary.Infantry: 6, anniversary.Artillery: 2, anniversary.Fighter: 3},
			def: stack{anniversary.Infantry: 5, anniversary.Tank: 1}},
		{sea: true, att: stack{anniversary.Battleship: 1, anniversary.Destroyer: 2},
			def: stack{anniversary.Destroyer: 1}},
	} {
		rough, exact := w.rough(b), w.weigh(b)
		if rough == exact {
			t.Errorf("%+v was not weighed exactly", b)
		}
		if math.Abs(rough.win-exact.win) > 0.2 || math.Abs(rough.defLost-exact.defLost) > 6 ||
			math.Abs(rough.attLost-exact.attLost) > 6 {
			t.Errorf("%+v: %+v, exactly %+v", b, rough, exact)
		}
	}
}
