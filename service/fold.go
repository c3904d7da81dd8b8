package service

import (
	"bytes"
	"context"
	"errors"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// folder makes a live game of its records.
type folder struct {
	s      *Service
	id     string
	l      *live
	m      *moment
	replay *ledger.Replayer
	clocks *logv1.ClockState
	// last is the last record as it is stored.
	last []byte
}

// add folds a record. It keeps nothing of it but last.
func (f *folder) add(ctx context.Context, r *ledger.Record) error {
	if f.l == nil {
		if err := f.begin(ctx, r); err != nil {
			return err
		}
	}
	m := f.m
	if err := m.add(f.l.about, r); err != nil {
		return err
	}
	f.last = r.Data()
	f.l.ids.add(r.Header().CommandId)
	if m.head() != r.Version() { // no new place
		return nil
	}
	if parent := r.Header().Parent; f.replay.At() != parent { // the head was moved since
		g, err := f.s.positionAt(ctx, f.l, m, parent)
		if err != nil {
			return err
		}
		f.replay = ledger.NewReplayer(g.Clone(), parent)
	}
	if err := f.replay.Add(r); err != nil {
		return err
	}
	if depth := m.tree.Depth(r.Version()); f.l.past.wants(depth) {
		f.l.past.pass(r.Version(), depth, f.replay.Game().Clone())
	}
	return nil
}

// begin reads what is played from the first record, and the secrets from beside the log.
func (f *folder) begin(ctx context.Context, r *ledger.Record) error {
	created, err := r.Created()
	if err != nil {
		return err
	}
	set, ok := f.s.registry.Find(created.Ruleset)
	if !ok {
		return fault.New(fault.GameUnplayable, "this server has no ruleset %q", created.Ruleset).With("ruleset", created.Ruleset)
	}
	if v := set.About().Version; created.RulesVersion > v {
		return fault.New(fault.GameUnplayable, "the game is of version %d of %s, this server has %d", created.RulesVersion, created.Ruleset, v).
			With("ruleset", created.Ruleset)
	}
	if len(created.ScenarioDigest) != len(ledger.Hash{}) {
		return errors.New("the scenario's digest is damaged")
	}
	sc, err := f.s.scenarios.Load(ctx, set, ledger.Hash(created.ScenarioDigest))
	if err != nil {
		return err
	}
	info, err := f.s.store.Head(ctx, streams.Game(f.id))
	if err != nil {
		return fault.FromStore(err)
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil {
		return err
	}
	if f.l, err = f.s.newLive(f.id, set, sc, created, meta); err != nil {
		return err
	}
	meta.Summary = nil // made anew with each record
	f.clocks, meta.Clocks, meta.GoOnTime = meta.Clocks, nil, nil
	f.l.time = r.Header().Time.AsTime()
	f.m = f.l.zero(meta)
	f.m.metaVersion = info.MetaVersion
	f.replay = ledger.NewReplayer(f.l.base.Clone(), 0)
	return nil
}

// zero is the moment before the first record.
func (l *live) zero(meta *logv1.GameMeta) *moment {
	return &moment{
		meta: meta, game: l.base, next: make(chan struct{}),
		table: table{
			holders: map[string]string{}, resigned: rules.NoSeat, deadlines: l.created.GetDeadlines(), dice: ledger.NewDiceState(l.created, l.id),
		},
	}
}

func (f *folder) finish(ctx context.Context) (*live, error) {
	if f.l == nil {
		return nil, gameNotFound(f.id)
	}
	f.m.game = f.replay.Game()
	if head := f.m.head(); f.replay.At() != head {
		g, err := f.s.positionAt(ctx, f.l, f.m, head)
		if err != nil {
			return nil, corrupt(f.id, head, err)
		}
		f.m.game = g
	}
	// The last record lies in the memory of the page that was read, all of which it would keep.
	last, err := ledger.Parse(bytes.Clone(f.last))
	if err != nil {
		return nil, corrupt(f.id, f.m.version(), err)
	}
	f.m.newest = &newest{record: last}
	f.m.begin()
	f.m.clocks = f.clocks
	f.l.publish(f.m)
	return f.l, nil
}
