package toy

import (
	"strconv"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Command is what a seat asks for. Fields that its kind does not use are zero.
type Command struct {
	Kind         Kind
	Unit, Target Unit
	Hex          hex.Index
	Steps        uint8
}

// phrase is a command on its way into a message, text or words, or out of them.
type phrase struct {
	kit.Phrase
	p *State
}

// grammar takes commands into their messages and their notation, and out of them.
var grammar = kit.Grammar[*State, *phrase, Command]{
	About:  about,
	Kinds:  kinds,
	Kind:   func(c *Command) int { return int(c.Kind) },
	Make:   func(kind int) Command { return Command{Kind: Kind(kind)} },
	Phrase: func(p *State, x kit.Phrase) *phrase { return &phrase{x, p} },
}

// Grammar is the grammar of commands, the same in every position.
func (*State) Grammar() *kit.Grammar[*State, *phrase, Command] { return &grammar }

// Describe says what a command does and touches.
func (p *State) Describe(_ rules.Seat, c Command) rules.Description {
	d := rules.Description{Kind: kinds.ID(int(c.Kind)), Forgoes: c.Kind == KindEnd}
	d.Label.Key = "do." + d.Kind
	switch c.Kind {
	case KindLose, KindRetreat, KindAdvance, KindHold:
		p.describeReply(c, &d)
		return d
	case KindRally:
		d.Cost = rules.Say("cost.supply", "n", int(c.Steps))
	}
	grammar.Tell(p, c, &d)
	return d
}

// describeReply describes an answer within an attack. Without one it is described without units.
func (p *State) describeReply(c Command, d *rules.Description) {
	f := p.attack()
	if f == nil {
		kit.Add(&d.Label, "unit", "-", "to", "-")
		return
	}
	u, to := f.target, hex.None
	switch c.Kind {
	case KindRetreat:
		to = c.Hex
	case KindAdvance:
		u, to = f.unit, f.vacated
	case KindHold:
		u = f.unit
	}
	kit.Add(&d.Label, "unit", p.name(u), "to", p.hexID(to))
	d.Pieces = []string{p.id(u)}
	if to != hex.None {
		d.Spaces = []string{p.hexID(to)}
	}
}

// unit is a unit that acts.
func (x *phrase) unit(field string, u *Unit) {
	if x.target(field, u); x.Shape == kit.Tell {
		x.Told.Pieces, x.Told.Spaces = []string{x.p.id(*u)}, nil
	}
}

// target is a unit that something is done to, where it is.
func (x *phrase) target(field string, u *Unit) {
	switch x.Shape {
	case kit.Decode, kit.Read:
		id := x.Take(field)
		found, ok := x.p.sc.unitByID(id)
		if *u = found; !ok {
			x.Refuse(rules.Malformed("the scenario has no unit %.40q", id).For(rules.ReasonUnknownPiece).About(id))
		}
	case kit.Tell:
		x.Arg(field, x.p.name(*u))
		if at := x.p.units[*u].at; at != hex.None {
			x.Spaces(x.p.hexID(at))
		}
	default:
		x.Give(field, x.p.id(*u))
	}
}

// hex is a hex of the map.
func (x *phrase) hex(field string, at *hex.Index) {
	switch x.Shape {
	case kit.Decode, kit.Read:
		id := x.Take(field)
		found, err := x.p.sc.board.ByID(id)
		if *at = found; err != nil {
			x.Refuse(rules.Malformed("%v", err).For(rules.ReasonUnknownSpace).At(id))
		}
	case kit.Tell:
		x.Arg(field, x.p.hexID(*at))
		x.Spaces(x.p.hexID(*at))
	default:
		x.Give(field, x.p.hexID(*at))
	}
}

// steps is a number of steps, from 1.
func (x *phrase) steps(field string, n *uint8) {
	switch x.Shape {
	case kit.Decode, kit.Read:
		got, err := strconv.ParseUint(x.Take(field), 10, 64)
		if err != nil {
			got = 0
		}
		if *n = uint8(got); got < 1 || got > maxSteps {
			x.Malformed("steps must be 1 to %d, not %d", maxSteps, got)
		}
	case kit.Encode:
		x.Put(field, int(*n))
	case kit.Tell:
		x.Arg(field, int(*n))
	default:
		x.Show(field, strconv.Itoa(int(*n)))
	}
}
