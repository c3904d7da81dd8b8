package rulestest

import (
	"bytes"
	"fmt"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// fork is two games that differ in a secret alone, and those whom it is kept from.
type fork struct {
	a, b      rules.Game
	outsiders []witness
	secret    string   // what differs, for messages
	path      []string // commands since
}

// forkSecrets forks the game before a command that had a secret: the command itself, or a die.
// What is not secret stays.
func (m *match) forkSecrets(before rules.Game, t tried, out *rules.Outcome, seed uint64) {
	if m.stats.Forks >= m.cfg.Forks {
		return
	}
	if audience := before.CommandAudience(t.seat, t.c); audience != rules.Everyone &&
		(m.cfg.Open == nil || !m.cfg.Open(t.kind())) {
		m.forkCommand(before, t, audience, seed)
	}
	for i, r := range out.Rolls {
		if r.Audience != rules.Everyone {
			m.forkRoll(before, t, out, i)
			return
		}
	}
}

// outside are the witnesses who may not see something, and all of their seats in one hand.
func (m *match) outside(audience rules.Audience) []witness {
	list := []witness{{"a spectator", rules.Spectator}}
	var hand rules.Seats
	for seat := range m.about.Seats {
		if v := rules.SeatViewer(rules.Seat(seat)); !v.MaySee(audience) {
			list = append(list, witness{m.about.SeatID(rules.Seat(seat)), v})
			hand |= v.Seats
		}
	}
	if hand.Len() > 1 {
		list = append(list, witness{"all others in one hand", rules.Viewer{Seats: hand}})
	}
	return list
}

// forkCommand plays another command of the same kind and the same audience instead.
func (m *match) forkCommand(before rules.Game, t tried, audience rules.Audience, seed uint64) {
	var others []tried
	for c := range before.Legal(t.seat, rules.Filter{Kind: t.kind()}) {
		if o := m.offered(before, t.seat, c); o.text != t.text && before.CommandAudience(o.seat, o.c) == audience {
			others = append(others, o)
		}
	}
	if len(others) == 0 {
		return
	}
	o := others[m.rnd.Below(uint32(len(others)))]
	f := fork{outsiders: m.outside(audience), secret: fmt.Sprintf("%s chose %s or %s",
		m.about.SeatID(t.seat), t.text, o.text)}
	a, outA, errA := before.Play(t.seat, t.c, dice.NewSeeded(seed))
	b, outB, errB := before.Play(o.seat, o.c, dice.NewSeeded(seed))
	if errA != nil || errB != nil {
		m.failf("%s or %s is listed, and refused: %v, %v", t.text, o.text, errA, errB)
	}
	f.a, f.b = a, b
	m.compare(&f, "the choice itself", outA, outB)
	m.follow(&f)
}

// forkRoll throws another number with one secret die.
func (m *match) forkRoll(before rules.Game, t tried, out *rules.Outcome, i int) {
	roll := out.Rolls[i]
	values := rolled(out)
	values[i].Value = values[i].Value%roll.Sides + 1
	src := &altered{script: values, rest: dice.NewSeeded(m.rnd.Next())}
	b, outB, err := before.Play(t.seat, t.c, src)
	if err != nil {
		m.failf("%s is listed, and refused: %v", t.text, err)
	}
	a, outA, err := before.Play(t.seat, t.c, dice.NewScript(rolled(out)))
	if err != nil {
		m.failf("%s asks for other dice when it is played again: %v", t.text, err)
	}
	f := fork{a: a, b: b, outsiders: m.outside(roll.Audience),
		secret: fmt.Sprintf("the die for %s of %s showed %d or %d", roll.Reason, t.text, roll.Value, values[i].Value)}
	m.compare(&f, "the command that rolled", outA, outB)
	m.follow(&f)
}

// altered are dice of which the first are given, and others follow if the procedure goes another way.
type altered struct {
	script []dice.Roll
	rest   *dice.Seeded
}

// Roll gives the die that was given if it has as many sides.
func (a *altered) Roll(sides uint8, reason string) (uint8, error) {
	if len(a.script) > 0 {
		r := a.script[0]
		a.script = a.script[1:]
		if r.Sides == sides {
			return r.Value, nil
		}
	}
	return a.rest.Roll(sides, reason)
}

// checkHidden compares the position with those that the ruleset says differ only in what is hidden.
func (m *match) checkHidden() {
	if m.cfg.Hide == nil || m.stats.Forks >= m.cfg.Forks {
		return
	}
	for _, w := range m.witnesses() {
		if w.viewer.All {
			continue
		}
		for _, other := range m.cfg.Hide(m.game, w.viewer) {
			f := fork{a: m.game.Clone(), b: other, outsiders: []witness{w},
				secret: "what is hidden from " + w.name + " is\n" + lineDiff(m.game.Notation(), other.Notation())}
			m.compare(&f, "as it is", nil, nil)
			m.follow(&f)
		}
	}
}

// follow plays both games on with the same commands and dice as long as they are legal in both, and compares.
func (m *match) follow(f *fork) {
	m.stats.Forks++
	for range m.cfg.ForkCommands {
		if len(f.outsiders) == 0 || f.a.Ending() != nil || f.b.Ending() != nil {
			return
		}
		t, ok := m.common(f)
		if !ok {
			return
		}
		seed := m.rnd.Next()
		a, outA, errA := f.a.Play(t.seat, t.c, dice.NewSeeded(seed))
		b, outB, errB := f.b.Play(t.seat, t.c, dice.NewSeeded(seed))
		if errA != nil || errB != nil {
			m.failf("%s passes Check, and is refused: %v, %v", t.text, errA, errB)
		}
		f.a, f.b = a, b
		f.path = append(f.path, m.about.SeatID(t.seat)+" "+t.text)
		m.compare(f, f.path[len(f.path)-1], outA, outB)
	}
}

// common chooses a command that is legal in both games.
func (m *match) common(f *fork) (tried, bool) {
	if f.a.Waiting() == 0 {
		m.failf("the game stalls: it is not over, and waits for nobody\n%s", f.a.Notation())
	}
	for range 12 {
		t := m.choose(f.a)
		if f.b.Check(t.seat, t.c) == nil {
			return t, true
		}
	}
	return tried{}, false
}

// compare holds what each outsider sees of the two games against each other. After a record that reveals something,
// those who see a difference now know the secret, and are outsiders no more.
func (m *match) compare(f *fork, after string, outA, outB *rules.Outcome) {
	revealed := outA != nil && outA.Revealed || outB != nil && outB.Revealed
	rest := f.outsiders[:0]
	for _, w := range f.outsiders {
		m.stats.Sights++
		if bytes.Equal(m.glimpse(f.a, w.viewer, outA), m.glimpse(f.b, w.viewer, outB)) &&
			(m.stats.Sights%4 != 0 || bytes.Equal(m.layered(f.a, f, w.viewer), m.layered(f.b, f, w.viewer))) {
			rest = append(rest, w)
			continue
		}
		if !revealed && (m.cfg.Parted == nil || !m.cfg.Parted(f.a, f.b, w.viewer)) {
			diff := lineDiff(m.sight(f.a, f, w.viewer, outA), m.sight(f.b, f, w.viewer, outB))
			m.failf("a leak: %s sees a difference after %s, though the games differ only "+
				"in this: %s\n%sbetween them: %s",
				w.name, after, f.secret, diff, strings.Join(f.path, "; "))
		}
	}
	f.outsiders = rest
}

// glimpse is everything that a viewer can see of a game and of what just happened, in bytes that are equal if it is:
// the shape of the record, the events and rolls in their sight, the board, the view, and for their seats the
// commands and the refusals.
func (m *match) glimpse(g rules.Game, v rules.Viewer, out *rules.Outcome) []byte {
	b := []byte(m.recordSight(v, out))
	b = append(b, encode(g.Board(v, rules.English))...)
	b = append(b, encode(g.View(v))...)
	b = append(b, m.knownSight(g, v)...)
	return append(b, m.seatSight(g, v)...)
}

// layered is what a viewer is told of whole spaces, and of the ranges of pieces, whether the viewer sees those or not.
// It takes long to work out, so it is compared only now and then.
func (m *match) layered(g rules.Game, f *fork, v rules.Viewer) []byte {
	return encode(&boardv1.Board{Layers: g.Layers(v, rules.English), Ranges: g.Ranges(v, m.ranged(f), rules.English)})
}

// ranged asks for the ranges of some pieces that are in one of the games, and for threats to a space. It asks about
// others each time.
func (m *match) ranged(f *fork) rules.Ranged {
	var of rules.Ranged
	for _, g := range []rules.Game{f.a, f.b} {
		drawn := g.Board(rules.Viewer{All: true}, rules.English)
		for i := range min(8, len(drawn.Pieces)) {
			of.Pieces = append(of.Pieces, drawn.Pieces[(m.stats.Sights*3+i)%len(drawn.Pieces)].GetId())
		}
		if n := len(drawn.Spaces); n > 0 {
			of.Space = drawn.Spaces[m.stats.Sights%n].GetId()
		}
	}
	return of
}

// sight is the same in words.
func (m *match) sight(g rules.Game, f *fork, v rules.Viewer, out *rules.Outcome) string {
	var b strings.Builder
	b.WriteString(m.recordSight(v, out))
	drawn := g.Board(v, rules.English)
	drawn.Layers, drawn.Ranges = g.Layers(v, rules.English), g.Ranges(v, m.ranged(f), rules.English)
	board := drawn.ProtoReflect()
	for _, f := range setFields(board) { // one line for each, so that a difference is short
		if f.IsList() {
			list := board.Get(f).List()
			for i := range list.Len() {
				fmt.Fprintf(&b, "board %s %s\n", f.Name(), scalarText(f, list.Get(i)))
			}
			continue
		}
		fmt.Fprintf(&b, "board %s %s\n", f.Name(), valueText(f, board.Get(f)))
	}
	fmt.Fprintf(&b, "view %s\n", MessageText(g.View(v)))
	b.WriteString(m.knownSight(g, v))
	b.WriteString(m.seatSight(g, v))
	return b.String()
}

// knownSight is the position as the viewer knows it, in notation. A program that has the rules must be able to read it.
// Of two games that a viewer cannot tell apart it is the same, and read once.
func (m *match) knownSight(g rules.Game, v rules.Viewer) string {
	known, _ := g.Known(v)
	text := known.Notation()
	if text == m.read {
		return text
	}
	read, err := g.Ruleset().ParsePosition(g.Scenario(), text)
	if err != nil {
		m.failf("what %v knows cannot be read: %v\n%s", v, err, text)
	}
	if again := read.Notation(); again != text {
		m.failf("what %v knows reads otherwise:\n%s", v, lineDiff(text, again))
	}
	m.read = text
	return text
}

func (m *match) recordSight(v rules.Viewer, out *rules.Outcome) string {
	if out == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "record of %d events and %d rolls, revealing %v\n", len(out.Events), len(out.Rolls), out.Revealed)
	for _, e := range out.Events {
		text := "a hidden event"
		if v.MaySee(e.Audience) {
			text = MessageText(e.Event)
		}
		fmt.Fprintf(&b, "after %d rolls: %s\n", e.RollsBefore, text)
	}
	for _, r := range out.Rolls {
		if v.MaySee(r.Audience) {
			fmt.Fprintf(&b, "rolled %d with %d for %s\n", r.Value, r.Sides, r.Reason)
		} else {
			b.WriteString("a hidden roll\n")
		}
	}
	return b.String()
}

// seatSight is what a viewer's seats may do, and why not more. Descriptions and previews are taken of a few commands.
func (m *match) seatSight(g rules.Game, v rules.Viewer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "turn %d\n", g.Turn())
	for seat := range v.Seats.Each {
		m.tensorSight(&b, g, seat)
		id, n := m.about.SeatID(seat), 0
		for c := range g.Legal(seat, rules.Filter{}) {
			fmt.Fprintf(&b, "%s may %s\n", id, g.FormatCommand(c))
			if n++; n <= m.cfg.Listed {
				fmt.Fprintf(&b, "  that is %+v\n  paid by %+v\n", g.Describe(seat, c), g.Payment(seat, c))
			}
			if n&(n-1) == 0 { // the first, second, fourth, eighth: some of every kind, without the whole list
				fmt.Fprintf(&b, "  which means %s", m.previewSight(g, seat, c))
			}
		}
		for _, t := range m.known[:min(len(m.known), m.cfg.Listed)] {
			fmt.Fprintf(&b, "%s trying %s: %v\n", id, t.text, g.Check(seat, t.c))
		}
	}
	return b.String()
}
