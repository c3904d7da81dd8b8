package anniversary

import (
	"strconv"
)

// The notation of a position is one fact a line, each beginning with what it is about, always in this order. Spaces, powers and types of unit are their
// ids. What holds nothing is left out; control is written where it is another than at the start of the scenario, and the start-of-turn state (AA 4.2.6)
// where it is another than now. The lines hostile and canals are left out only where the rest of the position says that
// they hold nothing: enemy warships are nowhere and no sea zone saw a combat, the side held no canal.
//
//	aa1 1941 victory_cities=13 rocket_limit            version, scenario, options that are not the default
//	turn 3 2 japan combat-move 0 entries 4             round, place in the order, whose turn, phase, step
//	power germany ipc 31 tokens 2 tech rockets,radar pool 3 infantry 1 tank
//	control germany karelia-ssr                        what a power controls now and did not at the start
//	complexes germany russia                           industrial complexes
//	damage germany:3                                   damage markers
//	start soviet-union karelia-ssr                     who controlled what when the turn began, if another than now
//	startcomplexes germany                             complexes when the turn began, if others than now
//	hostile sz-5                                       sea zones that were hostile when the turn began; - for none
//	canals suez-canal                                  canals that the side may use; - for none
//	fought sz-5                                        sea zones with a combat this turn; likewise ignored, rocketfrom, rocketat
//	placed germany:3                                   units brought in through complexes this turn
//	unnamed sz-6:2                                     units placed there this turn, through any complex beside it
//	denied italy                                       seats that refused their consent this turn
//	planned 0 2 poland germany infantry > east-poland germany infantry+moved<poland
//	battle ukraine attack round 1 landed 2 ...         the combat that is going on; its origins, and casualties picked
//	request italy germany 1 ...                        units that ask to go aboard an ally's ship
//	orders germany losses infantry retreat 50          standing orders of a seat
//	conceded germany                                   seats that gave up
//	over axis cities                                   how it ended
//	at poland germany 4 infantry 2 tank/1+moved<germany
//
// A unit is its type, what is aboard in brackets, the movement used after "/", its marks after "+", where it came from after "<" and the territory that
// its cargo assaults after ">": transport[tank+lands,infantry:italy]/1+moved<sz-6>norway.

// version is the first word of the notation.
const version = "aa1"

// writer writes words; a line begins with its first word.
type writer struct {
	p *Position
	b []byte
}

func (w *writer) line(word string) *writer {
	if len(w.b) > 0 {
		w.b = append(w.b, '\n')
	}
	w.b = append(w.b, word...)
	return w
}

func (w *writer) word(words ...string) *writer {
	for _, s := range words {
		w.b = append(w.b, ' ')
		w.b = append(w.b, s...)
	}
	return w
}

func (w *writer) number(n int) *writer {
	w.b = strconv.AppendInt(append(w.b, ' '), int64(n), 10)
	return w
}

// flag writes a word if it holds.
func (w *writer) flag(holds bool, word string) *writer {
	if holds {
		w.word(word)
	}
	return w
}

// count writes a named number unless it is 0.
func (w *writer) count(name string, n int) *writer {
	if n != 0 {
		w.word(name).number(n)
	}
	return w
}

// space writes the id of a space; "-" for NoSpace.
func (w *writer) space(s Space) *writer { return w.word(orNone(w.p.sc.SpaceID(s))) }

// power writes the id of a power; "-" for NoPower.
func (w *writer) power(x Power) *writer { return w.word(orNone(x.ID())) }

// spaces writes a line of a set of spaces, if there are any.
func (w *writer) spaces(name string, set SpaceSet) {
	if set.Empty() {
		return
	}
	w.line(name)
	for s := range set.Each {
		w.space(s)
	}
}

// amounts writes a line of spaces with numbers, if there are any.
func (w *writer) amounts(name string, of *[MaxSpaces]uint8) {
	begun := false
	for s := range Space(w.p.sc.Len()) {
		if of[s] == 0 {
			continue
		}
		if !begun {
			w.line(name)
			begun = true
		}
		w.space(s)
		w.b = strconv.AppendUint(append(w.b, ':'), uint64(of[s]), 10)
	}
}

// powers writes a line of a set of powers by bit, if there are any.
func (w *writer) powers(name string, set uint32) {
	if set == 0 {
		return
	}
	w.line(name)
	for x := range Power(NumPowers) {
		if set&(1<<x) != 0 {
			w.power(x)
		}
	}
}

// unit writes a unit without its space and power.
func (w *writer) unit(k Key) *writer {
	w.word(k.Unit().ID())
	for i, c := range k.Cargo() {
		if c == 0 {
			break
		}
		w.b = append(w.b, "[,"[i])
		w.cargo(k, c)
	}
	if k.Cargo()[0] != 0 {
		w.b = append(w.b, ']')
	}
	if k.Used() > 0 {
		w.b = strconv.AppendUint(append(w.b, '/'), uint64(k.Used()), 10)
	}
	for i, id := range markIDs {
		if k.Has(1 << i) {
			w.b = append(append(w.b, '+'), id...)
		}
	}
	if k.From() != NoSpace {
		w.b = append(append(w.b, '<'), w.p.sc.SpaceID(k.From())...)
	}
	if k.Target() != NoSpace {
		w.b = append(append(w.b, '>'), w.p.sc.SpaceID(k.Target())...)
	}
	return w
}

// cargo writes a unit aboard; its power if it is another than the ship's.
func (w *writer) cargo(k Key, c Cargo) {
	w.b = append(w.b, k.aboard(c).ID()...)
	if c.Power() != k.Power() {
		w.b = append(append(w.b, ':'), c.Power().ID()...)
	}
	if c&loaded != 0 {
		w.b = append(w.b, "+loaded"...)
	}
	if c&lands != 0 {
		w.b = append(w.b, "+lands"...)
	}
}

// aboard is the type of a unit aboard of units of a key: fighters on carriers, land units elsewhere.
func (k Key) aboard(c Cargo) Unit {
	if k.Unit() == Carrier {
		return Fighter
	}
	return c.Unit()
}

// key writes a unit with its space and power; "-" for none.
func (w *writer) key(k Key) *writer {
	if k == 0 {
		return w.word("-")
	}
	return w.space(k.At()).power(k.Power()).unit(k)
}

// format writes the whole position in the canonical notation.
func (p *Position) format() string {
	w := &writer{p: p, b: make([]byte, 0, 8192)}
	w.head()
	w.economy()
	w.control()
	if p.power != NoPower {
		w.startOfTurn()
	}
	w.thisTurn()
	w.battle()
	w.seats()
	w.stacks()
	return string(append(w.b, '\n'))
}
