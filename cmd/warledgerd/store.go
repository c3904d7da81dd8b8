package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/late"
	"github.com/warledger/warledger/eventstore/move"
	"github.com/warledger/warledger/eventstore/postgres"
)

// games is the store of games as the program has opened it.
type games struct {
	eventstore.Store
	// place names it for people, without a password.
	place string
	// room reports whether there is room for new games.
	room func() bool
}

// openGames opens the store of games that the settings name. fail is called if it cannot be served any more.
func openGames(
	ctx context.Context, set *settings, metrics prometheus.Registerer, log *slog.Logger, fail func(error),
) (*games, error) {
	m := newStoreMetrics()
	g := &games{place: set.DB, room: roomForGames(set)}
	var err error
	if set.Store == "" {
		g.Store, err = openFile(ctx, set, m)
	} else {
		g.room = func() bool { return true } // which the database knows better
		if g.place, err = postgres.Place(set.Store); err == nil {
			g.Store, err = openDatabase(ctx, set, g.place, m, log, fail)
		}
	}
	if err != nil {
		return nil, err
	}
	m.register(metrics, g.Store)
	return g, nil
}

// servable closes a store that must not be served.
func servable(ctx context.Context, store eventstore.Store, place string) error {
	err := move.Served(ctx, store)
	if err == nil {
		return nil
	}
	return errors.Join(unserved(place, err), store.Close())
}

// unserved says what to do about a store that must not be served.
func unserved(place string, err error) error {
	switch {
	case errors.Is(err, move.ErrMoved):
		return fmt.Errorf("%s: %w; start the server on the new store, or run `warledger admin reopen` "+
			"to serve this one again", place, err)
	case errors.Is(err, move.ErrUnfinished):
		return fmt.Errorf("%s: %w; repeat the command that began it", place, err)
	}
	return err
}

// openFile opens the file of games.
func openFile(ctx context.Context, set *settings, m *storeMetrics) (eventstore.Store, error) {
	store, err := boltstore.Open(set.DB, boltstore.Options{
		MaxSize: set.DBBytes, Observe: m.committed, ObserveMerge: m.mergeDone,
		ObserveStop: func(error) { m.stopped.Set(1) },
	})
	if errors.Is(err, eventstore.ErrLocked) {
		return nil, fmt.Errorf("%s is in use by another process; stop it or choose another file with --db", set.DB)
	}
	if err != nil {
		return nil, err
	}
	return store, servable(ctx, store, set.DB)
}

// openDatabase opens a database of games. One that cannot be reached yet is waited for, while all calls fail and health
// says NOT_SERVING. One that refuses the program ends it.
//
// Servers share the database. They keep out programs that replace what it holds, and are kept out by them.
func openDatabase(
	ctx context.Context, set *settings, place string, m *storeMetrics, log *slog.Logger, fail func(error),
) (eventstore.Store, error) {
	open := func(ctx context.Context) (eventstore.Store, error) {
		store, err := postgres.Open(ctx, set.Store, postgres.Options{
			Lock: postgres.LockShared, Lost: func(err error) { fail(lost(place, err)) }, Served: move.Served,
			AcceptLoss: set.AcceptLoss, Observe: m.batchDone, ObserveWake: m.woken,
		})
		if errors.Is(err, eventstore.ErrLocked) {
			return nil, lost(place, err)
		}
		if err != nil {
			return nil, err
		}
		return store, servable(ctx, store, place)
	}
	waiting := false
	return late.Open(ctx, late.Options{
		Open: open, Away: postgres.Away, Shared: true,
		Told: func(err error) {
			switch {
			case err == nil:
				log.Info("the database is open", slog.String("database", place))
			case !postgres.Away(err):
				fail(err)
			case !waiting: // health says it again and again
				waiting = true
				log.Warn("the database cannot be reached; the server waits for it", slog.Any("error", err))
			}
		},
	})
}

// lost says why a database cannot be served.
func lost(place string, err error) error {
	if errors.Is(err, eventstore.ErrLocked) {
		return fmt.Errorf("%s is locked by a program that needs it to itself, such as `warledger admin migrate`: %w",
			place, err)
	}
	return unserved(place, err)
}

// roomForGames reports whether the file of games has room for new ones: its last tenth is kept for existing games. A
// file that cannot be looked at counts as having room; whoever writes to it learns what is wrong.
func roomForGames(set *settings) func() bool {
	return func() bool {
		info, err := os.Stat(set.DB)
		return set.DBBytes == 0 || err != nil || info.Size() < int64(set.DBBytes)/10*9
	}
}

// isDatabase reports whether a place is that of a database rather than a file.
func isDatabase(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}
