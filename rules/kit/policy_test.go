package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

func TestPolicy(t *testing.T) {
	t.Parallel()
	want := rules.Policy{ID: "hit", Key: "policy.hit", Values: []rules.PolicyValue{
		{Value: "stand", Key: "policy.hit-stand"}, {Value: "retreat", Key: "policy.hit-retreat"},
	}}
	if diff := cmp.Diff(want, Policy("hit", "stand", "retreat")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
