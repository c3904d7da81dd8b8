package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
)

var resultKeys = [...]string{
	toyv1.AttackResult_ATTACK_RESULT_REPULSED:  "@result.repulsed",
	toyv1.AttackResult_ATTACK_RESULT_NO_EFFECT: "@result.no_effect",
	toyv1.AttackResult_ATTACK_RESULT_HIT:       "@result.hit",
}

// Narrate tells an event in a sentence. The end of an attack needs none.
func (Referee) Narrate(s rules.Scenario, e *toyv1.Event) rules.Text {
	t := teller{sc: s.(*Scenario)}
	switch e := e.GetEvent().(type) {
	case *toyv1.Event_InitiativeWon:
		return rules.Say("told.initiative", "seat", t.seat(e.InitiativeWon.GetSeat()), "roll", e.InitiativeWon.GetRoll())
	case *toyv1.Event_PlanMade:
		return rules.Say("told.plan_made", "seat", t.seat(e.PlanMade.GetSeat()), "hex", t.hex(e.PlanMade.GetHex()))
	case *toyv1.Event_PlanSealed:
		return rules.Say("told.plan_sealed", "seat", t.seat(e.PlanSealed.GetSeat()))
	case *toyv1.Event_TurnBegan:
		return rules.Say("told.turn", "turn", e.TurnBegan.GetTurn())
	case *toyv1.Event_PlayerTurnBegan:
		return rules.Say("told.player_turn", "seat", t.seat(e.PlayerTurnBegan.GetSeat()))
	case *toyv1.Event_Moved:
		return rules.Say("told.moved", "unit", t.unit(e.Moved.GetUnit()), "from", t.hex(e.Moved.GetFrom()), "to", t.hex(e.Moved.GetTo()))
	case *toyv1.Event_AttackBegan:
		return rules.Say("told.attack", "unit", t.unit(e.AttackBegan.GetUnit()), "target", t.unit(e.AttackBegan.GetTarget()))
	case *toyv1.Event_AttackRolled:
		return t.rolled(e.AttackRolled)
	case *toyv1.Event_StepLost:
		if e.StepLost.GetLeft() == 0 {
			return rules.Say("told.eliminated", "unit", t.unit(e.StepLost.GetUnit()))
		}
		return rules.Say("told.step_lost", "unit", t.unit(e.StepLost.GetUnit()), "left", e.StepLost.GetLeft())
	case *toyv1.Event_Retreated:
		return rules.Say("told.retreated", "unit", t.unit(e.Retreated.GetUnit()), "from", t.hex(e.Retreated.GetFrom()), "to", t.hex(e.Retreated.GetTo()))
	case *toyv1.Event_Pursued:
		if e.Pursued.GetTo() == "" {
			return rules.Say("told.held", "unit", t.unit(e.Pursued.GetUnit()))
		}
		return rules.Say("told.advanced", "unit", t.unit(e.Pursued.GetUnit()), "to", t.hex(e.Pursued.GetTo()))
	case *toyv1.Event_Scouted:
		return rules.Say("told.scouted", "seat", t.seat(e.Scouted.GetSeat()))
	case *toyv1.Event_ScoutReported:
		if e.ScoutReported.GetHex() == "" {
			return rules.Say("told.scouts_failed")
		}
		return rules.Say("told.scouts_found", "hex", t.hex(e.ScoutReported.GetHex()))
	case *toyv1.Event_Rallied:
		return rules.Say("told.rallied", "unit", t.unit(e.Rallied.GetUnit()), "steps", e.Rallied.GetSteps(), "supply", e.Rallied.GetSupply())
	case *toyv1.Event_OutpostTaken:
		return rules.Say("told.outpost", "seat", t.seat(e.OutpostTaken.GetSeat()), "hex", t.hex(e.OutpostTaken.GetHex()))
	case *toyv1.Event_Scored:
		return rules.Say("told.scored", "red", e.Scored.GetRed(), "blue", e.Scored.GetBlue())
	case *toyv1.Event_PlanRevealed:
		return t.revealed(e.PlanRevealed)
	case *toyv1.Event_DrawOffered:
		return rules.Say("told.draw", "seat", t.seat(e.DrawOffered.GetSeat()))
	case *toyv1.Event_GameEnded:
		return endText(seatsOf(e.GameEnded.GetWinners()), e.GameEnded.GetLevel())
	}
	return rules.Text{} // the ends of attacks and player turns show in what follows
}

// teller knows what things are called. What the scenario does not have is called by its id.
type teller struct{ sc *Scenario }

func (teller) seat(id string) string {
	if seat, ok := about.SeatByID(id); ok {
		return seatText(seat)
	}
	return id
}

func (t teller) unit(id string) string {
	if u, ok := t.sc.unitByID(id); ok {
		return t.sc.unitName(u)
	}
	return id
}

func (t teller) hex(id string) string {
	if at, err := t.sc.board.ByID(id); err == nil && t.sc.names[at] != "" {
		return t.sc.names[at]
	}
	return id
}

func (teller) rolled(e *toyv1.AttackRolled) rules.Text {
	result := "?"
	if r := e.GetResult(); r > 0 && int(r) < len(resultKeys) {
		result = resultKeys[r]
	}
	return rules.Say("told.rolled", "roll", e.GetRoll(), "modifier", e.GetModifier(), "result", result)
}

func (t teller) revealed(e *toyv1.PlanRevealed) rules.Text {
	key := "told.plan_held"
	if e.GetPoints() == 0 {
		key = "told.plan_lost"
	}
	return rules.Say(key, "seat", t.seat(e.GetSeat()), "hex", t.hex(e.GetHex()), "points", e.GetPoints())
}

func seatsOf(ids []string) rules.Seats {
	var seats rules.Seats
	for _, id := range ids {
		if seat, ok := about.SeatByID(id); ok {
			seats |= rules.SeatsOf(seat)
		}
	}
	return seats
}

// endText says how the game ended.
func endText(winners rules.Seats, level string) rules.Text {
	winner := "-"
	for seat := range winners.Each {
		winner = seatText(seat)
	}
	return rules.Say("end."+level, "seat", winner)
}
