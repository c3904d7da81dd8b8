package ledger

import (
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// ChainError says that a record cannot follow the ones before it.
type ChainError struct {
	// Version of the record.
	Version uint64
	// What is wrong, and what was expected.
	What string
}

func (e *ChainError) Error() string { return fmt.Sprintf("record %d %s", e.Version, e.What) }

// Chain checks that records follow each other: versions without a gap, each linked to the hash of the one before, one
// game, decided on the head, head moved only where it may go, command ids unique, each record of the shape of its kind,
// and no move after the secrets are out. The zero value expects the first record.
//
// It trusts that a record's hash is that of its contents: [Open] proves that.
type Chain struct {
	tree     Tree
	game     string
	last     Hash
	ids      map[string]uint64
	released *logv1.SecretsReleased
	created  *logv1.GameCreated
}

// Tree is the history so far. It belongs to the chain.
func (c *Chain) Tree() *Tree { return &c.tree }

// Game is the id of the game; empty before the first record.
func (c *Chain) Game() string { return c.game }

// Hash is that of the last record; zeros before the first.
func (c *Chain) Hash() Hash { return c.last }

// Created is what the first record says is played; nil before it.
func (c *Chain) Created() *logv1.GameCreated { return c.created }

// Released are the secrets; nil until they are released.
func (c *Chain) Released() *logv1.SecretsReleased { return c.released }

// Add takes the next record. The error is a *[ChainError]; after it the chain is as before.
func (c *Chain) Add(r *Record) error {
	h := r.Header()
	fault := func(format string, args ...any) error {
		return &ChainError{Version: h.Version, What: fmt.Sprintf(format, args...)}
	}
	if c.game != "" && h.Game != c.game {
		return fault("belongs to game %q, expected %q", h.Game, c.game)
	}
	if h.Version == c.tree.Version()+1 && r.Prev() != c.last {
		return fault("follows a record with hash %x, but the one before has %x", r.Prev(), c.last)
	}
	if before := c.ids[h.CommandId]; before != 0 {
		return fault("has command id %q, which record %d has", h.CommandId, before)
	}
	facts, what := readShape(r)
	if what != "" {
		return fault("%s", what)
	}
	if c.released != nil && h.Kind != logv1.RecordKind_RECORD_KIND_TABLE {
		return fault("is a %s after the secrets were released", h.Kind)
	}
	created := c.created
	if facts.created != nil {
		created = facts.created
	}
	if what := inspectFork(created, h); what != "" {
		return fault("%s", what)
	}
	if err := c.tree.Add(h); err != nil {
		return err
	}
	c.game, c.last = h.Game, r.Hash()
	if h.CommandId != "" {
		if c.ids == nil {
			c.ids = make(map[string]uint64)
		}
		c.ids[h.CommandId] = h.Version
	}
	c.created = created
	if facts.released != nil {
		c.released = facts.released
	}
	return nil
}
