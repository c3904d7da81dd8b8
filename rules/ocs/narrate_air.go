package ocs

import (
	"strconv"
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrateAir tells the facts of missions and air combat.
func narrateAir(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_MissionFlown:
		f := k.MissionFlown
		return rules.Say("told.mission", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "mission",
			missionText(f.GetMission())), true
	case *ocsv1.Event_MissionEnded:
		f := k.MissionEnded
		return rules.Say("told.mission-over", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "mission",
			missionText(f.GetMission())), true
	case *ocsv1.Event_AirCombatJoined:
		f := k.AirCombatJoined
		return rules.Say("told.air-combat", "at", sc.placeName(f.GetAt()), "units", sc.namesOf(f.GetUnits()), "enemies",
			sc.namesOf(f.GetEnemies())), true
	case *ocsv1.Event_AirUnitsAborted:
		f := k.AirUnitsAborted
		if len(f.GetUnits()) == 0 {
			return rules.Say("told.nobody-aborts", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.aborted", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "units",
			sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_AirUnitChosen:
		f := k.AirUnitChosen
		return rules.Say("told.engages", "seat", seatText(f.GetSeat()), "unit", sc.nameOf(f.GetUnit())), true
	case *ocsv1.Event_AirRound:
		f := k.AirRound
		return rules.Say("told.air-round", "unit", sc.nameOf(f.GetUnit()), "enemy", sc.nameOf(f.GetEnemy()),
			"roll", int(f.GetRoll()), "total", int(f.GetTotal()),
			"ratings", signed(int(f.GetTotal())-int(f.GetRoll())),
			"yes", yesText(f.GetAttackerAborts()), "no", yesText(f.GetDefenderAborts()), "die", int(f.GetDie()), "loss",
			yesText(f.GetLoss())), true
	case *ocsv1.Event_AirCombatEnded:
		return rules.Say("told.air-combat-over", "at", sc.placeName(k.AirCombatEnded.GetAt())), true
	case *ocsv1.Event_Intercepted:
		f := k.Intercepted
		if f.GetUnit() == "" {
			return rules.Say("told.no-intercept", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
		}
		return rules.Say("told.intercepts", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()), "unit",
			sc.nameOf(f.GetUnit())), true
	case *ocsv1.Event_FlakRolled:
		f := k.FlakRolled
		return sumOf("told.flak-sums", "told.flak", int(f.GetModifier()), f.GetModifiers(), "at",
			sc.placeName(f.GetAt()), "roll", int(f.GetRoll()), "n", int(f.GetModifier()),
			"total", int(f.GetRoll())+int(f.GetModifier()), "min", int(sc.Charts.GetAir().GetFlak().GetHitMin()),
			"yes", yesText(f.GetHit())), true
	case *ocsv1.Event_AirStepLost:
		f, key := k.AirStepLost, "told.air-step"
		if f.GetDestroyed() {
			key = "told.air-lost"
		}
		return rules.Say(key+byDie(f.GetDie()), "unit", sc.nameOf(f.GetUnit()), "die", int(f.GetDie())), true
	}
	return narrateLanding(sc, e)
}

// narrateLanding tells what missions do on the ground, and what happens at air bases.
func narrateLanding(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_AirUnitReturned:
		f := k.AirUnitReturned
		if f.GetAt() == "" {
			return rules.Say("told.no-home", "unit", sc.nameOf(f.GetUnit())), true
		}
		return rules.Say("told.returned", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()), "yes",
			yesText(f.GetActive())), true
	case *ocsv1.Event_AirBaseBarraged:
		return narrateBase(sc, k.AirBaseBarraged), true
	case *ocsv1.Event_TrainBusted:
		f := k.TrainBusted
		return rules.Say("told.trainbusted", "at", sc.placeName(f.GetAt()), "die", int(f.GetDie()), "yes",
			yesText(f.GetMarked())), true
	case *ocsv1.Event_AirRefitted:
		f := k.AirRefitted
		return rules.Say("told.refitted", "at", sc.placeName(f.GetAt()), "units", sc.namesOf(f.GetUnits())), true
	case *ocsv1.Event_CargoLost:
		f := k.CargoLost
		if len(f.GetUnits()) == 0 && f.GetTokens() == 0 {
			return rules.Say("told.no-cargo-lost"), true
		}
		return rules.Say("told.cargo-lost", "cargo", sc.cargoText(f.GetUnits(), f.GetTokens())), true
	case *ocsv1.Event_GlidersUsed:
		return rules.Say("told.gliders-used", "units", sc.namesOf(k.GlidersUsed.GetUnits())), true
	case *ocsv1.Event_CargoLanded:
		f := k.CargoLanded
		return rules.Say("told.cargo-landed", "at", sc.placeName(f.GetAt()), "cargo",
			sc.cargoText(f.GetUnits(), f.GetTokens())), true
	case *ocsv1.Event_DropRolled:
		f := k.DropRolled
		if f.GetUnit() == "" {
			return narrateDrop(f, "told.drop-token", "told.token-lost", "at", sc.placeName(f.GetAt())), true
		}
		return narrateDrop(f, "told.drop-unit", "told.unit-lost", "unit", sc.nameOf(f.GetUnit()),
			"at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_DropPlanned:
		f := k.DropPlanned
		if f.GetAt() == "" {
			return rules.Say("told.plan-gone", "unit", sc.nameOf(f.GetUnit())), true
		}
		return rules.Say("told.planned", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()), "n",
			int(f.GetTurn())), true
	case *ocsv1.Event_AirUnitsArrived:
		f := k.AirUnitsArrived
		return rules.Say("told.air-arrived", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_AirRestored:
		return rules.Say("told.air-restored", "units", sc.namesOf(k.AirRestored.GetUnits())), true
	case *ocsv1.Event_AirCombined:
		f := k.AirCombined
		return rules.Say("told.air-combined", "unit", sc.nameOf(f.GetUnit()), "other", sc.nameOf(f.GetOther())), true
	case *ocsv1.Event_AirBaseTaken:
		f := k.AirBaseTaken
		return sumOf("told.escape-sums", "told.escape", int(f.GetModifier()), f.GetModifiers(),
			"unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()), "roll", int(f.GetRoll()),
			"n", int(f.GetModifier()), "total", int(f.GetRoll())+int(f.GetModifier()),
			"yes", yesText(f.GetLoss())), true
	}
	return rules.Text{}, false
}

// byDie is the ending of a key if a die has chosen who is meant.
func byDie(die uint32) string {
	if die == 0 {
		return ""
	}
	return "-die"
}

// narrateDrop tells the roll for what is dropped, or that it was lost without one.
func narrateDrop(f *ocsv1.DropRolled, key, lost string, pairs ...any) rules.Text {
	if f.GetRoll() == 0 {
		return rules.Say(lost, pairs...)
	}
	return sumOf(key+"-sums", key, int(f.GetModifier()), f.GetModifiers(), append(pairs, "roll", int(f.GetRoll()),
		"n", int(f.GetModifier()), "total", int(f.GetRoll())+int(f.GetModifier()), "yes", yesText(f.GetLanded()))...)
}

// narrateBase tells the barrage of an air base.
func narrateBase(sc *Scenario, f *ocsv1.AirBaseBarraged) rules.Text {
	var dice []string
	for _, d := range f.GetDice() {
		dice = append(dice, strconv.Itoa(int(d)))
	}
	key := "told.base-hit"
	if f.GetLevel() == airstrip {
		key = "told.strip-hit"
	}
	if len(dice) > 0 {
		key += "-planes"
	}
	return rules.Say(key, "at", sc.placeName(f.GetAt()), "die", int(f.GetDie()), "n", int(f.GetLevel()),
		"min", int(f.GetPlaneMin()), "list", rules.Words{En: strings.Join(dice, ", "), Ja: strings.Join(dice, "、")})
}

// missionText is a reference to the name of a kind of mission.
func missionText(m ocsv1.Mission) string {
	if m <= 0 || int(m) >= len(missions) {
		return "-"
	}
	return "@mission." + missions[m].id
}
