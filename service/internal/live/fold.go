package live

import (
	"bytes"
	"context"
	"errors"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// folder makes a live game of its records, or has one come further.
type folder struct {
	g  *Games
	id string
	l  *Game
	m  *Moment
	// replay is the position so far; nil if none was needed yet.
	replay *ledger.Replayer
	// head is that of the log when the last page was read.
	head eventstore.StreamInfo
	// last is the last record as it is stored.
	last []byte
}

// page folds a page. more says that the log went on after it when it was read. What is kept beside the log is that of
// the last page, so that it belongs to the last record.
func (f *folder) page(ctx context.Context, p *decoded) (more bool, err error) {
	f.head = p.head
	for _, r := range p.records {
		if err := f.add(ctx, r); err != nil {
			return false, Corrupt(f.id, r.Version(), err)
		}
	}
	switch {
	case p.err != nil:
		return false, p.err
	case f.l == nil:
		return false, GameNotFound(f.id)
	case f.m.Version() < f.head.Version && len(p.records) == 0:
		return false, Corrupt(f.id, f.m.Version()+1, errors.New("the record is missing"))
	}
	return f.m.Version() < f.head.Version, nil
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
	// The head may have been moved since.
	if parent := r.Header().Parent; f.replay == nil || f.replay.At() != parent {
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
	meta, err := ledger.DecodeMeta(f.head.Meta)
	if err != nil {
		return err
	}
	if f.l, err = f.g.NewGame(f.id, set, sc, created, meta); err != nil {
		return err
	}
	f.l.Time = r.Header().Time.AsTime()
	f.m = f.l.Zero(nil)
	f.m.keep(meta, f.head.MetaVersion)
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

// finish publishes the moment after the last record.
func (f *folder) finish(ctx context.Context) error {
	if f.head.MetaVersion != f.m.metaVersion {
		meta, err := ledger.DecodeMeta(f.head.Meta)
		if err != nil {
			return Corrupt(f.id, f.m.Version(), err)
		}
		f.m.keep(meta, f.head.MetaVersion)
	}
	if f.replay != nil {
		f.m.Position = f.replay.Game()
	}
	if head := f.m.Head(); f.replay == nil || f.replay.At() != head {
		g, err := f.g.PositionAt(ctx, f.l, f.m, head)
		if err != nil {
			return Corrupt(f.id, head, err)
		}
		f.m.Position = g
	}
	if f.last != nil {
		// The last record lies in the memory of the page that was read, all of which it would keep.
		last, err := ledger.Parse(bytes.Clone(f.last))
		if err != nil {
			return Corrupt(f.id, f.m.Version(), err)
		}
		f.m.Newest = &Newest{Record: last}
	}
	f.m.begin()
	f.l.publish(f.m)
	return nil
}

// keep takes over what is kept beside the log.
func (m *Moment) keep(meta *logv1.GameMeta, version uint64) {
	m.Clocks = meta.Clocks
	meta.Summary, meta.Clocks, meta.GoOnTime = nil, nil, nil // made anew with each record
	m.Meta, m.metaVersion, m.lasting = meta, version, nil
}
