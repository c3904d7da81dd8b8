package ocs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// table is a game that a case sets up and plays with commands in the notation: counters and conditions first, then
// units put down, then a segment begun.
type table struct {
	t  testing.TB
	p  *Position
	sc *Scenario
	// before is the position before the last command that was accepted.
	before *Position
}

var ruleset = New()

// loaded keeps shipped scenarios that tests have loaded.
var loaded sync.Map

// shipped is a scenario that comes with the ruleset.
func shipped(t testing.TB, id string) *Scenario {
	t.Helper()
	if sc, ok := loaded.Load(id); ok {
		return sc.(*Scenario)
	}
	for _, d := range documents() {
		if d.ID == id {
			sc, faults := LoadScenario(d.Data)
			if faults.Fatal() {
				t.Fatalf("%s: %v", id, faults)
			}
			loaded.Store(id, sc)
			return sc
		}
	}
	t.Fatalf("no scenario %q", id)
	return nil
}

// document is a shipped scenario's document, to be changed by a test.
func document(t testing.TB, id string) *ocsv1.Scenario {
	t.Helper()
	return proto.CloneOf(shipped(t, id).Doc)
}

// load loads a document that a test has changed.
func load(t testing.TB, doc *ocsv1.Scenario) *Scenario {
	t.Helper()
	sc, faults := loadMessage(doc)
	if faults.Fatal() {
		t.Fatal(faults)
	}
	return sc
}

// onGround is the proving ground without pieces, with control as in the scenario, in dry weather in turn 1 before any
// segment. Counters of a case are given as lines, see counter.
func onGround(t testing.TB, counters ...string) *table {
	t.Helper()
	return onMap(t, "proving-ground", counters...)
}

// onMap is the same on the map of any scenario.
func onMap(t testing.TB, id string, counters ...string) *table {
	t.Helper()
	sc := shipped(t, id)
	if len(counters) > 0 {
		doc := document(t, id)
		for _, line := range counters {
			doc.Counters.Units = append(doc.Counters.Units, counter(t, line))
		}
		sc = load(t, doc)
	}
	g := &table{t: t, p: newPosition(sc, options{}), sc: sc}
	return g.inTurn(1)
}

// begun is a shipped scenario just set up, with options that are flags turned on.
func begun(t testing.TB, id string, flags ...string) *table {
	t.Helper()
	sc := shipped(t, id)
	given := map[string]string{}
	for _, f := range flags {
		given[f] = "true"
	}
	o, err := about.NewOptions(given)
	if err != nil {
		t.Fatal(err)
	}
	g := &table{t: t, p: newPosition(sc, newOptions(o)), sc: sc}
	return g.settle()
}

// counter reads a counter of a case: "x-1 blue division other infantry 14-4-3leg 7-4-8leg re=3 steps=3
// formation=bl-3-arm hq artillery". A face is strength-rating-movement with its type of MP; (5) is for defence only;
// "b20r3" adds a barrage and its range, "t6leg" a throw range, after a slash. The size is a word of the documents;
// unless said otherwise a division has 3 REs and as many steps, other sizes 1 step and what is usual.
func counter(t testing.TB, line string) *ocsv1.Counter {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 7 {
		t.Fatalf("counter %q: expected id, seat, size, class, symbol and two faces", line)
	}
	c := &ocsv1.Counter{
		Id: words[0], Name: &ocsv1.Words{En: words[0]}, Seat: words[1], Size: words[2], Class: words[3],
		Symbols: strings.Split(words[4], "+"), Steps: 1,
		Combat: face(t, words[5]), Move: face(t, words[6]),
		Nationality: map[string]string{"blue": "bl", "red": "rd"}[words[1]],
	}
	c.Re = map[string]string{"company": "1/4", "battalion": "1/2", "division": "3"}[c.Size]
	if c.Re == "" {
		c.Re = "1"
	}
	if c.Size == "division" {
		c.Steps = 3
	}
	for _, w := range words[7:] {
		key, value, named := strings.Cut(w, "=")
		text := fmt.Sprintf("{%q: true}", key)
		if named {
			text = fmt.Sprintf("{%q: %q}", key, value)
		}
		extra := &ocsv1.Counter{}
		if err := protojson.Unmarshal([]byte(text), extra); err != nil {
			t.Fatalf("counter %q: %s: %v", line, w, err)
		}
		proto.Merge(c, extra)
	}
	return c
}

