package anniversary

import (
	"strconv"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// pieces draws the units by space, power and type, what is aboard after its ship; then complexes, and what waits in
// the mobilization zones.
func (d *drawer) pieces() []*boardv1.Piece {
	all := make([]*boardv1.Piece, 0, len(d.groups)+32)
	for s := range Space(d.sc.Len()) {
		order := int32(0)
		d.eachPiece(s, func(g Group, variant int) {
			piece := d.stackPiece(g, variant)
			piece.Order = order
			order++
			all = append(append(all, piece), d.cargoPieces(g, piece.Id)...)
		})
		if d.complexes.Has(s) {
			all = append(all, d.complexPiece(s))
		}
	}
	return append(all, d.waiting()...)
}

// unitPiece draws units of a type.
func (d *drawer) unitPiece(id string, w Power, u Unit, place string, n int) *boardv1.Piece {
	info := &d.sc.Units[u]
	piece := &boardv1.Piece{
		Id: id, ShortName: kit.InLang(info.Short, d.lang), Owner: seatID(w), Kind: u.ID(),
		Formation: w.ID(), Place: place, Count: int32(n), Color: d.sc.Powers[w].Color,
		Numbers: []*boardv1.Number{
			{Key: "attack", Value: strconv.Itoa(d.sc.Attack(u, d.techs(w)))},
			{Key: "defence", Value: strconv.Itoa(info.Defence)},
			{Key: "movement", Value: strconv.Itoa(d.moves(w, u))},
		},
	}
	if d.lang != rules.Wordless {
		piece.Name = d.say("piece.unit", "power", powerName(w), "unit", unitsName(u, n))
	}
	return piece
}

// stackPiece draws a stack. A battleship has two steps, of which it loses one for the rest of a combat (AA 9.8.4).
func (d *drawer) stackPiece(g Group, variant int) *boardv1.Piece {
	u := g.Unit()
	piece := d.unitPiece(d.pieceID(d.sc.SpaceID(g.At()), g.Power(), u, variant), g.Power(), u,
		d.sc.SpaceID(g.At()), int(g.N))
	if hits := d.sc.Units[u].Hits; hits > 1 {
		piece.Steps, piece.MaxSteps = int32(hits), int32(hits)
		if g.Has(Damaged) {
			piece.Steps--
		}
	}
	for i, id := range markIDs {
		if g.Has(1 << i) {
			piece.Marks = append(piece.Marks, id)
		}
	}
	for _, n := range [...]struct {
		key, value string
	}{
		{"used", strconv.Itoa(int(g.Used()))}, {"from", d.sc.SpaceID(g.From())}, {"target", d.sc.SpaceID(g.Target())},
	} {
		if n.value != "" && n.value != "0" {
			piece.Numbers = append(piece.Numbers, &boardv1.Number{Key: n.key, Value: n.value})
		}
	}
	return piece
}

// cargoPieces draws what is aboard of each ship of a stack, under its own id.
func (d *drawer) cargoPieces(g Group, ship string) []*boardv1.Piece {
	var all []*boardv1.Piece
	for i, c := range g.Cargo() {
		if c == 0 {
			break
		}
		piece := d.unitPiece(cargoID(ship, i), c.Power(), g.aboard(c), d.sc.SpaceID(g.At()), int(g.N))
		piece.Marks = append(piece.Marks, "aboard")
		if c&loaded != 0 {
			piece.Marks = append(piece.Marks, "loaded")
		}
		if c&lands != 0 {
			piece.Marks = append(piece.Marks, "lands")
		}
		all = append(all, piece)
	}
	return all
}

// complexPiece draws an industrial complex with its damage. It is nobody's own: whoever controls the
// territory has it (AA 1.2.5).
func (d *drawer) complexPiece(s Space) *boardv1.Piece {
	piece := &boardv1.Piece{
		Id: d.complexAt(s)[0], Name: d.say(unitName(Complex)[1:]),
		ShortName: kit.InLang(d.sc.Units[Complex].Short, d.lang),
		Kind:      scenario.UnitIDs[Complex],
		Owner:     seatID(d.owner[s]), Place: d.sc.SpaceID(s), Count: 1,
	}
	if w := d.owner[s]; w < NumPowers {
		piece.Numbers = []*boardv1.Number{{Key: "capacity", Value: strconv.Itoa(d.capacityOf(w, s))}}
	}
	if n := d.damage[s]; n > 0 {
		piece.Marks = []string{"bombarded"}
		piece.Numbers = append(piece.Numbers, &boardv1.Number{Key: "damage", Value: strconv.Itoa(int(n))})
	}
	return piece
}

// waiting draws the units in the mobilization zones (AA 7.1.4), and China's recruits (AA 5.2.5).
func (d *drawer) waiting() []*boardv1.Piece {
	var all []*boardv1.Piece
	for w := range NumPowers {
		box := boxMobilization + w.ID()
		for u := range NumUnits {
			if n := d.pool[w][u]; n > 0 {
				all = append(all, d.unitPiece(d.pieceID(box, w, u, 1), w, u, box, int(n)))
			}
		}
	}
	return all
}
