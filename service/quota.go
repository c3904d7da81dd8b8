package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// tally counts what each game has of something, such as watches.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

// enter counts one more unless there are as many as there may be; 0 is no limit. Call leave for each that was let in.
func (t *tally) enter(game string, limit int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if limit > 0 && t.counts[game] >= limit {
		return false
	}
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	t.counts[game]++
	return true
}

// count is how many a game has now.
func (t *tally) count(game string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[game]
}

func (t *tally) leave(game string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[game]--; t.counts[game] <= 0 {
		delete(t.counts, game)
	}
}

// storedGames counts the games in the store, with those that are being created: in all, and for each owner who has
// signed in, by the digest of their subject. It is filled when it is first needed. Others may create games in a store
// that they share. So there the store is asked how many it has, and owners' games are counted anew from time to time.
type storedGames struct {
	mu      sync.Mutex
	counted time.Time
	n       int
	owners  map[tokens.Hash]int
	// creating is how many games this server is creating.
	creating int
}

// recountEvery is how often the games of owners are counted anew in a shared store.
const recountEvery = time.Minute

// roomBeside reports whether the store has room besides what is kept for games that exist.
func (s *Service) roomBeside() bool { return s.room == nil || s.room() }

// roomForGame takes a place for a game that is to be created. The function that it gives says whether the game was.
func (s *Service) roomForGame(ctx context.Context, owner *Identity) (made func(bool), err error) {
	if !s.roomBeside() {
		return nil, fault.New(fault.StoreFull, "the store has no room for new games").Quota("store")
	}
	if err := s.games.Room(); err != nil {
		return nil, err
	}
	undo, err := s.admission.Game(ctx)
	if err != nil {
		return nil, err
	}
	taken, err := s.takePlace(ctx, owner)
	if err != nil {
		undo()
		return nil, err
	}
	return func(made bool) {
		if !made {
			undo()
		}
		taken(made)
	}, nil
}

// retryGames is after how long a caller may try again to create a game on a full server.
const retryGames = time.Hour

