package anniversary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// The notation of a position is one fact a line, each beginning with what it is about, always in this order. Spaces,
// powers and types of unit are their ids. What holds nothing is left out; control is written where it is another than
// at the start of the scenario, and the start-of-turn state (AA 4.2.6) where it is another than now. The lines hostile
// and canals are left out only where the rest of the position says that they hold nothing: enemy warships are nowhere
// and no sea zone saw a combat, the side held no canal.
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
//	fought sz-5                                        sea zones with a combat this turn; likewise ignored,
//	                                                   rocketfrom, rocketat
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
// A unit is its type, what is aboard in brackets, the movement used after "/", its marks after "+", where it came from
// after "<" and the territory that its cargo assaults after ">":
// transport[tank+lands,infantry:italy]/1+moved<sz-6>norway.

// version is the first word of the notation.
const version = "aa1"

// maxNotation bounds the notation of a position, in bytes. A full game comes to a fifth of it.
const maxNotation = 1 << 16

// notes are the lines of a position on their way out or in.
type notes struct {
	*kit.Notes
	p     *Position
	clock bool // the turn was read
	// What was another when the turn began; the rest is as it is now.
	starts       [MaxSpaces]Power // 1 + who controlled a space
	startComplex *SpaceSet
}

// sections are the lines in their order. The units of spaces follow.
var sections = [...]func(*notes){
	(*notes).turn, (*notes).powerLines, (*notes).control, (*notes).markers, (*notes).start, (*notes).startComplexes,
	(*notes).hostile, (*notes).canals, (*notes).thisTurn, (*notes).planned, (*notes).battle, (*notes).request,
	(*notes).orders,
	(*notes).conceded, (*notes).over, (*notes).stacks,
}

// format writes the whole position in the canonical notation.
func (p *Position) format() string {
	own := *p // since what is said both ways is set both ways
	n := &notes{Notes: &kit.Notes{Text: make([]byte, 0, 8192)}, p: &own}
	n.Line(version, true)
	n.Word(p.sc.ScenarioID())
	for i, o := range p.opt.values() {
		switch option := &optionList[i]; {
		case o == option.Values[0]:
		case o == "true" && option.Values[0] == "false":
			n.Word(option.ID)
		default:
			n.Word(option.ID + "=" + o)
		}
	}
	for _, section := range sections {
		section(n)
	}
	return string(append(n.Text, '\n'))
}

// parsePosition reads the notation of a position. It takes nothing but what format writes: what was read is written
// again and compared, so that a position has one spelling. Tallies and distances to friendly territory are derived.
func parsePosition(sc *Scenario, text string) (*Position, error) {
	if len(text) > maxNotation {
		return nil, fmt.Errorf("anniversary: position: %d bytes, expected at most %d", len(text), maxNotation)
	}
	n := &notes{Notes: &kit.Notes{}}
	if err := n.Lines(text, func() { n.read(sc) }); err != nil {
		return nil, fmt.Errorf("anniversary: position %w", err)
	}
	if n.p == nil || !n.clock {
		return nil, fmt.Errorf("anniversary: position: expected %s, a scenario and a turn", version)
	}
	n.complete()
	if err := n.p.sound(); err != nil {
		return nil, fmt.Errorf("anniversary: position: %w", err)
	}
	if again := n.p.format(); again != text {
		return nil, fmt.Errorf("anniversary: position: not as it is written: %s", kit.Difference(again, text, 200))
	}
	return n.p, nil
}

// read reads a line by its first word.
func (n *notes) read(sc *Scenario) {
	if n.p == nil {
		n.head(sc)
		return
	}
	for _, section := range sections {
		section(n)
	}
	if !n.Taken() {
		n.Fail("there is nothing called %.40q", n.Next())
	}
}

func (n *notes) head(sc *Scenario) {
	if !n.Has(version) {
		n.Fail("expected %s, not %.40q", version, n.Next())
		return
	}
	if id := n.Next(); id != sc.ScenarioID() {
		n.Fail("a position of the scenario %.64q, not of %q", id, sc.ScenarioID())
		return
	}
	given := map[string]string{}
	for n.Going() {
		id, value, said := strings.Cut(n.Next(), "=")
		if !said {
			value = "true"
		}
		given[id] = value
	}
	opt, err := readOptions(given)
	if err != nil {
		n.Fail("%w", err)
		return
	}
	n.p = newPosition(sc, opt)
	copy(n.p.owner[:], sc.Owner)
}

// readOptions completes the options that a position names.
func readOptions(given map[string]string) (options, error) {
	list := rules.About{Name: "anniversary", Options: optionList}
	o, err := list.NewOptions(given)
	return newOptions(o), err
}

// complete derives what is not written.
func (n *notes) complete() {
	p := n.p
	if p.power == NoPower {
		return
	}
	p.startOwner, p.startComplex = p.owner, p.complexes
	for s, w := range n.starts {
		if w > 0 {
			p.startOwner[s] = w - 1
		}
	}
	if n.startComplex != nil {
		p.startComplex = *n.startComplex
	}
	if p.acting != NoPower {
		p.measureHome()
	}
}

