package downfall

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// The notation of a position is one fact a line, each beginning with what it is about, always in this order. Hexes are
// their numbers, units and markers their ids. What holds nothing is left out.
//
//	df1 olympic magic_36th_army          version, scenario, options that are on
//	turn 3 us-actions cp 4 vp 1 ...      the clock and the player turn
//	awards towns-2 miyakonojo:lost       awards earned, and lost again
//	kamikaze cp 4 air 3 naval 3 mf 3 jp 1
//	air 2                                air markers ready
//	naval 1:limousine 2:roadstar:used    naval markers with their zones
//	airsupply 2621 placed
//	bombs 7 used 2 ...                   atomic bombs left, used, and those of this turn
//	exploded 2514                        hexes in which bombs exploded
//	attacked 2721 2819                   hexes attacked in this player turn
//	magic 1                              36th Army units that may still be moved
//	ixcorps 2417 turn 5 made 0           secret plan of the IX Corps landing
//	orders airborne 2514 turn 22         secret orders to the 11th Division
//	beachheads 2621 2804 holding 2013    by corps, I to XI
//	consecutive us 2819 ...              the declaration of a consecutive attack, and its entries
//	entry 2719 us-i-25 us-i-33
//	combat us 2719 2819 us-fire ...      the combat that is going on, and its units
//	attackers us-i-25
//	standing us fire weakest at 2819     a standing order of a seat, as the command has it
//	offer us                             who offers to give up
//	over final us                        how it ended
//	2621 us-i-25 us-i-33:1+acted+oos     the units of a hex or box; 1 step, acted, out of supply
//
// A unit's steps are left out if it is at full strength, or eliminated; its supply if it is the
// ordinary one of its place.

// version is the first word of the notation.
const version = "df1"

// maxNotation bounds the notation of a position, in bytes. A scenario of 64 units with long ids comes to a tenth of it.
const maxNotation = 1 << 16

// notes are the lines of a position on their way out or in.
type notes struct {
	*kit.Notes
	p    *Position
	seen UnitSet // units that were read
}

// sections are the lines in their order. The units of hexes and boxes follow.
var sections = [...]func(*notes){
	(*notes).turn, (*notes).awards, (*notes).kamikaze, (*notes).air, (*notes).naval, (*notes).airSupply, (*notes).bombs,
	(*notes).targets, (*notes).exploded, (*notes).attacked, (*notes).magic, (*notes).ixCorps, (*notes).orders,
	(*notes).beachheads,
	(*notes).consecutive, (*notes).entries, (*notes).combat, (*notes).fighters, (*notes).standings, (*notes).offer,
	(*notes).over,
}

// format writes the whole position, secrets included, in the canonical notation.
func (p *Position) format() string {
	own := *p // since what is said both ways is set both ways
	n := &notes{Notes: &kit.Notes{Text: make([]byte, 0, 2048)}, p: &own}
	n.Line(version, true)
	n.Word(p.sc.ScenarioID())
	for i := range optionList {
		n.Option(optionList[i].ID, p.opt&(1<<i) != 0)
	}
	if points := p.opt.bid(); points > 0 {
		n.Word(bidOption.ID + "=" + bidOption.Values[points])
	}
	for _, section := range sections {
		section(n)
	}
	n.places()
	return string(append(n.Text, '\n'))
}

// parsePosition reads the notation of a position. It takes nothing but what format writes: what was read is
// written again and compared, so that a position has one spelling. Stacks, ZOC and hexes that break the
// stacking limits are derived.
func parsePosition(sc *Scenario, text string) (*Position, error) {
	if len(text) > maxNotation {
		return nil, fmt.Errorf("downfall: position: %d bytes, expected at most %d", len(text), maxNotation)
	}
	n := &notes{Notes: &kit.Notes{}}
	if err := n.Lines(text, func() { n.read(sc) }); err != nil {
		return nil, fmt.Errorf("downfall: position %w", err)
	}
	if err := n.p.sound(); err != nil {
		return nil, fmt.Errorf("downfall: position: %w", err)
	}
	n.p.excess = n.p.findExcess()
	if again := n.p.format(); again != text {
		return nil, fmt.Errorf("downfall: position: not as it is written: %s", kit.Difference(again, text, maxNotation))
	}
	return n.p, nil
}

