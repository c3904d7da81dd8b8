package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// openAPI is what a client that is made from the document knows.
type openAPI struct {
	Paths map[string]map[string]struct {
		OperationID string
		Tags        []string
		Parameters  []struct{ Name, In string }
		Responses   map[string]struct{ Content map[string]any }
	}
	Components struct{ Schemas map[string]any }
}

// fetch makes a request of a plain path.
func (r *running) fetch(verb, path, body, token string) (int, http.Header, string) {
	r.t.Helper()
	req, err := http.NewRequest(strings.ToUpper(verb), r.web+path, strings.NewReader(body))
	must(r.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return r.send(req)
}

// seat takes a seat of a game and returns its token.
func (r *running) seat(game, seat string) string {
	r.t.Helper()
	out, err := v1.NewGameServiceClient(r.conn).TakeSeat(context.Background(),
		&v1.TakeSeatRequest{Name: game, Seat: seat, Holder: "x", RequestId: uuid.NewString()})
	must(r.t, err)
	return out.SeatToken
}

// loose is JSON without what a protobuf printer may write one way or the other: blanks, and the bytes of a detail of an
// error, which have maps in any order and stand beside it in JSON.
func loose(t testing.TB, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if m, ok := out.(map[string]any); ok {
		details, _ := m["details"].([]any)
		for _, d := range details {
			delete(d.(map[string]any), "value")
		}
	}
	return out
}

// TestEveryPathAnswersAsItsCall walks the document that the server serves. Each path answers what the call of the same
// name answers, that of a stream in lines. Every call of the contract that has a path is in the document.
func TestEveryPathAnswersAsItsCall(t *testing.T) {
	t.Parallel()
	r := start(t)
	name := r.game()
	token := r.seat(name, "red")
	r.seat(name, "blue")
	if code, _, text := r.post("/warledger.v1.TalkService/CreateMessage", // or its stream waits for a third message
		fmt.Sprintf(`{"parent":%q,"message":{"text":"hello"},"requestId":%q}`, name, uuid.NewString()),
		"Authorization", "Bearer "+token); code != http.StatusOK {
		t.Fatalf("%d %s", code, text)
	}
	_, headers, text := r.fetch("get", "/openapi.json", "", "")
	var doc openAPI
	must(t, json.Unmarshal([]byte(text), &doc))
	if headers.Get("Content-Type") != "application/json" || len(doc.Paths) < 20 {
		t.Fatalf("%v, %d paths", headers, len(doc.Paths))
	}
	var walked []string
	for path, verbs := range doc.Paths {
		for verb, op := range verbs {
			walked = append(walked, op.OperationID)
			real, fields := path, map[string]any{}
			for _, p := range op.Parameters {
				if p.In != "path" {
					continue
				}
				id, field, value := "toy", p.Name, ""
				switch p.Name {
				case "game":
					id = strings.TrimPrefix(name, "games/")
					field, value = "name", name
					switch op.OperationID {
					case "CreateMessage", "ListMessages", "WatchMessages", "ListReports":
						field = "parent"
					case "GetTalk", "UpdateTalk":
						value += "/talk"
					}
				case "message":
					id = "aaaaaaaaaaaaaaaa"
					field, value = "name", name+"/messages/"+id
				case "muted":
					id, value = "blue", "blue"
				case "ruleset":
					field, value = "name", "rulesets/toy"
					if op.OperationID != "GetRuleset" {
						field = "parent"
					}
				case "scenario":
					id = "ridge"
					delete(fields, "parent")
					field, value = "name", "rulesets/toy/scenarios/ridge"
				case "id":
					id, value = "TY 2.2", "TY 2.2"
				case "seat":
					id, value = "red", "red"
				default:
					t.Fatalf("%s has a parameter %s that the test does not know", path, p.Name)
				}
				fields[field] = value
				real = strings.Replace(real, "{"+p.Name+"}", url.PathEscape(id), 1)
			}
			whole, err := json.Marshal(fields)
			must(t, err)
			procedure := "/warledger.v1." + op.Tags[0] + "/" + op.OperationID
			_, lines := op.Responses["200"].Content["application/x-ndjson"]
			if lines {
				defer r.sameStream(real, procedure, string(whole), token) // last: GetGame counts watches
				continue
			}
			body := ""
			if verb == "post" { // each without the id of a request: refused alike
				body = "{}"
			}
			wantCode, _, want := r.post(procedure, string(whole), "Authorization", "Bearer "+token)
			code, headers, got := r.fetch(verb, real, body, token)
			if diff := cmp.Diff(loose(t, want), loose(t, got)); diff != "" || code != wantCode {
				t.Errorf("%s %s: %d, by the call %d (-call +path):\n%s", verb, real, code, wantCode, diff)
			}
			if headers.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: %v", verb, real, headers)
			}
		}
	}
	for _, file := range []protoreflect.FileDescriptor{v1.File_warledger_v1_game_service_proto,
		v1.File_warledger_v1_catalog_service_proto, v1.File_warledger_v1_talk_service_proto} {
		methods := file.Services().Get(0).Methods()
		for i := range methods.Len() {
			// An exported file is bytes: no lines of JSON.
			if name := string(methods.Get(i).Name()); name != "ExportGame" && !slices.Contains(walked, name) {
				t.Errorf("%s has no plain path", name)
			}
		}
	}
}

