package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
)

// checkPage is how many records one read transaction of a check looks at. What is found is reported after it.
const checkPage = 512

// checker goes through the whole store in passes: pages, state and recent appends; the streams of which nothing is
// merged; all others with their chains; the index of keys back to the entries; and what lies in the log or the metadata
// under an id that no stream has.
type checker struct {
	s      *Store
	ctx    context.Context
	verify func(string, eventstore.Entry) error
	report func(eventstore.Fault)
	sum    eventstore.CheckReport

	names   map[uint64]string // of the streams seen that have an id
	early   map[string]bool   // streams that were seen before they had one
	lastID  uint64            // when the check began: ids above belong to streams made since
	pending []eventstore.Fault
}

// Check implements [eventstore.Store].
func (s *Store) Check(
	ctx context.Context, verify func(string, eventstore.Entry) error, report func(eventstore.Fault),
) (eventstore.CheckReport, error) {
	c := &checker{s: s, ctx: ctx, verify: verify, report: report, names: make(map[uint64]string),
		early: make(map[string]bool)}
	for _, pass := range []func() error{c.begin, c.unfiled, c.streams, c.keys, c.orphans} {
		err := pass()
		if errors.Is(err, errEndless) {
			return c.sum, nil
		}
		if err != nil && !errors.Is(err, errDamaged) {
			return c.sum, err
		}
	}
	return c.sum, nil
}

// errDamaged ends what runs into damaged pages: a stream or a pass. The fault is reported by then.
var errDamaged = errors.New("the file's pages are damaged")

// view runs f in a read transaction and then, with nothing open, reports the faults that it found.
func (c *checker) view(stream string, f func(b buckets)) error {
	if err := c.s.begin(c.ctx); err != nil {
		return err
	}
	err := c.s.withBuckets(stream, func(b buckets) error { f(b); return nil })
	if corrupt := (*eventstore.CorruptError)(nil); errors.As(err, &corrupt) {
		c.fault(eventstore.FaultChecksum, stream, 0, "%s", corrupt.What)
		err = errDamaged
	}
	c.flush()
	return err
}

// flush counts and reports what was found.
func (c *checker) flush() {
	for _, fault := range c.pending {
		c.sum.Faults++
		if c.report != nil {
			c.report(fault)
		}
	}
	c.pending = c.pending[:0]
}

func (c *checker) fault(kind eventstore.FaultKind, stream string, version uint64, format string, args ...any) {
	c.pending = append(c.pending,
		eventstore.Fault{Kind: kind, Stream: stream, Version: version, What: fmt.Sprintf(format, args...)})
}

type nameAndID struct {
	name string
	id   uint64
}

// begin looks at the pages, notes where the check begins, and tells of recent appends that are damaged and of what
// could not be merged.
func (c *checker) begin() error {
	endless, err := c.pages()
	if endless {
		c.fault(eventstore.FaultChecksum, "", 0, "what is on these pages was not looked at")
		c.flush()
		return errEndless
	}
	if err != nil {
		return err
	}
	if err := c.view("", c.state); err != nil && !errors.Is(err, errDamaged) {
		return err
	}
	return c.view("", c.stranded)
}

// pages looks at all pages. It begins anew where two commits came between the beginning of the transaction and the
// first look.
func (c *checker) pages() (endless bool, err error) {
	for repeated := true; repeated; {
		var found []eventstore.Fault
		err = c.view("", func(b buckets) {
			var bad error
			endless, repeated, bad = walkPages(b.log.Tx(), c.s.path, func(format string, args ...any) {
				found = append(found, pageFault(format, args...))
			})
			if bad != nil {
				found = append(found, pageFault("the file's pages cannot be looked at: %v", bad))
			}
			if !repeated {
				c.pending = append(c.pending, found...)
			}
		})
		if err != nil {
			break
		}
	}
	return endless, err
}

func pageFault(format string, args ...any) eventstore.Fault {
	return eventstore.Fault{Kind: eventstore.FaultChecksum, What: fmt.Sprintf(format, args...)}
}

// errEndless ends a check of trees on which nothing but a look at each page is sure to end.
var errEndless = errors.New("the file's trees may have no end")

// state checks what the file says about itself, and the appends that wait to be merged.
func (c *checker) state(b buckets) {
	tx := b.log.Tx()
	st, err := readState(tx)
	if err != nil {
		c.fault(eventstore.FaultChecksum, "", 0, "state: %v", err)
		return
	}
	c.lastID = b.names.Sequence()
	if st.version < recentFormat {
		return
	}
	if c.lastID != st.lastID {
		c.fault(eventstore.FaultChecksum, "", 0, "the last stream id is said to be %d and %d", c.lastID, st.lastID)
	}
	c.lastID = st.lastID
	eachRecent(tx, st.merged, func(number uint64, _ []byte, _ []*request, err error) {
		if err != nil {
			c.fault(eventstore.FaultChecksum, "", 0, "recent appends, commit %d: %v", number, err)
		}
	})
}

// stranded tells of what could not be merged.
func (c *checker) stranded(b buckets) {
	if !b.stranded.exists() {
		return
	}
	_ = b.stranded.ForEach(func(name, kept []byte) error {
		list, err := parseRequests(bytes.Clone(kept))
		if err != nil {
			c.fault(eventstore.FaultOrphan, string(name), 0,
				"what was kept apart, since the stream was damaged when it should have been merged: %v", err)
			return nil
		}
		entries := 0
		for _, r := range list {
			entries += len(r.entries)
		}
		c.fault(eventstore.FaultOrphan, string(name), 0,
			"%d entries were kept apart, since the stream was damaged when they should have been merged", entries)
		return nil
	})
}

