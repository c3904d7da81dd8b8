package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// usAttack is a US attack in which Japan is to fire, japanAttack a Japanese one in which the US is.
func usAttack(t *testing.T) *table {
	g := onFlower(t, USActions).put("C", "I/25", "I/33").put("N1", "J1")
	g.do("attack C N1 I/25 I/33 +air")
	return g
}

func japanAttack(t *testing.T) *table {
	g := onFlower(t, JapanActions).quiet().put("N1", "J1", "CD").put("C", "I/25", "I/33")
	g.do("attack N1 C J1 CD")
	return g
}

// gunsAttack is a US attack with corps artillery, changed before the bombardment would come.
func gunsAttack(t *testing.T, s Supply, mixed bool) *table {
	g := onFlower(t, USActions).quiet().put("C", "I/25", "I/art").put("N1", "J1").supply(s, "I/art")
	g.do("attack C N1 I/25 I/art")
	g.p.fight.mixed = mixed
	return g
}

// nuclear is the Nuclear Attack Phase with so many bombs declared and targets placed.
func nuclear(t *testing.T, commands ...string) *table {
	g := bombing(onFlower(t, Nuclear).quiet().put("N1", "J1", "J2").put("N2", "J3"))
	for _, c := range commands {
		g.do(c)
	}
	return g
}

// afterLanding is a landing against a defender that is to fire.
func afterLanding(t *testing.T) *table {
	g := landing(t, 5).quiet().put("N4", "J1")
	g.do("land")
	return g
}

// declaredAttack is a consecutive attack of the US, in its first combat.
func declaredAttack(t *testing.T) *table {
	g := onFlower(t, USActions).quiet().put("C", "J1").put("N1", "I/25").put("N2", "I/33")
	for _, c := range []string{"consecutive C N1 I/25", "also N2 I/33", "declare -"} {
		g.do(c)
	}
	return g
}

func bombed(g *table, ids ...string) *table {
	for _, id := range ids {
		g.p.bombed |= bit(g.unit(id))
	}
	return g
}

// barredCase breaks a paragraph at a moment when the question is not asked.
type barredCase struct {
	rule, name string
	seat       rules.Seat
	command    string
	begin      func(t *testing.T) *table
}

// expectBarred plays such cases: a command that a paragraph bars is refused by it, also where its question is not
// asked.
func expectBarred(t *testing.T, cases []barredCase) {
	for _, c := range cases {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			t.Parallel()
			g := c.begin(t)
			parsed, r := g.parse(c.command)
			if r != nil {
				t.Fatal(r)
			}
			if ask, who := g.p.ask(); ask == AskNothing || who == c.seat && parsed.Kind.answers(ask) {
				t.Fatalf("not a case: %d of seat %d is asked", ask, who)
			}
			if r := g.refusedTo(c.seat, c.rule, c.command); r.Reason != rules.ReasonNotYourDecision {
				t.Errorf("reason %s", r.Reason)
			}
		})
	}
}

// barredOptions: what the options leave out, and orders that come too late.
var barredOptions = []barredCase{
	{"DF 15.2", "a bomb in a game without them", US, "bombs 1", func(t *testing.T) *table {
		return on(t, flowerScenario(t), USActions, NoAtomicBombs)
	}},
	{"DF 15.2", "its losses", Japan, "losses J1", func(t *testing.T) *table {
		return on(t, flowerScenario(t), USActions, NoAtomicBombs).put("N1", "J1")
	}},
	{"DF 15.6-a", "orders without the option", US, "orders airborne", usAttack},
	{"DF 15.6-a", "a drop without the option", US, "drop", japanAttack},
	{"DF 15.6-a", "the mode changes after turn 21", US, "orders airborne", func(t *testing.T) *table {
		return airborne(t, 28, modeInfantry)
	}},
	{"DF 15.6-b", "a drop is planned too late", US, "orders airborne C 30", func(t *testing.T) *table {
		return airborne(t, 28, modeAirborne)
	}},
	{"DF 15.6-h", "orders after the drop", US, "orders airborne", func(t *testing.T) *table {
		return airborne(t, 23, modeAirborne).box(Eliminated, "R/11")
	}},
}

func TestBarredOptions(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 15.2", "DF 15.6-a", "DF 15.6-b", "DF 15.6-h")
	expectBarred(t, barredOptions)
}

