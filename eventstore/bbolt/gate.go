package boltstore

import "sync/atomic"

// gate holds readers back from what is visible in the file but perhaps not durable: for each stream of the batch
// being committed, the last version from before it.
//
// A reader must look at the gate after its read transaction began. If its snapshot holds the batch, then either the
// gate is still shut for that batch, or the batch is durable by now; a gate shut for a later batch lets everything older pass.
type gate struct {
	durable atomic.Pointer[map[string]uint64]
}

// shut is called by the writer before it commits.
func (g *gate) shut(durable map[string]uint64) { g.durable.Store(&durable) }

// open is called by the writer when everything visible is durable.
func (g *gate) open() { g.durable.Store(nil) }

// limit returns the version up to which the stream may be shown, at most the version given.
func (g *gate) limit(stream string, version uint64) uint64 {
	if durable := g.durable.Load(); durable != nil {
		if v, ok := (*durable)[stream]; ok {
			return min(v, version)
		}
	}
	return version
}
