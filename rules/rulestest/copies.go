package rulestest

import (
	"fmt"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// checkCopies: a copy is equal, and neither it nor its original changes when the other does.
func (m *match) checkCopies() {
	want := m.game.Notation()
	kept := m.game.Clone()
	moving := kept.Clone()
	m.same(kept, want, "a clone")
	m.scramble(moving)
	m.same(kept, want, "the original of a clone that was played on")
	spare := kept.Clone()
	m.scramble(kept)
	m.same(spare, want, "the clone of a game that was played on")
	m.same(m.game, want, "the game of which clones were played on")
}

func (m *match) same(g rules.Game, want, what string) {
	if got := g.Notation(); got != want {
		m.failf("%s is not as it was:\n%s", what, lineDiff(want, got))
	}
}

// scramble plays some commands in place.
func (m *match) scramble(g rules.Game) {
	var out rules.Outcome
	for range 6 {
		if g.Ending() != nil || g.Waiting() == 0 {
			return
		}
		t := m.choose(g)
		out.Reset()
		if err := g.Apply(t.seat, t.c, dice.NewSeeded(m.rnd.Next()), &out); err != nil {
			m.failf("%s is listed, and refused by Apply: %v", t.text, err)
		}
	}
}

// checkPosition: a position survives its notation, with everything that can be asked of it.
func (m *match) checkPosition() {
	text := m.game.Notation()
	parsed, err := m.set.ParsePosition(m.sc, text)
	if err != nil {
		m.failf("the notation of the position cannot be read: %v", err)
	}
	m.same(parsed, text, "a position that was written and read")
	if parsed.Hash() != m.game.Hash() {
		m.failf("a position that was written and read has another hash")
	}
	if got, want := m.answers(parsed), m.answers(m.game); got != want {
		m.failf("a position that was written and read gives other answers, so its notation leaves something out:\n%s",
			lineDiff(want, got))
	}
	for range 3 { // what is cut short is refused or read, and nothing worse
		cut := text[:m.rnd.Below(uint32(len(text)))]
		if g, err := m.set.ParsePosition(m.sc, cut); err == nil {
			g.Notation()
		}
	}
}

// answers is what a position says about itself to someone who sees all.
func (m *match) answers(g rules.Game) string {
	var text strings.Builder
	fmt.Fprintf(&text, "turn %d\nwaiting %b\nending %v\n", g.Turn(), g.Waiting(), g.Ending())
	for _, d := range g.Decisions() {
		fmt.Fprintf(&text, "decision %+v\n", d)
	}
	fmt.Fprintf(&text, "view %s\nboard %s\n",
		MessageText(g.View(rules.Auditor)), MessageText(g.Board(rules.Auditor, rules.English)))
	for seat := range m.about.Seats {
		for c := range g.Legal(rules.Seat(seat), rules.Filter{}) {
			fmt.Fprintf(&text, "%s: %s\n", m.about.SeatID(rules.Seat(seat)), g.FormatCommand(c))
		}
	}
	return text.String()
}