// unfiled goes through the streams that the file does not have yet.
func (c *checker) unfiled() error {
	var names []string
	err := c.view("", func(b buckets) {
		for _, name := range b.pending.names("", "") {
			if b.names.Get([]byte(name)) == nil {
				names = append(names, name)
			}
		}
	})
	for _, name := range names {
		c.early[name] = true
		c.sum.Streams++
		if err := c.chain(name, 0); err != nil && !errors.Is(err, errDamaged) {
			return err
		}
	}
	return err
}

// streams goes through the streams of the file.
func (c *checker) streams() error {
	for after, more := "", true; more; {
		var page []nameAndID
		if err := c.view("", func(b buckets) { page, after, more = c.namePage(b, after) }); err != nil {
			return err
		}
		for _, n := range page {
			c.sum.Streams++
			if err := c.chain(n.name, n.id); err != nil && !errors.Is(err, errDamaged) {
				return err
			}
		}
	}
	return nil
}

func (c *checker) namePage(b buckets, after string) (page []nameAndID, last string, more bool) {
	cur := b.names.Cursor()
	for k, v := cur.Seek([]byte(after)); k != nil; k, v = cur.Next() {
		name := string(k)
		if name == after {
			continue
		}
		if len(page) == checkPage {
			return page, after, true
		}
		after = name
		id, err := decodeNumber(kindName, name, "", v)
		switch {
		case err != nil:
			c.fault(eventstore.FaultChecksum, name, 0, "id: %v", err)
			continue
		case id == 0 || id > max(b.names.Sequence(), c.lastID):
			c.fault(eventstore.FaultOrphan, name, 0, "id %d was never given", id)
		case c.names[id] != "":
			c.fault(eventstore.FaultOrphan, name, 0, "id %d is also that of stream %q", id, c.names[id])
		default:
			c.names[id] = name
		}
		if !c.early[name] {
			page = append(page, nameAndID{name, id})
		}
	}
	return page, after, false
}

// keys goes through the index: each place in the index must name an entry that carries its key.
func (c *checker) keys() error {
	err := c.index(func(b buckets) tree { return b.textKeys }, parseTextKey)
	if err != nil && !errors.Is(err, errDamaged) {
		return err
	}
	return c.index(func(b buckets) tree { return b.keys }, parseIndexKey)
}

// index goes through one of the buckets that may hold keys, if it is there.
func (c *checker) index(bucket func(buckets) tree, parse func([]byte) (uint64, string, error)) error {
	for after, more := []byte(nil), true; more; {
		err := c.view("", func(b buckets) {
			more = false
			keys := bucket(b)
			if !keys.exists() {
				return
			}
			n, cur := 0, keys.Cursor()
			for k, v := cur.Seek(after); k != nil; k, v = cur.Next() {
				if bytes.Equal(k, after) {
					continue
				}
				if n++; n > checkPage {
					more = true
					return
				}
				after = bytes.Clone(k)
				id, key, err := parse(k)
				if err != nil {
					c.fault(eventstore.FaultKey, "", 0, "place %x in the index: %v", k, err)
					continue
				}
				c.key(b, id, key, v)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) key(b buckets, id uint64, key string, v []byte) {
	if id > c.lastID {
		return
	}
	c.sum.Keys++
	name, known := c.names[id]
	if !known {
		c.fault(eventstore.FaultOrphan, "", 0, "key %q belongs to id %d, which no stream has", key, id)
		return
	}
	version, err := decodeNumber(kindKey, name, key, v)
	if err != nil {
		c.fault(eventstore.FaultChecksum, name, 0, "index of key %q: %v", key, err)
		return
	}
	p, err := b.parts(name, id, version)
	if got := p.keyText(); err == nil && got != key {
		err = fmt.Errorf("the entry has the key %q", got)
	}
	if err != nil {
		c.fault(eventstore.FaultKey, name, version, "index of key %q: %v", key, what(err))
	}
}

// what shortens an error to the finding, where the fault names the place already.
func what(err error) string {
	if corrupt := (*eventstore.CorruptError)(nil); errors.As(err, &corrupt) {
		return corrupt.What
	}
	return err.Error()
}

// orphans leaps from id to id, so it costs a step a stream.
func (c *checker) orphans() error {
	for next, more := uint64(0), true; more; {
		err := c.view("", func(b buckets) { next, more = c.orphanPage(b.log, next) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) orphanPage(b tree, from uint64) (next uint64, more bool) {
	cur := b.Cursor()
	for range checkPage {
		k, _ := cur.Seek(textKey(from, ""))
		if k == nil {
			return 0, false
		}
		id, _, err := parseTextKey(k)
		if err != nil {
			c.fault(eventstore.FaultOrphan, "", 0, "place %x: %v", k, err)
			return 0, false
		}
		if id > c.lastID {
			return 0, false
		}
		if _, known := c.names[id]; !known {
			c.fault(eventstore.FaultOrphan, "", 0, "records belong to id %d, which no stream has", id)
		}
		from = id + 1
	}
	return from, true
}
