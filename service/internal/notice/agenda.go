package notice

import (
	"container/heap"
	"sync"
	"time"
)

// task is something to look at when its time comes: a game, and which webhook or mailbox of it, if one.
type task struct{ game, id string }

// entry is a task on an agenda.
type entry struct {
	task
	at time.Time
	// place is where it is in the heap; -1 while it is being looked at.
	place int
	// again is when it is wanted again that is being looked at; zero for not.
	again time.Time
}

// agenda knows what to look at when. It costs a few words a task, so that what rests needs no game in memory. Each task
// is looked at by one at a time.
type agenda struct {
	mu      sync.Mutex
	entries map[task]*entry
	queue   dueQueue
	// sooner is filled when something may have become due earlier than those who wait know.
	sooner chan struct{}
}

func newAgenda() *agenda {
	return &agenda{entries: make(map[task]*entry), sooner: make(chan struct{}, 1)}
}

// wake has a task looked at no later than at a time.
func (a *agenda) wake(t task, at time.Time) {
	a.put(t, at, func(old time.Time) bool { return at.Before(old) })
}

// set has a task looked at at a time, whatever was said before; zero for not at all.
func (a *agenda) set(t task, at time.Time) {
	if at.IsZero() {
		a.drop(t)
		return
	}
	a.put(t, at, func(time.Time) bool { return true })
}

func (a *agenda) put(t task, at time.Time, replaces func(old time.Time) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entries[t]
	switch {
	case e == nil:
		e = &entry{task: t, at: at}
		a.entries[t] = e
		heap.Push(&a.queue, e)
	case e.place < 0:
		if e.again.IsZero() || replaces(e.again) {
			e.again = at
		}
		return
	case replaces(e.at):
		e.at = at
		heap.Fix(&a.queue, e.place)
	default:
		return
	}
	a.signal()
}

func (a *agenda) drop(t task) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.entries[t]; e != nil && e.place >= 0 {
		heap.Remove(&a.queue, e.place)
		delete(a.entries, t)
	}
}

func (a *agenda) signal() {
	select {
	case a.sooner <- struct{}{}:
	default:
	}
}

// take gives a task that is due; if none exists, when the next will be, zero for none.
func (a *agenda) take(now time.Time) (t task, due bool, next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return task{}, false, time.Time{}
	}
	if first := a.queue[0]; first.at.After(now) {
		return task{}, false, first.at
	}
	e := heap.Pop(&a.queue).(*entry)
	e.place = -1
	a.signal() // there may be more for others
	return e.task, true, time.Time{}
}

// done ends the look at a task; next is when it is due again, zero for not, unless it is wanted sooner.
func (a *agenda) done(t task, next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.entries[t]
	if !e.again.IsZero() && (next.IsZero() || e.again.Before(next)) {
		next = e.again
	}
	if next.IsZero() {
		delete(a.entries, t)
		return
	}
	e.at, e.again = next, time.Time{}
	heap.Push(&a.queue, e)
	a.signal()
}

// size is how many tasks there are.
func (a *agenda) size() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.entries)
}

// overdue is how many tasks are being looked at or could be.
func (a *agenda) overdue(now time.Time) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n = len(a.entries) - len(a.queue)
	for _, e := range a.queue {
		if !e.at.After(now) {
			n++
		}
	}
	return n
}

// dueQueue is a heap of entries by time.
type dueQueue []*entry

func (q dueQueue) Len() int           { return len(q) }
func (q dueQueue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q dueQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push adds an entry.
func (q *dueQueue) Push(x any) {
	e := x.(*entry)
	e.place = len(*q)
	*q = append(*q, e)
}

// Pop takes the last entry off.
func (q *dueQueue) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return e
}
