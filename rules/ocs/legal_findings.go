package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// All commands of a list are checked in the same position, so what its checks work out of supply lines, rail control
// and movement is worked out once: the list is made on a copy of the position that carries its findings. What supply
// lines cover is kept from list to list for as long as nothing changed that stops a line, which most commands do not. A
// test holds the lists against plain ones.

// findings are what the checks of a list have worked out.
type findings struct {
	surveys [numSeats]*survey
	rails   [numSeats]*railways
	walkers [numSeats]*walker
	lines   [numSeats]*linesFound
}

// linesFound is what lines of a side cover, and all that this depends on.
type linesFound struct {
	sc       *Scenario
	ground   uint8
	barriers barriers
	bridges  hexSet
	covers   map[span]hexSet
}

// barriers are the hexes that stop supply lines of a side (OCS 12.3d-i).
type barriers struct {
	// enemies are the hexes with enemy combat units, and cut those in an enemy ZOC that nothing
	// negates, which stop Truck MP.
	enemies, cut hexSet
	// busted are the hexes with trainbusting markers where the game has them slow supply lines (Decision D06 of OCS
	// 12.3d); nil otherwise.
	busted hexSet
}

// barriers finds what stops the supply lines of a side.
func (p *Position) barriers(seat rules.Seat) barriers {
	n := (len(p.sc.Hexes) + 63) / 64
	both := make(hexSet, 2*n)
	b, foe := barriers{enemies: both[:n:n], cut: both[n:]}, enemy(seat)
	for h := range p.sc.Hexes {
		if p.cells[h].combat[foe] > 0 {
			b.enemies.add(Hex(h))
		}
		if p.cut(seat, Hex(h)) {
			b.cut.add(Hex(h))
		}
	}
	if p.sc.Constants.GetTrainbustingOnSupply() {
		b.busted = p.markedBy(foe)
	}
	return b
}

// keep puts a new survey's covers under what an earlier list found, if everything is still as it was.
func (f *findings) keep(s *survey) {
	was := f.lines[s.seat]
	if was != nil && was.sc == s.p.sc && was.ground == s.p.ground &&
		slices.Equal(was.barriers.enemies, s.stops.enemies) &&
		slices.Equal(was.barriers.cut, s.stops.cut) && slices.Equal(was.barriers.busted, s.stops.busted) &&
		slices.Equal(was.bridges, s.bridges) {
		s.covers = was.covers
		return
	}
	f.lines[s.seat] = &linesFound{s.p.sc, s.p.ground, s.stops, s.bridges, s.covers}
}

// with is a copy of a position for a list, with what earlier ones found.
func (p *Position) with(f *findings) *Position {
	q := *p
	q.found = &findings{lines: f.lines}
	return &q
}

// list appends what legal yields; memo are the findings of an earlier list of any position.
func (p *Position) list(seat rules.Seat, f rules.Filter, list []Command, memo any) ([]Command, any) {
	before, ok := memo.(*findings)
	if !ok {
		before = new(findings)
	}
	q := p.with(before)
	q.yields(seat, f, func(c Command) bool {
		list = append(list, c)
		return true
	})
	return list, &findings{lines: q.found.lines} // the rest would hold on to the position
}
