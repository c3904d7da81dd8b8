package keyrings

import (
	"context"
	"sync"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// places counts the keyrings in the store that hold nothing, whose places others may take: a store never deletes a
// stream, but says how many there are. Keyrings that this server empties or fills count at once. Those from before its
// start, and those of other servers on its store, count from the next sweep. What is not known counts as held, so the
// bound holds. Only servers that share a store can exceed it: by as many emptied keyrings as others have filled since
// the sweep.
type places struct {
	mu sync.Mutex
	// emptied is how many are known to hold nothing, less those that are being filled.
	emptied int
	// making is how many new ones are being stored, and filling how many emptied ones.
	making, filling int
	// filled is for how many emptied ones filling has begun since the start.
	filled int
}

// emptiedOne counts a keyring that was emptied.
func (p *places) emptiedOne() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.emptied++
}

// counting begins to count those that hold nothing. Call the function that it returns with the number found. Those that
// were filled meanwhile may be among them, and are subtracted.
func (p *places) counting() func(found int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.filled - p.filling
	return func(found int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.emptied = max(0, found-(p.filled-before))
	}
}

// take takes a place if fewer than most keyrings hold something; 0 is no bound. all is how many the store has. fresh is
// true for a keyring that the store does not have yet. Call done with whether it was stored.
func (p *places) take(all, most int, fresh bool) (held int, done func(stored bool), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	held = all + p.making - max(0, p.emptied)
	switch {
	case most > 0 && held >= most:
		return held, nil, false
	case fresh:
		p.making++
		return held, func(bool) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.making--
		}, true
	}
	p.emptied-- // below 0 while several fill the same one, or for one that was not known
	p.filling++
	p.filled++
	return held, func(stored bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.filling--
		if !stored {
			p.emptied++
		}
	}, true
}

// takePlace takes a place for a keyring that is to hold something, unless it has one. Call done with whether it was
// stored.
func (s *Server) takePlace(ctx context.Context, old *kept) (done func(stored bool), err error) {
	if old.held || s.Most <= 0 {
		return func(bool) {}, nil
	}
	all, err := s.Store.Count(ctx, streams.Keyrings)
	if err != nil {
		return nil, fault.FromStore(err)
	}
	held, done, ok := s.places.take(int(all), s.Most, old.mark.Version == 0)
	if !ok {
		return nil, fault.New(fault.TooManyKeyrings, "the server keeps %d keyrings already", held).
			With("limit", s.Most).Quota("keyrings")
	}
	return done, nil
}
