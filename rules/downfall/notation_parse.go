package downfall

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// maxNotation bounds the notation of a position, in bytes. A scenario of 64 units with long ids comes to a tenth of it.
const maxNotation = 1 << 16

// parsePosition reads the notation of a position. It takes nothing but what format writes: what was read is written again and compared, so that
// a position has one spelling. Stacks, ZOC and hexes that break the stacking limits are derived.
func parsePosition(sc *Scenario, text string) (*Position, error) {
	if len(text) > maxNotation {
		return nil, fmt.Errorf("downfall: position: %d bytes, expected at most %d", len(text), maxNotation)
	}
	ps := parser{sc: sc}
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		ps.words = strings.Split(line, " ")
		ps.line()
		if ps.err == nil && len(ps.words) > 0 {
			ps.fail("%.40q is left over", ps.words[0])
		}
		if ps.err != nil {
			return nil, fmt.Errorf("downfall: position line %d: %w", n+1, ps.err)
		}
	}
	if err := ps.p.sound(); err != nil {
		return nil, fmt.Errorf("downfall: position: %w", err)
	}
	ps.p.excess = ps.p.findExcess()
	if again := ps.p.format(); again != text {
		return nil, fmt.Errorf("downfall: position: not as it is written: %s", difference(again, text))
	}
	return ps.p, nil
}

// difference is the first line in which a text is not as it should be.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("expected line %d to be %q", i+1, a[i])
		}
	}
	return fmt.Sprintf("expected %d lines, not %d", len(a), len(b))
}

// parser reads the words of a line one after the other and keeps the first error.
type parser struct {
	sc    *Scenario
	p     *Position
	words []string
	seen  UnitSet
	err   error
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

// int takes a number within bounds.
func (ps *parser) int(lo, hi int) int {
	w := ps.next()
	n, err := strconv.Atoi(w)
	if err != nil || n < lo || n > hi {
		ps.fail("expected a number from %d to %d, not %.40q", lo, hi, w)
		return max(lo, 0)
	}
	return n
}

// count takes a named number, or none.
func (ps *parser) count(name string, hi, unsaid int) int {
	if ps.has(name) {
		return ps.int(0, hi)
	}
	return unsaid
}

// name takes one of the words given.
func (ps *parser) name(of []string) int {
	w := ps.next()
	for i, s := range of {
		if s == w {
			return i
		}
	}
	ps.fail("expected one of %s, not %.40q", strings.Join(of, ", "), w)
	return 0
}

func (ps *parser) seat() rules.Seat { return rules.Seat(ps.name(seatIDs[:])) }

// hex takes the number of a hex; NoHex for "-" or after an error.
func (ps *parser) hex() Hex {
	w := ps.next()
	if w == "-" {
		return NoHex
	}
	h, ok := hexByDigits(ps.p, w)
	if !ok {
		ps.fail("expected the number of a hex, not %.40q", w)
	}
	return h
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

// hexes takes all words that are left.
func (ps *parser) hexes(s hex.Set) {
	for len(ps.words) > 0 && ps.err == nil {
		if h := ps.hex(); h != NoHex {
			s.Add(h)
		}
	}
}

// place takes the number of a hex or the id of a box.
func (ps *parser) place() Place {
	w := ps.next()
	for i := 1; i < len(boxIDs); i++ {
		if boxIDs[i] == w {
			return boxes + Place(i)
		}
	}
	h, ok := hexByDigits(ps.p, w)
	if !ok {
		ps.fail("expected a hex or box, not %.40q", w)
		return Out
	}
	return Place(h)
}

// bombTarget takes the number of a hex or the id of a unit.
func (ps *parser) bombTarget() Place {
	w := ps.next()
	if h, ok := hexByDigits(ps.p, w); ok {
		return Place(h)
	}
	return bombUnit + Place(ps.unitID(w))
}

func (ps *parser) unitID(w string) Unit {
	u, ok := ps.p.tab.unit[w]
	if !ok {
		ps.fail("expected a unit, not %.40q", w)
		return 0
	}
	return u
}

// units takes all words that are left.
func (ps *parser) units() UnitSet {
	var s UnitSet
	for len(ps.words) > 0 && ps.err == nil {
		s |= bit(ps.unitID(ps.next()))
	}
	return s
}