// sameStream compares the first messages of a stream by its path and by its call.
func (r *running) sameStream(path, procedure, request, token string) {
	r.t.Helper()
	call, err := http.NewRequest(http.MethodPost, r.web+procedure,
		strings.NewReader(fmt.Sprintf("\x00\x00\x00\x00%c%s", len(request), request)))
	must(r.t, err)
	call.Header.Set("Content-Type", "application/connect+json")
	plain, err := http.NewRequest(http.MethodGet, r.web+path, nil)
	must(r.t, err)
	var said [2][]any
	for i, req := range []*http.Request{call, plain} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		req.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(req.WithContext(ctx))
		must(r.t, err)
		defer answer.Body.Close()
		in := bufio.NewReader(answer.Body)
		for range 3 {
			var text string
			if i == 0 {
				head := make([]byte, 5)
				_, err = io.ReadFull(in, head)
				must(r.t, err)
				data := make([]byte, int(head[1])<<24|int(head[2])<<16|int(head[3])<<8|int(head[4]))
				_, err = io.ReadFull(in, data)
				must(r.t, err)
				text = string(data)
				if head[0] != 0 {
					break
				}
			} else if text, err = in.ReadString('\n'); err != nil {
				break
			}
			said[i] = append(said[i], loose(r.t, text))
		}
		if i == 1 && answer.Header.Get("Content-Type") != "application/x-ndjson" {
			r.t.Errorf("%s: %v", path, answer.Header)
		}
	}
	if diff := cmp.Diff(said[0], said[1]); diff != "" || len(said[1]) == 0 {
		r.t.Errorf("%s (-call +path):\n%s", path, diff)
	}
}

