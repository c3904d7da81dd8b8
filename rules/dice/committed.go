package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// Committed are dice that follow from a secret, from what the seats added, and from where in the game they are rolled.
// The package comment has the format.
type Committed struct {
	mac     hash.Hash
	message []byte // as far as the game; then version, index and attempt, written anew for each block
	prefix  int
	block   [sha256.Size]byte
	version uint64
	index   uint32
}

// NewCommitted makes the dice of a game, ready for the record of the given version. Entropies may be in any order; a
// seat that is empty, there twice, or that gives no bytes or more than MaxEntropy is an error.
func NewCommitted(secret Secret, entropies []Entropy, game string, version uint64) (*Committed, error) {
	k, err := key(secret, entropies)
	if err != nil {
		return nil, err
	}
	c := &Committed{mac: hmac.New(sha256.New, k[:]), version: version}
	c.message = appendField(appendField(nil, labelRoll), game)
	c.prefix = len(c.message)
	c.message = append(c.message, make([]byte, 8+4+4)...)
	return c, nil
}

// Begin turns to the record of a version; its first die has index 0.
func (c *Committed) Begin(version uint64) { c.version, c.index = version, 0 }

// Roll returns the next die of the record. The only error is a [*SidesError]. It costs one HMAC and allocates nothing.
func (c *Committed) Roll(sides uint8, reason string) (uint8, error) {
	if err := checkSides(sides, reason); err != nil {
		return 0, err
	}
	for attempt := uint32(0); ; attempt++ {
		c.fill(attempt)
		if value, ok := fromBytes(c.block[:], sides); ok {
			c.index++
			return value, nil
		}
	}
}

func (c *Committed) fill(attempt uint32) {
	tail := c.message[c.prefix:]
	binary.BigEndian.PutUint64(tail, c.version)
	binary.BigEndian.PutUint32(tail[8:], c.index)
	binary.BigEndian.PutUint32(tail[12:], attempt)
	c.mac.Reset()
	c.mac.Write(c.message)
	c.mac.Sum(c.block[:0])
}

// fromBytes takes the first byte that favours no side; false when none exists.
func fromBytes(block []byte, sides uint8) (uint8, bool) {
	limit := 256 - 256%int(sides)
	for _, b := range block {
		if int(b) < limit {
			return b%sides + 1, true
		}
	}
	return 0, false
}
