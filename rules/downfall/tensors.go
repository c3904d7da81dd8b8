package downfall

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/downfall/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// Planes of an observation, in the order of planeColumns. Those of the sides come in pairs, the US first.
const (
	planeUnits = 2 * iota // for the US, the next one for Japan
	planeSteps
	planeStrength
	planeActed
	planeZOC
	planeSupply // and from here on one for both
)

// The planes after the pairs.
const (
	planeArrived = planeSupply + 1 + iota
	planeFollow
	planeBeachhead
	planeAirSupply
	planeNaval
	planeExploded
	planeAttacked
	planeFightFrom
	planeFightTarget
	planeDeclared
	planeLanding
	planeDrop
)

var planeColumns = kit.Columns(`
	us_units units of the US
	japan_units units of Japan
	us_steps steps of the units of the US
	japan_steps steps of the units of Japan
	us_strength strength of the units of the US
	japan_strength strength of the units of Japan
	us_acted units of the US that have acted
	japan_acted units of Japan that have acted
	us_zoc units of the US that exert a ZOC into the hex
	japan_zoc units of Japan that exert a ZOC into the hex
	supply worst supply of a US unit: 0 none, 1 line, 2 air, 3 coast, 4 out of supply
	arrived units that came onto the map in this turn
	may_follow units that may follow the move paid for last
	beachhead 1 + the number of the corps whose beachhead is there
	air_supply 1 where the air supply unit is
	naval ready naval markers that serve the hex
	exploded 1 where an atomic bomb exploded
	attacked 1 if the hex was attacked in this player turn
	fight_from 1 where the attackers of the combat stand
	fight_target 1 where the combat is
	declared 1 at the target of the consecutive attack
	landing 1 where the IX Corps is planned to land, as far as the seat knows
	drop 1 where the 11th Division is planned to drop, as far as the seat knows
`)

var groundColumns = kit.Columns(`
	box 1 for a box beside the map
	terrain row of the terrain chart, by its place in the scenario
	coastal 1 for a coastal hex
	south 1 for a hex south of the Linked Beachheads Line
	entry 1 for an entry hex of the 56th Army
	air_base 1 for a hex with an air base
	zone 1 + the coastal zone that the hex lies in
	us_move what a US unit pays to enter
`)

var scalarColumns = append(rules.CommonScalars(), kit.Columns(`
	turn turn of the game
	last_turn its last turn
	phase phase of the turn, a value of the enum Phase of the position
	step how far the phase has come
	points US victory points
	cp command points that are left
	us_cp command points of the US in the turn
	japan_mf movement factor of Japan in the turn
	japan_cp command points of Japan in the turn
	ban 1 if the kamikaze forbid landings and replacements of the US in this turn
	air air markers that are ready
	air_cap most air markers, -1 if there is no limit
	naval_cap most naval markers, -1 if there is no limit
	bombs_left atomic bombs that are left, as far as the seat knows
	bombs_used atomic bombs that were used
	bombs_declared atomic bombs declared in the turn, -1 before
	consecutive_used 1 if a consecutive attack was made in this player turn
	planned 1 if a landing of the IX Corps is planned
	plan_made turn in which it was planned
	plan_turn turn for which it is planned, as far as the seat knows; -1 if it does not
	mode how the 11th Division comes, as far as the seat knows
	drop_turn turn of its drop, as far as the seat knows
	fight stage of the combat, a value of the enum Stage of the position
	fight_by_japan 1 if Japan attacks
	fight_air 1 if air supports the combat
	fight_naval 1 if a naval marker supports it
	shots shots that the unit that fired last has left
	to_fire units that are still to fire
	entries hexes from which a consecutive attack is declared
	begun attacks of it that have begun
	awards_earned awards that were earned
	awards_lost awards that can't be earned any more
	offer 1 if the other seat offers to give up
`)...)

var rowColumns = append(rules.CommonColumns(), kit.Columns(`
	units how many units take part
	strength their strength
	detail_0 of a withdrawal, the space of the first unit; else bits 0 to 15 of the details: naval markers, zones, turns
	detail_1 of a withdrawal, the space of the second unit; else bits 16 to 31 of the details
	detail_2 of a withdrawal, the space of the third unit; else bits 32 to 47 of the details
	detail_3 of a withdrawal, the space of the fourth unit; else bits 48 to 63 of the details
	units_0 bits for the pieces 0 to 15 that take part
	units_1 bits for the pieces 16 to 31
	units_2 bits for the pieces 32 to 47
	units_3 bits for the pieces 48 to 63
`)...)

// Places of the own columns in a row.
const (
	rowUnits = rules.RowOwn + iota
	rowStrength
	rowDetail
	rowBits = rowDetail + 4
)

// newTensors says what the numbers of a scenario mean: hexes and then boxes are the spaces.
func newTensors(sc *Scenario) *rules.Tensors {
	hexes := sc.Map.Len()
	spaces := hexes + len(boxIDs) - 1
	t := &rules.Tensors{Ground: groundColumns, GroundValues: make([]int16, len(groundColumns)*spaces),
		Planes: planeColumns, Scalars: scalarColumns, Row: rowColumns}
	ground := kit.NewPlanes(t.GroundValues, spaces)
	for i := range hexes {
		h := Hex(i)
		t.Spaces = append(t.Spaces, sc.HexID(h))
		for plane, n := range [...]int{0, int(sc.Terrain[i]), oneIf(sc.Is(h, scenario.Coastal)),
			oneIf(sc.Is(h, scenario.South)), oneIf(sc.Is(h, scenario.Entry)), oneIf(sc.Is(h, scenario.AirBase)),
			int(sc.Zone[i] + 1), sc.Terrains[sc.Terrain[i]].USMove} {
			ground.Set(plane, i, n)
		}
	}
	for i, id := range boxIDs[1:] {
		t.Spaces = append(t.Spaces, id)
		ground.Set(0, hexes+i, 1)
	}
	for u := range sc.Units {
		t.Pieces = append(t.Pieces, sc.Units[u].ID)
	}
	return t
}

