package service_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/throttle"
)

// bounded is a server on loopback with the default bounds for its callers, on a clock that stands still.
func bounded(t *testing.T, set ...func(*setting)) *host {
	t.Helper()
	now := time.Now()
	th := throttle.New(throttle.Options{
		CallerRate: 100, AddressRate: 1000, Watches: 200, Games: 100, Bytes: 64 << 20,
		Clock: func() time.Time { return now },
		Cost: func(method string) (c throttle.Cost) {
			c.Units, c.Stays, c.Stranger = service.Cost(method)
			return c
		},
	})
	return open(t, append([]func(*setting){func(s *setting) { s.network, s.admission = true, th }}, set...)...)
}

// granted counts how many of n calls are admitted.
func granted(t *testing.T, n int, call func(int) error) (ok int) {
	t.Helper()
	for i := range n {
		err := call(i)
		if err == nil {
			ok++
			continue
		}
		wantError(t, err, codes.ResourceExhausted, fault.RateLimited)
	}
	return ok
}

// TestInventedTokensGainNothing has a stranger send another invented token with each call. Each token had a bucket of
// its own, although nobody had checked it, so ten times the games of an honest caller were created.
func TestInventedTokensGainNothing(t *testing.T) {
	t.Parallel()
	h := bounded(t)
	invented := func(i int) context.Context { return as("wl_s_" + strings.Repeat(string(rune('a'+i%26)), 52)) }
	if got := granted(t,
		60, func(i int) error { return second(h.games.CreateGame(invented(i), newGame())) }); got != 20 {
		t.Errorf("%d games are created, want the 20 that an address without a token may at once", got)
	}
}

// TestCollectedTokensGainNothing has a stranger send the true tokens of their own games. Calls that create games and
// return tokens still count by address, and a player has units of their own despite the flood.
func TestCollectedTokensGainNothing(t *testing.T) {
	t.Parallel()
	h := bounded(t)
	g := h.seated() // 24 units
	game := func(ctx context.Context) error {
		return second(h.games.GetGame(ctx, &v1.GetGameRequest{Name: g.name}))
	}
	for _, token := range []string{g.owner, g.red, g.blue} {
		must(t, game(as(token)))
	}
	if got := granted(t, 60, func(i int) error {
		return second(h.games.CreateGame(as([]string{g.owner, g.red, g.blue}[i%3]), newGame()))
	}); got != 18 {
		t.Errorf("%d games are created, want 18", got)
	}
	granted(t, 40, func(int) error { return game(as()) }) // what is left
	if got := granted(t, 500, func(int) error { return game(as(g.red)) }); got != 400 {
		t.Errorf("%d calls of a player are served beside a flood of strangers, want 400", got)
	}
	if got := granted(t, 500, func(int) error { return game(as(g.blue)) }); got != 400 {
		t.Errorf("%d calls of another are served, want 400", got)
	}
}

// spaced is a document with blanks in it, its fields in another order, and each character of its texts spelt by number.
func spaced(t *testing.T, document []byte, blanks int) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	must(t, json.Unmarshal(document, &fields))
	var out bytes.Buffer
	out.WriteString("{")
	for _, last := range []bool{false, true} { // the id last
		for key, value := range fields {
			if (key == "id") != last {
				continue
			}
			if key == "id" {
				spelt := ""
				for _, c := range strings.Trim(string(value), `"`) {
					spelt += fmt.Sprintf(`\u%04x`, c)
				}
				value = json.RawMessage(`"` + spelt + `"`)
			}
			if out.Len() > 1 {
				out.WriteString(",")
			}
			fmt.Fprintf(&out, "%q:%*s%s", key, blanks/len(fields), "", value)
		}
	}
	out.WriteString("}")
	return out.Bytes()
}

func (h *host) stored(g *table) []byte {
	h.t.Helper()
	digest, err := hex.DecodeString(g.game().ScenarioDigest)
	must(h.t, err)
	page, err := h.store.Read(context.Background(), "scenarios/"+hex.EncodeToString(digest), 1, 1, 0)
	must(h.t, err)
	if got := ledger.ScenarioDigest(page[0].Data); !bytes.Equal(got[:], digest) {
		h.t.Error("the document has another digest")
	}
	return page[0].Data
}

