package talk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

const aRoom = "talk/game/table"

// disturbed is a store with something in the way of what is written.
type disturbed struct {
	eventstore.Store
	// before runs before a write. after runs after it, and may hide that it succeeded.
	before, after func() error
	// looks runs before a stream is read.
	looks func(stream string)
	// written counts bytes.
	written int
}

func (d *disturbed) disturb(data []byte, write func() error) error {
	d.written += len(data)
	if d.before != nil {
		if err := d.before(); err != nil {
			return err
		}
	}
	if err := write(); err != nil || d.after == nil {
		return err
	}
	return d.after()
}

// Append implements [eventstore.Store].
func (d *disturbed) Append(ctx context.Context, a eventstore.Append) error {
	return d.disturb(a.Meta, func() error { return d.Store.Append(ctx, a) })
}

// SetMeta implements [eventstore.Store].
func (d *disturbed) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	return d.disturb(meta, func() error { return d.Store.SetMeta(ctx, stream, meta, expected) })
}

// Head implements [eventstore.Store].
func (d *disturbed) Head(ctx context.Context, stream string) (eventstore.StreamInfo, error) {
	if d.looks != nil {
		d.looks(stream)
	}
	return d.Store.Head(ctx, stream)
}

// chat is one room as several servers change it.
type chat struct {
	t      testing.TB
	store  *memory.Store
	now    time.Time
	limits Limits
	n      int
}

func newChat(t testing.TB, limits Limits) *chat {
	return &chat{t: t, store: memory.New(), now: time.Unix(1_800_000_000, 0), limits: limits.WithDefaults()}
}

// server is one with a store of its own view.
func (c *chat) server() (*Talk, *disturbed) {
	d := &disturbed{Store: c.store}
	return New(Host{Store: d, Clock: func() time.Time { return c.now }, Limits: c.limits, Beside: func(int) {}}), d
}

// say writes one more message, of a number of bytes.
func (c *chat) say(talk *Talk, seat string, bytes int) (id string, err error) {
	c.n++
	id = fmt.Sprintf("%016d", c.n)
	at := c.now.Add(time.Duration(c.n) * time.Second)
	return id, talk.changeRoom(c.t.Context(), aRoom, free, func(ctx context.Context, e *edit) error {
		if m, _, _, err := e.find(ctx, id); m != nil || err != nil {
			return errors.Join(err, errSame)
		}
		e.Messages = append(e.Messages, &logv1.TalkMessage{Id: id, Seat: seat, Time: timestamppb.New(at),
			Text: strings.Repeat("x", bytes)})
		return e.makeRoom(ctx, talk.host.Limits, 2)
	})
}

func (c *chat) remove(talk *Talk, id string) error {
	return talk.changeRoom(c.t.Context(), aRoom, free,
		func(ctx context.Context, e *edit) error { return e.remove(ctx, id) })
}

// ids are those of the messages that a server reads.
func (c *chat) ids(talk *Talk) (ids []string) {
	c.t.Helper()
	room, _, err := talk.room(c.t.Context(), aRoom, false)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, m := range room.Messages {
		ids = append(ids, m.Id)
	}
	return ids
}

// pages are the numbers of the streams of pages that hold something, and the room as it is stored.
func (c *chat) pages() (numbers []uint64, room *logv1.TalkRoom, version uint64) {
	c.t.Helper()
	talk, _ := c.server()
	room = newRoom()
	version, _, err := talk.load(c.t.Context(), aRoom, room)
	if err != nil {
		c.t.Fatal(err)
	}
	list, err := c.store.List(c.t.Context(), aRoom+"/", "", 10_000)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, info := range list {
		number, err := strconv.ParseUint(strings.TrimPrefix(info.Name, aRoom+"/"), 10, 64)
		if err != nil {
			c.t.Fatal(err)
		}
		if len(info.Meta) > 0 {
			numbers = append(numbers, number)
		}
	}
	return numbers, room, version
}

func numbersOf(room *logv1.TalkRoom) map[uint64]bool {
	out := map[uint64]bool{}
	for _, p := range room.Pages {
		out[p.Number] = true
	}
	return out
}

