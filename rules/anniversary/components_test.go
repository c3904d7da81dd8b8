package anniversary

import (
	"strconv"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
)

// What is agreed before the first turn: research and objectives are on and 15 cities win unless somebody
// says otherwise, nothing else can be agreed, and it stays so until the end. It is agreed to by sitting down
// at a table that shows it.
func TestOptionsAreChosenFirst(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.3.2", "AA 3.1.2", "AA 3.1.1")
	o, err := about.NewOptions(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := newOptions(o); got != (options{flags: optResearch | optObjectives, cities: 15}) {
		t.Errorf("the defaults are %+v", got)
	}
	for _, wrong := range []map[string]string{
		{"victory_cities": "14"}, {"victory_cities": "0"}, {"research": "later"}, {"atomic_bombs": "true"},
		{"bid_italy": "21"}, {"bid_italy": "-1"}, {"bid_china": "1"},
	} {
		if _, err := about.NewOptions(wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	for _, given := range []map[string]string{nil, {"victory_cities": "13", "research": "false"},
		{"victory_cities": "18", "objectives": "false", "official_2009": "true"},
		{"bid_germany": "20", "bid_united_states": "1"}} {
		o, err := about.NewOptions(given)
		if err != nil {
			t.Fatal(err)
		}
		want := newOptions(o)
		p, _, _ := playRandom(t, "1941", 3, 500, given)
		if p.opt != want || p.round < 1 {
			t.Errorf("after 500 commands the options are %+v, were %+v", p.opt, want)
		}
		read, err := parsePosition(p.sc, p.format())
		if err != nil || read.opt != want {
			t.Errorf("a position is written without its options: %v", err)
		}
	}
}

// TestBidsAreInTheTreasuries: the IPCs of a bid lie in the treasury of its power, and of no other, before the game.
func TestBidsAreInTheTreasuries(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	plain := setup(sc, options{})
	for w, option := range optionList[firstBid:] {
		o, err := about.NewOptions(map[string]string{option.ID: "7"})
		if err != nil {
			t.Fatal(err)
		}
		p := setup(sc, newOptions(o))
		for v := range NumSeats {
			want := plain.ipc[v]
			if int(v) == w {
				want += 7
			}
			if p.ipc[v] != want || option.ID != "bid_"+strings.ReplaceAll(about.SeatID(rules.Seat(w)), "-", "_") {
				t.Errorf("%s=7: seat %d has %d IPCs, expected %d", option.ID, v, p.ipc[v], want)
			}
		}
	}
}

// Pieces are counted and not made of plastic: no chips, no limit of the box, no common colour (EX-003).
func TestPiecesAreNumbers(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.2.1", "AA 1.2.2", "AA 1.2.3", "AA 1.2.4")
	// A destroyer on a grey chip is two, an infantry on a grey and a red one seven.
	g := on1941(t).put("5", Germany, "destroyer").put("5", Germany, "destroyer").put("germany", Germany, "infantry").
		put("germany", Germany, "infantry").
		put("germany", Germany, "5 infantry")
	b := g.p.Board(rules.Spectator, rules.English)
	if n := pieceOf(b, "sz-5/germany/destroyer").Count; n != 2 {
		t.Errorf("%d destroyers", n)
	}
	if n := pieceOf(b, "germany/germany/infantry").Count; n != 7 {
		t.Errorf("%d infantry", n)
	}
	// Italy's box has 6 tanks.
	buying := on1941(t).put("italy", Italy, "6 tank").ipcs(Italy, 30).turn(Italy, PhasePurchase)
	buying.do("buy 6 tank")
	buying.want("pool italy tank", 6, "ipc italy", 0)
	colors := map[string]bool{}
	for w, p := range g.sc.Powers {
		if colors[p.Color] || Power(w) < NumSeats && about.Seats[w].Color != p.Color {
			t.Errorf("%s has the colour %s", Power(w).ID(), p.Color)
		}
		colors[p.Color] = true
	}
	for w, hue := range map[Power]string{UnitedStates: "green", SovietUnion: "red", China: "green", Germany: "grey"} {
		if got := hueOf(t, g.sc.Powers[w].Color); got != hue {
			t.Errorf("%s is %s, expected %s", w.ID(), got, hue)
		}
	}
}

// hueOf names the part of a colour that is strongest.
func hueOf(t *testing.T, color string) string {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	r, g, b := n>>16, n>>8&255, n&255
	switch {
	case r == g && g == b:
		return "grey"
	case g > r && g > b:
		return "green"
	case r > g && r > b:
		return "red"
	}
	return "another"
}

// The chart of production and technologies is on the board: what it shows of a power is the sum of the
// values that it controls.
func TestProductionChart(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 1.2.7", "AA 14.1.2")
	src := dice.NewSeeded(1)
	for round := range 3 {
		g := setUp(t, "1942")
		for s := range g.sc.Land {
			if w := g.p.owner[s]; w < NumSeats && round > 0 && src.Below(3) == 0 {
				g.p.owner[s] = Power(src.Below(uint32(NumSeats)))
			}
		}
		g.tech(Japan, scenario.Radar)
		sum := map[string]int64{}
		for s := range g.sc.Land {
			sum[g.p.owner[s].ID()+"-production"] += int64(g.sc.Spaces[s].IPC)
		}
		shown, technologies := 0, ""
		for _, track := range g.p.Board(rules.Spectator, rules.English).Tracks {
			if strings.HasSuffix(track.Id, "-production") {
				shown++
				if track.Value != sum[track.Id] {
					t.Errorf("%s shows %d, the territories are worth %d", track.Id, track.Value, sum[track.Id])
				}
			}
			if strings.HasSuffix(track.Id, "-technologies") {
				technologies += track.Id + " " + track.Text
			}
		}
		if shown != int(NumSeats) || technologies != "japan-technologies Radar" {
			t.Errorf("%d production levels; technologies: %s", shown, technologies)
		}
	}
}

// A sea zone surrounds one group of islands at most; only Greenland and Iceland share one, as islands of one
// territory each (D-5).
func TestIslandGroups(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.3.3")
	sc := shippedScenario(t, "1941")
	islands := map[Space][]string{}
	for s := range sc.Land {
		if zones := sc.Around[s]; zones.Len() == 1 && len(sc.LandNear[s]) == 0 {
			for z := range zones.Each {
				islands[z] = append(islands[z], sc.SpaceID(s))
			}
		}
	}
	if len(islands) < 8 {
		t.Fatalf("%d sea zones with islands", len(islands))
	}
	for z, ids := range islands {
		if len(ids) > 1 && strings.Join(ids, " ") != "greenland iceland" {
			t.Errorf("%s surrounds %v", sc.SpaceID(z), ids)
		}
	}
}

// Attackers roll before defenders, but both are deemed to fire at once: who is hit still fires. The columns of the
// battle board are the values that units roll against (AA 1.2.6).
func TestOrderOfDice(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 9.5.10", "AA 1.2.6")
	g := on1941(t).put("poland", Germany, "infantry artillery tank").put("east-poland", SovietUnion, "infantry tank").
		turn(Germany, PhaseMove)
	g.do("move 1 infantry 1 artillery 1 tank poland>east-poland")
	out := g.do("end", 1, 1, 1, 1, 1) // everyone is hit, and everyone has fired
	sides := ""
	for _, r := range out.Rolls {
		sides += r.Reason[:1]
	}
	if sides != "aaadd" {
		t.Errorf("dice fall in the order %s", sides)
	}
	g.rolled("germany 1@3, germany 2@2, soviet-union 1@3, soviet-union 1@2", out)
}

// No neutral territory has a controller or a value in any position of a game (EX-311).
func TestNeutralsStayNeutral(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, book, "AA 2.5.3")
	for seed, doc := range []string{"1941", "1942"} {
		for most := range 6 {
			p, _, _ := playRandom(t, doc, uint64(seed), most*300, nil)
			neutral := 0
			for s := range p.sc.Land {
				if !p.sc.Impassable.Has(s) {
					continue
				}
				neutral++
				if p.owner[s] != NoPower || p.sc.Spaces[s].IPC != 0 || len(p.at(s)) > 0 {
					t.Errorf("%s is held by %s, worth %d", p.sc.SpaceID(s), p.owner[s].ID(), p.sc.Spaces[s].IPC)
				}
			}
			if neutral != 15 {
				t.Errorf("%d neutral territories", neutral)
			}
		}
	}
}
