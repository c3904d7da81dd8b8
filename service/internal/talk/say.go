package talk

import (
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
)

// Draft is what somebody wants to say.
type Draft struct {
	// ID is that of the message.
	ID       string
	Seat     rules.Seat
	Audience v1.Audience
	// Text was checked already, as were Space and Record, which it is pinned to.
	Text, Space string
	Record      uint64
}

// keptDeleted is how many ids of deleted messages a room remembers.
const keptDeleted = 64

// Say keeps what somebody says, or finds it if it was said before.
func (t *Talk) Say(ctx context.Context, e *Ear, d Draft) (*v1.Message, error) {
	book, err := t.book(ctx, e.Game)
	if err != nil {
		return nil, err
	}
	seat := e.About.SeatID(d.Seat)
	if err := maySay(book, d.Audience, seat); err != nil {
		return nil, err
	}
	p := e.at(d.Audience, d.Seat)
	var said *logv1.TalkMessage
	pay := func(bytes int) error { return t.host.Charge(ctx, bytes) }
	err = change(ctx, t, p.stream(e.Game), newRoom, pay, func(room *logv1.TalkRoom) error {
		if p.audience == v1.Audience_AUDIENCE_SELF {
			if err := begin(room, seat, e.sitting(seat)); err != nil {
				return err
			}
		}
		if said = find(room, d.ID); said != nil {
			if said.Text != d.Text || said.Space != d.Space || said.Record != d.Record {
				return live.Reused(said.Version)
			}
			return errSame
		}
		if slices.Contains(room.Deleted, d.ID) {
			return NotFound(e.Game, d.ID)
		}
		said, err = t.add(e, p, room, d, seat)
		return err
	})
	if err != nil {
		return nil, err
	}
	return e.message(p, said), nil
}

// begin empties a room of notes of whoever held the seat before the sitting that is now. Notes of a later sitting stay:
// this server does not know yet that the caller has lost the seat.
func begin(room *logv1.TalkRoom, seat string, now uint64) error {
	switch {
	case room.Sitting < now:
		proto.Reset(room)
		room.Sitting = now
	case room.Sitting > now:
		return fault.New(fault.NotYourSeat, "somebody else has taken the seat %s", seat).With("seat", seat, "holds", "")
	}
	return nil
}

// add puts a message into a room, if the seat may write another one.
func (t *Talk) add(
	e *Ear, p place, room *logv1.TalkRoom, d Draft, seat string,
) (*logv1.TalkMessage, error) {
	now, limits := t.host.Clock().Truncate(time.Microsecond), t.host.Limits
	var err error
	if room.Marks, err = limits.pause(room.Marks, seat, now); err != nil {
		return nil, err
	}
	if last := room.LastTime.AsTime(); room.LastTime != nil && !now.After(last) {
		now = last.Add(time.Microsecond) // the clocks of servers differ
	}
	said := &logv1.TalkMessage{
		Id: d.ID, Seat: seat, Sitting: e.sitting(seat), Version: e.Moment.Version(), Time: timestamppb.New(now),
		Text: d.Text, Space: d.Space, Record: d.Record,
	}
	room.LastTime = said.Time
	room.Marks = append(room.Marks, &logv1.TalkMark{Seat: seat, Time: said.Time})
	room.Messages = append(room.Messages, said)
	if !limits.over(room) {
		return said, nil
	}
	// Notes are for later, so none is dropped.
	if p.audience == v1.Audience_AUDIENCE_SELF {
		return nil, fault.New(fault.TooManyMessages, "%s has as many notes as it may have: delete some", seat).
			With("limit", limits.Messages).Quota("notes of one seat").RetryAfter(time.Minute)
	}
	writers := p.seats.Len()
	if p.seats == 0 {
		writers = len(e.About.Seats)
	}
	for limits.over(room) && len(room.Messages) > 1 {
		limits.makeRoom(room, writers)
	}
	return said, nil
}

