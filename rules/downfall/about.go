package downfall

import (
	"slices"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// about is what the ruleset says about itself.
var about = &rules.About{
	Name: "downfall",
	Title: rules.Words{En: "Downfall: If the US Invaded Japan, 1945",
		Ja: "ダウンフォール作戦: 1945年アメリカ軍の日本侵攻"},
	Description: rules.Words{
		En: "A duel that history was spared: the United States lands on southern Kyushu in November 1945. " +
			"One side has two armies, naval guns and atomic bombs, " +
			"the other has hidden its divisions in the hills. Two players, secret plans, an evening.",
		Ja: "実現しなかった戦い、1945年11月のアメリカ軍の九州南部上陸。一方は二個軍と艦砲と原子爆弾を持ち、他方は山地に師団を隠しています。" +
			"2人用、秘密の計画、一晩で遊べます。",
	},
	Version: 3,
	Seats: []rules.SeatInfo{
		US:    {ID: seatIDs[US], Key: "seat.us", Color: "#5b7f4d"},
		Japan: {ID: seatIDs[Japan], Key: "seat.japan", Color: "#b5453c"},
	},
	Options:     append(slices.Clone(optionList), bidOption),
	Commands:    kinds.List(),
	Phases:      turnPhases(),
	PhaseKey:    "phase.",
	Standing:    rules.Standing{Kind: "standing", Usual: "standing all usual", None: "standing all -"},
	Rulebook:    rulebook(),
	Readings:    readings,
	Catalogue:   catalogue,
	CommandType: &downfallv1.Command{}, EventType: &downfallv1.Event{},
	SchemaVersion: 1,
}
