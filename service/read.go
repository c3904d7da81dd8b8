package service

import (
	"context"
	"errors"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// Pages of a log that is folded: the next is read and decoded while one is folded.
const (
	foldPage      = 256
	foldPageBytes = 256 << 10
)

// decoded is a page of a log. After an error there is no other; then the records are those before the one at fault.
type decoded struct {
	records []*ledger.Record
	bytes   int
	err     error
}

// full reports whether it is likely that more follows.
func (p *decoded) full() bool { return len(p.records) == foldPage || p.bytes > foldPageBytes/2 }

// decode reads a page of a game's log; without records it is past the end.
func (s *Service) decode(ctx context.Context, id string, from uint64) (p decoded) {
	page, err := s.store.Read(ctx, gameStream(id), from, foldPage, foldPageBytes)
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		return decoded{err: gameNotFound(id)}
	case err != nil:
		return decoded{err: fault.FromStore(err)}
	}
	p.records = make([]*ledger.Record, 0, len(page))
	for i := range page {
		r, err := ledger.Parse(page[i].Data)
		if err != nil {
			p.err = corrupt(id, page[i].Version, err)
			break
		}
		p.records = append(p.records, r)
		p.bytes += len(page[i].Data)
	}
	return p
}

// readAhead decodes the pages of a log one after the other, as long as they are taken. The last has no records or an error. Call stop at the end.
func (s *Service) readAhead(ctx context.Context, id string, from uint64) (next func() decoded, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pages := make(chan decoded, 1)
	go func() {
		defer close(pages)
		for more := true; more; {
			p := s.decode(ctx, id, from)
			from += uint64(len(p.records))
			more = p.err == nil && len(p.records) > 0
			select {
			case pages <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	next = func() decoded {
		if p, ok := <-pages; ok {
			return p
		}
		return decoded{err: context.Cause(ctx)}
	}
	return next, func() {
		cancel()
		for range pages { // until it has ended
		}
	}
}

// fold reads a game's log from the beginning. Of a long one the next page is decoded while one is folded.
func (s *Service) fold(ctx context.Context, id string) (*live, error) {
	f := folder{s: s, id: id}
	p := s.decode(ctx, id, 1)
	next := func() decoded { return s.decode(ctx, id, f.m.version()+1) }
	if p.full() {
		var stop func()
		next, stop = s.readAhead(ctx, id, 1+uint64(len(p.records)))
		defer stop()
	}
	for {
		for _, r := range p.records {
			if err := f.add(ctx, r); err != nil {
				return nil, corrupt(id, r.Version(), err)
			}
		}
		switch {
		case p.err != nil:
			return nil, p.err
		case len(p.records) == 0:
			return f.finish(ctx)
		}
		p = next()
	}
}
