package search

import (
	"hash/fnv"
	"io"

	"github.com/warledger/warledger/rules/dice"
)

// evenDice give every face once in six throws of a die, in random order. A single throw is as fair as any other, but
// battles seldom go far from their average, so that fewer lines are needed.
//
// Lines that are compared have the same seed. Whatever they have in common, such as a battle in the same place in the
// same turn, begins with the same dice, whatever was thrown before.
type evenDice struct {
	seed   uint64
	chance *dice.Seeded
	faces  [6]uint8
	left   int
}

// begin starts the dice of an occasion.
func (e *evenDice) begin(occasion string) {
	h := fnv.New64a()
	_, _ = io.WriteString(h, occasion) // never fails
	e.chance, e.left = dice.NewSeeded(e.seed^h.Sum64()), 0
}

// Roll throws a die. One that does not have six faces is an ordinary die.
func (e *evenDice) Roll(sides uint8, reason string) (uint8, error) {
	if int(sides) != len(e.faces) {
		return e.chance.Roll(sides, reason)
	}
	if e.left == 0 {
		for i := range e.faces {
			e.faces[i] = uint8(i) + 1
		}
		e.left = len(e.faces)
	}
	i := e.chance.Below(uint32(e.left))
	e.left--
	face := e.faces[i]
	e.faces[i] = e.faces[e.left]
	return face, nil
}
