package boltstore

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// run is the goroutine that writes what waits in the queue. It says that it sleeps before it looks once more, so whoever queues a request
// either finds it asleep or is found.
func (s *Store) run() {
	defer close(s.done)
	debug.SetPanicOnFault(true)
	for {
		s.asleep.Store(true)
		if len(s.queue) == 0 || !s.asleep.CompareAndSwap(true, false) {
			select {
			case <-s.stop:
				return
			case <-s.kick:
			}
		}
		s.drain()
	}
}

// wake has the writer look at the queue.
func (s *Store) wake() {
	if s.asleep.CompareAndSwap(true, false) {
		s.kick <- struct{}{}
	}
}

// drain writes batch after batch until the queue is empty.
func (s *Store) drain() {
	s.turn.Lock()
	defer s.turn.Unlock()
	for {
		select {
		case <-s.stop:
			return
		case first := <-s.queue:
			s.serve(first)
		default:
			return
		}
	}
}

// lead has a caller commit its own request, if it seems to be alone: handing the request over and the answer back
// would take a good part of what the commit takes. It reports whether it did.
func (s *Store) lead(r *request) bool {
	if s.crowd.Load() > 0 || len(s.queue) > 0 || !s.turn.TryLock() {
		return false
	}
	defer s.turn.Unlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	s.serve(r)
	return true
}

// serve commits a batch that begins with a request. Its caller has the turn.
func (s *Store) serve(first *request) {
	batch := s.collect(append(s.batch[:0], first))
	s.batch = batch
	if len(batch) > 1 {
		s.crowd.Store(crowdLasts)
	} else if crowd := s.crowd.Load(); crowd > 0 {
		s.crowd.Store(crowd - 1)
	}
	s.write(batch)
	clear(batch)
}

// crowdLasts is after how many commits for one append each a caller counts as alone.
const crowdLasts = 8

// collect adds what waits in the queue to the batch, up to its limits. The callers of the batch before were answered
// a moment ago and are about to append again: where there were several, yielding for as long as more of them come lets them into this commit
// rather than the next. A lone caller is not kept waiting.
func (s *Store) collect(batch []*request) []*request {
	bytes, yields := batch[0].size, 0
	for len(batch) < s.o.BatchAppends && bytes < s.o.BatchBytes {
		select {
		case r := <-s.queue:
			batch = append(batch, r)
			bytes += r.size
			yields = 0
		default:
			if yields++; yields > 2 || s.crowd.Load() == 0 && len(batch) == 1 {
				return batch
			}
			runtime.Gosched()
		}
	}
	return batch
}

// outcome is what a transaction would do, request by request.
type outcome struct {
	stored   []*request
	durable  map[string]uint64 // of each stream appended to, the version from before
	appends  int
	entries  int
	bytes    int
	refusals []refusal
}

type refusal struct {
	r   *request
	err error
}

// write commits what can be stored of the batch and answers every request of it.
func (s *Store) write(batch []*request) {
	taken := batch[:0]
	for _, r := range batch {
		if r.take(stateTaken) {
			taken = append(taken, r)
		}
	}
	if len(taken) == 0 {
		return
	}
	out, took, err := s.commit(taken)
	if err != nil {
		s.stats.failed.Add(1)
		s.observe(eventstore.Batch{Commit: took.commit(), Err: err})
		for _, r := range taken {
			r.times = took
			r.answer(err)
		}
		return
	}
	s.gate.open()
	for stream := range out.durable {
		s.hub.Notify(stream)
	}
	s.count(out, took)
	for _, r := range out.refusals {
		r.r.answer(r.err)
	}
	for _, r := range out.stored {
		r.times = took
		r.answer(nil)
	}
}

// commit applies the requests in one transaction and makes it durable. An error concerns them all.
func (s *Store) commit(batch []*request) (out *outcome, took times, err error) {
	if err := s.settle(); err != nil {
		return nil, took, err
	}
	tx, err := s.db.Begin(true)
	if err != nil {
		return nil, took, classify(err)
	}
	id, shut := tx.ID(), false
	defer func() {
		err = recovered(recover(), "", err)
		if err == nil {
			return
		}
		out = nil
		clear(s.known)
		if err = errors.Join(err, rollback(tx)); shut {
			err = s.failed(id, err)
		}
	}()
	if out, err = s.apply(tx, batch); err != nil {
		return nil, took, classify(err)
	}
	if len(out.stored) == 0 {
		return out, took, rollback(tx)
	}
	if err := s.o.hooks.at(beforeCommit); err != nil {
		return nil, took, classify(err)
	}
	shut = true
	s.gate.shut(out.durable)
	took.begun = time.Now()
	if err = tx.Commit(); err == nil {
		stats := tx.Stats()
		took.write = stats.GetWriteTime()
		err = s.o.hooks.at(afterCommit)
	}
	took.ended = time.Now()
	return out, took, classify(err)
}

// rollback gives up a transaction; one that a failed commit has given up already is fine.
func rollback(tx *bolt.Tx) error {
	if err := tx.Rollback(); !errors.Is(err, bolterrors.ErrTxClosed) {
		return err
	}
	return nil
}

// failed finds out how far a failed commit got. Where nothing of it can be seen, nothing of it can come back either.
func (s *Store) failed(id int, err error) error {
	visible := id
	if s.view("", func(tx *bolt.Tx) error { visible = tx.ID(); return nil }); visible < id {
		s.gate.open()
		return err
	}
	s.inDoubt = true
	return fmt.Errorf("%w: %w", eventstore.ErrUncertain, err)
}

// settle makes durable what a failed commit left visible, before anything is built on it. Until that succeeds the gate stays
// shut, and every append fails for the same cause.
func (s *Store) settle() (err error) {
	if !s.inDoubt {
		return nil
	}
	defer func() { err = recovered(recover(), "", err) }()
	if err := s.o.hooks.at(beforeCommit); err != nil {
		return classify(err)
	}
	if err := s.db.Update(func(*bolt.Tx) error { return nil }); err != nil {
		return classify(err)
	}
	if err := s.o.hooks.at(afterSettle); err != nil {
		return classify(err)
	}
	s.inDoubt = false
	unsure := *s.gate.durable.Load()
	s.gate.open()
	for stream := range unsure {
		s.hub.Notify(stream)
	}
	return nil
}

// count adds a batch to the figures and tells the observer.
func (s *Store) count(out *outcome, took times) {
	c := &s.stats
	c.refused.Add(uint64(len(out.refusals)))
	if len(out.stored) == 0 {
		return
	}
	c.appends.Add(uint64(out.appends))
	c.entries.Add(uint64(out.entries))
	c.bytes.Add(uint64(out.bytes))
	c.batches.Add(1)
	c.largest.Store(max(c.largest.Load(), uint64(out.appends)))
	c.commitTime.Add(int64(took.commit()))
	s.observe(eventstore.Batch{Appends: out.appends, Entries: out.entries, Bytes: out.bytes, Commit: took.commit(), Write: took.write})
}

func (s *Store) observe(b eventstore.Batch) {
	if s.o.Observe != nil {
		s.o.Observe(b)
	}
}
