package ocs

import (
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules"
)

// What is told adds up: each roll with its dice and modifiers by name, and nothing is rolled that nobody rolled.
func TestNarrationAddsUp(t *testing.T) {
	t.Parallel()
	sc := shipped(t, "crimea-sevastopol")
	const fought = `combat_resolved {seat: "blue" at: "15.05" attack: "38" defence: "1" anti_tank: "heavy" ` +
		`odds: "18:1" column: "12:1" result: "Ae3, DL2o2DG" `
	for _, x := range []struct{ event, want string }{
		{fought + `modifier: 3 surprise: 7 shift: -2 surprise_dice: [2, 2] dice: [4, 4] roll: 11}`,
			"Combat in Inkerman 15.05: 38 against 1, 18:1, heavy anti-tank effect. Surprise: 2 " +
				"+ 2 + 3 (Action Ratings) = 7, " +
				"2 columns to the left. Result on 12:1: 4 + 4 + 3 (Action Ratings) = 11 on the table: Ae3, DL2o2DG."},
		{fought + `modifier: -1 surprise: 6 surprise_dice: [5, 3] dice: [1, 1] roll: 1 hedgehog: 3}`,
			"Combat in Inkerman 15.05: 38 against 1, 18:1, heavy anti-tank effect. Surprise: 5 + 3 − 1 (Action " +
				"Ratings) − 1 (hedgehog) = 6, " +
				"no surprise. Result on 12:1: 1 + 1 − 1 (Action Ratings) − 3 (hedgehog) = -2, read in row 1 at the " +
				"end of the table: Ae3, DL2o2DG."},
		{fought + `modifier: 3 surprise: 6 shift: 1 roll: 10}`, // of a program that did not record the dice
			"Combat in Inkerman 15.05: 38 against 1, 18:1, heavy anti-tank effect. Modifier 3; surprise 6, shift " +
				"1; 12:1, roll 10: Ae3, DL2o2DG."},
		{`combat_ended {at: "15.05" seat: "red"}`, "The combat in Inkerman 15.05 is over: Red stands in the hex."},
		{`combat_ended {at: "15.05"}`, "The combat in Inkerman 15.05 is over: no combat unit is left in the hex."},
		{`losses_taken {seat: "red" at: "15.05" steps: 1}`, "Red loses 1 step and retreats 0 hexes."},
		{`losses_taken {seat: "red" at: "15.05" steps: 2 hexes: 1 eliminated: "so-bs18"}`,
			"Red loses 2 steps and retreats 1 hex; eliminated: Battery 18 (152mm)."},
		{`table_rolled {seat: "blue" tokens: 16}`, "Blue receives 16T of supply, 0 Pax, 0 Eq, 0T of trucks."},
		{`table_rolled {seat: "blue" roll: 9 tokens: 34}`, "Blue rolls 9: 34T of supply, 0 Pax, 0 Eq, 0T of trucks."},
		{`weather_rolled {ground: "dry" flight: "full" sea: "calm"}`,
			"Weather, as the scenario says: dry, full flight, calm sea."},
		{`air_round {at: "15.06" unit: "so-8-iap" enemy: "ge-stg77-i" roll: 8 total: 6 attacker_aborts: true die: 2}`,
			"8 Naval Fighter against I/StG 77: roll 8 − 2 (ratings) = 6. Aborts: 8 Naval Fighter yes, " +
				"I/StG 77 no; die 2, step loss no."},
		{`units_retreated {seat: "red" units: "so-bs18" path: "15.05" path: "14.04" steps: 1}`,
			"Battery 18 (152mm) retreats: Inkerman 15.05, Sapun Heights 14.04; 1 step lost."},
		{`barrage_resolved {seat: "blue" at: "15.05" shift: -1 roll: 8 result: "[1/2]" die: 5 steps: 1 column: "17-28" ` +
			`disorganised: true modifiers {id: "extreme_close" value: -3} modifiers {id: "units" value: 2}}`,
			"Barrage of Inkerman 15.05: shift 0 − 3 (extremely close terrain) + 2 (units in the hex) = -1, so column " +
				"17-28; roll 8: [1/2] (die 5 for the half). DG: yes; steps lost: 1."},
		{`barrage_resolved {seat: "blue" at: "15.05" shift: -1 roll: 8 result: "DG"}`, // of rules before version 4
			"Barrage of Inkerman 15.05: shift -1, roll 8: DG. DG: no; steps lost: 0."},
		{`flak_rolled {at: "15.06" roll: 8 modifier: 2 modifiers {id: "flak_base" value: 2}}`,
			"Flak over Lyubimovka 15.06: roll 8 + 2 (air base) = 10 (hit by 11 or more); hit: no."},
		{`flak_rolled {at: "15.06" roll: 8 modifier: 2}`, "Flak over Lyubimovka 15.06: roll 8, modifier 2; hit: no."},
		{`drop_rolled {at: "15.06" roll: 8 landed: true modifier: -1 modifiers {id: "side" value: -1}}`,
			"A token is dropped on Lyubimovka 15.06: roll 8 − 1 (training of the side) = 7; landed: yes."},
		{`drop_rolled {at: "15.06"}`, "A token is dropped on Lyubimovka 15.06 among enemies and lost."},
		{`air_base_taken {unit: "so-8-iap" at: "15.06" roll: 8 modifier: 1 modifiers {id: "active" value: 2} ` +
			`modifiers {id: "advance" value: -1} loss: true}`,
			"8 Naval Fighter escapes from Lyubimovka 15.06: roll 8 + 2 (active) − 1 (the " +
				"base fell to an advance) = 9; step loss: yes."},
		{`air_step_lost {unit: "so-8-iap" die: 3}`, "8 Naval Fighter loses a step, chosen by the die 3."},
		{`breakout_tried {unit: "so-bs18" die: 4 immediate: true returns: 9 delay: 3}`,
			"Battery 18 (152mm) breaks out with 4 + 1 (immediate) = 5 and returns in turn 9 (die 3)."},
		{`landing_rolled {seat: "red" at: "15.05" dice: 7 modifier: -3 modifiers {id: "rough" value: -2} ` +
			`modifiers {id: "forces" value: -1} result: LANDING_RESULT_SUCCESS}`,
			"Red lands at Inkerman 15.05: 7 − 2 (rough sea) − 1 " +
				"(warships, marines, enemies near) = 4: all land; 0 steps and 0T of landing craft lost."},
		{`air_base_barraged {at: "15.06" die: 5 level: 2 plane_min: 4 dice: [3, 4]}`,
			"Air base of Lyubimovka 15.06: die 5, level 2 now. Air units there are hit by 4 or more: 3, 4."},
	} {
		e := new(event)
		if err := prototext.Unmarshal([]byte(x.event), e); err != nil {
			t.Fatalf("%s: %v", x.event, err)
		}
		if got := catalogue.Format(rules.English, narrate(sc, e)); got != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.event, got, x.want)
		}
	}
}

// Every fact has a sentence of its own, but for the steps of procedures, which show in what follows (OCS 4.9e).
func TestEveryFactIsTold(t *testing.T) {
	t.Parallel()
	sc := shipped(t, "crimea-sevastopol")
	silent := map[protoreflect.Name]bool{"game_set_up": true, "segment_stepped": true, "segment_ended": true,
		"arrivals_ended": true, "raid_checked": true} // a check that finds no line
	seen := map[string]protoreflect.Name{}
	fields := new(event).ProtoReflect().Descriptor().Oneofs().ByName("fact").Fields()
	for i := range fields.Len() {
		field, e := fields.Get(i), new(event)
		e.ProtoReflect().Set(field, e.ProtoReflect().NewField(field))
		switch key := narrate(sc, e).Key; {
		case key == "" && !silent[field.Name()]:
			t.Errorf("%s has no sentence", field.Name())
		case key != "" && seen[key] != "":
			t.Errorf("%s and %s have one sentence", field.Name(), seen[key])
		default:
			seen[key] = field.Name()
		}
	}
}
