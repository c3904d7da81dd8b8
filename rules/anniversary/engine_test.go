package anniversary

import (
	"testing"
)

// The engine's own checks of what is easily got wrong, each after a worked example of the rulebook or its
// specification. cases_*_test.go and testdata prove the paragraphs one by one.

func TestEngineFightersFullRange(t *testing.T) { // EX-011, EX-175, EX-176
	f := bareField(t, "1941")
	f.put(Japan, "japan", 2, Fighter)
	f.put(Japan, "sz57", 1, Carrier)
	f.put(UnitedStates, "sz53", 1, Transport)
	f.begin(Japan)
	f.play("move 1 fighter japan>sz-53")
	if got := f.try(only(KindEnd)); got != "" {
		t.Errorf("the phase can't be ended: %s", got)
	}
	f.refused("AA 8.1.3", "move 1 aircraft-carrier sz-57>sz-57")
	f.play("move 1 fighter japan>sz-53") // two places
	if got := f.try(only(KindEnd)); got != "" {
		t.Errorf("the phase can't be ended with two fighters: %s", got)
	}
}

func TestEngineOneDeckForTwo(t *testing.T) { // EX-175
	f := bareField(t, "1941")
	f.put(Japan, "japan", 3, Fighter)
	f.put(Japan, "sz57", 1, Carrier)
	f.put(UnitedStates, "sz53", 1, Transport)
	f.begin(Japan)
	f.play("move 3 fighter japan>sz-53")
	if got := f.try(only(KindEnd)); got != "AA 8.3.11" {
		t.Errorf("refused by %q", got)
	}
	f.play("recall 0")
	f.play("move 2 fighter japan>sz-53")
	f.do(only(KindEnd)) // the transport is sunk without dice
	f.has(UnitedStates, "sz53", 0, Transport)
	f.asked(AskNoncombat)
	if got := f.try(only(KindEnd)); got != "AA 12.5.3" {
		t.Errorf("the carrier need not come: %q", got)
	}
	f.refused("AA 12.5.3", "move 1 aircraft-carrier sz-57>sz-58")
	f.play("move 1 aircraft-carrier sz-57>sz-53")
	f.do(only(KindEnd))
	f.has(Japan, "sz53", 2, Fighter)
}

func TestEngineLandingClearedSea(t *testing.T) { // EX-014, EX-016
	f := bareField(t, "1941")
	f.own(UnitedStates, "united-kingdom")
	f.put(UnitedStates, "united-kingdom", 1, Tank, 1, Infantry)
	f.put(UnitedStates, "sz8", 1, Transport, 1, Battleship)
	f.put(Germany, "sz7", 1, Destroyer)
	f.put(Germany, "france", 1, Infantry)
	f.begin(UnitedStates)
	f.play("ship 1 sz-8>sz-7 with tank@united-kingdom infantry@united-kingdom land france")
	f.play("move 1 battleship sz-8>sz-7")
	f.do(only(KindEnd), 3, 5, 4, 1, 6)
	f.has(Germany, "sz7", 0, Destroyer)
	f.has(UnitedStates, "france", 1, Tank)
	f.has(UnitedStates, "france", 1, Infantry)
	f.owned(UnitedStates, "france")
	f.asked(AskNoncombat)
	f.own(UnitedStates, "northwestern-europe")
	f.refused("AA 12.1.1", "move 1 tank france>northwestern-europe")
}

func TestEngineBombardment(t *testing.T) { // EX-196, EX-195
	f := bareField(t, "1941")
	f.put(UnitedStates, "sz7", 1, Battleship, 1, Cruiser)
	f.p.put(keyOf(f.space("sz7"), UnitedStates, Transport).
		carrying([2]Cargo{cargoOf(Tank, UnitedStates), cargoOf(Infantry, UnitedStates)}), 1)
	f.put(Germany, "france", 2, Infantry)
	f.put(Germany, "sz7", 1, Submarine)
	f.begin(UnitedStates)
	f.play("ship 1 sz-7 with tank infantry land france")
	f.do(only(KindEnd))
	f.asked(AskCombat) // fight the submarine, or land
	f.play("fight france")
	f.asked(AskBombard)
	f.play("bombard 1 battleship@sz-7", 3, 5, 6, 2, 4)
	f.asked(AskLosses)
	f.play("lose 1 infantry:united-states", 1, 6) // round 2: the tank hits, the last infantry misses
	f.owned(UnitedStates, "france")
	f.has(UnitedStates, "france", 1, Tank)
	f.asked(AskNoncombat)
}

func TestEngineBlitz(t *testing.T) { // EX-018, EX-180, EX-226
	f := bareField(t, "1941")
	f.put(Germany, "poland", 2, Tank)
	f.put(SovietUnion, "karelia-ssr", 1, Infantry)
	f.begin(Germany)
	f.play("move 1 tank poland>baltic-states>karelia-ssr")
	f.owned(Germany, "baltic-states")
	f.play("move 1 tank poland>baltic-states>poland")
	f.play("recall 0")
	f.owned(Germany, "baltic-states")
	f.play("recall 1")
	f.owned(SovietUnion, "baltic-states")
	f.play("move 1 tank poland>baltic-states>karelia-ssr")
	f.do(only(KindEnd), 6, 6)
	f.asked(AskPress)
	f.play("retreat baltic-states")
	f.has(Germany, "baltic-states", 1, Tank)
}

