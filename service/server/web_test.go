package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/emptypb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/proto/warledger/v1/warledgerv1connect"
	"github.com/warledger/warledger/service/server"
)

// post sends JSON as curl would.
func (r *running) post(path, body string, headers ...string) (int, http.Header, string) {
	r.t.Helper()
	req, err := http.NewRequest(http.MethodPost, r.web+path, strings.NewReader(body))
	must(r.t, err)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return r.send(req)
}

func (r *running) send(req *http.Request) (int, http.Header, string) {
	r.t.Helper()
	answer, err := http.DefaultClient.Do(req)
	must(r.t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(r.t, err)
	return answer.StatusCode, answer.Header, string(data)
}

func TestCurl(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	code, headers, body := r.post("/warledger.v1.GameService/ListGames", "{}")
	var got struct {
		Games []struct{ Name, Ruleset string }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != 200 || len(got.Games) != 1 ||
		got.Games[0].Name != name {
		t.Errorf("%d %s (%v)", code, body, err)
	}
	if headers.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", headers)
	}
	for path, want := range map[string]string{
		"/warledger.v1.GameService/GetGame":     `"reason":"VALIDATION_FAILED"`,
		"/grpc.health.v1.Health/Check":          "",
		"/warledger.v1.GameService/NoSuchThing": "",
	} {
		code, _, body := r.post(path, `{"name":"x"}`)
		if !strings.Contains(body, want) || (want != "" && code != 400) {
			t.Errorf("%s: %d %s, want %s", path, code, body, want)
		}
	}
	if code, _, _ := r.post("/warledger.v1.GameService/NoSuchThing", "{}"); code != 404 {
		t.Errorf("a call that does not exist: %d", code)
	}
	if code, _, body := r.post("/warledger.v1.GameService/ListGames", ""); code != 400 ||
		!strings.Contains(body, "send {}") {
		t.Errorf("an empty body: %d %s", code, body)
	}
	if code, _, body := r.post("/warledger.v1.GameService/ListGames", "{"); code != 400 ||
		!strings.Contains(body, "invalid_argument") {
		t.Errorf("broken JSON: %d %s", code, body)
	}
}

// TestUnknownFieldsByJSON: each protocol refuses a request with a misspelt field, names the field, and does nothing. A
// misspelt wish only to check a command must not carry it out, and a misspelt enum value must not count as none.
func TestUnknownFieldsByJSON(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	var tokens []string
	for _, seat := range []string{"red", "blue"} {
		out, err := v1.NewGameServiceClient(r.conn).TakeSeat(context.Background(),
			&v1.TakeSeatRequest{Name: name, Seat: seat, Holder: "x", RequestId: uuid.NewString()})
		must(t, err)
		tokens = append(tokens, "Authorization", "Bearer "+out.SeatToken)
	}
	version := func() uint64 {
		out, err := v1.NewGameServiceClient(r.conn).GetGame(context.Background(), &v1.GetGameRequest{Name: name})
		must(t, err)
		return out.Game.Version
	}
	was := version()
	for i, token := range [][]string{tokens[:2], tokens[2:]} {
		plan := fmt.Sprintf(`{"name":%q,"commandId":%q,"notation":"plan 0303"`, name, uuid.NewString())
		for field, said := range map[string]string{`"validateOnli":true`: `"validateOnli"`,
			`"command":{"@type":"type.googleapis.com/warledger.toy.v1.Command","plann":{}}`: `"command.plann"`} {
			code, _, body := r.post("/warledger.v1.GameService/SubmitCommand",
				strings.Replace(plan, `"notation":"plan 0303"`, field, 1)+"}", token...)
			for _, want := range []string{`"code":"invalid_argument"`, `"reason":"VALIDATION_FAILED"`,
				`"field":` + said} {
				if code != 400 || !strings.Contains(body, want) {
					t.Errorf("seat %d, %s: %d %s, want %s", i, field, code, body, want)
				}
			}
		}
	}
	for path, ask := range map[string]string{
		"/warledger.v1.GameService/ListGames": `{"pageSise":1}`,
		"/warledger.v1.GameService/CreateGame": fmt.Sprintf(
			`{"requestId":%q,"ruleset":"rulesets/toy","scenario":"ridge","deadlines":{"laps":"x"}}`, uuid.NewString(),
		),
		"/warledger.v1.CatalogService/GetRuleset":   `{"name":"rulesets/toy","x":{"y":[{}]}}`,
		"/warledger.v1.DeadlineService/TakeHoliday": `{"x":null}`,
		"/warledger.v1.GameService/Resign": fmt.Sprintf(`{"name":%q,"requestId":%q,"validateOnly":true}`, name,
			uuid.NewString()),
		"/warledger.v1.NotificationService/CreateWebhook":  `{"":1}`,
		"/warledger.v1.GameService/LeaveSeat":              `{"dry_run":true}`,
		"/warledger.v1.AccessService/CreateToken":          `{"rights":"RIGHTS_SE"}`,
		"/warledger.v1.CatalogService/ListScenarios":       `{"parent":"rulesets/toy","[warledger.v1.x]":1}`,
		"/warledger.v1.GameService/GetBoard":               `{"name":"x","verion":"3"}`,
		"/warledger.v1.HistoryService/ForkGame":            `{"private ":true}`,
		"/warledger.v1.GameService/AnswerUndo":             `{"agre":true}`,
		"/warledger.v1.CatalogService/ValidateScenario":    `{"document":"","documents":""}`,
		"/warledger.v1.CheckpointService/ProveConsistency": `{"from":"1"}`,
		"/warledger.v1.GameService/ListLegalActions":       `{"filter":{}, "filtr":{}}`,
		"/warledger.v1.GameService/GetPosition":            `{"a":{"a":{"a":{"a":{}}}}}`,
		"/warledger.v1.GameService/PreviewCommand":         `{"policis":[]}`,
		"/warledger.v1.DeadlineService/ProposeDeadlines":   `{"deadlines":{"lapse":"LAPSE_RESGIN"}}`,
	} {
		if code, _, body := r.post(path, ask, tokens[:2]...); code != 400 ||
			!strings.Contains(body, `"code":"invalid_argument"`) {
			t.Errorf("%s %s: %d %s", path, ask, code, body)
		}
	}
	if now := version(); now != was {
		t.Errorf("the game went from version %d to %d", was, now)
	}
	client := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web, connect.WithProtoJSON())
	if _, err := client.GetGame(context.Background(), connect.NewRequest(&v1.GetGameRequest{Name: name})); err != nil {
		t.Errorf("a request without such fields: %v", err)
	}
	_, _, body := r.post("/warledger.v1.GameService/WatchGame", "\x00\x00\x00\x00\x0d"+`{"nam":"gam"}`, "Content-Type",
		"application/connect+json")
	if !strings.Contains(body, `"reason":"VALIDATION_FAILED"`) || !strings.Contains(body, `"nam"`) {
		t.Errorf("a stream: %q", body)
	}
}

