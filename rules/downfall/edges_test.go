package downfall

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

// No command of a unit is looked at further when it names none, and an entry has a way with hexes or none (DF 8.2-c).
func TestCommandsWithoutTheirUnit(t *testing.T) {
	t.Parallel()
	g := onFlower(t, JapanActions).quiet().box(Available, "J1")
	for kind := range kinds {
		k := Kind(kind)
		if !k.needsUnit() {
			continue
		}
		c := Command{Kind: k, Unit: NoUnit, Other: NoUnit, Hex: g.hex("N1"), From: NoHex}
		if r := g.p.checkIDs(c); r == nil || r.Reason != rules.ReasonUnknownPiece {
			t.Errorf("%s without a unit: %v", kinds[k].ID, r)
		}
	}
	for _, k := range []Kind{KindPlace, KindMove, KindFollow, KindEnter, KindRecover, KindRebuild, KindStepUp, KindShot,
		KindRetreat, KindAbort, KindEliminate} {
		if !k.needsUnit() {
			t.Errorf("%s needs no unit", kinds[k].ID)
		}
	}
	u := g.unit("J1")
	_, r := g.p.entryWay(Command{Kind: KindEnter, Unit: u, Hex: NoHex, Routes: &[]Route{{Unit: u}}})
	if r == nil || r.Rule != "DF 8.2-c" {
		t.Errorf("an entry with an empty way: %v", r)
	}
}

// The player turn of Japan has its check and its actions, that of the US the phases from the reinforcements to its
// actions (DF 5.2); whose it is in the others nobody asks.
func TestWhosePlayerTurnItIs(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 5.2")
	var japan, us []string
	g := onFlower(t, JapanActions)
	for phase := range phaseIDs {
		switch g.phase(Phase(phase)).p.active() {
		case Japan:
			japan = append(japan, phaseIDs[phase])
		case US:
			us = append(us, phaseIDs[phase])
		}
	}
	want := "army-check japan-points japan-actions; reinforcements supply-check us-points us-actions"
	if diff := cmp.Diff(want, strings.Join(japan, " ")+"; "+strings.Join(us, " ")); diff != "" {
		t.Error(diff)
	}
}

