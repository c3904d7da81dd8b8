package anniversary

import "github.com/warledger/warledger/rules/kit"

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order of the contract.
const (
	KindNone Kind = iota
	KindResearch
	KindChart
	KindBuy
	KindRepair
	KindOrder
	KindMove
	KindShip
	KindDrop
	KindRaid
	KindJoin
	KindRecall
	KindEnd
	KindFight
	KindBomb
	KindRocket
	KindBombard
	KindSubmerge
	KindLose
	KindAnswer
	KindPress
	KindRetreat
	KindDivert
	KindPlace
	KindStanding
	KindConcede
	KindFightOn
	numKinds
)

// MaxItems is how many lines a command has at most.
const MaxItems = 8

// Command is what a seat asks for. Fields that its kind does not use are as in the command that [only] makes.
type Command struct {
	Kind Kind
	// Power whose units act: of moves and placements by the United States or China, of divert; the owner of ships.
	Power Power
	// N counts: researchers, the chart, markers, transports, bombers, fighters, submarines, or the entry to recall.
	N uint8
	// Yes: China first; agreed.
	Yes bool
	// From, Via and To are spaces of a move; a single space is To. Target is where cargo lands; From of
	// place is the complex.
	From, Via, To, Target Space
	// Len of the items.
	Len   uint8
	Items [MaxItems]Item
	// Orders of KindStanding.
	Orders *standing
}

// Item is a line of a command.
type Item struct {
	// Unit is the type; Hull for a battleship's first hit.
	Unit Unit
	// N counts them.
	N uint8
	// Power that they belong to: casualties and freight.
	Power Power
	// At is where freight is loaded, NoSpace if it is aboard; the sea zone of bombarding ships.
	At Space
	// Variant says which of those that differ, from 1 as the board numbers them; 0 takes those that
	// can do least otherwise.
	Variant uint8
	// Stays is freight that is not landed.
	Stays bool
}

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Power: NoPower, From: NoSpace, Via: NoSpace, To: NoSpace, Target: NoSpace}
}

// at makes a command that names one space.
func at(k Kind, s Space) Command {
	c := only(k)
	c.To = s
	return c
}

// with adds a line to a command.
func (c Command) with(it Item) Command {
	if c.Len < MaxItems {
		c.Items[c.Len] = it
		c.Len++
	}
	return c
}

// items are the lines of a command.
func (c *Command) items() []Item { return c.Items[:c.Len] }

// line is a number of units of a type.
func line(u Unit, n uint8) Item { return Item{Unit: u, N: n, Power: NoPower, At: NoSpace} }

