package toy

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
	"github.com/warledger/warledger/rules/kit"
)

// Planes of an observation, in the order of planeColumns. A seat sees itself as own and the other one as rival.
const (
	planeOwnSteps = iota
	planeRivalSteps
	planeOwnStrength
	planeRivalStrength
	planeMoved
	planeFought
	planeOwnHeld
	planeRivalHeld
	planeOwnPlan
	planeRivalPlan
	planeFound
	planeAttacker
	planeTarget
)

var planeColumns = kit.Columns(`
	own_steps steps of the seat's unit
	rival_steps steps of the other seat's unit
	own_strength strength of the seat's unit
	rival_strength strength of the other seat's unit
	moved 1 if the unit there has moved
	fought 1 if the unit there has attacked
	own_held 1 if the seat holds the outpost
	rival_held 1 if the other seat holds the outpost
	own_plan 1 if the seat plans to hold it
	rival_plan 1 if the other seat plans to hold it and its plan lies face up
	found 1 if the seat's scouts reported it as the other seat's plan
	attacker 1 if the unit there attacks now
	target 1 if the unit there is attacked now
`)

var scalarColumns = append(rules.CommonScalars(), kit.Columns(`
	turn turn of the game
	last_turn its last turn
	first 1 if the seat moves first in each turn
	own_supply the seat's supply
	rival_supply the other seat's supply
	own_score the seat's score
	rival_score the other seat's score
	own_scouted 1 if the seat has scouted
	rival_scouted 1 if the other seat has scouted
	draw_offered 1 if the other seat offers a draw
`)...)

var groundColumns = kit.Columns(`
	rough 1 if the hex is rough
	water 1 if the hex is water
	outpost 1 if the hex is an outpost
`)

var rowColumns = append(rules.CommonColumns(), kit.Columns(`
	die_modifier what is added to the die of an attack
`)...)

// newTensors says what the numbers of a scenario mean.
func newTensors(sc *Scenario) *rules.Tensors {
	n := sc.board.Len()
	t := &rules.Tensors{Ground: groundColumns, GroundValues: make([]int16, len(groundColumns)*n),
		Planes: planeColumns, Scalars: scalarColumns, Row: rowColumns}
	ground := kit.NewPlanes(t.GroundValues, n)
	for at := range n {
		t.Spaces = append(t.Spaces, sc.board.ID(hex.Index(at)))
		ground.Set(0, at, int(rules.OneIf(sc.terrain[at] == rough)))
		ground.Set(1, at, int(rules.OneIf(sc.terrain[at] == water)))
	}
	for _, at := range sc.outposts {
		ground.Set(2, int(at), 1)
	}
	for u := range sc.units {
		t.Pieces = append(t.Pieces, sc.units[u].ID)
	}
	return t
}

// Observe writes what a seat knows.
func (p *State) Observe(seat rules.Seat, planes, scalars []int16) {
	x := kit.NewPlanes(planes, p.sc.board.Len())
	for u := range p.units {
		unit, info := &p.units[u], &p.sc.units[u]
		if unit.at == hex.None {
			continue
		}
		at, side := int(unit.at), 0
		if info.seat != seat {
			side = 1
		}
		x.Set(planeOwnSteps+side, at, int(unit.steps))
		x.Set(planeOwnStrength+side, at, int(info.Strength))
		x.Set(planeMoved, at, int(rules.OneIf(unit.moved)))
		x.Set(planeFought, at, int(rules.OneIf(unit.fought)))
	}
	for o, holder := range p.holders {
		if at := int(p.sc.outposts[o]); holder < numSeats {
			x.Set(planeOwnHeld+int(rules.OneIf(holder != seat)), at, 1)
		}
	}
	own, other := &p.seats[seat], &p.seats[rival(seat)]
	mark := func(plane int, at hex.Index, shown bool) {
		if shown && at != hex.None {
			x.Set(plane, int(at), 1)
		}
	}
	mark(planeOwnPlan, own.plan, true)
	mark(planeRivalPlan, other.plan, other.bared)
	mark(planeFound, own.found, true)
	if f := p.attack(); f != nil {
		mark(planeAttacker, p.units[f.unit].at, true)
		mark(planeTarget, p.units[f.target].at, true)
	}
	copy(scalars, []int16{
		int16(p.turn), int16(p.lastTurn()), rules.OneIf(p.first == seat), int16(own.supply),
		int16(other.supply), int16(own.score), int16(other.score),
		rules.OneIf(own.scouted), rules.OneIf(other.scouted), rules.OneIf(other.offersDraw),
	})
}

// Question is what is asked, and the hex that it is about.
func (p *State) Question() (number, about int) {
	q, _ := p.asked()
	switch f := p.attack(); {
	case q == askLoss:
		return int(q), int(p.units[f.target].at)
	case q == askPursuit:
		return int(q), int(f.vacated)
	}
	return int(q), -1
}

// Row writes a command in numbers: what acts and where it goes are those of the description.
func (p *State) Row(seat rules.Seat, c Command, row []int16) {
	row[rules.RowKind] = int16(c.Kind) - 1
	for i := rules.RowPiece; i <= rules.RowTo; i++ {
		row[i] = -1
	}
	d := p.Describe(seat, c)
	for _, id := range d.Pieces {
		u, _ := p.sc.unitByID(id)
		row[rules.RowPiece] = int16(u)
		if at := p.units[u].at; at != hex.None {
			row[rules.RowFrom] = int16(at)
		}
	}
	for _, id := range d.Spaces {
		if at, err := p.sc.board.ByID(id); err == nil {
			row[rules.RowTo] = int16(at)
		}
	}
	switch c.Kind {
	case KindAttack:
		row[rules.RowTarget], row[rules.RowOwn] = int16(c.Target), int16(p.modifier(c.Unit, c.Target))
	case KindRally:
		row[rules.RowCount], row[rules.RowCost] = int16(c.Steps), int16(c.Steps)
	}
}
