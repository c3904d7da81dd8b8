package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// about is what the ruleset says about itself.
var about = &rules.About{
	Name: "anniversary",
	Title: rules.Words{
		En: "Axis & Allies Anniversary Edition", Ja: "アクシス＆アライズ アニバーサリーエディション",
	},
	Description: rules.Words{
		En: "The Second World War on one map of the world, for two to six players. Six powers buy " +
			"infantry, tanks, aircraft and ships with what " +
			"their territories earn, move, and fight with handfuls of dice; who holds enough victory cities " +
			"at the end of a round has won.",
		Ja: "世界地図一枚で第二次世界大戦を戦う、2～6人用のゲーム。6つの国が領土の収入で歩兵・戦車・航空機・艦船を買い、動かし、サイコロで戦闘を決めます。" +
			"ラウンドの終わりに十分な数の勝利都市を押さえていれば勝ちです。",
	},
	Version:     3,
	Seats:       seatInfos,
	Seating:     seating,
	Options:     optionList,
	Commands:    kinds.List(),
	Phases:      turnPhases(),
	PhaseKey:    "phase.",
	Standing:    rules.Standing{Kind: "orders", None: "orders -"},
	Rulebook:    rulebook(),
	Readings:    readings,
	Catalogue:   catalogue,
	CommandType: &anniversaryv1.Command{}, EventType: &anniversaryv1.Event{},
	SchemaVersion: 1,
}

// seatInfos are the seats, by number; colours as the pieces suggest.
var seatInfos = []rules.SeatInfo{
	{ID: "germany", Side: "axis", Key: "seat.germany", Color: "#5a5a5a"},
	{ID: "japan", Side: "axis", Key: "seat.japan", Color: "#e6b937"},
	{ID: "italy", Side: "axis", Key: "seat.italy", Color: "#8a5a2b"},
	{ID: "soviet-union", Side: "allies", Key: "seat.soviet-union", Color: "#af2828"},
	{ID: "united-kingdom", Side: "allies", Key: "seat.united-kingdom", Color: "#c8a978"},
	{ID: "united-states", Side: "allies", Key: "seat.united-states", Color: "#4f7a28"},
}