// read reads a line by its first word; any other than those of the sections is the number of a hex or the id of a box.
func (n *notes) read(sc *Scenario) {
	if n.p == nil {
		n.head(sc)
		return
	}
	for _, section := range sections {
		section(n)
	}
	if !n.Taken() {
		n.stack()
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
	var opt OptionSet
	for i := range optionList {
		if n.Has(optionList[i].ID) {
			opt |= 1 << i
		}
	}
	for points, value := range bidOption.Values[1:] {
		if n.Has(bidOption.ID + "=" + value) {
			opt = opt.withBid(points + 1)
			break // a second bid is refused as an unknown option
		}
	}
	n.p = newPosition(sc, opt)
}

// hex is the number of a hex; "-" for NoHex.
func (n *notes) hex(h *Hex) {
	if !n.Reading {
		n.Word(n.p.digits(*h))
		return
	}
	w := n.Next()
	if *h = NoHex; w == "-" {
		return
	}
	at, ok := hexByDigits(n.p, w)
	if !ok {
		n.Fail("expected the number of a hex, not %.40q", w)
	}
	*h = at
}

// hexByDigits finds a hex by its printed number, with or without what separates the digits.
func hexByDigits(p *Position, w string) (Hex, bool) {
	if h, ok := p.sc.HexByID(w); ok {
		return h, true
	}
	if n, err := strconv.ParseUint(w, 10, 32); err == nil {
		h := p.tab.hexOf(uint32(n))
		return h, h != NoHex
	}
	return NoHex, false
}

// hexes are the hexes of a set.
func (n *notes) hexes(word string, s hex.Set) {
	if !n.Line(word, !s.Empty()) {
		return
	}
	for h := range s.All() {
		n.Word(n.p.digits(h))
	}
	for h := NoHex; n.Going(); {
		if n.hex(&h); h != NoHex {
			s.Add(h)
		}
	}
}

// place is the number of a hex or the id of a box.
func (n *notes) place(at *Place) {
	if !n.Reading {
		n.Word(n.p.where(*at))
		return
	}
	w := n.Next()
	for i := 1; i < len(boxIDs); i++ {
		if boxIDs[i] == w {
			*at = boxes + Place(i)
			return
		}
	}
	h, ok := hexByDigits(n.p, w)
	if *at = Place(h); !ok {
		n.Fail("expected a hex or box, not %.40q", w)
		*at = Out
	}
}

// aim is the number of a hex or the id of a unit, as a bomb has it.
func (n *notes) aim(at *Place) {
	if !n.Reading {
		n.place(at)
		return
	}
	w := n.Next()
	if h, ok := hexByDigits(n.p, w); ok {
		*at = Place(h)
		return
	}
	*at = bombUnit + Place(n.unitID(w))
}

func (n *notes) unitID(w string) Unit {
	u, ok := n.p.tab.unit[w]
	if !ok {
		n.Fail("expected a unit, not %.40q", w)
		return 0
	}
	return u
}

// units are the units of a set, up to the end of the line.
func (n *notes) units(s *UnitSet) {
	if !n.Reading {
		n.Word(n.p.ids(*s)...)
		return
	}
	for *s = 0; n.Going(); {
		*s |= bit(n.unitID(n.Next()))
	}
}

// places writes the units of every hex and box, hexes first.
func (n *notes) places() {
	p := n.p
	for h := range p.at {
		if n.Line(p.digits(Hex(h)), p.at[h] != 0) {
			for u := range p.at[h].Each {
				n.unit(u)
			}
		}
	}
	for i := 1; i < len(boxIDs); i++ {
		first := true
		for u := range p.sc.Units {
			if p.place[u] != boxes+Place(i) {
				continue
			}
			n.Line(boxIDs[i], first)
			first = false
			n.unit(Unit(u))
		}
	}
}

func (n *notes) unit(u Unit) {
	p := n.p
	n.Word(p.id(u))
	if p.steps[u] != p.usualSteps(u, p.place[u]) {
		n.Text = strconv.AppendUint(append(n.Text, ':'), uint64(p.steps[u]), 10)
	}
	mark := func(word string) { n.Text = append(append(n.Text, '+'), word...) }
	if p.supply[u] != p.usualSupply(u, p.place[u]) {
		mark(supplyIDs[p.supply[u]])
	}
	for _, m := range p.unitMarks() {
		if m.set.Has(u) {
			mark(m.id)
		}
	}
}

// usualSteps are the steps that the notation leaves out: all, or none in the boxes of those that are gone.
func (p *Position) usualSteps(u Unit, at Place) uint8 {
	if at >= Fallen {
		return 0
	}
	return uint8(p.sc.Units[u].Steps)
}

// usualSupply is the supply state that the notation leaves out.
func (p *Position) usualSupply(u Unit, at Place) Supply {
	if p.tab.us.Has(u) && (at < boxes || at == LandingForce) {
		return Line
	}
	return NoSupply
}

// unitMark is a set of units with its word.
type unitMark struct {
	id  string
	set *UnitSet
}

// Has reports whether a unit has the mark.
func (m *unitMark) Has(u Unit) bool { return m.set.Has(u) }

// unitMarks are the sets that the notation writes as marks of units, in its order.
func (p *Position) unitMarks() [8]unitMark {
	return [...]unitMark{
		{"acted", &p.acted}, {"arrived", &p.arrived}, {"refitted", &p.refitted}, {"boxed", &p.boxed},
		{"bombed", &p.bombed},
		{"rebuilt", &p.rebuilt}, {"follows", &p.followers}, {"magic", &p.magicMoved},
	}
}

// stack reads the units of a place.
func (n *notes) stack() {
	at := Out
	for n.place(&at); n.Going(); {
		n.readUnit(at, n.Next())
	}
}

// readUnit reads a unit with its steps and marks.
func (n *notes) readUnit(at Place, word string) {
	p := n.p
	word, marks, _ := strings.Cut(word, "+")
	id, steps, stepped := strings.Cut(word, ":")
	u := n.unitID(id)
	if n.Err != nil {
		return
	}
	if n.seen.Has(u) {
		n.Fail("the unit %s is given twice", id)
		return
	}
	n.seen |= bit(u)
	p.put(u, at)
	p.steps[u], p.supply[u] = p.usualSteps(u, at), p.usualSupply(u, at)
	if stepped {
		got, err := strconv.ParseUint(steps, 10, 8)
		if err != nil || got > uint64(p.sc.Units[u].Steps) {
			n.Fail("%s has %.20q steps, expected at most %d", id, steps, p.sc.Units[u].Steps)
			return
		}
		p.steps[u] = uint8(got)
	}
	if marks != "" {
		n.marks(u, marks)
	}
}

func (n *notes) marks(u Unit, text string) {
	p := n.p
marks:
	for _, m := range strings.Split(text, "+") {
		for s, id := range supplyIDs {
			if id == m {
				p.supply[u] = Supply(s)
				continue marks
			}
		}
		for _, known := range p.unitMarks() {
			if known.id == m {
				*known.set |= bit(u)
				continue marks
			}
		}
		n.Fail("%s has the unknown mark %.20q", p.id(u), m)
		return
	}
}
