package toy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
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

// FormatCommand writes a command: its kind and what it names.
func (Referee) FormatCommand(p *State, c Command) string {
	if c.Kind >= numKinds {
		return "?"
	}
	var b strings.Builder
	b.WriteString(kinds[c.Kind].id)
	for _, w := range kinds[c.Kind].words {
		b.WriteByte(' ')
		switch w {
		case wordUnit:
			b.WriteString(p.sc.unitID(c.Unit))
		case wordTarget:
			b.WriteString(p.sc.unitID(c.Target))
		case wordHex:
			b.WriteString(p.sc.hexID(c.Hex))
		case wordSteps:
			b.WriteString(strconv.Itoa(int(c.Steps)))
		}
	}
	return b.String()
}

// ParseCommand reads what FormatCommand writes, in any case and spacing.
func (Referee) ParseCommand(p *State, text string) (Command, *rules.Refusal) {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 0 {
		return Command{}, rules.Malformed("expected a command")
	}
	for k := range numKinds {
		if kinds[k].id == fields[0] {
			return parseWords(p, k, fields[1:])
		}
	}
	return Command{}, rules.Malformed("there is no command %.40q", fields[0])
}

func parseWords(p *State, k Kind, fields []string) (Command, *rules.Refusal) {
	if len(fields) != len(kinds[k].words) {
		return Command{}, rules.Malformed("expected %d words after %s, not %d", len(kinds[k].words), kinds[k].id, len(fields))
	}
	c, r := Command{Kind: k}, reader{sc: p.sc}
	for i, w := range kinds[k].words {
		switch w {
		case wordUnit:
			c.Unit = r.unit(fields[i])
		case wordTarget:
			c.Target = r.unit(fields[i])
		case wordHex:
			c.Hex = r.hex(fields[i])
		case wordSteps:
			n, err := strconv.ParseUint(fields[i], 10, 8)
			if err != nil {
				n = 0 // refused as out of range
			}
			c.Steps = r.steps(uint32(n))
		}
	}
	if r.refusal != nil {
		return Command{}, r.refusal
	}
	return c, nil
}

// stepNames are what the notation calls the steps of an attack.
var stepNames = [...]string{
	stepDeclared: "declared", stepRepulsed: "repulsed", stepNoEffect: "no-effect", stepHit: "hit",
	stepRetreated: "retreated", stepDone: "done",
}

// FormatPosition writes the whole position.
func (Referee) FormatPosition(p *State) string {
	b := make([]byte, 0, 512)
	line := func(format string, args ...any) { b = fmt.Appendf(b, format, args...) }
	line("outpost %s", p.sc.ScenarioID())
	for _, o := range about.Options {
		line(" %s=%s", o.ID, p.options.Value(o.ID))
	}
	line("\nturn %d %s", p.turn, phaseNames[p.phase])
	if p.first != rules.NoSeat {
		line(" first %s", about.SeatID(p.first))
	}
	if p.active != rules.NoSeat {
		line(" active %s", about.SeatID(p.active))
	}
	line("%s%s\n", mark(p.begun, " begun"), mark(p.scored, " scored"))
	for seat, s := range p.seats {
		line("seat %s supply %d score %d", about.Seats[seat].ID, s.supply, s.score)
		if s.plan != hex.None {
			line(" plan %s%s", p.sc.hexID(s.plan), mark(s.bared, " bared"))
		}
		if s.scouted {
			line(" scouts %s", orDash(p.sc.hexID(s.found)))
		}
		line("%s\n", mark(s.offersDraw, " offers"))
	}
	for u, unit := range p.units {
		line("unit %s %s %d%s%s\n", p.sc.unitID(Unit(u)), orDash(p.sc.hexID(unit.at)), unit.steps,
			mark(unit.moved, " moved"), mark(unit.fought, " fought"))
	}
	for o, holder := range p.holders {
		if holder != rules.NoSeat {
			line("holds %s %s\n", p.sc.hexID(p.sc.outposts[o]), about.SeatID(holder))
		}
	}
	for _, f := range p.stack {
		line("attack %s %s %s %s\n", p.sc.unitID(f.unit), p.sc.unitID(f.target), stepNames[f.step], orDash(p.sc.hexID(f.vacated)))
	}
	if p.phase == PhaseOver {
		line("over %s %s\n", orDash(seatList(p.end.winners)), p.end.level)
	}
	return string(b)
}

func mark(is bool, word string) string {
	if is {
		return word
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func seatList(seats rules.Seats) string {
	var ids []string
	for seat := range seats.Each {
		ids = append(ids, about.SeatID(seat))
	}
	return strings.Join(ids, ",")
}