// takePlace counts a game that is to be created. done is told whether it was.
func (s *Service) takePlace(ctx context.Context, owner *Identity) (done func(made bool), err error) {
	all, each, g := s.limits.Games, s.limits.OwnerGames, &s.stored
	if all <= 0 && (each <= 0 || owner == nil) {
		return func(bool) {}, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := s.count(ctx, owner != nil && each > 0); err != nil {
		return nil, err
	}
	if all > 0 && g.n >= all {
		return nil, fault.New(fault.TooManyGames, "the server keeps %d games already", g.n).With("limit", all).
			Quota("games").RetryAfter(retryGames)
	}
	var who tokens.Hash
	if owner != nil {
		who = tokens.HashOf(owner.Subject)
		if n := g.owners[who]; each > 0 && n >= each {
			return nil,
				fault.New(fault.TooManyGames, "the server keeps %d games of this owner already", n).With("limit", each).
					Quota("games of one owner").RetryAfter(retryGames)
		}
		g.owners[who]++
	}
	g.n++
	g.creating++
	return func(made bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.creating--
		if made {
			return
		}
		g.n--
		if owner != nil && g.owners[who] > 0 {
			g.owners[who]--
		}
	}, nil
}

// count brings the number of games up to date, and if asked for that of each owner's. Callers hold the lock.
func (s *Service) count(ctx context.Context, owners bool) error {
	g, shared := &s.stored, s.store.Shared()
	stale := g.counted.IsZero() || shared && time.Since(g.counted) > recountEvery
	if stale && (owners || !shared) {
		if err := s.countStored(ctx); err != nil {
			return err
		}
	}
	if !shared {
		return nil
	}
	if g.owners == nil {
		g.owners = make(map[tokens.Hash]int)
	}
	n, err := s.store.Count(ctx, streams.Games)
	if err != nil {
		return fault.FromStore(err)
	}
	g.n = int(n) + g.creating
	return nil
}

// countStored counts the games that are kept. Callers hold the lock.
func (s *Service) countStored(ctx context.Context) error {
	g := &s.stored
	n, owners := 0, make(map[tokens.Hash]int)
	err := s.eachGame(ctx, func(info eventstore.StreamInfo) {
		n++
		if meta, err := ledger.DecodeMeta(info.Meta); err == nil && len(meta.OwnerSubjectHash) == len(tokens.Hash{}) {
			owners[tokens.Hash(meta.OwnerSubjectHash)]++
		}
	})
	if err == nil {
		g.n, g.owners, g.counted = n, owners, time.Now()
	}
	return err
}

func (s *Service) countGames(ctx context.Context) (n int, err error) {
	err = s.eachGame(ctx, func(eventstore.StreamInfo) { n++ })
	return n, err
}

func (s *Service) eachGame(ctx context.Context, f func(eventstore.StreamInfo)) error {
	for after := ""; ; {
		page, err := streams.ListGames(ctx, s.store, after, 1000)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, info := range page {
			f(info)
		}
		after = page[len(page)-1].Name
	}
}

// roomToStore counts the bytes of records, and of what is stored beside them, against what the caller may store.
func (s *Service) roomToStore(ctx context.Context, entries []eventstore.Entry) error {
	bytes := 0
	for _, e := range entries {
		bytes += len(e.Data)
	}
	return s.admission.Store(ctx, bytes)
}

// roomFor refuses what makes a game's log grow once it is as large as it may be.
func (s *Service) roomFor(m *live.Moment) error {
	if limit := s.limits.GameBytes; limit > 0 && m.LogBytes >= limit {
		return fault.New(fault.GameTooLarge, "the game's log has %d bytes", m.LogBytes).With("limit",
			limit).Quota("bytes of one game")
	}
	return nil
}

// undoShare is the part of a game's bytes that all seats together may fill with what is not played any more.
const undoShare = 2

// undoRoom refuses to move the head for a seat that has filled its share of the game's bytes with commands that were
// taken back, and with undoing and redoing. Otherwise a player could fill the log of a game with free moves to and fro.
func (s *Service) undoRoom(m *live.Moment, about *rules.About, seat rules.Seat) error {
	share := s.limits.GameBytes / undoShare / len(about.Seats)
	if share <= 0 || m.LogBytes < share {
		return nil
	}
	bytes, line, mover := 0, m.Tree.Line(), rules.NoSeat
	for i, k := range m.Marks {
		on := len(line) > 0 && line[0] == uint64(i+1)
		if on {
			line = line[1:]
		}
		kind := logv1.RecordKind(k.Kind)
		if kind == logv1.RecordKind_RECORD_KIND_UNDO {
			mover = k.Seat
		}
		switch repeated := k.Aside && !k.Sent; { // asides of others, which an undo made the server repeat
		case kind == logv1.RecordKind_RECORD_KIND_TABLE:
		case repeated && mover == seat, !k.Aside && !on && k.Seat == seat:
			bytes += int(k.Size)
		}
	}
	if bytes < share {
		return nil
	}
	return fault.New(fault.GameTooLarge, "%s has taken back and redone %d bytes of this game's log: play on",
		about.SeatID(seat), bytes).With("limit", share).Quota("bytes of one seat that are not played any more")
}

// Bounds on the asides of a seat: how many records and bytes since the last record that was no aside. The asides of
// all seats together may take one part in asideShare of a game's bytes.
const (
	asidesAtOnce     = 16
	asideBytesAtOnce = 128 << 10
	asideShare       = 4
)

// speaks reports whether the outcome of a command is that of an aside: no dice, nothing revealed, no end, and the game
// waits for the same seats as before.
func speaks(before, after rules.Game, out *rules.Outcome) bool {
	return len(out.Rolls) == 0 && !out.Revealed && after.Ending() == nil && after.Waiting() == before.Waiting()
}

// asideRoom refuses an aside of a seat that has made as many as it may; nil for other commands.
func (s *Service) asideRoom(m *live.Moment, about *rules.About, seat rules.Seat, c rules.Command) error {
	if !m.Aside(seat, c) {
		return nil
	}
	since, bytes, all, recent := 0, 0, 0, true
	for _, k := range slices.Backward(m.Marks) {
		recent = recent && (k.Aside || k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE))
		if !k.Aside || !k.Sent || k.Seat != seat {
			continue
		}
		all += int(k.Size)
		if recent {
			since++
			bytes += int(k.Size)
		}
	}
	share := s.limits.GameBytes / asideShare / len(about.Seats)
	switch {
	case since >= asidesAtOnce:
		return tooManyAsides(asidesAtOnce, "%s has made %d asides since somebody played", about.SeatID(seat), since)
	case bytes >= asideBytesAtOnce:
		return tooManyAsides(asideBytesAtOnce, "%s has made asides of %d bytes since somebody played",
			about.SeatID(seat), bytes)
	case s.limits.GameBytes > 0 && all >= share:
		return tooManyAsides(share, "%s has made asides of %d bytes in this game", about.SeatID(seat), all)
	}
	return nil
}

func tooManyAsides(limit int, format string, args ...any) error {
	return fault.New(fault.TooManyAsides, format, args...).With("limit", limit).Quota("asides of one seat")
}

// tableRoom refuses a seat's next question to the others if it has asked as many as it may since somebody played.
func tableRoom(m *live.Moment, about *rules.About, seat rules.Seat) error {
	asked := 0
	for _, k := range slices.Backward(m.Marks) {
		table := k.Kind == uint8(logv1.RecordKind_RECORD_KIND_TABLE)
		if !table && !k.Aside {
			break
		}
		if table && k.Seat == seat {
			asked++
		}
	}
	if asked < asidesAtOnce {
		return nil
	}
	return tooManyAsides(asidesAtOnce, "%s has changed the table or asked for something %d times since somebody played",
		about.SeatID(seat), asked)
}
