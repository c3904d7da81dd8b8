package service_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// TestNobodyPushesOutWhatOthersSay has red fill the table: its own messages make room, not blue's.
func TestNobodyPushesOutWhatOthersSay(t *testing.T) {
	t.Parallel()
	for name, red := range map[string]struct {
		text  string
		limit service.Talk
	}{
		"by bytes":   {strings.Repeat("\U0001F600", 1000), service.Talk{Bytes: 32 << 10}},
		"by numbers": {"on and on", service.Talk{Messages: 12}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			red.limit.PerMinute = 600
			g := open(t, func(s *setting) { s.talk = red.limit }).seated()
			for n := range 4 {
				g.say(g.blue, atTable, fmt.Sprint("blue ", n))
			}
			for range 30 {
				g.say(g.red, atTable, red.text)
			}
			list := g.texts(g.blue)
			equal(t, "what blue said", list[:4], []string{"blue 0", "blue 1", "blue 2", "blue 3"})
			if len(list) == 34 {
				t.Error("nothing made room, so the test proves nothing")
			}
		})
	}
}

// TestTheTalkIsChangedSeldom: everybody who listens looks again, so neither the owner nor a seat may ask for that
// without end.
func TestTheTalkIsChangedSeldom(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	g := open(t, inMemory(t), func(s *setting) {
		s.talk, s.clock = service.Talk{PerMinute: 4}, func() time.Time { return now }
	}).seated()
	toggle := func(on bool) error {
		return second(g.talk().UpdateTalk(as(g.owner),
			&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: &on}))
	}
	for n := range 4 {
		must(t, toggle(n%2 == 0))
		must(t, []func(string, string, bool) error{g.mute, g.unmute}[n%2](g.blue, "red", false))
	}
	must(t, toggle(false)) // as it is
	wantError(t, toggle(true), codes.ResourceExhausted, fault.TooManyMessages)
	wantError(t, g.mute(g.owner, "red", true), codes.ResourceExhausted, fault.TooManyMessages)
	wantError(t, g.mute(g.blue, "red", false), codes.ResourceExhausted, fault.TooManyMessages)
	must(t, g.mute(g.red, "blue", false)) // others may
	now = now.Add(time.Minute + time.Second)
	must(t, toggle(true))
}

// till counts what callers pay.
type till struct {
	service.Admission
	bytes, units atomic.Int64
}

// Admit and the rest implement [service.Admission].
func (t *till) Admit(context.Context, string) (func(), error) { return func() {}, nil }
func (t *till) Caller(context.Context) string                 { return "" }
func (t *till) Checked(context.Context, string, bool)         {}
func (t *till) Charge(_ context.Context, units int)           { t.units.Add(int64(units)) }
func (t *till) Game(context.Context) (func(), error)          { return func() {}, nil }
func (t *till) Store(_ context.Context, bytes int) error      { t.bytes.Add(int64(bytes)); return nil }

// TestAMessagePaysForWhatItAdds: not for what is in the room already. Who listens pays for going through it again.
func TestAMessagePaysForWhatItAdds(t *testing.T) {
	t.Parallel()
	pays := new(till)
	g := open(t, func(s *setting) { s.admission, s.talk.PerMinute = pays, 600 }).seated()
	for range 20 {
		g.say(g.red, atTable, strings.Repeat("x", 1000))
	}
	if n := pays.bytes.Load(); n < 20_000 {
		t.Errorf("20 messages of 1000 letters paid for %d bytes", n)
	}
	w := g.listen(g.blue)
	for w.next().GetCaughtUp() == nil {
	}
	bytes, units := pays.bytes.Load(), pays.units.Load()
	said := g.say(g.red, atTable, "y")
	if n := pays.bytes.Load() - bytes; n < 20 || n > 200 {
		t.Errorf("a message of one letter paid for %d bytes in a room of 20000", n)
	}
	w.until("y")
	if pays.units.Load() == units {
		t.Error("who listens paid nothing")
	}
	bytes = pays.bytes.Load()
	must(t, second(g.talk().DeleteMessage(as(g.red), &v1.DeleteMessageRequest{Name: said.Name})))
	equal(t, "paid for deleting", pays.bytes.Load(), bytes)
}

// filled is a table whose rooms are full of the longest messages.
func filled(t testing.TB) *table {
	g := open(t, func(s *setting) { s.network, s.talk.PerMinute = true, 600 }).seated()
	text := strings.Repeat("\U0001F600", 1000)
	for range 30 {
		g.say(g.red, atTable, text)
		g.say(g.red, toSide, text)
		g.say(g.red, asNote, text)
	}
	return g
}

