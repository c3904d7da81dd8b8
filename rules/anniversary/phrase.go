package anniversary

import (
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// The notation of a command is its kind and what it names, on one line. Spaces, powers and types of unit are
// their ids; a way is its spaces joined by ">"; "-" is none. A unit has its power after ":" and which of those
// that differ after "#".
//
//	research 2                          chart 1                            buy 5 infantry 2 tank
//	repair germany 2                    order china                        place 3 infantry 1 tank germany
//	place 1 destroyer sz-5 through germany                                 place 2 infantry yunnan of china
//	move 3 infantry 1 artillery germany>poland                             move 1 tank poland>east-poland>ukraine
//	move 1 fighter#2 sz-7>norway        move 1 infantry yunnan>hupeh of china
//	ship 1 sz-6>sz-5 with tank@united-kingdom infantry land norway         ship 2 sz-6>sz-5 of italy
//	ship 1 sz-5 with infantry:italy+stays artillery land france
//	drop 1 germany>karelia-ssr          raid 2 germany>united-kingdom      join 1 sz-5
//	recall 3                            divert 1 sz-5>japan of japan       end
//	fight poland                        bomb germany                       rocket germany>united-kingdom
//	bombard 1 battleship@sz-5 2 cruiser@sz-7                               bombard -
//	submerge 2                          lose 2 infantry 1 fighter:japan#2  lose 1 battleship-hull
//	answer yes                          press                              retreat poland
//	retreat -                           concede                            fight-on
//	orders losses infantry,artillery retreat 50 submarines strike bombard divert agree carriers never transports ask

// Limits of what is read of a command.
const (
	maxCommand = 2048 // bytes of its notation
	maxNumber  = 255  // nobody moves, buys or loses more at once
)

// aliases are friendlier first words.
var aliases = map[string]Kind{
	"pass": KindEnd, "done": KindEnd, "purchase": KindBuy, "build": KindPlace, "mobilize": KindPlace,
	"transport": KindShip,
	"sail":      KindMove, "fly": KindMove, "undo": KindRecall, "attack": KindFight, "casualties": KindLose,
	"loss":     KindLose,
	"press-on": KindPress, "continue": KindPress, "paradrop": KindDrop, "rockets": KindRocket, "standing": KindStanding,
	"resign": KindConcede, "surrender": KindConcede, "fighton": KindFightOn, "dive": KindSubmerge, "first": KindOrder,
}

// phrase is a command on its way into a shape or out of it, beside the position that has what it names.
type phrase struct {
	kit.Phrase
	p    *Position
	kind Kind
}

// grammar takes commands into their messages and their notation, and out of them.
var grammar = kit.Grammar[*Position, *phrase, Command]{
	About:  about,
	Kinds:  kinds,
	Kind:   func(c *Command) int { return int(c.Kind) },
	Make:   func(kind int) Command { return only(Kind(kind)) },
	Phrase: func(p *Position, x kit.Phrase) *phrase { return &phrase{x, p, Kind(x.Kind)} },
}

// Grammar is the grammar of commands, the same in every position.
func (*Position) Grammar() *kit.Grammar[*Position, *phrase, Command] { return &grammar }

// parseCommand reads the notation of a command, in any case and spacing. Beside the spelling of the grammar it takes
// other words for kinds, units and powers, names of spaces with or without what joins their words, sea zones as "sz5",
// ways joined by ">", "→" or "to", "none" for "-", and "at", "in" and commas anywhere.
func (p *Position) parseCommand(text string) (Command, *rules.Refusal) {
	if len(text) > maxCommand {
		return Command{}, rules.Malformed("a command of %d bytes, expected at most %d", len(text), maxCommand)
	}
	words := split(text)
	if len(words) == 0 {
		return Command{}, rules.Malformed("expected a command, its kind first: move, buy, end, ...")
	}
	first := words[0]
	kind := kinds.Find(first)
	if k := aliases[first]; k != KindNone {
		kind = int(k)
	}
	switch first {
	case "yes", "agree", "accept", "no", "reject", "decline":
		return grammar.Parse(p, int(KindAnswer), words)
	}
	if kind == 0 {
		return Command{}, rules.NoCommand(first, kinds.List())
	}
	return grammar.Parse(p, kind, words[1:])
}

// split takes a line apart: words in lower case; ways as single words; lists of losses too.
func split(text string) []string {
	text = strings.ToLower(text)
	text = strings.NewReplacer("→", ">", "->", ">", ", ", " ", "；", " ", "　", " ").Replace(text)
	var words []string
	for _, w := range strings.Fields(text) {
		last := len(words) - 1
		switch {
		case w == "to" && last > 0:
			w = ">"
		case w == "to" || w == "at" || w == "in" || w == "and" || w == "from":
			continue
		}
		if last >= 0 && (w[0] == '>' || strings.HasSuffix(words[last], ">")) {
			words[last] += w
			continue
		}
		words = append(words, w)
	}
	return words
}

// number is a number up to hi. Text may call it by another name where it is missing.
func (x *phrase) number(field string, n *uint8, hi int, what, word string) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, int(*n))
	case kit.Decode:
		*n = x.upTo(uint32(x.Get(field).Uint()), hi, what)
	case kit.Read:
		got, _ := x.Number(word)
		*n = x.upTo(got, hi, word)
	case kit.Tell:
		x.Arg(field, int(*n))
	default:
		x.Show("number", strconv.Itoa(int(*n)))
	}
}

