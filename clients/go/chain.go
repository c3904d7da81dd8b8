package warledger

import (
	"cmp"
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
	// Awaited is the version of a record whose command must come before the next record that asks, if the command was
	// still due when the chain was drawn; 0 if none was.
	Awaited uint64 `json:"awaited,omitempty"`
	// Since is the version from when the player's first chain for the seat was drawn: throws that were asked for before
	// it are not the player's. 0, in chains that older programs kept, counts all of the seat's.
	Since uint64 `json:"since,omitempty"`
	// Agreed are the undos that the player asked for, or agreed to, with this client since it revealed a link, and that
	// take back a throw.
	Agreed []Consent `json:"agreed,omitempty"`
	// Leaves are the ids of the requests by which the player gave up the seat here, or agreed that another player takes
	// it, since a link was revealed. Whoever has the seat's token can leave it in the player's name, so no other
	// leaving counts.
	Leaves []string `json:"leaves,omitempty"`
	// Left is true if the player did not hold the seat when the chain was drawn. The player is not asked about undos
	// between then and taking the seat with this chain.
	Left bool `json:"left,omitempty"`
	// Follows is true for a coming chain that goes with the last link of the one in use.
	Follows bool `json:"follows,omitempty"`
	// Coming is a chain that was sent to the server, which may or may not have taken it. Its own Coming was sent before
	// it, and so on: a request may arrive long after the client gave it up, and no link of such a chain is known.
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

// all returns the chain and those that are coming, the newest of these first.
func (c *Chain) all() (all []*Chain) {
	for ; c != nil; c = c.Coming {
		all = append(all, c)
	}
	return all
}

// Anchors lists the anchors of all chains of a seat that were sent from here, in hexadecimal: those of older chains,
// that of the chain itself, and those of coming ones, each kind oldest first.
func (c *Chain) Anchors(game, seat string) []string {
	anchors := append(slices.Clone(c.Sent), c.anchor(game, seat))
	for _, coming := range reversed(c.all()[1:]) {
		anchors = append(anchors, coming.anchor(game, seat))
	}
	return anchors
}

func (c *Chain) anchor(game, seat string) string { return hex.EncodeToString(c.link(game, seat, 0)) }

// goOn returns a copy of a chain that is kept from now on: c itself, or one that was coming. It keeps the others too,
// because the server may still take them, except one whose links are known: of that it keeps the anchor.
func (c *Chain) goOn(next *Chain, game, seat string) *Chain {
	kept := *next
	kept.Sent, kept.Coming, kept.Follows = c.Sent, nil, false
	kept.Since, kept.Agreed, kept.Leaves = c.Since, c.Agreed, c.Leaves
	oldest := append([]*Chain{c}, reversed(c.all()[1:])...)
	for _, other := range oldest {
		switch {
		case other == next:
		case other.Revealed != 0:
			kept.Sent = append(slices.Clip(kept.Sent), other.anchor(game, seat))
		default:
			kept.comes(other)
		}
	}
	return &kept
}

func reversed(chains []*Chain) []*Chain {
	chains = slices.Clone(chains)
	slices.Reverse(chains)
	return chains
}

// comes adds a chain to those that are coming, as the newest.
func (c *Chain) comes(next *Chain) {
	coming := *next
	coming.Sent, coming.Coming = nil, c.Coming
	coming.Since, coming.Agreed, coming.Leaves = 0, nil, nil
	c.Coming = &coming
}

// saw notes the record that asks for a link, before it is revealed. Whichever chain the server uses next, the log must
// go on from that record and carry its command out. It changes c and copies those that are coming.
func (c *Chain) saw(version uint64, hash string) {
	c.Version, c.Hash, c.Asked, c.Awaited, c.Left = version, hash, true, 0, false
	if c.Coming != nil {
		coming := *c.Coming
		coming.saw(version, hash)
		c.Coming = &coming
	}
}

// follower is the coming chain that goes with the last link; nil if none was drawn.
func (c *Chain) follower() *Chain {
	for _, coming := range c.all()[1:] {
		if coming.Follows {
			return coming
		}
	}
	return nil
}

// due is the version of the record whose command must come before the next record that asks; 0 if none must.
func (c *Chain) due() uint64 {
	if c.Asked {
		return c.Version
	}
	return c.Awaited
}

// newest is the chain that knows the newest record.
func (c *Chain) newest() *Chain {
	return slices.MaxFunc(c.all(), func(a, b *Chain) int { return cmp.Compare(a.Version, b.Version) })
}

// tally tells which chains a log may still commit a seat to: each that was sent from here once, and none of which a
// link was revealed. The server has all revealed links, and could answer with them in the player's name.
type tally map[string]int

func (c *Chain) tally(game, seat string) tally {
	t := make(tally)
	for _, one := range c.all() {
		t[one.anchor(game, seat)] = 1
		if one.Revealed != 0 {
			t[one.anchor(game, seat)] = 0
		}
	}
	return t
}

// take counts a commitment. known is false for a chain that was not sent from here, or is not in use any more; again is
// true if the seat was committed to the chain before.
func (t tally) take(anchor []byte) (known, again bool) {
	key := hex.EncodeToString(anchor)
	left, known := t[key]
	if known {
		t[key] = left - 1
	}
	return known, known && left <= 0
}

// field appends the length of a text and the text.
func field(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}