// listeners are watchers of the talk who were told what there is and do not keep it.
func (g *table) listeners(n int) (conn *grpc.ClientConn, heard *atomic.Int64) {
	conn, heard = g.connect(), new(atomic.Int64)
	ready := make(chan bool, n)
	for range n {
		backlog := int32(0)
		stream, err := v1.NewTalkServiceClient(conn).WatchMessages(as(g.red), &v1.WatchMessagesRequest{Parent: g.name,
			Backlog: &backlog, Heartbeat: durationpb.New(5 * time.Minute)})
		must(g.t, err)
		go func() {
			for {
				m, err := stream.Recv()
				if err != nil {
					return
				}
				if m.GetCaughtUp() != nil {
					ready <- true
				} else if m.GetMessage() != nil || m.GetTalk() != nil {
					heard.Add(1)
				}
			}
		}()
	}
	for range n {
		<-ready
	}
	return conn, heard
}

// TestListenersShareWhatIsSaid: a listener costs no copy of what it hears, however full the rooms are.
func TestListenersShareWhatIsSaid(t *testing.T) {
	g := filled(t)
	const n = 64
	warm, _ := g.listeners(1)
	alone := heapInUse()
	conn, _ := g.listeners(n)
	each := (heapInUse() - alone) / n
	t.Logf("%d bytes a listener", each)
	if each > 150<<10 { // the three rooms have 360 KiB
		t.Errorf("a listener takes %d bytes", each)
	}
	must(t, conn.Close())
	must(t, warm.Close())
}

// reads counts how often what is said is read from a store, and the bytes of it that are written.
type reads struct {
	eventstore.Store
	n, written atomic.Int64
}

func (r *reads) Head(ctx context.Context, stream string) (eventstore.StreamInfo, error) {
	if strings.HasPrefix(stream, "talk/") {
		r.n.Add(1)
	}
	return r.Store.Head(ctx, stream)
}

func (r *reads) SetMeta(ctx context.Context, stream string, meta []byte, expected uint64) error {
	if strings.HasPrefix(stream, "talk/") {
		r.written.Add(int64(len(meta)))
	}
	return r.Store.SetMeta(ctx, stream, meta, expected)
}

func (r *reads) Append(ctx context.Context, a eventstore.Append) error {
	if strings.HasPrefix(a.Stream, "talk/") {
		r.written.Add(int64(len(a.Meta)))
	}
	return r.Store.Append(ctx, a)
}

// crowded is a table at a store that is full of short messages, with a clock that goes on by itself.
func crowded(t testing.TB, store eventstore.Store) *table {
	now := time.Unix(1_800_000_000, 0)
	var mu sync.Mutex
	g := open(t, func(s *setting) {
		s.store, s.clock = store, func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(2 * time.Second)
			return now
		}
	}).seated()
	for n := range 600 {
		g.chat(n)
	}
	return g
}

// chat has red or blue say something at the table.
func (g *table) chat(n int) {
	g.t.Helper()
	g.say([]string{g.red, g.blue}[n%2], atTable, strings.Repeat("word ", 10+n%60))
}

// TestAMessageInAFullRoomWritesLittle: far less than the room.
func TestAMessageInAFullRoomWritesLittle(t *testing.T) {
	t.Parallel()
	store := &reads{Store: memory.New()}
	t.Cleanup(func() { must(t, store.Close()) })
	g := crowded(t, store)
	if n := len(g.texts(g.red)); n < 400 {
		t.Fatalf("the room has %d messages, so the test proves nothing", n)
	}
	const n = 200
	before := store.written.Load()
	for i := range n {
		g.chat(i)
	}
	if each := (store.written.Load() - before) / n; each > 20<<10 {
		t.Errorf("a message writes %d bytes", each)
	}
}

// TestAMessageIsReadOnceForAllWhoListen: a message is read from the store for all its listeners together, not for each.
func TestAMessageIsReadOnceForAllWhoListen(t *testing.T) {
	t.Parallel()
	store := &reads{Store: memory.New()}
	t.Cleanup(func() { must(t, store.Close()) })
	g := open(t, func(s *setting) { s.network, s.store = true, store }).seated()
	const n = 32
	conn, heard := g.listeners(n)
	before := store.n.Load()
	told := heard.Load()
	g.say(g.red, atTable, "hello")
	soon(t, "everybody is told", func() bool { return heard.Load() >= told+n })
	if read := store.n.Load() - before; read >= n {
		t.Errorf("%d listeners read %d times what one has said", n, read)
	}
	must(t, conn.Close())
}
