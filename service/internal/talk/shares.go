package talk

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// measured is how much a room holds, altogether and by seat.
type measured struct {
	messages, size int
	messagesOf     map[string]int
	sizeOf         map[string]int
}

// measure measures the room, with its pages.
func (e *edit) measure() *measured {
	m := &measured{messagesOf: map[string]int{}, sizeOf: map[string]int{}}
	count := func(seat string, messages, size int) {
		m.messages += messages
		m.size += size
		m.messagesOf[seat] += messages
		m.sizeOf[seat] += size
	}
	for _, said := range e.Messages {
		count(said.Seat, 1, proto.Size(said))
	}
	for _, p := range e.Pages {
		for _, s := range p.Shares {
			count(s.Seat, int(s.Messages), int(s.Bytes))
		}
	}
	return m
}

// over reports whether a room has more than it may keep.
func (m *measured) over(l Limits) bool { return m.messages > l.Messages || m.size > l.Bytes }

// greedy reports whether a seat takes more than its share of a room that has more than it may keep.
func (m *measured) greedy(l Limits, writers int, seat string) bool {
	return m.messages > l.Messages && m.messagesOf[seat] > l.Messages/writers ||
		m.size > l.Bytes && m.sizeOf[seat] > l.Bytes/writers
}

// makeRoom drops the oldest messages of those seats that take more than their share: nobody pushes out what others say.
// In a room that is too full some seat does. From the oldest page in which they have written anything all that they
// wrote goes at once, so that not every message writes a page.
func (e *edit) makeRoom(ctx context.Context, l Limits, writers int) error {
	for m := e.measure(); m.over(l) && m.messages > 1; m = e.measure() {
		greedy := func(said *logv1.TalkMessage) bool { return m.greedy(l, writers, said.Seat) }
		page := slices.IndexFunc(e.Pages, func(p *logv1.TalkPage) bool {
			return slices.ContainsFunc(p.Shares, func(s *logv1.TalkShare) bool { return m.greedy(l, writers, s.Seat) })
		})
		drop := slices.IndexFunc(e.Messages[:len(e.Messages)-1], greedy)
		if page < 0 && drop < 0 && len(e.Pages) > 0 {
			page, greedy = 0, func(*logv1.TalkMessage) bool { return true }
		}
		if page < 0 {
			drop = max(drop, 0)
			e.Messages = slices.Delete(e.Messages, drop, drop+1)
			continue
		}
		kept, _, err := e.talk.page(ctx, e.stream, e.Pages[page].Number)
		if err != nil {
			return err
		}
		e.release(page, slices.DeleteFunc(kept.Messages, greedy))
	}
	return nil
}