// TestBlanksAreNotKept has a stranger send a document with 2.7 MB of blanks, which was stored as it came. Documents
// that differ only in their spelling are stored once, and one that equals a shipped document as that document.
func TestBlanksAreNotKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	shipped := h.document("ford")
	own := bytes.ReplaceAll(shipped, []byte(`"id": "ford"`), []byte(`"id": "my-ford"`))
	create := func(document []byte) (*table, *v1.CreateGameRequest) {
		var req *v1.CreateGameRequest
		return h.create(func(r *v1.CreateGameRequest) {
			r.Source, req = &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: document}, r
		}), req
	}
	wide, req := create(spaced(t, own, 2_700_000))
	if n := len(h.stored(wide)); n > len(own) {
		t.Errorf("%d bytes are stored of a document that has %d without blanks", n, len(own))
	}
	must(t, second(h.games.CreateGame(as(), req))) // a retry is owed its answer
	plain, _ := create(own)
	if plain.game().ScenarioDigest != wide.game().ScenarioDigest {
		t.Error("the same document is stored twice")
	}
	ours := h.create(func(r *v1.CreateGameRequest) { r.Source = &v1.CreateGameRequest_Scenario{Scenario: "ford"} })
	copied, _ := create(spaced(t, shipped, 1000))
	if copied.game().ScenarioDigest != ours.game().ScenarioDigest {
		t.Error("one of ours is stored twice")
	}
	for _, g := range []*table{wide, copied} {
		g.red, g.blue = g.sit("red"), g.sit("blue")
		g.play(100, 7)
		wantSoundLog(t, g)
	}
}

// figure reads a gauge.
func figure(t *testing.T, reg *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := reg.Gather()
	must(t, err)
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("no figure %s", name)
	return 0
}

// own is a scenario of the stranger, a different one for each number.
func (h *host) own(i int) func(*v1.CreateGameRequest) {
	document := bytes.ReplaceAll(h.document("ford"), []byte(`"id": "ford"`), fmt.Appendf(nil, `"id": "f-%d"`, i))
	return func(r *v1.CreateGameRequest) {
		r.Source = &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: document}
	}
}

// TestManyGamesInLittleMemory creates 148 games, each with a scenario of its own, like the attacker who drove the
// server to 1.8 GB. Memory stays below its bound, and every game can still be played.
func TestManyGamesInLittleMemory(t *testing.T) {
	t.Parallel()
	const most = 40 << 20
	figures := prometheus.NewRegistry()
	h := open(t, limited(service.Limits{LiveBytes: most}), func(s *setting) { s.metrics = figures })
	var games []*table
	for i := range 148 {
		games = append(games, h.create(h.own(i)))
		// the newest is let in before its scenario is known
		if got := figure(t, figures, "warledger_live_bytes"); got > most*5/4 {
			t.Fatalf("games take %v bytes after %d", got, i+1)
		}
	}
	if got := figure(t, figures, "warledger_live_games"); got < 2 || got > 20 {
		t.Errorf("%v games are in memory", got)
	}
	for _, g := range []*table{games[0], games[70], games[147]} {
		g.red, g.blue = g.sit("red"), g.sit("blue")
		g.play(20, 3)
		if !g.game().Over { // dice decide how long a game is
			must(t, second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})))
		}
		wantSoundLog(t, g)
	}
}

// TestMemoryInUse has watches hold all the memory that games may take. Other games are refused with that reason, those
// in memory go on, and there is room again when the watches end.
func TestMemoryInUse(t *testing.T) {
	t.Parallel()
	h := open(t, limited(service.Limits{LiveBytes: 20 << 20}))
	var watches []*watcher
	var held []*table
	var err error
	for i := 0; err == nil && i < 50; i++ {
		req := newGame()
		h.own(i)(req)
		var out *v1.CreateGameResponse
		if out, err = h.games.CreateGame(as(), req); err != nil {
			break
		}
		g := &table{host: h, name: out.Game.Name, owner: out.OwnerToken}
		w := g.watch(after(0))
		w.next()
		held, watches = append(held, g), append(watches, w)
	}
	wantError(t, err, codes.ResourceExhausted, fault.MemoryFull)
	if len(held) < 3 {
		t.Fatalf("only %d games are let in", len(held))
	}
	held[0].sit("red")
	for _, w := range watches {
		w.stop()
	}
	for { // the room is there once the server has seen the watchers go
		err := second(h.games.CreateGame(as(), newGame()))
		if err == nil {
			return
		}
		wantError(t, err, codes.ResourceExhausted, fault.MemoryFull)
	}
}

