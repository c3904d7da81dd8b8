package live

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
	g      *Games
	id     string
	l      *Game
	m      *Moment
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
	if err := m.add(f.l.About, r); err != nil {
		return err
	}
	f.last = r.Data()
	f.l.ids.add(r.Header().CommandId)
	if m.Head() != r.Version() { // no new place
		return nil
	}
	if parent := r.Header().Parent; f.replay.At() != parent { // the head was moved since
		g, err := f.g.PositionAt(ctx, f.l, m, parent)
		if err != nil {
			return err
		}
		f.replay = ledger.NewReplayer(g.Clone(), parent)
	}
	if err := f.replay.Add(r); err != nil {
		return err
	}
	if depth := m.Tree.Depth(r.Version()); f.l.past.wants(depth) {
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
	set, ok := f.g.config.Registry.Find(created.Ruleset)
	if !ok {
		return fault.New(fault.GameUnplayable, "this server has no ruleset %q", created.Ruleset).With("ruleset",
			created.Ruleset)
	}
	if v := set.About().Version; created.RulesVersion > v {
		return fault.New(fault.GameUnplayable, "the game is of version %d of %s, this server has %d",
			created.RulesVersion, created.Ruleset, v).
			With("ruleset", created.Ruleset)
	}
	if len(created.ScenarioDigest) != len(ledger.Hash{}) {
		return errors.New("the scenario's digest is damaged")
	}
	sc, err := f.g.config.Scenarios.Load(ctx, set, ledger.Hash(created.ScenarioDigest))
	if err != nil {
		return err
	}
	info, err := f.g.config.Store.Head(ctx, streams.Game(f.id))
	if err != nil {
		return fault.FromStore(err)
	}
	meta, err := ledger.DecodeMeta(info.Meta)
	if err != nil {
		return err
	}
	if f.l, err = f.g.NewGame(f.id, set, sc, created, meta); err != nil {
		return err
	}
	meta.Summary = nil // made anew with each record
	f.clocks, meta.Clocks, meta.GoOnTime = meta.Clocks, nil, nil
	f.l.Time = r.Header().Time.AsTime()
	f.m = f.l.Zero(meta)
	f.m.metaVersion = info.MetaVersion
	f.replay = ledger.NewReplayer(f.l.Base.Clone(), 0)
	return nil
}

// Zero is the moment before the first record.
func (l *Game) Zero(meta *logv1.GameMeta) *Moment {
	return &Moment{
		Meta: meta, Position: l.Base, Next: make(chan struct{}),
		Table: Table{
			Holders: map[string]string{}, Resigned: rules.NoSeat, Deadlines: l.Created.GetDeadlines(),
			Dice: ledger.NewDiceState(l.Created, l.ID),
		},
	}
}

func (f *folder) finish(ctx context.Context) (*Game, error) {
	if f.l == nil {
		return nil, GameNotFound(f.id)
	}
	f.m.Position = f.replay.Game()
	if head := f.m.Head(); f.replay.At() != head {
		g, err := f.g.PositionAt(ctx, f.l, f.m, head)
		if err != nil {
			return nil, Corrupt(f.id, head, err)
		}
		f.m.Position = g
	}
	// The last record lies in the memory of the page that was read, all of which it would keep.
	last, err := ledger.Parse(bytes.Clone(f.last))
	if err != nil {
		return nil, Corrupt(f.id, f.m.Version(), err)
	}
	f.m.Newest = &Newest{Record: last}
	f.m.begin()
	f.m.Clocks = f.clocks
	f.l.publish(f.m)
	return f.l, nil
}
