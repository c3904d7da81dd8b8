package greedy

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/rules/anniversary"
)

// general plays any power of Anniversary.
//
// It plans a phase at a time and then gives the orders of the plan one by one: attacks where the odds and the prize are
// good, victory cities and capitals before all else; land armies march towards what they can reach, others are shipped;
// the capital keeps enough to be safe. Every order is an action of the list, if need be for more units at once, so that
// the referee alone decides what is legal.
type general struct {
	temper
	source *rand.Rand
	chart  **theatre
	odds   *weigher
	// orders are what is left of the plan of a moment, passes how often it was planned, or a stage of it.
	orders []order
	now    moment
	passes int
	stage  int
	// given are the orders of the moment, tried those of them that were taken back.
	given []string
	tried map[string]bool
	// whim is the seed that taste is drawn from; 0 for no whims.
	whim  uint64
	taste []float64
}

// moment is when a plan holds.
type moment struct {
	round int
	turn  string
	phase string
	who   anniversary.Power
}

// order is an option to be carried out by n units, or a longer command to be given instead.
type order struct {
	index   int
	command string
	n       int
	instead string
}

// temper is what generals differ in.
type temper struct {
	// sure is how likely an attack must take its target before no more units are sent, surer for one that is no city.
	sure, surer float64
	// fear is how much of what an enemy could strike back with is reckoned with, and gain what an attack must bring.
	fear, gain float64
	// landward is true if a power whose armies can reach an enemy by land from its complexes buys no ships.
	landward bool
	// seaborne is true if a power that fights overseas ships its armies from its capital, with escorts.
	seaborne bool
}

// sober is the temper of the greedy bot; bold attacks at lower odds and wary at higher ones. Steady is sober except
// that it may buy no ships: from round 3 on a sober Germany spent half its money on transports and destroyers, and most
// of them were sunk. Ferrying is steady and seaborne: a sober United States brought half its armies in on the other
// coast, changed its aim from ocean to ocean, and lost its transports unescorted.
var (
	sober    = temper{sure: 0.85, surer: 0.9, fear: 0.3, gain: 0.5}
	steady   = temper{sure: 0.85, surer: 0.9, fear: 0.3, gain: 0.5, landward: true}
	bold     = temper{sure: 0.75, surer: 0.8, fear: 0.1, gain: 0.2, landward: true}
	wary     = temper{sure: 0.92, surer: 0.96, fear: 0.7, gain: 1.5, landward: true}
	ferrying = steady.ferrying()
)

// ferrying is the temper of a general who ships armies from the capital.
func (t temper) ferrying() temper {
	t.seaborne = true
	return t
}

func newGeneral(t temper) func(seed uint64) bot.Bot {
	return func(seed uint64) bot.Bot {
		return (&general{temper: t, chart: new(*theatre), odds: newWeigher()}).Fresh(seed)
	}
}

// Fresh begins another game.
func (g *general) Fresh(seed uint64) bot.Bot {
	return &general{temper: g.temper, chart: g.chart, odds: g.odds, tried: map[string]bool{}, whim: g.whim,
		taste:  g.taste,
		source: rand.New(rand.NewPCG(seed, 0x616e6e6976))}
}

// mostOrders bounds the decisions of a phase; after them it is ended as soon as it can be.
const mostOrders = 500

// Choose returns the next order of the plan, or plans anew.
func (g *general) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	if c, ok := g.next(v); ok {
		return c, nil
	}
	if i := plain(v); i >= 0 {
		return bot.Choice{Action: i}, nil
	}
	board, err := v.Board(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	chart, err := v.Map(ctx)
	if err != nil {
		return bot.Choice{}, err
	}
	if *g.chart == nil || (*g.chart).of != chart {
		*g.chart = explore(chart)
	}
	f := newField(*g.chart, Position{Seat: v.Seat(), Board: board, Map: chart})
	f.taste = g.tastes(len(f.ids))
	list := f.read(v)
	if len(list) == 0 {
		return bot.Choice{}, bot.ErrNoAction
	}
	g.begin(f, board.GetClock().GetActive(), list)
	g.orders = g.plan(f, list)
	if c, ok := g.next(v); ok {
		return c, nil
	}
	return bot.Choice{Action: g.finish(list)}, nil
}

