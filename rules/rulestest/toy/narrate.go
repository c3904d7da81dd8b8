package toy

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// teller tells events by the catalogue. What the scenario does not have is called by its id.
var teller = kit.NewTeller(about.Catalogue, &toyv1.Event{}, kit.Tellings[*Scenario]{
	Fields: map[string]func(*Scenario, protoreflect.Value) any{
		"seat": func(_ *Scenario, v protoreflect.Value) any { return tellSeat(v.String()) },
		"unit": tellUnit, "target": tellUnit, "hex": tellHex, "from": tellHex, "to": tellHex,
	},
	Facts: map[string]func(*Scenario, proto.Message, *rules.Text){
		"game_ended": func(_ *Scenario, m proto.Message, t *rules.Text) {
			e := m.(*toyv1.GameEnded)
			*t = endText(seatsOf(e.GetWinners()), e.GetLevel())
		},
	},
})

func tellSeat(id string) string {
	if seat, ok := about.SeatByID(id); ok {
		return seatText(seat)
	}
	return id
}

func tellUnit(sc *Scenario, v protoreflect.Value) any {
	if u, ok := sc.unitByID(v.String()); ok {
		return sc.units[u].Name
	}
	return v.String()
}

func tellHex(sc *Scenario, v protoreflect.Value) any {
	if at, err := sc.board.ByID(v.String()); err == nil && sc.names[at] != "" {
		return sc.names[at]
	}
	return v.String()
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
