package talk

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
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
	k.what, k.bytes, k.gone = nil, 0, true
}

// read gives what a stream has as a message that nobody may change, and its version. Of a stream that is followed it is
// decoded once for all. news is enough for whoever was woken: what the store has told of, which may be in memory.
// Otherwise the store is asked.
func read[M proto.Message](ctx context.Context, t *Talk, stream string, fresh func() M, news bool) (M, uint64, error) {
	w := t.taps.of(stream)
	if w == nil {
		out := fresh()
		version, _, err := t.load(ctx, stream, out)
		return out, version, err
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
	looked := time.Now()
	info, exists, err := t.head(ctx, stream)
	if err != nil {
		return *new(M), 0, err
	}
	k.looked = looked
	if decoded && info.MetaVersion == k.version {
		return had, k.version, nil
	}
	out := fresh()
	if exists {
		if err := decode(stream, info.Meta, out); err != nil {
			return *new(M), 0, err
		}
	}
	if !k.gone {
		t.host.Beside(decodedBytes*len(info.Meta) - k.bytes)
		k.what, k.version, k.bytes = out, info.MetaVersion, decodedBytes*len(info.Meta)
	}
	return out, info.MetaVersion, nil
}
