package warledger

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Chains keeps what seats need for mutual dice, beside their tokens. If several programs may write to one place,
// KeepChain must compare and store as one step.
type Chains interface {
	// Chain returns what is kept for a seat of a game ("games/{game}"); nil if nothing is.
	Chain(ctx context.Context, game, seat string) (*Chain, error)
	// KeepChain replaces old, which is nil for none, with next. When it returns, next must survive a crash: a link that
	// was revealed and then forgotten could be asked for twice. A nil next forgets old. If old is no longer what is
	// kept, the error is [ErrChainChanged].
	KeepChain(ctx context.Context, game, seat string, old, next *Chain) error
}

// ErrChainChanged says that another program has changed what is kept of a chain.
var ErrChainChanged = errors.New("the chain was changed by another program")

// usualChain is how many links a chain of the client has. When they are spent, the seat commits to a new chain.
const usualChain = 1024

// Chain is a seat's part in mutual dice: the secret end of a hash chain, how much of it was revealed, and what is
// known of the log. It is as secret as the token: whoever has the chains of all seats and the server's secret knows
// the dice. It is kept as JSON where tokens are.
type Chain struct {
	// Last is the last link, from which all others follow.
	Last []byte `json:"last"`
	// Length is how many links there are.
	Length uint32 `json:"length"`
	// Next is the number of the first link that was not revealed, from 1.
	Next uint32 `json:"next"`
	// Version and Hash are those of a record that the client saw: at first one from when the seat was taken, then the
	// record that asked for the last link that was revealed. All later records must go on from it.
	Version uint64 `json:"version"`
	Hash    string `json:"hash"`
	// Revealed is the number of the link that the record asked for; 0 before any.
	Revealed uint32 `json:"revealed,omitempty"`
	// Asked is true if the record asked for a link that was revealed, of this chain or the one before. Then the
	// command of that record must come before the next record that asks.
	Asked bool `json:"asked,omitempty"`
	// Sent are the anchors of the seat's older chains that were sent from here, in hexadecimal, oldest first.
	// [Chain.Anchors] needs them, to tell the seat's own chains in a finished log from others.
	Sent []string `json:"sent,omitempty"`
	// Coming is a chain that was sent to the server, which may or may not have taken it.
	Coming *Chain `json:"coming,omitempty"`
}

// newChain draws a random chain.
func newChain() (*Chain, error) {
	c := &Chain{Last: make([]byte, sha256.Size), Length: usualChain, Next: 1}
	_, err := rand.Read(c.Last)
	return c, err
}

// labelLink begins the bytes that are hashed to a link. rules/dice has the format.
const labelLink = "warledger/dice/2/link"

// link returns a link by its number; 0 is the anchor.
func (c *Chain) link(game, seat string, n uint32) []byte {
	id := strings.TrimPrefix(game, "games/")
	l := c.Last
	for at := c.Length; at > n; at-- {
		sum := sha256.Sum256(field(field(field(field(nil, labelLink), id), seat), string(l)))
		l = sum[:]
	}
	return l
}

// committed is the public part of the chain, for the server.
func (c *Chain) committed(game, seat string) *logv1.HashChain {
	return &logv1.HashChain{Anchor: c.link(game, seat, 0), Length: c.Length}
}

// Anchors lists the anchors of all chains of a seat that were sent from here, in hexadecimal, oldest first.
func (c *Chain) Anchors(game, seat string) []string {
	all := append(slices.Clone(c.Sent), hex.EncodeToString(c.link(game, seat, 0)))
	if c.Coming != nil {
		all = append(all, hex.EncodeToString(c.Coming.link(game, seat, 0)))
	}
	return all
}

// anchored reports whether an anchor is that of the chain, or of the coming one.
func (c *Chain) anchored(anchor []byte, game, seat string) bool {
	return bytes.Equal(c.link(game, seat, 0), anchor) ||
		c.Coming != nil && bytes.Equal(c.Coming.link(game, seat, 0), anchor)
}

// goOn returns a copy of a chain that is kept from now on: c itself, or the one that was coming. It remembers what was
// sent before.
func (c *Chain) goOn(next *Chain, game, seat string) *Chain {
	kept := *next
	all := c.Anchors(game, seat)
	own := hex.EncodeToString(next.link(game, seat, 0))
	kept.Sent = slices.DeleteFunc(all, func(anchor string) bool {
		return anchor == own || kept.Coming != nil && anchor == hex.EncodeToString(kept.Coming.link(game, seat, 0))
	})
	if len(kept.Sent) == 0 {
		kept.Sent = nil
	}
	return &kept
}

// newest is the chain that knows the newest record.
func (c *Chain) newest() *Chain {
	if c.Coming != nil && c.Coming.Version > c.Version {
		return c.Coming
	}
	return c
}

// field appends the length of a text and the text.
func field(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}
