package boltstore

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

// bucketStranded holds, by the stream's name, appends that were acknowledged and cannot be merged, since the stream's head has become damaged in the file. They are
// kept for whoever mends it, and a check tells of them.
var bucketStranded = []byte("stranded")

// merge puts all that is pending into the store's file, in one transaction, which also says that the journal's frames are void from now on. With idle it also says
// that the journal is not used, until the next append. Its caller has the turn.
//
// Reads go on: until the end they find what is pending where it was.
func (s *Store) merge(idle bool) (err error) {
	if s.o.ReadOnly {
		return eventstore.ErrReadOnly
	}
	if err := s.sure(); err != nil || s.journal == nil || idle && s.marking == unmarked || !idle && s.journal.last == 0 {
		return err
	}
	if s.o.ObserveMerge != nil {
		begun, entries := time.Now(), s.pending.Load().entries
		defer func() { s.o.ObserveMerge(time.Since(begun), entries, err) }()
	}
	if err := s.o.hooks.at(beforeMerge); err != nil {
		return classify(err)
	}
	tx, err := s.db.Begin(true)
	if err != nil {
		return classify(err)
	}
	id, begun := tx.ID(), false
	defer func() {
		err = recovered(recover(), "", err)
		if err == nil {
			return
		}
		clear(s.known)
		if err = errors.Join(err, rollback(tx)); begun && s.visible(id) {
			// Which epoch the file is in after a crash is open: nothing may be acknowledged before that is known.
			s.unmerged = func() { s.merged(idle) }
			err = fmt.Errorf("%w: %w", eventstore.ErrUncertain, err)
		}
	}()
	if err = s.mergeInto(tx); err == nil {
		err = journalState{used: !idle, id: s.journal.id, epoch: s.journal.epoch + 1}.write(tx)
	}
	if err != nil {
		return classify(err)
	}
	begun = true
	if err = tx.Commit(); err == nil {
		err = s.o.hooks.at(afterMerge)
	}
	if err != nil {
		return classify(err)
	}
	s.merged(idle)
	return nil
}

// merged is after a merge: the journal begins anew.
func (s *Store) merged(idle bool) {
	s.journal.restart()
	s.marking = marked
	if idle {
		s.marking = unmarked
	}
	for _, name := range s.pending.Load().order {
		if k := s.known[name]; k != nil {
			k.late = nil
		}
	}
	s.pending.Store(newPending())
}

// visible reports whether a transaction whose commit failed can be seen. Where nothing of it can be seen, nothing of it can come back either.
func (s *Store) visible(id int) bool {
	seen := id
	_ = s.view("", func(tx *bolt.Tx) error { seen = tx.ID(); return nil })
	return seen >= id
}

func (s *Store) mergeInto(tx *bolt.Tx) error {
	b := bucketsOf(tx)
	b.tail, b.known = s.o.tail, s.known
	// Streams grow at their ends, and a merge adds many entries of each: pages on the left of a split will not be written again and may be full (BenchmarkFileSize and
	// the service's RecordSize, 1.91 where 0.9 gave 2.01). Keys come in any order.
	b.log.FillPercent = 1
	b.keys.FillPercent = 0.7
	p := s.pending.Load()
	for _, name := range p.order {
		l := p.streams[name]
		k, err := b.recallSafely(name)
		if err == nil && k.head.version != l.base {
			err = corrupt(name, k.head.version, fmt.Errorf("the journal goes on from version %d", l.base))
		}
		var damaged *eventstore.CorruptError
		if errors.As(err, &damaged) {
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

// full reports whether the journal is so long that it should be merged.
func (s *Store) full() bool {
	return s.journal != nil && s.journal.last > 0 && s.journal.at >= journalHeader+int64(s.o.journal)
}

// ready has a journal that the file knows of. Its caller has the turn.
func (s *Store) ready() (err error) {
	defer func() { err = recovered(recover(), "", err) }()
	if s.journal == nil {
		path := JournalPath(s.path)
		if err := setAside(path, s.former); err != nil {
			return err
		}
		j, err := createJournal(path, s.o)
		if err != nil {
			return err
		}
		s.journal = j
	}
	if s.marking == marked {
		return nil
	}
	if err := s.o.hooks.at(beforeMark); err != nil {
		return err
	}
	s.marking = maybeMarked
	err = s.db.Update(func(tx *bolt.Tx) error {
		return journalState{used: true, id: s.journal.id, epoch: s.journal.epoch}.write(tx)
	})
	if err == nil {
		err = s.o.hooks.at(afterMark)
	}
	// If it fails, and the file says so all the same, that does no harm as long as the journal is there. It has no frames.
	if err == nil {
		s.marking = marked
	}
	return err
}

// endJournal merges what can be merged and removes the journal that is not needed then. What cannot is found there when the store is opened again.
func (s *Store) endJournal() error {
	if s.journal == nil {
		return nil
	}
	if s.o.ReadOnly {
		return s.journal.f.Close()
	}
	_ = s.merge(true) // a full device is no loss: the journal stays
	err := s.journal.f.Close()
	if s.marking == unmarked {
		err = errors.Join(err, os.Remove(JournalPath(s.path)))
	}
	return err
}
