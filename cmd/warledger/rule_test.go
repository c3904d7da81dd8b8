package main

import (
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// A refusal names the command that shows the whole paragraph only where that is more than the summary.
func TestSaysMore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "A unit may move once.": false, "A unit may\nmove once.": false,
		"A unit may move once.\n\nDecision: a stack is one unit.": true, "Only *one* unit may move.": true,
	} {
		if got := saysMore(&v1.Rule{Summary: "A unit may move once.", Text: text}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
