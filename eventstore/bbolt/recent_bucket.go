package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// bucketRecent holds what was committed and not merged yet: under each commit's number, 8 bytes, all that it stored as
// one value. The bucket's sequence is the last number. A commit so writes one place of the file, however many streams
// it is for.
var bucketRecent = []byte("recent")

var (
	errNumber   = errors.New("the appends kept under a number are missing, or more are there than there should be")
	errNoRecent = errors.New("the bucket of recent appends is missing")
)

func recentKey(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }

// appendRecent adds the value of a commit to buf.
func appendRecent(buf []byte, number uint64, requests []*request) []byte {
	start := len(buf)
	buf = append(buf, make([]byte, crcSize)...)
	for _, r := range requests {
		buf = r.appendTo(buf)
	}
	seal(buf[start:], kindRecent, "", number, "")
	return buf
}

// putRecent keeps the value of a commit. bbolt needs its bytes until the transaction ends.
func putRecent(tx *bolt.Tx, number uint64, value []byte) error {
	b := tx.Bucket(bucketRecent)
	if b == nil {
		return errNoRecent
	}
	b.FillPercent = 1 // numbers only grow: a page that was split off is not written again
	return errors.Join(b.SetSequence(number), b.Put(recentKey(number), value))
}

// emptyRecent drops all that is kept, up to and including a number.
func emptyRecent(tx *bolt.Tx, number uint64) error {
	if err := tx.DeleteBucket(bucketRecent); err != nil {
		return err
	}
	b, err := tx.CreateBucket(bucketRecent)
	if err != nil {
		return err
	}
	return b.SetSequence(number)
}

// eachRecent passes on each commit that is kept, in the order of their numbers. Where err is not nil the list has what
// could be read before it, in values of the file.
func eachRecent(tx *bolt.Tx, merged uint64, each func(number uint64, value []byte, list []*request, err error)) {
	b := tx.Bucket(bucketRecent)
	if b == nil {
		each(merged+1, nil, nil, errNoRecent)
		return
	}
	next := merged + 1
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if string(k) != string(recentKey(next)) {
			each(next, nil, nil, errNumber)
			if len(k) != 8 {
				continue
			}
			next = binary.BigEndian.Uint64(k)
		}
		value := append([]byte(nil), v...)
		body, bad := unseal(value, kindRecent, "", next, "")
		if errors.Is(bad, errChecksum) {
			body = value[crcSize:]
		}
		list, err := parseRequests(body)
		each(next, value, list, errors.Join(bad, err))
		next++
	}
	if b.Sequence() != next-1 {
		each(next, nil, nil, errNumber)
	}
}

// loadRecent has all that is kept wait in memory, to be read and to be merged. Where something is damaged the streams
// that it can be told of are marked so, and the store is not written: what was acknowledged must not be merged or built
// upon in parts.
func (s *Store) loadRecent() error {
	var damaged error
	err := s.view("", func(tx *bolt.Tx) error {
		st, err := readState(tx)
		if err != nil || st.version < recentFormat {
			return err
		}
		s.number, s.lastID = st.merged, st.lastID
		eachRecent(tx, st.merged, func(number uint64, value []byte, list []*request, err error) {
			if value != nil {
				s.number = number
				s.kept += int64(len(value))
			}
			for _, r := range list {
				if bad := s.resume(tx, r, err); bad != nil && err == nil {
					damaged = errors.Join(damaged, bad)
				}
			}
			if err != nil {
				damaged = errors.Join(damaged, corrupt("", 0, fmt.Errorf("recent appends, commit %d: %w", number, err)))
			}
		})
		return nil
	})
	if err != nil {
		return err
	}
	if damaged != nil {
		s.stop(damaged)
	}
	return nil
}

// resume has one request wait to be merged again, if it goes on from what the file and the requests before it have.
// Nobody reads the store yet. Where it does not, or it comes from a commit that is damaged, its stream is marked as
// damaged.
func (s *Store) resume(tx *bolt.Tx, r *request, damaged error) error {
	g := s.pending.Load()
	l := g.streams[r.stream]
	if l == nil || len(l.entries) == 0 {
		// A stream whose head is damaged refuses all; what waits for it is kept. Metadata do not say which
		// version they go on from.
		if _, h, err := bucketsOf(tx).findSafely(r.stream); err == nil {
			r.base = h.version
		} else {
			r.base = r.expected
		}
		if l != nil {
			l.base = r.base
		}
	} else {
		r.base = l.base
	}
	version := r.base
	if l != nil {
		version = l.version()
		if l.broken != nil {
			return nil
		}
	}
	if damaged == nil && len(r.entries) > 0 && r.expected != version {
		damaged = fmt.Errorf("an append builds on version %d, and version %d is there", r.expected, version)
	}
	if damaged != nil {
		broken := corrupt(r.stream, version, fmt.Errorf("recent appends: %w", damaged))
		g.breaks(r.stream, r.base, broken)
		return broken
	}
	g.add([]*request{r})
	return nil
}

// holds reports whether a request's entries are stored, byte for byte.
func (b buckets) holds(r *request) bool {
	if b.stranded.exists() {
		if raw := b.stranded.Get([]byte(r.stream)); raw != nil && containsRequest(raw, r) {
			return true
		}
	}
	id, h, err := b.findSafely(r.stream)
	if err != nil {
		return false
	}
	var l unmerged
	if b.pending != nil {
		l, _ = b.pending.of(r.stream)
	}
	if len(r.entries) == 0 {
		return id != 0 || l.version() > 0
	}
	at := place{stream: r.stream, id: id, filed: h, unmerged: l}
	for i, e := range r.entries {
		version := r.expected + uint64(i) + 1
		var value []byte
		if version <= h.version {
			value = b.log.Get(logKey(id, version))
		} else if value, err = at.value(version); err != nil {
			return false
		}
		if string(value) != string(e.value) {
			return false
		}
	}
	return true
}

// containsRequest reports whether what was kept apart of a stream has a request.
func containsRequest(raw []byte, r *request) bool {
	want := string(r.appendTo(nil))
	list, _ := parseRequests(raw)
	for _, kept := range list {
		if string(kept.appendTo(nil)) == want {
			return true
		}
	}
	return false
}
