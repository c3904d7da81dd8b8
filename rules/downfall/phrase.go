package downfall

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// The notation of a command is its kind and what it names, on one line. Hexes are their numbers, units their ids, "-"
// is none; a way is its hexes joined by "-", a single one being a destination; a unit that loses two steps to a bomb
// has ":2"; support is "+air" and "+naval" with the number of the marker.
//
//	place jp-36a-81-div 3013            orders airborne 2514 22           plan 2417 5
//	zones limousine limousine roadstar town-car                           remove 1 3
//	bombs 2                             target 2819                       losses jp-5-tk jp-25-div:2
//	supply 2621                         supply -
//	move us-i-25 2619                   move us-i-25 2621-2620 us-i-33 2620
//	follow us-i-33 2620                 enter jp-56a-57-div 3610-3510
//	attack 2621 2721 us-i-25 us-i-art +air +naval2
//	consecutive 2819 2719 us-i-25       also 2820 us-i-33                 declare +air1 +naval2 +naval3
//	land +naval1                        support -                         bombard jp-25-div
//	shot jp-25-div us-i-25              retreat us-i-25                   withdraw 2620
//	withdraw us-i-25 2620 us-i-33 -     advance us-i-25 us-i-33           advance -

// Limits of what is read of a command.
const (
	maxCommand = 4096 // bytes of its notation
	maxPath    = 64   // hexes of a path: no unit has more movement factors
)

// aliases are friendlier first words.
var aliases = map[string]Kind{
	"pass": KindEnd, "done": KindEnd, "fire": KindShot, "shoot": KindShot, "airsupply": KindSupply,
	"air-supply": KindSupply,
	"naval":      KindZones, "step-up": KindStepUp, "recovery": KindRecover, "landing": KindLand, "resign": KindConcede,
}

// phrase is a command on its way into a shape or out of it, beside the position that has what it names.
type phrase struct {
	kit.Phrase
	p *Position
}

// grammar takes commands into their messages and their notation, and out of them.
var grammar = kit.Grammar[*Position, *phrase, Command]{
	About:  about,
	Kinds:  kinds,
	Kind:   func(c *Command) int { return int(c.Kind) },
	Make:   func(kind int) Command { return only(Kind(kind)) },
	Phrase: func(p *Position, x kit.Phrase) *phrase { return &phrase{x, p} },
}

// Grammar is the grammar of commands, the same in every position.
func (*Position) Grammar() *kit.Grammar[*Position, *phrase, Command] { return &grammar }

// formatCommand writes a command in the notation.
func (p *Position) formatCommand(c Command) string { return grammar.Format(p, c) }

// parseCommand reads the notation of a command, in any case and spacing. Beside the spelling of formatCommand it takes
// a unit's short text if only one unit of either side has it and the seat is plain, ways joined by ">" or ",", "none"
// for "-", and attacks without the hex that they come from.
func (p *Position) parseCommand(text string) (Command, *rules.Refusal) {
	if len(text) > maxCommand {
		return Command{}, rules.Malformed("a command of %d bytes, expected at most %d", len(text), maxCommand)
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return Command{}, rules.Malformed("expected a command, its kind first: move, attack, end, ...")
	}
	first := strings.ToLower(words[0])
	kind := kinds.Find(first)
	if k := aliases[first]; k != KindNone {
		kind = int(k)
	}
	if kind == 0 {
		return Command{}, rules.NoCommand(words[0], kinds.List())
	}
	return grammar.Parse(p, kind, words[1:])
}

// oneUnit is all that many commands name.
func (x *phrase) oneUnit(c *Command) { x.unit("unit", &c.Unit) }

// number is a number that must not be larger than hi.
func number[T ~uint8 | ~uint64](x *phrase, field string, n *T, hi int, what string) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, int(*n))
	case kit.Decode:
		*n = T(x.upTo(uint32(x.Get(field).Uint()), hi, what))
	case kit.Read:
		*n = T(x.int(hi, what))
	case kit.Tell:
		x.Arg(field, int(*n))
	default:
		x.Show(field, strconv.Itoa(int(*n)))
	}
}

// upTo checks a number.
func (x *phrase) upTo(n uint32, hi int, what string) uint8 {
	if n > uint32(hi) {
		x.Malformed("%s is %d, expected 0 to %d", what, n, hi)
		return 0
	}
	return uint8(n)
}

// int takes a number.
func (x *phrase) int(hi int, what string) uint8 {
	n, _ := x.Number(what)
	return x.upTo(n, hi, what)
}

// maybe is something that may be left out.
func (x *phrase) maybe(field string, name func()) {
	if x.Shape == kit.Read && x.More() && x.isUnit(x.Words[0]) || !x.Absent(field) {
		name()
	}
	x.Suffix(" or -")
}

