package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/warledger/warledger/eventstore/internal/hub"
)

// Open opens the store in a database, named as PostgreSQL's own programs do: by a URL (postgres://user@host/database)
// or by keywords (host=... dbname=...), with the environment's PG... variables for what is left out. Tables lie in the
// first schema of the search path that exists. They are made where there are none, and brought up to date where they
// are of an older format.
//
// It returns an [eventstore.FormatError] for a newer format, an [UnsafeError] for settings that would lose what was
// acknowledged, and an error that wraps [ErrStandby] where no host is a primary. [Away] tells whether it may succeed
// later.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	o = o.withDefaults()
	config, err := parse(dsn, o)
	if err != nil {
		return nil, fmt.Errorf("open event store: %w", err)
	}
	s := &Store{o: o, config: config, hub: hub.New(), queue: newQueue(), handle: uuid.NewString()}
	s.hints.filled = make(chan struct{}, 1)
	s.snapshots.open = make(map[*snapshot]bool)
	if err := s.open(ctx); err != nil {
		return nil, fmt.Errorf("open event store %s: %w", place(config), err)
	}
	return s, nil
}

// open looks at the database with the connection that will listen. The others are made when they are needed.
func (s *Store) open(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return err
	}
	if err = s.look(ctx, conn); err == nil {
		err = s.start(conn)
	}
	if err != nil {
		s.abandon(conn)
		_ = conn.Close(context.WithoutCancel(ctx))
	}
	return err
}

// look refuses a database that is not safe, and makes the schema or brings it up to date.
func (s *Store) look(ctx context.Context, conn *pgx.Conn) error {
	found, err := settle(ctx, conn)
	s.listener = found.backend
	if err == nil {
		err = found.safe()
	}
	if err == nil && !s.o.AcceptLoss {
		err = standbys(ctx, conn)
	}
	switch {
	case err != nil:
	case s.o.ReadOnly:
		s.id, err = current(ctx, conn, place(s.config), len(migrations))
	default:
		s.id, err = migrate(ctx, conn, place(s.config), migrations, s.o.hooks)
	}
	if err == nil && s.o.Lock != Unlocked {
		err = s.lockListener(ctx, conn)
	}
	return err
}

// start makes the pool of those who read and begins to write and to listen.
func (s *Store) start(conn *pgx.Conn) error {
	config, err := pgxpool.ParseConfig("")
	if err != nil {
		return err
	}
	config.ConnConfig = s.config.Copy()
	config.MaxConns = int32(s.o.Readers)
	config.PingTimeout = 5 * time.Second
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := s.admit(ctx, conn)
		return err
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	if s.pool, err = pgxpool.NewWithConfig(s.ctx, config); err != nil {
		s.stop()
		return err
	}
	for range writers {
		s.working.Go((&writer{s: s}).run)
	}
	s.listening.Go(func() { s.listen(conn) })
	s.listening.Go(s.hint)
	return nil
}
