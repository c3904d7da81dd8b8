package ocs

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// lister yields legal commands until told to stop. A chapter's list function builds commands and hands them to checked.
type lister struct {
	p     *Position
	seat  rules.Seat
	f     rules.Filter
	yield func(Command) bool
	done  bool
	flood hex.Flood
	// What the filter names, NoUnit and Nowhere for what is not in the game.
	piece Unit
	space Place
}

// Legal lists what passes check, kind by kind in the order of the kinds; kinds that are generating as their notes say.
func (p *Position) Legal(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	p.with(new(findings)).yields(seat, f, yield)
}

func (p *Position) yields(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	if seat >= numSeats || p.over() {
		return
	}
	l := &lister{p: p, seat: seat, f: f, yield: yield, piece: NoUnit, space: Nowhere}
	if u, fresh, ok := p.unitByID(f.Piece); ok && !fresh {
		l.piece = u
	}
	if at, ok := p.sc.PlaceByID(f.Space); ok {
		l.space = at
	}
	ask, seats := p.ask()
	for k := KindEnd; k < numKinds && !l.done; k++ {
		if l.wants(k) && (kinds[k].Offer || k.answers(ask) && seats.Has(seat)) {
			rule, _ := ruleOf(k)
			rule.list(l)
		}
	}
}

// wants reports whether a kind passes the filter.
func (l *lister) wants(k Kind) bool { return !l.done && (l.f.Kind == "" || l.f.Kind == kinds[k].ID) }

// acts reports whether a unit passes the filter for pieces that act.
func (l *lister) acts(u Unit) bool { return l.f.Piece == "" || l.piece == u }

// aims reports whether a place passes the filter for spaces.
func (l *lister) aims(at Place) bool { return l.f.Space == "" || l.space == at }

// checked yields a command if it passes the check and the filter.
func (l *lister) checked(c Command) {
	if l.wants(c.Kind) && l.p.check(l.seat, &c) == nil {
		l.give(c)
	}
}

// give yields a command that is legal, if it passes the filter.
func (l *lister) give(c Command) {
	if l.done || !l.wants(c.Kind) {
		return
	}
	if l.p.together && l.p.checkQuiet(l.seat, &c) != nil {
		return // whatever a chapter's list leaves to the check
	}
	if l.f.Piece != "" && !c.names(l.piece) || l.f.Space != "" && !c.touches(l.space) {
		return
	}
	l.done = !l.yield(c)
}
