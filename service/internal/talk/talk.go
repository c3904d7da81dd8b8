package talk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// Limits bound what is said in a game. A zero field has its default.
type Limits struct {
	// Off stops all talk.
	Off bool
	// Characters is the maximum length of a message; 1000 by default.
	Characters int
	// Messages and Bytes are how much a room keeps: the table of a game, one side, the notes of one seat. 500 messages
	// and 128 KiB.
	Messages, Bytes int
	// PerMinute is how many messages a seat may write to one room in a minute, and how often it, or the owner, may
	// change the book; 10.
	PerMinute int
}

// mostBytes is how large a room may be allowed to grow: whoever begins to read it reads all of it. leastBytes has room
// for the longest message.
const (
	mostBytes  = 512 << 10
	leastBytes = 16 << 10
	// mostCharacters is how long a message may be allowed to be.
	mostCharacters = 2000
	mostMessages   = 5000
	mostPerMinute  = 600
)

// WithDefaults fills in what is not given and keeps the rest within what can be stored.
func (l Limits) WithDefaults() Limits {
	within := func(n *int, usual, least, most int) {
		if *n <= 0 {
			*n = usual
		}
		*n = min(max(*n, least), most)
	}
	within(&l.Characters, 1000, 1, mostCharacters)
	within(&l.Messages, 500, 1, mostMessages)
	within(&l.Bytes, 128<<10, leastBytes, mostBytes)
	within(&l.PerMinute, 10, 1, mostPerMinute)
	return l
}

// Host is what talk needs of the service around it.
type Host struct {
	// Store keeps the rooms, and Clock is the service's.
	Store eventstore.Store
	Clock func() time.Time
	// Limits have their defaults.
	Limits Limits
	// Beside counts bytes that talk takes in memory, or gives back.
	Beside func(bytes int)
	// Charge counts bytes that a call writes, and refuses them if its caller has written too many.
	Charge func(ctx context.Context, bytes int) error
}

// Talk keeps what is said in games.
type Talk struct {
	host  Host
	taps  taps
	turns turns
}

// New makes it. Close it before the store.
func New(h Host) *Talk { return &Talk{host: h, taps: newTaps(h.Store, h.Beside)} }

// Limits are those that hold.
func (t *Talk) Limits() Limits { return t.host.Limits }

// Close ends all following.
func (t *Talk) Close() { t.taps.close() }

// load reads what a stream keeps into a message, with its version; exists is false for a stream that does not
// exist, which has nothing.
func (t *Talk) load(ctx context.Context, stream string, into proto.Message) (version uint64, exists bool, err error) {
	info, exists, err := t.head(ctx, stream)
	if err != nil || !exists {
		return 0, false, err
	}
	return info.MetaVersion, true, decode(stream, info.Meta, into)
}

func (t *Talk) head(ctx context.Context, stream string) (info eventstore.StreamInfo, exists bool, err error) {
	info, err = t.host.Store.Head(ctx, stream)
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		return eventstore.StreamInfo{}, false, nil
	case err != nil:
		return eventstore.StreamInfo{}, false, fault.FromStore(err)
	}
	return info, true, nil
}

func decode(stream string, data []byte, into proto.Message) error {
	if err := proto.Unmarshal(data, into); err != nil {
		return fault.New(fault.LogCorrupt, "the talk of the game is damaged").
			Because(fmt.Errorf("%s: %w", stream, err))
	}
	return nil
}

// attempts is how often a change is tried while other servers change the same room. In a busy room in a database about
// half of the attempts fail. Pauses between attempts are no longer than longestPause.
const (
	attempts     = 40
	longestPause = 32 * time.Millisecond
)

// errSame is what a change returns that has nothing to change. It is no error.
var errSame = errors.New("nothing changes")

// change replaces what a stream keeps, by a function that may run several times and is told the version that it
// changes. Of several changes made of the same version one wins; the others are made again. Those of this server take
// turns, so that it loses to other servers only.
func change[M proto.Message](
	ctx context.Context, t *Talk, stream string, fresh func() M, f func(kept M, version uint64) error,
) error {
	done, err := t.turns.take(ctx, stream)
	if err != nil {
		return err
	}
	defer done()
	for try := range attempts {
		kept := fresh()
		version, exists, err := t.load(ctx, stream, kept)
		if err != nil {
			return err
		}
		switch err := f(kept, version); {
		case errors.Is(err, errSame):
			return nil
		case errors.Is(err, errEmptied) && try == attempts-1:
			return torn(stream)
		case errors.Is(err, errEmptied): // by somebody who was quicker
		case err != nil:
			return err
		default:
			data, err := proto.Marshal(kept)
			if err != nil {
				return err
			}
			if err = t.store(ctx, stream, data, version, exists); err == nil {
				return nil
			} else if !lost(err) {
				return fault.FromStore(err)
			}
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(min(int64(try+1)*int64(4*time.Millisecond), int64(longestPause))))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fault.New(fault.StoreFailed, "too many changes at the same time; try again").With("uncertain", false)
}

// free is for what may be done by whoever has used up what they may store, such as deleting.
func free(int) error { return nil }

func (t *Talk) store(ctx context.Context, stream string, data []byte, version uint64, exists bool) error {
	if exists {
		return t.host.Store.SetMeta(ctx, stream, data, version)
	}
	return t.host.Store.Append(ctx,
		eventstore.Append{Stream: stream, Entries: []eventstore.Entry{{Data: []byte("talk")}}, Meta: data})
}

// lost reports whether somebody else was quicker.
func lost(err error) bool {
	var behind *eventstore.MetaConflictError
	var exists *eventstore.ConflictError
	return errors.As(err, &behind) || errors.As(err, &exists)
}

func newRoom() *logv1.TalkRoom { return new(logv1.TalkRoom) }

func newBook() *logv1.TalkBook { return new(logv1.TalkBook) }

func (t *Talk) book(ctx context.Context, game string) (*logv1.TalkBook, error) {
	book := newBook()
	_, _, err := t.load(ctx, streams.TalkBook(game), book)
	return book, err
}