// barredSide: what the other side decides.
var barredSide = []barredCase{
	{"DF 3.2-b", "the US places the 36th Army", US, "place A1 C", func(t *testing.T) *table {
		return onFlower(t, SetupJapan).box(Unplaced, "A1")
	}},
	{"DF 6.7-a", "the US removes naval markers", US, "remove 1", func(t *testing.T) *table {
		return onFlower(t, VictoryCheck).newTurn(5, 1, four, 7)
	}},
	{"DF 6.9-b", "Japan distributes the losses of a bomb", Japan, "losses J1", func(t *testing.T) *table {
		g := nuclear(t, "bombs 2", "target N1", "target N2")
		g.do("bomb N1", 2)
		return g
	}},
	{"DF 10.3-b", "the US eliminates the Japanese excess", US, "eliminate J1", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1", "J2", "J3", "B1")
		g.p.excess = g.hex("N1")
		return g
	}},
	{"DF 10.8", "Japan eliminates the US excess", Japan, "eliminate I/25", func(t *testing.T) *table {
		g := onFlower(t, USActions).put("C", "I/25", "I/33", "R/6", "R/7")
		g.p.excess = g.hex("C")
		return g
	}},
	{"DF 15.4", "the US places units by magic", US, "place A1 K1", func(t *testing.T) *table {
		g := on(t, flowerScenario(t), SetupPlan, Magic36).put("C", "A1", "A2", "A3").put("N1", "A4", "A5", "A6")
		g.put("N2", "A7", "A8")
		g.p.turn = 0
		g.do("plan "+flower.DepotLanding+" 4", 5)
		return g
	}},
}

func TestBarredSide(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 3.2-b", "DF 6.7-a", "DF 6.9-b", "DF 10.3-b", "DF 10.8", "DF 15.4")
	expectBarred(t, barredSide)
}

// barredPhase: what belongs to another phase or to no one.
var barredPhase = []barredCase{
	{"DF 5.1-b", "a phase that has ended", Japan, "move J1 N2", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1").put("K4", "I/25")
		g.do("end")
		return g
	}},
	{"DF 6.8-b", "bombs are declared twice", US, "bombs 2", func(t *testing.T) *table { return nuclear(t, "bombs 1") }},
	{"DF 6.8-b", "a target before the declaration", US, "target N1", func(t *testing.T) *table { return nuclear(t) }},
	{"DF 6.8-b", "an explosion before the declaration", US, "bomb N1", func(t *testing.T) *table { return nuclear(t) }},
	{"DF 6.8-c", "an explosion before all are placed", US, "bomb N1", func(t *testing.T) *table {
		return nuclear(t, "bombs 2", "target N1")
	}},
	{"DF 6.8-c", "a target more than declared", US, "target N1", func(t *testing.T) *table {
		return nuclear(t, "bombs 2", "target N1", "target N2")
	}},
	{"DF 6.8-d", "the next bomb before the losses of the last", US, "bomb N2", func(t *testing.T) *table {
		g := nuclear(t, "bombs 2", "target N1", "target N2")
		g.do("bomb N1", 2)
		return g
	}},
	{"DF 8.1", "Japanese replacements", Japan, "recover J1", usAttack},
	{"DF 8.6-d", "a new plan in another phase", US, "plan N4 20", japanAttack},
}

func TestBarredPhase(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 5.1-b", "DF 6.8-b", "DF 6.8-c", "DF 6.8-d", "DF 8.1", "DF 8.6-d")
	expectBarred(t, barredPhase)
}

// barredAction: what a combat or a declaration keeps out.
var barredAction = []barredCase{
	{"DF 7.7", "a move in a combat", US, "move I/33 N4", usAttack},
	{"DF 7.8-b", "one more attack after the declaration", US, "also N3 I/25", declaredAttack},
	{"DF 7.8-d", "a move between declared attacks", US, "move I/33 N3", declaredAttack},
	{"DF 7.9-c", "support that was not committed", US, "support +air", declaredAttack},
	{"DF 8.7-a", "a landing is aborted", US, "abort IX/81", afterLanding},
	{"DF 8.7-d", "an attack is added to a landing", US, "also N3 I/25", afterLanding},
	{"DF 8.7-d", "a landing begins a consecutive attack", US, "consecutive N4 N3 I/25", afterLanding},
}

