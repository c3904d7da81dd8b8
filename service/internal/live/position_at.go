package live

import (
	"context"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// PositionAt is the position after a place of the tree. It must not be changed: clone it.
func (g *Games) PositionAt(ctx context.Context, l *Game, m *Moment, place uint64) (rules.Game, error) {
	if cur := l.Current(); cur != nil && cur.Head() == place {
		return cur.Position, nil
	}
	game, at, between := l.past.nearest(&m.Tree, place)
	if len(between) == 0 && game != nil {
		return game, nil
	}
	if game == nil {
		game, at = l.Base, 0
	}
	replay, parser := ledger.NewReplayer(game.Clone(), at), new(ledger.Parser)
	for len(between) > 0 {
		n, err := g.foldRun(ctx, l, replay, parser, between)
		if err != nil {
			return nil, err
		}
		between = between[n:]
	}
	l.past.remember(place, replay.Game())
	return replay.Game(), nil
}

// foldRun folds the next places of a line that stand close together in the log, with one read, and says how many.
func (g *Games) foldRun(
	ctx context.Context, l *Game, replay *ledger.Replayer, parser *ledger.Parser, places []uint64,
) (int, error) {
	first, last := places[0], places[0]
	for _, p := range places {
		if p > last+16 || p-first >= eventstore.DefaultPage {
			break
		}
		last = p
	}
	page, err := g.config.Store.Read(ctx, streams.Game(l.ID), first, int(last-first+1), 0)
	if err != nil {
		return 0, fault.FromStore(err)
	}
	n := 0
	for i := range page {
		if n == len(places) || page[i].Version != places[n] {
			continue
		}
		parser.Again()
		r, err := parser.Parse(page[i].Data)
		if err == nil {
			err = replay.Add(r)
		}
		if err != nil {
			return 0, Corrupt(l.ID, page[i].Version, err)
		}
		n++
	}
	if n == 0 {
		return 0, Corrupt(l.ID, first, fmt.Errorf("record %d is missing", first))
	}
	return n, nil
}

// Record reads one stored record.
func (g *Games) Record(ctx context.Context, id string, version uint64) (*ledger.Record, error) {
	page, err := g.config.Store.Read(ctx, streams.Game(id), version, 1, 0)
	if err != nil {
		return nil, fault.FromStore(err)
	}
	if len(page) == 0 {
		return nil, Corrupt(id, version, fmt.Errorf("record %d is missing", version))
	}
	r, err := ledger.Parse(page[0].Data)
	if err != nil {
		return nil, Corrupt(id, version, err)
	}
	return r, nil
}
