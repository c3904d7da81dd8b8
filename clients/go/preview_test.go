package warledger_test

import (
	"errors"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func TestPreview(t *testing.T) {
	t.Parallel()
	w := &warledger.Wallet{}
	red, _ := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(w)), w)
	out, err := red.Preview(t.Context(), warledger.PreviewQuery{Notation: "plan 0103"})
	if err != nil || out.Stop != v1.PreviewStop_PREVIEW_STOP_DECISION || len(out.Events) != 2 ||
		out.Events[0].Narration != "Red plans to hold West post." {
		t.Fatalf("gave %v, %v", out, err)
	}
	again, err := red.Preview(t.Context(),
		warledger.PreviewQuery{Command: out.Command, Expected: out.Version,
			Policies: map[string]string{"hit": "stand"}})
	if err != nil || again.Action.Command != "plan 0103" {
		t.Errorf("the message gave %v, %v", again, err)
	}
	var refused *warledger.Refused
	if _, err := red.Preview(t.Context(), warledger.PreviewQuery{Notation: "plan 0102"}); !errors.As(err, &refused) ||
		refused.Rule != "TY 2.2" {
		t.Errorf("what is illegal gave %v", err)
	}
	if _, err := red.Submit(t.Context(), warledger.Move{Notation: "plan 0103"}); err != nil {
		t.Fatal(err)
	}
	if _, err := red.Preview(t.Context(),
		warledger.PreviewQuery{Notation: "plan 0103", Expected: out.Version}); !errors.Is(err,
		warledger.ErrVersionConflict) {
		t.Errorf("a stale look gave %v", err)
	}
}
