package rulestest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// Whatever the Japanese of a paragraph lacks or has too much is found, and nothing is said of a sound one.
func TestMistold(t *testing.T) {
	t.Parallel()
	terms := []Term{{En: `\bunits?\b`, Ja: `ユニット`, Not: []string{"部隊"}}}
	english := "XY 1.1\tPhase\tenforced\tA unit pays 1,500 and `cp` by XY 1.2.\nXY 1.2\tUnits\tenforced\tNone.\n"
	texts := "### XY 1.1\nA unit pays.\n\n- One.\n- Two."
	for name, c := range map[string]struct {
		index, texts string
		want         []string
	}{
		"sound": {"1500と`cp`をXY 1.2により払うユニット。", "ユニットが払う。\n\n- 一。\n- 二。", nil},
		"a number": {"1と`cp`をXY 1.2により払うユニット。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary lacks 1500"}},
		"an id": {"1500と`cp`を1.2により払うユニット。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary lacks XY 1.2"}},
		"code": {"1500とcpをXY 1.2により払うユニット。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary lacks `cp`"}},
		"polite": {"1500と`cp`をXY 1.2によりユニットが払います。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary is polite: ます。"}},
		"terms": {"1500と`cp`をXY 1.2により払う部隊。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary says 部隊 instead of ユニット", "XY 1.1 summary does not say ユニット"}},
		"wide": {"1500と`cp`をXY 1.2によりユニットＡが払う。", "ユニットが払う。\n\n- 一。\n- 二。",
			[]string{"XY 1.1 summary has Ａ"}},
		"lists": {"1500と`cp`をXY 1.2により払うユニット。", "ユニットが払う。\n- 一と二。",
			[]string{"XY 1.1 text has 1 paragraphs, and 2 in English",
				"XY 1.1 text has 1 entries of lists, and 2 in English"}},
		"English": {"1500と`cp`をXY 1.2により払うユニット。", "A unit pays.\n\n- One.\n- Two.",
			[]string{"XY 1.1 text has no Japanese", "XY 1.1 text does not say ユニット"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := rules.MustRulebook(english, texts).MustJapanese(
				"XY 1.1\tフェーズ\t"+c.index+"\nXY 1.2\tユニット\tなし。\n", "### XY 1.1\n"+c.texts)
			if diff := cmp.Diff(c.want, mistold(b, terms)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
