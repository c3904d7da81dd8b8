package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// narrate tells an event in a sentence: the tables of the chapters first, then the sequence of play.
func narrate(sc *Scenario, e *event) rules.Text {
	for _, tell := range [...]func(*Scenario, *event) (rules.Text, bool){narrateMovement, narrateCombat, narrateSupply,
		narrateWorks, narrateAir, narrateSea, narrateLandings, narrateOption, narrateSequence} {
		if t, ok := tell(sc, e); ok {
			return t
		}
	}
	return rules.Text{} // the steps of the engine show in what follows
}

// narrateSequence tells the facts of the sequence of play.
func narrateSequence(sc *Scenario, e *event) (rules.Text, bool) {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_SegmentBegan:
		f, key := k.SegmentBegan, "told.segment"
		if f.GetPhasing() == "" {
			key = "told.segment-both"
		}
		return rules.Say(key, "turn", int(f.GetTurn()), "segment", segmentText(f.GetSegment()), "seat",
			seatText(f.GetPhasing())), true
	case *ocsv1.Event_WeatherRolled:
		f := k.WeatherRolled
		key := "told.weather"
		if f.GetDie() == 0 {
			key = "told.weather-fixed"
		}
		return rules.Say(key, "die", int(f.GetDie()), "ground", "@ground."+f.GetGround(), "flight",
			"@flight."+f.GetFlight(),
			"sea", "@sea."+f.GetSea()), true
	case *ocsv1.Event_InitiativeRolled:
		f := k.InitiativeRolled
		return rules.Say("told.initiative", "blue", int(f.GetBlue()), "red", int(f.GetRed()), "seat",
			seatText(f.GetWinner())), true
	case *ocsv1.Event_OrderChosen:
		return rules.Say("told.order", "seat", seatText(k.OrderChosen.GetFirst())), true
	case *ocsv1.Event_SimultaneousAnswered:
		f := k.SimultaneousAnswered
		return rules.Say("told.together", "seat", seatText(f.GetSeat()), "yes", yesText(f.GetYes())), true
	case *ocsv1.Event_MarkersCleared:
		f := k.MarkersCleared
		return rules.Say("told.cleared", "seat", seatText(f.GetSeat()), "n", len(f.GetUnits())), true
	case *ocsv1.Event_UnitsPlaced:
		f := k.UnitsPlaced
		return rules.Say("told.placed", "units", sc.namesOf(f.GetUnits()), "at", sc.placeName(f.GetAt())), true
	case *ocsv1.Event_SupplyStowed:
		f := k.SupplyStowed
		return rules.Say("told.stowed", "unit", sc.nameOf(f.GetUnit()), "load", tokens(int(f.GetTokens()))), true
	case *ocsv1.Event_CorrectionAsked:
		return rules.Say("told.correction", "seat", seatText(k.CorrectionAsked.GetSeat())), true
	case *ocsv1.Event_OrderGiven:
		f := k.OrderGiven
		return orderGiven(sc, f), true
	case *ocsv1.Event_OrderFollowed:
		return rules.Say("told.order-followed", "seat", seatText(k.OrderFollowed.GetSeat())), true
	case *ocsv1.Event_StackArranged:
		return rules.Say("told.top", "unit", sc.nameOf(k.StackArranged.GetUnit())), true
	case *ocsv1.Event_Sighted:
		f := k.Sighted
		if f.GetUnit() == "" {
			if f.GetAir() {
				return rules.Say("told.gone-air", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
			}
			if f.GetShip() {
				return rules.Say("told.gone-ship", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
			}
			return rules.Say("told.gone", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt())), true
		}
		if f.GetAir() {
			return rules.Say("told.sighted-air", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()),
				"unit", sc.nameOf(f.GetUnit()),
				"n", int(f.GetLost())), true
		}
		if f.GetShip() {
			return rules.Say("told.sighted-ship", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()),
				"unit", sc.nameOf(f.GetUnit()),
				"n", int(f.GetLost())), true
		}
		return rules.Say("told.sighted", "seat", seatText(f.GetSeat()), "at", sc.placeName(f.GetAt()),
			"unit", sc.nameOf(f.GetUnit()),
			"mode", modeText(Marker(f.GetMarker()), Face(f.GetFace()))), true
	case *ocsv1.Event_GameEnded:
		f := k.GameEnded
		return endText(sc, f.GetWinner(), int(f.GetLevel()), int(f.GetPoints()), f.GetConceded()), true
	}
	return rules.Text{}, false
}

func segmentText(s ocsv1.Segment) string {
	if s < 0 || int(s) >= int(numSegments) {
		return "-"
	}
	return "@segment." + segments[s].id
}

// endText says how a game ended.
func endText(sc *Scenario, winner string, level, points int, conceded string) rules.Text {
	if conceded != "" {
		return rules.Say("told.conceded", "seat", seatText(conceded), "winner", seatText(winner))
	}
	name := rules.Words{En: "-"}
	if list := sc.Doc.GetVictory().GetLevels(); level >= 1 && level <= len(list) {
		name = sc.words(list[level-1].GetName())
	}
	return rules.Say("told.ended", "points", points, "level", name)
}