// TestEveryCallIsServed walks the contract: each call must reach the gRPC server by HTTP and come
// back as it does by gRPC.
func TestEveryCallIsServed(t *testing.T) {
	t.Parallel()
	r := start(t)
	calls := 0
	for _, file := range []protoreflect.FileDescriptor{v1.File_warledger_v1_catalog_service_proto,
		v1.File_warledger_v1_game_service_proto, v1.File_warledger_v1_access_service_proto} {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				calls++
				r.checkServed(methods.Get(j))
			}
		}
	}
	if calls < 25 {
		t.Errorf("only %d calls, so the walk is broken", calls)
	}
}

// checkServed sends an empty request both ways and compares the answers.
func (r *running) checkServed(m protoreflect.MethodDescriptor) {
	r.t.Helper()
	path := "/" + string(m.Parent().FullName()) + "/" + string(m.Name())
	kind := "application/json"
	body := []byte("{}")
	if m.IsStreamingServer() {
		kind, body = "application/connect+json", []byte("\x00\x00\x00\x00\x02{}")
	}
	req, err := http.NewRequest(http.MethodPost, r.web+path, bytes.NewReader(body))
	must(r.t, err)
	req.Header.Set("Content-Type", kind)
	_, _, got := r.send(req)
	want := r.native(path)
	if want.Code().String() == "OK" {
		if strings.Contains(got, `"code"`) {
			r.t.Errorf("%s: %s, want an answer", path, got)
		}
		return
	}
	var info *errdetails.ErrorInfo
	for _, d := range want.Details() {
		if found, ok := d.(*errdetails.ErrorInfo); ok {
			info = found
		}
	}
	if !strings.Contains(got, `"code":"`+connect.Code(want.Code()).String()+`"`) ||
		info != nil && !strings.Contains(got, `"reason":"`+info.Reason+`"`) {
		r.t.Errorf("%s: %s, want %v with %v", path, got, want, info)
	}
}

