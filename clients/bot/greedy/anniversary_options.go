package greedy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// option is a listed action, understood. Spaces that it does not name are -1.
type option struct {
	index   int // in the list
	kind    string
	command string
	// unit is the type that moves, lands, is bought, placed or lost; n how many the command says.
	unit anniversary.Unit
	n    int
	// piece is the stack that moves.
	piece         string
	power         anniversary.Power
	from, via, to int
	// target is where freight lands; loads is the freight.
	target int
	loads  []load
	// pairs says that a command moves units of two types.
	pairs bool
	cost  int
}

// load is a unit that a transport carries: taken aboard in a territory, or there already.
type load struct {
	unit  anniversary.Unit
	at    int // -1 if aboard
	stays bool
}

// force is what lands.
func (o *option) force() (s stack) {
	for _, l := range o.loads {
		if !l.stays {
			s[l.unit]++
		}
	}
	return s
}

// read understands all actions that are no offers.
func (f *field) read(v bot.View) []*option {
	list := make([]*option, 0, v.Len())
	for i := range v.Len() {
		a := v.Action(i)
		if a.Offer {
			continue
		}
		o := &option{index: i, kind: a.Kind, command: a.Command, unit: anniversary.NoUnit, from: -1, via: -1, to: -1,
			target: -1, power: f.seat}
		if len(a.Pieces) > 0 {
			o.piece = a.Pieces[0]
			if p := f.pieces[o.piece]; p != nil {
				o.power = scenario.PowerByID(p.Formation)
			}
		}
		o.cost = digits(a.Cost)
		f.parse(o, strings.Fields(a.Command))
		list = append(list, o)
	}
	return list
}

// digits is the first number in a text; 0 if none exists.
func digits(s string) int {
	from := strings.IndexAny(s, "0123456789")
	if from < 0 {
		return 0
	}
	to := from
	for to < len(s) && s[to] >= '0' && s[to] <= '9' {
		to++
	}
	n, _ := strconv.Atoi(s[from:to])
	return n
}

// parse reads the words of a command in the ruleset's notation.
func (f *field) parse(o *option, words []string) {
	if len(words) < 2 {
		return
	}
	words = words[1:]
	switch o.kind {
	case "ship":
		f.parseShip(o, words)
		return
	case "buy", "place", "lose", "move":
		f.parseUnits(o, words)
		return
	}
	o.n, _ = strconv.Atoi(words[0])
	f.way(o, words[len(words)-1])
	if o.kind == "repair" {
		f.way(o, words[0])
		o.n = digits(words[len(words)-1])
	}
}

func (f *field) parseUnits(o *option, words []string) {
	o.n, _ = strconv.Atoi(words[0])
	o.unit = unitOf(words[1])
	rest := words[2:]
	if len(rest) > 1 && unitOf(rest[1]) != anniversary.NoUnit && digits(rest[0]) > 0 {
		o.pairs, rest = true, rest[2:]
	}
	if len(rest) > 0 {
		f.way(o, rest[0])
	}
	if o.kind == "place" && len(rest) > 2 && rest[1] == "through" {
		o.from = f.at(rest[2])
	}
}

// unitOf is the type that a word names, which may say more of it; NoUnit if it names none.
func unitOf(word string) anniversary.Unit {
	if i := strings.IndexAny(word, ":#@+"); i >= 0 {
		word = word[:i]
	}
	return scenario.UnitByID(word)
}

func (f *field) at(id string) int {
	if i, ok := f.index[id]; ok {
		return i
	}
	return -1
}

// way reads "a", "a>b" or "a>b>c".
func (f *field) way(o *option, word string) {
	stops := strings.Split(word, ">")
	o.to = f.at(last(stops))
	if len(stops) > 1 {
		o.from = f.at(stops[0])
	}
	if len(stops) > 2 {
		o.via = f.at(stops[1])
	}
}

func (f *field) parseShip(o *option, words []string) {
	o.n, o.unit = digits(words[0]), anniversary.Transport
	if len(words) > 1 {
		f.way(o, words[1])
	}
	if o.from < 0 {
		o.from = o.to
	}
	for i := 2; i < len(words); i++ {
		switch word := words[i]; word {
		case "with":
		case "land", "of":
			i++
			if i < len(words) && word == "land" {
				o.target = f.at(words[i])
			}
		default:
			l := load{unit: unitOf(word), at: -1, stays: strings.HasSuffix(word, "+stays")}
			if _, place, ok := strings.Cut(word, "@"); ok {
				l.at = f.at(place)
			}
			if l.unit < anniversary.NumUnits {
				o.loads = append(o.loads, l)
			}
		}
	}
}

// only keeps the options of some kinds.
func only(list []*option, kinds ...string) (some []*option) {
	for _, o := range list {
		if slices.Contains(kinds, o.kind) {
			some = append(some, o)
		}
	}
	return some
}