// TestPagesThroughTrouble has two servers write and delete while writes fail, succeed without being known to, and come
// between each other's. Both always read what was said and not deleted, and no page with a deleted message is left.
func TestPagesThroughTrouble(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		c := newChat(t, Limits{Messages: 5000, Bytes: 512 << 10})
		talks, stores := make([]*Talk, 2), make([]*disturbed, 2)
		for i := range talks {
			talks[i], stores[i] = c.server()
			defer talks[i].Close()
		}
		_, stop := talks[1].taps.follow([]string{aRoom}) // one of them keeps what it has read
		defer stop()
		live, asked := map[string]bool{}, map[string]bool{}
		var act func(by int, nested bool)
		act = func(by int, nested bool) {
			known := slices.Sorted(maps.Keys(live))
			trouble := rapid.SampledFrom([]string{"", "", "fails", "unknown", "between"}).Draw(rt, "trouble")
			at := rapid.IntRange(0, 3).Draw(rt, "at")
			step := func(do func() error) func() error {
				return func() error {
					if at--; at != -1 {
						return nil
					}
					return do()
				}
			}
			d := stores[by]
			defer func() { d.before, d.after = nil, nil }()
			d.before, d.after = nil, nil
			switch {
			case trouble == "fails":
				d.before = step(func() error { return eventstore.ErrIO })
			case trouble == "unknown":
				d.after = step(func() error { return errors.Join(eventstore.ErrIO, eventstore.ErrUncertain) })
			case trouble == "between" && !nested:
				d.before = step(func() error { act(1-by, true); return nil })
			}
			if len(known) > 0 && rapid.IntRange(0, 2).Draw(rt, "what") == 0 {
				id := rapid.SampledFrom(known).Draw(rt, "id")
				if err := c.remove(talks[by], id); err == nil {
					delete(live, id)
				} else {
					asked[id] = true
				}
				return
			}
			id, err := c.say(talks[by], "red", rapid.SampledFrom([]int{1500, 4000, 1, 9000}).Draw(rt, "bytes"))
			if live[id] = true; err != nil {
				asked[id] = true
			}
		}
		for range rapid.IntRange(10, 40).Draw(rt, "changes") {
			act(rapid.IntRange(0, 1).Draw(rt, "by"), false)
			got := c.ids(talks[0])
			for id := range asked { // whoever asked does not know whether it was done
				if live[id] = slices.Contains(got, id); !live[id] {
					delete(live, id)
				}
			}
			clear(asked)
			if other := c.ids(talks[1]); !slices.Equal(got, other) {
				rt.Fatalf("one reads %v, the other %v", got, other)
			}
			slices.Sort(got) // what came between another's attempts was said before it
			if want := slices.Sorted(maps.Keys(live)); !slices.Equal(got, want) {
				rt.Fatalf("read %v, want %v", got, want)
			}
			numbers, room, version := c.pages()
			for _, n := range numbers {
				if !numbersOf(room)[n] && !slices.Contains(room.Trash, n) && n != version+1 {
					rt.Fatalf("nobody knows of page %d in version %d, which has %v", n, version, room)
				}
			}
		}
		for range 2 { // undisturbed
			id, err := c.say(talks[0], "red", 1)
			if live[id] = true; err != nil {
				rt.Fatal(err)
			}
		}
		numbers, room, _ := c.pages()
		for _, n := range numbers {
			if !numbersOf(room)[n] {
				rt.Fatalf("page %d is left, but the room has %v", n, room)
			}
		}
	})
}

// TestPagesMakeRoom fills a room: it keeps within its limits, what is dropped is the oldest of those who take more than
// their share, and a message writes little.
func TestPagesMakeRoom(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		limits Limits
		bytes  func(n int) int
		least  int // how many messages it keeps at least
	}{
		"by bytes":         {Limits{Bytes: 128 << 10}, func(n int) int { return 1 + n*7%900 }, 200},
		"by number":        {Limits{Messages: 500}, func(int) int { return 40 }, 350},
		"the largest room": {Limits{Messages: 5000, Bytes: 512 << 10}, func(int) int { return 60 }, 4800},
		"long messages":    {Limits{Characters: 2000}, func(int) int { return 8000 }, 12},
	} {
		if testing.Short() && name != "by bytes" {
			continue // one goroutine writes: with the race detector one room is enough
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChat(t, tt.limits)
			talk, store := c.server()
			defer talk.Close()
			say := func(seat string, bytes int) (written int) {
				before := store.written
				if _, err := c.say(talk, seat, bytes); err != nil {
					t.Fatal(err)
				}
				return store.written - before
			}
			for range 20 { // of whoever says little
				say("blue", 50)
			}
			const n = 1000
			written, most := 0, 0
			for i := range 6 * n {
				w := say("red", tt.bytes(i))
				if most = max(most, w); i >= 5*n {
					written += w
				}
			}
			t.Logf("a message writes %d bytes, at most %d", written/n, most)
			if written/n > 20<<10+tt.bytes(0) || most > 48<<10 {
				t.Errorf("a message writes %d bytes, at most %d", written/n, most)
			}
			room, _, err := talk.room(t.Context(), aRoom, false)
			if err != nil {
				t.Fatal(err)
			}
			of, size := map[string]int{}, 0
			for i, m := range room.Messages {
				of[m.Seat]++
				size += proto.Size(m)
				if i > 0 && bySaid(room.Messages[i-1], m) >= 0 {
					t.Fatalf("%v comes before %v", room.Messages[i-1], m)
				}
			}
			if len(room.Messages) > c.limits.Messages || size > c.limits.Bytes {
				t.Errorf("the room has %d messages, %d bytes", len(room.Messages), size)
			}
			if of["blue"] != 20 || len(room.Messages) < tt.least {
				t.Errorf("%d messages, %d of blue's", len(room.Messages), of["blue"])
			}
			if last := room.Messages[len(room.Messages)-1].Id; last != fmt.Sprintf("%016d", c.n) {
				t.Errorf("the newest is %s", last)
			}
			numbers, stored, _ := c.pages()
			if len(numbers) > len(stored.Pages) || len(stored.Pages) == 0 {
				t.Errorf("%d pages in the store, %d in the room", len(numbers), len(stored.Pages))
			}
		})
	}
}

