package ocs

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
)

// Each kind of frame has one place in the table, and what it names nothing of is written and read as that.
func TestBlankFrames(t *testing.T) {
	t.Parallel()
	g := onGround(t)
	for kind, blank := range blankFrames {
		if blank == nil {
			continue
		}
		f := blank()
		if int(f.kind()) != kind {
			t.Errorf("frame %T is in place %d, its kind is %d", f, kind, f.kind())
		}
		m := &ocsv1.Frame{Kind: f.kind(), Seat: "red", At: "09.02"}
		switch kind := f.kind(); kind { // these always write their number
		case ocsv1.FrameKind_FRAME_KIND_BARRAGE, ocsv1.FrameKind_FRAME_KIND_ATTRITION:
			m.Numbers = []int32{0}
		case ocsv1.FrameKind_FRAME_KIND_ARRIVAL:
			m.Numbers = []int32{afterBreakout}
		case ocsv1.FrameKind_FRAME_KIND_SUPPLY_TABLE, ocsv1.FrameKind_FRAME_KIND_REPLACEMENT_TABLE:
			continue // of a scenario with tables
		}
		if diff := cmp.Diff(m, g.rewritten(m), protocmp.Transform()); diff != "" {
			t.Errorf("%T: %s", f, diff)
		}
	}
}

// While a procedure asks nothing, nobody is waited for.
func TestNothingIsAskedOfNobody(t *testing.T) {
	t.Parallel()
	g := onGround(t)
	for _, blank := range append(blankFrames[:], func() frame { return new(retreatGroup) }) {
		if blank == nil {
			continue
		}
		f := blank()
		if f.kind() == ocsv1.FrameKind_FRAME_KIND_SUPPLY_TABLE ||
			f.kind() == ocsv1.FrameKind_FRAME_KIND_REPLACEMENT_TABLE { // of a scenario with tables
			continue
		}
		if ask, seats := f.asks(g.p); (ask == AskNothing) != (seats == 0) {
			t.Errorf("%T asks %q of %v", f, questions[ask].id, seats)
		}
	}
}

// rewritten is the message of a frame after reading and writing; nil if it is refused.
func (g *table) rewritten(m *ocsv1.Frame) *ocsv1.Frame {
	g.t.Helper()
	r := folder{p: g.p}
	f := r.frame(m)
	if r.err != nil {
		g.t.Errorf("%v: %v", m, r.err)
		return nil
	}
	return g.p.frameMessage(f)
}

// What a kind has of the message is written in the place from which it is read, zeros at the end as the game wrote
// them.
func TestFramePlaces(t *testing.T) {
	t.Parallel()
	counters := []string{
		"x-1 blue division other infantry 9-3-3leg 3-3-8leg", "x-2 blue division other infantry 9-3-3leg 3-3-8leg",
		"y-1 red division other infantry 9-3-3leg 3-3-8leg",
	}
	g := onGround(t, counters...).put("09.02", "x-1 x-2").put("09.03", "y-1")
	const (
		combatKind  = ocsv1.FrameKind_FRAME_KIND_COMBAT
		retreatKind = ocsv1.FrameKind_FRAME_KIND_RETREAT
		barrageKind = ocsv1.FrameKind_FRAME_KIND_BARRAGE
		captureKind = ocsv1.FrameKind_FRAME_KIND_DISPLACEMENT
		feedingKind = ocsv1.FrameKind_FRAME_KIND_FEEDING
		missionKind = ocsv1.FrameKind_FRAME_KIND_MISSION
		airKind     = ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT
		returnKind  = ocsv1.FrameKind_FRAME_KIND_AIR_RETURN
		navalKind   = ocsv1.FrameKind_FRAME_KIND_NAVAL_BARRAGE
		evasionKind = ocsv1.FrameKind_FRAME_KIND_EVASION
	)
	units, place := []string{"x-1", "x-2"}, []string{"09.02"}
	for _, m := range []*ocsv1.Frame{
		{Kind: combatKind, Units: units, Enemies: []string{"y-1"}, Places: place},
		{Kind: combatKind, From: "09.02", Units: units, Numbers: []int32{1}},
		{Kind: combatKind, Step: 4, Unit: "x-1", Enemy: "y-1", Places: place, Numbers: []int32{2, 0, 0, 0, 0, 1}},
		{Kind: combatKind, Step: 6, Places: place, Numbers: []int32{0, 3, 0, 1, 1, 1, 0, 101}},
		{Kind: retreatKind, Step: 1, Units: units, Places: place, Numbers: []int32{2}},
		{Kind: retreatKind, Step: 2, Units: units, Places: place},
		{Kind: retreatKind, Step: 2, Units: units, Places: place, Numbers: []int32{0, 1}},
		{Kind: retreatKind, Step: 2, Units: units, Places: place, Numbers: []int32{0, 1, 0, 0}},
		{Kind: barrageKind, Numbers: []int32{7}},
		{Kind: barrageKind, Numbers: []int32{0, 1}},
		{Kind: barrageKind, Step: 2, Numbers: []int32{7, 1, 0}},
		{Kind: barrageKind, Step: 1, Numbers: []int32{7, 1, 2, 1, 1, 1, 1, 1, 1}},
		{Kind: captureKind, Step: 1, Numbers: []int32{2}},
		{Kind: captureKind, Step: 5, Unit: "x-1", Numbers: []int32{2, 8, 0}},
		{Kind: captureKind, Step: 1, Numbers: []int32{3, 0, 0}},
		{Kind: feedingKind, Units: units, Numbers: []int32{0, 0, 1, 0, 1, 5}},
		{Kind: missionKind, Units: units, Places: place, Numbers: []int32{1}},
		{Kind: missionKind, Units: units, Numbers: []int32{5, 0, 0, 0, 0, 0}},
		{Kind: missionKind, Units: units, Numbers: []int32{5, 0, 5, 2, 1, 0, 0, 0, 1}},
		{Kind: airKind, Step: 3, From: "09.02", Unit: "x-1", Enemy: "y-1", Units: units, Enemies: []string{"y-1"},
			Numbers: []int32{1}},
		{Kind: airKind, Numbers: []int32{1, 2}},
		{Kind: returnKind, Step: 1, Units: units, Numbers: []int32{0, 0}},
		{Kind: returnKind, Units: units, Numbers: []int32{3, 3, 1}},
		{Kind: navalKind, Units: units},
		{Kind: navalKind, Units: units, Numbers: []int32{1, 0, 3}},
		{Kind: navalKind, Numbers: []int32{0}},
		{Kind: evasionKind, From: "09.03", Enemy: "y-1", Units: units, Places: place},
	} {
		m.Seat, m.At = "blue", "09.03"
		if diff := cmp.Diff(m, g.rewritten(m), protocmp.Transform()); diff != "" {
			t.Errorf("%v: %s", m, diff)
		}
	}
}

