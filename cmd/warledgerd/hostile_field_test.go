package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// hostilePace is how often each connection does something in a second. Together that is a thousand times, and most of
// it costs more than a unit.
const hostilePace = 20

// holding is how many calls a connection holds open, if its kind does so. Mostly that is few, so that all others find
// places; in between it is as many as there is room for.
func holding() int {
	if time.Now().Second()%20 < 15 {
		return 3
	}
	return 200
}

// hold remembers how to end a call, and ends the oldest beyond the number that may be held.
func (w *worker) hold(end func()) {
	w.held = append(w.held, end)
	for len(w.held) > holding() {
		w.held[0]()
		w.held = w.held[1:]
	}
}

// field is where the stranger is at work.
type field struct {
	t       *testing.T
	ctx     context.Context
	p       *process
	tally   *tally
	group   sync.WaitGroup
	closing []func()
	next    atomic.Int64
	// document is a scenario, and games are some that there are.
	document []byte
	// validate is a request by JSON with a large one.
	validate []byte
	mu       sync.Mutex
	games    []string
	owners   []string
}

func newField(t *testing.T, ctx context.Context, p *process) *field {
	f := &field{t: t, ctx: ctx, p: p, tally: new(tally)}
	out, err := v1.NewCatalogServiceClient(f.grpc(honestFrom)).GetScenario(ctx,
		&v1.GetScenarioRequest{Name: "rulesets/downfall/scenarios/olympic"}, grpc.WaitForReady(true))
	if err != nil {
		t.Fatal(err)
	}
	f.document = out.Document
	padded := append(bytes.Clone(out.Document), bytes.Repeat([]byte(" "), 2_700_000)...)
	if f.validate, err = json.Marshal(map[string]any{"parent": "rulesets/downfall", "document": padded}); err != nil {
		t.Fatal(err)
	}
	return f
}

// end waits for the stranger to go.
func (f *field) end() {
	f.group.Wait()
	for _, f := range f.closing {
		f()
	}
}

// attack begins: fifty connections, each of one kind.
func (f *field) attack() {
	for kind, n := range map[string]int{
		"invented": 8, "documents": 6, "creates": 4, "unread": 6, "watches": 5, "nonsense": 6, "half": 6, "dear": 5,
		"imports": 2, "seats": 2,
	} {
		for range n {
			do := map[string]func(*worker){
				"invented": (*worker).invented, "documents": (*worker).documents, "creates": (*worker).creates,
				"unread": (*worker).unread, "watches": (*worker).watches,
				"nonsense": (*worker).nonsense, "half": (*worker).half, "dear": (*worker).dear,
				"imports": (*worker).imports, "seats": (*worker).seats,
			}[kind]
			at := hostileFrom
			if kind == "half" {
				at = halfFrom
			}
			pace := rate.Limit(hostilePace)
			// megabytes each: making them must not be what takes the machine
			if kind == "documents" || kind == "imports" {
				pace = 2
			}
			// Tests with the race detector run with -short. There the server takes ten times as long for each request,
			// and the other tests wait for it.
			if testing.Short() {
				pace /= 5
			}
			w := &worker{field: f, kind: kind, at: at, conn: f.grpc(at), pace: rate.NewLimiter(pace, 5)}
			w.http = &http.Transport{DialContext: from(at).DialContext}
			f.closing = append(f.closing, w.http.CloseIdleConnections)
			f.group.Go(func() {
				for w.pace.Wait(f.ctx) == nil {
					do(w)
				}
				for _, end := range w.held {
					end()
				}
			})
		}
	}
}

// worker is one connection of the stranger's.
type worker struct {
	*field
	kind string
	// at is the stranger's address.
	at   string
	conn *grpc.ClientConn
	http *http.Transport
	pace *rate.Limiter
	n    int
	held []func()
}

// note counts an outcome.
func (w *worker) note(what string) {
	if w.ctx.Err() == nil {
		w.tally.add(what)
		w.tally.add(fmt.Sprintf("  %s: %s", w.kind, what))
	}
}

func invention() string {
	return "wl_s_" + strings.NewReplacer("-", "", "0", "a", "1", "b", "8", "c", "9", "d").
		Replace(uuid.NewString() + uuid.NewString())[:52]
}

// some is the name of an existing game.
func (f *field) some(n int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.games) == 0 {
		return "games/aaaaaaaaaaaaaaaaaaaaaaaaaa"
	}
	return f.games[n%len(f.games)]
}