func TestEngineSubmarines(t *testing.T) {
	for _, c := range []struct {
		name     string
		att, def []any
		play     []string
		dice     []uint8
		want     []any
	}{
		{"EX-213 surprise", []any{2, Submarine}, []any{1, Cruiser}, []string{"submerge 0"}, []uint8{1, 5},
			[]any{2, Submarine, 0, Cruiser}},
		{"EX-215 both", []any{1, Submarine}, []any{1, Submarine}, []string{"submerge 0"}, []uint8{2, 1},
			[]any{0, Submarine, 0, Submarine}},
		{"EX-219 transports beside", []any{2, Fighter}, []any{1, Submarine, 2, Transport}, nil, nil,
			[]any{2, Fighter, 0, Transport}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := bareField(t, "1941")
			f.put(Germany, "france", c.att...)
			if c.att[1] == Submarine {
				f = bareField(t, "1941")
				f.put(Germany, "sz7", c.att...)
			}
			f.put(UnitedKingdom, "sz8", c.def...)
			f.begin(Germany)
			from := "sz-7"
			if c.att[1] == Fighter {
				from = "france"
			}
			f.do(Command{
				Kind: KindMove, Power: NoPower, From: f.space(from), Via: NoSpace, To: f.space("sz8"), Target: NoSpace,
			}.with(line(c.att[1].(Unit), uint8(c.att[0].(int)))))
			f.src.dice = nil
			f.do(only(KindEnd))
			for i, text := range c.play {
				if i == len(c.play)-1 {
					f.play(text, c.dice...)
				} else {
					f.play(text, c.dice[:1]...)
					c.dice = c.dice[1:]
				}
			}
			f.has(Germany, "sz8", c.want[0].(int), c.want[1].(Unit))
			f.has(UnitedKingdom, "sz8", c.want[2].(int), c.want[3].(Unit))
		})
	}
}

func TestEngineGreatestNumberOfHits(t *testing.T) { // EX-220
	f := bareField(t, "1941")
	f.put(UnitedKingdom, "united-kingdom", 2, Bomber)
	f.put(UnitedKingdom, "sz2", 1, Cruiser)
	f.put(Germany, "sz7", 1, Cruiser, 2, Submarine)
	f.begin(UnitedKingdom)
	f.play("move 2 bomber united-kingdom>sz-7")
	f.play("move 1 cruiser sz-2>sz-7")
	f.do(only(KindEnd))
	f.asked(AskSubmerge)
	f.do(counting(KindSubmerge, 0), 6, 6, 1, 1, 1) // both strikes miss; bombers and cruiser hit
	f.asked(AskLosses)
	f.refused("AA 9.8.3", "lose 2 submarine")
	f.play("lose 1 submarine")
	f.play("lose 1 cruiser", 6)
	f.has(Germany, "sz7", 1, Submarine)
	f.has(Germany, "sz7", 0, Cruiser)
}

func TestEngineTwoDefenders(t *testing.T) { // EX-228
	f := bareField(t, "1941")
	f.put(Germany, "libya", 2, Tank)
	f.put(UnitedKingdom, "egypt", 1, Infantry)
	f.put(UnitedStates, "egypt", 1, Tank)
	f.begin(Germany)
	f.play("move 2 tank libya>egypt")
	f.do(only(KindEnd), 1, 6)
	f.asked(AskLosses)
	if f.seat() != UnitedKingdom.Seat() {
		t.Errorf("seat %d is asked", f.seat())
	}
	f.play("lose 1 tank:united-states")
	f.asked(AskAgree)
	f.do(only(KindAnswer))
	f.asked(AskLosses)
	if f.seat() != Germany.Seat() {
		t.Errorf("seat %d is asked", f.seat())
	}
	f.play("lose 1 infantry:united-kingdom", 6, 6)
	f.has(UnitedStates, "egypt", 1, Tank)
}

func TestEngineLiberation(t *testing.T) { // EX-251 to EX-254, EX-257
	f := bareField(t, "1941")
	f.own(Germany, "egypt")
	f.p.complexes.Add(f.space("egypt"))
	f.put(Germany, "egypt", 1, AAGun)
	f.put(UnitedStates, "libya", 1, Infantry)
	f.own(UnitedStates, "libya")
	f.begin(UnitedStates)
	f.play("move 1 infantry libya>egypt")
	f.do(only(KindEnd))
	f.owned(UnitedKingdom, "egypt")
	f.has(UnitedKingdom, "egypt", 1, AAGun)

	g := bareField(t, "1941")
	g.own(Germany, "egypt", "united-kingdom")
	g.put(Germany, "egypt", 1, AAGun)
	g.put(UnitedStates, "libya", 1, Infantry)
	g.own(UnitedStates, "libya")
	g.put(UnitedStates, "sz7", 1, Battleship)
	g.p.put(keyOf(g.space("sz7"), UnitedStates, Transport).carrying([2]Cargo{cargoOf(Infantry, UnitedStates)}), 1)
	g.begin(UnitedStates)
	g.play("move 1 infantry libya>egypt")
	g.play("ship 1 sz-7 with infantry land united-kingdom")
	c := g.p.Clone()
	g.do(only(KindEnd))
	g.owned(UnitedKingdom, "egypt", "united-kingdom")
	g.has(UnitedKingdom, "egypt", 1, AAGun) // a capital retaken in the same turn counts as free
	_ = c

	h := bareField(t, "1942")
	h.own(SovietUnion, "ukraine")
	h.put(Italy, "bulgaria-romania", 1, Infantry)
	h.begin(Italy)
	h.play("move 1 infantry bulgaria-romania>ukraine")
	h.do(only(KindEnd))
	h.owned(Germany, "ukraine")
}