// Each place of the message is the fact that its kind names there.
func TestFrameFacts(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue division other infantry 9-3-3leg 3-3-8leg",
		"y-1 red division other infantry 9-3-3leg 3-3-8leg")
	g.put("09.02", "x-1").put("09.03", "y-1")
	x, y, at, from := g.unit("x-1"), g.unit("y-1"), g.place("09.03"), g.place("09.02")
	h, one, places := head{Blue, at}, []Unit{x}, []Place{from}
	for _, c := range []struct {
		places  string // f, u, e, U, E, P: from, unit, enemy, units, enemies, places
		step    uint32
		numbers []int32
		want    frame
	}{
		{"fueUEP", 6, []int32{2, 3, 4, 1, 0, 2, 0, 101}, &combat{
			head: h, step: combatDefenderLosses, form: beachAttack, from: from, hexes: places, attackers: one,
			defenders: []Unit{y},
			attack:    x, defence: y, terrain: 1, across: []int16{noTerrain, sideTerrains}, row: 3, column: 4,
			retreated: true,
		}},
		{"fueUEP", 8, []int32{1, 0, 0, 0, 1}, &combat{
			head: h, step: combatAdvance, form: overrunAttack, from: from, hexes: places, attackers: one,
			defenders: []Unit{y},
			attack:    x, defence: y, terrain: noTerrain, unmet: true,
		}},
		{"UP", 1, []int32{3}, &retreat{head: h, step: retreatAsk, units: one, enemies: places, hexes: 3}},
		{"UP", 2, []int32{0, 2, 4}, &retreatGroup{head: h, units: one, path: places, gone: 2, losses: []int{4}}},
		{"", 1, []int32{9, 2, 3, 1, 0, 1, 0, 1}, &barrage{
			head: h, step: barrageSuffers, strength: 9, terrain: 1, steps: 3, air: true, blind: true, siege: true,
		}},
		{"", 2, []int32{9, 0, 3, 0, 1, 0, 1, 0, 1}, &barrage{
			head: h, step: barrageEnd, strength: 9, terrain: noTerrain, steps: 3, near: true, far: true, naval: true,
		}},
		{"u", 5, []int32{2, 8, 6},
			&capture{head: h, step: captureYield, unit: x, column: 2, asked: true, points: 8, tokens: 6}},
		{"U", 0, []int32{4, 0, 0, 5, 1, 7},
			&feeding{head: h, fed: one, chosen: []through{{4, 0, NoHex}, {5, NoUnit, 7}}}},
		{"", 0, []int32{3}, &attrition{head: h, steps: 3}},
		{"UP", 5, []int32{2, 3, 5, 4, 1, 0, 2, 0, 1}, &mission{
			head: h, step: missionHit, units: one, origins: places, task: 2, target: 3, extreme: weakest, die: 4,
			flights: []ocsv1.Flight{1, 0, 2, 0}, onward: true,
		}},
		{"fueUE", 3, []int32{1, 2}, &airCombat{
			head: h, step: combatAnswers, from: from, attackers: one, defenders: []Unit{y}, attacker: x, defender: y,
			carrier: 1,
		}},
		{"U", 1, []int32{2, 1},
			&airReturn{head: h, step: returnRolls, units: one, flights: []ocsv1.Flight{2}, advance: true}},
		{"U", 0, []int32{1, 3},
			&navalBarrage{head: h, units: one, noted: true, air: true, came: []flightFlags{cameNear | cameFar}}},
		{"feUP", 0, nil, &evasion{head: h, units: one, hq: y, from: from, line: places}},
		{"fU", 0, nil, &overrun{head: h, units: one, from: from}},
		{"P", 0, nil, &raidCheck{head: h, named: places}},
		{"fU", 1, nil, &beachAssault{head: h, step: beachOver, units: one, from: from}},
	} {
		m := &ocsv1.Frame{Kind: c.want.kind(), Step: c.step, Seat: "blue", At: "09.03", Numbers: c.numbers}
		for _, place := range c.places {
			switch place {
			case 'f':
				m.From = "09.02"
			case 'u':
				m.Unit = "x-1"
			case 'e':
				m.Enemy = "y-1"
			case 'U':
				m.Units = []string{"x-1"}
			case 'E':
				m.Enemies = []string{"y-1"}
			case 'P':
				m.Places = []string{"09.02"}
			}
		}
		r := folder{p: g.p}
		got := r.frame(m)
		if diff := cmp.Diff(c.want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" ||
			r.err != nil {
			t.Errorf("%v: %v\n%s", m, r.err, diff)
		}
		if diff := cmp.Diff(m, g.p.frameMessage(c.want), protocmp.Transform()); diff != "" {
			t.Errorf("%T: %s", c.want, diff)
		}
	}
}

