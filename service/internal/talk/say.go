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
	err = t.changeRoom(ctx, p.stream(e.Game), pay, func(ctx context.Context, room *edit) error {
		if p.audience == v1.Audience_AUDIENCE_SELF {
			if err := begin(room, seat, e.sitting(seat)); err != nil {
				return err
			}
		}
		if said, _, _, err = room.find(ctx, d.ID); err != nil {
			return err
		}
		if said != nil {
			if said.Text != d.Text || said.Space != d.Space || said.Record != d.Record {
				return live.Reused(said.Version)
			}
			return errSame
		}
		if slices.Contains(room.Deleted, d.ID) {
			return NotFound(e.Game, d.ID)
		}
		said, err = t.add(ctx, e, p, room, d, seat)
		return err
	})
	if err != nil {
		return nil, err
	}
	return e.message(p, said), nil
}

// begin empties a room of notes of whoever held the seat before the sitting that is now. Notes of a later sitting stay:
// this server does not know yet that the caller has lost the seat.
func begin(room *edit, seat string, now uint64) error {
	switch {
	case room.Sitting < now:
		room.clear()
		room.Sitting = now
	case room.Sitting > now:
		return fault.New(fault.NotYourSeat, "somebody else has taken the seat %s", seat).With("seat", seat, "holds", "")
	}
	return nil
}

// add puts a message into a room, if the seat may write another one.
func (t *Talk) add(
	ctx context.Context, e *Ear, p place, room *edit, d Draft, seat string,
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
	room.said = proto.Size(said)
	if !room.measure().over(limits) {
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
	return said, room.makeRoom(ctx, limits, writers)
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
	return t.changeRoom(ctx, p.stream(e.Game), free, func(ctx context.Context, room *edit) error {
		if err := room.remove(ctx, id); err != nil {
			return err
		}
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
		room, _, err := t.room(ctx, p.stream(e.Game), false)
		if err != nil {
			return place{}, nil, err
		}
		if m := find(room, id); m != nil && e.reads(p, room, m, book) {
			return p, m, nil
		}
	}
	return place{}, nil, nil
}
