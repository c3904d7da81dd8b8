package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/metadata"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// named finds the names of metrics in an expression: words before a brace, or with a prefix that only metrics have.
var named = regexp.MustCompile(`\b([a-z]+(?:_[a-z0-9]+)+)\s*\{`)

// TestDashboardShowsWhatThereIs has every metric of the dashboard exist at a server that somebody has just begun to
// use, and every metric of this program be on the dashboard.
func TestDashboardShowsWhatThereIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePair(t, cert, key, 1)
	exposed := exposition(t, "--tls-cert", cert, "--tls-key", key) + exposition(t)
	data, err := os.ReadFile("../../docs/operations/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title, Description string
			Targets            []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, p := range board.Panels {
		if len(p.Targets) > 0 && p.Description == "" {
			t.Errorf("the panel %q does not say what it shows", p.Title)
		}
		for _, target := range p.Targets {
			found := named.FindAllStringSubmatch(target.Expr, -1)
			if len(found) == 0 {
				t.Errorf("the panel %q shows no metric: %s", p.Title, target.Expr)
			}
			for _, m := range found {
				shown[strings.TrimSuffix(m[1], "_bucket")] = true
				if !strings.Contains(exposed, "\n"+m[1]+"{") && !strings.Contains(exposed, "\n"+m[1]+" ") {
					t.Errorf("the panel %q shows %s, which the server does not have", p.Title, m[1])
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (warledger_\w+) `).FindAllStringSubmatch(exposed, -1) {
		if !shown[m[1]] {
			t.Errorf("%s is on no panel", m[1])
		}
	}
}

// exposition is what the metrics of a server say after a little use.
func exposition(t *testing.T, more ...string) string {
	t.Helper()
	p := launch(t, append([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "127.0.0.1:0", "--db",
		filepath.Join(t.TempDir(), "x.db"), "--with-toy"}, more...)...)
	if len(more) == 0 {
		games, conn := dial(t, p.grpcAddress())
		game, err := games.CreateGame(context.Background(), &v1.CreateGameRequest{
			RequestId: uuid.NewString(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		})
		if err != nil {
			t.Fatal(err)
		}
		seat, err := games.TakeSeat(context.Background(),
			&v1.TakeSeatRequest{Name: game.Game.Name, Seat: "red", Holder: "x", RequestId: uuid.NewString()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := games.SubmitCommand(withToken(seat.SeatToken), &v1.SubmitCommandRequest{
			Name: game.Game.Name, CommandId: uuid.NewString(), Form: &v1.SubmitCommandRequest_Notation{Notation: "end"},
		}); err == nil {
			t.Fatal("red may not end before it has planned")
		}
		_ = conn.Close()
	}
	transport := new(http.Transport)
	answer, err := (&http.Client{Transport: transport}).Get("http://" + p.opsAddress() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	transport.CloseIdleConnections()
	p.interrupt()
	return "\n" + string(body)
}

func withToken(token string) context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}
