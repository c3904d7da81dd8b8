package anniversary

import (
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/kit"
)

// unitPlanes are the planes of a power: one for each type but the industrial complex, which is no unit.
const unitPlanes = int(NumUnits) - 1

// Planes after those of the units, in the order of planeColumns.
const (
	planeOwner = int(NumPowers)*unitPlanes + iota
	planeStartOwner
	planeComplex
	planeDamage
	planeMoved
	planeAttackers
	planeHit
	planeSubmerged
	planeCargo // one for each type of land unit, and then one for fighters
)

// The planes after those of cargo.
const (
	planeCombat = planeCargo + 5 + iota
	planeFought
	planePlaced
)

var (
	planeColumns = append(unitColumns(), kit.Columns(`
		owner 1 + the power that controls the territory
		start_owner 1 + the power that controlled it when the turn began
		complex 1 for an industrial complex
		damage damage markers of the complex
		moved units that have moved in this turn
		attackers units that attack
		hit units in the casualty zone
		submerged submarines that are out of the combat
		cargo_infantry infantry aboard
		cargo_artillery artillery aboard
		cargo_tank tanks aboard
		cargo_antiaircraft_gun antiaircraft guns aboard
		cargo_fighter guest fighters aboard
		combat 1 where the combat under way is
		fought 1 where a combat took place in this turn
		placed units brought in through the complex in this turn
	`)...)
	groundColumns = kit.Columns(`
		box 1 for the mobilization zone of a power
		sea 1 for a sea zone
		impassable 1 for neutral territory
		ipc value of the territory
		city 1 for a victory city
		capital 1 + the power whose capital it holds
		original 1 + the power that the territory belongs to
	`)
	scalarColumns = append(append(rules.CommonScalars(), kit.Columns(`
		round round of the game
		turn place in the turn order
		power 1 + the power whose turn it is
		acting 1 + the power that acts
		phase phase of the turn, a value of the enum Phase of the position
		step how far the phase has come
		axis_cities victory cities of the Axis
		allies_cities victory cities of the Allies
		conceded bits for the seats that have conceded
		canals bits for the sides that the canals are open to
		combat_round round of the combat
		combat_stage stage of the combat, a value of the enum Stage of the position
		hits_by_submarines hits that only sea units can take
		hits_by_air hits that submarines can't take
		hits_by_any other hits
		chooser 1 + the power that chooses casualties
		asking 1 + the power that asks for room on an ally's ship
	`)...), powerColumns()...)
	rowColumns = append(rules.CommonColumns(), kit.Columns(`
		number the number that the kind names, such as researchers, the chart or the entry to recall
		power 1 + the power whose units act, if the command names it
		yes 1 for a yes
		via space on the way
		landing territory where cargo lands
		lines how many lines of units
		unit_0 type of the first line
		count_0 how many of it
		power_0 1 + their power, if the line names it
		at_0 where they are, if the line names it
		variant_0 which of those that differ, 0 for any
		stays_0 1 if they stay aboard
		unit_1 type of the second line
		count_1 how many of it
		power_1 1 + their power, if the line names it
		at_1 where they are, if the line names it
		variant_1 which of those that differ, 0 for any
		stays_1 1 if they stay aboard
		unit_2 type of the third line
		count_2 how many of it
		power_2 1 + their power, if the line names it
		at_2 where they are, if the line names it
		variant_2 which of those that differ, 0 for any
		stays_2 1 if they stay aboard
	`)...)
)

// Places of the own columns in a row: lines of units have rowItem numbers each, from rowItems on.
const (
	rowNumber = rules.RowOwn + iota
	rowPower
	rowYes
	rowVia
	rowLanding
	rowLines
	rowItems
	rowItem   = 6
	rowCounts = 3 // lines that a row has
)

func unitColumns() []rules.Column {
	var list []rules.Column
	for w := range NumPowers {
		for u := range NumUnits {
			if u != Complex {
				name := strings.ReplaceAll(w.ID()+"_"+u.ID(), "-", "_")
				note := english("power.", w.ID()) + ": " + english("unit.", u.ID()) + "; in a box, those to be placed"
				list = append(list, rules.Column{ID: name, Note: note})
			}
		}
	}
	return list
}

// english is the English name of a power or a type of unit.
func english(key, id string) string { return catalogue.Format(rules.English, rules.Say(key+id)) }

func powerColumns() []rules.Column {
	var list []rules.Column
	for w := range NumSeats {
		id := strings.ReplaceAll(w.ID(), "-", "_")
		list = append(list, rules.Column{ID: id + "_ipcs", Note: "IPCs of " + english("power.", w.ID())},
			rules.Column{ID: id + "_researchers", Note: "researchers of " + english("power.", w.ID())},
			rules.Column{ID: id + "_technologies", Note: "bits for the technologies of " + english("power.", w.ID())})
	}
	return list
}

// unitPlane is the plane of the units of a type.
func unitPlane(w Power, u Unit) int {
	n := int(u)
	if u > Complex {
		n--
	}
	return int(w)*unitPlanes + n
}

// newTensors says what the numbers of a scenario mean: spaces and then mobilization zones are the spaces, types of
// units the pieces.
func newTensors(sc *Scenario) *rules.Tensors {
	spaces := sc.Len() + int(NumPowers)
	t := &rules.Tensors{Ground: groundColumns, GroundValues: make([]int16, len(groundColumns)*spaces),
		Planes: planeColumns, Scalars: scalarColumns, Row: rowColumns}
	ground := kit.NewPlanes(t.GroundValues, spaces)
	for i := range sc.Spaces {
		info := &sc.Spaces[i]
		t.Spaces = append(t.Spaces, info.ID)
		for plane, n := range [...]int{0, oneIf(info.Sea), oneIf(info.Impassable), info.IPC, oneIf(info.City != nil),
			powerNumber(info.Capital), powerNumber(sc.Original[i])} {
			ground.Set(plane, i, n)
		}
	}
	for w := range NumPowers {
		t.Spaces = append(t.Spaces, boxMobilization+w.ID())
		ground.Set(0, sc.Len()+int(w), 1)
	}
	for u := range Hull + 1 {
		t.Pieces = append(t.Pieces, u.ID())
	}
	return t
}

