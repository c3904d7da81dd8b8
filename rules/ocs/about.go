package ocs

import (
	_ "embed"
	"slices"

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
	//go:embed messages/landing.tsv
	messagesLanding string
	//go:embed messages/option.tsv
	messagesOption string
	//go:embed messages/orders.tsv
	messagesOrders string
	//go:embed messages/forecast.tsv
	messagesForecast string
)

// catalogue has the messages of the ruleset in every language.
var catalogue = rules.MustCatalogue(messagesSequence + "\n" + messagesMovement + "\n" + messagesCombat + "\n" +
	messagesSupply + "\n" + messagesWorks + "\n" +
	messagesAir + "\n" + messagesSea + "\n" + messagesLanding + "\n" + messagesOption + "\n" +
	messagesOrders + "\n" + messagesForecast)

// about is what the ruleset says about itself.
var about = &rules.About{
	Name:  "ocs",
	Title: rules.Words{En: "Operational Combat Series", Ja: "オペレーショナル・コンバット・シリーズ"},
	Description: rules.Words{
		En: "Operations of the Second World War, division by division, in which supply decides: every " +
			"attack and every move of a tank is paid for with supply points that trucks, " +
			"trains and ships have to bring. Modes, reserves and a throw of dice for the " +
			"first move of each turn. Two " +
			"players, from an afternoon to many evenings.",
		Ja: "第二次世界大戦の作戦を師団ごとに描くシリーズ。補給がすべてを決めます。攻撃にも戦車の移動にも、トラック・鉄道・船で運んだ補給ポイントが要ります。" +
			"モード、予備、毎ターンの先攻を決めるサイコロ。2人用、半日から何晩もかかるものまで。",
	},
	Version: 6,
	Seats: []rules.SeatInfo{
		Blue: {ID: seatIDs[Blue], Key: "seat.blue", Color: "#35618e"},
		Red:  {ID: seatIDs[Red], Key: "seat.red", Color: "#a03c3c"},
	},
	Options:     append(slices.Clone(optionList), bidOf(Blue), bidOf(Red)),
	Commands:    kinds.List(),
	Phases:      segmentIDs(),
	PhaseKey:    "segment.",
	Standing:    rules.Standing{Kind: "orders", Usual: "orders order=usual value=2", None: "orders order=usual"},
	Rulebook:    rulebook(),
	Readings:    readings,
	Catalogue:   catalogue,
	CommandType: commandMessage, EventType: &ocsv1.Event{},
	SchemaVersion: 1,
}
