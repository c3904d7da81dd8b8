package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// space is a place among the spaces of planes; -1 for none.
func (p *Position) space(at Place) int {
	switch {
	case at < boxes && int(at) < len(p.sc.Hexes):
		return int(at)
	case at.inBox():
		return len(p.sc.Hexes) + int(at-boxes)
	case at == Dead:
		return len(p.cells)
	}
	return -1
}

// Question is what is asked, and the place that the innermost procedure is about.
func (p *Position) Question() (number, about int) {
	ask, _ := p.ask()
	if f := p.top(); f != nil {
		return int(ask), p.space(f.base().at)
	}
	return int(ask), -1
}

// Observe writes what a seat knows.
func (p *Position) Observe(seat rules.Seat, planes, scalars []int16) {
	x := kit.NewPlanes(planes, len(p.sc.Tensors().Spaces))
	for u := range p.units {
		p.observeUnit(x, Unit(u), seat)
	}
	for i := range p.cells {
		c := &p.cells[i]
		for side := range numSeats {
			of := oneIf(side != seat)
			x.Set(planeSupply+of, i, int(c.ground[side]))
			x.Set(planeZOC+of, i, int(c.zoc[side]))
		}
		x.Set(planeOwner, i, sideNumber(seat, c.owner))
		x.Set(planeHedgehog, i, int(c.hedgehog))
		x.Set(planeBase, i, int(c.base))
		x.Set(planePortHits, i, int(c.hits))
		x.Set(planeGauge, i, int(c.gauge))
		x.Set(planeMarks, i, int(c.marks&0x7FFF))
	}
	list := append(make([]int, 0, len(scalarColumns)),
		int(p.turn), int(p.segment), int(p.stage), int(p.step), sideNumber(seat, p.phasing), sideNumber(seat, p.first),
		oneIf(p.together), int(p.ground), int(p.flight), oneIf(p.rough), len(p.frames), int(p.points))
	for r := 1; r < firstOrder; r++ { // what a seat ordered is no fact of the war
		list = append(list, int(p.registers[seat][r]))
	}
	for i, n := range list {
		scalars[i] = rules.Short(n)
	}
}

// sideNumber is 1 for the seat itself, 2 for the enemy, 0 for nobody.
func sideNumber(seat, other rules.Seat) int {
	switch {
	case other >= numSeats:
		return 0
	case other == seat:
		return 1
	}
	return 2
}

// observeUnit adds a piece to the planes.
func (p *Position) observeUnit(x kit.Planes, u Unit, seat rules.Seat) {
	s := &p.units[u]
	at := p.space(p.spot(u))
	if at < 0 {
		return
	}
	c, face, of := &p.sc.Counters[s.counter], p.shown(u), oneIf(s.seat != seat)
	switch {
	case c.Kind == AirUnit:
		x.Add(planeAir+of, at, 1)
	case c.Kind == ShipUnit:
		x.Add(planeShips+of, at, 1)
	case c.Kind.Combat():
		x.Add(planeUnits+of, at, 1)
		x.Add(planeSteps+of, at, int(c.Steps)-int(s.lost))
		x.Add(planeStrength+of, at, face.Strength)
		x.Raise(planeRating+of, at, face.Rating)
		x.Add(planeHQ+of, at, oneIf(c.HQ))
		x.Add(planeCombatMode+of, at, oneIf(p.mode(u) == CombatMode))
	default:
		x.Add(planeTransport+of, at, 1)
	}
	x.Add(planeBarrage+of, at, face.Barrage)
	x.Add(planeLoad+of, at, int(s.load))
	x.Add(planeOutOfSupply+of, at, oneIf(s.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY)))
	switch s.marker {
	case Reserve:
		x.Add(planeReserve+of, at, 1)
	case Strat:
		x.Add(planeStrat+of, at, 1)
	case DG:
		x.Add(planeDG+of, at, 1)
	case Exploitation:
		x.Add(planeExploitation+of, at, 1)
	}
	if of == 0 {
		x.Add(planeMoved, at, oneIf(s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED)))
		x.Add(planeDone, at, oneIf(s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE)))
		x.Add(planeFuelled, at, oneIf(s.fuel != noFuel))
	}
}

