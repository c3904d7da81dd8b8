package greedy

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// What the staff reckons with at sea: what a hex of the way costs, how near by land a goal must be for units to march
// there, how far from a goal a beach still leads to it, what share of its strength an assault has, how far it reckons
// with a coastal battery, what supply and units must be worth a trip and what a port needs at most, the gain of a
// haven, and by how much less a barrage of ports and bases is worth.
const (
	seaMile      = 0.3
	overland     = 8
	inland       = 6
	surfShare    = 0.5
	batteryRange = 3
	tripTokens   = 2
	fullStore    = 16
	rideGain     = 5
	haven        = 3
	softHit      = 10
)

// Troops go aboard before ships sail, and land when all have sailed, since the first roll ends the sailing of
// landing craft in the phase.
const (
	beforeSailing = 30
	afterSailing  = 0.1
)

// waters is what the staff makes of the sea, worked out when the first action at sea is valued.
type waters struct {
	invasion []float64 // by hex, what troops aboard are worth there: the best beach less the way to it
	toTarget []float64 // hexes as a shell flies to what is to be bombarded
	toPort   []float64 // by sea to a port of its own where troops wait
	guns     []float64 // strength of enemy ships and batteries that are seen and reach a hex
}

// sea values what ships, landing craft and sea capacity do. Nothing that can be taken back is worth more than 0 both
// ways, so that it comes to an end.
func (c *situation) sea(a *boardv1.Action) float64 {
	at := c.index(last(a.Spaces))
	switch a.Kind {
	case "sail":
		return c.sail(a)
	case "ship":
		return c.ship(a)
	case "embark":
		return c.embark(a)
	case "disembark":
		return c.disembark(a)
	case "land":
		// of all together rather than of one
		return afterSailing + (c.appeal(at)+float64(strings.Count(a.Command, "unit=")))/100
	case "beach-assault":
		return c.assault(a, at)
	case "beach": // who leaves it to the table loses all defenders
		if strings.HasSuffix(a.Command, "yes") {
			return 1
		}
		return 0
	case "naval-barrage":
		return c.bombard(a, at)
	case "aim":
		return c.aim(a)
	case "lst-port":
		return c.makePort(a)
	}
	return -1 // DUKWs land what they carry from where they are, and landing craft stay the pieces that they are
}

// waters works out what the sea is worth.
func (c *situation) waters() *waters {
	if c.known == nil {
		c.known = &waters{invasion: c.invasion(), toTarget: c.shelled(), toPort: c.moorings(), guns: c.feltGuns()}
	}
	return c.known
}

// coastal reports whether a hex is land that lies at the sea.
func (g *country) coastal(i int) bool {
	if i >= len(g.of.Spaces) || g.wet[i] {
		return false
	}
	for _, n := range g.near[i] {
		if g.wet[n] {
			return true
		}
	}
	return false
}

// appeal is what it is worth to have troops ashore in a hex.
func (c *situation) appeal(i int) float64 {
	v := 4*c.goalWorth(i) + max(0, inland-c.toGoal[i])
	if c.feared[i] {
		v -= 2
	}
	return v
}

// invasion carries the appeal of each beach out to sea. A beach that is defended appeals next to it, if what is aboard
// is strong enough to assault it.
func (c *situation) invasion() []float64 {
	worth := make([]float64, len(c.near))
	var todo []int
	lift := func(i int, v float64) {
		if v > worth[i] {
			worth[i] = v
			todo = append(todo, i)
		}
	}
	for i := range c.of.Spaces {
		if !c.coastal(i) || c.owner[i] == c.seat && c.goalWorth(i) == 0 && len(c.own[i]) > 0 {
			continue
		}
		v := c.appeal(i)
		switch {
		case c.owner[i] == c.seat: // it can be walked to
		case len(c.foe[i]) == 0:
			lift(i, v)
		default:
			for _, n := range c.near[i] {
				if c.wet[n] && surfShare*c.afloatAt(n)/c.resistance(i) >= c.good {
					lift(n, v-seaMile)
				}
			}
		}
	}
	for len(todo) > 0 {
		i := todo[0]
		todo = todo[1:]
		for _, n := range c.near[i] {
			if c.wet[n] || c.port[n] && c.owner[n] == c.seat {
				lift(n, worth[i]-seaMile)
			}
		}
	}
	return worth
}

// afloatAt is the strength aboard in a hex.
func (c *situation) afloatAt(i int) float64 { return powers(c.cargo[i]) }