func face(t testing.TB, s string) *ocsv1.CounterFace {
	t.Helper()
	if s == "none" {
		return nil
	}
	main, extra, _ := strings.Cut(s, "/")
	parts := strings.Split(main, "-")
	f := &ocsv1.CounterFace{}
	if len(parts) != 3 {
		t.Fatalf("face %q: expected strength-rating-movement", s)
	}
	inner, paren := strings.CutPrefix(parts[0], "(")
	f.DefenceOnly = paren
	f.Strength = number(t, strings.TrimSuffix(inner, ")"))
	f.Rating = number(t, parts[1])
	digits := strings.TrimRight(parts[2], "abcdefghijklmnopqrstuvwxyz")
	f.Movement, f.Mp = number(t, digits), parts[2][len(digits):]
	for _, x := range strings.Split(extra, "/") {
		switch {
		case x == "":
		case x[0] == 'b':
			b, r, _ := strings.Cut(x[1:], "r")
			f.Barrage, f.Range = number(t, b), number(t, r)
		case x[0] == 't':
			digits := strings.TrimRight(x[1:], "abcdefghijklmnopqrstuvwxyz")
			f.Throw, f.ThrowMp = number(t, digits), x[1+len(digits):]
		default:
			t.Fatalf("face %q: %q", s, x)
		}
	}
	return f
}

func number(t testing.TB, s string) uint32 {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

// change folds changes that a case asks for.
func (g *table) change(c *changes) *table {
	g.t.Helper()
	if err := g.p.evolve(&event{Changes: c.list}); err != nil {
		g.t.Fatal(err)
	}
	return g
}

// put puts units into a hex or box: "bl-31-tk bl-1-inf/move,lost=1 bl-36-asg/reserve pax-blue
// truck-blue/points_t=8,load_t=4". After the slash stand a mode ("combat", "move", "reserve", "strat", "dg",
// "exploitation"), "oos", or fields of a change of a unit. The hex becomes the owner's.
func (g *table) put(at string, units string) *table {
	g.t.Helper()
	place := g.place(at)
	for _, word := range strings.Fields(units) {
		id, extra, _ := strings.Cut(word, "/")
		counter, ok := g.sc.kinds[id]
		if !ok {
			g.t.Fatalf("no counter %q", id)
		}
		c := g.p.changed()
		var m *ocsv1.UnitChange
		if int(counter) < g.sc.Fixed {
			m = c.unit(Unit(counter))
			m.Place, m.Origin = proto.String(at), proto.String(at)
		} else {
			m = c.create(counter, place)
			m.Unset = nil
		}
		for _, w := range strings.FieldsFunc(extra, func(r rune) bool { return r == ',' }) {
			g.state(m, w)
		}
		if g.sc.Counters[counter].Kind != ShipUnit { // OCS 18.1c
			c.own(place, g.sc.Counters[counter].Seat)
		}
		g.change(c)
	}
	return g
}

// state gives a unit that is put down a state.
func (g *table) state(m *ocsv1.UnitChange, w string) {
	g.t.Helper()
	switch w {
	case "combat", "move":
		m.Face = map[string]ocsv1.Face{"combat": ocsv1.Face_FACE_COMBAT, "move": ocsv1.Face_FACE_MOVE}[w]
	case "oos":
		m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY)
	case "strat":
		m.Face, m.Marker = ocsv1.Face_FACE_MOVE, ocsv1.Marker_MARKER_STRAT
	default:
		if i := slices.Index(markerIDs[:], w); i > 0 {
			m.Marker = ocsv1.Marker(i)
			return
		}
		if err := readFields(m.ProtoReflect(), []string{w}); err != nil {
			g.t.Fatal(err)
		}
	}
}

// dump puts supply on the ground, in tokens.
func (g *table) dump(at string, seat rules.Seat, tokens int) *table {
	g.t.Helper()
	c := g.p.changed()
	c.ground(g.place(at), seat, tokens)
	return g.change(c)
}

// hex changes a hex with fields of a change of a hex: "hedgehog=2 owner=blue".
func (g *table) hex(at, fields string) *table {
	g.t.Helper()
	c := g.p.changed()
	if err := readFields(c.hex(g.place(at)).ProtoReflect(), strings.Fields(fields)); err != nil {
		g.t.Fatal(err)
	}
	return g.change(c)
}

// weather sets the ground conditions.
func (g *table) weather(ground string) *table {
	g.t.Helper()
	g.p.ground = uint8(slices.Index(g.sc.Grounds, ground))
	return g
}

// inTurn says which turn it is.
func (g *table) inTurn(n int) *table { g.p.turn = uint16(n); return g }

// place finds a hex or box.
func (g *table) place(id string) Place {
	g.t.Helper()
	at, ok := g.sc.PlaceByID(id)
	if !ok {
		g.t.Fatalf("no hex or box %q", id)
	}
	return at
}

// unit finds a unit.
func (g *table) unit(id string) Unit {
	g.t.Helper()
	u, fresh, ok := g.p.unitByID(id)
	if !ok || fresh {
		g.t.Fatalf("no unit %q", id)
	}
	return u
}

