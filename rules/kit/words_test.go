package kit

import (
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// A list has its marks between the names, none is a dash, and English stands for a language that is missing.
func TestWords(t *testing.T) {
	t.Parallel()
	hill, none := &downfallv1.Words{En: "hill", Ja: "丘"}, (*downfallv1.Words)(nil)
	name := func(w *downfallv1.Words) rules.Words { return Words(w) }
	english := &downfallv1.Words{En: "sea"}
	for _, c := range []struct {
		of   []*downfallv1.Words
		want rules.Words
	}{
		{nil, rules.Words{En: "-"}},
		{[]*downfallv1.Words{hill}, rules.Words{En: "hill", Ja: "丘"}},
		{[]*downfallv1.Words{hill, english}, rules.Words{En: "hill, sea", Ja: "丘、sea"}},
	} {
		if got := Enumerate(c.of, name); got.In("en") != c.want.In("en") || got.In("ja") != c.want.In("ja") {
			t.Errorf("%v are named %v, expected %v", c.of, got, c.want)
		}
	}
	for _, c := range []struct {
		words *downfallv1.Words
		lang  rules.Lang
		want  string
	}{{hill, rules.Japanese, "丘"}, {hill, rules.English, "hill"}, {english, rules.Japanese, "sea"}, {none, "ja", ""}} {
		if got := InLang(c.words, c.lang); got != c.want {
			t.Errorf("%v in %s is %q, expected %q", c.words, c.lang, got, c.want)
		}
	}
}
