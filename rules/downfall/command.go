package downfall

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order of the contract.
const (
	KindNone Kind = iota
	KindPlace
	KindOrders
	KindPlan
	KindZones
	KindRemove
	KindBombs
	KindTarget
	KindBomb
	KindLosses
	KindSupply
	KindMove
	KindFollow
	KindEnter
	KindAttack
	KindConsecutive
	KindAlso
	KindDeclare
	KindLand
	KindCancel
	KindRecover
	KindRebuild
	KindStepUp
	KindDrop
	KindEnd
	KindSupport
	KindBombard
	KindShot
	KindHold
	KindRetreat
	KindStay
	KindAbort
	KindPress
	KindWithdraw
	KindAdvance
	KindEliminate
	KindConcede
	KindAccept
	KindDecline
	KindStanding
	numKinds
)

// Command is what a seat asks for. Lists are long and are written anew for each decision, so that it has half the
// size of a line of the processor's cache. What its fields mean depends on the kind; those that a kind does not use
// are zero, NoUnit or NoHex by none of them being looked at. A command is compared by its notation, since long
// moves hang on a pointer.
type Command struct {
	Kind Kind
	// Unit that acts, is shot at by a bombardment, or gets a step back.
	Unit Unit
	// Other is the target of a shot.
	Other Unit
	// Count: bombs declared, air markers committed or in support, mode of the 11th Division.
	Count uint8
	// Hex aimed at: destination, target of an attack or bomb, hex of a plan or of air supply; NoHex for none.
	Hex Hex
	// From is the hex of the attackers.
	From Hex
	// Units that take part, or that lose a step to a bomb.
	Units UnitSet
	// Detail is one thing more: the set of naval markers by bit, the zones of a deployment by zoneBits each, the turn
	// of a plan, the units that lose two steps to a bomb, or a standing order, whose choice is Count.
	Detail uint64
	// Routes are the units of a move or withdrawal with their ways, when there is more to say than Unit and Hex.
	Routes *[]Route
}

// turn is the turn of a plan.
func (c *Command) turn() int { return int(c.Detail) }

// twice are the units that lose two steps to a bomb.
func (c *Command) twice() UnitSet { return UnitSet(c.Detail) }

// Route is the way of one unit. A path of one hex is a destination: the cheapest way there is taken. A longer one
// begins with the hex that the unit is in. An empty one means that the unit has no place to go (withdrawals).
type Route struct {
	Unit Unit
	Path []Hex
}

// A zone takes so many bits of a deployment: eight zones at most, for at most maxNaval markers.
const (
	zoneBits = 3
	zoneMask = 1<<zoneBits - 1
)

// only makes a command of a kind that needs nothing else.
func only(k Kind) Command {
	return Command{Kind: k, Unit: NoUnit, Other: NoUnit, Hex: NoHex, From: NoHex}
}

// naming makes a command that names one unit.
func naming(k Kind, u Unit) Command {
	c := only(k)
	c.Unit = u
	return c
}

// aiming makes a command that names one unit and one hex.
func aiming(k Kind, u Unit, h Hex) Command {
	c := only(k)
	c.Unit, c.Hex = u, h
	return c
}

// Which seat may use a kind, where the question is put to both.
var (
	onlyUS    = rules.SeatsOf(US)
	onlyJapan = rules.SeatsOf(Japan)
)