// staged carries out what a test says instead of a command.
type staged struct {
	referee
	do func(x *exec)
}

func (staged) Check(*Position, rules.Seat, Command) *rules.Refusal { return nil }
func (s staged) Play(x *exec, _ rules.Seat, _ Command)             { s.do(x) }
func (staged) Step(*exec) bool                                     { return false }

// segment begins a segment of a player turn with the position as it is, and takes its automatic steps, with dice.
func (g *table) segment(s Segment, phasing rules.Seat, throws ...uint32) *table {
	g.t.Helper()
	g.p.first = Blue
	do := staged{do: func(x *exec) { g.p.begin(x, max(int(g.p.turn), 1), s, phasing) }}
	if err := rules.Play(do, g.p, 0, only(KindEnd), dice.NewManual(nil), new(rules.Outcome)); err != nil {
		g.t.Fatal(err)
	}
	if !segments[s].begins { // the phase began in the segment before
		c := g.p.changed()
		c.forget(&ocsv1.Forgetting{Phase: true})
		zoc, combat := g.p.startOfPhase()
		c.markAll(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_ZOC, zoc)
		c.markAll(ocsv1.UnitMark_UNIT_MARK_BEGAN_IN_COMBAT, combat)
		g.change(c)
	}
	return g.settle(throws...)
}

// settle takes the automatic steps up to the next decision, with dice.
func (g *table) settle(throws ...uint32) *table {
	g.t.Helper()
	src := dice.NewManual(throws)
	err := rules.Start(referee{}, g.p, src, new(rules.Outcome))
	if err == nil {
		err = src.Done()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return g
}

// asked is the first seat that must decide.
func (g *table) asked() rules.Seat {
	_, seats := g.p.ask()
	for s := range seats.Each {
		return s
	}
	return rules.NoSeat
}

// try lets a seat command with dice, on a copy; the position changes only if it is accepted.
func (g *table) try(seat rules.Seat, command string, throws ...uint32) (*rules.Outcome, error) {
	g.t.Helper()
	c, r := g.p.parseCommand(command)
	if r != nil {
		return nil, r
	}
	next, out, src := g.p.Clone(), new(rules.Outcome), dice.NewManual(throws)
	if err := rules.Play(referee{}, next, seat, c, src, out); err != nil {
		return nil, err
	}
	if err := src.Done(); err != nil {
		return nil, err
	}
	g.before, g.p = g.p, next
	return out, nil
}

// do lets the seat that is asked command with dice, and fails the test if it is refused.
func (g *table) do(command string, throws ...uint32) *rules.Outcome {
	g.t.Helper()
	return g.as(g.asked(), command, throws...)
}

// as lets a seat command with dice.
func (g *table) as(seat rules.Seat, command string, throws ...uint32) *rules.Outcome {
	g.t.Helper()
	out, err := g.try(seat, command, throws...)
	if err != nil {
		g.t.Fatalf("%s: %v", command, explain(err))
	}
	return out
}

// all lets the seat that is asked give several commands that need no dice.
func (g *table) all(commands ...string) *table {
	g.t.Helper()
	for _, c := range commands {
		g.do(c)
	}
	return g
}

// refused expects a refusal of the asked seat's command by a rule, and that nothing changes.
func (g *table) refused(rule, command string) *rules.Refusal {
	g.t.Helper()
	return g.refusedTo(g.asked(), rule, command)
}

// refusedTo expects a refusal of a seat's command by a rule.
func (g *table) refusedTo(seat rules.Seat, rule, command string) *rules.Refusal {
	g.t.Helper()
	before := g.p.format()
	_, err := g.try(seat, command)
	var r *rules.Refusal
	switch {
	case err == nil:
		g.t.Fatalf("%s: accepted, expected a refusal by %q", command, rule)
	case !errors.As(err, &r):
		g.t.Fatalf("%s: %v, expected a refusal by %q", command, err, rule)
	case r.Rule != rule:
		g.t.Fatalf("%s: refused by %q (%v), expected %q", command, r.Rule, explain(err), rule)
	}
	if g.p.format() != before {
		g.t.Fatalf("%s: refused and changed something", command)
	}
	return r
}

func explain(err error) string {
	var r *rules.Refusal
	if errors.As(err, &r) && r.Words == "" {
		return catalogue.Format(rules.English, r.Text) + " (" + r.Rule + ", " + string(r.Reason) + ")"
	}
	return err.Error()
}

// lists are the commands of a kind that the asked seat may give, in the notation.
func (g *table) lists(kind string) []string {
	g.t.Helper()
	var out []string
	g.p.Legal(g.asked(), rules.Filter{Kind: kind}, func(c Command) bool {
		out = append(out, g.p.formatCommand(c))
		return true
	})
	return out
}
