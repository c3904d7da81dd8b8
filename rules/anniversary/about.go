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
	Version:     1,
	Seats:       seatInfos,
	Seating:     seating,
	Options:     optionList,
	Commands:    commandKinds(),
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
