package boltstore

import (
	"bytes"

	"github.com/warledger/warledger/eventstore"
)

// chain checks one stream: versions without a gap, links, checksums, keys in the index, and a head that agrees.
func (c *checker) chain(name string, id uint64) error {
	w := walk{c: c, name: name, id: id, next: 1, linked: true, unindexed: make(map[string]uint64)}
	for more := true; more; {
		var page []eventstore.Entry
		err := c.view(name, func(b buckets) { page, more = w.page(b) })
		if err != nil {
			return err
		}
		c.contents(name, page)
	}
	return nil
}

// contents passes copies of the entries to the caller's verification.
func (c *checker) contents(name string, page []eventstore.Entry) {
	if c.verify == nil {
		return
	}
	for _, e := range page {
		if err := c.verify(name, e); err != nil {
			c.fault(eventstore.FaultContent, name, e.Version, "%v", err)
		}
	}
	c.flush()
}

// walk is where the check of one stream has got to.
type walk struct {
	c    *checker
	name string
	id   uint64 // 0 for a stream that the file does not have, or did not have when the check began

	next   uint64          // version that should come
	prev   eventstore.Hash // hash that it should link to
	linked bool            // prev is known: false after an entry that was missing or damaged

	indexed   uint64            // up to this version keys must be in the index
	unindexed map[string]uint64 // keys seen after it
}

// page checks as many entries as fit a page, and returns copies of the sound ones. Entries in the file come first,
// with the head at their end; pending ones follow.
func (w *walk) page(b buckets) (page []eventstore.Entry, more bool) {
	if w.id == 0 {
		if id, err := decodeNumber(kindName, w.name, "", b.names.Get([]byte(w.name))); err == nil {
			w.id = id // merged by now
		}
	}
	unmerged, _ := b.pending.of(w.name)
	if unmerged.broken != nil {
		w.c.fault(eventstore.FaultChecksum, w.name, unmerged.version(), "%s", what(unmerged.broken))
	}
	full := false
	if w.id != 0 {
		page, full = w.filed(b)
	}
	if full {
		return page, true
	}
	for i, e := range unmerged.entries {
		version := unmerged.base + uint64(i) + 1
		if version < w.next {
			continue
		}
		if len(page) >= checkPage {
			return page, true
		}
		if e, ok := w.entry(b, version, e.value); ok {
			e.Data = bytes.Clone(e.Data)
			page = append(page, e)
		}
	}
	for _, raw := range [][]byte{unmerged.meta, b.metaOf(w.id)} {
		if raw != nil {
			w.meta(raw)
		}
	}
	return page, false
}

func (w *walk) meta(raw []byte) {
	if _, _, err := splitMeta(w.name, raw); err != nil {
		w.c.fault(eventstore.FaultChecksum, w.name, 0, "metadata: %v", err)
	}
}

// filed is page for the entries in the file.
func (w *walk) filed(b buckets) (page []eventstore.Entry, more bool) {
	if h, err := decodeHead(w.name, b.log.Get(logKey(w.id, headVersion))); err == nil {
		w.indexed = h.indexed
	}
	cur, size := b.log.Cursor(), 0
	for k, v := cur.Seek(logKey(w.id, w.next)); ; k, v = cur.Next() {
		id, version, err := parseLogKey(k)
		if k == nil || err == nil && (id != w.id || version >= metaVersion) {
			w.head(b)
			return page, false
		}
		if len(page) >= checkPage || size >= eventstore.DefaultPageBytes {
			return page, true
		}
		if err != nil {
			w.c.fault(eventstore.FaultOrphan, w.name, 0, "place %x in the log: %v", k, err)
			continue
		}
		if e, ok := w.entry(b, version, v); ok {
			e.Data = bytes.Clone(e.Data)
			page = append(page, e)
			size += len(e.Data)
		}
	}
}

func (w *walk) entry(b buckets, version uint64, v []byte) (eventstore.Entry, bool) {
	c := w.c
	c.sum.Entries++
	if version != w.next {
		w.linked = false
		w.gap(version - 1)
	}
	w.next = version + 1
	p, err := splitEntry(w.name, version, v)
	if err != nil {
		w.linked = false
		c.fault(eventstore.FaultChecksum, w.name, version, "%v", err)
		return eventstore.Entry{}, false
	}
	c.sum.Bytes += uint64(len(p.data))
	// Contents are verified together with the hash of the entry before, which is known unless that one is damaged or
	// another.
	sound := w.linked
	if w.linked && !p.follows(w.prev) {
		c.fault(eventstore.FaultLink, w.name, version, "previous hash is %x..., expected %x...",
			p.link[:linkSize], w.prev[:linkSize])
		sound = false
	}
	e := p.entry(version, w.prev)
	if len(p.link) == hashSize {
		e.Prev, sound = eventstore.Hash(p.link), true
	}
	w.prev, w.linked = e.Hash, true
	w.index(b, e)
	return e, sound
}

// gap reports what is missing up to and including a version.
func (w *walk) gap(to uint64) {
	w.c.fault(eventstore.FaultGap, w.name, w.next, "missing from version %d to %d", w.next, to)
}

// index checks that the entry's key leads to the entry, by the index or by being missing from it yet.
func (w *walk) index(b buckets, e eventstore.Entry) {
	if e.Key == "" {
		return
	}
	inTail := e.Version > w.indexed
	if inTail {
		if first, repeated := w.unindexed[e.Key]; repeated {
			w.c.fault(eventstore.FaultKey, w.name, e.Version, "key %q is also that of version %d", e.Key, first)
		}
		w.unindexed[e.Key] = e.Version
	}
	switch at, err := b.indexed(w.name, w.id, e.Key); {
	case err != nil: // the second pass reports it
	case at == 0 && inTail:
		w.c.sum.Keys++ // those in the index are counted there
	case at == 0:
		w.c.fault(eventstore.FaultKey, w.name, e.Version, "key %q is not in the index", e.Key)
	case at != e.Version:
		w.c.fault(eventstore.FaultKey, w.name, e.Version, "index of key %q says version %d", e.Key, at)
	}
}

// head compares the head with the last entry seen, in the transaction that saw it.
func (w *walk) head(b buckets) {
	last := w.next - 1
	if unmerged, _ := b.pending.of(w.name); last > unmerged.base && unmerged.version() >= last &&
		len(unmerged.entries) > 0 {
		return // the page before ended in what waits
	}
	raw := b.log.Get(logKey(w.id, headVersion))
	if raw == nil {
		w.c.fault(eventstore.FaultHead, w.name, last, "the head is missing")
		return
	}
	switch h, err := decodeHead(w.name, raw); {
	case err != nil:
		w.c.fault(eventstore.FaultChecksum, w.name, last, "head: %v", err)
	case h.version > last:
		w.gap(h.version)
	case h.version != last:
		w.c.fault(eventstore.FaultHead, w.name, last, "head says version %d", h.version)
	case w.linked && h.hash != w.prev:
		w.c.fault(eventstore.FaultHead, w.name, last, "head says hash %x..., the entry %x...", h.hash[:4], w.prev[:4])
	}
}
