// Package uploads holds the files that are being imported, in memory, part by part. A server that stops forgets them,
// and the client begins again.
package uploads

import (
	"bytes"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/warledger/warledger/service/fault"
)

const (
	// MaxFile is as much as one append of the store takes, with room for what is not records.
	MaxFile = 60 << 20
	// MaxPart is the size of a part of a file.
	MaxPart = 1 << 20
	// uploadRest is how long an import may wait for its next part before another may have its place.
	uploadRest = 10 * time.Second
	// uploadLife is how long an import may wait when nobody wants its place.
	uploadLife = time.Minute
	// uploadPace is how many bytes a second an import must bring, on the average since uploadRest after its first part,
	// to keep its place when another wants it: one that brings a byte now and then does not rest.
	uploadPace = 16 << 10
)

// Table are the files that are being taken in, in memory: a server that stops forgets them, and the client
// begins again. Places and memory are shared: a caller has few of the places, and whoever rests or dawdles loses
// theirs to whoever wants it.
type Table struct {
	// places is how many there are, each how many one caller has, and bytes how much all may hold.
	places, each, bytes int
	mu                  sync.Mutex
	byID                map[uuid.UUID]*upload
	held                int
}

// upload is a file as far as it has come. One call at a time works on it.
type upload struct {
	request uuid.UUID
	Busy    chan struct{}
	Data    []byte
	// caller is who began it; empty for one who is not bounded.
	caller      string
	begun, used time.Time
	// held is how much of what all imports may hold is this one's. The lock of the imports guards it.
	held int
}

// New makes an empty table with so many places, so many of them for one caller, and bytes for all.
func New(places, each, bytes int) *Table {
	return &Table{places: places, each: each, bytes: bytes, byID: make(map[uuid.UUID]*upload)}
}

// Find gives the upload of a request, a new one if it is not known.
func (i *Table) Find(request uuid.UUID, caller string, now time.Time) (*upload, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	u := i.byID[request]
	if u != nil {
		u.used = now
		return u, nil
	}
	if n := i.of(caller); caller != "" && n >= i.each {
		i.drop(now, (*upload).late) // perhaps the caller's own
		if n = i.of(caller); n >= i.each {
			return nil, tooManyImports(i.each, "%d files of this caller are being imported already", n).
				Quota("imports of one caller")
		}
	}
	if len(i.byID) >= i.places {
		i.drop(now, (*upload).late)
	}
	if n := len(i.byID); n >= i.places {
		return nil, tooManyImports(i.places, "%d files are being imported already", n).Quota("imports")
	}
	u = &upload{request: request, Busy: make(chan struct{}, 1), caller: caller, begun: now, used: now}
	i.byID[request] = u
	return u, nil
}

func tooManyImports(limit int, format string, args ...any) *fault.Error {
	return fault.New(fault.TooManyImports, format, args...).With("limit", limit).RetryAfter(uploadRest)
}

// of counts the imports of a caller. Callers hold the lock.
func (i *Table) of(caller string) (n int) {
	for _, u := range i.byID {
		if u.caller == caller {
			n++
		}
	}
	return n
}

// Hold takes memory for a part of an upload, if there is room.
func (i *Table) Hold(u *upload, more int, now time.Time) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.byID[u.request] != u { // its place was lost while the call came in
		return importGap(0, 0)
	}
	if i.held+more > i.bytes {
		i.drop(now, (*upload).late)
	}
	if i.held+more > i.bytes {
		return tooManyImports(i.bytes, "the files that are being imported have %d bytes together",
			i.held).Quota("bytes of all imports")
	}
	i.held += more
	u.held += more
	return nil
}

// Done forgets an upload.
func (i *Table) Done(u *upload) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.byID[u.request] == u {
		i.remove(u)
	}
}

// remove takes an upload out of the table. Callers hold the lock.
func (i *Table) remove(u *upload) {
	delete(i.byID, u.request)
	i.held -= u.held
}

// Forget lets uploads go that nobody will end.
func (i *Table) Forget(now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.drop(now, func(u *upload, now time.Time) bool { return now.Sub(u.used) > uploadLife })
}

// drop lets uploads go, but for those that a call works on. Callers hold the lock.
func (i *Table) drop(now time.Time, which func(*upload, time.Time) bool) {
	for _, u := range i.byID {
		if len(u.Busy) == 0 && which(u, now) {
			i.remove(u)
		}
	}
}

// late reports whether an upload rests, or brings too little. Callers hold the lock of the imports.
func (u *upload) late(now time.Time) bool {
	due := time.Duration(float64(u.held) / uploadPace * float64(time.Second))
	return now.Sub(u.used) > uploadRest || now.Sub(u.begun) > uploadRest+due
}

func importGap(offset, have uint64) error {
	return fault.New(fault.ImportGap, "the part begins at byte %d, and %d bytes have come",
		offset, have).With("received", have)
}

// Take adds a part. One that has come before must be the same. hold is asked for memory before it is used.
func (u *upload) Take(offset uint64, part []byte, limit int, hold func(more int) error) error {
	have := uint64(len(u.Data))
	if offset > have {
		return importGap(offset, have)
	}
	known := u.Data[offset:min(have, offset+uint64(len(part)))]
	if !bytes.Equal(known, part[:len(known)]) {
		return fault.New(fault.RequestIDReused, "other bytes came before under this id, from byte %d on",
			offset).With("version", 0)
	}
	more := part[len(known):]
	if len(u.Data)+len(more) > limit {
		return fault.New(fault.ImportTooLarge, "the file has more than %d bytes", limit).With("limit",
			limit).Quota("bytes of a file")
	}
	if err := hold(len(more)); err != nil {
		return err
	}
	u.Data = append(u.Data, more...)
	return nil
}
