package anniversary

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// unitWords are friendlier words for types of unit, beside their ids and plurals.
var unitWords = [...]struct {
	word string
	unit Unit
}{
	{"inf", Infantry}, {"art", Artillery}, {"rtl", Artillery}, {"armor", Tank}, {"armour", Tank}, {"arm", Tank}, {"aa", AAGun}, {"aagun", AAGun},
	{"gun", AAGun}, {"flak", AAGun}, {"ic", Complex}, {"factory", Complex}, {"factories", Complex}, {"complex", Complex}, {"complexes", Complex},
	{"ftr", Fighter}, {"fig", Fighter}, {"bmb", Bomber}, {"bmr", Bomber}, {"bom", Bomber}, {"bb", Battleship}, {"cv", Carrier}, {"ac", Carrier},
	{"carrier", Carrier}, {"ca", Cruiser}, {"cr", Cruiser}, {"dd", Destroyer}, {"des", Destroyer}, {"ss", Submarine}, {"sub", Submarine},
	{"tt", Transport}, {"trn", Transport}, {"trans", Transport}, {"hull", Hull},
}

// unitLike finds a type of unit by something like its id; NoUnit if there is none.
func unitLike(w string) Unit {
	if w == "battleship-hull" {
		return Hull
	}
	bare := letters(w)
	for _, form := range [...]string{bare, strings.TrimSuffix(bare, "s"), strings.TrimSuffix(bare, "es")} {
		for u := range NumUnits {
			if letters(unitIDs[u]) == form {
				return u
			}
		}
		for _, f := range unitWords {
			if f.word == form {
				return f.unit
			}
		}
	}
	return NoUnit
}

// unit finds a type of unit.
func (s *speller) unit(w string) Unit {
	u := unitLike(w)
	if u == NoUnit || u == Hull && s.kind != KindLose && s.kind != KindStanding {
		s.refuse(rules.Malformed("there is no unit %.40q", w).For(rules.ReasonUnknownPiece).About(kit.Clip(w)))
		return Infantry
	}
	return u
}

// lines takes lines of units: a number, or none for one, and a type with its power and variant, up to a word that is none of that.
func (s *speller) lines(c Command) Command {
	for len(s.words) > 0 && s.refusal == nil {
		if !isNumber(s.words[0]) && c.Len > 0 && unitLike(cutUnit(s.words[0])) == NoUnit {
			return c
		}
		it := line(Infantry, s.many())
		if s.kind == KindLose {
			it.Power = s.p.usualLoser()
		}
		if len(s.words) == 0 {
			break
		}
		it = s.marked(it, s.next("a unit"))
		if c.Len == MaxItems {
			s.malformed("more than %d lines of units", MaxItems)
			return c
		}
		c = c.with(it)
	}
	if c.Len == 0 {
		s.expected("a number and a unit")
	}
	return c
}

// cutUnit is the type in a word that says more of a unit.
func cutUnit(w string) string { return w[:strings.IndexAny(w+":", ":#@+")] }

// marked reads a type with what follows it: ":POWER", "#VARIANT", "@SPACE" and "+stays".
func (s *speller) marked(it Item, w string) Item {
	name := cutUnit(w)
	it.Unit = s.unit(name)
	for rest := w[len(name):]; rest != "" && s.refusal == nil; {
		sign := rest[0]
		end := 1 + strings.IndexAny(rest[1:]+":", ":#@+")
		word := rest[1:end]
		rest = rest[end:]
		switch {
		case sign == ':' && (s.kind == KindLose || s.kind == KindShip):
			it.Power = s.powerNamed(word)
		case sign == '#' && s.kind != KindShip && s.kind != KindBombard:
			n, err := strconv.ParseUint(word, 10, 32)
			if err != nil || n == 0 {
				s.malformed("which of the units is %.40q, expected a number from 1", word)
			}
			it.Variant = s.number(uint32(min(n, 1<<20)), maxNumber, "which of the units")
		case sign == '@' && (s.kind == KindShip || s.kind == KindBombard):
			it.At = s.placeNamed(word)
		case sign == '+' && word == "stays" && s.kind == KindShip:
			it.Stays = true
		default:
			s.malformed("%.40q says something that this command has no place for", w)
		}
	}
	return it
}

// freight takes what transports have aboard.
func (s *speller) freight(c Command) Command {
	for len(s.words) > 0 && s.refusal == nil && unitLike(cutUnit(s.words[0])) != NoUnit {
		it := line(Infantry, 1)
		it.Power = s.p.acting
		if it = s.marked(it, s.next("a unit")); c.Len == MaxItems {
			s.malformed("more than %d units aboard", MaxItems)
			return c
		}
		c = c.with(it)
	}
	if c.Len == 0 {
		s.expected("a unit")
	}
	return c
}

// batteries takes ships with their sea zones.
func (s *speller) batteries(c Command) Command {
	if s.none() {
		return c
	}
	c = s.lines(c)
	for i := range c.items() {
		if c.Items[i].At == NoSpace && s.refusal == nil {
			s.malformed("%s needs its sea zone: %s@sz-5", c.Items[i].Unit.ID(), c.Items[i].Unit.ID())
		}
	}
	return c
}