func oneIf(b bool) int { return int(rules.OneIf(b)) }

// powerNumber is 1 + a power, 0 for none.
func powerNumber(w Power) int {
	if w >= NumPowers {
		return 0
	}
	return int(w) + 1
}

// Observe writes what a seat knows: everything but the standing orders of others, which are left out for all.
func (p *Position) Observe(_ rules.Seat, planes, scalars []int16) {
	x := kit.NewPlanes(planes, len(p.sc.Tensors().Spaces))
	for _, g := range p.groups {
		p.observeGroup(x, g)
	}
	for w := range p.pool {
		for u := range NumUnits {
			if n := p.pool[w][u]; n > 0 && u != Complex {
				x.Add(unitPlane(Power(w), u), p.sc.Len()+w, int(n))
			} else if n > 0 {
				x.Add(planeComplex, p.sc.Len()+w, int(n))
			}
		}
	}
	for i := range p.sc.Spaces {
		s := Space(i)
		x.Set(planeOwner, i, powerNumber(p.owner[s]))
		x.Set(planeStartOwner, i, powerNumber(p.startOwner[s]))
		x.Set(planeComplex, i, oneIf(p.complexes.Has(s)))
		x.Set(planeDamage, i, int(p.damage[s]))
		x.Set(planeFought, i, oneIf(p.fought.Has(s)))
		x.Set(planePlaced, i, int(p.placed[s]))
	}
	if p.battle.on() {
		x.Set(planeCombat, int(p.battle.at), 1)
	}
	p.observeScalars(scalars)
}

// observeGroup adds units that are alike, and what is aboard of them.
func (p *Position) observeGroup(x kit.Planes, g Group) {
	at, n := int(g.At()), int(g.N)
	x.Add(unitPlane(g.Power(), g.Unit()), at, n)
	if g.Used() > 0 || g.Has(Moved|Done) {
		x.Add(planeMoved, at, n)
	}
	if p.power != NoPower && p.battle.at == g.At() && p.attacks(g.Key) {
		x.Add(planeAttackers, at, n)
	}
	if g.Has(Hit) {
		x.Add(planeHit, at, n)
	}
	if g.Has(Submerged) {
		x.Add(planeSubmerged, at, n)
	}
	for _, c := range g.Cargo() {
		switch {
		case c == 0:
		case g.Unit() == Carrier:
			x.Add(planeCargo+4, at, n)
		default:
			x.Add(planeCargo+int(c.Unit()), at, n)
		}
	}
}

// Question is what is asked, and the space of the combat that it is about.
func (p *Position) Question() (number, about int) {
	ask, _ := p.ask()
	if p.battle.on() {
		return int(ask), int(p.battle.at)
	}
	return int(ask), -1
}

func (p *Position) observeScalars(scalars []int16) {
	b := &p.battle
	chooser := NoPower
	if b.on() {
		chooser = b.chooser
	}
	list := append(make([]int, 0, len(scalarColumns)),
		int(p.round), int(p.turn), powerNumber(p.power),
		powerNumber(p.acting), int(p.phase), int(p.step), p.citiesOf(Axis), p.citiesOf(Allies), int(p.conceded),
		int(p.canals), int(b.round), int(b.stage), int(b.hits[odds.BySubmarine]), int(b.hits[odds.ByAir]),
		int(b.hits[odds.ByAny]),
		powerNumber(chooser), powerNumber(p.request.power))
	for w := range NumSeats {
		list = append(list, int(p.ipc[w]), int(p.tokens[w]), int(p.tech[w]))
	}
	for i, n := range list {
		scalars[i] = rules.Short(n)
	}
}

// Row writes a command in numbers.
func (p *Position) Row(_ rules.Seat, c Command, row []int16) {
	count := int(c.N)
	row[rules.RowPiece] = -1
	for i, it := range c.items() {
		if i == 0 {
			row[rules.RowPiece], count = int16(it.Unit), 0
		}
		if count += int(it.N); i < rowCounts {
			line := row[rowItems+i*rowItem:]
			line[0], line[1], line[2] = int16(it.Unit), int16(it.N), int16(powerNumber(it.Power))
			line[3], line[4], line[5] = p.spaceNumber(it.At), int16(it.Variant), rules.OneIf(it.Stays)
		}
	}
	for i := int(c.Len); i < rowCounts; i++ {
		row[rowItems+i*rowItem], row[rowItems+i*rowItem+3] = -1, -1
	}
	row[rules.RowKind], row[rules.RowTarget] = int16(c.Kind)-1, -1
	row[rules.RowFrom], row[rules.RowTo] = p.spaceNumber(c.From), p.spaceNumber(c.To)
	row[rules.RowCount], row[rules.RowCost] = rules.Short(count), rules.Short(p.price(&c))
	row[rowNumber], row[rowPower], row[rowYes] = int16(c.N), int16(powerNumber(c.Power)), rules.OneIf(c.Yes)
	row[rowVia], row[rowLanding], row[rowLines] = p.spaceNumber(c.Via), p.spaceNumber(c.Target), int16(c.Len)
}

// spaceNumber is the place of a space among those of planes; -1 for none.
func (p *Position) spaceNumber(s Space) int16 {
	if int(s) >= p.sc.Len() {
		return -1
	}
	return int16(s)
}