// flights are the distances from some places as the crow flies.
func (c *situation) flights(from []int, reach float64) []float64 {
	d := make([]float64, len(c.near))
	for i := range d {
		d[i] = beyond
	}
	for _, i := range from {
		d[i] = 0
	}
	for todo := from; len(todo) > 0; {
		var next []int
		for _, i := range todo {
			for _, n := range c.near[i] {
				if d[n] == beyond && d[i] < reach {
					d[n] = d[i] + 1
					next = append(next, n)
				}
			}
		}
		todo = next
	}
	return d
}

// shelled are the distances to enemy units that own units face, that hold what scores, or that guard a beach.
func (c *situation) shelled() []float64 {
	var targets []int
	for i, foes := range c.foe {
		if len(foes) > 0 && c.shotWorth(i) > 0 {
			targets = append(targets, i)
		}
	}
	return c.flights(targets, beyond)
}

// softHit is what it is worth to shell the units of a hex.
func (c *situation) shotWorth(i int) float64 {
	v := c.goalWorth(i) + min(c.odds(c.beside(i), i), 3)/3
	if v == 0 && c.coastal(i) && c.toGoal[i] <= inland {
		return seaMile
	}
	return v
}

// moorings are the distances by sea to ports of its own in which troops wait that may go aboard.
func (c *situation) moorings() []float64 {
	var ports []int
	for i, port := range c.port {
		if port && c.owner[i] == c.seat && len(c.own[i]) > 0 {
			ports = append(ports, i)
		}
	}
	d := make([]float64, len(c.near))
	for i := range d {
		d[i] = beyond
	}
	for _, i := range ports {
		d[i] = 0
	}
	for todo := ports; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		for _, n := range c.near[i] {
			if c.wet[n] && d[n] == beyond {
				d[n] = d[i] + 1
				todo = append(todo, n)
			}
		}
	}
	return d
}

// feltGuns adds up what fires at ships in each hex, as far as it is seen.
func (c *situation) feltGuns() []float64 {
	guns := make([]float64, len(c.near))
	for _, p := range c.pieces {
		reach := figure(p, "range")
		if p.Kind == "coastal_battery" {
			reach = batteryRange
		}
		if p.Owner == c.seat || p.Kind != "ship" && p.Kind != "coastal_battery" ||
			c.index(p.Place) >= len(c.of.Spaces) {
			continue
		}
		for i, d := range c.flights([]int{c.index(p.Place)}, reach) {
			if d <= reach {
				guns[i] += figure(p, "barrage")
			}
		}
	}
	return guns
}

// sail values a voyage by how much better its end is than its beginning for the ships that go.
func (c *situation) sail(a *boardv1.Action) float64 {
	from, to := c.index(c.pieces[a.Pieces[0]].Place), c.index(last(a.Spaces))
	gain := 0.0
	for _, id := range a.Pieces {
		gain += c.berth(c.pieces[id], from, to) - c.berth(c.pieces[id], from, from)
	}
	n := float64(len(a.Pieces))
	gain *= (1 + 0.1*n) / n
	return gain - c.peril(a.Pieces, to) + c.peril(a.Pieces, from) - 0.5
}

// berth says how good a hex is for a ship that comes from another.
func (c *situation) berth(p *boardv1.Piece, from, i int) float64 {
	w := c.waters()
	switch {
	case marked(p, "dg"), p.Kind == "ship" && p.Steps < p.MaxSteps: // what is damaged goes home
		if i == from && i >= len(c.of.Spaces) || c.port[i] && c.owner[i] == c.seat {
			return haven
		}
		return 0
	case len(c.cargo[from]) > 0:
		return w.invasion[i]
	case p.Kind == "landing-craft":
		v := -seaMile * min(w.toPort[i], 2*overland)
		if c.coastal(i) && len(c.own[i]) == 0 && !c.port[i] {
			v -= haven
		}
		return v
	case figure(p, "barrage") == 0:
		return 0
	}
	return -seaMile * max(0, w.toTarget[i]-figure(p, "range"))
}

// peril is what is risked by ships in a hex: guns that are more than their own, and troops that come
// while nobody guards them.
func (c *situation) peril(ships []string, i int) float64 {
	v := max(0, c.waters().guns[i]-c.figures(ships, "barrage")) / 5
	if !c.wet[i] && i < len(c.of.Spaces) && len(c.own[i])+len(c.cargo[i]) == 0 && c.toFoe[i] <= vicinity {
		v += haven
	}
	return v
}