// invented brings another token with each call.
func (w *worker) invented() {
	w.n++
	ctx := bearer(w.ctx, invention())
	games := v1.NewGameServiceClient(w.conn)
	var err error
	switch w.n % 4 {
	case 0:
		_, err = games.ListGames(ctx, &v1.ListGamesRequest{PageSize: 1000})
	case 1:
		_, err = games.GetBoard(ctx, &v1.GetBoardRequest{Name: w.some(w.n)})
	case 2:
		_, err = games.ListRecords(ctx, &v1.ListRecordsRequest{Name: w.some(w.n), PageSize: 1000, IncludeProofs: true})
	default:
		_, err = games.SubmitCommand(ctx,
			&v1.SubmitCommandRequest{Name: w.some(w.n), CommandId: uuid.NewString(),
				Form: &v1.SubmitCommandRequest_Notation{Notation: "end"}})
	}
	w.note(outcome(err))
}

// padded is another document each time, mostly of blanks.
func (w *worker) padded() []byte {
	id := []byte(fmt.Sprintf(`"id": "o-%d"`, w.next.Add(1)))
	document := bytes.Replace(w.document, []byte(`"id": "olympic"`), id, 1)
	return append(document, bytes.Repeat([]byte(" "), 2_700_000)...)
}

func (w *worker) create(req *v1.CreateGameRequest) {
	out, err := v1.NewGameServiceClient(w.conn).CreateGame(bearer(w.ctx, invention()), req)
	w.note(outcome(err))
	if err != nil {
		return
	}
	w.note("created")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games, w.owners = append(w.games, out.Game.Name), append(w.owners, out.OwnerToken)
}

// documents creates games from large documents, through either port.
func (w *worker) documents() {
	if w.n++; w.n%2 == 0 {
		w.create(&v1.CreateGameRequest{RequestId: uuid.NewString(), Ruleset: "rulesets/downfall",
			Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: w.padded()}})
		return
	}
	w.post("/warledger.v1.CatalogService/ValidateScenario", "application/json", w.validate)
}

func (w *worker) post(path, kind string, body []byte) {
	req, err := http.NewRequestWithContext(w.ctx, http.MethodPost,
		"http://"+w.p.webAddress()+path, bytes.NewReader(body))
	if err != nil {
		w.note(err.Error())
		return
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Authorization", "Bearer "+invention())
	answer, err := w.http.RoundTrip(req)
	if err != nil {
		w.note("connection broken")
		return
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	w.note(reason(text, "HTTP "+answer.Status))
}

// reason is why an answer by HTTP refuses, or other if it does not.
func reason(answer []byte, other string) string {
	for _, reason := range []string{"RATE_LIMITED", "TOO_MANY_CALLS"} {
		if bytes.Contains(answer, []byte(reason)) {
			return reason
		}
	}
	return other
}

// creates makes games of shipped scenarios.
func (w *worker) creates() {
	w.create(&v1.CreateGameRequest{RequestId: uuid.NewString(), Ruleset: "rulesets/ocs",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "crimea-campaign"}})
}

// unread asks for large answers and does not read them.
func (w *worker) unread() {
	if w.n++; w.n%3 == 0 {
		ctx, cancel := context.WithCancel(w.ctx)
		w.hold(cancel)
		stream, err := w.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true},
			v1.GameService_ExportGame_FullMethodName)
		if err == nil {
			err = stream.SendMsg(&v1.ExportGameRequest{Name: w.some(w.n)})
		}
		w.note("unread stream: " + outcome(err))
		return
	}
	c, err := from(w.at).DialContext(w.ctx, "tcp", w.p.webAddress())
	if err != nil {
		w.note("connection refused")
		return
	}
	w.hold(func() { _ = c.Close() })
	body := `{"name":"rulesets/ocs/scenarios/crimea-campaign","includeMap":true}`
	_, err = fmt.Fprintf(c, "POST /warledger.v1.CatalogService/GetScenario HTTP/1.1\r\nHost: "+
		"localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	w.note("unread answer: " + outcome(err))
}

// watches begins watches and holds them.
func (w *worker) watches() {
	w.n++
	stream, err := v1.NewGameServiceClient(w.conn).WatchGame(w.ctx,
		&v1.WatchGameRequest{Name: w.some(w.n), Start: &v1.WatchGameRequest_BoardFirst{BoardFirst: true}})
	if err != nil {
		w.note(outcome(err))
		return
	}
	_, err = stream.Recv()
	w.note(outcome(err))
}

