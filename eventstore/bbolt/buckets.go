package boltstore

import (
	"errors"
	"fmt"

	"github.com/warledger/warledger/eventstore"
	bolt "go.etcd.io/bbolt"
)

var errNoHead = errors.New("the stream's head is missing")

// buckets are those of one transaction.
type buckets struct {
	names, log, keys tree
	textKeys         tree // of a file that is not up to date; see upgrade.go
	stranded         tree // where something was kept apart; see merge.go

	pending      *pending                 // what goes on from the file
	maxUnindexed int                      // for the writer: how many keys may be missing from the index
	memory       map[string]*streamMemory // for the writer: see stream_memory.go
	lastID       *uint64                  // for the writer: the last stream id given
}

func bucketsOf(tx *bolt.Tx) buckets {
	m := mapOf(tx)
	return buckets{
		names: treeOf(tx, m, bucketNames), log: treeOf(tx, m, bucketLog), keys: treeOf(tx, m, bucketIndex),
		textKeys: treeOf(tx, m, bucketKeys), stranded: treeOf(tx, m, bucketStranded),
	}
}

// judge decides for each request whether it can be stored, and stages those that can: requests see those before
// them in the batch. Nothing is written here, so a refused request leaves no trace. Damage to one stream
// refuses its requests only.
func (s *Store) judge(b buckets, batch []*request) *outcome {
	if len(s.memory) >= rememberedStreams {
		clear(s.memory)
	}
	b.memory = s.memory
	out := &outcome{stored: make([]*request, 0, len(batch))}
	for _, r := range batch {
		k, err := b.checkSafely(r)
		if err != nil {
			out.refusals = append(out.refusals, refusal{r, err})
			continue
		}
		if len(k.staged) == 0 {
			out.streams = append(out.streams, staged{r.stream, k})
		}
		k.staged = append(k.staged, r)
		r.base = k.head.version
		out.stored = append(out.stored, r)
		if len(r.entries) == 0 {
			continue
		}
		out.appends++
		out.entries += len(r.entries)
		out.bytes += r.size
	}
	return out
}

// checkSafely is check for a batch, which goes on without a request whose stream's pages are damaged.
func (b buckets) checkSafely(r *request) (k *streamMemory, err error) {
	defer func() { err = recovered(recover(), r.stream, err) }()
	return b.check(r)
}

// check returns what is known of the stream, or why the request is refused.
func (b buckets) check(r *request) (*streamMemory, error) {
	k, err := b.recall(r.stream)
	switch {
	case err != nil:
		return nil, err
	case len(r.entries) > 0:
		return k, b.accepts(r, k)
	case !k.exists():
		return nil, notFound(r.stream)
	}
	return k, b.acceptsMeta(r, k)
}

// find returns the id of the stream and its head, or 0 when there is no such stream. A stream of which something was
// kept apart is not shown, even if its head is sound again: acknowledged entries would be missing from it.
func (b buckets) find(stream string) (id uint64, h head, err error) {
	if b.stranded.exists() && b.stranded.Get([]byte(stream)) != nil {
		return 0, head{}, corrupt(stream, 0, errStranded)
	}
	raw := b.names.Get([]byte(stream))
	if raw == nil {
		return 0, head{}, nil
	}
	if id, err = decodeNumber(kindName, stream, "", raw); err != nil {
		return 0, head{}, corrupt(stream, 0, fmt.Errorf("id: %w", err))
	}
	raw = b.log.Get(logKey(id, headVersion))
	if raw == nil {
		return 0, head{}, corrupt(stream, 0, errNoHead)
	}
	if h, err = decodeHead(stream, raw); err != nil {
		return 0, head{}, corrupt(stream, 0, fmt.Errorf("head: %w", err))
	}
	return id, h, nil
}

// findSafely is find for those who go on without the stream if its pages are damaged.
func (b buckets) findSafely(stream string) (id uint64, h head, err error) {
	defer func() { err = recovered(recover(), stream, err) }()
	return b.find(stream)
}

// put writes a request into the file. bbolt keeps the values until the commit; they are the request's own.
func (b buckets) put(r *request, k *streamMemory) (err error) {
	if k.id == 0 {
		*b.lastID++
		k.id = *b.lastID
		if err := b.names.Put([]byte(r.stream), encodeNumber(kindName, r.stream, "", k.id)); err != nil {
			return err
		}
	}
	if r.meta != nil {
		if err := b.log.Put(logKey(k.id, metaVersion), r.meta); err != nil {
			return err
		}
		k.metaVersion, k.metaKnown = r.metaVersion, true
	}
	if len(r.entries) == 0 {
		return nil
	}
	return b.extend(r, k)
}

func notFound(stream string) error {
	return fmt.Errorf("%w: %q", eventstore.ErrNotFound, stream)
}
