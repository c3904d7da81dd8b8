package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// about is what the ruleset says of itself.
var about = &rules.About{
	Name:    "downfall",
	Title:   map[rules.Lang]string{rules.English: "Downfall: If the US Invaded Japan, 1945", rules.Japanese: "ダウンフォール作戦: 1945年アメリカ軍の日本侵攻"},
	Version: 1,
	Seats: []rules.SeatInfo{
		US:    {ID: seatIDs[US], Key: "seat.us", Color: "#5b7f4d"},
		Japan: {ID: seatIDs[Japan], Key: "seat.japan", Color: "#b5453c"},
	},
	Options:     optionList,
	Commands:    commandKinds(),
	Phases:      turnPhases(),
	Rulebook:    rulebook(),
	Catalogue:   catalogue,
	CommandType: &downfallv1.Command{}, EventType: &downfallv1.Event{},
	SchemaVersion: 1,
}

// commandKinds lists the kinds in the order of the contract.
func commandKinds() []rules.CommandKind {
	var list []rules.CommandKind
	for k := KindPlace; k < numKinds; k++ {
		list = append(list, rules.CommandKind{ID: kinds[k].id, Offer: kinds[k].offer, Generating: kinds[k].generating, Note: kinds[k].note})
	}
	return list
}
