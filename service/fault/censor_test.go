package fault

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
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
