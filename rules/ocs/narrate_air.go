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
		return rules.Say("told.mission-over", "at", sc.placeName(k.MissionEnded.GetAt())), true
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
		return rules.Say("told.flak", "at", sc.placeName(f.GetAt()), "roll", int(f.GetRoll()), "n",
			int(f.GetModifier()), "yes", yesText(f.GetHit())), true
	case *ocsv1.Event_AirStepLost:
		f := k.AirStepLost
		if f.GetDestroyed() {
			return rules.Say("told.air-lost", "unit", sc.nameOf(f.GetUnit())), true
		}
		return rules.Say("told.air-step", "unit", sc.nameOf(f.GetUnit())), true
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
		return rules.Say("told.cargo-lost", "units", sc.namesOf(f.GetUnits()), "n", int(f.GetTokens())), true
	case *ocsv1.Event_GlidersUsed:
		return rules.Say("told.gliders-used", "units", sc.namesOf(k.GlidersUsed.GetUnits())), true
	case *ocsv1.Event_CargoLanded:
		f := k.CargoLanded
		return rules.Say("told.cargo-landed", "at", sc.placeName(f.GetAt()), "units", sc.namesOf(f.GetUnits()), "n",
			int(f.GetTokens())), true
	case *ocsv1.Event_DropRolled:
		f := k.DropRolled
		if f.GetUnit() == "" {
			return rules.Say("told.drop-token", "at", sc.placeName(f.GetAt()), "roll", int(f.GetRoll()), "n",
				int(f.GetModifier()), "yes", yesText(f.GetLanded())), true
		}
		return rules.Say("told.drop-unit", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()),
			"roll", int(f.GetRoll()), "n", int(f.GetModifier()),
			"yes", yesText(f.GetLanded())), true
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
		return rules.Say("told.escape", "unit", sc.nameOf(f.GetUnit()), "at", sc.placeName(f.GetAt()),
			"roll", int(f.GetRoll()), "n", int(f.GetModifier()),
			"yes", yesText(f.GetLoss())), true
	}
	return rules.Text{}, false
}

// narrateBase tells the barrage of an air base.
func narrateBase(sc *Scenario, f *ocsv1.AirBaseBarraged) rules.Text {
	var dice []string
	for _, d := range f.GetDice() {
		dice = append(dice, strconv.Itoa(int(d)))
	}
	at := sc.placeName(f.GetAt())
	switch {
	case len(dice) > 0:
		return rules.Say("told.planes-hit", "at", at, "n", int(f.GetPlaneMin()),
			"list", rules.Words{En: strings.Join(dice, " ")})
	case f.GetLevel() == airstrip:
		return rules.Say("told.strip-hit", "at", at, "die", int(f.GetDie()))
	}
	return rules.Say("told.base-hit", "at", at, "die", int(f.GetDie()), "n", int(f.GetLevel()))
}

// missionText is a reference to the name of a kind of mission.
func missionText(m ocsv1.Mission) string {
	if m <= 0 || int(m) >= len(missions) {
		return "-"
	}
	return "@mission." + missions[m].id
}
