package rulestest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// A message that does not use the rulebook's word is found, and one that uses another word for it.
func TestTerms(t *testing.T) {
	t.Parallel()
	catalogue := rules.MustCatalogue("a\tThe Supply Phase begins.\t補給フェーズ開始。\n" +
		"b\tThe {phase} phase ends.\t終了{phase}。\nc\tOver.\tフェイズの終わり。\n")
	wrong, found := misnamed(catalogue, []Term{{En: `phase\b`, Ja: `フェーズ`, Times: 38, Not: []string{"フェイズ"}}})
	want := []string{
		"b: The  phase ends. names phase\\b, and 終了{phase}。 does not say フェーズ",
		"c: フェイズの終わり。 says フェイズ instead of フェーズ",
	}
	if diff := cmp.Diff(want, wrong); diff != "" || found != 2 {
		t.Errorf("found %d, (-want +got)\n%s", found, diff)
	}
}