// kinds is the table of commands.
var kinds = kit.Kinds[*phrase, Command]{
	KindPlace: {
		ID: "place", Answers: kit.Bits(AskPlace36, AskMagic), Only: onlyJapan,
		Note: "Put a 36th Army unit into a hex, one after the other.",
		Names: func(x *phrase, c *Command) {
			x.unit("unit", &c.Unit)
			x.hex("hex", &c.Hex)
		},
	},
	KindOrders: {
		ID: "orders", Answers: kit.Bits(AskOrders), Only: onlyUS,
		Note: "Secret orders to the 11th Division: mode of arrival, drop plan, or no change. The question is put " +
			"at set-up and at the end of each US phase, so the answer tells nothing.",
		Names: (*phrase).orders,
	},
	KindPlan: {
		ID: "plan", Answers: kit.Bits(AskPlan), Only: onlyUS,
		Note: "Secret plan of the IX Corps landing.",
		Names: func(x *phrase, c *Command) {
			x.hex("hex", &c.Hex)
			number(x, "turn", &c.Detail, scenario.MaxTurns, "the turn")
		},
	},
	KindZones: {
		ID: "zones", Answers: kit.Bits(AskZones), Only: onlyUS, Generating: true,
		Note: "A zone for every naval marker. Markers of one nation are alike, so the list has them in the order " +
			"of the zones; any order is accepted.",
		Names: (*phrase).zones,
	},
	KindRemove: {
		ID: "remove", Answers: kit.Bits(AskRemove), Only: onlyJapan, Generating: true,
		Note: "Naval markers to remove. Of markers in one zone the list takes those with the lowest numbers; any " +
			"are accepted.",
		Names: func(x *phrase, c *Command) { x.markers("markers", &c.Detail) },
	},
	KindBombs: {
		ID: "bombs", Answers: kit.Bits(AskBombs), Only: onlyUS,
		Note:  "Declare the number of atomic bombs of the turn.",
		Names: (*phrase).bombs,
	},
	KindTarget: {
		ID: "target", Answers: kit.Bits(AskTarget), Only: onlyUS,
		Note:  "Put the next bomb on a hex or a unit in the AV Box.",
		Names: (*phrase).aim,
	},
	KindBomb: {
		ID: "bomb", Answers: kit.Bits(AskBomb), Only: onlyUS,
		Note:  "Explode one of the bombs placed.",
		Names: (*phrase).aim,
	},
	KindLosses: {
		ID: "losses", Answers: kit.Bits(AskLosses), Only: onlyUS,
		Note:  "Distribute the losses of a bomb.",
		Names: (*phrase).losses,
	},
	KindSupply: {
		ID: "supply", Answers: kit.Bits(AskAirSupply), Only: onlyUS,
		Note:  "Place air supply in a hex, or none.",
		Names: func(x *phrase, c *Command) { x.maybe("hex", func() { x.hex("hex", &c.Hex) }) },
	},
	KindMove: {
		ID: "move", Answers: kit.Bits(AskActions), Generating: true,
		Note: "Move units of one hex for 1 CP. The list has single units with their destinations; the rest of " +
			"the stack follows by `follow` without paying again. Groups, explicit paths and moves that end " +
			"where they began are accepted too.",
		Names: (*phrase).ways,
	},
	KindFollow: {
		ID: "follow", Answers: kit.Bits(AskActions), Generating: true,
		Note: "Move a further unit of the stack that was paid for last. The list has destinations; explicit " +
			"paths are accepted.",
		Names: (*phrase).ways,
	},
	KindEnter: {
		ID: "enter", Answers: kit.Bits(AskActions), Generating: true,
		Note: "Bring a unit onto the map. For the 56th Army the list has destinations; explicit paths from an " +
			"entry hex are accepted.",
		Names: (*phrase).ways,
	},
	KindAttack: {
		ID: "attack", Answers: kit.Bits(AskActions), Generating: true,
		Note: "Attack an adjacent hex. Of naval markers in one zone the list takes the one with the lowest " +
			"number; any is accepted.",
		Names: (*phrase).attack,
	},
	KindConsecutive: {
		ID: "consecutive", Answers: kit.Bits(AskActions),
		Note: "Begin to declare a consecutive attack by its target and first attack; `also` adds attacks and " +
			"`declare` ends the declaration.",
		Names: (*phrase).consecutive,
	},
	KindAlso: {
		ID: "also", Answers: kit.Bits(AskDeclare),
		Note:  "Add an attack to the consecutive attack that is being declared.",
		Names: (*phrase).attackers,
	},
	KindDeclare: {
		ID: "declare", Answers: kit.Bits(AskDeclare), Generating: true,
		Note: "Declare the consecutive attack, pay for it and, for the US, commit support markers. Naval markers " +
			"as for `attack`.",
		Names: (*phrase).committed,
	},
	KindLand: {
		ID: "land", Answers: kit.Bits(AskActions), Only: onlyUS, Generating: true,
		Note:  "Land IX Corps as planned. Naval markers as for `attack`.",
		Names: (*phrase).maybeSupport,
	},
	KindCancel: {
		ID: "cancel", Answers: kit.Bits(AskActions), Only: onlyUS,
		Note: "Cancel the IX Corps landing and show its plan.",
	},
	KindRecover: {
		ID: "recover", Answers: kit.Bits(AskActions), Only: onlyUS,
		Note:  "Recover a division's step.",
		Names: (*phrase).oneUnit,
	},
	KindRebuild: {
		ID: "rebuild", Answers: kit.Bits(AskActions), Only: onlyUS,
		Note:  "Rebuild an eliminated unit in the Holding Box.",
		Names: (*phrase).oneUnit,
	},
	KindStepUp: {
		ID: "stepup", Answers: kit.Bits(AskActions), Only: onlyUS,
		Note:  "Turn a reduced division in the Holding Box to full.",
		Names: (*phrase).oneUnit,
	},
	KindDrop: {
		ID: "drop", Answers: kit.Bits(AskActions), Only: onlyUS,
		Note: "Drop the 11th Division as planned.",
	},
	KindEnd: {
		ID: "end", Answers: kit.Bits(AskActions, AskMagic),
		Note: "End the phase.",
	},
	KindSupport: {
		ID: "support", Answers: kit.Bits(AskSupport), Only: onlyUS, Generating: true,
		Note:  "Support a combat, or leave it without. Naval markers as for `attack`.",
		Names: (*phrase).maybeSupport,
	},
	KindBombard: {
		ID: "bombard", Answers: kit.Bits(AskBombard), Only: onlyUS,
		Note: "Fire the preparatory bombardment at a unit, or don't.",
		Names: func(x *phrase, c *Command) {
			shot := x.Called("target", "unit")
			x.maybe(shot, func() { x.unit(shot, &c.Unit) })
		},
	},
	KindShot: {
		ID: "shot", Answers: kit.Bits(AskFire),
		Note: "Fire a shot at a unit.",
		Names: func(x *phrase, c *Command) {
			x.unit("shooter", &c.Unit)
			x.unit("target", &c.Other)
		},
	},
	KindHold: {
		ID: "hold", Answers: kit.Bits(AskFire),
		Note: "Decline the remaining shots of the unit that fired last.",
	},
	KindRetreat: {
		ID: "retreat", Answers: kit.Bits(AskBreak), Only: onlyUS,
		Note:  "Declare a retreat and say which unit gets a step back.",
		Names: (*phrase).oneUnit,
	},
	KindStay: {
		ID: "stay", Answers: kit.Bits(AskBreak), Only: onlyUS,
		Note: "Stay in the hex.",
	},
	KindAbort: {
		ID: "abort", Answers: kit.Bits(AskBreak), Only: onlyUS,
		Note:  "Abort the attack and say which unit gets a step back.",
		Names: (*phrase).oneUnit,
	},
	KindPress: {
		ID: "press", Answers: kit.Bits(AskBreak), Only: onlyUS,
		Note: "Go on with the attack.",
	},
	KindWithdraw: {
		ID: "withdraw", Answers: kit.Bits(AskWithdraw), Only: onlyUS,
		Note:  "Say where each retreating unit goes.",
		Names: (*phrase).withdraw,
	},
	KindAdvance: {
		ID: "advance", Answers: kit.Bits(AskAdvance),
		Note:  "Say which attackers advance; none may.",
		Names: (*phrase).advance,
	},
	KindEliminate: {
		ID: "eliminate", Answers: kit.Bits(AskExcess),
		Note:  "Eliminate a unit of a stack that breaks the limits.",
		Names: (*phrase).oneUnit,
	},
	KindConcede: {
		ID: "concede", Offer: true,
		Note: "Offer to give the game up.",
	},
	KindAccept: {
		ID: "accept", Offer: true,
		Note: "Accept that the opponent gives up.",
	},
	KindDecline: {
		ID: "decline", Offer: true,
		Note: "Decline that the opponent gives up.",
	},
	KindStanding: {
		ID: "standing", Offer: true, Order: true, Generating: true,
		Note: "Give a standing order, or take it back, at any time. Listed only if asked for by kind: for the whole " +
			"game and for the hex of the combat; any hex and own units are accepted.",
		Names: (*phrase).standing,
	},
}

// answers reports whether commands of a kind answer a question.
func (k Kind) answers(a Ask) bool { return kinds.Answers(int(k), int(a)) }