// power is a power; "-" for NoPower.
func (n *notes) power(w *Power) {
	switch {
	case !n.Reading:
		n.Word(orNone(w.ID()))
	case n.Has("-"):
		*w = NoPower
	default:
		kit.Name(n.Notes, w, scenario.PowerIDs[:])
	}
}

// space is a space; "-" is written for NoSpace.
func (n *notes) space(s *Space) {
	if n.Reading {
		*s = n.spaceNamed(n.Next())
	} else {
		n.Word(orNone(n.p.sc.SpaceID(*s)))
	}
}

func (n *notes) spaceNamed(w string) Space {
	s, ok := n.p.tab.space[w]
	if !ok {
		n.Fail("expected a space, not %.40q", w)
		return 0
	}
	return s
}

// set are the spaces of a set, up to the end of the line.
func (n *notes) set(set *SpaceSet) {
	if !n.Reading {
		for s := range set.Each {
			n.space(&s)
		}
		return
	}
	for *set = (SpaceSet{}); n.Going(); {
		set.Add(n.spaceNamed(n.Next()))
	}
}

// spaces is a line of a set of spaces, if there are any.
func (n *notes) spaces(name string, set *SpaceSet) {
	if n.Line(name, !set.Empty()) {
		n.set(set)
	}
}

// amounts is a line of spaces with numbers, if there are any.
func (n *notes) amounts(name string, of *[MaxSpaces]uint8) {
	var words []string
	for s := range Space(n.p.sc.Len()) {
		if of[s] > 0 && !n.Reading {
			words = append(words, fmt.Sprintf("%s:%d", n.p.sc.SpaceID(s), of[s]))
		}
	}
	if !n.Line(name, words != nil) {
		return
	}
	for n.Word(words...); n.Going(); {
		id, number, _ := strings.Cut(n.Next(), ":")
		of[n.spaceNamed(id)] = uint8(n.Number(number, 1, 255))
	}
}

// powers is a line of a set of powers by bit, if there are any.
func powers[T ~uint8 | ~uint32](n *notes, name string, set *T) {
	if !n.Line(name, *set != 0) {
		return
	}
	if n.Reading {
		*set = 0
	}
	for x, id := range scenario.PowerIDs {
		if *set&(1<<x) != 0 {
			n.Word(id)
		}
	}
	for n.Going() {
		*set |= 1 << n.Index(n.Next(), scenario.PowerIDs[:])
	}
}

// ids are the ids of the members of a set, by bit, joined by commas.
func ids(set uint64, names []string) string {
	var list []string
	for i, name := range names {
		if set>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// stacks are the units by space and power, a line for each.
func (n *notes) stacks() {
	last := Key(0)
	for _, g := range n.p.groups {
		if n.Reading {
			break
		}
		if last == 0 || g.At() != last.At() || g.Power() != last.Power() {
			at, w := g.At(), g.Power()
			n.Line("at", true)
			n.space(&at)
			n.power(&w)
		}
		kit.Int(n.Notes, &g.N, 1, 9999)
		n.Word(n.p.unitText(g.Key))
		last = g.Key
	}
	if n.Reading && n.Line("at", true) {
		n.readStack()
	}
}

// readStack reads the units of a power in a space.
func (n *notes) readStack() {
	at := n.spaceNamed(n.Next())
	w := Power(n.Index(n.Next(), scenario.PowerIDs[:]))
	if len(n.Words) == 0 {
		n.Fail("expected units")
	}
	for n.Going() {
		count := n.Number(n.Next(), 1, 9999)
		k := n.readUnit(at, w, n.Next())
		switch {
		case n.Err != nil:
		case n.p.count(k) > 0:
			n.Fail("a unit is given twice")
		default:
			n.p.put(k, uint16(count))
		}
	}
}

// orders are standing orders in the notation of the command.
func (n *notes) orders() {
	if n.Reading {
		if n.Line("orders", true) {
			n.readOrders()
		}
		return
	}
	for i := range n.p.orders {
		if !n.Line("orders", n.p.orders[i] != (standing{})) {
			continue
		}
		x := n.p.ordering(kit.Phrase{Shape: kit.Write})
		x.writeOrders(&n.p.orders[i])
		n.Word(scenario.PowerIDs[i])
		n.Text = append(n.Text, x.Text...)
	}
}

func (n *notes) readOrders() {
	w := n.Index(n.Next(), scenario.PowerIDs[:NumSeats])
	x := n.p.ordering(kit.Phrase{Shape: kit.Read, Words: slices.Clone(n.Words)})
	c := only(KindStanding)
	x.standing(&c)
	if n.Words = x.Words; x.Refusal != nil {
		n.Fail("%s", x.Refusal.Words)
		return
	}
	n.p.orders[w] = *c.Orders
}
