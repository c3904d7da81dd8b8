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
}

// legal lists what passes check, kind by kind in the order of the kinds; kinds that are generating as their notes say.
func (p *Position) legal(seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	if seat >= numSeats || p.over() {
		return
	}
	l := &lister{p: p, seat: seat, f: f, yield: yield}
	ask, seats := p.ask()
	for k := KindEnd; k < numKinds && !l.done; k++ {
		if l.wants(k) && (kinds[k].offer || k.answers(ask) && seats.Has(seat)) {
			ruleOf(k).list(l)
		}
	}
}

// wants reports whether a kind passes the filter.
func (l *lister) wants(k Kind) bool { return !l.done && (l.f.Kind == "" || l.f.Kind == kinds[k].id) }

// acts reports whether a unit passes the filter for pieces that act.
func (l *lister) acts(u Unit) bool { return l.f.Piece == "" || l.f.Piece == l.p.id(u) }

// aims reports whether a place passes the filter for spaces.
func (l *lister) aims(at Place) bool { return l.f.Space == "" || l.f.Space == l.p.sc.PlaceID(at) }

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
	if (l.f.Piece != "" || l.f.Space != "") && !l.f.Fits(l.p.describe(l.seat, c)) {
		return
	}
	l.done = !l.yield(c)
}
