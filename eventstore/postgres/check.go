package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
)

// Backup implements [eventstore.Store]: it is a dump. PostgreSQL's own tools copy a database quicker.
func (s *Store) Backup(ctx context.Context, w io.Writer) (int64, error) {
	n := new(counter)
	_, err := dump.Write(ctx, s, io.MultiWriter(w, n))
	return int64(*n), err
}

type counter int64

func (n *counter) Write(p []byte) (int, error) { *n += counter(len(p)); return len(p), nil }

// Check implements [eventstore.Store]. It looks at the store as of one moment. Whether indexes agree with their tables
// is the database's to check, with amcheck.
func (s *Store) Check(
	ctx context.Context, verify func(string, eventstore.Entry) error, report func(eventstore.Fault),
) (eventstore.CheckReport, error) {
	v, err := s.snapshot(ctx)
	if err != nil {
		return eventstore.CheckReport{}, err
	}
	defer v.Close()
	c := &checker{ctx: ctx, v: v, verify: verify, report: report}
	if err = c.streams(); err == nil {
		err = c.orphans()
	}
	return c.sum, err
}

type checker struct {
	ctx    context.Context
	v      *snapshot
	verify func(string, eventstore.Entry) error
	report func(eventstore.Fault)
	sum    eventstore.CheckReport
}

func (c *checker) fault(kind eventstore.FaultKind, stream string, version int64, format string, args ...any) {
	c.sum.Faults++
	if c.report != nil {
		at, what := uint64(max(version, 0)), fmt.Sprintf(format, args...)
		c.report(eventstore.Fault{Kind: kind, Stream: stream, Version: at, What: what})
	}
}

// named is a stream as the database has it.
type named struct {
	id   int64
	name string
	head
}

func (c *checker) streams() error {
	for after := int64(0); ; {
		page, err := look(c.ctx, c.v, func(ctx context.Context, q querier) (page []named, err error) {
			rows, _ := q.Query(ctx, `select id, name, version, hash, meta, meta_version from wl_stream where id > $1
				order by id limit $2`, after, eventstore.DefaultPage)
			var n named
			_, err = pgx.ForEachRow(rows,
				[]any{&n.id, &n.name, &n.version, &n.hash, &n.meta, &n.metaVersion}, func() error {
					page = append(page, n)
					return nil
				})
			return page, err
		})
		if err != nil || len(page) == 0 {
			return err
		}
		for _, n := range page {
			c.sum.Streams++
			if err := c.stream(n); err != nil {
				return err
			}
			after = n.id
		}
	}
}

func (c *checker) stream(n named) error {
	if err := eventstore.CheckName(n.name); err != nil {
		c.fault(eventstore.FaultChecksum, n.name, 0, "%v", err)
	}
	info, err := n.info(n.name)
	if err != nil {
		c.fault(eventstore.FaultChecksum, n.name, 0, "%s", what(err))
	}
	headKnown := err == nil
	var last eventstore.Entry
	at := int64(0)
	for {
		page, err := c.page(n.id, at)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			last = c.entry(n.name, at, last, r)
			at = r.version
		}
	}
	switch {
	case at == 0:
		c.fault(eventstore.FaultOrphan, n.name, 0, "the stream has no entries")
	case headKnown && (int64(info.Version) != at || info.Hash != last.Hash):
		c.fault(eventstore.FaultHead, n.name, at,
			"the head says version %d with a hash that begins with %x, the last entry is %d with %x",
			info.Version, info.Hash[:prevSize], at, last.Hash[:prevSize])
	}
	return nil
}

// page reads entries after a version. It stops where they come to a page's bytes.
func (c *checker) page(id, after int64) ([]row, error) {
	return look(c.ctx, c.v, func(ctx context.Context, q querier) (page []row, err error) {
		rows, _ := q.Query(ctx, `select version, key, prev4, hash, data from (
			select e.*, sum(octet_length(e.data)) over (order by e.version rows unbounded preceding)
				- octet_length(e.data) as bytes
			from (select * from wl_entry where stream = $1 and version > $2 order by version limit $3) e
		) p where bytes <= $4 order by version`, id, after, eventstore.DefaultPage, eventstore.DefaultPageBytes)
		var r row
		_, err = pgx.ForEachRow(rows, []any{&r.version, &r.key, &r.prev4, &r.hash, &r.data}, func() error {
			page = append(page, r)
			return nil
		})
		return page, err
	})
}

// entry checks a row that comes after a version, and returns it as far as it can be told.
func (c *checker) entry(stream string, at int64, before eventstore.Entry, r row) eventstore.Entry {
	c.sum.Entries++
	c.sum.Bytes += uint64(len(r.data))
	if r.key != nil {
		c.sum.Keys++
	}
	prev := before.Hash
	if r.version != at+1 {
		c.fault(eventstore.FaultGap, stream, r.version, "it follows version %d", at)
		copy(prev[:], r.prev4)
	} else if string(r.prev4) != string(prev[:prevSize]) {
		c.fault(eventstore.FaultLink, stream, r.version,
			"it follows a hash that begins with %x, and the entry before has %x",
			r.prev4, prev[:prevSize])
		copy(prev[:], r.prev4)
	}
	r.prev4 = prev[:prevSize]
	e, err := r.entry(stream, r.version-1, prev)
	if err != nil {
		c.fault(eventstore.FaultChecksum, stream, r.version, "%s", what(err))
		copy(e.Hash[:], r.hash)
		return e
	}
	if c.verify != nil {
		if err := c.verify(stream, e); err != nil {
			c.fault(eventstore.FaultContent, stream, r.version, "%v", err)
		}
	}
	return e
}

// what shortens an error to the finding, where the fault names the place already.
func what(err error) string {
	if corrupt := (*eventstore.CorruptError)(nil); errors.As(err, &corrupt) {
		return corrupt.What
	}
	return err.Error()
}

// orphans finds entries of streams that do not exist. It leaps from stream to stream.
func (c *checker) orphans() error {
	for after := int64(-1); ; {
		type found struct{ stream, first *int64 }
		f, err := look(c.ctx, c.v, func(ctx context.Context, q querier) (f found, err error) {
			err = q.QueryRow(ctx, `select e.stream, e.version from wl_entry e
				where e.stream > $1 and not exists (select from wl_stream s where s.id = e.stream)
				order by e.stream, e.version limit 1`, after).Scan(&f.stream, &f.first)
			if errors.Is(err, pgx.ErrNoRows) {
				err = nil
			}
			return f, err
		})
		if err != nil || f.stream == nil {
			return err
		}
		c.fault(eventstore.FaultOrphan, "", *f.first, "entries belong to stream number %d, which does not exist",
			*f.stream)
		after = *f.stream
	}
}