// native is what an empty request gets by gRPC.
func (r *running) native(path string) *status.Status {
	stream, err := r.conn.NewStream(context.Background(), &grpc.StreamDesc{ServerStreams: true}, path,
		grpc.WaitForReady(true))
	must(r.t, err)
	must(r.t, stream.SendMsg(new(emptypb.Empty)))
	must(r.t, stream.CloseSend())
	err = stream.RecvMsg(new(emptypb.Empty)) // whatever it is, it is kept unread
	return status.Convert(err)
}

// TestErrorsKeepCodesAndDetails compares an error with many details over each protocol with the one that gRPC gives.
func TestErrorsKeepCodesAndDetails(t *testing.T) {
	t.Parallel()
	r := start(t)
	name, token := r.game(), ""
	for _, seat := range []string{"red", "blue"} {
		out, err := v1.NewGameServiceClient(r.conn).TakeSeat(context.Background(),
			&v1.TakeSeatRequest{Name: name, Seat: seat, Holder: "x", RequestId: uuid.NewString()})
		must(t, err)
		token = out.SeatToken
	}
	ask := &v1.SubmitCommandRequest{Name: name, CommandId: uuid.NewString(),
		Form: &v1.SubmitCommandRequest_Notation{Notation: "end"}}
	want := status.Convert(second(v1.NewGameServiceClient(r.conn).SubmitCommand(withToken(token), ask)))
	if len(want.Details()) < 3 {
		t.Fatalf("the error has too few details to prove anything: %v", want.Details())
	}
	for protocol, options := range protocols() {
		req := connect.NewRequest(ask)
		req.Header().Set("Authorization", "Bearer "+token)
		_, err := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web, options...).
			SubmitCommand(context.Background(), req)
		var got *connect.Error
		if !errors.As(err, &got) {
			t.Fatalf("%s: %v", protocol, err)
		}
		if got.Code() != connect.Code(want.Code()) || got.Message() != want.Message() {
			t.Errorf("%s: %v, want %v", protocol, got, want)
		}
		var details []any
		for _, d := range got.Details() {
			m, err := d.Value()
			must(t, err)
			details = append(details, m)
		}
		if diff := cmp.Diff(want.Details(), details, protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", protocol, diff)
		}
	}
}

// protocols are the ways to speak to the second port.
func protocols() map[string][]connect.ClientOption {
	return map[string][]connect.ClientOption{
		"Connect": nil, "Connect JSON": {connect.WithProtoJSON()}, "Connect GET": {connect.WithHTTPGet()},
		"gRPC-Web": {connect.WithGRPCWeb()}, "gRPC-Web JSON": {connect.WithGRPCWeb(), connect.WithProtoJSON()},
		"gRPC": {connect.WithGRPC()},
	}
}

func second[T any](_ T, err error) error { return err }

// httpClient speaks HTTP/2 without TLS, which gRPC needs and all others can.
func (r *running) httpClient() *http.Client {
	h2c := new(http.Protocols)
	h2c.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: h2c}
	r.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// TestWatchByHTTP has each protocol watch a game, be told of a record, and end with the last message
// when the server stops.
func TestWatchByHTTP(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	streams := map[string]*connect.ServerStreamForClient[v1.WatchGameResponse]{}
	for protocol, options := range protocols() {
		client := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web, options...)
		stream, err := client.WatchGame(context.Background(), connect.NewRequest(&v1.WatchGameRequest{Name: name}))
		must(t, err)
		streams[protocol] = stream
		read(t, protocol, stream, func(m *v1.WatchGameResponse) bool { return m.GetCaughtUp() != nil })
	}
	must(t, second(v1.NewGameServiceClient(r.conn).TakeSeat(context.Background(),
		&v1.TakeSeatRequest{Name: name, Seat: "red", Holder: "x", RequestId: uuid.NewString()})))
	for protocol, stream := range streams {
		read(t, protocol, stream, func(m *v1.WatchGameResponse) bool { return m.GetRecord().GetVersion() == 2 })
	}
	stopped := make(chan bool, 1)
	go func() { stopped <- r.srv.Stop(context.Background(), 0, time.Minute) }()
	for protocol, stream := range streams {
		read(t, protocol, stream, func(m *v1.WatchGameResponse) bool { return m.GetGoingAway() != nil })
		if stream.Receive() || stream.Err() != nil {
			t.Errorf("%s: after the last message %v, %v", protocol, stream.Msg(), stream.Err())
		}
		must(t, stream.Close())
	}
	if !<-stopped {
		t.Error("calls were cut off")
	}
}

