package service_test

import (
	"context"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func previewRequest(g *table, text string) *v1.PreviewCommandRequest {
	return &v1.PreviewCommandRequest{Name: g.name, Form: &v1.PreviewCommandRequest_Notation{Notation: text}}
}

func (g *table) preview(token, text string, change ...func(*v1.PreviewCommandRequest)) *v1.PreviewCommandResponse {
	g.t.Helper()
	req := previewRequest(g, text)
	for _, f := range change {
		f(req)
	}
	out, err := g.games.PreviewCommand(as(token), req)
	if err != nil {
		g.t.Fatalf("%s: %v", text, err)
	}
	return out
}

// facing is a game in which red's r2 may attack b2.
func facing(h *host) *table {
	g := redBegins(h)
	g.do(g.red, "move r2 0304")
	return g
}

func TestPreviewOverTheNetwork(t *testing.T) {
	t.Parallel()
	g := facing(open(t, func(s *setting) { s.network = true }))
	before := g.game(g.red)
	out := g.preview(g.red, "attack r2 b2",
		func(r *v1.PreviewCommandRequest) { r.Policies = map[string]string{"hit": "stand"} })
	if out.Version != before.Version || out.Action.Command != "attack r2 b2" ||
		out.Stop != v1.PreviewStop_PREVIEW_STOP_DICE || len(out.Costs) != 0 {
		t.Errorf("got %v", out)
	}
	if len(out.Events) != 1 || out.Events[0].Narration != "Red 2 attacks Blue 2." {
		t.Errorf("events %v", out.Events)
	}
	if len(out.Forecasts) != 2 {
		t.Fatalf("forecasts %v", out.Forecasts)
	}
	f := out.Forecasts[1]
	if f.Kind != "attack" || f.Method != v1.ForecastMethod_FORECAST_METHOD_EXACT ||
		f.Policies[0].Description != "A unit that is hit loses a step." {
		t.Errorf("got %v", f)
	}
	got := map[string]string{}
	for _, o := range f.Outcomes {
		got[o.Id] = o.Chance.Fraction
	}
	if diff := cmp.Diff(map[string]string{"repulsed": "1/6", "no_effect": "1/3", "hit": "1/2"}, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, g.game(g.red), protocmp.Transform()); diff != "" {
		t.Errorf("the preview changed the game (-before +after):\n%s", diff)
	}
	ja := g.preview(g.red, "attack r2 b2", func(r *v1.PreviewCommandRequest) { r.LanguageCode = "ja" })
	if ja.Events[0].Narration == out.Events[0].Narration || !strings.Contains(ja.Forecasts[1].Title, "攻撃") {
		t.Errorf("in Japanese: %v", ja)
	}
}

func TestPreviewOfWhatIsCertain(t *testing.T) {
	t.Parallel()
	g := facing(open(t))
	out := g.preview(g.red, "move r1 0202")
	if out.Stop != v1.PreviewStop_PREVIEW_STOP_DECISION || cmp.Diff([]string{"red"}, out.WaitingFor) != "" ||
		len(out.Forecasts) != 0 {
		t.Errorf("got %v", out)
	}
	done := g.do(g.red, "move r1 0202")
	var want []*v1.PreviewEvent
	for _, e := range done.Record.Events {
		want = append(want, &v1.PreviewEvent{Event: e.Event, Narration: e.Narration})
	}
	equal(t, "events", out.Events, want)

	if out := g.preview(g.red, "scout"); out.Stop != v1.PreviewStop_PREVIEW_STOP_HIDDEN || len(out.Events) != 0 ||
		len(out.Assumptions) != 1 {
		t.Errorf("scouting: %v", out)
	}
	out = g.preview(g.red, "concede")
	if out.Stop != v1.PreviewStop_PREVIEW_STOP_OVER || out.Ending.GetLevel() != "conceded" {
		t.Errorf("conceding: %v", out)
	}
	typed := &v1.PreviewCommandRequest{Name: g.name, Seat: "red",
		Form: &v1.PreviewCommandRequest_Command{Command: out.Command}}
	again, err := g.games.PreviewCommand(as(g.red), typed)
	must(t, err)
	equal(t, "preview of the message", again, out)
}

// TestPreviewRefusesAsSubmitDoes: code, reason, metadata and details are the same.
func TestPreviewRefusesAsSubmitDoes(t *testing.T) {
	t.Parallel()
	g := facing(open(t))
	for _, text := range []string{"attack r1 b1", "move r2 0202", "plan 0303", "rally r1 1", "dance", "move r9 0202",
		"accept"} {
		for who, token := range map[string]string{"red": g.red, "blue": g.blue} {
			submit := g.command(text)
			submit.ValidateOnly = true
			_, want := g.games.SubmitCommand(as(token), submit)
			_, got := g.games.PreviewCommand(as(token), previewRequest(g, text))
			if want == nil {
				t.Fatalf("%s of %s is legal", text, who)
			}
			if diff := cmp.Diff(status.Convert(want).Proto(), status.Convert(got).Proto(),
				protocmp.Transform()); diff != "" {
				t.Errorf("%s of %s (-submit +preview):\n%s", text, who, diff)
			}
		}
	}
}

func TestPreviewIsForSeats(t *testing.T) {
	t.Parallel()
	g := facing(open(t))
	for name, c := range map[string]struct {
		tokens []string
		change func(*v1.PreviewCommandRequest)
		code   codes.Code
		reason fault.Reason
	}{
		"a spectator": {nil, nil, codes.Unauthenticated, fault.TokenRequired},
		"the owner":   {[]string{g.owner}, nil, codes.PermissionDenied, fault.NotYourSeat},
		"another seat": {[]string{g.blue}, func(r *v1.PreviewCommandRequest) { r.Seat = "red" }, codes.PermissionDenied,
			fault.NotYourSeat},
		"two seats": {[]string{g.red, g.blue}, nil, codes.InvalidArgument, fault.SeatRequired},
		"a stale look": {[]string{g.red}, func(r *v1.PreviewCommandRequest) { r.ExpectedVersion = proto.Uint64(3) },
			codes.Aborted, fault.VersionConflict},
		"no command": {[]string{g.red}, func(r *v1.PreviewCommandRequest) { r.Form = nil }, codes.InvalidArgument,
			fault.ValidationFailed},
		"an empty line": {[]string{g.red}, func(r *v1.PreviewCommandRequest) {
			r.Form = &v1.PreviewCommandRequest_Notation{}
		}, codes.InvalidArgument, fault.ValidationFailed},
		"no policy": {[]string{g.red}, func(r *v1.PreviewCommandRequest) {
			r.Policies = map[string]string{"zeal": "high"}
		}, codes.InvalidArgument, fault.ValidationFailed},
		"no value": {[]string{g.red},
			func(r *v1.PreviewCommandRequest) { r.Policies = map[string]string{"hit": "run"} },
			codes.InvalidArgument, fault.ValidationFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := previewRequest(g, "attack r2 b2")
			if c.change != nil {
				c.change(req)
			}
			_, err := g.games.PreviewCommand(as(c.tokens...), req)
			wantError(t, err, c.code, c.reason)
			if name == "no value" {
				v := detail[*errdetails.BadRequest](status.Convert(err)).GetFieldViolations()
				if len(v) != 1 || v[0].Field != `policies["hit"]` ||
					!strings.Contains(v[0].Description, "retreat, stand") {
					t.Errorf("violations %v", v)
				}
			}
		})
	}
}

