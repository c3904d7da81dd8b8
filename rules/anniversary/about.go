package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// about is what the ruleset says of itself.
var about = &rules.About{
	Name: "anniversary",
	Title: map[rules.Lang]string{
		rules.English: "Axis & Allies Anniversary Edition", rules.Japanese: "アクシス＆アライズ アニバーサリーエディション",
	},
	Description: map[rules.Lang]string{
		rules.English: "The Second World War on one map of the world, for two to six players. Six powers buy infantry, tanks, aircraft and ships with what " +
			"their territories earn, move, and fight with handfuls of dice; who holds enough victory cities at the end of a round has won.",
		rules.Japanese: "世界地図一枚で第二次世界大戦を戦う、2～6人用のゲーム。6つの国が領土の収入で歩兵・戦車・航空機・艦船を買い、動かし、サイコロで戦闘を決めます。" +
			"ラウンドの終わりに十分な数の勝利都市を押さえていれば勝ちです。",
	},
	Version:     3,
	Seats:       seatInfos,
	Seating:     seating,
	Options:     optionList,
	Commands:    kinds.List(),
	Phases:      turnPhases(),
	Rulebook:    rulebook(),
	Catalogue:   catalogue,
	CommandType: &anniversaryv1.Command{}, EventType: &anniversaryv1.Event{},
	SchemaVersion: 1,
}

// New is the ruleset.
func New() rules.Ruleset { return rules.Adapt[*Position, Command, *event](Referee{}) }

// About says what the ruleset is.
func (Referee) About() *rules.About { return about }

// ScenarioDocuments are the scenarios that come with the ruleset.
func (Referee) ScenarioDocuments() []rules.Document { return documents() }

// LoadScenario reads a scenario and reports everything that a game could trip over.
func (Referee) LoadScenario(doc []byte) (rules.Scenario, rules.Faults) {
	sc, faults := LoadScenario(doc)
	if sc == nil {
		return nil, faults
	}
	return sc, faults
}
