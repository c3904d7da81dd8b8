package keyrings

import (
	"context"
	"sync"

	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
)

// places counts the keyrings in the store that hold nothing, which leave their places to others: a store deletes no
// stream, but says how many there are. Keyrings that this server empties and fills count at once; those of before its
// start, and of other servers on its store, with the next sweep. What is not known counts as held, so the bound holds.
// Only servers that share a store can pass it, by as many emptied keyrings as were filled through others since the
// sweep.
type places struct {
	mu sync.Mutex
	// emptied is how many hold nothing, as far as is known.
	emptied int
	// making is how many new ones are being stored, and filling how many emptied ones.
	making, filling int
	// filled is how many emptied ones were to be filled since the start.
	filled int
}

// emptiedOne counts a keyring that was emptied.
func (p *places) emptiedOne() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.emptied++
}

// counting begins to count those that hold nothing. The function that it gives is told how many were found: those that
// were filled meanwhile may be among them, and do not count.
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

// take takes a place if fewer than most of all keyrings hold something; 0 is no bound. fresh is true for a keyring that
// the store does not have yet. done is told whether it was stored.
func (p *places) take(all, most int, fresh bool) (held int, done func(stored bool), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	held = all + p.making - p.emptied
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
	p.emptied = max(0, p.emptied-1)
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

// takePlace takes a place for a keyring that is to hold something, unless it has one. done is told whether it was
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
