package boltstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"

	bolt "go.etcd.io/bbolt"
)

// maxDepth is how many pages lie one below the other in a tree at most. bbolt has at least two keys in each branch, so
// a sound tree of more levels has more pages than a file.
const maxDepth = 64

// tree is a bucket as it was when its transaction began, read with a look at each page before it is trusted. bbolt's
// own cursors follow pages that lead back to themselves until the stack is full, which nothing can recover from. They
// also miss a key, and so take it twice, where a branch page says something else than the page below it.
type tree struct {
	*bolt.Bucket
	m     mapped
	sound map[uint64]bool // leaves that need no second look, if not nil
}

// treeOf is the tree of a bucket; its Bucket is nil if none exists.
func treeOf(tx *bolt.Tx, m mapped, name []byte) tree { return tree{Bucket: tx.Bucket(name), m: m} }

// exists reports whether there is such a bucket.
func (t tree) exists() bool { return t.Bucket != nil }

// Get is the value of a key, which lies in the file; nil if none exists.
func (t tree) Get(key []byte) []byte {
	if t.Root() == 0 { // it lies in the page of the bucket of buckets, which was looked at when the file was opened
		return t.Bucket.Get(key)
	}
	_, value := t.m.lookUp(uint64(t.Root()), key)
	return value
}

// Put stores a value, if the page that has to be written anew for it can be trusted.
func (t tree) Put(key, value []byte) error {
	t.mustBeSound(key)
	return t.Bucket.Put(key, value)
}

// mustBeSound panics unless the page can be trusted that has to be written anew for a key, or for others between the
// same two keys that are there: what it says about itself decides which pages are free afterwards. The branches above
// it were looked at when the file was opened to be written.
func (t tree) mustBeSound(key []byte) {
	root := uint64(t.Root())
	if root == 0 {
		return
	}
	leaf, _ := t.m.lookUp(root, key)
	if t.sound[leaf.id] {
		return
	}
	leaf.mustBeSound()
	if t.sound != nil {
		t.sound[leaf.id] = true
	}
}

// Cursor is before the first key.
func (t tree) Cursor() *cursor {
	if t.Root() == 0 {
		return &cursor{inline: t.Bucket.Cursor()}
	}
	return &cursor{m: t.m, root: uint64(t.Root())}
}

// cursor goes through the keys of a tree in their order. It panics on damaged pages, as bbolt does.
type cursor struct {
	inline *bolt.Cursor // of a bucket that has no pages
	m      mapped
	root   uint64
	stack  []step
	last   []byte // the key before
}

// step is an element of a page.
type step struct {
	page treePage
	i    int
}

// Seek goes to the first key that is not less than one, and returns it with its value; nil if none exists.
func (c *cursor) Seek(key []byte) (k, v []byte) {
	if c.inline != nil {
		return c.inline.Seek(key)
	}
	c.stack, c.last = c.stack[:0], nil
	for id, first := c.root, []byte(nil); ; {
		p := c.open(id, first)
		i := p.search(key)
		c.stack = append(c.stack, step{p, i})
		if p.flags == leafFlag {
			break
		}
		id, first = p.child(i), p.key(i)
	}
	if at := &c.stack[len(c.stack)-1]; at.i == at.page.count {
		at.i--
		return c.Next()
	}
	return c.current()
}

// Next goes to the next key, and returns it with its value; nil if none exists.
func (c *cursor) Next() (k, v []byte) {
	if c.inline != nil {
		return c.inline.Next()
	}
	for len(c.stack) > 0 {
		at := &c.stack[len(c.stack)-1]
		if at.i++; at.i >= at.page.count {
			c.stack = c.stack[:len(c.stack)-1]
			continue
		}
		for at.page.flags == branchFlag {
			p := c.open(at.page.child(at.i), at.page.key(at.i))
			c.stack = append(c.stack, step{p, 0})
			at = &c.stack[len(c.stack)-1]
		}
		return c.current()
	}
	return nil, nil
}

// current is the element that the cursor is at.
func (c *cursor) current() (k, v []byte) {
	at := &c.stack[len(c.stack)-1]
	k, v = at.page.element(at.i)
	if at.i == 0 && c.last != nil && bytes.Compare(c.last, k) >= 0 { // it leads back into itself, and has no end
		panic(fmt.Sprintf("page %d is out of order", at.page.id))
	}
	c.last = k
	return k, v
}

// open returns the page below those of the stack, of which the page above says how it begins.
func (c *cursor) open(id uint64, first []byte) treePage { return c.m.below(len(c.stack), id, first) }

// mapped are the pages of a file in memory, as a transaction may see them.
type mapped struct {
	data []byte
	size uint64 // of a page
}

// mapOf is the memory map of a transaction. Nobody else may end it before the transaction.
func mapOf(tx *bolt.Tx) mapped {
	info := tx.DB().Info()
	at := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
	return mapped{unsafe.Slice((*byte)(at), tx.Size()), uint64(info.PageSize)}
}

// lookUp returns the leaf where a key has its place, and the value if it is there. That a key which would come after
// all of the leaf is not there is not believed before the next leaf is seen to begin as the pages above say.
func (m mapped) lookUp(root uint64, key []byte) (leaf treePage, value []byte) {
	next, nextDepth := step{}, 0
	for id, first, depth := root, []byte(nil), 0; ; depth++ {
		p := m.below(depth, id, first)
		i := p.search(key)
		if p.flags == leafFlag {
			if i < p.count {
				if k, v := p.element(i); bytes.Equal(k, key) {
					return p, v
				}
			}
			p.mustLack(i)
			if i == p.count && next.i > 0 {
				m.begin(nextDepth, next)
			}
			return p, nil
		}
		if i+1 < p.count {
			next, nextDepth = step{p, i + 1}, depth+1
		}
		id, first = p.child(i), p.key(i)
	}
}

