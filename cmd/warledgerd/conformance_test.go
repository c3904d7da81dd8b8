package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/proto/warledger/v1/warledgerv1connect"
)

// TestConformance plays the same little game against the program by every protocol that its ports speak.
func TestConformance(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "off",
		"--db", filepath.Join(t.TempDir(), "games.db"), "--with-toy")
	h2c := new(http.Protocols)
	h2c.SetUnencryptedHTTP2(true)
	two, one := &http.Transport{Protocols: h2c}, new(http.Transport)
	for _, way := range []struct {
		name, address string
		transport     *http.Transport
		options       []connect.ClientOption
	}{
		{"gRPC", p.grpcAddress(), two, []connect.ClientOption{connect.WithGRPC()}},
		{"gRPC by HTTP", p.webAddress(), two, []connect.ClientOption{connect.WithGRPC()}},
		{"gRPC-Web", p.webAddress(), one, []connect.ClientOption{connect.WithGRPCWeb()}},
		{"gRPC-Web JSON", p.webAddress(), one, []connect.ClientOption{connect.WithGRPCWeb(), connect.WithProtoJSON()}},
		{"Connect", p.webAddress(), one, nil},
		{"Connect JSON", p.webAddress(), one, []connect.ClientOption{connect.WithProtoJSON()}},
		{"Connect GET", p.webAddress(), two, []connect.ClientOption{connect.WithHTTPGet(), connect.WithProtoJSON()}},
		{"Connect gzip", p.webAddress(), two, []connect.ClientOption{connect.WithSendGzip()}},
	} {
		t.Run(way.name, func(t *testing.T) {
			client := &http.Client{Transport: way.transport}
			c := &conforming{t: t,
				games:   warledgerv1connect.NewGameServiceClient(client, "http://"+way.address, way.options...),
				catalog: warledgerv1connect.NewCatalogServiceClient(client, "http://"+way.address, way.options...),
			}
			c.run()
		})
	}
	two.CloseIdleConnections()
	one.CloseIdleConnections()
	p.interrupt()
}

// conforming is one run of the conformance test.
type conforming struct {
	t       *testing.T
	games   warledgerv1connect.GameServiceClient
	catalog warledgerv1connect.CatalogServiceClient
	name    string
	tokens  map[string]string
}

func (c *conforming) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// with is a request with a seat's token; without a seat it carries none.
func with[T any](c *conforming, seat string, m *T) *connect.Request[T] {
	req := connect.NewRequest(m)
	if seat != "" {
		req.Header().Set("Authorization", "Bearer "+c.tokens[seat])
	}
	return req
}

