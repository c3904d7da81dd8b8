package credentials

import (
	"context"
	"encoding/json"
	"errors"

	warledger "github.com/warledger/warledger/clients/go"
)

// Chains keep the chains of games at one server in the file. It is a [warledger.Chains].
type Chains struct {
	file   *File
	server string
}

// Chains returns where the chains of games at a server are kept.
func (f *File) Chains(server string) *Chains { return &Chains{f, server} }

// Chain returns what is kept of a seat's chain; nil if nothing is.
func (c *Chains) Chain(_ context.Context, game, seat string) (*warledger.Chain, error) {
	held, err := c.file.Game(c.server, game)
	if err != nil || held == nil {
		return nil, err
	}
	return held.Chains[seat], nil
}

// KeepChain replaces old with next, if old is still what is kept. When it returns, next is on the disk.
func (c *Chains) KeepChain(_ context.Context, game, seat string, old, next *warledger.Chain) error {
	changed := false
	err := c.file.Change(c.server, game, false, func(g *Game) {
		if changed = !same(g.Chains[seat], old); changed {
			return
		}
		if next == nil {
			delete(g.Chains, seat)
			return
		}
		if g.Chains == nil {
			g.Chains = make(map[string]*warledger.Chain)
		}
		g.Chains[seat] = next
	})
	if changed {
		return errors.Join(warledger.ErrChainChanged, err)
	}
	return err
}

// same compares chains as they are written.
func same(a, b *warledger.Chain) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
