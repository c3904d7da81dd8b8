package talk

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// Listener is a reader of talk who is told of changes. It remembers which messages it was told but not their contents:
// those are decoded once for all readers of a room.
type Listener struct {
	talk *Talk
	// ear is the ear that was told last; nil before the first time.
	ear   *Ear
	book  uint64
	state *v1.Talk
	rooms map[string]*heard
}

// heard is what a listener was told of one room.
type heard struct {
	version uint64
	// told are the messages, by when they were said.
	told []told
	// wavers is true if the same room may read differently at another moment of the game: a message is pinned to a
	// record, or its reader is not known yet.
	wavers bool
}

// told is a message that a listener knows. The only part of a message that can change is whether its record is undone.
type told struct {
	id     [tokens.MessageIDChars]byte
	at     int64
	undone bool
}

// toldBytes is the memory that a listener takes for each message.
const toldBytes = 32

// News is what has changed since a listener was told last.
type News struct {
	// Talk holds the settings of the talk; nil if they have not changed.
	Talk *v1.Talk
	// Said are the messages that are new or have changed, in the order in which they were said; Gone are the names of
	// those that may not be read any more.
	Said []*v1.Message
	Gone []string
	// First is true if the listener was told nothing before. Looked is the number of messages examined.
	First  bool
	Looked int

	next Listener
}

// Listener makes one.
func (t *Talk) Listener() *Listener { return &Listener{talk: t} }

// Told records that the listener was told the news.
func (l *Listener) Told(n *News) { *l = n.next }

// Bytes returns about how much memory the listener takes.
func (l *Listener) Bytes() (n int) {
	for _, h := range l.rooms {
		n += cap(h.told) * toldBytes
	}
	return n
}

// Wavers reports whether what happened in the game may have changed what the listener reads: a message is pinned to a
// record, or somebody has sat down or left.
func (l *Listener) Wavers(e *Ear) bool {
	if e.Moment == l.ear.Moment {
		return false
	}
	for _, h := range l.rooms {
		if h.wavers {
			return true
		}
	}
	return e.differs(l.ear)
}

// differs reports whether others sit at the table than for another ear.
func (e *Ear) differs(was *Ear) bool {
	return e.Acts != was.Acts || slices.ContainsFunc(e.About.Seats, func(seat rules.SeatInfo) bool {
		return e.sitting(seat.ID) != was.sitting(seat.ID)
	})
}

// line is a message that a listener is to be told, and where it was said.
type line struct {
	place place
	said  *logv1.TalkMessage
}

// News finds what has changed for a listener. A first listener is told the newest messages, as many as backlog.
func (l *Listener) News(ctx context.Context, e *Ear, backlog int) (*News, error) {
	first := l.ear == nil
	book, version, err := read(ctx, l.talk, streams.TalkBook(e.Game), books, !first)
	if err != nil {
		return nil, err
	}
	if !e.readsTable(book) {
		return nil, hidden()
	}
	n := &News{First: first, next: Listener{talk: l.talk, ear: e, book: version, state: l.state,
		rooms: make(map[string]*heard)}}
	if now := l.talk.state(e, book); !proto.Equal(now, l.state) {
		n.Talk, n.next.state = now, now
	}
	anew, moved := first || version != l.book || e.differs(l.ear), first || e.Moment != l.ear.Moment
	var lines []line
	var gone []told
	for _, p := range e.places() {
		room, version, err := l.talk.room(ctx, p.stream(e.Game), !first)
		if err != nil {
			return nil, err
		}
		old := l.rooms[p.room]
		if old != nil && !anew && version == old.version && !(moved && old.wavers) {
			n.next.rooms[p.room] = old
			continue
		}
		n.Looked += len(room.Messages)
		now := e.hears(p, room, book)
		now.version = version
		n.next.rooms[p.room] = now
		if old == nil {
			old = new(heard)
		}
		said, lost := compare(old.told, now.told)
		gone = append(gone, lost...)
		lines = append(lines, pick(p, room, said)...)
	}
	for name, old := range l.rooms {
		if n.next.rooms[name] == nil {
			gone = append(gone, old.told...)
		}
	}
	n.say(e, lines, gone, backlog)
	return n, nil
}

// hears returns the messages of a room that an ear may read.
func (e *Ear) hears(p place, room *logv1.TalkRoom, book *logv1.TalkBook) *heard {
	h := new(heard)
	for _, m := range room.Messages {
		if !e.knows(m) {
			h.wavers = true
		}
		if !e.reads(p, room, m, book) {
			continue
		}
		t := stamp(m)
		if m.Record != 0 {
			t.undone, h.wavers = e.undone(m.Record), true
		}
		h.told = append(h.told, t)
	}
	h.told = slices.Clip(slices.Clone(h.told))
	return h
}

func stamp(m *logv1.TalkMessage) told {
	t := told{at: m.Time.AsTime().UnixNano()}
	copy(t.id[:], m.Id)
	return t
}

// when orders messages by when they were said.
func (t told) when(other told) int {
	return cmp.Or(cmp.Compare(t.at, other.at), bytes.Compare(t.id[:], other.id[:]))
}

// compare finds what is new or has changed, and what is gone.
func compare(before, now []told) (said, gone []told) {
	for len(before) > 0 || len(now) > 0 {
		switch order := heads(before, now); {
		case order < 0:
			gone, before = append(gone, before[0]), before[1:]
		case order > 0:
			said, now = append(said, now[0]), now[1:]
		default:
			if before[0] != now[0] {
				said = append(said, now[0])
			}
			before, now = before[1:], now[1:]
		}
	}
	return said, gone
}

// heads compares the first messages of two lists; that of an empty list comes last.
func heads(before, now []told) int {
	switch {
	case len(before) == 0:
		return 1
	case len(now) == 0:
		return -1
	}
	return before[0].when(now[0])
}

// pick finds the messages of a room that were told, in the same order.
func pick(p place, room *logv1.TalkRoom, list []told) (out []line) {
	for _, m := range room.Messages {
		if len(list) == 0 {
			break
		}
		if stamp(m).when(list[0]) == 0 {
			out, list = append(out, line{p, m}), list[1:]
		}
	}
	return out
}

// say writes down the news.
func (n *News) say(e *Ear, lines []line, gone []told, backlog int) {
	slices.SortFunc(lines, func(a, b line) int { return stamp(a.said).when(stamp(b.said)) })
	if n.First {
		lines = lines[max(0, len(lines)-backlog):]
	}
	for _, m := range lines {
		n.Said = append(n.Said, e.message(m.place, m.said))
	}
	for _, t := range gone {
		n.Gone = append(n.Gone, messageName(e.Game, string(t.id[:])))
	}
	slices.Sort(n.Gone)
}

func messageName(game, id string) string { return streams.Games + game + "/messages/" + id }
