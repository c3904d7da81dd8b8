package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// maxNumber is the largest number that a command can name: nobody moves, buys or loses more at once.
const maxNumber = 255

// decode reads the message of a command. It refuses what names no space, power or type of unit, has a number out of range, or more lines than a
// command has; whether the rules allow it is Check's business.
func (p *Position) decode(m *anniversaryv1.Command) (Command, *rules.Refusal) {
	d := decoder{p: p}
	c, known := d.economy(m)
	if !known {
		c, known = d.move(m)
	}
	if !known {
		c, known = d.combat(m)
	}
	if !known {
		c = only(bareKind(m))
	}
	if c.Kind == KindNone {
		return Command{}, rules.Malformed("the command has no kind")
	}
	if d.refusal != nil {
		return Command{}, d.refusal
	}
	return c, nil
}

// decoder reads ids and numbers from outside and keeps the first refusal.
type decoder struct {
	p       *Position
	refusal *rules.Refusal
}

func (d *decoder) refuse(r *rules.Refusal) {
	if d.refusal == nil {
		d.refusal = r
	}
}

func (d *decoder) malformed(format string, args ...any) { d.refuse(rules.Malformed(format, args...)) }

// space reads the id of a space that must be given.
func (d *decoder) space(id string) Space {
	if id == "" {
		d.refuse(rules.Malformed("the command names no space where it must").For(rules.ReasonUnknownSpace))
		return NoSpace
	}
	return d.maybe(id)
}

// maybe reads the id of a space, NoSpace if it is not given.
func (d *decoder) maybe(id string) Space {
	if id == "" {
		return NoSpace
	}
	s, ok := d.p.tab.space[id]
	if !ok {
		d.refuse(rules.Malformed("the map has no space %.40q", id).For(rules.ReasonUnknownSpace).At(kit.Clip(id)))
		return NoSpace
	}
	return s
}

// number reads a number that must not be larger than hi.
func (d *decoder) number(n uint32, hi int, what string) uint8 {
	if n > uint32(hi) {
		d.malformed("%s is %d, expected at most %d", what, n, hi)
		return 0
	}
	return uint8(n)
}

// count reads how many units there are, at least one.
func (d *decoder) count(n uint32) uint8 {
	if n == 0 {
		d.malformed("a number of units is 0, expected 1 to %d", maxNumber)
	}
	return d.number(n, maxNumber, "a number of units")
}

// unit reads a type of unit; a hull only where casualties are named.
func (d *decoder) unit(u anniversaryv1.Unit, hull bool) Unit {
	known := u >= 1 && u <= anniversaryv1.Unit(NumUnits) || u == anniversaryv1.Unit_UNIT_BATTLESHIP_HULL && hull
	if !known {
		d.refuse(rules.Malformed("there is no unit of type %d here", u).For(rules.ReasonUnknownPiece))
		return Infantry
	}
	return unitOf(u)
}

// power reads a power, NoPower if it is not given.
func (d *decoder) power(w anniversaryv1.Power) Power {
	switch {
	case w == anniversaryv1.Power_POWER_UNSPECIFIED:
		return NoPower
	case w < 0 || w > anniversaryv1.Power(NumPowers):
		d.malformed("there is no power %d", w)
		return NoPower
	}
	return Power(w - 1)
}

// lines checks how many lines a command has.
func (d *decoder) lines(n int) bool {
	if n > MaxItems {
		d.malformed("%d lines, expected at most %d", n, MaxItems)
	}
	return d.refusal == nil
}

// units reads lines of units.
func (d *decoder) units(c Command, list []*anniversaryv1.Units) Command {
	if len(list) == 0 {
		d.malformed("the command names no units")
	}
	if !d.lines(len(list)) {
		return c
	}
	for _, l := range list {
		it := line(d.unit(l.GetUnit(), false), d.count(l.GetCount()))
		it.Variant = d.number(l.GetVariant(), maxNumber, "the variant")
		c = c.with(it)
	}
	return c
}
