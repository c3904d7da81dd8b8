package anniversary

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
)

// maxNotation bounds the notation of a position, in bytes. A full game comes to a fifth of it.
const maxNotation = 1 << 16

// parsePosition reads the notation of a position. It takes nothing but what format writes: what was read is written again and compared, so that a
// position has one spelling. Tallies and distances to friendly territory are derived.
func parsePosition(sc *Scenario, text string) (*Position, error) {
	if len(text) > maxNotation {
		return nil, fmt.Errorf("anniversary: position: %d bytes, expected at most %d", len(text), maxNotation)
	}
	ps := parser{sc: sc}
	for n, row := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		ps.words = strings.Split(row, " ")
		ps.row()
		if ps.err == nil && len(ps.words) > 0 {
			ps.fail("%.40q is left over", ps.words[0])
		}
		if ps.err != nil {
			return nil, fmt.Errorf("anniversary: position line %d: %w", n+1, ps.err)
		}
	}
	if ps.p == nil || !ps.clock {
		return nil, fmt.Errorf("anniversary: position: expected %s, a scenario and a turn", version)
	}
	ps.complete()
	if err := ps.p.sound(); err != nil {
		return nil, fmt.Errorf("anniversary: position: %w", err)
	}
	if again := ps.p.format(); again != text {
		return nil, fmt.Errorf("anniversary: position: not as it is written: %s", difference(again, text))
	}
	return ps.p, nil
}

// difference is the first line in which a text is not as it should be.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("expected line %d to be %.200q", i+1, a[i])
		}
	}
	return fmt.Sprintf("expected %d lines, not %d", len(a), len(b))
}

// parser reads the words of a line one after the other and keeps the first error.
type parser struct {
	sc    *Scenario
	p     *Position
	words []string
	clock bool
	// What was another when the turn began; the rest is as it is now.
	starts       []startOwner
	startComplex *SpaceSet
	err          error
}

type startOwner struct {
	at Space
	w  Power
}

func (ps *parser) fail(format string, args ...any) {
	if ps.err == nil {
		ps.err = fmt.Errorf(format, args...)
	}
}

// next takes a word; empty after the last.
func (ps *parser) next() string {
	if len(ps.words) == 0 {
		return ""
	}
	w := ps.words[0]
	ps.words = ps.words[1:]
	return w
}

// has takes a word if it is the one given.
func (ps *parser) has(word string) bool {
	if len(ps.words) > 0 && ps.words[0] == word {
		ps.words = ps.words[1:]
		return true
	}
	return false
}

// more reports whether there are words left to read.
func (ps *parser) more() bool { return len(ps.words) > 0 && ps.err == nil }

// int takes a number within bounds.
func (ps *parser) int(lo, hi int) int { return ps.number(ps.next(), lo, hi) }

func (ps *parser) number(w string, lo, hi int) int {
	n, err := strconv.Atoi(w)
	if err != nil || n < lo || n > hi {
		ps.fail("expected a number from %d to %d, not %.40q", lo, hi, w)
		return lo
	}
	return n
}

// count takes a named number, 0 if it is not there.
func (ps *parser) count(name string, hi int) int {
	if ps.has(name) {
		return ps.int(1, hi)
	}
	return 0
}

// name finds one of the words given.
func (ps *parser) name(w string, of []string) int {
	for i, s := range of {
		if s == w {
			return i
		}
	}
	ps.fail("expected one of %s, not %.40q", strings.Join(of, ", "), w)
	return 0
}

// power takes a power; NoPower for "-".
func (ps *parser) power() Power {
	w := ps.next()
	if w == "-" {
		return NoPower
	}
	return ps.powerNamed(w)
}

func (ps *parser) powerNamed(w string) Power { return Power(ps.name(w, powerIDs[:])) }

// seat takes a power that has a seat.
func (ps *parser) seat() Power { return Power(ps.name(ps.next(), powerIDs[:NumSeats])) }

// space takes a space; NoSpace after an error.
func (ps *parser) space() Space { return ps.spaceNamed(ps.next()) }

func (ps *parser) spaceNamed(w string) Space {
	s, ok := ps.p.tab.space[w]
	if !ok {
		ps.fail("expected a space, not %.40q", w)
		return 0
	}
	return s
}

// set takes all words that are left as spaces.
func (ps *parser) set() SpaceSet {
	var set SpaceSet
	for ps.more() {
		set.Add(ps.space())
	}
	return set
}

// amounts takes all words that are left as spaces with numbers.
func (ps *parser) amounts(of *[MaxSpaces]uint8) {
	for ps.more() {
		id, n, _ := strings.Cut(ps.next(), ":")
		of[ps.spaceNamed(id)] = uint8(ps.number(n, 1, 255))
	}
}

// powers takes all words that are left as powers, by bit.
func (ps *parser) powers() (set uint32) {
	for ps.more() {
		set |= 1 << ps.powerNamed(ps.next())
	}
	return set
}

// row reads a line by its first word.
func (ps *parser) row() {
	if ps.p == nil {
		ps.head()
		return
	}
	p := ps.p
	sections := [...]struct {
		word string
		read func()
	}{
		{"turn", ps.turn}, {"power", ps.powerLine}, {"control", ps.control}, {"complexes", func() { p.complexes = ps.set() }},
		{"damage", func() { ps.amounts(&p.damage) }}, {"start", ps.start}, {"startcomplexes", ps.startComplexes},
		{"hostile", ps.hostile}, {"canals", ps.canals}, {"fought", func() { p.fought = ps.set() }},
		{"ignored", func() { p.ignored = ps.set() }}, {"rocketfrom", func() { p.rocketFrom = ps.set() }},
		{"rocketat", func() { p.rocketAt = ps.set() }}, {"placed", func() { ps.amounts(&p.placed) }},
		{"unnamed", func() { ps.amounts(&p.unnamed) }},
		{"denied", func() { p.denied = rules.Seats(ps.powers()) }}, {"planned", ps.planned}, {"battle", ps.battle},
		{"origins", func() { p.battle.origins = ps.set() }}, {"shores", func() { p.battle.shores = ps.set() }}, {"dived", func() { p.battle.dived = uint8(ps.powers()) }},
		{"agreed", func() { p.battle.agreed = uint8(ps.powers()) }}, {"pick", ps.pick}, {"request", ps.request}, {"orders", ps.orders},
		{"conceded", func() { p.conceded = rules.Seats(ps.powers()) }}, {"over", ps.over}, {"at", ps.stack},
	}
	for _, s := range sections {
		if ps.has(s.word) {
			s.read()
			return
		}
	}
	ps.fail("there is nothing called %.40q", ps.next())
}
