package warledger

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Chains keeps what seats need for mutual dice, beside their tokens. Who may write to one place from several programs at once has KeepChain
// compare and store as one step.
type Chains interface {
	// Chain gives what is kept for a seat of a game ("games/{game}"); nil if nothing is.
	Chain(ctx context.Context, game, seat string) (*Chain, error)
	// KeepChain keeps another in place of old, which is nil for none. When it returns, next must outlive a crash: a link that was
	// revealed and then forgotten could be asked for twice. If what is kept is not old any more, the error is [ErrChainChanged].
	KeepChain(ctx context.Context, game, seat string, old, next *Chain) error
}

// ErrChainChanged says that somebody else has changed what is kept of a chain.
var ErrChainChanged = errors.New("the chain was changed by another program")

// usualChain is how many links a chain has that the client makes: the seat commits itself anew when they are spent.
const usualChain = 1024

// Chain is a seat's part in mutual dice: the secret end of a hash chain, how much of it was revealed, and what is known of the log. It is a
// secret as the token is: whoever has it, and the server's secret, knows the dice. It is kept as JSON where tokens are.
type Chain struct {
	// Last is the last link, from which all others follow.
	Last []byte `json:"last"`
	// Length is how many links there are.
	Length uint32 `json:"length"`
	// Next is the number of the first link that was not revealed, from 1.
	Next uint32 `json:"next"`
	// Version and Hash are of a record that the client saw: at first one from when the seat was taken, then the record that asked for the
	// link that was revealed last. All that comes later must go on from it.
	Version uint64 `json:"version"`
	Hash    string `json:"hash"`
	// Revealed is the number of the link that the record asked for; 0 before any.
	Revealed uint32 `json:"revealed,omitempty"`
	// Asked is true if the record asked for a link that was revealed, of this chain or the one before: its command comes before the next.
	Asked bool `json:"asked,omitempty"`
	// Coming is a chain that the server was told of, and may or may not have taken.
	Coming *Chain `json:"coming,omitempty"`
}

// newChain draws a chain.
func newChain() (*Chain, error) {
	c := &Chain{Last: make([]byte, sha256.Size), Length: usualChain, Next: 1}
	_, err := rand.Read(c.Last)
	return c, err
}

// labelLink begins what is hashed to a link. rules/dice has the format.
const labelLink = "warledger/dice/2/link"

// link is a link by its number, 0 for the anchor.
func (c *Chain) link(game, seat string, n uint32) []byte {
	id := strings.TrimPrefix(game, "games/")
	l := c.Last
	for at := c.Length; at > n; at-- {
		sum := sha256.Sum256(field(field(field(field(nil, labelLink), id), seat), string(l)))
		l = sum[:]
	}
	return l
}

// committed is what the server is told of it.
func (c *Chain) committed(game, seat string) *logv1.HashChain {
	return &logv1.HashChain{Anchor: c.link(game, seat, 0), Length: c.Length}
}

// field appends the length of a text and the text.
func field(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}
