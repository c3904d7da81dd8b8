package anniversary

import (
	"strconv"
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules/kit"
)

// way is where a command leads from and to, in text joined by ">"; with the space on the way if there is one.
func (x *phrase) way(c *Command) {
	via := x.kind == KindMove || x.kind == KindShip
	switch x.Shape {
	case kit.Encode, kit.Decode:
		x.space("to", &c.To)
		if x.space("from", &c.From); via {
			x.maybeSpace("via", &c.Via)
		}
	case kit.Read:
		x.readWay(c)
	case kit.Usage:
		if x.Word("FROM>TO"); x.kind == KindMove {
			x.Suffix(" or FROM>VIA>TO")
		}
	case kit.Tell:
		x.tellWay(c)
	case kit.Write:
		way := orNone(x.p.sc.SpaceID(c.From)) + ">"
		if c.Via != NoSpace {
			way += x.p.sc.SpaceID(c.Via) + ">"
		}
		x.Word(way + x.p.sc.SpaceID(c.To))
	}
}

func (x *phrase) readWay(c *Command) {
	if !x.More() || !strings.Contains(x.Words[0], ">") {
		x.Expected("a way FROM>TO")
		return
	}
	parts := strings.Split(x.Next("a way"), ">")
	if len(parts) > 3 {
		x.Malformed("a way has %d spaces, expected 2 or 3", len(parts))
		return
	}
	c.From, c.To = x.placeNamed(parts[0]), x.placeNamed(parts[len(parts)-1])
	if len(parts) == 3 {
		c.Via = x.placeNamed(parts[1])
	}
}

// of is whose units a command is about, left out of the text if it is the power that goes without saying.
func (x *phrase) of(field string, w *Power, unsaid Power) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, int(protoPower(*w)))
	case kit.Decode:
		*w = x.power(anniversaryv1.Power(x.Get(field).Enum()))
	case kit.Read:
		if *w = unsaid; !x.Has("of") {
			return
		}
		if *w = NoPower; !x.None() {
			*w = x.powerNamed(x.Next("a power"))
		}
	case kit.Usage:
		x.Word("[of POWER]")
	case kit.Write:
		if *w != unsaid {
			x.Word("of")
			x.Word(orNone(w.ID()))
		}
	}
}

// power reads a power, NoPower if it is not given.
func (x *phrase) power(w anniversaryv1.Power) Power {
	if w < 0 || w > anniversaryv1.Power(NumPowers) {
		x.Malformed("there is no power %d", w)
		return NoPower
	}
	if w == 0 {
		return NoPower
	}
	return Power(w - 1)
}

// count is a number of units, at least one; text may name their type.
func (x *phrase) count(c *Command, u Unit) {
	switch x.Shape {
	case kit.Encode, kit.Decode:
		x.amount(&c.N)
	case kit.Read:
		if c.N = x.many(); x.More() && unitLike(x.Words[0]) == u {
			x.Next("a unit")
		}
	case kit.Tell:
		x.tellCount(c, u)
	default:
		x.Show("number", strconv.Itoa(int(c.N)))
	}
}

func (x *phrase) move(c *Command) {
	if x.Textual() {
		x.units(c)
	}
	x.way(c)
	x.of("power", &c.Power, NoPower)
	if !x.Textual() {
		x.units(c)
	}
}

// flight is a drop or a raid by bombers, or the landing of fighters.
func (x *phrase) flight(c *Command) {
	u := Bomber
	if x.kind == KindDivert {
		u = Fighter
	}
	if x.Textual() {
		x.count(c, u)
	}
	if x.way(c); !x.Textual() {
		x.count(c, u)
	}
}

func (x *phrase) divert(c *Command) {
	x.flight(c)
	x.of("power", &c.Power, NoPower)
}

func (x *phrase) join(c *Command) {
	if !x.Textual() {
		x.space("zone", &c.To)
	}
	if x.count(c, Fighter); x.Textual() {
		x.space("sea-zone", &c.To)
	}
}

// placing is new units, where they go, and through which complex if that is said.
func (x *phrase) placing(c *Command) {
	if !x.Textual() {
		x.space("space", &c.To)
		x.maybeSpace("through", &c.From)
		x.of("power", &c.Power, NoPower)
		x.units(c)
		return
	}
	x.units(c)
	if x.Shape == kit.Tell && c.From != c.To {
		x.space("through", &c.From)
	}
	x.space("space", &c.To)
	switch {
	case x.Shape == kit.Usage:
		x.Word("[through TERRITORY]")
	case x.Shape == kit.Write && c.From != NoSpace:
		x.Word("through")
		x.space("", &c.From)
	case x.Shape == kit.Read && x.Has("through"):
		x.maybeSpace("", &c.From)
	}
	x.of("power", &c.Power, NoPower)
}

// ship is a plan of transports. In text one that stays in its sea zone names it once, and what the acting power
// owns goes without saying.
func (x *phrase) ship(c *Command) {
	if !x.Textual() {
		x.way(c)
		x.of("owner", &c.Power, NoPower)
		x.count(c, Transport)
		x.maybeSpace("target", &c.Target)
		x.cargo(c)
		return
	}
	x.count(c, Transport)
	if x.Shape == kit.Tell {
		x.cargo(c)
		x.way(c)
		x.space("target", &c.Target)
		return
	}
	if x.Shape == kit.Write && c.From == c.To && c.Via == NoSpace ||
		x.Shape == kit.Read && x.More() && !strings.Contains(x.Words[0], ">") {
		x.space("", &c.To)
		c.From = c.To
	} else {
		x.way(c)
	}
	x.cargo(c)
	switch {
	case x.Shape == kit.Usage:
		x.Word("[land TERRITORY]")
	case x.Shape == kit.Write && c.Target != NoSpace:
		x.Word("land")
		x.space("", &c.Target)
	case x.Shape == kit.Read && x.Has("land", "unload"):
		x.space("", &c.Target)
	}
	x.of("owner", &c.Power, x.p.acting)
}

// cargo is what transports have aboard, or load.
func (x *phrase) cargo(c *Command) {
	switch x.Shape {
	case kit.Encode, kit.Decode:
		x.lines("freight", c)
	case kit.Read:
		if x.Has("with", "load", "carrying") {
			x.freight(c)
		}
	case kit.Usage:
		x.Word("[with UNIT@TERRITORY or UNIT...]")
	case kit.Tell:
		var ports SpaceSet
		for _, it := range c.items() {
			ports.Add(it.At)
		}
		x.Spaces(x.p.spaceIDs(ports)...)
		x.tellUnits(c)
	case kit.Write:
		if c.Len > 0 {
			x.Word("with")
		}
		for _, it := range c.items() {
			word := it.Unit.ID()
			if it.Power != x.p.acting {
				word += ":" + orNone(it.Power.ID())
			}
			if it.At != NoSpace {
				word += "@" + x.p.sc.SpaceID(it.At)
			}
			if it.Stays {
				word += "+stays"
			}
			x.Word(word)
		}
	}
}