// ship values sea capacity: supply and units come nearer to the front.
func (c *situation) ship(a *boardv1.Action) float64 {
	to := last(a.Spaces)
	i := c.index(to)
	if c.threat(i) > 0 {
		return -1
	}
	if len(a.Pieces) > 0 {
		p := c.pieces[a.Pieces[0]]
		if p == nil || power(p) == 0 || c.keeps(c.index(p.Place), 1) {
			return -1
		}
		if gain := c.toGoal[c.index(p.Place)] - c.toGoal[i]; gain >= rideGain {
			return 1 + gain/beyond + power(p)/100
		}
		return -1
	}
	from, tokens := a.Spaces[0], amount(a.Command, tokensIn)
	if tokens < tripTokens || from == to || c.toFront(from)-c.toFront(to) < airwayGain || len(c.own[i]) == 0 {
		return -1
	}
	if store := c.pieces["dump-"+c.seat+"@"+to]; store != nil && tokensOf(printed(store, "supply")) >= fullStore {
		return -1 // others need the capacity more
	}
	return 1 + float64(tokens)/10
}

// keeps reports whether a hex that scores would lose its guard with some units.
func (c *situation) keeps(i, leaving int) bool {
	return c.worth[i] > 0 && c.owner[i] == c.seat && len(c.own[i]) <= leaving
}

// embark sends troops that are strong enough, are not needed where they are, and can't march to what there is to take.
func (c *situation) embark(a *boardv1.Action) float64 {
	for _, id := range a.Pieces {
		p := c.pieces[id]
		if p == nil || printed(p, "strength") == "" || power(p) < 2 || strings.HasPrefix(printed(p, "strength"), "(") ||
			p.Kind == "headquarters" {
			continue
		}
		i := c.index(p.Place)
		if c.turn >= c.final || c.keeps(i, 1) || c.toGoal[i] <= inland ||
			i < len(c.of.Spaces) && c.waters().invasion[i] <= 0 {
			return -1
		}
		return beforeSailing + power(p)/100
	}
	return -1
}

// disembark brings troops and supply ashore in ports from which there is something to be done.
func (c *situation) disembark(a *boardv1.Action) float64 {
	at := c.index(last(a.Spaces))
	for _, id := range a.Pieces {
		if p := c.pieces[id]; p != nil {
			at = c.index(p.Place)
		}
	}
	if c.toGoal[at] <= inland {
		return 2 + c.strength(a.Pieces)/100
	}
	return -1
}

// assault values the attack of a beach, in which all is won or lost.
func (c *situation) assault(a *boardv1.Action, target int) float64 {
	odds := surfShare * c.strength(a.Pieces) / c.resistance(target)
	if odds < c.good {
		return -1
	}
	return 1 + odds + 2*c.goalWorth(target)
}

// bombard fires what costs nothing: at ships, at units that are attacked or in the way, at the bases
// and ports of the enemy.
func (c *situation) bombard(a *boardv1.Action, target int) float64 {
	strength := c.figures(a.Pieces, "barrage") / goodBarrage
	switch {
	case strings.Contains(a.Command, "target=ships"):
		return 2 + min(strength, 1)
	case c.owner[target] == c.seat && len(c.foe[target]) == 0:
		return -1
	case strings.Contains(a.Command, "target=port"), strings.Contains(a.Command, "target=base"):
		return min(strength, 1) / softHit
	case len(c.foe[target]) == 0:
		return -1
	}
	return 0.5 + min(strength, 2) + c.shotWorth(target)
}

// aim fires at what is hurt most, all together unless less does.
func (c *situation) aim(a *boardv1.Action) float64 {
	if len(a.Pieces) == 0 {
		return 0
	}
	target := c.pieces[last(a.Pieces)]
	strength := c.figures(a.Pieces[:len(a.Pieces)-1], "barrage")
	if target == nil {
		return 0.5
	}
	return 1 + min(strength/(4*max(1, figure(target, "defence"))), 3) + figure(target, "barrage")/100
}

// makePort gives troops ashore a port where they have none and something to do.
func (c *situation) makePort(a *boardv1.Action) float64 {
	p := c.pieces[last(a.Pieces)]
	if p == nil {
		return -1
	}
	if i := c.index(p.Place); len(c.own[i]) > 0 && !c.port[i] && c.toGoal[i] <= inland && !c.feared[i] {
		return 1
	}
	return -1
}
