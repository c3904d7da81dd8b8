package toy

import "github.com/warledger/warledger/rules/kit"

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order in which commands are listed.
const (
	KindNone Kind = iota
	KindPlan
	KindMove
	KindAttack
	KindScout
	KindRally
	KindLose
	KindRetreat
	KindAdvance
	KindHold
	KindEnd
	KindDraw
	KindAccept
	KindConcede
	numKinds
)

// kinds says about each kind what its notation begins with, which question it answers, and what a command of it names.
var kinds = kit.Kinds[*phrase, Command]{
	KindPlan: {ID: "plan", Answers: kit.Bits(askPlan), Names: func(x *phrase, c *Command) { x.hex("hex", &c.Hex) }},
	KindMove: {ID: "move", Answers: kit.Bits(askAct), Names: func(x *phrase, c *Command) {
		x.unit("unit", &c.Unit)
		x.hex("to", &c.Hex)
	}},
	KindAttack: {ID: "attack", Answers: kit.Bits(askAct), Names: func(x *phrase, c *Command) {
		x.unit("unit", &c.Unit)
		x.target("target", &c.Target)
	}},
	KindScout: {ID: "scout", Answers: kit.Bits(askAct)},
	KindRally: {
		ID: "rally", Answers: kit.Bits(askAct), Generating: true,
		Note: "The list restores one step at a time; several at once come to the same.",
		Names: func(x *phrase, c *Command) {
			x.unit("unit", &c.Unit)
			x.steps("steps", &c.Steps)
		},
	},
	KindLose: {ID: "lose", Answers: kit.Bits(askLoss)},
	KindRetreat: {ID: "retreat", Answers: kit.Bits(askLoss),
		Names: func(x *phrase, c *Command) { x.hex("to", &c.Hex) }},
	KindAdvance: {ID: "advance", Answers: kit.Bits(askPursuit)},
	KindHold:    {ID: "hold", Answers: kit.Bits(askPursuit)},
	KindEnd:     {ID: "end", Answers: kit.Bits(askAct)},
	KindDraw:    {ID: "draw", Field: "offer_draw", Offer: true},
	KindAccept:  {ID: "accept", Field: "accept_draw", Offer: true},
	KindConcede: {ID: "concede", Offer: true},
}