func oneIf(b bool) int { return int(rules.OneIf(b)) }

// space is the place of a hex or box among the spaces of planes; -1 for none.
func (p *Position) space(at Place) int {
	switch {
	case at < boxes && int(at) < len(p.at):
		return int(at)
	case at > boxes && int(at-boxes) < len(boxIDs):
		return len(p.at) + int(at-boxes) - 1
	}
	return -1
}

// Observe writes what a seat knows.
func (p *Position) Observe(seat rules.Seat, planes, scalars []int16) {
	x := kit.NewPlanes(planes, len(p.sc.Tensors().Spaces))
	for i := range p.sc.Units {
		p.observeUnit(x, Unit(i), seat)
	}
	for side := range seatIDs {
		for h, n := range p.zoc[side] {
			if n > 0 {
				x.Set(planeZOC+side, h, int(n))
			}
		}
	}
	for f, at := range p.beachhead {
		if s := p.space(at); s >= 0 {
			x.Set(planeBeachhead, s, f+1)
		}
	}
	p.observeMarks(x)
	p.observeScalars(seat, scalars)
}

// observeUnit adds a unit to the planes.
func (p *Position) observeUnit(x kit.Planes, u Unit, seat rules.Seat) {
	at := p.space(p.place[u])
	if at < 0 || p.place[u] == Out { // out of play, and not on the board
		return
	}
	info, side := &p.sc.Units[u], int(p.sc.Units[u].Owner)
	x.Add(planeUnits+side, at, 1)
	x.Add(planeSteps+side, at, int(p.steps[u]))
	if !p.neutral(u, rules.SeatViewer(seat)) {
		x.Add(planeStrength+side, at, info.Strength[min(int(p.steps[u]), 2)])
	}
	x.Add(planeActed+side, at, oneIf(p.acted.Has(u)))
	x.Raise(planeSupply, at, int(p.supply[u]))
	x.Add(planeArrived, at, oneIf(p.arrived.Has(u)))
	x.Add(planeFollow, at, oneIf(p.followers.Has(u)))
}

// observeMarks writes what lies in hexes beside the units.
func (p *Position) observeMarks(x kit.Planes) {
	mark := func(plane int, at Place, shown bool) {
		if s := p.space(at); s >= 0 && shown {
			x.Set(plane, s, 1)
		}
	}
	for h := range p.exploded.All() {
		mark(planeExploded, Place(h), true)
	}
	for h := range p.attacked.All() {
		mark(planeAttacked, Place(h), true)
	}
	for n := range maxNaval {
		if z := p.navalZone[n]; p.navalReady&(1<<n) != 0 && z != NoZone {
			for h, served := range p.sc.Served {
				if served.Has(z) {
					x.Add(planeNaval, h, 1)
				}
			}
		}
	}
	mark(planeAirSupply, p.airSupply, true)
	mark(planeFightFrom, Place(p.fight.from), p.fight.on)
	mark(planeFightTarget, Place(p.fight.target), p.fight.on)
	mark(planeDeclared, Place(p.decl.target), p.decl.on)
	mark(planeLanding, Place(p.ixHex), p.ixTurn > 0)
	mark(planeDrop, Place(p.dropHex), p.dropTurn > 0)
}

// Question is what is asked, and the hex that it is about.
func (p *Position) Question() (number, about int) {
	ask, _ := p.ask()
	switch ask {
	case AskDeclare:
		return int(ask), p.space(Place(p.decl.target))
	case AskFire, AskWithdraw, AskAdvance, AskSupport, AskBombard:
		return int(ask), p.space(Place(p.fight.target))
	case AskBreak:
		return int(ask), p.space(Place(p.fight.usHex()))
	case AskLosses:
		return int(ask), p.space(p.bombAt)
	case AskExcess:
		return int(ask), p.space(Place(p.excess))
	}
	return int(ask), -1
}

func (p *Position) observeScalars(seat rules.Seat, scalars []int16) {
	f, d := &p.fight, &p.decl
	limit := func(n uint8) int {
		if n == scenario.NoCap {
			return -1
		}
		return int(n)
	}
	planned := int(p.ixTurn)
	if p.ixTurn == unknownTurn {
		planned = -1
	}
	for i, n := range [...]int{
		int(p.turn), p.sc.Chart.LastTurn(), int(p.phase), int(p.step),
		int(p.vp), int(p.cp), int(p.usCP), int(p.jpMF), int(p.jpCP), oneIf(p.ban), int(p.air), limit(p.airCap),
		limit(p.navalCap), int(p.bombsLeft), int(p.bombsUsed), int(p.bombsDeclared), oneIf(p.consecutiveUsed),
		oneIf(p.ixTurn > 0), int(p.ixMade), planned, int(p.mode), int(p.dropTurn),
		int(f.stage), oneIf(f.on && f.byJapan), oneIf(f.air), oneIf(f.naval > 0), int(f.shots), f.toFire.Len(),
		int(d.count), int(d.begun), UnitSet(p.earned).Len(), UnitSet(p.lost).Len(),
		oneIf(p.offer > 0 && rules.Seat(p.offer-1) != seat),
	} {
		scalars[i] = rules.Short(n)
	}
}