func TestBarredAction(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 7.7", "DF 7.8-b", "DF 7.8-d", "DF 7.9-c", "DF 8.7-a", "DF 8.7-d")
	expectBarred(t, barredAction)
}

// barredBreak: who may not retreat or abort.
var barredBreak = []barredCase{
	{"DF 6.10-b", "a unit held by a bomb retreats", US, "retreat I/33", func(t *testing.T) *table {
		return bombed(japanAttack(t), "I/33")
	}},
	{"DF 13.2-4", "a retreat without a loss", US, "retreat I/25", japanAttack},
	{"DF 13.2-4", "a defender aborts", US, "abort I/25", japanAttack},
	{"DF 13.2-6", "a withdrawal without a retreat", US, "withdraw N4", japanAttack},
	{"DF 13.3-4", "an abort without a loss", US, "abort I/25", usAttack},
	{"DF 13.3-4", "an attacker retreats", US, "retreat I/25", usAttack},
	{"DF 13.11", "Japan retreats", Japan, "retreat J1", japanAttack},
	{"DF 13.11", "Japan aborts", Japan, "abort J1", japanAttack},
	{"DF 13.11", "Japan withdraws", Japan, "withdraw N2", usAttack},
	{"DF 13.12", "a retreat after a bonus hit", US, "retreat I/25", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).quiet().put("N1", "J1", "J2").put("C", "I/25").reduce("I/25")
		g.do("attack N1 C J1 J2")
		g.do("shot I/25 J1", 10)
		g.do("shot J1 I/25", 1, 1, 1, 1)
		return g
	}},
}

func TestBarredBreak(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-b", "DF 13.2-4", "DF 13.2-6", "DF 13.3-4", "DF 13.11", "DF 13.12")
	expectBarred(t, barredBreak)
	fought := bombed(japanAttack(t), "I/33").
		misses("I/25 J1", "I/25 J1", "I/33 J1", "I/33 J1", "J1 I/25", "J1 I/25", "CD I/25", "CD I/25")
	fought.refusedTo(US, "DF 6.10-b", "retreat I/33")
	fought.refusedTo(US, "DF 5.2", "retreat I/25") // no bomb holds it
}

// barredAdvance: who may not leave the hex.
var barredAdvance = []barredCase{
	{"DF 6.10-a", "a unit held by a bomb advances", Japan, "advance J1", func(t *testing.T) *table {
		return bombed(japanAttack(t), "J1")
	}},
	{"DF 13.8", "a coastal division advances", Japan, "advance CD", japanAttack},
	{"DF 13.9", "a defender advances", Japan, "advance J1", usAttack},
	{"DF 13.9", "an advance into a hex that is held", US, "advance I/25", usAttack},
	{"DF 13.10", "an attacker leaves its hex", US, "withdraw N4", usAttack},
}

func TestBarredAdvance(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 6.10-a", "DF 13.8", "DF 13.9", "DF 13.10")
	expectBarred(t, barredAdvance)
}

// barredFire: who may not fire.
var barredFire = []barredCase{
	{"DF 9.5-a", "OOS artillery bombards", US, "bombard J1", func(t *testing.T) *table {
		return gunsAttack(t, OOS, false)
	}},
	{"DF 9.5-a", "OOS artillery fires", US, "shot I/art J1", func(t *testing.T) *table {
		return gunsAttack(t, OOS, false)
	}},
	{"DF 10.5-b", "artillery of mixed corps bombards", US, "bombard J1", func(t *testing.T) *table {
		g := gunsAttack(t, OOS, true)
		return g.supply(Line, "I/art")
	}},
	{"DF 13.3-2", "a bombardment without artillery", US, "bombard J1", usAttack},
	{"DF 13.3-2", "a bombardment in a Japanese attack", US, "bombard J1", japanAttack},
	{"DF 13.3-2", "a second bombardment", US, "bombard J1", func(t *testing.T) *table {
		g := gunsAttack(t, Line, false)
		g.do("bombard J1", 10)
		return g
	}},
	{"DF 13.5", "a side fires again", Japan, "shot J1 I/25", func(t *testing.T) *table {
		return usAttack(t).misses("J1 I/25", "J1 I/25")
	}},
	{"DF 13.5", "defenders fire again", US, "shot I/25 J1", func(t *testing.T) *table {
		return japanAttack(t).misses("I/25 J1", "I/25 J1", "I/33 J1", "I/33 J1")
	}},
	{"DF 13.5", "defenders that are OOS fire again", US, "shot I/25 J1", func(t *testing.T) *table {
		return japanAttack(t).misses("I/25 J1", "I/25 J1", "I/33 J1", "I/33 J1").supply(OOS, "I/25")
	}},
	{"DF 13.5", "artillery that may fire fires too late", US, "shot I/art J1", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).quiet().put("N1", "J1", "CD").put("C", "I/25", "I/art")
		g.do("attack N1 C J1 CD")
		return g.misses("I/25 J1", "I/25 J1", "I/art J1")
	}},
}