// TestAGameByPlainPaths plays by nothing but plain paths, and follows by lines of JSON that go on where they stopped.
func TestAGameByPlainPaths(t *testing.T) {
	t.Parallel()
	r := start(t)
	ask := func(verb, path, body, token string) map[string]any {
		t.Helper()
		code, _, text := r.fetch(verb, path, body, token)
		if code != 200 {
			t.Fatalf("%s %s: %d %s", verb, path, code, text)
		}
		return loose(t, text).(map[string]any)
	}
	created := ask("post", "/v1/games", fmt.Sprintf(`{"requestId":%q,"ruleset":"rulesets/toy","scenario":"ridge"}`,
		uuid.NewString()), "")
	path := "/v1/" + created["game"].(map[string]any)["name"].(string)
	var token string
	for _, seat := range []string{"blue", "red"} {
		token = ask("post", path+"/seats/"+seat+":take", fmt.Sprintf(` { "requestId":%q}`, uuid.NewString()),
			"")["seatToken"].(string)
	}
	legal := ask("get", path+"/legal?seat=red&pageSize=1&language_code=ja", "", token)
	first := legal["actions"].([]any)[0].(map[string]any)["command"].(string)
	done := ask("post", path+"/commands", fmt.Sprintf(`{"commandId":%q,"notation":%q,"next":{}}`, uuid.NewString(),
		first), token)
	if done["next"] == nil || done["record"] == nil {
		t.Errorf("the answer to a command: %v", done)
	}

	lines := func(query string) (got []string, resume string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.web+path+"/watch?heartbeat=1s"+query, nil)
		must(t, err)
		answer, err := http.DefaultClient.Do(req)
		must(t, err)
		defer answer.Body.Close()
		in := bufio.NewScanner(answer.Body)
		for in.Scan() {
			m := loose(t, in.Text()).(map[string]any)
			resume = m["resumeToken"].(string)
			for _, kind := range []string{"record", "caughtUp", "heartbeat"} {
				if m[kind] != nil {
					got = append(got, fmt.Sprint(kind, " ", m["version"]))
				}
			}
			if m["heartbeat"] != nil || len(got) == 2 {
				return got, resume
			}
		}
		return got, resume
	}
	got, resume := lines("&afterVersion=1")
	rest, _ := lines("&resumeToken=" + url.QueryEscape(resume))
	if diff := cmp.Diff([]string{"record 2", "record 3"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"record 4", "caughtUp 4"}, rest); diff != "" {
		t.Error(diff)
	}
	if beat, _ := lines("&afterVersion=4"); !slices.Contains(beat, "heartbeat 4") {
		t.Errorf("no heartbeat: %v", beat)
	}
}

// TestPlainPathsRefuse: what is wrong with a request is said with a status, in the form of other calls by JSON.
func TestPlainPathsRefuse(t *testing.T) {
	t.Parallel()
	r := start(t)
	path := "/v1/" + r.game()
	for _, c := range []struct {
		verb, path, body string
		code             int
		want             string
	}{
		{"get", "/v1/games/aaaaaaaaaaaaaaaaaaaaaaaaaa", "", 404, `"reason":"GAME_NOT_FOUND"`},
		{"get", "/v1/games/aaaaaaaaaaaaaaaaaaaaaaaaaa/watch", "", 404, `"reason":"GAME_NOT_FOUND"`},
		{"get", path + "/watch?afterVersion=99", "", 400, `"reason":"CURSOR_AHEAD"`},
		{"get", path + "/watch?afterVersion=x", "", 400, `after_version`},
		{"get", path + "/board?vieuer=red", "", 400, `"field":"vieuer"`},
		{"get", path + "/board?name=games/x", "", 400, `stands in the path already`},
		{"get", path + "/legal", "", 401, `"reason":"TOKEN_REQUIRED"`},
		{"post", path + ":undo", `{"name":"games/x"}`, 400, `duplicate field`},
		{"post", path + ":undo", `[]`, 400, `invalid_argument`},
		{"post", path + ":undo", `{`, 400, `invalid_argument`},
		{"post", path + ":undo", ``, 400, `application/json`},
		{"post", path + ":undo?ask=true", `{}`, 400, `no query`},
		{"post", path + ":undo", `{"asc":true}`, 400, `"field":"asc"`},
		{"get", path + "/commands", "", 404, `has no GET`},
		{"get", "/v1/nowhere", "", 404, `/openapi.json`},
		{"post", "/warledger.v1.GameService/WatchGame", `{}`, 400, `GET /v1/{name=games/*}/watch`},
		{"post", "/warledger.v1.GameService/ExportGame", `{}`, 400, `application/connect+json`},
	} {
		code, headers, body := r.fetch(c.verb, c.path, c.body, "")
		kind := headers.Get("Content-Type")
		if code != c.code || !strings.Contains(body, c.want) || kind != "application/json" {
			t.Errorf("%s %s: %d %s %q, want %d %s", c.verb, c.path, code, kind, body, c.code, c.want)
		}
	}
}
