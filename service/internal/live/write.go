package live

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tracing"
	"github.com/warledger/warledger/service/ledger"
)

// Draft is a record that is to be appended.
type Draft struct {
	// Kind, Seat, CommandID and Revealed are those of its header.
	Kind      logv1.RecordKind
	Seat      string
	CommandID string
	Revealed  bool
	// DiceSource says what the dice of a command follow from. Asked names the record that asked for them, in a
	// game with mutual dice.
	DiceSource logv1.DiceSource
	Asked      uint64
	// Leaves are its contents.
	Leaves []ledger.Leaf
	// Aside is true for an aside; Carries is the version of the aside that it repeats.
	Aside   bool
	Carries uint64
	// MoveTo is where an undo or redo takes the head.
	MoveTo uint64
	// Position is the position at the head after it; nil if the head stays.
	Position rules.Game
	// Meta changes what is kept beside the log; nil for nothing but the summary.
	Meta func(*logv1.GameMeta)
}

// Change runs f as the game's only writer. f runs again if others changed the game in the store meanwhile.
func (g *Games) Change(ctx context.Context, id string, f func(*Game) error) error {
	for attempt := 0; ; {
		err := g.changeOnce(ctx, id, f)
		if !errors.Is(err, ErrAgain) {
			return err
		}
		if attempt++; attempt == mostTries {
			return fault.New(fault.StoreFailed, "others keep changing the game: nothing was stored after %d tries",
				attempt).With("uncertain", false)
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

func (g *Games) changeOnce(ctx context.Context, id string, f func(*Game) error) error {
	l, done, err := g.Get(ctx, id)
	if err != nil {
		return err
	}
	defer done()
	select {
	case l.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.writing }()
	if l.dead.Load() {
		return ErrAgain
	}
	return f(l)
}

// Commit appends records in one transaction and publishes the moment after them. The caller is the game's writer.
func (g *Games) Commit(ctx context.Context, l *Game, drafts ...Draft) (*Moment, []*ledger.Record, error) {
	m, entries, records, err := g.Seal(l, l.Current(), drafts)
	if err != nil {
		return nil, nil, err
	}
	meta, err := g.stored(m, l, drafts)
	if err != nil {
		return nil, nil, err
	}
	if err := g.config.Admit(ctx, entries); err != nil {
		return nil, nil, err
	}
	err = g.append(ctx, eventstore.Append{
		Stream: streams.Game(l.ID), Expected: m.Version() - uint64(len(entries)), Entries: entries,
		Meta: meta, MetaExpected: m.metaVersion,
	})
	if err != nil {
		return nil, nil, g.appendFailed(ctx, l, err)
	}
	m.metaVersion++
	l.ids.addAll(records)
	if m.Table.Over && !l.Current().Table.Over {
		g.tellOfLife("a game is over", l, m)
	}
	l.publish(m)
	g.config.Changed(l, m, true)
	return m, records, nil
}

// tellOfLife logs where a game's life begins or ends. Who runs a server reads these lines; calls are for debugging.
func (g *Games) tellOfLife(what string, l *Game, m *Moment) {
	g.config.Log.Info(what, slog.String("game", l.ID), slog.String("ruleset", l.About.Name),
		slog.String("scenario", l.Created.GetScenario()), slog.Uint64("version", m.Version()))
}

// append has the store append, and says in trace and metrics how long it took until that was durable. The caller giving
// up must not leave a record half known: it is appended or it is not.
func (g *Games) append(ctx context.Context, a eventstore.Append) error {
	ctx, end := tracing.Span(ctx, "append")
	begun := time.Now()
	err := g.config.Store.Append(context.WithoutCancel(ctx), a)
	g.config.Metrics.Appended(time.Since(begun), err)
	end(err)
	return err
}

// appendFailed decides what a failed append means for the game in memory. The caller is the game's writer.
func (g *Games) appendFailed(ctx context.Context, l *Game, err error) error {
	var conflict *eventstore.ConflictError
	var used *eventstore.KeyUsedError
	var link *eventstore.LinkError
	var metaConflict *eventstore.MetaConflictError
	if errors.As(err, &conflict) || errors.As(err, &used) || errors.As(err, &metaConflict) || errors.As(err, &link) {
		return g.behind(ctx, l)
	}
	if errors.Is(err, eventstore.ErrUncertain) {
		g.lose(l)
	}
	return fault.FromStore(err)
}

// behind has a game in memory come as far as the store, and the change made again. The caller is the game's writer.
func (g *Games) behind(ctx context.Context, l *Game) error {
	before := l.Current()
	if err := g.readOn(ctx, l); err != nil {
		return err
	}
	if l.Current() == before { // memory differs from the store in some other way
		g.lose(l)
	}
	return ErrAgain
}

// Seal makes records of drafts, each on the one before.
func (g *Games) Seal(l *Game, m *Moment, drafts []Draft) (*Moment, []eventstore.Entry, []*ledger.Record, error) {
	var entries []eventstore.Entry
	var records []*ledger.Record
	now := g.config.Clock()
	for _, d := range drafts {
		if now.Before(m.Updated) {
			now = m.Updated
		}
		header := m.Tree.Next(d.Kind)
		if d.MoveTo != 0 {
			header = m.Tree.NextMove(d.MoveTo)
		}
		header.Game, header.Time, header.Seat = l.ID, timestamppb.New(now), d.Seat
		header.CommandId, header.Revealed = d.CommandID, d.Revealed
		header.DiceSource, header.Asked, header.Aside, header.Carries = d.DiceSource, d.Asked, d.Aside, d.Carries
		sealed, err := ledger.Seal(m.Hash, header, d.Leaves, l.salts)
		if err != nil {
			return nil, nil, nil, fault.New(fault.RecordTooLarge, "the record cannot be stored").
				With("limit", ledger.MaxRecord).Quota("record").Because(err)
		}
		entries = append(entries,
			eventstore.Entry{Version: header.Version, Key: d.CommandID, Prev: m.Hash, Hash: sealed.Hash,
				Data: sealed.Data})
		records = append(records, sealed.Record)
		before := m
		if m, err = m.Follow(l.About, sealed.Record); err != nil {
			return nil, nil, nil, err
		}
		if d.Position != nil {
			m.Position = d.Position
		}
		if err := m.tick(l, before); err != nil {
			return nil, nil, nil, err
		}
	}
	return m, entries, records, nil
}

// stored brings the metadata of a moment that is not published yet up to date and encodes them.
func (g *Games) stored(m *Moment, l *Game, drafts []Draft) ([]byte, error) {
	for _, d := range drafts {
		if d.Meta != nil {
			m.Meta, m.lasting = proto.CloneOf(m.Meta), nil
			d.Meta(m.Meta)
		}
	}
	if m.lasting == nil {
		secrets, err := ledger.EncodeMeta(m.Meta)
		if err != nil {
			return nil, err
		}
		if m.lasting, err = ledger.AppendMeta(secrets, &logv1.GameMeta{Summary: g.config.Lasting(l, m)}); err != nil {
			return nil, err
		}
	}
	return ledger.AppendMeta(m.lasting,
		&logv1.GameMeta{Summary: g.config.Passing(l, m), Clocks: m.Clocks, GoOnTime: m.GoOnTime(l)})
}

// Release is the record that ends every game: from it on, everyone sees all.
func Release(m *Moment) (Draft, error) {
	leaves, err :=
		ledger.Table(&logv1.TableEvent{Event: &logv1.TableEvent_SecretsReleased{SecretsReleased: &logv1.SecretsReleased{
			DiceSecret: m.Meta.DiceSecret, SaltSecret: m.Meta.SaltSecret,
		}}})
	return Draft{Kind: logv1.RecordKind_RECORD_KIND_TABLE, Leaves: leaves}, err
}

// Earlier finds the record that an id made before, for the retry of a request; nil if none exists. The caller is the
// game's writer: anyone else might see a record that is stored and not yet published.
func (g *Games) Earlier(ctx context.Context, l *Game, id string) (*ledger.Record, error) {
	if a := l.Current().Table.Dice.Asked(); a != nil && a.CommandID == id { // the command's own record will have the id
		return nil, Reused(a.Version)
	}
	if !l.ids.mayHave(id) {
		return nil, nil // should the store have it all the same, it refuses the append and the game is read on
	}
	version, found, err := g.config.Store.Lookup(ctx, streams.Game(l.ID), id)
	if err != nil {
		return nil, fault.FromStore(err)
	}
	if !found {
		return nil, nil
	}
	if version > l.Current().Version() { // stored by an append that was in doubt
		return nil, g.behind(ctx, l)
	}
	return g.Record(ctx, l.ID, version)
}

// Reused refuses the id of a request that was used before for something else.
func Reused(version uint64) error {
	return fault.New(fault.RequestIDReused, "the id was used before for something else, at version %d",
		version).With("version", version)
}

// Create appends the first records of a game that is not in memory yet. The error is an eventstore.ConflictError if the
// game exists.
func (g *Games) Create(ctx context.Context, l *Game, zero *Moment, drafts []Draft) error {
	l.Time = g.config.Clock().UTC()
	zero.Updated = l.Time
	m, entries, records, err := g.Seal(l, zero, drafts)
	if err != nil {
		return err
	}
	l.Time = m.Updated
	meta, err := g.stored(m, l, drafts)
	if err != nil {
		return err
	}
	if err := g.config.Admit(ctx, entries); err != nil {
		return err
	}
	err = g.append(ctx, eventstore.Append{Stream: streams.Game(l.ID), Entries: entries, Meta: meta})
	var conflict *eventstore.ConflictError
	if errors.As(err, &conflict) {
		return err
	}
	if err != nil {
		return fault.FromStore(err)
	}
	m.metaVersion++
	l.ids.addAll(records)
	g.tellOfLife("a game begins", l, m)
	if m.Table.Over { // set-up can end a game
		g.tellOfLife("a game is over", l, m)
	}
	l.publish(m)
	g.add(l)
	g.config.Changed(l, m, true)
	return nil
}

// Amend changes what is kept beside the log, without a record, and wakes whoever watches. The caller
// is the game's writer.
func (g *Games) Amend(ctx context.Context, l *Game, change func(*logv1.GameMeta)) error {
	m := *l.Current()
	m.Next = make(chan struct{})
	data, err := g.stored(&m, l, []Draft{{Meta: change}})
	if err != nil {
		return err
	}
	ctx, end := tracing.Span(ctx, "amend")
	err = g.config.Store.SetMeta(context.WithoutCancel(ctx), streams.Game(l.ID), data, m.metaVersion)
	end(err)
	var behind *eventstore.MetaConflictError
	switch {
	case errors.As(err, &behind):
		return g.behind(ctx, l)
	case err != nil:
		g.lose(l) // it may have been stored
		return fault.FromStore(err)
	}
	m.metaVersion++
	l.publish(&m)
	g.config.Changed(l, &m, false)
	return nil
}

// Keep appends the whole log of a game that came in a file, as it is. m is the moment after its last record. The
// error is the store's own.
func (g *Games) Keep(ctx context.Context, l *Game, m *Moment, entries []eventstore.Entry) error {
	meta, err := g.stored(m, l, nil)
	if err != nil {
		return err
	}
	if err := g.config.Admit(ctx, entries); err != nil {
		return err
	}
	if err := g.append(ctx, eventstore.Append{Stream: streams.Game(l.ID), Entries: entries, Meta: meta}); err != nil {
		return err
	}
	g.tellOfLife("a game was imported", l, m)
	return nil
}
