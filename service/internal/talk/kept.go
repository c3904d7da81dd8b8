package talk

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// lookAgain is the age after which a kept stream is read again even if the store has reported nothing newer: a store
// restored to an older state reports nothing.
const lookAgain = 15 * time.Second

// decodedBytes is how many bytes a decoded room takes for each byte of its encoding, about.
const decodedBytes = 3

// kept holds the contents of a followed stream, decoded once for all who follow it. Nobody changes the decoded message.
type kept struct {
	// reading is held by whoever reads the stream, while others wait for the same.
	reading chan struct{}
	what    proto.Message
	// pages are those that what was decoded has its messages from, by number.
	pages   map[uint64]*readPage
	version uint64
	looked  time.Time
	bytes   int
	gone    bool
}

func newKept() kept { return kept{reading: make(chan struct{}, 1)} }

// letGo frees the memory of a stream that nobody follows any more, once nobody reads it.
func (k *kept) letGo(beside func(bytes int)) {
	select {
	case k.reading <- struct{}{}:
		defer func() { <-k.reading }()
		k.drop(beside)
	default:
		go func() {
			k.reading <- struct{}{}
			defer func() { <-k.reading }()
			k.drop(beside)
		}()
	}
}

// drop forgets what was decoded, for good. The caller reads.
func (k *kept) drop(beside func(bytes int)) {
	beside(-k.bytes)
	k.what, k.pages, k.bytes, k.gone = nil, nil, 0, true
}

// kind is a kind of stream that is read.
type kind[M proto.Message] struct {
	fresh func() M
	// rest reads what the stream keeps elsewhere into a message; nil for nothing. had is what was read before.
	rest func(
		ctx context.Context, t *Talk, stream string, into M, had map[uint64]*readPage,
	) (map[uint64]*readPage, error)
}

var (
	books = kind[*logv1.TalkBook]{fresh: newBook}
	rooms = kind[*logv1.TalkRoom]{newRoom, gather}
)

// room reads a room with the messages of all its pages. Nobody may change it.
func (t *Talk) room(ctx context.Context, stream string, news bool) (*logv1.TalkRoom, uint64, error) {
	for range rereads {
		room, version, err := read(ctx, t, stream, rooms, news)
		if !errors.Is(err, errEmptied) {
			return room, version, err
		}
		news = false
	}
	return nil, 0, torn(stream)
}

// read gives what a stream has as a message that nobody may change, and its version. Of a stream that is followed it is
// decoded once for all. news is enough for whoever was woken: what the store has told of, which may be in memory.
// Otherwise the store is asked.
func read[M proto.Message](ctx context.Context, t *Talk, stream string, what kind[M], news bool) (M, uint64, error) {
	w := t.taps.of(stream)
	if w == nil {
		k := newKept()
		return fill(ctx, t, stream, what, &k)
	}
	k := &w.kept
	select {
	case k.reading <- struct{}{}:
	case <-ctx.Done():
		return *new(M), 0, ctx.Err()
	}
	defer func() { <-k.reading }()
	had, decoded := k.what.(M)
	if news && decoded && k.version >= w.told.Load() && time.Since(k.looked) < lookAgain {
		return had, k.version, nil
	}
	before := k.bytes
	out, version, err := fill(ctx, t, stream, what, k)
	t.host.Beside(k.bytes - before)
	return out, version, err
}

// fill reads a stream and keeps what it has, unless that is kept already or is not to be kept any more.
func fill[M proto.Message](ctx context.Context, t *Talk, stream string, what kind[M], k *kept) (M, uint64, error) {
	had, decoded := k.what.(M)
	looked := time.Now()
	info, exists, err := t.head(ctx, stream)
	if err != nil {
		return *new(M), 0, err
	}
	if decoded && info.MetaVersion == k.version {
		k.looked = looked
		return had, k.version, nil
	}
	out, bytes, pages := what.fresh(), len(info.Meta), map[uint64]*readPage(nil)
	if exists {
		if err := decode(stream, info.Meta, out); err != nil {
			return *new(M), 0, err
		}
		if what.rest != nil {
			if pages, err = what.rest(ctx, t, stream, out, k.pages); err != nil {
				return *new(M), 0, err
			}
		}
	}
	for _, p := range pages {
		bytes += p.bytes
	}
	if !k.gone {
		k.what, k.pages, k.version, k.looked, k.bytes = out, pages, info.MetaVersion, looked, decodedBytes*bytes
	}
	return out, info.MetaVersion, nil
}
