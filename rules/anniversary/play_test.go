package anniversary

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/kit"
)

// table is a game that a case sets up and plays with commands in the notation: control and complexes are set first,
// then units put down, then a turn begun.
type table struct {
	t  testing.TB
	p  *Position
	sc *Scenario
}

// on1941 is the map of 1941 with its control, complexes and treasuries, without units, before the first turn. Options
// are given as "rocket_limit" or "victory_cities=13".
func on1941(t testing.TB, given ...string) *table { t.Helper(); return onMap(t, "1941", given...) }

// on1942 is the same for 1942.
func on1942(t testing.TB, given ...string) *table { t.Helper(); return onMap(t, "1942", given...) }

func onMap(t testing.TB, doc string, given ...string) *table {
	t.Helper()
	g := setUp(t, doc, given...)
	empty := newPosition(g.sc, g.p.opt)
	empty.owner, empty.startOwner, empty.complexes, empty.ipc = g.p.owner, g.p.owner, g.p.complexes, g.p.ipc
	g.p = empty
	return g
}

// setUp is a scenario just set up, units and all.
func setUp(t testing.TB, doc string, given ...string) *table {
	t.Helper()
	values := map[string]string{}
	for _, s := range given {
		id, value, said := strings.Cut(s, "=")
		if !said {
			value = "true"
		}
		values[id] = value
	}
	o, err := about.NewOptions(values)
	if err != nil {
		t.Fatal(err)
	}
	sc := shippedScenario(t, doc)
	return &table{t: t, p: setup(sc, newOptions(o)), sc: sc}
}

// space finds a space by id; a number is a sea zone.
func (g *table) space(id string) Space {
	g.t.Helper()
	if _, err := strconv.Atoi(id); err == nil {
		id = "sz-" + id
	}
	s := g.sc.SpaceByID(id)
	if s == NoSpace {
		g.t.Fatalf("no space %q", id)
	}
	return s
}

func (g *table) power(id string) Power {
	g.t.Helper()
	w := scenario.PowerByID(id)
	if w == NoPower {
		g.t.Fatalf("no power %q", id)
	}
	return w
}

// put adds units: "2 infantry tank transport[tank,infantry:italy]". As in the notation of positions, but
// 1 goes without saying.
func (g *table) put(at string, w Power, units string) *table {
	g.t.Helper()
	read, n := notes{Notes: &kit.Notes{}, p: g.p}, 1
	for _, word := range strings.Fields(units) {
		if count, err := strconv.Atoi(word); err == nil {
			n = count
			continue
		}
		k := read.readUnit(g.space(at), w, word)
		if read.Err != nil {
			g.t.Fatalf("%s: %v", word, read.Err)
		}
		g.p.put(k, uint16(n))
		n = 1
	}
	return g
}

// hold gives a power control of territories.
func (g *table) hold(w Power, ids ...string) *table {
	g.t.Helper()
	for _, id := range ids {
		g.p.owner[g.space(id)] = w
	}
	return g
}

// complex puts industrial complexes down.
func (g *table) complex(ids ...string) *table {
	g.t.Helper()
	for _, id := range ids {
		g.p.complexes.Add(g.space(id))
	}
	return g
}

// damage gives a complex so many markers.
func (g *table) damage(id string, n int) *table {
	g.t.Helper()
	g.p.damage[g.space(id)] = uint8(n)
	return g
}

// ipcs, researchers and tech give a power so much money, tokens, and technologies.
func (g *table) ipcs(w Power, n int) *table        { g.p.ipc[w] = uint16(n); return g }
func (g *table) researchers(w Power, n int) *table { g.p.tokens[w] = uint16(n); return g }
func (g *table) tech(w Power, list ...Tech) *table {
	for _, t := range list {
		g.p.tech[w] |= 1 << t
	}
	return g
}

// bought puts units into the mobilization zone.
func (g *table) bought(w Power, n int, u Unit) *table { g.p.pool[w][u] += uint16(n); return g }

// inRound says which round it is.
func (g *table) inRound(n int) *table { g.p.round = uint16(n); return g }

// staged carries out what a test says instead of a command.
type staged struct {
	referee
	do func(x *exec)
}

func (staged) Check(*Position, rules.Seat, Command) *rules.Refusal { return nil }
func (s staged) Play(x *exec, _ rules.Seat, _ Command)             { s.do(x) }
func (staged) Step(*exec) bool                                     { return false }

