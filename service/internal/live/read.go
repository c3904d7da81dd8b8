package live

import (
	"context"
	"errors"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

// Pages of a log that is folded: the next is read and decoded while one is folded.
const (
	foldPage      = 256
	foldPageBytes = 256 << 10
)

// decoded is a page of a log, in memory that is used again. After an error there is no other; then the records are
// those before the one at fault.
type decoded struct {
	parser  ledger.Parser
	records []*ledger.Record
	bytes   int
	// head is that of the log when the page was read.
	head eventstore.StreamInfo
	// prev is the hash of the record before the first.
	prev ledger.Hash
	err  error
}

// full reports whether it is likely that more follows.
func (p *decoded) full() bool { return len(p.records) == foldPage || p.bytes > foldPageBytes/2 }

// decode reads a page of a game's log and its head into p, whose records of before must not be used any more; without
// records it is past the end.
func (g *Games) decode(ctx context.Context, id string, from uint64, p *decoded) {
	p.parser.Again()
	p.records, p.bytes, p.err = p.records[:0], 0, nil
	page, err := g.config.Store.ReadAt(ctx, streams.Game(id), from, foldPage, foldPageBytes)
	switch {
	case errors.Is(err, eventstore.ErrNotFound):
		p.err = GameNotFound(id)
		return
	case err != nil:
		p.err = fault.FromStore(err)
		return
	}
	p.head = page.Head
	if len(page.Entries) > 0 {
		p.prev = page.Entries[0].Prev
	}
	for _, e := range page.Entries {
		r, err := p.parser.Parse(e.Data)
		if err != nil {
			p.err = Corrupt(id, e.Version, err)
			break
		}
		p.records = append(p.records, r)
		p.bytes += len(e.Data)
	}
}

// readAhead decodes the pages of a log one after the other, as long as they are taken; next takes one and gives back
// the one before, which must not be used any more. The last reaches the head or has an error. Call stop at the end.
func (g *Games) readAhead(
	ctx context.Context, id string, from uint64,
) (next func(before *decoded) *decoded, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pages, used := make(chan *decoded, 1), make(chan *decoded, 3)
	go func() {
		defer close(pages)
		for more := true; more; {
			var p *decoded
			select {
			case p = <-used:
			default:
				p = new(decoded)
			}
			g.decode(ctx, id, from, p)
			from += uint64(len(p.records))
			more = p.err == nil && from <= p.head.Version && len(p.records) > 0
			select {
			case pages <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	next = func(before *decoded) *decoded {
		select {
		case used <- before:
		default:
		}
		if p, ok := <-pages; ok {
			return p
		}
		return &decoded{err: context.Cause(ctx)}
	}
	return next, func() {
		cancel()
		for range pages { // until it has ended
		}
	}
}

// fold reads a game's log from the beginning. Of a long one the next page is decoded while one is folded.
func (g *Games) fold(ctx context.Context, id string) (*Game, error) {
	f, p := folder{g: g, id: id}, new(decoded)
	g.decode(ctx, id, 1, p)
	next := func(p *decoded) *decoded {
		g.decode(ctx, id, f.m.Version()+1, p)
		return p
	}
	if p.full() {
		var stop func()
		next, stop = g.readAhead(ctx, id, 1+uint64(len(p.records)))
		defer stop()
	}
	for {
		if more, err := f.page(ctx, p); err != nil {
			return nil, err
		} else if !more {
			return f.l, f.finish(ctx)
		}
		p = next(p)
	}
}
