package anniversary

import (
	"strconv"
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// unitWords are friendlier words for types of unit, beside their ids and plurals.
var unitWords = map[string]Unit{
	"inf": Infantry, "art": Artillery, "rtl": Artillery, "armor": Tank, "armour": Tank, "arm": Tank, "aa": AAGun,
	"aagun": AAGun, "gun": AAGun, "flak": AAGun, "ic": Complex, "factory": Complex, "factories": Complex,
	"complex": Complex, "complexes": Complex, "ftr": Fighter, "fig": Fighter, "bmb": Bomber, "bmr": Bomber,
	"bom": Bomber, "bb": Battleship, "cv": Carrier, "ac": Carrier, "carrier": Carrier, "ca": Cruiser,
	"cr": Cruiser, "dd": Destroyer, "des": Destroyer, "ss": Submarine, "sub": Submarine, "tt": Transport,
	"trn": Transport, "trans": Transport, "hull": Hull,
}

// unitLike finds a type of unit by something like its id; NoUnit if none exists.
func unitLike(w string) Unit {
	if w == "battleship-hull" {
		return Hull
	}
	bare := letters(w)
	for _, form := range [...]string{bare, strings.TrimSuffix(bare, "s"), strings.TrimSuffix(bare, "es")} {
		for u := range NumUnits {
			if letters(scenario.UnitIDs[u]) == form {
				return u
			}
		}
		if u, ok := unitWords[form]; ok {
			return u
		}
	}
	return NoUnit
}

// unit finds a type of unit.
func (x *phrase) unit(w string) Unit {
	u := unitLike(w)
	if u == NoUnit || u == Hull && x.kind != KindLose && x.kind != KindStanding {
		x.Refuse(rules.Malformed("there is no unit %.40q", w).For(rules.ReasonUnknownPiece).About(kit.Clip(w)))
		return Infantry
	}
	return u
}

// readLines takes lines of units: a number, or none for one, and a type with its power and variant, up to any
// other word.
func (x *phrase) readLines(c *Command) {
	for len(x.Words) > 0 && x.Refusal == nil {
		if !isNumber(x.Words[0]) && c.Len > 0 && unitLike(cutUnit(x.Words[0])) == NoUnit {
			return
		}
		it := line(Infantry, x.many())
		if x.kind == KindLose {
			it.Power = x.p.usualLoser()
		}
		if len(x.Words) == 0 {
			break
		}
		it = x.marked(it, x.Next("a unit"))
		if c.Len == MaxItems {
			x.Malformed("more than %d lines of units", MaxItems)
			return
		}
		*c = c.with(it)
	}
	if c.Len == 0 {
		x.Expected("a number and a unit")
	}
}

// cutUnit is the type in a word that says more of a unit.
func cutUnit(w string) string { return w[:strings.IndexAny(w+":", ":#@+")] }

// marked reads a type with what follows it: ":POWER", "#VARIANT", "@SPACE" and "+stays".
func (x *phrase) marked(it Item, w string) Item {
	name := cutUnit(w)
	it.Unit = x.unit(name)
	for rest := w[len(name):]; rest != "" && x.Refusal == nil; {
		sign := rest[0]
		end := 1 + strings.IndexAny(rest[1:]+":", ":#@+")
		word := rest[1:end]
		rest = rest[end:]
		switch {
		case sign == ':' && (x.kind == KindLose || x.kind == KindShip):
			it.Power = x.powerNamed(word)
		case sign == '#' && x.kind != KindShip && x.kind != KindBombard:
			n, err := strconv.ParseUint(word, 10, 32)
			if err != nil || n == 0 {
				x.Malformed("which of the units is %.40q, expected a number from 1", word)
			}
			it.Variant = x.upTo(uint32(min(n, 1<<20)), maxNumber, "which of the units")
		case sign == '@' && (x.kind == KindShip || x.kind == KindBombard):
			it.At = x.placeNamed(word)
		case sign == '+' && word == "stays" && x.kind == KindShip:
			it.Stays = true
		default:
			x.Malformed("%.40q says something that this command has no place for", w)
		}
	}
	return it
}

// freight takes what transports have aboard.
func (x *phrase) freight(c *Command) {
	for len(x.Words) > 0 && x.Refusal == nil && unitLike(cutUnit(x.Words[0])) != NoUnit {
		it := line(Infantry, 1)
		it.Power = x.p.acting
		if it = x.marked(it, x.Next("a unit")); c.Len == MaxItems {
			x.Malformed("more than %d units aboard", MaxItems)
			return
		}
		*c = c.with(it)
	}
	if c.Len == 0 {
		x.Expected("a unit")
	}
}

// many takes a number of units; one if none is said.
func (x *phrase) many() uint8 {
	if x.More() && isNumber(x.Words[0]) {
		n, _ := x.Number("a number")
		got := x.upTo(n, maxNumber, "a number")
		if got == 0 {
			x.Malformed("a number of units is 0, expected 1 to %d", maxNumber)
		}
		return got
	}
	return 1
}

func isNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

// lines are the lines of a command in its message, each a message too.
func (x *phrase) lines(field string, c *Command) {
	m := x.Message
	if x.Shape == kit.Encode {
		list := m.Mutable(x.Field(field)).List()
		for i := range c.items() {
			x.Message = list.AppendMutable().Message()
			x.item(&c.Items[i])
		}
	} else if list := x.Get(field).List(); x.few(list.Len()) {
		for i := range list.Len() {
			it := line(Infantry, 1)
			x.Message = list.Get(i).Message()
			x.item(&it)
			*c = c.with(it)
		}
	}
	x.Message = m
}

// item is a line of a command in its message.
func (x *phrase) item(it *Item) {
	if x.Shape == kit.Encode {
		x.Put("unit", int(protoUnit(it.Unit)))
	} else {
		it.Unit = x.unitType(anniversaryv1.Unit(x.Get("unit").Enum()))
	}
	switch x.kind {
	case KindShip:
		x.of("power", &it.Power, NoPower)
		x.maybeSpace("from", &it.At)
		x.choice("stays", &it.Stays, [2]string{})
		return
	case KindBombard:
		x.space("zone", &it.At)
	case KindLose:
		x.of("power", &it.Power, NoPower)
	}
	if x.amount(&it.N); x.kind != KindBombard {
		x.number("variant", &it.Variant, maxNumber, "the variant", "")
	}
}

// amount is how many units a message says, at least one.
func (x *phrase) amount(n *uint8) {
	if x.number("count", n, maxNumber, "a number of units", ""); *n == 0 && x.Shape == kit.Decode {
		x.Malformed("a number of units is 0, expected 1 to %d", maxNumber)
	}
}

// units are lines of units that a command names, or of casualties.
func (x *phrase) units(c *Command) {
	field := "units"
	if x.kind == KindLose {
		field = "casualties"
	}
	switch x.Shape {
	case kit.Encode, kit.Decode:
		if x.lines(field, c); c.Len == 0 {
			x.Malformed("the command names no %s", field)
		}
	case kit.Read:
		x.readLines(c)
	case kit.Usage:
		x.Word("NUMBER UNIT...")
	case kit.Tell:
		x.tellUnits(c)
	case kit.Write:
		x.writeUnits(c)
	}
}

// few checks how many lines a command has.
func (x *phrase) few(n int) bool {
	if n > MaxItems {
		x.Malformed("%d lines, expected at most %d", n, MaxItems)
	}
	return x.Refusal == nil
}

// unitType reads a type of unit; a hull only where casualties are named.
func (x *phrase) unitType(u anniversaryv1.Unit) Unit {
	hull := u == anniversaryv1.Unit_UNIT_BATTLESHIP_HULL && (x.kind == KindLose || x.kind == KindStanding)
	if (u < 1 || u > anniversaryv1.Unit(NumUnits)) && !hull {
		x.Refuse(rules.Malformed("there is no unit of type %d here", u).For(rules.ReasonUnknownPiece))
		return Infantry
	}
	return unitOf(u)
}

// writeUnits writes lines of units; of casualties the power that loses units if no other is named goes without saying.
func (x *phrase) writeUnits(c *Command) {
	unsaid := NoPower
	if x.kind == KindLose {
		unsaid = x.p.usualLoser()
	}
	for _, it := range c.items() {
		x.Word(strconv.Itoa(int(it.N)))
		x.Word(it.word(unsaid))
	}
}

// word is the type of a line with its power and variant; the power that goes without saying is left out.
func (it Item) word(unsaid Power) string {
	word := it.Unit.ID()
	if it.Power != NoPower && it.Power != unsaid {
		word += ":" + orNone(it.Power.ID())
	}
	if it.Variant > 0 {
		word += "#" + strconv.Itoa(int(it.Variant))
	}
	return word
}

// usualLoser is the power whose casualties are meant if a command does not say.
func (p *Position) usualLoser() Power {
	if !p.battle.on() {
		return p.acting
	}
	return p.chooser(p.battle.stage)
}

// bombard are ships with their sea zones, or none.
func (x *phrase) bombard(c *Command) {
	switch x.Shape {
	case kit.Encode, kit.Decode:
		x.lines("batteries", c)
	case kit.Read:
		x.readBatteries(c)
	case kit.Usage:
		x.Word("NUMBER UNIT@SEA-ZONE... or -")
	case kit.Tell:
		x.tellUnits(c)
	case kit.Write:
		if c.Len == 0 {
			x.Word("-")
		}
		for _, it := range c.items() {
			x.Word(strconv.Itoa(int(it.N)))
			x.Word(it.Unit.ID() + "@" + x.p.sc.SpaceID(it.At))
		}
	}
}

func (x *phrase) readBatteries(c *Command) {
	if x.None() {
		return
	}
	x.readLines(c)
	for i := range c.items() {
		if c.Items[i].At == NoSpace {
			x.Malformed("%s needs its sea zone: %s@sz-5", c.Items[i].Unit.ID(), c.Items[i].Unit.ID())
		}
	}
}
