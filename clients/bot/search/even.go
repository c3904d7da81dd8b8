package search

import (
	"hash/fnv"
	"io"

	"github.com/warledger/warledger/rules/dice"
)

// evenDice give every face once in six throws of a die, in an order by chance. They are as fair as others in each throw
// by itself, but battles go as they mostly go, so that fewer lines say more.
//
// Lines that are compared have the same seed. What they do alike, such as a battle in the same place in the same turn,
// they begin with the same dice, whatever was thrown before.
type evenDice struct {
	seed   uint64
	chance *dice.Seeded
	faces  [6]uint8
	left   int
}

// begin takes the dice of an occasion.
func (e *evenDice) begin(occasion string) {
	h := fnv.New64a()
	_, _ = io.WriteString(h, occasion) // never fails
	e.chance, e.left = dice.NewSeeded(e.seed^h.Sum64()), 0
}

// Roll throws a die. Those with other than six faces are common ones.
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