// What a kind has not, and numbers that stand for nothing, are refused and not dropped.
func TestFramesRefused(t *testing.T) {
	t.Parallel()
	g := onGround(t, "x-1 blue division other infantry 9-3-3leg 3-3-8leg").put("09.02", "x-1")
	for _, c := range []struct {
		text string
		m    *ocsv1.Frame
	}{
		{"no procedure 0", &ocsv1.Frame{}},
		{"no procedure 12", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_ADVANCE}},
		{"no procedure 99", &ocsv1.Frame{Kind: 99}},
		{"no procedure -1", &ocsv1.Frame{Kind: -1}},
		{"no seat", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_RESTOCK}},
		{"not of its kind", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_RESTOCK, Seat: "red", Step: 1}},
		{"not of its kind", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_EXCESS, Seat: "red", Unit: "x-1"}},
		{"not of its kind", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_EXCESS, Seat: "red", Numbers: []int32{1, 0}}},
		{"yes with 2", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_EXCESS, Seat: "red", Numbers: []int32{2}}},
		{"the number -1", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_ATTRITION, Seat: "red", Numbers: []int32{-1}}},
		{"number 9 of", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_SUPPLY_TABLE, Seat: "red", Numbers: []int32{9}}},
		{"number 900 of", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_ARRIVAL, Seat: "red", Numbers: []int32{900}}},
		{"terrain 99",
			&ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_COMBAT, Seat: "red", Numbers: []int32{0, 0, 0, 0, 0, 99}}},
		{"terrain 70000",
			&ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_BARRAGE, Seat: "red", Numbers: []int32{1, 70000}}},
		{"unit 70000", &ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_AIR_COMBAT, Seat: "red", Numbers: []int32{70000}}},
		{"through number 70000",
			&ocsv1.Frame{Kind: ocsv1.FrameKind_FRAME_KIND_FEEDING, Seat: "red", Numbers: []int32{0, 1, 70000}}},
	} {
		before := proto.Clone(c.m)
		r := folder{p: g.p}
		r.frameChange(&ocsv1.FrameChange{Frame: c.m, Push: true})
		if r.err == nil || !strings.Contains(r.err.Error(), c.text) {
			t.Errorf("%v: %v, want %q", c.m, r.err, c.text)
		}
		if !proto.Equal(before, c.m) {
			t.Errorf("reading changed %v to %v", before, c.m)
		}
	}
}
