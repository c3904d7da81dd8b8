package dice

import (
	"crypto/sha256"
	"fmt"
)

// MaxChain is the most links that a chain has.
const MaxChain = 1 << 16

// Link is one value of a hash chain, and the secret that mutual dice wait for.
type Link [32]byte

// SeatLink is what a seat revealed for a roll.
type SeatLink struct {
	Seat string // not empty, each seat once
	Link Link
}

// Before is the link that comes before l in the chain of a seat: its hash. The package comment has the format.
func (l Link) Before(game, seat string) Link {
	return sha256.Sum256(appendField(appendField(appendField(appendField(nil, labelLink), game), seat), string(l[:])))
}

// Back is the link a number of places before l in the chain of a seat; l itself for 0.
func (l Link) Back(places uint32, game, seat string) Link {
	for ; places > 0; places-- {
		l = l.Before(game, seat)
	}
	return l
}

// LinkError says that what a seat revealed is not the link that it owes.
type LinkError struct {
	Seat   string
	Number uint32 // of the link that is owed, from 1
	Known  uint32 // number of the link that it was checked against
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s did not reveal link %d of its chain: the hash of what it sent is not link %d",
		e.Seat, e.Number, e.Known)
}

// Chain is the public part of a seat's chain. The zero value has no links.
type Chain struct {
	// Anchor is link 0, and Length how many links follow it.
	Anchor Link
	Length uint32
	// Known is the link revealed last and At its number; the anchor and 0 before any.
	Known Link
	At    uint32
	// Next is the number of the link that is revealed next, from 1; Length + 1 when the chain is spent.
	Next uint32
}

// NewChain makes the chain of an anchor, before any link is revealed. It returns an error for an
// invalid anchor or length.
func NewChain(anchor []byte, length uint32) (Chain, error) {
	switch {
	case len(anchor) != len(Link{}):
		return Chain{}, fmt.Errorf("the anchor has %d bytes, expected %d", len(anchor), len(Link{}))
	case length < 1 || length > MaxChain:
		return Chain{}, fmt.Errorf("%d links, expected 1 to %d", length, MaxChain)
	}
	a := Link(anchor)
	return Chain{Anchor: a, Length: length, Known: a, Next: 1}, nil
}

// Left reports whether a link is left that has not been asked for.
func (c Chain) Left() bool { return c.Next >= 1 && c.Next <= c.Length }

// Check returns nil if link is the next of the chain, else a [*LinkError].
func (c Chain) Check(link Link, game, seat string) error {
	if !c.Left() || link.Back(c.Next-c.At, game, seat) != c.Known {
		return &LinkError{Seat: seat, Number: c.Next, Known: c.At}
	}
	return nil
}

// Spend returns the chain after its next link is spent. link is the revealed one, which Check has accepted, or nil if
// it did not come in time.
func (c Chain) Spend(link *Link) Chain {
	if link != nil {
		c.Known, c.At = *link, c.Next
	}
	c.Next++
	return c
}
