package toy

import (
	"fmt"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// The notation of a position is one fact a line, each beginning with what it is about, always in this order:
//
//	outpost ridge length=scenario pursuit=false
//	turn 2 act first red active blue begun
//	seat red supply 2 score 3 plan 0103 scouts 0503
//	seat blue supply 1 score 2 plan 0503
//	unit r1 0203 2 moved fought
//	unit r2 - 0
//	holds 0103 red
//	attack r1 b2 hit 0404
//	over red points
//
// What does not hold is left out: units keep their lines, outposts that nobody holds have none.

// stepNames are what the notation calls the steps of an attack.
var stepNames = [...]string{
	stepDeclared: "declared", stepRepulsed: "repulsed", stepNoEffect: "no-effect", stepHit: "hit",
	stepRetreated: "retreated", stepDone: "done",
}

// seatIDs are the ids of the seats.
var seatIDs = []string{Red: "red", Blue: "blue"}

// notes are the lines of a position on their way out or in.
type notes struct {
	*kit.Notes
	p *State
}

// lines are all lines after the first. A position that is written is not changed.
func (n *notes) lines() {
	n.turn()
	for seat := Red; seat < numSeats && n.Line("seat", true); seat++ {
		n.seatLine(seat)
	}
	for u := 0; u < len(n.p.units) && n.Line("unit", true); u++ {
		n.unitLine(Unit(u))
	}
	n.holds()
	for i := 0; n.Line("attack", i < len(n.p.stack)); i++ {
		n.attack(i)
	}
	n.over()
}

// format writes the whole position, secrets included.
func (p *State) format() string {
	n := &notes{&kit.Notes{Text: make([]byte, 0, 512)}, p}
	n.Line("outpost", true)
	n.Word(p.sc.ScenarioID())
	for _, o := range about.Options {
		n.Word(o.ID + "=" + p.options.Value(o.ID))
	}
	n.lines()
	return string(n.Text) + "\n"
}

// parsePosition reads the notation of a position. It takes nothing but what format writes: what was read is written
// again and compared, so that two spellings of a position cannot exist.
func parsePosition(sc *Scenario, text string) (*State, error) {
	n := &notes{Notes: &kit.Notes{}}
	if err := n.Lines(text, func() { n.read(sc) }); err != nil {
		return nil, fmt.Errorf("toy: position %w", err)
	}
	if again := n.p.format(); again != text {
		return nil, fmt.Errorf("toy: position: not as it is written; expected\n%s", again)
	}
	return n.p, nil
}

// read reads a line. Words that are left over show when the position is written again.
func (n *notes) read(sc *Scenario) {
	kind := n.Words[0]
	switch {
	case (n.p == nil) != (kind == "outpost"):
		n.Fail("expected \"outpost\" in the first line and there alone, not %.40q", kind)
	case n.p == nil:
		n.head(sc)
	default:
		if n.lines(); !n.Taken() {
			n.Fail("expected what the line is about, not %.40q", kind)
		}
	}
	n.Words = nil
}

func (n *notes) head(sc *Scenario) {
	n.Next()
	if id := n.Next(); id != sc.ScenarioID() {
		n.Fail("a position of the scenario %.40q, not of %q", id, sc.ScenarioID())
		return
	}
	values := map[string]string{}
	for n.Going() {
		name, value, _ := strings.Cut(n.Next(), "=")
		values[name] = value
	}
	o, err := about.NewOptions(values)
	if err != nil {
		n.Fail("%w", err)
		return
	}
	n.p = newState(sc, o)
	for i := range n.p.holders {
		n.p.holders[i] = rules.NoSeat
	}
}

// hex is a hex; "-" is none.
func (n *notes) hex(v *hex.Index) {
	switch {
	case !n.Reading && *v == hex.None:
		n.Word("-")
	case !n.Reading:
		n.Word(n.p.hexID(*v))
	case n.Has("-"):
		*v = hex.None
	default:
		at, err := n.p.sc.board.ByID(n.Next())
		if *v = at; err != nil {
			n.Fail("%w", err)
		}
	}
}

func (n *notes) unit(v *Unit) {
	if !n.Reading {
		n.Word(n.p.id(*v))
		return
	}
	w := n.Next()
	u, ok := n.p.sc.unitByID(w)
	if *v = u; !ok {
		n.Fail("expected a unit, not %.40q", w)
		*v = 0
	}
}

func (n *notes) turn() {
	p := n.p
	if !n.Line("turn", true) {
		return
	}
	kit.Int(n.Notes, &p.turn, 0, 255)
	kit.Name(n.Notes, &p.phase, phaseNames[:])
	if n.Option("first", p.first != rules.NoSeat) {
		kit.Name(n.Notes, &p.first, seatIDs)
	}
	if n.Option("active", p.active != rules.NoSeat) {
		kit.Name(n.Notes, &p.active, seatIDs)
	}
	n.Flag("begun", &p.begun)
	if n.Flag("scored", &p.scored); p.begun && p.active == rules.NoSeat {
		n.Fail("a player turn that has begun is somebody's")
	}
}

func (n *notes) seatLine(seat rules.Seat) {
	kit.Name(n.Notes, &seat, seatIDs)
	s := &n.p.seats[seat]
	kit.Named(n.Notes, "supply", &s.supply, 0, 255)
	kit.Named(n.Notes, "score", &s.score, 0, 255)
	if n.Option("plan", s.plan != hex.None) {
		n.hex(&s.plan)
		n.Flag("bared", &s.bared)
	}
	if n.Flag("scouts", &s.scouted); s.scouted {
		n.hex(&s.found)
	}
	n.Flag("offers", &s.offersDraw)
}

func (n *notes) unitLine(u Unit) {
	n.unit(&u)
	unit := &n.p.units[u]
	n.hex(&unit.at)
	kit.Int(n.Notes, &unit.steps, 0, 255)
	n.Flag("moved", &unit.moved)
	if n.Flag("fought", &unit.fought); (unit.at == hex.None) != (unit.steps == 0) {
		n.Fail("a unit without steps is off the map, and no other")
	}
}

// holds are the outposts that somebody holds.
func (n *notes) holds() {
	for o := range n.p.holders {
		if !n.Reading && n.p.holders[o] == rules.NoSeat || !n.Line("holds", true) {
			continue
		}
		at := n.p.sc.outposts[o]
		n.hex(&at)
		held, ok := n.p.sc.outpostAt(at)
		if !ok {
			n.Fail("expected an outpost")
			return
		}
		kit.Name(n.Notes, &n.p.holders[held], seatIDs)
	}
}

// attack is the attack in progress, refused if it could not be carried on.
func (n *notes) attack(i int) {
	p := n.p
	if n.Reading {
		p.stack = append(p.stack, frame{})
		i = len(p.stack) - 1
	}
	f := &p.stack[i]
	n.unit(&f.unit)
	n.unit(&f.target)
	kit.Name(n.Notes, &f.step, stepNames[:])
	switch n.hex(&f.vacated); {
	case len(p.stack) > 1 || p.units[f.unit].steps == 0 || p.units[f.target].steps == 0 && f.step != stepDone:
		n.Fail("expected one attack between units on the map")
	case (f.step == stepRetreated) != (f.vacated != hex.None) && f.step != stepDone:
		n.Fail("a retreat leaves a hex, and nothing else does")
	}
}

func (n *notes) over() {
	p := n.p
	if !n.Line("over", p.phase == PhaseOver) {
		return
	}
	if !n.Reading {
		n.Word(seatList(p.end.winners), p.end.level)
		return
	}
	if ids := n.Next(); ids != "-" {
		for _, id := range strings.Split(ids, ",") {
			p.end.winners |= rules.SeatsOf(rules.Seat(n.Index(id, seatIDs)))
		}
	}
	p.end.level = levels[n.Index(n.Next(), levels)]
}

// seatList joins the ids of seats; "-" for none.
func seatList(seats rules.Seats) string {
	var ids []string
	for seat := range seats.Each {
		ids = append(ids, about.SeatID(seat))
	}
	if ids == nil {
		return "-"
	}
	return strings.Join(ids, ",")
}
