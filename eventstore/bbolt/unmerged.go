package boltstore

import (
	"slices"
	"strings"
	"sync"

	"github.com/warledger/warledger/eventstore"
)

// pending holds what is committed and not merged yet: durable in the bucket "recent", and as visible as the rest. The
// writer adds to it; a merge moves all of it into the streams and begins a new one. A stream goes on in pending from
// what is merged. If a reader finds a part of it merged too, both say the same.
type pending struct {
	mu      sync.RWMutex
	streams map[string]*unmerged
	order   []string // of the streams, as they came
	entries int
	bytes   int // of all values
}

// unmerged is the pending part of one stream.
type unmerged struct {
	base    uint64 // the stream's version when all before was merged
	entries []record
	hash    eventstore.Hash // of the last entry, if there are any
	keys    map[string]uint64

	meta        []byte // encoded; nil if what the file has holds
	metaVersion uint64 // of meta

	broken error // the stream cannot be trusted: some of what was kept of it is damaged
}

func newPending() *pending { return &pending{streams: make(map[string]*unmerged)} }

// version is that of the stream with what is pending.
func (l *unmerged) version() uint64 { return l.base + uint64(len(l.entries)) }

// of returns the pending part of a stream as of now. Its entries no longer change; look up its keys only with
// keyVersion.
func (p *pending) of(stream string) (l unmerged, found bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if at := p.streams[stream]; at != nil {
		return *at, true
	}
	return unmerged{}, false
}

// keyVersion is the version of the pending entry that has a key, 0 if none has.
func (p *pending) keyVersion(stream, key string) uint64 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if at := p.streams[stream]; at != nil {
		return at.keys[key]
	}
	return 0
}

// names returns, in order, the names of the streams that begin with a prefix and come after a name.
func (p *pending) names(prefix, after string) (names []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for name := range p.streams {
		if name > after && strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// add adds requests that have become durable. The base of each is the version that the file has of its stream.
func (p *pending) add(requests []*request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range requests {
		l := p.streams[r.stream]
		if l == nil {
			l = &unmerged{base: r.base}
			p.streams[r.stream] = l
			p.order = append(p.order, r.stream)
		}
		if r.meta != nil {
			l.meta, l.metaVersion = r.meta, r.metaVersion
			p.bytes += len(r.meta)
		}
		p.entries += len(r.entries)
		for i, e := range r.entries {
			p.bytes += len(e.value)
			if e.key == "" {
				continue
			}
			if l.keys == nil {
				l.keys = make(map[string]uint64)
			}
			l.keys[e.key] = r.expected + uint64(i) + 1
		}
		if len(r.entries) > 0 {
			l.entries, l.hash = append(l.entries, r.entries...), r.head.hash
		}
	}
}

// merged returns the pending part of a stream as one request.
func (l *unmerged) merged(stream string) *request {
	r := &request{stream: stream, expected: l.base, entries: l.entries, meta: l.meta, metaVersion: l.metaVersion}
	r.head.version, r.head.hash = l.version(), l.hash
	return r
}

// breaks marks a stream as damaged.
func (p *pending) breaks(stream string, base uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.streams[stream]
	if l == nil {
		l = &unmerged{base: base}
		p.streams[stream] = l
		p.order = append(p.order, stream)
	}
	l.broken = err
}