// stage lets the engine do something that no command asks for.
func (g *table) stage(do func(x *exec)) *table {
	g.t.Helper()
	if err := rules.Play(staged{do: do}, g.p, 0, only(KindEnd), dice.NewManual(nil), new(rules.Outcome)); err != nil {
		g.t.Fatal(err)
	}
	return g
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

// turn ends the turn that there is and begins one of a power with the position as it is, straight in a phase. What the
// phase begins with is done, with dice.
func (g *table) turn(w Power, ph Phase, throws ...uint32) *table {
	g.t.Helper()
	return g.turnOf(w, w, ph, throws...)
}

// turnOf is the same with China acting in the turn of the United States.
func (g *table) turnOf(w, acting Power, ph Phase, throws ...uint32) *table {
	g.t.Helper()
	p := g.p
	if p.power != NoPower {
		g.stage(p.endTurn)
	}
	p.round = max(p.round, 1)
	for i, other := range g.sc.Order {
		if other == w {
			p.turn = uint8(i)
		}
	}
	g.stage(func(x *exec) {
		p.beginTurn(x, w)
		x.Emit(eventPhase(ph, acting, false))
	})
	return g.settle(throws...)
}

// asked is the seat that must decide.
func (g *table) asked() rules.Seat {
	_, seats := g.p.ask()
	for s := range seats.Each {
		return s
	}
	return rules.NoSeat
}

// asks is the question that the game waits for an answer to.
func (g *table) asks() string { a, _ := g.p.ask(); return questions[a].id }

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
	g.p = next
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

// want compares facts, see fact.
func (g *table) want(facts ...any) *table {
	g.t.Helper()
	for i := 0; i+1 < len(facts); i += 2 {
		if got := g.fact(facts[i].(string)); got != facts[i+1] {
			g.t.Errorf("%s is %v, want %v", facts[i], got, facts[i+1])
		}
	}
	return g
}

// fact is what a position says about:
//
//	asks, phase, acting, power, battle    a question, phase, power or space by id
//	round, cities axis                    numbers
//	owner SPACE, at SPACE                 who controls it; all units there in short, power by power:
//	                                      "germany 2 infantry tank; japan fighter"
//	damage SPACE                          markers
//	complex SPACE                         true or false
//	ipc POWER, tokens POWER, production POWER
//	tech POWER TECH                       true or false
//	pool POWER UNIT                       units in the mobilization zone
//	aboard SPACE POWER UNIT               units of a power aboard of ships and bombers
//	SPACE POWER UNIT                      units of a power, those aboard of something left out
func (g *table) fact(name string) any {
	g.t.Helper()
	p, w := g.p, strings.Fields(name)
	switch w[0] {
	case "asks":
		return g.asks()
	case "phase":
		return phaseIDs[p.phase]
	case "acting":
		return p.acting.ID()
	case "power":
		return p.power.ID()
	case "battle":
		return g.sc.SpaceID(p.battle.at)
	case "round":
		return int(p.round)
	case "cities":
		return p.citiesOf(map[string]Side{"axis": Axis, "allies": Allies}[w[1]])
	case "owner":
		return p.owner[g.space(w[1])].ID()
	case "at":
		return g.there(g.space(w[1]))
	case "damage":
		return int(p.damage[g.space(w[1])])
	case "complex":
		return p.complexes.Has(g.space(w[1]))
	case "ipc":
		return int(p.ipc[g.power(w[1])])
	case "tokens":
		return int(p.tokens[g.power(w[1])])
	case "production":
		return p.production(g.power(w[1]))
	case "tech":
		return p.has(g.power(w[1]), scenario.ByID(scenario.TechIDs[:], w[2], scenario.NoTech))
	case "pool":
		return int(p.pool[g.power(w[1])][g.unit(w[2])])
	case "aboard":
		return g.aboard(g.space(w[1]), g.power(w[2]), g.unit(w[3]))
	}
	n := 0
	for _, k := range p.at(g.space(w[0])) {
		if k.Power() == g.power(w[1]) && k.Unit() == g.unit(w[2]) {
			n += int(k.N)
		}
	}
	return n
}

func (g *table) unit(id string) Unit {
	g.t.Helper()
	u := scenario.UnitByID(id)
	if u == NoUnit {
		g.t.Fatalf("no unit %q", id)
	}
	return u
}

func (g *table) aboard(s Space, w Power, u Unit) int {
	n := 0
	for _, k := range g.p.at(s) {
		for _, c := range k.Cargo() {
			if c != 0 && c.Power() == w && k.aboard(c) == u {
				n += int(k.N)
			}
		}
	}
	return n
}

// there tells the units in a space, with what is aboard, without movement and marks; "" for none.
func (g *table) there(s Space) string {
	var parts []string
	for w := range Power(NumPowers) {
		var order []string
		count := map[string]int{}
		for _, k := range g.p.at(s) {
			if k.Power() != w {
				continue
			}
			name := g.p.unitText(k.rested())
			if count[name] == 0 {
				order = append(order, name)
			}
			count[name] += int(k.N)
		}
		text := ""
		for _, name := range order {
			if count[name] > 1 {
				text += " " + strconv.Itoa(count[name])
			}
			text += " " + name
		}
		if text != "" {
			parts = append(parts, w.ID()+text)
		}
	}
	return strings.Join(parts, "; ")
}

// rolls tells the dice of an outcome with their reasons: "research 2, research 5".
func rolls(out *rules.Outcome) string {
	var list []string
	for _, r := range out.Rolls {
		list = append(list, fmt.Sprintf("%s %d", r.Reason, r.Value))
	}
	return strings.Join(list, ", ")
}

func TestTable(t *testing.T) {
	t.Parallel()
	g := on1941(t).put("germany", Germany, "2 infantry tank").
		put("7", UnitedKingdom, "transport[tank,infantry] destroyer").turn(Germany, PhaseMove)
	g.want("asks", "combat-move", "at germany", "germany 2 infantry tank", "at 7",
		"united-kingdom destroyer transport[tank,infantry]",
		"germany germany infantry", 2, "aboard 7 united-kingdom tank", 1, "power", "germany", "ipc germany", 31,
		"owner egypt", "united-kingdom")
}
