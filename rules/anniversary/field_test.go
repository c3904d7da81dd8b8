package anniversary

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// field is a game with nothing on the board but what a test puts there.
type field struct {
	t   *testing.T
	p   *Position
	out *rules.Outcome
	src *thrown
}

// thrown are dice that a test gives; when they run out the test fails.
type thrown struct {
	t    *testing.T
	dice []uint8
}

func (d *thrown) Roll(sides uint8, reason string) (uint8, error) {
	if len(d.dice) == 0 {
		d.t.Fatalf("a die is thrown for %s that the test does not give", reason)
	}
	v := d.dice[0]
	d.dice = d.dice[1:]
	return v, nil
}

var _ dice.Source = (*thrown)(nil)

// bareField is a board without units, with options besides research being off.
func bareField(t *testing.T, scenario string, options ...string) *field {
	return fieldOf(t, shippedScenario(t, scenario), options...)
}

// fieldOf is the same for a scenario that is loaded.
func fieldOf(t *testing.T, sc *Scenario, options ...string) *field {
	given := map[string]string{"research": "false"}
	for i := 0; i+1 < len(options); i += 2 {
		given[options[i]] = options[i+1]
	}
	o, err := about.NewOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	p := referee{}.New(sc, o)
	p.groups, p.tallies = p.groups[:0], [MaxSpaces][2]tally{}
	p.index()
	for w := range p.ipc {
		p.ipc[w] = 0
	}
	return &field{t: t, p: p, out: new(rules.Outcome), src: &thrown{t: t}}
}

func (f *field) space(id string) Space {
	if strings.HasPrefix(id, "sz") && !strings.Contains(id, "-") {
		id = "sz-" + id[2:]
	}
	s := f.p.sc.SpaceByID(id)
	if s == NoSpace {
		f.t.Fatalf("no space %q", id)
	}
	return s
}

// put puts units of a power into a space: "2 tank".
func (f *field) put(w Power, at string, units ...any) {
	for i := 0; i+1 < len(units); i += 2 {
		f.p.put(keyOf(f.space(at), w, units[i+1].(Unit)), uint16(units[i].(int)))
	}
}

func (f *field) own(w Power, ids ...string) {
	for _, id := range ids {
		f.p.owner[f.space(id)] = w
	}
}

// begin begins a power's turn and goes on to its first decision, which is Combat Move without money.
func (f *field) begin(w Power) {
	f.t.Helper()
	for i, o := range f.p.sc.Order {
		if o == w {
			f.p.turn = uint8(i)
		}
	}
	f.p.round = 1
	if err := rules.Start(referee{}, f.p, f.src, f.out); err != nil {
		f.t.Fatal(err)
	}
	if a, _ := f.p.ask(); a == AskOrder {
		f.do(only(KindOrder))
	}
}

func (f *field) seat() rules.Seat {
	for s := range (referee{}).Waiting(f.p).Each {
		return s
	}
	f.t.Fatal("nobody is asked")
	return rules.NoSeat
}

// do plays a command of whoever is asked, with dice, all of which must be used.
func (f *field) do(c Command, dice ...uint8) {
	f.t.Helper()
	f.src.dice = dice
	if err := rules.Play(referee{}, f.p, f.seat(), c, f.src, f.out); err != nil {
		f.t.Fatalf("%s: %v", (referee{}).FormatCommand(f.p, c), err)
	}
	if n := len(f.src.dice); n > 0 {
		f.t.Fatalf("%d dice are left", n)
	}
}

// try checks a command and gives the rule that refuses it; empty if none does.
func (f *field) try(c Command) string {
	f.t.Helper()
	r := referee{}.Check(f.p, f.seat(), c)
	if r == nil {
		return ""
	}
	if r.Rule == "" {
		return r.Error()
	}
	return r.Rule
}

// say reads a command in the notation.
func (f *field) say(text string) Command {
	f.t.Helper()
	c, r := (referee{}).ParseCommand(f.p, text)
	if r != nil {
		f.t.Fatalf("%q: %v", text, r)
	}
	return c
}

func (f *field) play(text string, dice ...uint8) {
	f.t.Helper()
	f.do(f.say(text), dice...)
}

func (f *field) refused(rule, text string) {
	f.t.Helper()
	if got := f.try(f.say(text)); got != rule {
		f.t.Errorf("%q: refused by %q, expected %q", text, got, rule)
	}
}

// count is how many units of a power and type are in a space, however marked.
func (f *field) count(w Power, at string, u Unit) int {
	n := 0
	for _, g := range f.p.at(f.space(at)) {
		if g.Power() == w && g.Unit() == u {
			n += int(g.N)
		}
	}
	return n
}

func (f *field) has(w Power, at string, n int, u Unit) {
	f.t.Helper()
	if got := f.count(w, at, u); got != n {
		f.t.Errorf("%s has %d %s in %s, expected %d", w.ID(), got, u.ID(), at, n)
	}
}

func (f *field) owned(w Power, ids ...string) {
	f.t.Helper()
	for _, id := range ids {
		if got := f.p.owner[f.space(id)]; got != w {
			f.t.Errorf("%s is %s, expected %s", id, got.ID(), w.ID())
		}
	}
}

func (f *field) asked(a Ask) {
	f.t.Helper()
	if got, _ := f.p.ask(); got != a {
		f.t.Fatalf("the question is %d in phase %d, stage %d, expected %d", got, f.p.phase, f.p.battle.stage, a)
	}
}