func read(t *testing.T, protocol string, stream *connect.ServerStreamForClient[v1.WatchGameResponse],
	until func(*v1.WatchGameResponse) bool) {
	t.Helper()
	for stream.Receive() {
		if until(stream.Msg()) {
			return
		}
	}
	t.Fatalf("%s: the stream ended with %v", protocol, stream.Err())
}

// TestWatcherByHTTPGoes has the call inside end when the page that made it is closed.
func TestWatcherByHTTPGoes(t *testing.T) {
	t.Parallel()
	r := start(t)
	ctx, leave := context.WithCancel(context.Background())
	stream, err := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web).WatchGame(ctx,
		connect.NewRequest(&v1.WatchGameRequest{Name: r.game()}))
	must(t, err)
	if !stream.Receive() {
		t.Fatal(stream.Err())
	}
	leave()
	_ = stream.Close()
	if !r.srv.Stop(context.Background(), 0, time.Minute) {
		t.Error("the watch went on after its caller")
	}
}

func TestDeadlineByHTTP(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	client := warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	stream, err := client.WatchGame(ctx, connect.NewRequest(&v1.WatchGameRequest{Name: name}))
	if err == nil { // on a busy machine the time is over before the stream begins
		for stream.Receive() {
		}
		err = stream.Err()
		_ = stream.Close()
	}
	if connect.CodeOf(err) != connect.CodeDeadlineExceeded {
		t.Errorf("got %v", err)
	}
}

func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *server.Options) { o.Origins = []string{"https://play.example"} })
	ask := func(origin string) http.Header {
		req, err := http.NewRequest(http.MethodOptions, r.web+"/warledger.v1.GameService/ListGames", nil)
		must(t, err)
		req.Header.Set("Origin", origin)
		req.Header.Set("Access-Control-Request-Method", "POST")
		req.Header.Set("Access-Control-Request-Headers",
			"authorization,connect-protocol-version,content-type,warledger-game")
		_, headers, _ := r.send(req)
		return headers
	}
	if got := ask("https://play.example").Get("Access-Control-Allow-Origin"); got != "https://play.example" {
		t.Errorf("the page that may call: %q", got)
	}
	if got := ask("https://evil.example").Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("another page: %q", got)
	}
	_, headers, _ := r.post("/warledger.v1.GameService/ListGames", "{}", "Origin", "https://play.example")
	if !strings.Contains(strings.ToLower(headers.Get("Access-Control-Expose-Headers")), "grpc-status") {
		t.Errorf("headers %v", headers)
	}
	none := start(t)
	if _, headers, _ := none.post("/warledger.v1.GameService/ListGames", "{}", "Origin",
		"https://play.example"); headers.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without a setting pages may call: %v", headers)
	}
}

// TestManyWatchersByHTTP proves that the connection inside does not bound them: there are more than
// one connection may have.
func TestManyWatchersByHTTP(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var clients []warledgerv1connect.GameServiceClient
	for range 3 {
		clients = append(clients, warledgerv1connect.NewGameServiceClient(r.httpClient(), r.web))
	}
	for i := range 1300 {
		stream, err := clients[i%len(clients)].WatchGame(ctx, connect.NewRequest(&v1.WatchGameRequest{Name: name}))
		must(t, err)
		if !stream.Receive() {
			t.Fatalf("watcher %d: %v", i, stream.Err())
		}
	}
}

// TestLargeBody has a body that is larger than any request be refused with the code that says so.
func TestLargeBody(t *testing.T) {
	t.Parallel()
	r := start(t)
	code, _, body := r.post("/warledger.v1.CatalogService/ValidateScenario",
		`{"parent":"`+strings.Repeat("x", server.MaxReceive)+`"}`)
	if code != 429 || !strings.Contains(body, "resource_exhausted") {
		t.Errorf("%d %.200s", code, body)
	}
}

// TestHTTP2WithTLS has a browser's way in: HTTP/2 by ALPN, over TLS.
func TestHTTP2WithTLS(t *testing.T) {
	t.Parallel()
	certificate := selfSigned(t)
	r := start(t)
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	served := make(chan error, 1)
	go func() {
		served <- r.srv.ServeWeb(tls.NewListener(plain,
			&tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}}))
	}()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Post("https://"+plain.Addr().String()+
		"/warledger.v1.GameService/ListGames", "application/json", strings.NewReader("{}"))
	must(t, err)
	must(t, answer.Body.Close())
	if answer.ProtoMajor != 2 || answer.StatusCode != 200 {
		t.Errorf("%s %s", answer.Proto, answer.Status)
	}
	transport.CloseIdleConnections()
	r.srv.Stop(context.Background(), 0, time.Minute)
	must(t, <-served)
}
