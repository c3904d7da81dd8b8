package boltstore

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// recentBytes is how many bytes of commits are kept before they are merged.
const recentBytes = 4 << 20

// bucketStranded holds, by the stream's name, appends that were acknowledged and cannot be merged, since the stream's
// head has become damaged in the file. They are kept for whoever mends it, and a check tells of them. Until then the
// stream is neither shown nor written.
var bucketStranded = []byte("stranded")

var errStranded = errors.New("acknowledged appends are kept apart from it, since it was damaged when they were merged")

// merge puts all that is pending into the streams and empties the bucket "recent", in one transaction. Its caller has
// the turn. Reads go on: until the end they find what is pending where it was.
func (s *Store) merge() (err error) {
	if s.o.ReadOnly {
		return eventstore.ErrReadOnly
	}
	if err := s.Stopped(); err != nil || s.kept == 0 {
		return err
	}
	if s.o.ObserveMerge != nil {
		begun, entries := time.Now(), s.pending.Load().entries
		defer func() { s.o.ObserveMerge(time.Since(begun), entries, err) }()
	}
	if err := s.o.hooks.at(beforeMerge); err != nil {
		return classify(err)
	}
	lastID := s.lastID
	err = s.update(afterMerge, func(tx *bolt.Tx) error {
		if err := s.mergeInto(tx, &lastID); err != nil {
			return err
		}
		st := state{version: formatVersion, merged: s.number, lastID: lastID}
		return errors.Join(tx.Bucket(bucketNames).SetSequence(lastID), emptyRecent(tx, s.number), st.write(tx))
	})
	if err != nil {
		clear(s.memory)
		return err
	}
	s.lastID, s.kept = lastID, 0
	for _, name := range s.pending.Load().order {
		if k := s.memory[name]; k != nil {
			k.unmerged = nil
		}
	}
	s.pending.Store(newPending())
	return nil
}

// mergeSafely is merge for a goroutine that is not the writer's.
func (s *Store) mergeSafely() error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return s.merge()
}

// update runs f in a write transaction and makes that durable. The error of a commit says what became of it. Pages that
// cannot be read stop all writing: what they hold may be sound tomorrow, and nothing may be decided without it.
func (s *Store) update(done point, f func(tx *bolt.Tx) error) (err error) {
	tx, err := s.db.Begin(true)
	if err != nil {
		return classify(err)
	}
	id, begun := tx.ID(), false
	defer func() {
		p := recover()
		if err = recovered(p, "", err); err == nil {
			return
		}
		bad := rollback(tx)
		switch {
		case begun:
			err = s.failed(id, err)
		case p != nil:
			s.stop(classify(err))
			err = s.Stopped()
		default:
			err = classify(err)
		}
		err = errors.Join(err, bad)
	}()
	if err := f(tx); err != nil {
		return err
	}
	begun = true
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.o.hooks.at(done)
}

func (s *Store) mergeInto(tx *bolt.Tx, lastID *uint64) error {
	b := bucketsOf(tx)
	b.maxUnindexed, b.memory, b.lastID = s.o.maxUnindexed, s.memory, lastID
	// Streams grow at their ends, and a merge adds many entries of each: pages on the left of a split will not be
	// written again and may be full (BenchmarkFileSize and the service's RecordSize, 1.91 where 0.9 gave 2.01). Keys
	// come in any order.
	b.log.sound, b.keys.sound = make(map[uint64]bool), make(map[uint64]bool)
	b.log.FillPercent = 1
	b.keys.FillPercent = 0.7
	p := s.pending.Load()
	for _, name := range p.order {
		l := p.streams[name]
		k, err := b.recall(name)
		if err == nil && k.head.version != l.base {
			err = corrupt(name, k.head.version, fmt.Errorf("what is to be merged goes on from version %d", l.base))
		}
		var damaged *eventstore.CorruptError
		if errors.As(err, &damaged) {
			delete(s.memory, name)
			err = strand(tx, l.merged(name))
		} else if err == nil {
			err = b.put(l.merged(name), k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// strand keeps what cannot be merged, after what was kept of the stream before.
func strand(tx *bolt.Tx, r *request) error {
	b, err := tx.CreateBucketIfNotExists(bucketStranded)
	if err != nil {
		return err
	}
	name := []byte(r.stream)
	return b.Put(name, r.appendTo(append([]byte(nil), b.Get(name)...)))
}

// full reports whether so much is kept that it should be merged.
func (s *Store) full() bool { return s.kept >= int64(s.o.recent) }