// TestARoomOfAnOlderServer reads one that holds everything itself, and moves it to pages bit by bit.
func TestARoomOfAnOlderServer(t *testing.T) {
	t.Parallel()
	c := newChat(t, Limits{})
	talk, store := c.server()
	defer talk.Close()
	old := newRoom()
	for n := range 100 {
		old.Messages = append(old.Messages, &logv1.TalkMessage{Id: fmt.Sprintf("old-%012d", n), Seat: "red",
			Time: timestamppb.New(c.now.Add(time.Duration(n) * time.Millisecond)), Text: strings.Repeat("x", 1000)})
	}
	data, err := proto.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := talk.store(t.Context(), aRoom, data, 0, false); err != nil {
		t.Fatal(err)
	}
	if got := c.ids(talk); len(got) != 100 || got[0] != old.Messages[0].Id {
		t.Fatalf("read %v", got)
	}
	if err := c.remove(talk, old.Messages[0].Id); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := c.say(talk, "blue", 10); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.remove(talk, old.Messages[1].Id); err != nil {
		t.Fatal(err)
	}
	got := c.ids(talk)
	if len(got) != 118 || got[0] != old.Messages[2].Id || got[117] != fmt.Sprintf("%016d", c.n) {
		t.Errorf("read %d: %v", len(got), got)
	}
	before := store.written
	if _, err := c.say(talk, "blue", 10); err != nil {
		t.Fatal(err)
	}
	if n := store.written - before; n > 40<<10 {
		t.Errorf("a message still writes %d bytes", n)
	}
}

// TestAPageIsEmptiedUnderAReader: a page goes after its room was read and before it is itself. The reader looks again.
func TestAPageIsEmptiedUnderAReader(t *testing.T) {
	t.Parallel()
	c := newChat(t, Limits{})
	writer, _ := c.server()
	defer writer.Close()
	reader, store := c.server()
	defer reader.Close()
	var want []string
	for range 18 {
		id, err := c.say(writer, "red", 2000)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	_, room, _ := c.pages()
	if len(room.Pages) < 3 {
		t.Fatalf("%d pages, so the test proves nothing", len(room.Pages))
	}
	for _, at := range []int{1, 6, 0, 11} { // of the first page, of the second, of what was the first, of the third
		id := want[at]
		store.looks = func(stream string) {
			if stream == aRoom {
				return
			}
			store.looks = nil
			if err := c.remove(writer, id); err != nil {
				t.Error(err)
			}
		}
		got := c.ids(reader)
		if want = slices.Delete(want, at, at+1); !slices.Equal(got, want) {
			t.Fatalf("read %v, want %v", got, want)
		}
		if store.looks != nil {
			store.looks = nil
			t.Fatal("no page was read")
		}
	}
}

// TestReleasedMessagesStayInOrder: those that are in no page are in the order in which they were said, whichever page
// goes first.
func TestReleasedMessagesStayInOrder(t *testing.T) {
	t.Parallel()
	said := func(at ...int64) (list []*logv1.TalkMessage) {
		for _, n := range at {
			list = append(list, &logv1.TalkMessage{Id: fmt.Sprint(n), Time: &timestamppb.Timestamp{Seconds: n}})
		}
		return list
	}
	e := &edit{TalkRoom: &logv1.TalkRoom{Messages: said(5, 6), Pages: []*logv1.TalkPage{{Number: 1}, {Number: 2}}}}
	e.release(0, said(1, 2))
	e.release(0, said(3, 4))
	if !slices.IsSortedFunc(e.Messages, bySaid) || len(e.Messages) != 6 || !slices.Equal(e.Trash, []uint64{1, 2}) {
		t.Errorf("got %v", e.TalkRoom)
	}
}
