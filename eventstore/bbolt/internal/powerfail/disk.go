package powerfail

import (
	"bytes"
	"maps"
	"slices"
)

// sector is what a disk writes whole, in bytes.
const sector = 512

// disk is what a disk must hold and may hold at some moment.
type disk struct {
	files map[int]*file
	// names are durable, and changes come after them.
	names   map[string]int
	changes []Op
}

func newDisk() *disk { return &disk{files: map[int]*file{}, names: map[string]int{}} }

// file is one file.
type file struct {
	// durable are the bytes that are there for certain, unless something of what follows is there in their place.
	durable []byte
	// now is what a reader sees while the power is on.
	now []byte
	// sectors are the bytes that may be there, the newest last, by the number of the sector.
	sectors map[int][]version
	// lengths are those that the file may have, the newest last.
	lengths []length
}

// version is what a sector may hold.
type version struct {
	op int
	// number is that of the sector in its file.
	number int
	bytes  []byte
	// forgotten is whether a sync failed since: no later sync makes it durable.
	forgotten bool
}

type length struct {
	op        int
	bytes     int
	forgotten bool
}

// unsynced reports whether there is more than one thing that the disk may hold.
func (d *disk) unsynced() bool {
	for _, f := range d.files {
		if len(f.sectors) > 0 || len(f.lengths) > 0 {
			return true
		}
	}
	return len(d.changes) > 0
}

// do carries out an operation, with its number in the trace.
func (d *disk) do(i int, o Op) {
	if o.Failed && o.Kind != Sync {
		return
	}
	switch o.Kind {
	case Held:
		d.files[o.File] = &file{durable: bytes.Clone(o.Data), now: bytes.Clone(o.Data), sectors: map[int][]version{}}
		d.names[o.Name] = o.File
	case Create:
		d.files[o.File] = &file{sectors: map[int][]version{}}
		d.changes = append(d.changes, o)
	case Write:
		d.files[o.File].write(i, int(o.Off), o.Data)
	case Truncate:
		d.files[o.File].truncate(i, int(o.Off))
	case Sync:
		d.files[o.File].sync(o.Failed)
	case Link, Rename, Unlink:
		d.changes = append(d.changes, o)
	case SyncDir:
		d.names = named(d.names, d.changes, always)
		d.changes = nil
	}
}

// named gives the names after those changes that are taken.
func named(names map[string]int, changes []Op, take func(i int) bool) map[string]int {
	names = maps.Clone(names)
	for i, o := range changes {
		if !take(i) {
			continue
		}
		n, there := names[o.Name]
		switch o.Kind {
		case Create:
			names[o.Name] = o.File
		case Link:
			if there {
				names[o.To] = n
			}
		case Rename:
			if there {
				delete(names, o.Name)
				names[o.To] = n
			}
		case Unlink:
			delete(names, o.Name)
		}
	}
	return names
}

func (f *file) write(op, off int, data []byte) {
	if end := off + len(data); end > len(f.now) {
		f.now = append(f.now, make([]byte, end-len(f.now))...)
		f.lengths = append(f.lengths, length{op: op, bytes: end})
	}
	copy(f.now[off:], data)
	f.note(op, off, off+len(data))
}

func (f *file) truncate(op, size int) {
	if old := len(f.now); size < old {
		clear(f.now[size:])
		f.note(op, size, old)
		f.now = f.now[:size]
	} else {
		f.now = append(f.now, make([]byte, size-old)...)
	}
	f.lengths = append(f.lengths, length{op: op, bytes: size})
}

// note adds what the sectors from a place to another hold now.
func (f *file) note(op, from, to int) {
	for s := from / sector; s*sector < to; s++ {
		b := make([]byte, sector)
		copy(b, f.now[s*sector:])
		f.sectors[s] = append(f.sectors[s], version{op: op, number: s, bytes: b})
	}
}

func (f *file) sync(failed bool) {
	if failed {
		for _, vs := range f.sectors {
			for i := range vs {
				vs[i].forgotten = true
			}
		}
		for i := range f.lengths {
			f.lengths[i].forgotten = true
		}
		return
	}
	size := len(f.durable)
	if n := len(f.lengths); n > 0 && !f.lengths[n-1].forgotten {
		size, f.lengths = f.lengths[n-1].bytes, nil
	}
	for s, vs := range f.sectors {
		if last := vs[len(vs)-1]; !last.forgotten {
			size = max(size, min((s+1)*sector, len(f.now))) // bytes that are synced can be read
		}
	}
	f.durable = resized(f.durable, size)
	for s, vs := range f.sectors {
		if last := vs[len(vs)-1]; !last.forgotten {
			if s*sector < size {
				copy(f.durable[s*sector:], last.bytes)
			}
			delete(f.sectors, s)
		}
	}
}

// resized gives a length to bytes; what is new is zero.
func resized(b []byte, size int) []byte {
	if size <= len(b) {
		return b[:size:size]
	}
	return append(b, make([]byte, size-len(b))...)
}

// image is what the file holds if of each sector that version is there which pick says, and of the lengths that one; a
// negative number is the durable one.
func (f *file) image(pick func(vs []version) int, long func(ls []length) int) []byte {
	size := len(f.durable)
	if len(f.lengths) > 0 {
		if i := long(f.lengths); i >= 0 {
			size = f.lengths[i].bytes
		}
	}
	b := make([]byte, size)
	copy(b, f.durable)
	for _, s := range slices.Sorted(maps.Keys(f.sectors)) { // sorted, so that a seed gives the same image each time
		if i := pick(f.sectors[s]); i >= 0 && s*sector < size {
			copy(b[s*sector:], f.sectors[s][i].bytes)
		}
	}
	return b
}
