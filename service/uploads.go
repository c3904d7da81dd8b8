package service

import (
	"bytes"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/warledger/warledger/service/fault"
)

const (
	// mostImport is as much as one append of the store takes, with room for what is not records.
	mostImport = 60 << 20
	// maxPart is the size of a part of a file.
	maxPart = 1 << 20
	// uploadRest is how long an import may rest before another may have its place.
	uploadRest = time.Minute
)

// imports are the files that are being taken in, in memory: a server that stops forgets them, and the client begins again.
type imports struct {
	limit int
	mu    sync.Mutex
	byID  map[uuid.UUID]*upload
}

// upload is a file as far as it has come. One call at a time works on it.
type upload struct {
	busy chan struct{}
	data []byte
	used time.Time
}

func newImports(limit int) *imports { return &imports{limit: limit, byID: make(map[uuid.UUID]*upload)} }

// find gives the upload of a request, a new one if it is not known.
func (i *imports) find(request uuid.UUID, now time.Time) (*upload, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	u := i.byID[request]
	if u == nil {
		i.drop(now)
		if len(i.byID) >= i.limit {
			return nil, fault.New(fault.TooManyImports, "%d files are being imported already", len(i.byID)).
				With("limit", i.limit).Quota("imports").RetryAfter(uploadRest)
		}
		u = &upload{busy: make(chan struct{}, 1)}
		i.byID[request] = u
	}
	u.used = now
	return u, nil
}

// done forgets an upload.
func (i *imports) done(request uuid.UUID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.byID, request)
}

// forget lets uploads go that rest.
func (i *imports) forget(now time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.drop(now)
}

// drop is forget for who holds the lock.
func (i *imports) drop(now time.Time) {
	for id, u := range i.byID {
		if now.Sub(u.used) > uploadRest && len(u.busy) == 0 {
			delete(i.byID, id)
		}
	}
}

// take adds a part. One that has come before must be the same.
func (u *upload) take(offset uint64, part []byte, limit int) error {
	have := uint64(len(u.data))
	if offset > have {
		return fault.New(fault.ImportGap, "the part begins at byte %d, and %d bytes have come", offset, have).With("received", have)
	}
	known := u.data[offset:min(have, offset+uint64(len(part)))]
	if !bytes.Equal(known, part[:len(known)]) {
		return fault.New(fault.RequestIDReused, "other bytes came before under this id, from byte %d on", offset).With("version", 0)
	}
	if len(u.data)+len(part)-len(known) > limit {
		return fault.New(fault.ImportTooLarge, "the file has more than %d bytes", limit).With("limit", limit).Quota("bytes of a file")
	}
	u.data = append(u.data, part[len(known):]...)
	return nil
}
