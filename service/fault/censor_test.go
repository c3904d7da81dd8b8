package fault

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// TestTokensAreNotQuoted has a token in every part of an error that can quote something.
func TestTokensAreNotQuoted(t *testing.T) {
	t.Parallel()
	token := "wl_s_" + strings.Repeat("a2", 26)
	var faults Violations
	faults.Add("field."+token, "%q is no name", token)
	listed, ok := faults.Err(ValidationFailed).(*Error)
	if !ok {
		t.Fatal("no error")
	}
	for _, e := range []*Error{
		New(GameNotFound, "there is no game %q", token).With("game", token).Resource("game", token).Quota(token),
		New(GameNotFound, "cut short: %s", token[:20]), listed,
	} {
		text := protojson.Format(e.GRPCStatus().Proto())
		if strings.Contains(text, "a2a2") || !strings.Contains(text, "(a token)") {
			t.Errorf("got %s", text)
		}
	}
	plain := New(GameNotFound, "there is no game %q", "games/x").With("game", "wl_")
	if got := plain.GRPCStatus(); got.Message() != `there is no game "games/x"` {
		t.Errorf("got %v", got)
	}
}

// TestTokensAreTakenOutOfEveryKindOfField censors texts, lists of texts, maps, and messages in fields and lists; what
// holds no token stays.
func TestTokensAreTakenOutOfEveryKindOfField(t *testing.T) {
	t.Parallel()
	token := "wl_o_" + strings.Repeat("b3", 26)
	list, err := structpb.NewValue([]any{token, map[string]any{"inner": "a " + token, "plain": "kept"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dirty, want proto.Message }{
		{
			&errdetails.DebugInfo{StackEntries: []string{"kept", token, "x" + token + "!"}, Detail: token},
			&errdetails.DebugInfo{StackEntries: []string{"kept", "(a token)", "x(a token)!"}, Detail: "(a token)"},
		},
		{
			&errdetails.ErrorInfo{Metadata: map[string]string{"game": token, "kept": "plain"}},
			&errdetails.ErrorInfo{Metadata: map[string]string{"game": "(a token)", "kept": "plain"}},
		},
		{
			&errdetails.Help{Links: []*errdetails.Help_Link{{Url: "kept"}, {Url: token, Description: token}}},
			&errdetails.Help{Links: []*errdetails.Help_Link{{Url: "kept"},
				{Url: "(a token)", Description: "(a token)"}}},
		},
		{
			list,
			structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{
				structpb.NewStringValue("(a token)"),
				structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{
					"inner": structpb.NewStringValue("a (a token)"), "plain": structpb.NewStringValue("kept"),
				}}),
			}}),
		},
	} {
		detail, err := anypb.New(c.dirty)
		if err != nil {
			t.Fatal(err)
		}
		st := &spb.Status{Message: token, Details: []*anypb.Any{detail}}
		censor(st)
		got, err := st.Details[0].UnmarshalNew()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got, protocmp.Transform()); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.dirty, diff)
		}
		if st.Message != "(a token)" {
			t.Errorf("message %q", st.Message)
		}
	}
}