// Places of the own columns in a row. Lines have rowLine numbers each.
const (
	rowPoints = rules.RowOwn + iota
	rowYes
	rowMarker
	rowFace
	rowChoice
	rowName
	rowUnits
	rowPiece1
	_
	_
	rowCopy
	rowCopy1
	rowCopyTarget
	rowSteps
	rowStrength
	rowPath
	rowVia
	rowLines
	rowLine0
	rowLine  = 5
	numLines = 2
)

// Row writes a command in numbers.
func (p *Position) Row(seat rules.Seat, c Command, row []int16) {
	var room [8]Unit
	acting := append(room[:0], c.Units...)
	if c.Unit != NoUnit && !slices.Contains(acting, c.Unit) {
		acting = append(acting, c.Unit)
	}
	row[rules.RowKind] = int16(c.Kind) - 1
	row[rules.RowTarget] = p.pieceNumber(c.Other)
	for i, column := range [...]int{rules.RowPiece, rowPiece1, rowPiece1 + 1, rowPiece1 + 2} {
		row[column] = -1
		if i < len(acting) {
			row[column] = p.pieceNumber(acting[i])
		}
	}
	for i, column := range [...]int{rowCopy, rowCopy1} {
		if i < len(acting) {
			row[column] = p.copyNumber(acting[i])
		}
	}
	row[rowCopyTarget] = p.copyNumber(c.Other)
	from := c.From
	if from == Nowhere && len(acting) > 0 {
		from = p.spot(acting[0])
	}
	row[rules.RowFrom], row[rules.RowTo] = int16(p.space(from)), int16(p.space(c.target()))
	row[rules.RowCount], row[rowPoints] = rules.Short(c.N), rules.Short(c.M)
	row[rowYes], row[rowMarker], row[rowFace] = rules.OneIf(c.Yes), int16(c.Marker), int16(c.Face)
	row[rowChoice], row[rowName] = rules.Short(c.Choice), p.nameNumber(seat, c.Name)
	row[rowUnits], row[rowPath], row[rowVia] = rules.Short(len(acting)), rules.Short(len(c.Path)), -1
	if len(c.Path) > 0 {
		row[rowVia] = int16(p.space(c.Path[0]))
	}
	steps, strength := 0, 0
	for _, u := range acting {
		steps += int(p.counter(u).Steps) - int(p.units[u].lost)
		strength += p.shown(u).Strength
	}
	row[rowSteps], row[rowStrength] = rules.Short(steps), rules.Short(strength)
	p.rowOfLines(&c, row)
}

// rowOfLines writes the lines of a command and what they pay.
func (p *Position) rowOfLines(c *Command, row []int16) {
	row[rowLines] = rules.Short(len(c.Lines))
	total := 0
	for i := range max(numLines, len(c.Lines)) {
		l := Line{Unit: NoUnit, At: Nowhere, By: NoUnit, Terrain: -1}
		if i < len(c.Lines) {
			l = c.Lines[i]
			total += l.Count
		}
		if i < numLines {
			to := row[rowLine0+i*rowLine:]
			to[0], to[1], to[2] = p.pieceNumber(l.Unit), int16(p.space(l.At)), rules.Short(l.Count)
			to[3], to[4] = p.pieceNumber(l.By), l.Terrain+1+int16(l.Flight)
		}
	}
	if paysTokens(c.Kind) {
		row[rules.RowCost] = rules.Short(total)
	}
}

// pieceNumber is the counter of a unit; -1 for none.
func (p *Position) pieceNumber(u Unit) int16 {
	if int(u) >= len(p.units) {
		return -1
	}
	return int16(p.units[u].counter)
}

// copyNumber tells the pieces of a counter apart that there are several of; 0 for a unique one.
func (p *Position) copyNumber(u Unit) int16 {
	if int(u) < p.sc.Fixed || int(u) >= len(p.units) {
		return 0
	}
	return rules.Short(int(u) - p.sc.Fixed + 1)
}

// nameNumber numbers what a command calls by an id: formations, kinds of counter and the seat's entries, from 1.
func (p *Position) nameNumber(seat rules.Seat, id string) int16 {
	if id == "" {
		return 0
	}
	if f, ok := p.sc.form[id]; ok {
		return f + 1
	}
	if n, ok := p.sc.kinds[id]; ok {
		return rules.Short(1 + len(p.sc.Formations) + int(n))
	}
	return rules.Short(1 + len(p.sc.Formations) + len(p.sc.Counters) + max(p.sc.Seats[seat].entry(id), 0))
}
