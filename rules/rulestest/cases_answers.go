package rulestest

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// outcomes groups what can come of a command by what is told of it, in the order of first coming up.
func (c *cases) outcomes(t *testing.T, d *datadriven.TestData) string {
	seat, limit := c.seat(t, d), 1000
	d.MaybeScanArgs(t, "limit", &limit)
	command, err := c.game.ParseCommand(d.Input)
	if err != nil {
		return refusalText(err)
	}
	chances := map[string]dice.Chance{}
	var order []string
	err = rules.Outcomes(c.game, seat, command,
		limit, func(chance dice.Chance, _ rules.Game, out *rules.Outcome) error {
			var lines []string
			for _, e := range out.Events {
				lines = append(lines, "  "+MessageText(e.Event)+"\n")
			}
			text := strings.Join(lines, "")
			sum, known := chances[text]
			if !known {
				sum = dice.Chance{Num: 0, Den: 1}
				order = append(order, text)
			}
			sum, err := sum.Add(chance)
			chances[text] = sum
			return err
		})
	if err != nil {
		return refusalText(err)
	}
	var b strings.Builder
	for _, text := range order {
		fmt.Fprintf(&b, "%v:\n%s", chances[text], text)
	}
	return b.String()
}

func (c *cases) prompts(t *testing.T, d *datadriven.TestData) string {
	var b strings.Builder
	about := c.set.About()
	viewer := c.viewer(t, d)
	for _, x := range c.game.Decisions() {
		if !viewer.MaySee(x.Audience) {
			continue
		}
		fmt.Fprintf(&b, "%s %s", about.SeatID(x.Seat), x.Kind)
		if x.Optional {
			b.WriteString(" (offer)")
		}
		fmt.Fprintf(&b, ": %s %v", about.Catalogue.Format(rules.English, x.Text), x.Rules)
		if len(x.Pieces)+len(x.Spaces) > 0 {
			fmt.Fprintf(&b, " about %s", strings.Join(append(append([]string(nil), x.Pieces...), x.Spaces...), " "))
		}
		b.WriteString("\n")
	}
	return orNothing(b.String())
}

func (c *cases) view(t *testing.T, d *datadriven.TestData) string {
	m := c.game.View(c.viewer(t, d)).ProtoReflect()
	var b strings.Builder
	for _, f := range setFields(m) {
		if f.IsList() {
			for i := range m.Get(f).List().Len() {
				fmt.Fprintf(&b, "%s %s\n", f.Name(), scalarText(f, m.Get(f).List().Get(i)))
			}
			continue
		}
		fmt.Fprintf(&b, "%s %s\n", f.Name(), valueText(f, m.Get(f)))
	}
	return orNothing(b.String())
}

func (c *cases) perft(t *testing.T, d *datadriven.TestData) string {
	var depth int
	var seed uint64
	d.ScanArgs(t, "depth", &depth)
	d.MaybeScanArgs(t, "seed", &seed)
	var b strings.Builder
	for i, n := range Perft(c.game, depth, seed) {
		fmt.Fprintf(&b, "%d: %d\n", i+1, n)
	}
	return b.String()
}

// told writes rolls and events in the order in which they happened.
func (c *cases) told(out *rules.Outcome) string {
	var b strings.Builder
	rolls := 0
	roll := func(upTo int) {
		for ; rolls < upTo; rolls++ {
			r := out.Rolls[rolls]
			fmt.Fprintf(&b, "  rolled %d of %d for %s%s\n", r.Value, r.Sides, r.Reason, c.audience(r.Audience))
		}
	}
	for _, e := range out.Events {
		roll(e.RollsBefore)
		fmt.Fprintf(&b, "  %s%s\n", MessageText(e.Event), c.audience(e.Audience))
	}
	roll(len(out.Rolls))
	if out.Revealed {
		b.WriteString("  (revealing)\n")
	}
	return b.String()
}

func (c *cases) audience(a rules.Audience) string {
	if a == rules.Everyone {
		return ""
	}
	var ids []string
	for seat := range (rules.Seats(a) & c.set.About().AllSeats()).Each {
		ids = append(ids, c.set.About().SeatID(seat))
	}
	switch {
	case a&rules.AuditorOnly == 0:
	case len(ids) > 0:
		ids = append(ids, "together")
	default:
		ids = append(ids, "auditor")
	}
	return " [" + strings.Join(ids, " ") + "]"
}

// asked writes what the game waits for.
func (c *cases) asked() string {
	about := c.set.About()
	if e := c.game.Ending(); e != nil {
		return "over: " + about.Catalogue.Format(rules.English, e.Text) + "\n"
	}
	var asked []string
	for _, d := range c.game.Decisions() {
		if !d.Optional {
			asked = append(asked, about.SeatID(d.Seat)+" "+d.Kind)
		}
	}
	sort.Strings(asked)
	return "asked: " + strings.Join(asked, ", ") + "\n"
}