// upTo checks a number.
func (x *phrase) upTo(n uint32, hi int, what string) uint8 {
	if n > uint32(hi) {
		x.Malformed("%s is %d, expected at most %d", what, n, hi)
		return 0
	}
	return uint8(n)
}

func (x *phrase) research(c *Command) {
	if x.Shape != kit.Read || x.More() && !x.None() {
		x.number("count", &c.N, maxNumber, "the number of researchers", "a number of researchers")
	}
}

func (x *phrase) chart(c *Command) {
	if x.Shape == kit.Usage {
		x.Word("1 or 2")
		return
	}
	x.number("chart", &c.N, 2, "the chart", "the chart")
}

func (x *phrase) recall(c *Command) {
	if x.Shape == kit.Tell {
		x.tellRecall(c)
		return
	}
	x.number("entry", &c.N, 255, "the number of the move", "the number of the move")
}

func (x *phrase) submerge(c *Command) {
	if x.Shape != kit.Read || !x.None() {
		x.number("count", &c.N, maxNumber, "the number of submarines", "a number of submarines")
	}
}

// repair is a territory and a number of markers; in text they may be the other way round.
func (x *phrase) repair(c *Command) {
	markers := func() { x.number("markers", &c.N, maxNumber, "the number of markers", "a number of markers") }
	if x.Shape == kit.Read && x.More() && isNumber(x.Words[0]) {
		markers()
		x.space("territory", &c.To)
		return
	}
	x.space("territory", &c.To)
	markers()
}

// order says who fights first (AA 5.4.1).
func (x *phrase) order(c *Command) {
	ids := [...]string{scenario.PowerIDs[UnitedStates], scenario.PowerIDs[China]}
	if x.Shape != kit.Read {
		x.choice("china_first", &c.Yes, ids)
		return
	}
	switch x.powerNamed(x.Next("china or united-states")) {
	case China:
		c.Yes = true
	case UnitedStates:
	default:
		x.Expected("china or united-states")
	}
}

func (x *phrase) answer(c *Command) {
	switch {
	case x.Shape != kit.Read:
		x.choice("agree", &c.Yes, [...]string{"no", "yes"})
	case x.Has("yes", "agree", "accept"):
		c.Yes = true
	case !x.Has("no", "reject", "decline"):
		x.Expected("yes or no")
	}
}

// choice is one of two things, the second if it holds.
func (x *phrase) choice(field string, yes *bool, ids [2]string) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, *yes)
	case kit.Decode:
		*yes = x.Get(field).Bool()
	case kit.Usage:
		x.Word(ids[1] + " or " + ids[0])
	case kit.Write:
		if *yes {
			x.Word(ids[1])
		} else {
			x.Word(ids[0])
		}
	}
}

// space is a space; "-" stands for none where none is said.
func (x *phrase) space(field string, s *Space) {
	switch x.Shape {
	case kit.Encode:
		x.Put(field, x.p.sc.SpaceID(*s))
	case kit.Decode:
		*s = x.spaceID(x.Get(field).String())
	case kit.Read:
		*s = NoSpace
		if w := x.Next("a space"); x.Refusal == nil {
			*s = x.placeNamed(w)
		}
	case kit.Tell:
		x.Arg(field, spaceName(x.p.sc, *s))
		x.Spaces(x.p.spaceList(*s)...)
	default:
		x.Show(field, orNone(x.p.sc.SpaceID(*s)))
	}
}

// spaceID reads the id of a space.
func (x *phrase) spaceID(id string) Space {
	s, ok := x.p.tab.space[id]
	switch {
	case id == "":
		x.Refuse(rules.Malformed("the command names no space where it must").For(rules.ReasonUnknownSpace))
	case !ok:
		x.Refuse(rules.Malformed("the map has no space %.40q", id).For(rules.ReasonUnknownSpace).At(kit.Clip(id)))
	default:
		return s
	}
	return NoSpace
}

// maybeSpace is a space that may be left out.
func (x *phrase) maybeSpace(field string, s *Space) {
	if !x.Absent(field) {
		x.space(field, s)
	}
}

// retreat is where units retreat to; none for air units alone.
func (x *phrase) retreat(c *Command) {
	if x.Shape != kit.Read || x.More() {
		x.maybeSpace(x.Called("to", "space"), &c.To)
	}
	x.Suffix(" or -")
}

func orNone(id string) string {
	if id == "" {
		return "-"
	}
	return id
}