func TestBarredFire(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 9.5-a", "DF 10.5-b", "DF 13.3-2", "DF 13.5")
	expectBarred(t, barredFire)
}

// barredSupport: support that cannot be given.
var barredSupport = []barredCase{
	{"DF 13.2-1", "support after the fire has begun", US, "support +air", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1").put("C", "I/25")
		g.do("attack N1 C J1")
		g.do("support -")
		return g
	}},
	{"DF 13.3-1", "support after the attack was named", US, "support +air", usAttack},
	{"DF 14.5-a", "support without a line unit", US, "support +air", func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1").put("C", "I/art")
		g.do("attack N1 C J1")
		return g
	}},
	{"DF 14.5-b", "an air marker that is used", US, "support +air", japanAttack},
}

func TestBarredSupport(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2-1", "DF 13.3-1", "DF 14.5-a", "DF 14.5-b")
	expectBarred(t, barredSupport)
}

// barredNaval: naval support that cannot be given.
var barredNaval = []barredCase{
	{"DF 14.6-a", "naval support inland", US, "support +naval1", func(t *testing.T) *table {
		g := japanAttack(t)
		g.p.navalReady = 1
		return g
	}},
	{"DF 14.6-b", "a naval marker of another zone", US, "support +naval1", func(t *testing.T) *table {
		coast := func(f *flower.Flower) { f.Coast("limousine", "C") }
		g := onFlower(t, JapanActions, coast).quiet().put("N1", "J1").put("C", "I/25")
		g.p.navalReady, g.p.navalZone[0] = 1, 3
		g.do("attack N1 C J1")
		return g
	}},
	{"DF 14.6-c", "a naval marker that is used", US, "support +naval1", japanAttack},
}

func TestBarredNaval(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 14.6-a", "DF 14.6-b", "DF 14.6-c")
	expectBarred(t, barredNaval)
}

// A paragraph that has nothing to do with the moment is not named: no combat is on, or none was.
func TestNothingBars(t *testing.T) {
	t.Parallel()
	begin := func(phase Phase) *table {
		g := onFlower(t, phase).quiet().put("N1", "J1", "CD").put("C", "I/25", "I/art").supply(OOS, "I/art")
		return bombed(g, "I/25", "J1")
	}
	for _, c := range []struct {
		seat    rules.Seat
		command string
		phase   Phase
	}{
		{US, "retreat I/25", JapanActions}, {US, "retreat I/25", USActions}, {US, "abort I/25", USActions},
		{Japan, "retreat J1", JapanActions}, {US, "withdraw N4", USActions}, {US, "bombard J1", USActions},
		{US, "shot I/art J1", USActions}, {US, "shot I/art J1", JapanActions},
		{Japan, "shot J1 I/25", JapanActions}, {US, "support +air", JapanActions}, {US, "support +air", USActions},
		{Japan, "advance CD", JapanActions}, {Japan, "advance J1", JapanActions}, {US, "advance I/25", USActions},
		{US, "move I/25 N4", JapanActions}, {US, "also N1 I/25", USActions}, {US, "declare -", USActions},
		{US, "target N1", JapanActions}, {US, "eliminate I/25", USActions}, {Japan, "place A1 C", USActions},
		{US, "place A1 C", USActions}, {US, "remove 1", USActions},
	} {
		want := "DF 5.2"
		if c.command == "target N1" || c.seat == Japan && c.command == "place A1 C" {
			want = "DF 5.1-b" // those phases have been
		}
		begin(c.phase).refusedTo(c.seat, want, c.command)
	}
}
