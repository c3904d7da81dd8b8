package anniversary

import (
	"strconv"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Pieces of the board are stacks: units of a power and a type that are alike, in a space. Their ids are
// space/power/type, from the second of those that differ on with the number that commands give it:
// sz-5/germany/transport#2.

// eachPiece visits the groups of a space with the number of each among those of its power and type, from 1.
func (p *Position) eachPiece(s Space, visit func(g Group, variant int)) {
	variant, last := 0, Key(0)
	for _, g := range p.at(s) {
		if variant++; g.Power() != last.Power() || g.Unit() != last.Unit() || last == 0 {
			variant = 1
		}
		last = g.Key
		visit(g, variant)
	}
}

// pieceID is the id of a stack.
func (p *Position) pieceID(place string, w Power, u Unit, variant int) string {
	id := place + "/" + w.ID() + "/" + u.ID()
	if variant > 1 {
		id += "#" + strconv.Itoa(variant)
	}
	return id
}

// piecesAt are the ids of the stacks in a space of which something holds.
func (p *Position) piecesAt(s Space, holds func(Key) bool) []string {
	if int(s) >= p.sc.Len() {
		return nil
	}
	var ids []string
	p.eachPiece(s, func(g Group, variant int) {
		if holds(g.Key) {
			ids = append(ids, p.pieceID(p.sc.SpaceID(s), g.Power(), g.Unit(), variant))
		}
	})
	return ids
}

// pieceList is the id of the stack of a key, if it is there.
func (p *Position) pieceList(k Key) []string {
	if k == 0 {
		return nil
	}
	return p.piecesAt(k.At(), func(other Key) bool { return other == k })
}

// piecesOf are the ids of the stacks of a power and type in a space that a line of a command takes from, of those of
// which counts holds: those that can still move, or can be lost.
func (p *Position) piecesOf(s Space, w Power, it Item, counts func(Key) bool) []string {
	if int(s) >= p.sc.Len() {
		return nil
	}
	u := it.Unit
	if u == Hull {
		u = Battleship
	}
	var ids []string
	p.eachPiece(s, func(g Group, variant int) {
		if g.Unit() == u && (w == NoPower || g.Power() == w) && counts(g.Key) &&
			(it.Variant == 0 || int(it.Variant) == variant) {
			ids = append(ids, p.pieceID(p.sc.SpaceID(s), g.Power(), u, variant))
		}
	})
	return ids
}

// typed are the ids of all stacks of a power and type in a space.
func (p *Position) typed(s Space, w Power, u Unit) []string {
	return p.piecesOf(s, w, Item{Unit: u}, func(Key) bool { return true })
}

// cargoID is the id of what is aboard of each ship of a stack, in the first or the second place.
func cargoID(ship string, place int) string { return ship + "/" + strconv.Itoa(place+1) }

// aboardOf are the ids of the cargo of a line's type and power aboard the transports of w in a space; NoPower is any.
func (p *Position) aboardOf(s Space, w Power, it Item) []string {
	if int(s) >= p.sc.Len() {
		return nil
	}
	var ids []string
	p.eachPiece(s, func(g Group, variant int) {
		if g.Unit() != Transport || w != NoPower && g.Power() != w {
			return
		}
		ship := p.pieceID(p.sc.SpaceID(s), g.Power(), Transport, variant)
		for place, c := range g.Cargo() {
			if c != 0 && c.Unit() == it.Unit && (it.Power == NoPower || c.Power() == it.Power) {
				ids = append(ids, cargoID(ship, place))
			}
		}
	})
	return ids
}

// complexAt is the id of the industrial complex of a territory, if there is one. It has no owner of its own (AA 1.2.5).
func (p *Position) complexAt(s Space) []string {
	if int(s) >= p.sc.Len() || !p.complexes.Has(s) {
		return nil
	}
	return []string{p.sc.SpaceID(s) + "/" + scenario.UnitIDs[Complex]}
}

// spaceList are the ids of spaces, without none.
func (p *Position) spaceList(spaces ...Space) []string {
	var ids []string
	for _, s := range spaces {
		if id := p.sc.SpaceID(s); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}
