package toy

import (
	_ "embed"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
)

//go:embed rulebook.tsv
var rulebookTSV string

//go:embed rulebook.ja.tsv
var rulebookJapanese string

//go:embed messages.tsv
var messagesTSV string

// The seats.
const (
	Red rules.Seat = iota
	Blue
	numSeats
)

// Options.
const (
	optionLength  = "length"
	optionPursuit = "pursuit"
	lengthShort   = "short"
)

var about = &rules.About{
	Name:  "toy",
	Title: rules.Words{En: "Outpost", Ja: "前哨"},
	Description: rules.Words{
		En: "A small skirmish for learning the table: a few units, a river, an outpost to " +
			"hold. Two players, ten minutes.",
		Ja: "盤の使い方を覚えるための小さな戦い。数個の部隊、川、守るべき前哨。2人用、10分。",
	},
	Version: 1,
	Seats: []rules.SeatInfo{
		Red:  {ID: seatIDs[Red], Key: "seat.red", Color: "#b03030"},
		Blue: {ID: seatIDs[Blue], Key: "seat.blue", Color: "#3050b0"},
	},
	Options: []rules.Option{
		{ID: optionLength, Rule: "TY 3.2", Key: "option.length", Values: []string{"scenario", lengthShort}},
		rules.Flag(optionPursuit, "TY 5.5"),
	},
	Commands:  kinds.List(),
	Phases:    []string{phaseNames[PhasePlan], phaseNames[PhaseAct]},
	Rulebook:  rules.MustRulebook(rulebookTSV).MustJapanese(rulebookJapanese, ""),
	Catalogue: rules.MustCatalogue(messagesTSV),

	CommandType:   &toyv1.Command{},
	EventType:     &toyv1.Event{},
	SchemaVersion: 1,
}

// seatText is a reference to the name of a seat, for texts.
func seatText(seat rules.Seat) string { return "@" + about.Seats[seat].Key }

// rival is the other seat.
func rival(seat rules.Seat) rules.Seat { return Blue - seat }
