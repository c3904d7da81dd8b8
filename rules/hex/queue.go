package hex

import "slices"

// queue is a bucket queue: a list of nodes for each cost. Nodes of a cost may still be added while they are taken.
type queue struct {
	heads []int32 // by cost, into items; -1 ends a list
	items []item
	wave  []uint32 // what take took
}

type item struct {
	id   uint32
	next int32
}

func (q *queue) push(id uint32, cost int32) {
	for len(q.heads) <= int(cost) {
		q.heads = append(q.heads, -1)
	}
	q.items = append(q.items, item{id, q.heads[cost]})
	q.heads[cost] = int32(len(q.items) - 1)
}

// next moves at up to the lowest cost that has nodes; false when none exists.
func (q *queue) next(at *int32) bool {
	for ; int(*at) < len(q.heads); *at++ {
		if q.heads[*at] >= 0 {
			return true
		}
	}
	return false
}

// take moves the nodes of a cost into wave, by id; false when none exist.
func (q *queue) take(cost int32) bool {
	q.wave = q.wave[:0]
	for i := q.heads[cost]; i >= 0; i = q.items[i].next {
		q.wave = append(q.wave, q.items[i].id)
	}
	q.heads[cost] = -1
	slices.Sort(q.wave)
	return len(q.wave) > 0
}

// reset drops what the last run left.
func (q *queue) reset() {
	q.heads = q.heads[:0]
	q.items = q.items[:0]
}

func sortIndexes(s []Index) { slices.Sort(s) }
