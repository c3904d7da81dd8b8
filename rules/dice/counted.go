package dice

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
)

// Counted are the dice of the second format. They follow from a key, the game, and the number of dice before them in
// its log. The package comment has the format.
type Counted struct {
	mac     hash.Hash
	message []byte // as far as the game; then number and attempt, written anew for each block
	prefix  int
	block   [sha256.Size]byte
	next    uint64
}

// NewCounted makes the committed dice of a game, ready for its first die.
func NewCounted(secret Secret, game string) *Counted {
	key := sha256.Sum256(appendField(appendField(nil, labelCountedKey), string(secret[:])))
	return newCounted(key, labelCountedRoll, game)
}

// NewMutual makes the dice of a roll that seats have answered, ready for the game's first die. Links may be in any
// order. It returns an error without links, and for an empty or repeated seat.
func NewMutual(secret Secret, links []SeatLink, game string) (*Counted, error) {
	sorted := slices.Clone(links)
	slices.SortFunc(sorted, func(a, b SeatLink) int { return cmp.Compare(a.Seat, b.Seat) })
	in := appendField(appendField(nil, labelMutualKey), string(secret[:]))
	in = binary.BigEndian.AppendUint32(in, uint32(len(sorted)))
	for i, l := range sorted {
		switch {
		case l.Seat == "":
			return nil, errors.New("mutual dice: seat without a name")
		case i > 0 && l.Seat == sorted[i-1].Seat:
			return nil, fmt.Errorf("mutual dice: seat %q is there twice", l.Seat)
		}
		in = appendField(appendField(in, l.Seat), string(l.Link[:]))
	}
	if len(sorted) == 0 {
		return nil, errors.New("mutual dice: no seat has answered")
	}
	return newCounted(sha256.Sum256(in), labelMutualRoll, game), nil
}

func newCounted(key [sha256.Size]byte, label, game string) *Counted {
	c := &Counted{mac: hmac.New(sha256.New, key[:])}
	c.message = appendField(appendField(nil, label), game)
	c.prefix = len(c.message)
	c.message = append(c.message, make([]byte, 8+4)...)
	return c
}

// Begin moves to the die that comes after thrown others in the log of the game, on whatever line they were thrown.
func (c *Counted) Begin(thrown uint64) { c.next = thrown }

// Roll returns the next die of the game. The only error is a [*SidesError]. It costs one HMAC and allocates nothing.
func (c *Counted) Roll(sides uint8, reason string) (uint8, error) {
	if err := checkSides(sides, reason); err != nil {
		return 0, err
	}
	for attempt := uint32(0); ; attempt++ {
		c.fill(attempt)
		if value, ok := fromBytes(c.block[:], sides); ok {
			c.next++
			return value, nil
		}
	}
}

func (c *Counted) fill(attempt uint32) {
	tail := c.message[c.prefix:]
	binary.BigEndian.PutUint64(tail, c.next)
	binary.BigEndian.PutUint32(tail[8:], attempt)
	c.mac.Reset()
	c.mac.Write(c.message)
	c.mac.Sum(c.block[:0])
}