// The seat that offers to give up is named, and the planned landing and drop are seen by the seat that planned them
// (DF 8.6-a, DF 15.6-b).
func TestWhatTheUSIsShownOfItsPlans(t *testing.T) {
	t.Parallel()
	for _, seat := range seatIDs {
		p, err := parsePosition(olympic(t), strings.Replace(goldenPosition, "offer japan", "offer "+seat, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.view(rules.Spectator).GetOffer(); got != seat {
			t.Errorf("%s offers, the view says %q", seat, got)
		}
	}
	p := golden(t)
	spaces := p.sc.Tensors().Spaces
	for seat, want := range map[rules.Seat]string{US: "landing 2417, drop 2515, ", Japan: ""} {
		known, _ := p.Known(rules.SeatViewer(seat))
		planes := make([]int16, len(planeColumns)*len(spaces))
		known.Observe(seat, planes, make([]int16, len(scalarColumns)))
		got := ""
		for _, plane := range []int{planeLanding, planeDrop} {
			for i, n := range planes[plane*len(spaces) : (plane+1)*len(spaces)] {
				if n == 1 {
					got += planeColumns[plane].ID + " " + spaces[i] + ", "
				}
			}
		}
		if got != want {
			t.Errorf("seat %d: %q, want %q", seat, got, want)
		}
	}
	if known, _ := p.Known(rules.SeatViewer(Japan)); known.mode != 0 || known.dropTurn != 0 || known.dropHex != NoHex {
		t.Errorf("Japan is told of a drop: mode %d, turn %d, hex %d", known.mode, known.dropTurn, known.dropHex)
	}
	if known, _ := p.Known(rules.SeatViewer(Japan)); known.bombDie != 0 || known.bombsLeft != maxBombs { // DF 15.7
		t.Errorf("Japan is told of %d bombs and the die %d", known.bombsLeft, known.bombDie)
	}
}

// Units of one hex lie on the board in the order of the scenario, and awards say whether they were earned (DF 4.2).
func TestOrderInAHexAndAwards(t *testing.T) {
	t.Parallel()
	b := golden(t).Board(rules.SeatViewer(US), rules.English)
	if one, two := pieceOf(b, "us-i-25").GetOrder(), pieceOf(b, "us-i-art").GetOrder(); one != 0 || two != 1 {
		t.Errorf("orders %d and %d", one, two)
	}
	var got []string
	for _, track := range b.GetTracks() {
		if strings.HasPrefix(track.GetId(), "award-") {
			got = append(got, track.GetId()+" "+track.GetText())
		}
	}
	if diff := cmp.Diff([]string{
		"award-towns-2 earned", "award-towns-7 can be earned on turn 7", "award-miyakonojo lost", "award-kanoya lost",
		"award-asco can be earned on turns 1 to 30", "award-kagoshima can be earned on turn 30",
		"award-takarabe can be earned on turn 30", "award-kirishima can be earned on turn 30",
		"award-linked can be earned on turn 30",
	}, got); diff != "" {
		t.Error(diff)
	}
}

// A combat is described with what supports it (DF 13.2-1, DF 13.3-1), and the zones of naval markers are asked for.
func TestSupportIsDescribed(t *testing.T) {
	t.Parallel()
	g := onFlower(t, USActions).put("C", "I/25").put("N1", "J1")
	for command, want := range map[string]string{
		"attack C N1 I/25": "no support", "attack C N1 I/25 +air": "air support",
		"attack C N1 I/25 +naval1":      "support of naval marker 1",
		"attack C N1 I/25 +air +naval1": "air support and naval marker 1",
	} {
		c, r := g.parse(command)
		if r != nil {
			t.Fatal(r)
		}
		if got := catalogue.Format(rules.English, g.p.Describe(US, c).Label); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if got, want := grammar.Usage(g.p, int(KindZones)), "zones ZONE..."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A command touches what it brings into play without naming it: naval markers (DF 14.6-c), and for its own side alone
// the units and the hex of a planned landing or drop (DF 8.6-a, DF 15.6-b).
func TestWhatCommandsTouch(t *testing.T) {
	t.Parallel()
	support := onFlower(t, JapanActions, func(f *flower.Flower) { f.Coast("limousine", "C") }).put("C", "I/25").
		put("N1", "J1")
	support.do("attack N1 C J1")
	for _, c := range []struct {
		name, command  string
		g              *table
		seat           rules.Seat
		pieces, spaces []string
	}{
		{"support", "support +air +naval1 +naval3", support, US, []string{"naval-1", "naval-3"}, []string{"C"}},
		{"a landing", "land", landing(t, 5), US, []string{"IX/81", "IX/98"}, []string{"N4"}},
		{"a landing for the other side", "land", landing(t, 5), Japan, []string{"IX/81", "IX/98"}, nil},
		{"a drop", "drop", planned(t, "N2"), US, []string{"R/11"}, []string{"N2"}},
		{"a drop for the other side", "drop", planned(t, "N2"), Japan, []string{"R/11"}, nil},
	} {
		parsed, r := c.g.parse(c.command)
		if r != nil {
			t.Fatal(r)
		}
		d := c.g.p.Describe(c.seat, parsed)
		for i := range c.spaces {
			c.spaces[i] = flower.ID(c.spaces[i])
		}
		slices.Sort(d.Pieces)
		if diff := cmp.Diff([][]string{c.pieces, c.spaces}, [][]string{d.Pieces, d.Spaces}); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// A withdrawal without units is no way out while nobody retreats, whoever sends it (DF 13.2-6).
func TestWithdrawalOfNobody(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]*table{"in a fight": japanAttack(t), "out of one": onFlower(t, JapanActions)} {
		if name == "in a fight" {
			g.p.fight.defenders = 0
		}
		m := &downfallv1.Command{Kind: &downfallv1.Command_Withdraw{Withdraw: &downfallv1.Withdraw{}}}
		c, r := (referee{}).DecodeCommand(g.p, m)
		if r == nil {
			r = g.p.check(US, c)
		}
		if r == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Air supply lies in a hex if it is in the game: no box can be read as its place (DF 9.7-a).
func TestPlacesOfAirSupply(t *testing.T) {
	t.Parallel()
	for at, good := range map[string]bool{
		"2621": true, "unplaced": false, "holding": false, "removed": false, "eliminated": false,
	} {
		_, err := parsePosition(olympic(t), strings.Replace(goldenPosition, "airsupply 2621", "airsupply "+at, 1))
		if (err == nil) != good {
			t.Errorf("air supply %s: %v", at, err)
		}
	}
}

// Commands whose lists leave some out say so: a list must hold what generates the others.
func TestGeneratingKinds(t *testing.T) {
	t.Parallel()
	var got []string
	for _, k := range New().About().Commands {
		if k.Generating {
			got = append(got, k.ID)
		}
	}
	want := []string{"zones", "remove", "move", "follow", "enter", "attack", "declare", "land", "support", "standing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// No more bombs are placed than the game has and than were declared, and no more are resolved than placed (DF 6.4).
func TestBombsThatCannotBe(t *testing.T) {
	t.Parallel()
	p := onFlower(t, Nuclear).p
	for _, c := range []struct {
		step, count uint8
		declared    int8
		sound       bool
	}{
		{1, 1, 1, true}, {2, 1, 2, true}, {0, 0, -1, true},
		{2, 1, 1, false}, {1, 2, 1, false}, {1, 1, -1, false}, {maxBombs + 1, 0, maxBombs + 1, false},
	} {
		p.step, p.bombCount, p.bombsDeclared = c.step, c.count, c.declared
		if err := p.soundMarkers(); (err == nil) != c.sound {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Of units with as many steps the weakest is the one of the lowest strength, and the strongest that of the highest.
func TestTheWeakestIsChosenByItsStrength(t *testing.T) {
	t.Parallel()
	p := onFlower(t, JapanActions).p
	for u := range p.steps {
		p.steps[u] = 1
	}
	compared := 0
	for u := range p.sc.Units {
		for v := range u {
			a, b := Unit(v), Unit(u)
			if p.steps[a] == 0 || p.steps[a] != p.steps[b] {
				continue
			}
			x, y := p.sc.Units[a].Strength[min(p.steps[a], 2)], p.sc.Units[b].Strength[min(p.steps[b], 2)]
			if x == y {
				continue
			}
			if x > y {
				a, b = b, a
			}
			compared++
			if among := bit(a) | bit(b); p.choose(among, false) != a || p.choose(among, true) != b {
				t.Errorf("of %s and %s the weakest is %d", p.sc.Units[a].ID, p.sc.Units[b].ID, p.choose(among, false))
			}
		}
	}
	if compared == 0 {
		t.Error("all units are as strong")
	}
}

// The list of standing orders has every order of a seat, the first one too.
func TestEachStandingOrderIsListed(t *testing.T) {
	t.Parallel()
	g := onFlower(t, JapanActions)
	for _, seat := range []rules.Seat{US, Japan} {
		listed := map[uint64]bool{}
		g.p.legalStanding(seat, func(c Command) bool { listed[c.Detail] = true; return true })
		for order := 1; order < len(standings); order++ {
			allowed := false
			for choice := range g.sc.choicesOf(uint8(order)) {
				c := only(KindStanding)
				c.Detail, c.Count, c.Hex = uint64(order), uint8(choice), NoHex
				allowed = allowed || g.p.checkStanding(seat, c.standingOf()) == nil
			}
			if listed[uint64(order)] != allowed {
				t.Errorf("order %d of seat %d is listed: %v", order, seat, !allowed)
			}
		}
		if len(listed) == 0 {
			t.Errorf("seat %d has no standing orders", seat)
		}
	}
}

// A position names the plan of IX Corps from the first turn on.
func TestThePlanOfIXCorpsIsWritten(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Position){
		"planned for turn 1": func(p *Position) { p.ixTurn = 1 },
		"made in turn 1":     func(p *Position) { p.ixMade = 1 },
	} {
		p := onFlower(t, JapanActions).p
		if strings.Contains(p.format(), "\nixcorps") {
			t.Fatal("there is a plan from the beginning")
		}
		if change(p); !strings.Contains(p.format(), "\nixcorps") {
			t.Errorf("%s: nothing is written", name)
		}
	}
}

// Whoever has seen enough of a list is shown no more of it, wherever that is: at the first and second command of each
// kind, and at the last.
func TestListsStopWhenTold(t *testing.T) {
	t.Parallel()
	sc := olympic(t)
	for seed := range uint64(3) {
		n := 0
		wander(t, sc, Airborne11, seed, func(p *Position, list []Command) {
			if n++; n > 20 && n%4 != 0 { // set-up, and some of the rest
				return
			}
			_, who := p.ask()
			for i := range list {
				first := i < 2 || list[i-1].Kind != list[i].Kind || list[i-2].Kind != list[i].Kind
				if !first && i != len(list)-1 {
					continue
				}
				seen := 0
				p.Legal(who, rules.Filter{}, func(Command) bool { seen++; return seen <= i })
				if seen != i+1 {
					t.Fatalf("told to stop at %d, it goes on to %d: %s\n%s",
						i+1, seen, p.formatCommand(list[i]), p.format())
				}
			}
		})
	}
}