// begin goes down to the first leaf below an element of a branch.
func (m mapped) begin(depth int, s step) {
	for ; s.page.flags == branchFlag; depth++ {
		s = step{m.below(depth, s.page.child(s.i), s.page.key(s.i)), 0}
	}
}

// below returns the page at a depth of a tree, of which the page above says how it begins.
func (m mapped) below(depth int, id uint64, first []byte) treePage {
	if depth >= maxDepth {
		panic(fmt.Sprintf("page %d leads back to itself", id))
	}
	p := m.page(id)
	switch {
	case depth == 0: // that of a bucket that has become empty is empty
	case p.count == 0:
		panic(fmt.Sprintf("page %d is empty", id))
	case !bytes.Equal(p.key(0), first):
		panic(fmt.Sprintf("page %d does not begin as the page above it says", id))
	}
	return p
}

// page returns a page with those that belong to it, if it is one of a tree.
func (m mapped) page(id uint64) treePage {
	pages := uint64(len(m.data)) / m.size
	if id < 2 || id >= pages {
		panic(fmt.Sprintf("page %d is not in the file", id))
	}
	p := treePage{id: id, bytes: m.data[id*m.size:], size: m.size}
	overflow := uint64(binary.NativeEndian.Uint32(p.bytes[12:]))
	p.flags, p.count = binary.NativeEndian.Uint16(p.bytes[8:]), int(binary.NativeEndian.Uint16(p.bytes[10:]))
	switch got := binary.NativeEndian.Uint64(p.bytes); {
	case got != id:
		panic(fmt.Sprintf("page %d says that it is page %d", id, got))
	case p.flags != branchFlag && p.flags != leafFlag:
		panic(fmt.Sprintf("page %d is neither a branch nor a leaf", id))
	case overflow >= pages-id:
		panic(fmt.Sprintf("page %d is said to have %d more, which are not in the file", id, overflow))
	}
	p.bytes = p.bytes[:(1+overflow)*m.size]
	if p.flags == branchFlag && p.count == 0 || pageHeader+p.count*elementSize > len(p.bytes) {
		panic(fmt.Sprintf("page %d says that it has %d elements", id, p.count))
	}
	if p.count > 0 {
		p.mustJoin(0)
	}
	return p
}

// treePage is a branch or a leaf.
type treePage struct {
	id    uint64
	bytes []byte
	size  uint64 // of a single page
	flags uint16
	count int
}

func (p *treePage) element(i int) (key, value []byte) {
	key, value, ok := element(p.bytes, pageHeader+i*elementSize, p.flags)
	if !ok {
		panic(fmt.Sprintf("element %d of page %d is out of bounds", i, p.id))
	}
	return key, value
}

// search is the place of a key in a leaf, or the element of a branch that leads to it.
func (p *treePage) search(key []byte) int {
	i, end, exact := 0, p.count, false
	for i < end {
		middle := (i + end) / 2
		switch bytes.Compare(p.key(middle), key) {
		case -1:
			i = middle + 1
		case 0:
			exact = true
			fallthrough
		default:
			end = middle
		}
	}
	if p.flags == branchFlag && i > 0 && !exact {
		i--
	}
	return i
}

func (p *treePage) key(i int) []byte {
	key, _, ok := element(p.bytes, pageHeader+i*elementSize, p.flags)
	if !ok {
		panic(fmt.Sprintf("element %d of page %d is out of bounds", i, p.id))
	}
	return key
}

func (p *treePage) child(i int) uint64 {
	return binary.NativeEndian.Uint64(p.bytes[pageHeader+i*elementSize+8:])
}

// mustBeSound panics unless the elements are in order, one behind the other, and fill as many pages as there are said
// to be.
func (p *treePage) mustBeSound() {
	for i := range p.count {
		p.mustJoin(i)
		if i > 0 && bytes.Compare(p.key(i-1), p.key(i)) >= 0 {
			panic(fmt.Sprintf("element %d of page %d is out of order", i, p.id))
		}
	}
	if !fills(len(p.bytes), p.end(p.count-1), p.size) {
		panic(fmt.Sprintf("page %d is said to have more pages than it fills", p.id))
	}
}

// mustJoin panics unless an element begins where the one before it ends.
func (p *treePage) mustJoin(i int) {
	from, _, _, ok := span(p.bytes, pageHeader+i*elementSize, p.flags)
	if !ok || from != p.end(i-1) {
		panic(fmt.Sprintf("element %d of page %d is out of bounds", i, p.id))
	}
}

// end is where an element ends; that of none is where the first begins.
func (p *treePage) end(i int) int {
	if i < 0 {
		return pageHeader + p.count*elementSize
	}
	_, _, end, ok := span(p.bytes, pageHeader+i*elementSize, p.flags)
	if !ok {
		panic(fmt.Sprintf("element %d of page %d is out of bounds", i, p.id))
	}
	return end
}

// mustLack panics unless the elements can be trusted between which a key would be, and so that it is not there: a
// search that one of the elements has led astray ends beside it.
func (p *treePage) mustLack(i int) {
	for j := max(i-1, 0); j <= i+1 && j < p.count; j++ {
		p.mustJoin(j)
		if j >= i && j > 0 && bytes.Compare(p.key(j-1), p.key(j)) >= 0 {
			panic(fmt.Sprintf("element %d of page %d is out of order", j, p.id))
		}
	}
}

// fills reports whether elements that end at a place of a page need all that belong to it. When they fill them to the
// last byte older versions of bbolt left another one empty.
func fills(size, end int, pageSize uint64) bool {
	return uint64(size) <= (uint64(end)/pageSize+1)*pageSize
}
