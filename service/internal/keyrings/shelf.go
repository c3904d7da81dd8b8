package keyrings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// newBytes is what a new keyring counts for besides its size, against what an address may store in a day: a keyring
// that was removed leaves its name in the store.
const newBytes = 64 << 10

// rereads is how often a change is decided again because somebody else was quicker.
const rereads = 8

// kept is a keyring as it is stored.
type kept struct {
	mark    eventstore.Mark
	sealed  []byte
	updated time.Time
	// held is true if it has a place among the keyrings that hold something, even if it has expired.
	held bool
}

// empty is true for one that was deleted or removed, and for none.
func (k *kept) empty() bool { return len(k.sealed) == 0 }

// etag names a version of a keyring. Every encryption has a nonce of its own, so no two versions have the same one.
// Where nothing is kept it counts what was written before, so that a keyring made and removed since changes it.
func (k *kept) etag() string {
	if k.empty() {
		written := k.mark.Meta
		if k.held {
			written++ // it has expired, and the next sweep writes that down
		}
		return fmt.Sprintf("none-%d", written)
	}
	hash := tokens.HashOf(string(k.sealed))
	return tokens.Spelling.EncodeToString(hash[:16])
}

// read returns what is stored at a place. What has expired counts as removed.
func (s *Server) read(ctx context.Context, stream string) (*kept, error) {
	info, err := s.Store.Head(ctx, stream)
	if errors.Is(err, eventstore.ErrNotFound) {
		return new(kept), nil
	}
	if err != nil {
		return nil, fault.FromStore(err)
	}
	k, err := decode(info)
	if err == nil && s.expired(k) {
		k.sealed = nil
	}
	return k, err
}

func decode(info eventstore.StreamInfo) (*kept, error) {
	stored := new(logv1.SealedKeyring)
	if err := proto.Unmarshal(info.Meta, stored); err != nil {
		return nil, fmt.Errorf("decode a keyring: %w", err)
	}
	return &kept{info.Mark(), stored.Sealed, stored.UpdateTime.AsTime(), len(stored.Sealed) > 0}, nil
}

func (s *Server) expired(k *kept) bool { return !k.empty() && !s.Clock().Before(k.updated.Add(s.Keep)) }

// replace stores another keyring in place of the one that was read. changed is true if somebody else was quicker.
func (s *Server) replace(ctx context.Context, stream string, old, fresh *kept) (changed bool, err error) {
	data, err := proto.Marshal(&logv1.SealedKeyring{Sealed: fresh.sealed, UpdateTime: timestamppb.New(fresh.updated)})
	if err != nil {
		return false, err
	}
	return s.Host.replace(ctx, stream, old.mark, data)
}

// replace sets the metadata of a stream, which is made if it does not exist, in place of those that were read. changed
// is true if somebody else was quicker. It begins nothing for a caller who has gone, but finishes what it has begun.
func (h Host) replace(ctx context.Context, stream string, old eventstore.Mark, data []byte) (changed bool, err error) {
	if ctx.Err() != nil {
		return false, fault.FromStore(ctx.Err())
	}
	ctx, cancel := outlasting(ctx)
	defer cancel()
	if old.Version == 0 {
		err = h.Store.Append(ctx, eventstore.Append{
			Stream: stream, Entries: []eventstore.Entry{{Data: []byte("keyring")}}, Meta: data,
		})
	} else {
		err = h.Store.SetMeta(ctx, stream, data, old.Meta)
	}
	var made *eventstore.ConflictError
	var set *eventstore.MetaConflictError
	if errors.As(err, &made) || errors.As(err, &set) {
		return true, nil
	}
	if err != nil {
		return false, fault.FromStore(err)
	}
	return false, nil
}

// put stores contents in place of the version that an etag names, and returns what is stored then. Without an etag it
// stores them where nothing is kept, whatever was there before.
func (s *Server) put(ctx context.Context, p place, content []byte, etag string) (*kept, error) {
	for range rereads {
		old, err := s.read(ctx, p.stream)
		if err != nil {
			return nil, err
		}
		if old.etag() != etag && !(etag == "" && old.empty()) {
			// A request that comes again finds what it has stored.
			if had, err := p.unseal(old.sealed); err == nil && !old.empty() && bytes.Equal(had, content) {
				return old, nil
			}
			return nil, fault.New(fault.KeyringChanged, "the keyring is not the one that the caller has read")
		}
		sealed, err := p.seal(content)
		if err != nil {
			return nil, err
		}
		admit := func() error { return s.admit(ctx, old, len(sealed)) }
		done := func(outcome) {}
		if old.held {
			err = admit()
		} else {
			done, err = s.places.take(ctx, s.Most, old.mark.Version == 0, admit)
		}
		if err != nil {
			return nil, err
		}
		fresh := &kept{sealed: sealed, updated: s.Clock()}
		changed, err := s.replace(ctx, p.stream, old, fresh)
		switch {
		case errors.Is(err, eventstore.ErrUncertain):
			done(notKnown)
		case err != nil || changed: // any other error says that nothing was stored
			done(notStored)
		default:
			done(stored)
			return fresh, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fault.New(fault.KeyringChanged, "the keyring changes too quickly")
}

// admit says why a keyring of a size may not be stored.
func (s *Server) admit(ctx context.Context, old *kept, size int) error {
	if size > len(old.sealed) && !s.Room() {
		return fault.New(fault.StoreFull, "the store has room for what belongs to games alone").Quota("store")
	}
	if old.mark.Version == 0 {
		size += newBytes
	}
	return s.Charge(ctx, size)
}

// forget empties a keyring, and reports whether it did. The name stays.
func (s *Server) forget(ctx context.Context, stream string, still func(*kept) bool) (emptied bool, err error) {
	for range rereads {
		info, err := s.Store.Head(ctx, stream)
		if errors.Is(err, eventstore.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, fault.FromStore(err)
		}
		old, err := decode(info)
		if err != nil || old.empty() || !still(old) {
			return false, err
		}
		count, err := s.places.emptying(ctx)
		if err != nil {
			return false, err
		}
		changed, err := s.replace(ctx, stream, old, &kept{updated: s.Clock()})
		if err != nil {
			return false, err
		}
		if !changed {
			count()
			return true, nil
		}
	}
	return false, fault.New(fault.KeyringChanged, "the keyring changes too quickly")
}

// sweepPage is how many keyrings are looked at at once: each may have a quarter of a megabyte.
const sweepPage = 16

// Sweep removes the keyrings that nobody has written for too long, and counts those that hold nothing. Servers that
// share a store may sweep at once.
func (s *Server) Sweep(ctx context.Context) (removed int, err error) {
	emptied := 0
	counted, err := s.places.counting(ctx)
	if err != nil {
		return 0, err
	}
	for after := ""; ; {
		page, err := s.Store.List(ctx, streams.Keyrings, after, sweepPage)
		var corrupt *eventstore.CorruptError
		if errors.As(err, &corrupt) && corrupt.Stream > after {
			after = corrupt.Stream
			continue
		}
		if err != nil {
			return removed, err
		}
		if len(page) == 0 {
			return removed, counted(emptied)
		}
		for _, info := range page {
			after = info.Name
			k, err := decode(info)
			if err == nil && !k.held {
				emptied++
			}
			if err != nil || !s.expired(k) {
				continue
			}
			gone, err := s.forget(ctx, info.Name, s.expired)
			if err != nil {
				return removed, err
			}
			if gone {
				removed++
				emptied++
			}
		}
	}
}
