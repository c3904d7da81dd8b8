package talk

import (
	"cmp"
	"context"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
)

// Heard is what a caller reads at one time.
type Heard struct {
	// Messages in the order in which they were said.
	Messages []*v1.Message
	// Talk is what holds for the talk.
	Talk *v1.Talk
}

// Hear reads all that a caller may read, of one audience or of all.
func (t *Talk) Hear(ctx context.Context, e *Ear, only v1.Audience) (*Heard, error) {
	book, _, err := read(ctx, t, streams.TalkBook(e.Game), books, false)
	if err != nil {
		return nil, err
	}
	if !e.readsTable(book) {
		return nil, hidden()
	}
	out := &Heard{Talk: t.state(e, book)}
	for _, p := range e.places() {
		if only != v1.Audience_AUDIENCE_UNSPECIFIED && only != p.audience {
			continue
		}
		room, _, err := t.room(ctx, p.stream(e.Game), false)
		if err != nil {
			return nil, err
		}
		for _, m := range room.Messages {
			if e.reads(p, room, m, book) {
				out.Messages = append(out.Messages, e.message(p, m))
			}
		}
	}
	slices.SortFunc(out.Messages, Compare)
	return out, nil
}

// Compare orders messages by when they were said.
func Compare(a, b *v1.Message) int {
	return cmp.Or(a.CreateTime.AsTime().Compare(b.CreateTime.AsTime()), cmp.Compare(a.Name, b.Name))
}

// State is what holds for the talk of a game.
func (t *Talk) State(ctx context.Context, e *Ear) (*v1.Talk, error) {
	book, err := t.book(ctx, e.Game)
	if err != nil {
		return nil, err
	}
	return t.state(e, book), nil
}

// state is what a caller may know of a book: reports, and who does not want to read whom, are others' business.
func (t *Talk) state(e *Ear, book *logv1.TalkBook) *v1.Talk {
	out := &v1.Talk{
		Name: streams.Games + e.Game + "/talk", SpectatorsRead: book.Spectators,
		MaxCharacters: int32(t.host.Limits.Characters),
	}
	if t.host.Limits.Off {
		out.MaxCharacters = 0
	}
	for _, seat := range e.About.Seats {
		if e.readsTable(book) && muted(book, seat.ID) {
			out.MutedSeats = append(out.MutedSeats, seat.ID)
		}
		if slices.ContainsFunc(book.Deaf, func(d *logv1.TalkDeafness) bool {
			return e.mine(d.Listener) && d.Speaker.GetSeat() == seat.ID
		}) {
			out.HiddenSeats = append(out.HiddenSeats, seat.ID)
		}
		if e.Acts&live.SeatSet(e.About, seat.ID) != 0 && !t.host.Limits.Off {
			out.WritingSeats = append(out.WritingSeats, seat.ID)
		}
	}
	return out
}

// message returns a message as its readers see it.
func (e *Ear) message(p place, m *logv1.TalkMessage) *v1.Message {
	out := &v1.Message{
		Name: streams.Games + e.Game + "/messages/" + m.Id, Seat: m.Seat, Audience: p.audience, Text: m.Text,
		CreateTime: m.Time,
	}
	switch {
	case m.Space != "":
		out.Pin = &v1.Message_Space{Space: m.Space}
	case m.Record != 0:
		out.Pin, out.RecordUndone = &v1.Message_Record{Record: m.Record}, e.undone(m.Record)
	}
	return out
}

// undone reports whether a record is off the line to the head. Records that are no place of the tree, such as changes
// of the table, cannot be undone.
func (e *Ear) undone(record uint64) bool {
	tree, head := &e.Moment.Tree, e.Moment.Head()
	return tree.HeadAt(record) == record && record != head && !tree.Precedes(record, head)
}
