package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// inbox is what a webhook has posted: the ids of each version, in order of arrival.
type inbox struct {
	mu       sync.Mutex
	versions []uint64
	ids      map[uint64]map[string]bool
}

// ServeHTTP takes a notice.
func (i *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	notice := new(v1.Notice)
	if err != nil || protojson.Unmarshal(body, notice) != nil {
		return // cut off by a kill
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	version := notice.GetData().GetRecord().GetVersion()
	i.versions = append(i.versions, version)
	if i.ids[version] == nil {
		i.ids[version] = map[string]bool{}
	}
	i.ids[version][r.Header.Get("webhook-id")] = true
}

func (i *inbox) last() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.versions) == 0 {
		return 0
	}
	return slices.Max(i.versions)
}

// TestWebhooksOfAKilledServer kills the serving program again and again while a game is played and posted: every record
// arrives, in order but for what is posted again, and what is posted again has the id that it had.
func TestWebhooksOfAKilledServer(t *testing.T) {
	t.Parallel()
	got := &inbox{ids: map[uint64]map[string]bool{}}
	receiver := httptest.NewServer(got)
	t.Cleanup(func() {
		receiver.CloseClientConnections()
		receiver.Close()
	})
	args := []string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db",
		filepath.Join(t.TempDir(), "games.db"), "--with-toy", "--log-level", "error",
		"--webhook-networks", "127.0.0.0/8"}
	g := &posted{t: t, rnd: 9}
	for kill := range 4 {
		cmd, p := spawn(t, "", args...)
		games, conn := dial(t, p.grpcAddress())
		if kill == 0 {
			g.begin(games, conn, receiver.URL)
		}
		for range 8 {
			g.step(games)
		}
		if kill%2 == 1 { // some lives end while notices are under way, others when all have arrived
			g.arrive(got)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		_ = conn.Close()
	}
	last := launch(t, args...)
	g.arrive(got)
	last.interrupt()
	got.mu.Lock()
	defer got.mu.Unlock()
	seen := g.after
	for _, v := range got.versions {
		if v > seen+1 {
			t.Fatalf("record %d came after %d: %v", v, seen, got.versions)
		}
		seen = max(seen, v)
		if len(got.ids[v]) != 1 {
			t.Errorf("record %d came under the ids %v", v, got.ids[v])
		}
	}
	t.Logf("%d records posted %d times", seen-g.after, len(got.versions))
}

// posted is a game whose records are posted.
type posted struct {
	t              *testing.T
	name           string
	tokens         map[string]string
	after, version uint64
	rnd            uint64
}

func withBearer(token string) context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}

func (g *posted) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *posted) begin(games v1.GameServiceClient, conn *grpc.ClientConn, url string) {
	g.t.Helper()
	made, err := games.CreateGame(context.Background(), &v1.CreateGameRequest{
		RequestId: uuid.NewString(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	})
	g.must(err)
	g.name, g.tokens = made.Game.Name, map[string]string{}
	for _, seat := range []string{"red", "blue"} {
		out, err := games.TakeSeat(context.Background(),
			&v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: seat, RequestId: uuid.NewString()})
		g.must(err)
		g.tokens[seat], g.after = out.SeatToken, out.Game.Version
	}
	_, err = v1.NewNotificationServiceClient(conn).CreateWebhook(withBearer(g.tokens["red"]), &v1.CreateWebhookRequest{
		Parent: g.name, RequestId: uuid.NewString(),
		Webhook: &v1.Webhook{Url: url, Kinds: []logv1.NoticeKind{logv1.NoticeKind_NOTICE_KIND_RECORD}},
	})
	g.must(err)
}

// step makes one legal command, if the game goes on.
func (g *posted) step(games v1.GameServiceClient) {
	g.t.Helper()
	now, err := games.GetGame(context.Background(), &v1.GetGameRequest{Name: g.name})
	g.must(err)
	g.version = now.Game.Version
	if now.Game.Over {
		return
	}
	ctx := withBearer(g.tokens[now.Game.WaitingFor[0]])
	legal, err := games.ListLegalActions(ctx, &v1.ListLegalActionsRequest{Name: g.name})
	g.must(err)
	g.rnd = g.rnd*6364136223846793005 + 1442695040888963407
	var choices []string
	for _, a := range legal.Actions {
		choices = append(choices, a.Command)
	}
	out, err := games.SubmitCommand(ctx, &v1.SubmitCommandRequest{
		Name: g.name, CommandId: uuid.NewString(),
		Form: &v1.SubmitCommandRequest_Notation{Notation: choices[int(g.rnd>>33)%len(choices)]},
	})
	g.must(err)
	g.version = out.Game.Version
}

// arrive waits until all that was recorded has been posted.
func (g *posted) arrive(got *inbox) {
	g.t.Helper()
	for begun := time.Now(); got.last() < g.version; time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			g.t.Fatalf("record %d has not arrived, only %d", g.version, got.last())
		}
	}
}
