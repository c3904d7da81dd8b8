package boltstore

import (
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// run is the goroutine that writes what waits in the queue. It says that it sleeps before it looks once more, so
// whoever queues a request either finds it asleep or is found.
func (s *Store) run() {
	defer close(s.done)
	debug.SetPanicOnFault(true)
	for {
		s.asleep.Store(true)
		if len(s.queue) == 0 || !s.asleep.CompareAndSwap(true, false) {
			select {
			case <-s.stopping:
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
		case <-s.stopping:
			return
		case first := <-s.queue:
			s.serve(first)
		default:
			if s.full() {
				_ = s.merge() // if it fails, the next commit fails with the cause
			}
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
	if s.serveAlone(r) { // the writer merges, so that this caller need not wait
		s.wake()
	}
	return true
}

// serveAlone commits a caller's request and lets go of the turn. It reports whether it is time to merge.
func (s *Store) serveAlone(r *request) (full bool) {
	defer s.turn.Unlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	s.serve(r)
	return s.full()
}

// rollback gives up a transaction; one that a failed commit has given up already is fine.
func rollback(tx *bolt.Tx) error {
	if err := tx.Rollback(); !errors.Is(err, bolterrors.ErrTxClosed) {
		return err
	}
	return nil
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

// collect adds what waits in the queue to the batch, up to its limits. The callers of the batch before were answered a
// moment ago and are about to append again: where there were several, yielding for as long as more of them come lets
// them into this commit rather than the next. A lone caller is not kept waiting.
func (s *Store) collect(batch []*request) []*request {
	bytes, yields := batch[0].weight, 0
	for len(batch) < s.o.BatchAppends && bytes < s.o.BatchBytes {
		select {
		case r := <-s.queue:
			batch = append(batch, r)
			bytes += r.weight
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
	streams  []staged
	appends  int
	entries  int
	bytes    int
	refusals []refusal
}

// unstage ends the batch: its requests are shown or given up.
func (o *outcome) unstage() {
	for _, stream := range o.streams {
		stream.k.staged = nil
	}
}

// staged is a stream that requests of a batch are for.
type staged struct {
	name string
	k    *streamMemory
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
	for _, stream := range out.streams {
		s.hub.Notify(stream.name)
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

// commit writes the requests that can be stored, makes that durable and shows it. An error concerns them all.
func (s *Store) commit(batch []*request) (out *outcome, took times, err error) {
	if err := s.Stopped(); err != nil {
		return nil, took, err
	}
	if s.full() { // the last try has failed
		if err := s.merge(); err != nil {
			return nil, took, err
		}
	}
	err = s.withBuckets("", func(b buckets) error { out = s.judge(b, batch); return nil })
	if err != nil {
		clear(s.memory)
		return nil, took, err
	}
	defer out.unstage()
	if len(out.stored) == 0 {
		return out, took, nil
	}
	if err := s.o.hooks.at(beforeCommit); err != nil {
		return out, took, classify(err)
	}
	took.begun = time.Now()
	err = s.record(out.stored, &took)
	took.ended = time.Now()
	return out, took, err
}

// record keeps the requests as one value of the file and shows them.
func (s *Store) record(requests []*request, took *times) error {
	s.value = appendRecent(s.value[:0], s.number+1, requests)
	begun := time.Now()
	err := s.update(afterCommit, func(tx *bolt.Tx) error { return putRecent(tx, s.number+1, s.value) })
	if err != nil {
		return err
	}
	took.write = time.Since(begun)
	s.number++
	s.kept += int64(len(s.value))
	if cap(s.value) > largeValue {
		s.value = nil
	}
	s.show(requests)
	return nil
}

// largeValue is beyond how many bytes the room for a commit's value is not kept for the next.
const largeValue = 1 << 20

// show lets readers see what has become durable.
func (s *Store) show(requests []*request) {
	p := s.pending.Load()
	p.add(requests)
	for _, r := range requests {
		if k := s.memory[r.stream]; k != nil {
			k.unmerged = p.streams[r.stream]
		}
	}
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
	s.observe(eventstore.Batch{
		Appends: out.appends, Entries: out.entries, Bytes: out.bytes, Commit: took.commit(), Write: took.write,
	})
}

func (s *Store) observe(b eventstore.Batch) {
	if s.o.Observe != nil {
		s.o.Observe(b)
	}
}