func TestEngineTreasury(t *testing.T) { // EX-005
	f := bareField(t, "1941")
	f.p.ipc[SovietUnion] = 18
	f.own(Germany, "belorussia")
	f.put(Germany, "belorussia", 1, Infantry)
	f.begin(Germany)
	f.play("move 1 infantry belorussia>russia")
	f.do(only(KindEnd))
	if f.p.ipc[SovietUnion] != 0 || f.p.ipc[Germany] != 18 {
		t.Errorf("the Soviet Union has %d, Germany %d", f.p.ipc[SovietUnion], f.p.ipc[Germany])
	}
}

func TestEngineFighterOfSunkCarrier(t *testing.T) { // EX-231
	f := bareField(t, "1941")
	f.put(Japan, "sz36", 2, Submarine, 1, Destroyer)
	f.put(UnitedKingdom, "sz35", 1, Carrier, 1, Fighter)
	f.begin(Japan)
	f.play("move 2 submarine sz-36>sz-35")
	f.do(only(KindEnd))
	// the carrier goes down without firing; submarines and fighter can't hit each other
	f.do(counting(KindSubmerge, 0), 1, 6)
	f.has(UnitedKingdom, "sz35", 0, Carrier)
	f.has(UnitedKingdom, "india", 1, Fighter) // the only refuge, so nobody is asked
	f.asked(AskNoncombat)
}

func TestEngineBridging(t *testing.T) { // EX-264, EX-022, EX-266
	f := bareField(t, "1941")
	f.own(UnitedKingdom, "france")
	f.put(UnitedKingdom, "sz7", 1, Transport)
	f.put(UnitedKingdom, "united-kingdom", 2, Tank, 1, Infantry)
	f.begin(UnitedKingdom)
	f.refused("AA 8.8.3", "ship 1 sz-7 with tank@united-kingdom")
	f.do(only(KindEnd))
	f.refused("AA 15.13.4", "ship 1 sz-7 with tank@united-kingdom tank@united-kingdom land france")
	f.play("ship 1 sz-7 with tank@united-kingdom infantry@united-kingdom land france")
	f.has(UnitedKingdom, "france", 1, Tank)
	f.refused("AA 15.13.10", "ship 1 sz-7 with tank@united-kingdom")
}

func TestEngineGuestsGoDown(t *testing.T) { // EX-179
	f := bareField(t, "1941")
	f.put(UnitedStates, "sz53", 1, Carrier)
	f.put(UnitedKingdom, "sz53", 1, Fighter)
	f.put(Japan, "sz51", 1, Destroyer)
	f.begin(UnitedStates)
	f.has(UnitedKingdom, "sz53", 0, Fighter)
	f.play("move 1 aircraft-carrier sz-53>sz-51")
	f.do(only(KindEnd), 6, 1) // carrier misses, destroyer hits
	f.has(UnitedStates, "sz51", 0, Carrier)
	f.has(UnitedKingdom, "sz51", 0, Fighter)
	f.asked(AskNoncombat)
	f.do(only(KindEnd))
}

func TestEngineSeaborneFightOn(t *testing.T) { // EX-201
	f := bareField(t, "1941")
	f.p.put(keyOf(f.space("sz14"), Italy, Transport).
		carrying([2]Cargo{cargoOf(Infantry, Italy), cargoOf(Infantry, Italy)}), 1)
	f.own(Italy, "egypt")
	f.put(Italy, "egypt", 2, Tank)
	f.put(Italy, "balkans", 1, Fighter)
	f.put(UnitedKingdom, "libya", 4, Infantry)
	f.own(UnitedKingdom, "libya")
	f.begin(Italy)
	f.play("ship 1 sz-14 with infantry infantry land libya")
	f.play("move 2 tank egypt>libya")
	f.play("move 1 fighter balkans>libya")
	f.do(only(KindEnd), 6, 6, 6, 6, 6, 6, 6, 6, 6)
	f.asked(AskPress)
	f.play("retreat egypt", 1, 1, 1, 1, 6, 6) // the infantry fight on; nobody is asked again
	f.has(Italy, "egypt", 2, Tank)
	f.has(Italy, "libya", 1, Fighter)
	f.has(Italy, "libya", 0, Infantry)
	f.has(UnitedKingdom, "libya", 2, Infantry)
}
