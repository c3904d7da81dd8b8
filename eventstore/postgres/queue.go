package postgres

import "sync"

// queue holds what waits to be written: one line for each stream, since a batch has at most one request of a stream,
// and no two batches under way have requests of the same one.
type queue struct {
	mu     sync.Mutex
	filled sync.Cond
	lines  map[string]*line
	ready  []*line // those with somebody waiting and nobody being served
	closed bool
}

type line struct {
	stream  string
	waiting []*request
	serving bool
}

func newQueue() *queue {
	q := &queue{lines: make(map[string]*line)}
	q.filled.L = &q.mu
	return q
}

// put adds a request to its stream's line. It reports false once the queue is closed.
func (q *queue) put(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	l := q.lines[r.stream]
	if l == nil {
		l = &line{stream: r.stream}
		q.lines[r.stream] = l
	}
	l.waiting = append(l.waiting, r)
	if len(l.waiting) == 1 && !l.serving {
		q.ready = append(q.ready, l)
		q.filled.Signal()
	}
	return true
}

// mostEntries closes a batch of several appends, since the database looks for the append of each entry.
const mostEntries = 4096

// take waits for requests and returns a batch of them, at most so many and as many bytes, but always one. It returns
// nil once the queue is closed.
func (q *queue) take(appends, bytes int) []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.ready) == 0 && !q.closed {
			q.filled.Wait()
		}
		if q.closed {
			return nil
		}
		var batch []*request
		weight, entries := 0, 0
		for len(q.ready) > 0 && len(batch) < appends {
			l := q.ready[0]
			r := l.waiting[0]
			if len(batch) > 0 && (weight+r.weight > bytes || entries+len(r.versions) > mostEntries) {
				break
			}
			q.ready = q.ready[1:]
			l.waiting = l.waiting[1:]
			if !r.take(stateTaken) {
				q.next(l)
				continue
			}
			l.serving = true
			batch = append(batch, r)
			weight += r.weight
			entries += len(r.versions)
		}
		if len(q.ready) > 0 {
			q.filled.Signal() // for the other writer
		}
		if len(batch) > 0 {
			return batch
		}
	}
}

// release lets the next requests of a batch's streams be served.
func (q *queue) release(batch []*request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range batch {
		l := q.lines[r.stream]
		l.serving = false
		q.next(l)
	}
}

// next has a line that nobody is served of wait for its turn, or forgets it.
func (q *queue) next(l *line) {
	if len(l.waiting) == 0 {
		delete(q.lines, l.stream)
		return
	}
	q.ready = append(q.ready, l)
	q.filled.Signal()
}

// close ends all waiting and returns what was not taken.
func (q *queue) close() (left []*request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, l := range q.lines {
		for _, r := range l.waiting {
			if r.take(stateTaken) {
				left = append(left, r)
			}
		}
		l.waiting = nil
	}
	q.ready = nil
	q.filled.Broadcast()
	return left
}
