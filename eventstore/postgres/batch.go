package postgres

import "github.com/warledger/warledger/eventstore"

// storeBatch stores what fits of a batch, all of it in one transaction, and returns the numbers of the changes that it
// stored, counted from 1.
//
// Streams are made before others are locked, and both in the order of their names, by every writer: so no two wait for
// each other. A row that another transaction has locked is looked at again when it is free, in its newest version.
// What refers to a change does so by its number, since a name is found by its bytes and not by its place.
//
// Nothing is stored by a session other than the one that the writer was admitted with: that one has the store's lock. A
// pooler may give the connection another. Nor is anything stored for a handle that had the store alone, and whose
// session for that has ended.
var storeBatch = `
with me as materialized (
	select pg_backend_pid() as pid where $15::int is null or exists (select ` + fromLocks("$17", "$18") + `
		and a.pid = $15 and a.backend_start = $16::timestamptz)
), ask as materialized (
	select * from unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bytea[], $7::bigint[])
		with ordinality as a (name, expected, prev, version, hash, meta, meta_expected, n)
	where $14 = (select pid from me)
), born as (
	insert into wl_stream (name, version, hash, meta, meta_version)
	select name, version, hash, meta, (meta is not null)::int from ask
	where expected = 0 and (meta is null or meta_expected is null or meta_expected = 0)
	order by name
	on conflict (name) do nothing
	returning id, name
), held as (
	select s.id, a.n, a.version, a.hash, a.meta from ask a join wl_stream s on s.name = a.name
	where (select count(*) from born) >= 0
		and (a.expected is null or a.expected > 0 and s.version = a.expected and s.hash = a.prev)
		and (a.meta is null or a.meta_expected is null or s.meta_version = a.meta_expected)
	order by s.name
	for update of s
), moved as (
	update wl_stream s
	set version = coalesce(h.version, s.version), hash = coalesce(h.hash, s.hash), meta = coalesce(h.meta, s.meta),
		meta_version = s.meta_version + (h.meta is not null)::int
	from held h
	where s.id = h.id
	returning s.id, h.n
), fit as (
	select id, n from moved union all
	select b.id, a.n from born b join ask a on a.name = b.name
), entries as (
	insert into wl_entry (stream, version, key, prev4, hash, data)
	select f.id, e.version, e.key, e.prev4, e.hash, e.data
	from unnest($8::bigint[], $9::bigint[], $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[])
		as e (n, version, key, prev4, hash, data) join fit f on f.n = e.n
)
select coalesce(array_agg(n), '{}'), coalesce((select pid from me), 0) from fit`

// arguments are those of storeBatch.
func (w *writer) arguments(batch []*request) []any {
	var asks struct {
		names               []string
		expected, versions  []*int64
		prevs, hashes, meta [][]byte
		metaExpected        []*int64
	}
	var entries struct {
		n, versions                []int64
		keys, prev4s, hashes, data [][]byte
	}
	for i, r := range batch {
		asks.names = append(asks.names, r.stream)
		asks.meta = append(asks.meta, r.meta)
		asks.metaExpected = append(asks.metaExpected, r.metaBound())
		if !r.appends() {
			asks.expected, asks.versions = append(asks.expected, nil), append(asks.versions, nil)
			asks.prevs, asks.hashes = append(asks.prevs, nil), append(asks.hashes, nil)
			continue
		}
		expected := number(r.expected)
		asks.expected = append(asks.expected, &expected)
		asks.versions = append(asks.versions, &r.versions[len(r.versions)-1])
		asks.prevs, asks.hashes = append(asks.prevs, r.prev[:]), append(asks.hashes, r.hash[:])
		for range r.versions {
			entries.n = append(entries.n, int64(i)+1)
		}
		entries.versions = append(entries.versions, r.versions...)
		entries.keys = append(entries.keys, r.keys...)
		entries.prev4s = append(entries.prev4s, r.prev4s...)
		entries.hashes = append(entries.hashes, r.hashes...)
		entries.data = append(entries.data, r.data...)
	}
	var pid *int32 // of the session that has the store alone, if there is one
	var begun *string
	if w.s.o.Lock == LockAlone {
		pid, begun = &w.s.alone.pid, &w.s.alone.begun
	}
	return []any{
		asks.names, asks.expected, asks.prevs, asks.versions, asks.hashes, asks.meta, asks.metaExpected,
		entries.n, entries.versions, entries.keys, entries.prev4s, entries.hashes, entries.data,
		w.link.pid, pid, begun, storeClass, w.s.id.String(),
	}
}

// metaBound is the version that the metadata must have; nil for any.
func (c *change) metaBound() *int64 {
	if c.meta == nil || c.metaExpected == eventstore.AnyMeta {
		return nil
	}
	n := number(c.metaExpected)
	return &n
}
