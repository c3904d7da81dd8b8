package toy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// ParsePosition reads the notation of a position. It takes nothing but what FormatPosition writes: what was read is
// written again and compared, so that two spellings of a position cannot exist.
func (r Referee) ParsePosition(s rules.Scenario, text string) (*State, error) {
	sc, ok := s.(*Scenario)
	if !ok {
		return nil, fmt.Errorf("toy: %T is not a scenario of Outpost", s)
	}
	ps := parser{}
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		ps.fields = strings.Split(line, " ")
		ps.line(r, sc)
		if ps.err != nil {
			return nil, fmt.Errorf("toy: position line %d: %w", n+1, ps.err)
		}
	}
	if again := r.FormatPosition(ps.p); again != text {
		return nil, fmt.Errorf("toy: position: not as it is written; expected\n%s", again)
	}
	return ps.p, nil
}

// parser reads the fields of a line one after the other and keeps the first error.
type parser struct {
	p      *State
	fields []string
	err    error
}

func (ps *parser) fail(format string, args ...any) {
	if ps.err == nil {
		ps.err = fmt.Errorf(format, args...)
	}
}

// next takes a field; empty after the last.
func (ps *parser) next() string {
	if len(ps.fields) == 0 {
		return ""
	}
	f := ps.fields[0]
	ps.fields = ps.fields[1:]
	return f
}

// has takes a field if it is the word given.
func (ps *parser) has(word string) bool {
	if len(ps.fields) > 0 && ps.fields[0] == word {
		ps.fields = ps.fields[1:]
		return true
	}
	return false
}

func (ps *parser) number() uint8 {
	f := ps.next()
	n, err := strconv.ParseUint(f, 10, 8)
	if err != nil {
		ps.fail("expected a number up to 255, not %.40q", f)
	}
	return uint8(n)
}

func (ps *parser) seat() rules.Seat {
	f := ps.next()
	seat, ok := about.SeatByID(f)
	if !ok {
		ps.fail("expected a seat, not %.40q", f)
		return Red
	}
	return seat
}

func (ps *parser) hex() hex.Index {
	f := ps.next()
	if f == "-" {
		return hex.None
	}
	at, err := ps.p.sc.board.ByID(f)
	if err != nil {
		ps.fail("%w", err)
	}
	return at
}

func (ps *parser) unit() Unit {
	f := ps.next()
	u, ok := ps.p.sc.unitByID(f)
	if !ok {
		ps.fail("expected a unit, not %.40q", f)
		return 0
	}
	return u
}

func (ps *parser) name(names []string) int {
	f := ps.next()
	i := slices.Index(names, f)
	if i < 0 {
		ps.fail("expected one of %s, not %.40q", strings.Join(names, ", "), f)
		return 0
	}
	return i
}

func (ps *parser) line(r Referee, sc *Scenario) {
	kind := ps.next()
	if (ps.p == nil) != (kind == "outpost") {
		ps.fail("expected \"outpost\" in the first line and there alone, not %.40q", kind)
		return
	}
	switch kind {
	case "outpost":
		ps.head(r, sc)
	case "turn":
		ps.turn()
	case "seat":
		ps.seatLine()
	case "unit":
		u := &ps.p.units[ps.unit()]
		*u = unitState{at: ps.hex(), steps: ps.number(), moved: ps.has("moved"), fought: ps.has("fought")}
		if (u.at == hex.None) != (u.steps == 0) {
			ps.fail("a unit without steps is off the map, and no other")
		}
	case "holds":
		o, ok := ps.p.sc.outpostAt(ps.hex())
		if !ok {
			ps.fail("expected an outpost")
			return
		}
		ps.p.holders[o] = ps.seat()
	case "attack":
		f := frame{unit: ps.unit(), target: ps.unit(), step: step(ps.name(stepNames[:])), vacated: ps.hex()}
		ps.p.stack = append(ps.p.stack, f)
		ps.checkAttack(f)
	case "over":
		ps.over()
	default:
		ps.fail("expected what the line is about, not %.40q", kind)
	}
}

func (ps *parser) head(r Referee, sc *Scenario) {
	if id := ps.next(); id != sc.ScenarioID() {
		ps.fail("a position of the scenario %.40q, not of %q", id, sc.ScenarioID())
		return
	}
	values := map[string]string{}
	for len(ps.fields) > 0 {
		name, value, _ := strings.Cut(ps.next(), "=")
		values[name] = value
	}
	o, err := about.NewOptions(values)
	if err != nil {
		ps.fail("%w", err)
		return
	}
	ps.p = r.New(sc, o)
	for i := range ps.p.holders {
		ps.p.holders[i] = rules.NoSeat
	}
}

func (ps *parser) turn() {
	p := ps.p
	p.turn, p.phase = ps.number(), Phase(ps.name(phaseNames[:]))
	if ps.has("first") {
		p.first = ps.seat()
	}
	if ps.has("active") {
		p.active = ps.seat()
	}
	p.begun, p.scored = ps.has("begun"), ps.has("scored")
	if p.begun && p.active == rules.NoSeat {
		ps.fail("a player turn that has begun is somebody's")
	}
}

func (ps *parser) seatLine() {
	s := &ps.p.seats[ps.seat()]
	ps.has("supply")
	s.supply = ps.number()
	ps.has("score")
	s.score = ps.number()
	if ps.has("plan") {
		s.plan, s.bared = ps.hex(), ps.has("bared")
	}
	if ps.has("scouts") {
		s.scouted, s.found = true, ps.hex()
	}
	s.offersDraw = ps.has("offers")
}

// checkAttack refuses an attack that could not be carried on.
func (ps *parser) checkAttack(f frame) {
	p := ps.p
	if len(p.stack) > 1 || p.units[f.unit].steps == 0 || p.units[f.target].steps == 0 && f.step != stepDone {
		ps.fail("expected one attack between units on the map")
	} else if (f.step == stepRetreated) != (f.vacated != hex.None) && f.step != stepDone {
		ps.fail("a retreat leaves a hex, and nothing else does")
	}
}

func (ps *parser) over() {
	p := ps.p
	if ids := ps.next(); ids != "-" {
		for _, id := range strings.Split(ids, ",") {
			seat, ok := about.SeatByID(id)
			if !ok {
				ps.fail("expected seats, not %.40q", id)
				return
			}
			p.end.winners |= rules.SeatsOf(seat)
		}
	}
	p.end.level = levels[ps.name(levels)]
}