// TestPreviewsHideWhatIsHidden: in two games that differ in red's plan alone, blue's previews are equal to the byte,
// whatever blue thinks of doing.
func TestPreviewsHideWhatIsHidden(t *testing.T) {
	t.Parallel()
	pair := twins(open(t), "0303", "0301")
	secret := planBytes(t, "0303")
	seen := 0
	for _, action := range pair[0].legal(pair[0].blue).Actions {
		var wire [2][]byte
		for i, g := range pair {
			out := g.preview(g.blue, action.Command)
			var err error
			wire[i], err = proto.MarshalOptions{Deterministic: true}.Marshal(out)
			must(t, err)
			for _, e := range out.Events {
				made := new(toyv1.Event)
				must(t, e.Event.UnmarshalTo(made))
				if made.GetPlanMade() != nil || made.GetScoutReported() != nil {
					t.Errorf("%s shows %v", action.Command, made)
				}
			}
		}
		seen++
		if string(wire[0]) != string(wire[1]) || strings.Contains(string(wire[0]), string(secret)) {
			t.Errorf("blue's preview of %s tells red's plan", action.Command)
		}
	}
	if seen < 5 {
		t.Errorf("only %d actions were previewed", seen)
	}
}

// TestPreviewsTellNothingOfTheDice: games with other secrets, and so with other dice to come, have equal previews, and
// the die that then falls is one of those that were weighed.
func TestPreviewsTellNothingOfTheDice(t *testing.T) {
	t.Parallel()
	h := open(t)
	var first *v1.PreviewCommandResponse
	for range 6 {
		g := h.seated()
		for _, token := range []string{g.red, g.blue} {
			g.do(token, "plan 0303")
		}
		mover, text := g.red, "move r2 0304"
		if g.game().WaitingFor[0] == "blue" {
			g.do(g.blue, "end")
		}
		g.do(mover, text)
		out := g.preview(mover, "attack r2 b2")
		out.Version = 0
		if first == nil {
			first = out
		}
		equal(t, "preview in another game", out, first)
		g.do(mover, "attack r2 b2")
	}
}

func TestPreviewGivesUp(t *testing.T) {
	t.Parallel()
	g := facing(open(t))
	ctx, cancel := context.WithCancel(as(g.red))
	cancel()
	_, err := g.games.PreviewCommand(ctx, previewRequest(g, "attack r2 b2"))
	if status.Code(err) != codes.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestCatalogListsPolicies(t *testing.T) {
	t.Parallel()
	out, err := open(t).catalog.GetRuleset(as(), &v1.GetRulesetRequest{Name: "rulesets/toy", LanguageCode: "ja"})
	must(t, err)
	list := out.Ruleset.Policies
	if len(list) != 2 || list[0].Id != "hit" || len(list[0].Values) != 2 ||
		list[0].Values[1].Description != "命中を受けた部隊は1ステップ失います。" {
		t.Errorf("policies %v", list)
	}
}

// TestPreviewsAreMeasured counts those that were worked out, and not what was refused before.
func TestPreviewsAreMeasured(t *testing.T) {
	t.Parallel()
	metrics := prometheus.NewRegistry()
	g := redBegins(open(t, func(s *setting) { s.metrics = metrics }))
	for _, text := range []string{"move r2 0304", "plan 0303"} {
		_ = second(g.games.PreviewCommand(as(g.red),
			&v1.PreviewCommandRequest{Name: g.name, Form: &v1.PreviewCommandRequest_Notation{Notation: text}}))
	}
	if n := counted(t, metrics, "warledger_preview_seconds"); n != 1 {
		t.Errorf("%g previews are counted, want 1", n)
	}
}