// nonsense sends requests that are not calls.
func (w *worker) nonsense() {
	w.n++
	switch w.n % 5 {
	case 0:
		w.post("/warledger.v1.GameService/CreateGame", "application/json", []byte(strings.Repeat("[", 100_000)))
	case 1:
		w.post("/warledger.v1.GameService/Nothing", "application/proto", bytes.Repeat([]byte{0xff}, 1000))
	case 2:
		w.post("/../../etc/passwd", "text/plain", bytes.Repeat([]byte("x"), 100_000))
	case 3:
		ctx := metadata.AppendToOutgoingContext(w.ctx, "authorization", strings.Repeat("Bearer x,", 500))
		_, err := v1.NewGameServiceClient(w.conn).GetGame(ctx, &v1.GetGameRequest{Name: strings.Repeat("x", 1<<20)})
		w.note(outcome(err))
	default:
		w.note(outcome(w.conn.Invoke(w.ctx, "/warledger.v1.GameService/Nothing", &v1.GetGameRequest{},
			&v1.GetGameResponse{})))
	}
}

// half begins requests whose bodies never become complete, and learns later how the server ended each.
func (w *worker) half() {
	if w.n++; w.n%2 == 0 {
		ctx, cancel := context.WithCancel(w.ctx)
		w.hold(cancel)
		stream, err := w.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true},
			v1.GameService_CreateGame_FullMethodName)
		if err != nil {
			w.note(outcome(err))
			return
		}
		w.note("half call: sent")
		w.group.Go(func() { w.note(outcome(stream.RecvMsg(new(v1.CreateGameResponse)))) })
		return
	}
	c, err := from(w.at).DialContext(w.ctx, "tcp", w.p.webAddress())
	if err != nil {
		w.note("connection refused")
		return
	}
	w.hold(func() { _ = c.Close() })
	_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
	const head = "POST /warledger.v1.GameService/CreateGame HTTP/1.1\r\nHost: " +
		"localhost\r\nContent-Type: application/json\r\n"
	if _, err = fmt.Fprintf(c, head+"Content-Length: 4000000\r\n\r\n%s", strings.Repeat("x", 1<<16)); err != nil {
		w.note("half body: broken")
		return
	}
	w.note("half body: sent")
	w.group.Go(func() {
		answer, _ := io.ReadAll(c)
		w.note(reason(answer, "half body: no answer"))
	})
}

// dear makes costly calls.
func (w *worker) dear() {
	w.n++
	games := v1.NewGameServiceClient(w.conn)
	var err error
	switch w.n % 3 {
	case 0:
		var stream grpc.ServerStreamingClient[v1.AuditGameResponse]
		if stream, err = games.AuditGame(w.ctx, &v1.AuditGameRequest{Name: w.some(w.n)}); err == nil {
			for err == nil {
				_, err = stream.Recv()
			}
		}
		if err == io.EOF {
			err = nil
		}
	case 1:
		_, err = v1.NewHistoryServiceClient(w.conn).ForkGame(w.ctx,
			&v1.ForkGameRequest{Name: w.some(w.n), RequestId: uuid.NewString(), Private: true})
	default:
		_, err = v1.NewHistoryServiceClient(w.conn).CompareGames(w.ctx,
			&v1.CompareGamesRequest{Left: &v1.Line{Name: w.some(w.n)}, Right: &v1.Line{Name: w.some(w.n + 1)}})
	}
	w.note(outcome(err))
}

// imports uploads files without content.
func (w *worker) imports() {
	request := uuid.NewString()
	part := bytes.Repeat([]byte{byte(w.n)}, 1<<20)
	for offset := uint64(0); offset < 60<<20; offset += 1 << 20 {
		_, err := v1.NewHistoryServiceClient(w.conn).ImportGame(w.ctx,
			&v1.ImportGameRequest{RequestId: request, Offset: offset, Data: part})
		w.note(outcome(err))
		if err != nil || w.pace.Wait(w.ctx) != nil {
			return
		}
	}
}

// seats takes seats of games of the stranger's own and uses their tokens: they are true ones.
func (w *worker) seats() {
	w.n++
	name := w.some(w.n)
	games := v1.NewGameServiceClient(w.conn)
	w.mu.Lock()
	owner := ""
	if len(w.owners) > 0 {
		owner = w.owners[w.n%len(w.owners)]
	}
	w.mu.Unlock()
	ctx := bearer(w.ctx, owner)
	if w.n%2 == 0 {
		_, err := v1.NewAccessServiceClient(w.conn).ListTokens(ctx, &v1.ListTokensRequest{Parent: name})
		w.note(outcome(err))
		return
	}
	_, err := games.TakeSeat(w.ctx,
		&v1.TakeSeatRequest{Name: name, Seat: "us", Holder: "stranger", RequestId: uuid.NewString()})
	w.note(outcome(err))
}
