package service_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/service/ledger"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// lines collects log lines; calls write them from many goroutines.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// planted are secrets that can be found again.
type planted struct{}

func (planted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "planted-secret."[i%15]
	}
	return len(p), nil
}

func TestLogTellsNoSecrets(t *testing.T) {
	t.Parallel()
	log := new(lines)
	h := open(t, func(s *setting) { s.log, s.level, s.entropy = log, slog.LevelDebug, planted{} })
	creation := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}, Title: "A game"}
	out, err := h.games.CreateGame(as(), creation)
	must(t, err)
	g := &table{host: h, name: out.Game.Name, owner: out.OwnerToken}
	seat := &v1.TakeSeatRequest{Name: g.name, Seat: "red", Holder: "Holder-of-red", RequestId: id(),
		Entropy: []byte("entropy-of-red")}
	taken, err := h.games.TakeSeat(as(), seat)
	must(t, err)
	g.red, g.blue = taken.SeatToken, g.sit("blue")
	g.do(g.red, "plan 0303")
	// Errors of all kinds, with secrets in what is refused.
	_ = second(g.games.SubmitCommand(as(g.red), g.command("plan 0301")))
	_ = second(g.games.SubmitCommand(as(g.blue), g.command("plan hush0301")))
	_ = second(g.games.SubmitCommand(as("wl_s_"+strings.Repeat("b", 52)), g.command("plan 0503")))
	_ = second(g.games.SubmitCommand(as("hush-token"), g.command("plan 0503")))
	_ = second(g.games.GetGame(as(), &v1.GetGameRequest{Name: "games/hush"}))
	_ = second(g.games.TakeSeat(as(), &v1.TakeSeatRequest{Name: g.name, Seat: g.red, RequestId: id()}))
	everything(g, g.red)
	must(t, second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	h.stop()

	told := log.all()
	for _, secret := range []string{
		g.owner, g.red, g.blue, creation.RequestId, seat.RequestId, "plan 030", "hush", "planted", "Holder-of-red",
		"entropy-of-red",
		strings.Repeat("b", 20), hex.EncodeToString([]byte("planted")),
		base64.StdEncoding.EncodeToString([]byte("planted"))[:8],
	} {
		if strings.Contains(told, secret) {
			t.Errorf("the log tells %q", secret)
		}
	}
	calls, game := 0, strings.TrimPrefix(g.name, "games/")
	for line := range strings.Lines(told) {
		var entry struct {
			Msg, Method, Code, Game, Seat, Request, Reason string
			Version                                        uint64
		}
		must(t, json.Unmarshal([]byte(line), &entry))
		calls++
		if entry.Method == "GameService/SubmitCommand" && entry.Code == "OK" &&
			(entry.Game != game || entry.Seat != "red" || entry.Version != 4 || entry.Request == "") {
			t.Errorf("the line of the command is %s", line)
		}
	}
	if calls < 15 || !strings.Contains(told, string("NOT_YOUR_DECISION")) {
		t.Errorf("%d lines:\n%s", calls, told)
	}
	// What was planted is what the game used: otherwise the search proves nothing.
	for _, r := range g.auditable(h) {
		if bytes.Contains(r, []byte("planted-secret")) {
			return
		}
	}
	t.Error("the released secrets are not the planted ones")
}

// The usual log has a line for the beginning and the end of a game and none for its calls, but for those that failed by
// the server's fault.
func TestLogTellsOfGamesNotOfCalls(t *testing.T) {
	t.Parallel()
	log := new(lines)
	h := open(t, func(s *setting) { s.log = log })
	g := h.seated()
	g.do(g.red, "plan 0303")
	_ = second(g.games.SubmitCommand(as("hush-token"), g.command("plan 0503")))
	must(t, second(g.games.Resign(as(g.red), &v1.ResignRequest{Name: g.name, RequestId: id()})))
	h.stop()
	var got []string
	for line := range strings.Lines(log.all()) {
		var entry struct{ Msg, Level, Game, Ruleset, Scenario string }
		must(t, json.Unmarshal([]byte(line), &entry))
		got = append(got, strings.Join([]string{entry.Level, entry.Msg, entry.Ruleset, entry.Scenario}, " "))
		if entry.Game != strings.TrimPrefix(g.name, "games/") {
			t.Errorf("the line is about the game %q: %s", entry.Game, line)
		}
	}
	want := []string{"INFO a game begins toy ridge", "INFO a game is over toy ridge"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// auditable are the stored records of a game.
func (g *table) auditable(h *host) (records [][]byte) {
	entries, err := h.store.Read(g.t.Context(), g.name, 1, 0, 0)
	must(g.t, err)
	for _, e := range entries {
		r, err := ledger.Open(e.Data)
		must(g.t, err)
		records = append(records, r.Data())
	}
	return records
}
