package anniversary

import (
	"slices"
	"strconv"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// The calculator computes the odds of any combat, in any space, with any forces (AA 9). It fills in from the position
// what the caller does not enter: the units present, and those that could come.

// Kinds of combat that the calculator knows.
const (
	fightAtSea = "sea"
	fightLand  = "land"
	fightShore = "amphibious"
)

// fightTitles are the kinds in words.
var fightTitles = map[string]rules.Text{
	fightAtSea: rules.Say("forecast.sea"), fightLand: rules.Say("forecast.land"),
	fightShore: rules.Say("forecast.amphibious"),
}

// mostOfAKind is how many units of one kind may be entered.
const mostOfAKind = 100

// calculation is the state of the calculator for one combat.
type calculation struct {
	p      *Position // as the attacker's combat moves would find it
	at     Space
	kind   string
	w      Power // who attacks
	s      rules.Study
	faults rules.Faults
	sides  [2]entrant
	reach  *incoming
}

// entrant is one side of the combat.
type entrant struct {
	power        Power
	there, could [numRows]int
	value        [numRows]int
	techs        scenario.Techs
	order        []Unit
}

// calculate computes the odds of a combat that a caller enters.
func (p *Position) calculate(e rules.BattleEntry, s rules.Study) (*rules.Battle, rules.Faults) {
	c := &calculation{at: p.sc.SpaceByID(e.Space), s: s}
	if c.at == NoSpace || !p.sc.IsSea(c.at) && p.sc.Spaces[c.at].Impassable {
		c.faults.Add("space", "%.40q is no space in which there can be a battle", e.Space)
		return nil, c.faults
	}
	list := p.couldAttack(c.at, e.Attacker.Party)
	if len(list) == 0 {
		c.faults.Add("attacker.party", "%.40q names nobody who could attack, expected one of %s", e.Attacker.Party,
			idsOf(p.attackers(c.at)))
		return nil, c.faults
	}
	c.chooseAttacker(p, list)
	if c.kind = e.Kind; c.kind == "" {
		c.kind = c.suggested()
	} else if !slices.Contains(c.kinds(), c.kind) {
		c.faults.Add("kind", "%.40q is no kind of battle here, expected one of %s", e.Kind, wordList(c.kinds()))
	}
	if c.faults == nil {
		c.take(0, "attacker", &e.Attacker)
		c.take(1, "defender", &e.Defender)
	}
	if c.faults == nil {
		c.checkBombards()
		c.checkDropped()
	}
	if c.faults != nil {
		return nil, c.faults
	}
	return c.weigh()
}

// attackers are the powers that could attack in a space: enemies of the holder, or anybody.
func (p *Position) attackers(at Space) (list []Power) {
	for w := range NumPowers {
		if holder := p.owner[at]; holder == NoPower || holder.Side() != w.Side() {
			list = append(list, w)
		}
	}
	return list
}

// couldAttack returns the candidates for the attacker in a space: the power with the id, or without an id the power
// that acts, followed by the others in turn order.
func (p *Position) couldAttack(at Space, id string) (list []Power) {
	all := p.attackers(at)
	if id != "" {
		if w := scenario.PowerByID(id); slices.Contains(all, w) {
			return []Power{w}
		}
		return nil
	}
	order := []Power{p.acting}
	for i := range p.sc.Order {
		order = append(order, p.sc.Order[(int(p.turn)+i)%len(p.sc.Order)])
	}
	for _, w := range append(order, China) {
		if slices.Contains(all, w) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// chooseAttacker takes the first power that has something to attack with, and at sea something to attack.
func (c *calculation) chooseAttacker(p *Position, list []Power) {
	for _, w := range append(list, list[0]) {
		c.w, c.sides = w, [2]entrant{}
		c.look(p)
		c.fillIn()
		if c.sides[0].any() && (!p.sc.IsSea(c.at) || p.tallies[c.at][w.Side().Enemy()].any > 0) {
			return
		}
	}
}

// any reports whether the side has anything, ships that bombard left out.
func (m *entrant) any() bool {
	for row, n := range m.value {
		if n > 0 && row < rowFirstShip {
			return true
		}
	}
	return false
}

// look counts the units in the space and those that could come.
func (c *calculation) look(p *Position) {
	q := p
	under := p.battle.at == c.at && p.acting == c.w
	if !under {
		q = p.moving(c.w)
	}
	c.p = q.Clone()
	c.p.battle.at = c.at
	a, d := &c.sides[0], &c.sides[1]
	a.power, d.power = c.w, c.p.chooser(StageDefenderLosses)
	if d.power == NoPower {
		d.power = c.p.owner[c.at]
	}
	a.techs, d.techs = p.techs(c.w), p.techs(d.power)
	for _, g := range p.at(c.at) {
		switch n := int(g.N); {
		case g.Has(Hit | Struck):
		case g.Power() == c.w && (p.acting == c.w && p.attacks(g.Key) || g.Unit().In(scenario.SeaUnits)):
			if a.add(&a.there, g.Key, n); g.Unit() == Bomber && g.Cargo()[0] != 0 {
				a.there[rowDropped] += n
			}
		case g.Power().Side() == c.w.Side().Enemy() && !g.Has(Submerged):
			d.add(&d.there, g.Key, n)
			if g.Unit() == AAGun && p.sc.AAHit(p.techs(g.Power())) > p.sc.AAHit(d.techs) {
				d.techs = p.techs(g.Power()) // the best gun fires (AA 9.6.3)
			}
		}
	}
	c.reach = new(incoming)
	if under {
		return
	}
	c.planned(p)
	c.reach = q.reachOf(c.w, c.at)
	for u := range NumUnits {
		a.could[u] = c.reach.units[u]
		a.could[rowAshore(u)] += c.reach.ashore[u]
		a.could[rowBombards(u)] += c.reach.ships[u]
	}
	a.could[rowDropped] = c.reach.dropped
}

// planned counts the units declared to land (AA 8.4.1), and the ships that may then bombard.
func (c *calculation) planned(p *Position) {
	if p.acting != c.w || !p.assaultOn(c.at) {
		return
	}
	a := &c.sides[0]
	for _, g := range p.groups {
		if g.Unit() != Transport || g.Target() != c.at {
			continue
		}
		for _, cargo := range g.Cargo() {
			if cargo&lands != 0 {
				a.there[rowAshore(cargo.Unit())] += int(g.N)
			}
		}
	}
	p.batteries(c.at, func(k Key, n uint16) { a.there[rowBombards(k.Unit())] += int(n) })
}

// fillIn lets all units fight that are present or could come. Transports that could come are left out, and no more
// ships bombard than units come ashore.
func (c *calculation) fillIn() {
	for i := range c.sides {
		m := &c.sides[i]
		for row := range m.value {
			m.value[row] = min(m.there[row]+m.could[row], mostOfAKind)
		}
	}
	a := &c.sides[0]
	a.value[Transport] = min(a.there[Transport], mostOfAKind)
}

// suggested is the kind of combat that the position suggests.
func (c *calculation) suggested() string {
	list := c.kinds()
	if len(list) == 1 {
		return list[0]
	}
	a := &c.sides[0]
	byLand, bySea := 0, 0
	for u := Infantry; u <= Tank; u++ {
		if byLand += a.value[u]; a.there[rowAshore(u)] > 0 {
			return fightShore
		}
		bySea += a.value[rowAshore(u)]
	}
	if byLand == 0 && bySea > 0 {
		return fightShore
	}
	return fightLand
}

// kinds returns the kinds of combat that are possible in the space.
func (c *calculation) kinds() []string {
	switch sc := c.p.sc; {
	case sc.IsSea(c.at):
		return []string{fightAtSea}
	case len(sc.SeaNear[c.at]) > 0:
		return []string{fightLand, fightShore}
	}
	return []string{fightLand}
}

// battle returns the combat in the form that package odds takes.
func (c *calculation) battle() odds.Battle {
	a, d := &c.sides[0], &c.sides[1]
	b := odds.Battle{Sea: c.kind == fightAtSea}
	for i, side := range [2]*odds.Side{&b.Attacker, &b.Defender} {
		m := &c.sides[i]
		for _, row := range c.rows(i) {
			switch u, n := row.unit, m.value[row.id]; {
			case row.id == rowAshore(u):
				side.Units[u] += n
				b.Ashore[u] = n
			case row.id == rowDropped:
				side.Units[u] += n
				b.Dropped = n
			case row.id == rowHurt:
				side.Units[Battleship] += n
				side.Hurt = n
			case row.id == int(u) && u < NumUnits && u != AAGun:
				side.Units[u] += n
			}
		}
		side.Techs, side.Losses = m.techs, m.order
		side.Submerge = c.s.Policies.Value(policySubmarines) == submarinesDive
	}
	if !b.Sea && d.value[AAGun] > 0 {
		b.Guns = c.p.sc.AAHit(d.techs)
	}
	if c.kind == fightShore {
		for _, u := range [2]Unit{Battleship, Cruiser} {
			for range a.value[rowBombards(u)] {
				b.Ships = append(b.Ships, c.p.sc.Attack(u, a.techs))
			}
		}
	}
	switch c.s.Policies.Value(policyRetreat) {
	case retreatHalf:
		b.Retreat = belowHalf
	case oneGo:
		b.Rounds = 1
	}
	return b
}

// weigh computes the odds.
func (c *calculation) weigh() (*rules.Battle, rules.Faults) {
	b := c.battle()
	o, ok := c.p.sc.Odds(b)
	if !ok {
		c.faults.Add("attacker.numbers", "a side has more than %d units", odds.MaxUnits)
		return nil, c.faults
	}
	f := c.p.withPolicies(c.p.oddsForecast(&b, &o), c.s)
	f.Modifiers = c.modifiers(&b)
	if c.kind == fightShore && c.reach.contested {
		f.Assumptions = append(f.Assumptions, rules.Say("assume.sea-first"))
	}
	out := &rules.Battle{
		Space: c.p.sc.SpaceID(c.at), Kind: c.kind,
		Attacker: c.form(0), Defender: c.form(1), Forecast: *f,
		Assumes: c.s.Policies.Value(policyAttackerLosses) == lossesStanding ||
			c.s.Policies.Value(policyDefenderLosses) == lossesStanding,
	}
	for _, id := range c.kinds() {
		out.Kinds = append(out.Kinds, rules.BattleChoice{ID: id, Title: fightTitles[id]})
	}
	for _, w := range c.p.attackers(c.at) {
		out.Attacker.Parties = append(out.Attacker.Parties,
			rules.BattleChoice{ID: w.ID(), Title: rules.Text{Key: "power." + w.ID()}})
	}
	return out, nil
}

// modifiers returns the number with which each kind of unit hits.
func (c *calculation) modifiers(b *odds.Battle) []rules.Modifier {
	var l valued
	if b.Guns > 0 {
		l.of = rules.Modifier{Of: rules.Say("modifier.guns"), Seat: rules.NoSeat}
		l.add("modifier.printed", strconv.Itoa(b.Guns))
	}
	a, d := &c.sides[0], &c.sides[1]
	for _, u := range [2]Unit{Battleship, Cruiser} {
		if n := a.value[rowBombards(u)]; n > 0 && c.kind == fightShore {
			l.begin(c.p, "modifier.in-bombardment", a.power, u, n)
			l.add("modifier.printed", strconv.Itoa(c.p.sc.Attack(u, a.techs)))
		}
	}
	units := &b.Attacker.Units
	supported := min(units[Infantry], units[Artillery]*c.p.sc.Supports(a.techs))
	for u := range NumUnits {
		n := units[u]
		if u == Infantry {
			c.p.attackValue(&l, a.power, u, a.techs, supported, c.p.sc.Numbers.SupportedAttack-c.p.sc.Units[u].Attack)
			n -= supported
		}
		c.p.attackValue(&l, a.power, u, a.techs, n, 0)
	}
	for u := range NumUnits {
		if n := b.Defender.Units[u]; n > 0 {
			l.begin(c.p, "modifier.in-defence", d.power, u, n)
			l.add("modifier.printed", strconv.Itoa(min(c.p.sc.Units[u].Defence, odds.MaxValue)))
		}
	}
	return l.list
}