// TestGamesOfOneAddress bounds how many games an address creates in a day. Retries and refused requests do not count.
func TestGamesOfOneAddress(t *testing.T) {
	t.Parallel()
	th := throttle.New(throttle.Options{Games: 3, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	h := open(t, func(s *setting) { s.network, s.admission = true, th })
	last := newGame()
	for _, req := range []*v1.CreateGameRequest{newGame(), newGame(), last, last} {
		bad := newGame()
		bad.Source = &v1.CreateGameRequest_Scenario{Scenario: "nowhere"}
		wantError(t, second(h.games.CreateGame(as(), bad)), codes.NotFound, fault.ScenarioNotFound)
		must(t, second(h.games.CreateGame(as(), req)))
	}
	wantError(t, second(h.games.CreateGame(as(), newGame())), codes.ResourceExhausted, fault.TooManyGames)
	must(t, second(h.games.CreateGame(as(), last)))
}

// TestGamesOfOneOwner counts the games of an owner who has signed in, also those from before a restart.
func TestGamesOfOneOwner(t *testing.T) {
	t.Parallel()
	who := people{
		"ann.a.x": {Subject: "ann", Expires: time.Now().Add(time.Hour)},
		"ann.b.x": {Subject: "ann", Expires: time.Now().Add(time.Hour)},
		"bob.a.x": {Subject: "bob", Expires: time.Now().Add(time.Hour)},
	}
	h := open(t, limited(service.Limits{OwnerGames: 2}), func(s *setting) { s.identities = who })
	must(t, second(h.games.CreateGame(as("ann.a.x"), newGame())))
	must(t, second(h.games.CreateGame(as(), newGame())))
	h.stop()
	h = open(t, limited(service.Limits{OwnerGames: 2}), func(s *setting) { s.identities, s.store = who, h.store })
	must(t, second(h.games.CreateGame(as("ann.b.x"), newGame())))
	wantError(t, second(h.games.CreateGame(as("ann.a.x"), newGame())), codes.ResourceExhausted, fault.TooManyGames)
	must(t, second(h.games.CreateGame(as("bob.a.x"), newGame())))
	must(t, second(h.games.CreateGame(as(), newGame())))
}

// TestRoomForTheGamesThereAre: new games are refused while the store keeps its remaining room for existing ones.
func TestRoomForTheGamesThereAre(t *testing.T) {
	t.Parallel()
	room := true
	h := open(t, func(s *setting) { s.room = func() bool { return room } })
	g := h.seated()
	room = false
	wantError(t, second(h.games.CreateGame(as(), newGame())), codes.ResourceExhausted, fault.StoreFull)
	wantError(t, second(v1.NewHistoryServiceClient(h.conn).ForkGame(as(g.owner),
		&v1.ForkGameRequest{Name: g.name, RequestId: id()})),
		codes.ResourceExhausted, fault.StoreFull)
	g.play(3, 1)
}

// TestBytesOfOneAddress bounds the bytes that an address stores in a day, of whatever kind.
func TestBytesOfOneAddress(t *testing.T) {
	t.Parallel()
	now := time.Now()
	th := throttle.New(throttle.Options{Bytes: 10_000, Clock: func() time.Time {
		return now
	}, Cost: func(string) throttle.Cost { return throttle.Cost{Units: 1} }})
	h := open(t, func(s *setting) { s.network, s.admission = true, th })
	g := h.seated()
	before := g.game().Version
	var err error
	for i := 0; err == nil && i < 100; i++ {
		err = second(g.games.SubmitCommand(as(g.tokenOf(g.game().WaitingFor)),
			g.command(g.legal(g.tokenOf(g.game().WaitingFor)).Actions[0].Command)))
	}
	wantError(t, err, codes.ResourceExhausted, fault.RateLimited)
	refused := g.game().Version
	if refused < before+5 {
		t.Errorf("only %d records are stored", refused)
	}
	now = now.Add(12 * time.Hour) // an hour gives back less than some records take
	must(t, second(g.games.SubmitCommand(as(g.tokenOf(g.game().WaitingFor)),
		g.command(g.legal(g.tokenOf(g.game().WaitingFor)).Actions[0].Command))))
	if got := g.game().Version; got != refused+1 {
		t.Errorf("%d records are stored after %d", got, refused)
	}
}

// bill adds up the charges of calls beyond their price.
type bill struct {
	gate
	units chan int
}

func (b *bill) Charge(_ context.Context, units int) { b.units <- units }

// TestColdGamesCost: a look at a game that is not in memory, even with a token that opens nothing, costs the work of
// reading it.
func TestColdGamesCost(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := redBegins(h)
	move := mover(g, "cheap")
	for range 400 {
		must(t, move())
	}
	h.stop()
	b := &bill{gate{inside: make(chan string, 10)}, make(chan int, 10)}
	again := open(t, func(s *setting) { s.admission, s.store = b, h.store })
	ask := func() {
		wantError(t, second(again.games.GetGame(as("wl_s_"+strings.Repeat("a", 52)), &v1.GetGameRequest{Name: g.name})),
			codes.Unauthenticated, fault.TokenUnknown)
	}
	ask()
	total := 0
	for len(b.units) > 0 {
		total += <-b.units
	}
	if total < 3 {
		t.Errorf("reading 400 records cost %d units", total)
	}
	ask()
	if len(b.units) > 0 {
		t.Errorf("a game in memory cost %d units", <-b.units)
	}
}