// none takes a word that means none.
func (x *phrase) none() bool { return x.More() && !x.isUnit(x.Words[0]) && x.None() }

// unit is a unit; "-" stands for none where none is said.
func (x *phrase) unit(field string, u *Unit) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, x.p.id(*u))
	case kit.Decode:
		*u = x.unitID(x.Get(field).String())
	case kit.Read:
		*u = x.unitWord()
	case kit.Tell:
		x.Arg(field, x.p.name(*u))
		x.Pieces(x.p.unitIDs(*u)...)
	default:
		x.Show(field, x.p.idOrNone(*u))
	}
}

// idOrNone is the id of a unit, "-" for NoUnit.
func (p *Position) idOrNone(u Unit) string {
	if u == NoUnit {
		return "-"
	}
	return p.id(u)
}

// unitID reads the id of a unit.
func (x *phrase) unitID(id string) Unit {
	u, ok := x.p.tab.unit[id]
	switch {
	case id == "":
		x.Malformed("the command names no unit where it must")
	case !ok:
		x.Refuse(rules.Malformed("the scenario has no unit %.40q",
			id).For(rules.ReasonUnknownPiece).About(kit.Clip(id)))
	default:
		return u
	}
	return 0
}

func (x *phrase) isUnit(w string) bool { _, ok := x.findUnit(w); return ok }

// findUnit finds a unit by its id, in any case, or by a short text that it alone has.
func (x *phrase) findUnit(w string) (Unit, bool) {
	if u, ok := x.p.tab.unit[w]; ok {
		return u, true
	}
	found, n := NoUnit, 0
	for u := range x.p.sc.Units {
		info := &x.p.sc.Units[u]
		if strings.EqualFold(info.ID, w) {
			return Unit(u), true
		}
		if strings.EqualFold(info.Short, w) {
			found = Unit(u)
			n++
		}
	}
	return found, n == 1
}

// unitWord takes a unit.
func (x *phrase) unitWord() Unit {
	w := x.Next("a unit")
	if u, ok := x.findUnit(w); ok || x.Refusal != nil {
		return u
	}
	x.Refuse(rules.Malformed("the scenario has no unit %.40q, or more than one is called so", w).
		For(rules.ReasonUnknownPiece).About(kit.Clip(w)))
	x.Words = nil
	return 0
}

// units are units, none twice.
func (x *phrase) units(field string, s *UnitSet) {
	switch x.Shape {
	case kit.Encode:
		kit.PutAll(&x.Phrase, field, x.p.ids(*s))
	case kit.Decode:
		for _, id := range kit.All[string](&x.Phrase, field) {
			x.add(s, x.unitID(id))
		}
	case kit.Read:
		for x.Going() && !strings.HasPrefix(x.Words[0], "+") {
			x.add(s, x.unitWord())
		}
	case kit.Tell:
		x.Arg(field, x.p.names(*s))
		x.Pieces(x.p.ids(*s)...)
	case kit.Usage:
		x.Word("UNIT...")
	case kit.Write:
		for u := range s.Each {
			x.Word(x.p.id(u))
		}
	}
}

// add puts a unit into a set in which it must not be yet.
func (x *phrase) add(s *UnitSet, u Unit) {
	if x.Refusal == nil && s.Has(u) {
		x.Refuse(rules.Malformed("the unit %s is named twice", x.p.id(u)).About(x.p.id(u)))
	}
	*s |= bit(u)
}

// hex is a hex; "-" stands for none where none is said.
func (x *phrase) hex(field string, h *Hex) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, x.p.num(*h))
	case kit.Decode:
		*h = x.hexNumber(uint32(x.Get(field).Uint()))
	case kit.Read:
		*h = NoHex
		if w := x.Next("a hex"); x.Refusal == nil {
			*h = x.hexWord(w)
		}
	case kit.Tell:
		x.Arg(field, x.p.hexName(*h))
		x.Spaces(x.p.hexIDs(*h)...)
	default:
		x.Show(field, x.p.digits(*h))
	}
}

// hexNumber reads the number of a hex.
func (x *phrase) hexNumber(n uint32) Hex {
	h := x.p.tab.hexOf(n)
	if h == NoHex {
		x.Refuse(rules.Malformed("the map has no land hex %s", hexText(n)).For(rules.ReasonUnknownSpace).At(hexText(n)))
		return 0
	}
	return h
}

// hexWord reads a hex.
func (x *phrase) hexWord(w string) Hex {
	h, ok := hexByDigits(x.p, w)
	if !ok {
		x.Refuse(rules.Malformed("the map has no land hex %.40q", w).For(rules.ReasonUnknownSpace).At(kit.Clip(w)))
		return 0
	}
	return h
}
