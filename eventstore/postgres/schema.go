package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// migrations are the steps that make the schema, oldest first. The format of a store is how many of them it has. Each
// only adds, so that programs of the format before go on working while a newer one is already running.
//
// There are no foreign keys, triggers or procedures. A stream's row has no index that an append changes, and room for
// the next version of the row on its page, so an append need not touch its indexes.
var migrations = []string{
	`create table wl_stream (
		id bigint generated always as identity primary key,
		name text collate "C" not null unique,
		version bigint not null,
		hash bytea not null,
		meta bytea,
		meta_version bigint not null
	) with (fillfactor = 50);
	create table wl_entry (
		stream bigint not null,
		version bigint not null,
		key bytea,
		prev4 bytea not null,
		hash bytea not null,
		data bytea not null,
		primary key (stream, version)
	);
	alter table wl_entry alter column data set storage external;
	create unique index wl_entry_key on wl_entry (stream, key) where key is not null;`,
}

// lockClass is the first half of the advisory lock that keeps migrations apart; the second is the schema.
const lockClass = 0x776c6564

// migrate brings the schema up to date, or makes it, and returns the store's id. Each step is one transaction with the
// number that says it is done, so a step that was cut off leaves nothing behind.
func migrate(ctx context.Context, conn *pgx.Conn, path string, steps []string, h hooks) (id uuid.UUID, err error) {
	id, done, err := format(ctx, conn)
	if err == nil && done < len(steps) {
		// The lock is the session's: a transaction that has waited for it might not see what was made meanwhile.
		if _, err := conn.Exec(ctx, `select pg_advisory_lock($1, hashtext(current_schema()))`, lockClass); err != nil {
			return id, err
		}
		defer func() {
			_, _ = conn.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1, hashtext(current_schema()))`,
				lockClass)
		}()
		id, done, err = format(ctx, conn)
	}
	for ; err == nil && done < len(steps); id, done, err = format(ctx, conn) {
		if err := pgx.BeginFunc(ctx,
			conn, func(tx pgx.Tx) error { return step(ctx, tx, done, steps[done], h) }); err != nil {
			return id, fmt.Errorf("migrate to format %d: %w", done+1, err)
		}
	}
	if err == nil && done > len(steps) {
		err = &eventstore.FormatError{Path: path, Found: uint32(done), Known: uint32(len(steps))}
	}
	return id, err
}

// current returns the id of a store that is of this program's format, and changes nothing.
func current(ctx context.Context, conn *pgx.Conn, path string, known int) (uuid.UUID, error) {
	id, done, err := format(ctx, conn)
	switch {
	case err != nil:
	case done == 0:
		err = fmt.Errorf("%w: there is no event store", eventstore.ErrReadOnly)
	case done < known:
		err = fmt.Errorf("%w: it has format %d, and this program reads format %d: open it for writing once",
			eventstore.ErrReadOnly, done, known)
	case done > known:
		err = &eventstore.FormatError{Path: path, Found: uint32(done), Known: uint32(known)}
	}
	return id, err
}

// format returns the store's id and how many steps it has; 0 where there is no store.
func format(ctx context.Context, conn *pgx.Conn) (id uuid.UUID, done int, err error) {
	var exists bool
	if err := conn.QueryRow(ctx, `select to_regclass('wl_store') is not null`).Scan(&exists); err != nil || !exists {
		return id, 0, err
	}
	err = conn.QueryRow(ctx, `select id, format from wl_store`).Scan(&id, &done)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errors.New("the table wl_store has no row: it is not whole, or not an event store's")
	}
	return id, done, err
}

// step takes the step that follows others.
func step(ctx context.Context, tx pgx.Tx, done int, sql string, h hooks) error {
	if done == 0 {
		_, err := tx.Exec(ctx, `create table wl_store (id uuid not null, format int not null)`)
		if err == nil {
			_, err = tx.Exec(ctx, `insert into wl_store (id, format) values ($1, 0)`, uuid.New())
		}
		if err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, sql); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `update wl_store set format = $1`, done+1); err != nil {
		return err
	}
	return h.at(inMigration)
}