// kinds is the table of commands. None gives or lends IPCs (AA 14.1.4).
var kinds = kit.Kinds[*phrase, Command]{
	KindResearch: {
		ID: "research", Answers: kit.Bits(AskResearch),
		Note:  "Buy researchers, or none; the dice follow.",
		Names: (*phrase).research,
	},
	KindChart: {
		ID: "chart", Field: "choose_chart", Answers: kit.Bits(AskChart),
		Note:  "Choose a breakthrough chart.",
		Names: (*phrase).chart,
	},
	KindBuy: {
		ID: "buy", Answers: kit.Bits(AskPurchase), Generating: true,
		Note:  "Buy units. The list has one unit at a time; a whole list of lines is accepted.",
		Names: (*phrase).units,
	},
	KindRepair: {
		ID: "repair", Answers: kit.Bits(AskPurchase), Generating: true,
		Note:  "Remove damage markers. The list has what 1 IPC repairs; any number is accepted.",
		Names: (*phrase).repair,
	},
	KindOrder: {
		ID: "order", Field: "choose_order", Answers: kit.Bits(AskOrder),
		Note:  "China or the United States first.",
		Names: (*phrase).order,
	},
	KindMove: {
		ID: "move", Answers: kit.Bits(AskMove, AskNoncombat), Generating: true,
		Note: "Move units. The list has one unit at a time, with a pair of tank and infantry for Mechanized " +
			"Infantry, and leaves out air moves to where there is nothing to fight; any group is accepted.",
		Names: (*phrase).move,
	},
	KindShip: {
		ID: "ship", Answers: kit.Bits(AskMove, AskNoncombat), Generating: true,
		Note: "Load, sail and land with transports that do alike. The list has one transport; in Combat Move " +
			"with one or two units that land, in Noncombat Move one step at a time: load a unit, sail, or " +
			"land. Whole plans are accepted.",
		Names: (*phrase).ship,
	},
	KindDrop: {
		ID: "drop", Answers: kit.Bits(AskMove), Generating: true,
		Note:  "Drop paratroopers. The list has one bomber.",
		Names: (*phrase).flight,
	},
	KindRaid: {
		ID: "raid", Field: "fly_raid", Answers: kit.Bits(AskMove), Generating: true,
		Note:  "Fly to raid a complex. The list has one bomber.",
		Names: (*phrase).flight,
	},
	KindJoin: {
		ID: "join", Answers: kit.Bits(AskMove), Generating: true,
		Note:  "Let fighters over a carrier take part in the combat there. The list has one.",
		Names: (*phrase).join,
	},
	KindRecall: {
		ID: "recall", Answers: kit.Bits(AskMove), Generating: true,
		Note:  "Take a combat move back. Listed only while the phase can't be ended as it stands.",
		Names: (*phrase).recall,
	},
	KindEnd: {
		ID: "end", Field: "end_phase", Answers: kit.Bits(AskPurchase, AskMove, AskCombat, AskNoncombat, AskMobilize),
		Note: "End the phase, or the step of Conduct Combat.",
	},
	KindFight: {
		ID: "fight", Answers: kit.Bits(AskCombat),
		Note:  "Fight the next combat.",
		Names: func(x *phrase, c *Command) { x.space("space", &c.To) },
	},
	KindBomb: {
		ID: "bomb", Answers: kit.Bits(AskCombat),
		Note:  "Carry out a raid.",
		Names: func(x *phrase, c *Command) { x.space("territory", &c.To) },
	},
	KindRocket: {
		ID: "rocket", Answers: kit.Bits(AskCombat),
		Note:  "Launch a rocket.",
		Names: (*phrase).way,
	},
	KindBombard: {
		ID: "bombard", Answers: kit.Bits(AskBombard),
		Note:  "Bombard with ships of each sea zone, or with none.",
		Names: (*phrase).bombard,
	},
	KindSubmerge: {
		ID: "submerge", Answers: kit.Bits(AskSubmerge),
		Note:  "Submerge so many submarines; the others strike.",
		Names: (*phrase).submerge,
	},
	KindLose: {
		ID: "lose", Answers: kit.Bits(AskLosses), Generating: true,
		Note:  "Choose casualties. The list has one at a time; a whole list is accepted.",
		Names: (*phrase).units,
	},
	KindAnswer: {
		ID: "answer", Answers: kit.Bits(AskAgree, AskConsent),
		Note:  "Agree, or not.",
		Names: (*phrase).answer,
	},
	KindPress: {
		ID: "press", Field: "press_on", Answers: kit.Bits(AskPress),
		Note: "Press on with the attack.",
	},
	KindRetreat: {
		ID: "retreat", Answers: kit.Bits(AskPress),
		Note:  "Break the attack off.",
		Names: (*phrase).retreat,
	},
	KindDivert: {
		ID: "divert", Answers: kit.Bits(AskDivert), Generating: true,
		Note:  "Land fighters of a lost carrier. The list has one.",
		Names: (*phrase).divert,
	},
	KindPlace: {
		ID: "place", Answers: kit.Bits(AskMobilize), Generating: true,
		Note:  "Put new units on the map. The list has one unit; groups are accepted.",
		Names: (*phrase).placing,
	},
	KindStanding: {
		ID: "orders", Field: "give_orders", Offer: true, Order: true, Generating: true,
		Note:  "Give standing orders in place of all that there were. Never listed.",
		Names: (*phrase).standing,
	},
	KindConcede: {
		ID: "concede", Offer: true,
		Note: "Give up. When every seat of a side has, the other side wins.",
	},
	KindFightOn: {
		ID: "fight-on", Field: "fight_on", Offer: true,
		Note: "No longer give up.",
	},
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return kinds.Answers(int(k), int(a)) }
