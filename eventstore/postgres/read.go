package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/warledger/warledger/eventstore"
)

// querier is what reads: a connection of the pool, or that of a snapshot.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readTries is how often a read is sent when its connection is lost: connections may all have died while they were
// idle.
const readTries = 3

// read has f read with a connection of the pool, again if the connection is lost. It ends when the store is closed.
func (s *Store) read(ctx context.Context, f func(context.Context, querier) error) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	for try := 1; ; try++ {
		err := s.readOnce(within, f)
		if s.closed.Load() && err != nil {
			return eventstore.ErrClosed
		}
		if err == nil || try == readTries || ctx.Err() != nil || !errors.Is(err, errCut) {
			return failed(ctx, err)
		}
		s.pool.Reset()
	}
}

// errCut accompanies the error of a read whose connection was lost.
var errCut = errors.New("the connection was lost")

func (s *Store) readOnce(ctx context.Context, f func(context.Context, querier) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	err = f(ctx, conn)
	var said *pgconn.PgError
	if err != nil && conn.Conn().IsClosed() && (!errors.As(err, &said) || lost(err)) {
		return fmt.Errorf("%w: %w", errCut, err)
	}
	return err
}

// Lookup implements [eventstore.Store].
func (s *Store) Lookup(ctx context.Context, stream, key string) (version uint64, found bool, err error) {
	if err := s.begin(ctx); err != nil {
		return 0, false, err
	}
	if err := errors.Join(eventstore.CheckName(stream), eventstore.CheckKey(key)); err != nil || key == "" {
		return 0, false, err
	}
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		var at int64
		err := q.QueryRow(ctx, `select e.version from wl_stream s join wl_entry e on e.stream = s.id and e.key = $2
			where s.name = $1`, stream, encodeKey(key)).Scan(&at)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		version, found = uint64(at), err == nil
		return err
	})
	return version, found, err
}

// Head implements [eventstore.Store].
func (s *Store) Head(ctx context.Context, stream string) (info eventstore.StreamInfo, err error) {
	if err := s.begin(ctx); err != nil {
		return info, err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return info, err
	}
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		var h head
		err := q.QueryRow(ctx, `select version, hash, meta, meta_version from wl_stream where name = $1`, stream).
			Scan(&h.version, &h.hash, &h.meta, &h.metaVersion)
		if errors.Is(err, pgx.ErrNoRows) {
			return notFound(stream)
		}
		if err == nil {
			info, err = h.info(stream)
		}
		return err
	})
	return info, err
}

func notFound(stream string) error { return fmt.Errorf("%w: %q", eventstore.ErrNotFound, stream) }

// Read implements [eventstore.Store].
func (s *Store) Read(ctx context.Context, stream string, from uint64, limit, maxBytes int) ([]eventstore.Entry, error) {
	page, err := s.ReadAt(ctx, stream, from, limit, maxBytes)
	return page.Entries, err
}

// ReadAt implements [eventstore.Store].
func (s *Store) ReadAt(
	ctx context.Context, stream string, from uint64, limit, maxBytes int,
) (page eventstore.Page, err error) {
	if err := s.begin(ctx); err != nil {
		return page, err
	}
	if err := eventstore.CheckName(stream); err != nil {
		return page, err
	}
	err = s.read(ctx, func(ctx context.Context, q querier) (err error) {
		page, err = readAt(ctx, q, stream, from, limit, maxBytes)
		return err
	})
	return page, err
}

// pageOf reads a stream's head and then the entries of a page, in one statement and so of one moment. The head's row
// has the hash of the entry before the page in the place of a key, and its metadata version; entries have none.
const pageOf = `
with s as (select id, version, hash, meta, meta_version from wl_stream where name = $1)
select s.version, s.hash, s.meta as data, s.meta_version,
	(select e.hash from wl_entry e where e.stream = s.id and e.version = $2::bigint - 1) as key, null as prev4
from s
union all
(select p.version, p.hash, p.data, null, p.key, p.prev4
	from s cross join lateral (
		select e.*, sum(octet_length(e.data)) over (order by e.version rows unbounded preceding) as bytes
		from (select * from wl_entry where stream = s.id and version >= $2::bigint order by version limit $3) e
	) p
	where p.bytes <= $4 or p.version = $2::bigint
	order by p.version)`

func readAt(ctx context.Context, q querier, stream string, from uint64, limit, maxBytes int) (eventstore.Page, error) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	if maxBytes <= 0 {
		maxBytes = eventstore.DefaultPageBytes
	}
	first := int64(min(max(from, 1), math.MaxInt64))
	rows, _ := q.Query(ctx, pageOf, stream, first, limit, maxBytes)
	p := found{stream: stream, first: first}
	var r row
	var metaVersion *int64
	_, err := pgx.ForEachRow(rows, []any{&r.version, &r.hash, &r.data, &metaVersion, &r.key, &r.prev4}, func() error {
		if metaVersion == nil {
			p.rows = append(p.rows, r)
		} else {
			p.head, p.before = &head{version: r.version, hash: r.hash, meta: r.data, metaVersion: *metaVersion}, r.key
		}
		return nil
	})
	if err != nil {
		return eventstore.Page{}, err
	}
	return p.page()
}

// found is a page as the database has it.
type found struct {
	stream string
	first  int64
	head   *head
	before []byte // hash of the entry before the first
	rows   []row
}

// page decodes the page. Each entry must follow the one before, and the last one of the stream must be the head's.
func (f found) page() (page eventstore.Page, err error) {
	if f.head == nil {
		return page, notFound(f.stream)
	}
	info, err := f.head.info(f.stream)
	if err != nil {
		return page, err
	}
	bad := func(at uint64, what string) (eventstore.Page, error) {
		return eventstore.Page{}, &eventstore.CorruptError{Stream: f.stream, Version: at, What: what}
	}
	if uint64(f.first) <= info.Version && len(f.rows) == 0 {
		return bad(uint64(f.first), "it is missing")
	}
	var hash eventstore.Hash
	if f.first > 1 && len(f.rows) > 0 && copy(hash[:], f.before) != len(hash) {
		return bad(uint64(f.first-1), "it is missing, or its hash is no hash")
	}
	at := f.first - 1
	for _, r := range f.rows {
		e, err := r.entry(f.stream, at, hash)
		if err != nil {
			return eventstore.Page{}, err
		}
		switch {
		case e.Version > info.Version:
			return bad(e.Version, "the head does not know it")
		case e.Version == info.Version && e.Hash != info.Hash:
			return bad(e.Version, "the head has another hash")
		}
		at, hash = r.version, e.Hash
		page.Entries = append(page.Entries, e)
	}
	page.Head = info
	return page, nil
}
