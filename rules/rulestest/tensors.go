package rulestest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
)

// observed are the planes and scalars of a seat; none if the ruleset writes no numbers.
func observed(g rules.Game, seat rules.Seat) (t *rules.Tensors, planes, scalars []int16) {
	if t = g.Ruleset().Tensors(g.Scenario()); t == nil {
		return nil, nil, nil
	}
	planes, scalars = make([]int16, len(t.Planes)*len(t.Spaces)), make([]int16, len(t.Scalars))
	g.Observe(seat, planes, scalars)
	return t, planes, scalars
}

// tensorSight writes the numbers that a seat is given: what is not 0 of planes and scalars, and the rows of its list.
func (m *match) tensorSight(b *strings.Builder, g rules.Game, seat rules.Seat) {
	writeNumbers(b, g, seat, func(int) bool { return true })
}

// writeNumbers writes them with some of the rows, which are counted from 1.
func writeNumbers(b *strings.Builder, g rules.Game, seat rules.Seat, wanted func(row int) bool) {
	t, planes, scalars := observed(g, seat)
	if t == nil {
		return
	}
	var line []byte
	for i, n := range planes {
		if n != 0 {
			line = append(append(line, "plane "...), t.Planes[i/len(t.Spaces)].ID...)
			line = append(append(line, ' '), t.Spaces[i%len(t.Spaces)]...)
			line = append(strconv.AppendInt(append(line, ' '), int64(n), 10), '\n')
		}
	}
	for i, n := range scalars {
		line = append(append(line, "scalar "...), t.Scalars[i].ID...)
		line = append(strconv.AppendInt(append(line, ' '), int64(n), 10), '\n')
	}
	n := 0
	for row := range slices.Chunk(g.Rows(seat, g.List(seat, rules.Filter{}, nil), nil), len(t.Row)) {
		if n++; !wanted(n) {
			continue
		}
		line = append(line, "row"...)
		for _, n := range row {
			line = strconv.AppendInt(append(line, ' '), int64(n), 10)
		}
		line = append(line, '\n')
	}
	b.Write(line)
}

// checkTensors holds the numbers of a decision against what a list says in words.
func (m *match) checkTensors(lists [][]tried) {
	t := m.set.Tensors(m.sc)
	if t == nil {
		return
	}
	for i, list := range lists {
		seat := rules.Seat(i)
		_, planes, scalars := observed(m.game, seat)
		_, again, _ := observed(m.game, seat)
		if !slices.Equal(planes, again) {
			m.failf("two observations of %s differ", m.about.SeatID(seat))
		}
		if j := slices.IndexFunc(t.Scalars, func(c rules.Column) bool { return c.ID == "seat" }); j >= 0 &&
			int(scalars[j]) != i {
			m.failf("the observation of %s says that it is seat %d's", m.about.SeatID(seat), scalars[j])
		}
		kinds := map[string]string{}
		for _, piece := range m.game.Board(rules.SeatViewer(seat), rules.English).Pieces {
			kinds[piece.Id] = piece.Kind
		}
		rows := m.game.Rows(seat, m.game.List(seat, rules.Filter{}, nil), nil)
		if len(rows) != len(list)*len(t.Row) {
			m.failf("%d numbers for %d commands", len(rows), len(list))
		}
		for j, c := range list {
			m.checkRow(t, c, kinds, rows[j*len(t.Row):(j+1)*len(t.Row)])
		}
	}
}

// checkRow holds a row against the description of its command. A piece of the row is a piece of the board or, where
// units are counted, a kind of them.
func (m *match) checkRow(t *rules.Tensors, c tried, kinds map[string]string, row []int16) {
	if k := int(row[rules.RowKind]); k < 0 || k >= len(m.about.Commands) || m.about.Commands[k].ID != c.kind() {
		m.failf("the row of %s has the kind %d", c.text, k)
	}
	for _, column := range [...]struct {
		at  int
		ids []string
	}{
		{rules.RowPiece, t.Pieces}, {rules.RowTarget, t.Pieces}, {rules.RowFrom, t.Spaces}, {rules.RowTo, t.Spaces},
	} {
		if n := int(row[column.at]); n < -1 || n >= len(column.ids) {
			m.failf("the row of %s has %d as its %s, of %d", c.text, n, t.Row[column.at].ID, len(column.ids))
		}
	}
	d := m.game.Describe(c.seat, c.c)
	if to := int(row[rules.RowTo]); to >= 0 && len(d.Spaces) > 0 && !slices.Contains(d.Spaces, t.Spaces[to]) {
		m.failf("the row of %s leads to %s, its description to %v", c.text, t.Spaces[to], d.Spaces)
	}
	names := func(id string) bool {
		piece := t.Pieces[row[rules.RowPiece]]
		return strings.Contains(id, piece) || kinds[id] == piece
	}
	if row[rules.RowPiece] >= 0 && len(d.Pieces) > 0 && !slices.ContainsFunc(d.Pieces, names) {
		m.failf("the row of %s names %s, its description %v", c.text, t.Pieces[row[rules.RowPiece]], d.Pieces)
	}
}
