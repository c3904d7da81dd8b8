package ocs

import (
	_ "embed"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// The messages of the chapters, which are one catalogue.
var (
	//go:embed messages/sequence.tsv
	messagesSequence string
	//go:embed messages/movement.tsv
	messagesMovement string
	//go:embed messages/combat.tsv
	messagesCombat string
	//go:embed messages/supply.tsv
	messagesSupply string
	//go:embed messages/works.tsv
	messagesWorks string
	//go:embed messages/air.tsv
	messagesAir string
	//go:embed messages/sea.tsv
	messagesSea string
	//go:embed messages/option.tsv
	messagesOption string
)

// catalogue has the messages of the ruleset in every language.
var catalogue = rules.MustCatalogue(messagesSequence + "\n" + messagesMovement + "\n" + messagesCombat + "\n" + messagesSupply + "\n" + messagesWorks + "\n" +
	messagesAir + "\n" + messagesSea + "\n" + messagesOption)

// about is what the ruleset says of itself.
var about = &rules.About{
	Name:    "ocs",
	Title:   map[rules.Lang]string{rules.English: "Operational Combat Series", rules.Japanese: "オペレーショナル・コンバット・シリーズ"},
	Version: 1,
	Seats: []rules.SeatInfo{
		Blue: {ID: seatIDs[Blue], Key: "seat.blue", Color: "#35618e"},
		Red:  {ID: seatIDs[Red], Key: "seat.red", Color: "#a03c3c"},
	},
	Options:     optionList,
	Commands:    commandKinds(),
	Phases:      segmentIDs(),
	Rulebook:    rulebook(),
	Catalogue:   catalogue,
	CommandType: commandMessage, EventType: &ocsv1.Event{},
	SchemaVersion: 1,
}
