package service

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// errAgain asks to make a change again, on the game as it is stored: memory had fallen behind.
var errAgain = errors.New("the game was dropped from memory")

// draft is a record that is to be appended.
type draft struct {
	kind      logv1.RecordKind
	seat      string
	commandID string
	revealed  bool
	// rolls says what the dice of a command follow from, and asked names the record that asked for them, in a game
	// with mutual dice.
	rolls  logv1.DiceSource
	asked  uint64
	leaves []ledger.Leaf
	// aside is true for an aside; carries is the version of the aside that it repeats.
	aside   bool
	carries uint64
	// moveTo is where an undo or redo takes the head.
	moveTo uint64
	// game is the position at the head after it; nil if the head stays.
	game rules.Game
	// meta changes what is kept beside the log; nil for nothing but the summary.
	meta func(*logv1.GameMeta)
}

// change runs f as the game's only writer. f may run twice, should memory have to be read anew.
func (s *Service) change(ctx context.Context, id string, f func(*live) error) error {
	for attempt := 0; ; attempt++ {
		err := s.changeOnce(ctx, id, f)
		if !errors.Is(err, errAgain) {
			return err
		}
		if attempt == 2 {
			return fault.New(fault.StoreFailed, "the game cannot be kept up with its log").With("uncertain", false)
		}
	}
}

func (s *Service) changeOnce(ctx context.Context, id string, f func(*live) error) error {
	l, done, err := s.game(ctx, id)
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
		return errAgain
	}
	return f(l)
}

// commit appends records in one transaction and publishes the moment after them. The caller is the game's writer.
func (s *Service) commit(ctx context.Context, l *live, drafts ...draft) (*moment, []*ledger.Record, error) {
	m, entries, records, err := s.seal(l, l.current(), drafts)
	if err != nil {
		return nil, nil, err
	}
	meta, err := m.stored(l, drafts)
	if err != nil {
		return nil, nil, err
	}
	if err := s.roomToStore(ctx, entries); err != nil {
		return nil, nil, err
	}
	err = s.append(ctx, eventstore.Append{
		Stream: streams.Game(l.id), Expected: m.version() - uint64(len(entries)), Entries: entries,
		Meta: meta, MetaExpected: m.metaVersion,
	})
	if err != nil {
		return nil, nil, s.appendFailed(l, err)
	}
	m.metaVersion++
	l.ids.addAll(records)
	l.publish(m)
	s.heads.Touch(l.id)
	s.notices.changed(l, m)
	return m, records, nil
}

// append has the store append, and says in trace and metrics how long it took until that was durable. The caller giving up must not leave a record
// half known: it is appended or it is not.
func (s *Service) append(ctx context.Context, a eventstore.Append) error {
	ctx, end := span(ctx, "append")
	begun := time.Now()
	err := s.store.Append(context.WithoutCancel(ctx), a)
	s.metrics.appended(time.Since(begun), err)
	end(err)
	return err
}

// appendFailed decides what a failed append means for the game in memory.
func (s *Service) appendFailed(l *live, err error) error {
	var conflict *eventstore.ConflictError
	var used *eventstore.KeyUsedError
	var link *eventstore.LinkError
	var metaConflict *eventstore.MetaConflictError
	behind := errors.As(err, &conflict) || errors.As(err, &used) || errors.As(err, &metaConflict) || errors.As(err, &link)
	if behind || errors.Is(err, eventstore.ErrUncertain) {
		s.games.drop(l)
		l.kill()
	}
	if behind {
		return errAgain
	}
	return fault.FromStore(err)
}

// seal makes records of drafts, each on the one before.
func (s *Service) seal(l *live, m *moment, drafts []draft) (*moment, []eventstore.Entry, []*ledger.Record, error) {
	var entries []eventstore.Entry
	var records []*ledger.Record
	now := s.clock()
	for _, d := range drafts {
		if now.Before(m.updated) {
			now = m.updated
		}
		header := m.tree.Next(d.kind)
		if d.moveTo != 0 {
			header = m.tree.NextMove(d.moveTo)
		}
		header.Game, header.Time, header.Seat = l.id, timestamppb.New(now), d.seat
		header.CommandId, header.Revealed = d.commandID, d.revealed
		header.DiceSource, header.Asked, header.Aside, header.Carries = d.rolls, d.asked, d.aside, d.carries
		sealed, err := ledger.Seal(m.hash, header, d.leaves, l.salts)
		if err != nil {
			return nil, nil, nil, fault.New(fault.RecordTooLarge, "the record cannot be stored").
				With("limit", ledger.MaxRecord).Quota("record").Because(err)
		}
		entries = append(entries, eventstore.Entry{Version: header.Version, Key: d.commandID, Prev: m.hash, Hash: sealed.Hash, Data: sealed.Data})
		records = append(records, sealed.Record)
		before := m
		if m, err = m.follow(l.about, sealed.Record); err != nil {
			return nil, nil, nil, err
		}
		if d.game != nil {
			m.game = d.game
		}
		if err := m.tick(l, before); err != nil {
			return nil, nil, nil, err
		}
	}
	return m, entries, records, nil
}

// stored brings the metadata up to the moment and encodes them.
func (m *moment) stored(l *live, drafts []draft) ([]byte, error) {
	for _, d := range drafts {
		if d.meta != nil {
			m.meta, m.lasting = proto.CloneOf(m.meta), nil
			d.meta(m.meta)
		}
	}
	if m.lasting == nil {
		secrets, err := ledger.EncodeMeta(m.meta)
		if err != nil {
			return nil, err
		}
		if m.lasting, err = ledger.AppendMeta(secrets, &logv1.GameMeta{Summary: m.lastingSummary(l)}); err != nil {
			return nil, err
		}
	}
	return ledger.AppendMeta(m.lasting, &logv1.GameMeta{Summary: m.passingSummary(l), Clocks: m.clocks, GoOnTime: m.goOnTime(l)})
}

// release is the record that ends every game: from it on, everyone sees all.
func release(m *moment) (draft, error) {
	leaves, err := ledger.Table(&logv1.TableEvent{Event: &logv1.TableEvent_SecretsReleased{SecretsReleased: &logv1.SecretsReleased{
		DiceSecret: m.meta.DiceSecret, SaltSecret: m.meta.SaltSecret,
	}}})
	return draft{kind: logv1.RecordKind_RECORD_KIND_TABLE, leaves: leaves}, err
}

// earlier finds the record that an id made before, for the retry of a request; nil if there is none. The caller is the game's writer:
// anyone else might see a record that is stored and not yet published.
func (s *Service) earlier(ctx context.Context, l *live, id string) (*ledger.Record, error) {
	if a := l.current().table.dice.Asked(); a != nil && a.CommandID == id { // the command's own record will have the id
		return nil, reused(a.Version)
	}
	if !l.ids.mayHave(id) {
		return nil, nil // should the store have it all the same, it refuses the append and the game is read anew
	}
	version, found, err := s.store.Lookup(ctx, streams.Game(l.id), id)
	if err != nil {
		return nil, fault.FromStore(err)
	}
	if !found {
		return nil, nil
	}
	if version > l.current().version() { // stored by an append that was in doubt
		s.games.drop(l)
		l.kill()
		return nil, errAgain
	}
	return s.record(ctx, l.id, version)
}

func reused(version uint64) error {
	return fault.New(fault.RequestIDReused, "the id was used before for something else, at version %d", version).With("version", version)
}