// plain finds what needs no look at the board: the only action that is no offer, or the cheapest casualty where not
// both land and air units may be lost; -1 if a look is needed.
func plain(v bot.View) int {
	found, least, land, air := -1, len(fodder), false, false
	for i := range v.Len() {
		a := v.Action(i)
		if a.Offer {
			continue
		}
		if a.Kind != "lose" && found >= 0 {
			return -1
		}
		rank := 0
		if words := strings.Fields(a.Command); a.Kind == "lose" && len(words) > 2 {
			u := unitOf(words[2])
			land, air = land || u <= anniversary.Tank, air || u == anniversary.Fighter || u == anniversary.Bomber
			rank = cheapness(u)
		}
		if found < 0 || rank < least {
			found, least = i, rank
		}
	}
	if land && air {
		return -1
	}
	return found
}

// crosses reports whether the seat's armies are shipped from its capital.
func (g *general) crosses(f *field) bool { return g.seaborne && f.overseas() }

// begin notes when it is.
func (g *general) begin(f *field, turn string, list []*option) {
	now := moment{f.round, turn, f.phase, f.seat}
	for _, o := range only(list, "move") {
		if f.phase == "combat-move" {
			now.who = o.power // China and the United States have a phase each
			break
		}
	}
	if now != g.now {
		g.now, g.passes, g.stage, g.given = now, 0, 0, g.given[:0]
		clear(g.tried)
	}
	g.passes++
}

// next takes the first order of the plan that is still listed.
func (g *general) next(v bot.View) (bot.Choice, bool) {
	for len(g.orders) > 0 {
		o := g.orders[0]
		g.orders = g.orders[1:]
		i := find(v, o)
		if i < 0 {
			continue
		}
		g.given = append(g.given, o.command)
		c := bot.Choice{Action: i, Notation: o.instead}
		if o.n > 1 {
			c.Notation = times(o.command, o.n)
		}
		return c, true
	}
	return bot.Choice{}, false
}

// find looks for an order in the list. What was done before made the list shorter more often than longer.
func find(v bot.View, o order) int {
	command := func(i int) string { return v.Action(i).Command }
	if s, ok := v.(bot.Spelling); ok {
		command = s.Command
	}
	from := min(o.index, v.Len()-1)
	for i := from; i >= 0; i-- {
		if command(i) == o.command {
			return i
		}
	}
	for i := from + 1; i < v.Len(); i++ {
		if command(i) == o.command {
			return i
		}
	}
	return -1
}

// times gives a command for one unit to n of them.
func times(command string, n int) string {
	kind, rest, _ := strings.Cut(command, " ")
	_, rest, _ = strings.Cut(rest, " ")
	return kind + " " + strconv.Itoa(n) + " " + rest
}

// plan makes the orders of a phase, or answers a question.
func (g *general) plan(f *field, list []*option) []order {
	if len(g.given) > mostOrders {
		return nil
	}
	switch list[0].kind {
	case "lose", "submerge", "bombard", "press", "retreat", "divert", "answer", "chart", "order", "research":
		return g.reply(f, list)
	}
	switch f.phase {
	case "purchase":
		return g.purchase(f, list)
	case "combat-move":
		return g.attack(f, list)
	case "combat":
		return g.conduct(f, list)
	case "noncombat-move":
		return g.regroup(f, list)
	case "mobilize":
		return g.mobilize(f, list)
	}
	return nil
}

// finish ends the phase; where that can't be yet, it takes a move back, or makes one that the referee still asks for.
func (g *general) finish(list []*option) int {
	for _, o := range list {
		if o.kind == "end" {
			return o.index
		}
	}
	if back := only(list, "recall"); len(back) > 0 {
		return back[len(back)-1].index
	}
	return list[g.source.IntN(len(list))].index
}

// one is an order for what an option says.
func one(o *option) order { return order{index: o.index, command: o.command, n: 1} }

// mostUnits is the highest number that a command may name.
const mostUnits = 255

// many is an order for n units; for one of those that differ, since who is who changes with every one that moves.
func many(o *option, n int) order {
	if strings.Contains(o.command, "#") {
		n = 1
	}
	return order{index: o.index, command: o.command, n: min(n, mostUnits)}
}