// makeRoom drops the oldest message of those seats that take more than their share: nobody pushes out what others say.
// In a room that is too full some seat does.
func (l Limits) makeRoom(room *logv1.TalkRoom, writers int) {
	messages, size := map[string]int{}, map[string]int{}
	for _, m := range room.Messages {
		messages[m.Seat]++
		size[m.Seat] += proto.Size(m)
	}
	few, little := len(room.Messages) <= l.Messages, proto.Size(room) <= l.Bytes
	drop := slices.IndexFunc(room.Messages[:len(room.Messages)-1], func(m *logv1.TalkMessage) bool {
		return !few && messages[m.Seat] > l.Messages/writers || !little && size[m.Seat] > l.Bytes/writers
	})
	drop = max(drop, 0) // the bytes may be those of marks
	room.Messages = slices.Delete(room.Messages, drop, drop+1)
}

// over reports whether a room has more than it may keep.
func (l Limits) over(room *logv1.TalkRoom) bool {
	return len(room.Messages) > l.Messages || proto.Size(room) > l.Bytes
}

// pause returns an error if a seat has written as often as it may in a minute; an empty seat is the owner. It forgets
// marks of earlier.
func (l Limits) pause(marks []*logv1.TalkMark, seat string, now time.Time) ([]*logv1.TalkMark, error) {
	since := now.Add(-time.Minute)
	marks = slices.DeleteFunc(marks, func(m *logv1.TalkMark) bool { return !m.Time.AsTime().After(since) })
	var mine []time.Time
	for _, m := range marks {
		if m.Seat == seat {
			mine = append(mine, m.Time.AsTime())
		}
	}
	if len(mine) < l.PerMinute {
		return marks, nil
	}
	who := seat
	if seat == "" {
		who = "the owner"
	}
	return nil, fault.New(fault.TooManyMessages, "%s has written %d times in a minute", who, len(mine)).
		With("limit", l.PerMinute).Quota("messages of one seat").
		RetryAfter(mine[len(mine)-l.PerMinute].Sub(since))
}

func find(room *logv1.TalkRoom, id string) *logv1.TalkMessage {
	at := slices.IndexFunc(room.Messages, func(m *logv1.TalkMessage) bool { return m.Id == id })
	if at < 0 {
		return nil
	}
	return room.Messages[at]
}

// NotFound says that there is no such message, or none that the caller may know of.
func NotFound(game, id string) error {
	return fault.New(fault.MessageNotFound, "there is no such message").With("message", id).
		Resource("message", streams.Games+game+"/messages/"+id)
}

// Delete deletes a message. One that is gone, or that the caller may not know of, is no error.
func (t *Talk) Delete(ctx context.Context, e *Ear, id string) error {
	p, m, err := t.find(ctx, e, id)
	if m == nil || err != nil {
		return err
	}
	if !e.wrote(m) && (!e.Owner || p.audience != v1.Audience_AUDIENCE_TABLE) {
		return fault.New(fault.MessageNotYours, "%s wrote the message", m.Seat).With("seat", m.Seat)
	}
	return change(ctx, t, p.stream(e.Game), newRoom, free, func(room *logv1.TalkRoom) error {
		if find(room, id) == nil {
			return errSame
		}
		room.Messages = slices.DeleteFunc(room.Messages, func(m *logv1.TalkMessage) bool { return m.Id == id })
		room.Deleted = append(room.Deleted, id)
		room.Deleted = slices.Clone(room.Deleted[max(0, len(room.Deleted)-keptDeleted):])
		return nil
	})
}

// find looks for a message that the caller may read; nil if none exists.
func (t *Talk) find(ctx context.Context, e *Ear, id string) (place, *logv1.TalkMessage, error) {
	book, err := t.book(ctx, e.Game)
	if err != nil {
		return place{}, nil, err
	}
	for _, p := range e.places() {
		room := newRoom()
		if _, _, err := t.load(ctx, p.stream(e.Game), room); err != nil {
			return place{}, nil, err
		}
		if m := find(room, id); m != nil && e.reads(p, room, m, book) {
			return p, m, nil
		}
	}
	return place{}, nil, nil
}
