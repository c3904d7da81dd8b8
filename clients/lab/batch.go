package lab

import (
	"encoding/binary"
	"math"

	labv1 "github.com/warledger/warledger/proto/warledger/lab/v1"
	"github.com/warledger/warledger/rules"
)

// writer turns where the games of a table stand into a message, in memory that it uses again.
type writer struct {
	table         *Table
	tensors       *rules.Tensors
	observe, rows bool
	batch         labv1.Batch
	offsets       []int // of each game's rows
	scratch       [][]int16
}

func newWriter(t *Table, tensors *rules.Tensors, observe, rows bool) *writer {
	return &writer{table: t, tensors: tensors, observe: observe, rows: rows,
		offsets: make([]int, t.Games()+1), scratch: make([][]int16, t.Games())}
}

// sized is a list of bytes of a length, in the memory of an earlier one if that is large enough.
func sized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n+n/4)[:n]
	}
	return b[:n]
}

// put writes numbers, the lowest byte first; four at a time, since rows are most of what is sent.
func put(to []byte, list []int16) {
	le := binary.LittleEndian
	for len(list) >= 4 && len(to) >= 8 {
		le.PutUint64(to, uint64(uint16(list[0]))|uint64(uint16(list[1]))<<16|
			uint64(uint16(list[2]))<<32|uint64(uint16(list[3]))<<48)
		to, list = to[8:], list[4:]
	}
	for i, n := range list {
		le.PutUint16(to[2*i:], uint16(n))
	}
}

// write makes the message. It is good until the next one.
func (w *writer) write() (*labv1.Batch, error) {
	n, b := w.table.Games(), &w.batch
	seats := len(w.table.cfg.Ruleset.About().Seats)
	b.Seats, b.Counts, b.Ends = sized(b.Seats, 2*n), sized(b.Counts, 4*n), sized(b.Ends, n)
	b.Rewards, b.Scores = sized(b.Rewards, 4*n*seats), sized(b.Scores, 4*n*seats)
	b.Decisions, b.Turns = sized(b.Decisions, 4*n), sized(b.Turns, 2*n)
	for i := range n {
		w.head(i, seats)
		w.offsets[i+1] = w.offsets[i]
		if w.rows {
			w.offsets[i+1] += 2 * w.table.Len(i) * len(w.tensors.Row)
		}
	}
	b.Rows = sized(b.Rows, w.offsets[n])
	if w.observe {
		b.Planes = sized(b.Planes, n*w.planeBytes())
		b.Scalars = sized(b.Scalars, n*2*len(w.tensors.Scalars))
	}
	err := w.table.each(n, func(i int) error {
		w.game(i)
		return nil
	})
	return b, err
}

func (w *writer) planeBytes() int { return 2 * len(w.tensors.Planes) * len(w.tensors.Spaces) }

// head writes what every batch has of a game.
func (w *writer) head(i, seats int) {
	m, b := &w.table.games[i], &w.batch
	seat := int16(-1)
	if m.seat != rules.NoSeat {
		seat = int16(m.seat)
	}
	le := binary.LittleEndian
	le.PutUint16(b.Seats[2*i:], uint16(seat))
	le.PutUint32(b.Counts[4*i:], uint32(m.len()))
	b.Ends[i] = byte(m.end)
	le.PutUint32(b.Decisions[4*i:], uint32(m.decisions))
	le.PutUint16(b.Turns[2*i:], uint16(rules.Short(m.game.Turn())))
	for s := range seats {
		at, score := 4*(i*seats+s), 0
		if m.ending != nil {
			score = m.ending.Scores[rules.Seat(s)]
		}
		le.PutUint32(b.Rewards[at:], math.Float32bits(m.reward(rules.Seat(s))))
		le.PutUint32(b.Scores[at:], uint32(int32(score)))
	}
}

// game writes the rows and the observation of a game to their places.
func (w *writer) game(i int) {
	m := &w.table.games[i]
	if w.rows && m.len() > 0 {
		w.scratch[i] = m.game.Rows(m.seat, m.list, w.scratch[i][:0])
		put(w.batch.Rows[w.offsets[i]:w.offsets[i+1]], w.scratch[i])
	}
	if !w.observe {
		return
	}
	seat := m.seat
	if seat == rules.NoSeat {
		seat = 0
	}
	planes, scalars := w.batch.Planes[i*w.planeBytes():], w.batch.Scalars[i*2*len(w.tensors.Scalars):]
	w.sight(i, seat, planes, scalars)
}

// sight writes what a seat sees of a game.
func (w *writer) sight(i int, seat rules.Seat, planes, scalars []byte) {
	n, k := len(w.tensors.Planes)*len(w.tensors.Spaces), len(w.tensors.Scalars)
	if cap(w.scratch[i]) < n+k {
		w.scratch[i] = make([]int16, n+k)
	}
	room := w.scratch[i][:n+k]
	w.table.games[i].game.Observe(seat, room[:n], room[n:])
	put(planes, room[:n])
	put(scalars, room[n:])
}

// look shows a game to any seat.
func (w *writer) look(game, seat uint32) (*labv1.Sight, error) {
	switch {
	case !w.table.begun:
		return nil, refuse(NotReady, "no game was begun: reset first")
	case int64(game) >= int64(w.table.Games()):
		return nil, outOfRange(-1, "there is no game %d of %d", game, w.table.Games())
	case int64(seat) >= int64(len(w.table.cfg.Ruleset.About().Seats)):
		return nil, outOfRange(int(game), "there is no seat %d", seat)
	}
	s := &labv1.Sight{Planes: make([]byte, w.planeBytes()), Scalars: make([]byte, 2*len(w.tensors.Scalars))}
	w.sight(int(game), rules.Seat(seat), s.Planes, s.Scalars)
	return s, nil
}