func (c *conforming) run() {
	ctx := context.Background()
	sets, err := c.catalog.ListRulesets(ctx, with(c, "", &v1.ListRulesetsRequest{LanguageCode: "ja"}))
	c.must(err)
	if len(sets.Msg.Rulesets) < 2 {
		c.t.Errorf("rulesets %v", sets.Msg.Rulesets)
	}
	made, err := c.games.CreateGame(ctx, with(c, "", &v1.CreateGameRequest{
		RequestId: uuid.NewString(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	}))
	c.must(err)
	c.name, c.tokens = made.Msg.Game.Name, map[string]string{}
	for _, seat := range []string{"red", "blue"} {
		out, err := c.games.TakeSeat(ctx,
			with(c, "", &v1.TakeSeatRequest{Name: c.name, Seat: seat, Holder: seat, RequestId: uuid.NewString()}))
		c.must(err)
		c.tokens[seat] = out.Msg.SeatToken
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	watch, err := c.games.WatchGame(watching,
		with(c, "red", &v1.WatchGameRequest{Name: c.name, Start: &v1.WatchGameRequest_BoardFirst{BoardFirst: true}}))
	c.must(err)
	if !watch.Receive() || len(watch.Msg().GetBoard().GetPieces()) == 0 {
		c.t.Fatalf("the watch begins with %v, %v", watch.Msg(), watch.Err())
	}
	version := c.act()
	for watch.Receive() && watch.Msg().GetRecord() == nil {
	}
	if r := watch.Msg().GetRecord(); r.GetVersion() != version || r.GetNotation() == "" {
		c.t.Errorf("the watch brings %v, %v", r, watch.Err())
	}
	cancel()
	_ = watch.Close()
	c.errors()
	c.export()
}

// act makes the first listed command of red and gives the version of its record.
func (c *conforming) act() uint64 {
	list, err := c.games.ListLegalActions(context.Background(),
		with(c, "red", &v1.ListLegalActionsRequest{Name: c.name, IncludeCommands: true}))
	c.must(err)
	first := list.Msg.Actions[0]
	done, err := c.games.SubmitCommand(context.Background(), with(c, "red", &v1.SubmitCommandRequest{
		Name: c.name, CommandId: uuid.NewString(), Form: &v1.SubmitCommandRequest_Notation{Notation: first.Command},
	}))
	c.must(err)
	return done.Msg.Record.Version
}

func (c *conforming) errors() {
	ctx := context.Background()
	refused := func(err error, code connect.Code, reason string) *connect.Error {
		c.t.Helper()
		var e *connect.Error
		if !errors.As(err, &e) || e.Code() != code || reasonOf(e) != reason {
			c.t.Errorf("got %v (%s), want %s %s", err, reasonOf(e), code, reason)
		}
		return e
	}
	_, err := c.games.GetGame(ctx, with(c, "", &v1.GetGameRequest{Name: "games/aaaaaaaaaaaaaaaaaaaaaaaaaa"}))
	refused(err, connect.CodeNotFound, "GAME_NOT_FOUND")
	ask := &v1.SubmitCommandRequest{Name: c.name, CommandId: uuid.NewString(),
		Form: &v1.SubmitCommandRequest_Notation{Notation: "end"}}
	_, err = c.games.SubmitCommand(ctx, with(c, "", ask))
	refused(err, connect.CodeUnauthenticated, "TOKEN_REQUIRED")
	_, err = c.games.SubmitCommand(ctx, with(c, "red", ask))
	if e := refused(err, connect.CodeFailedPrecondition, "NOT_YOUR_DECISION"); e != nil && len(e.Details()) < 3 {
		c.t.Errorf("details %v", e.Details())
	}
	stream, err := c.games.WatchGame(ctx,
		with(c, "", &v1.WatchGameRequest{Name: c.name, Start: &v1.WatchGameRequest_AfterVersion{AfterVersion: 99}}))
	c.must(err)
	if stream.Receive() {
		c.t.Errorf("a watch of the future brings %v", stream.Msg())
	}
	refused(stream.Err(), connect.CodeOutOfRange, "CURSOR_AHEAD")
	_ = stream.Close()
}

func reasonOf(e *connect.Error) string {
	if e == nil {
		return ""
	}
	for _, d := range e.Details() {
		if m, err := d.Value(); err == nil {
			if info, ok := m.(*errdetails.ErrorInfo); ok {
				return info.Reason
			}
		}
	}
	return ""
}

func (c *conforming) export() {
	stream, err := c.games.ExportGame(context.Background(), with(c, "red", &v1.ExportGameRequest{Name: c.name}))
	c.must(err)
	size := 0
	for stream.Receive() {
		size += len(stream.Msg().Data)
	}
	if stream.Err() != nil || size == 0 {
		c.t.Errorf("%d bytes, %v", size, stream.Err())
	}
	_ = stream.Close()
}

// TestJSONByHand is what somebody with nothing but curl does.
func TestJSONByHand(t *testing.T) {
	t.Parallel()
	p := launch(t, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "off",
		"--db", filepath.Join(t.TempDir(), "games.db"))
	transport := new(http.Transport)
	answer, err := (&http.Client{Transport: transport}).Post("http://"+p.webAddress()+
		"/warledger.v1.GameService/ListGames", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 || string(body) != "{}" {
		t.Errorf("%s %q (%v)", answer.Status, body, err)
	}
	answer.Body.Close()
	transport.CloseIdleConnections()
	p.interrupt()
}
