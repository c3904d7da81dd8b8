package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/warledger/warledger/rules"
)

const tsv = "# what things are called\n" +
	"seat.us\tUS\t米軍\n" +
	"\n" +
	"lost\t{seat} lost {n} {n|step|steps}.\t{seat}は{n}ステップ失いました。\r\n" +
	"nested\tSo: {what}\tつまり：{what}\n" +
	"loop\tagain {self}\tまた{self}\n"

func TestCatalogueFormat(t *testing.T) {
	t.Parallel()
	c := rules.MustCatalogue(tsv)
	for name, x := range map[string]struct {
		lang rules.Lang
		text rules.Text
		want string
	}{
		"singular": {rules.English, rules.Say("lost", "seat", "@seat.us", "n", 1), "US lost 1 step."},
		"plural":   {rules.English, rules.Say("lost", "seat", "@seat.us", "n", 2), "US lost 2 steps."},
		"none is many": {rules.English, rules.Say("lost", "seat", "@seat.us", "n", uint8(0)),
			"US lost 0 steps."},
		"another language":    {rules.Japanese, rules.Say("lost", "seat", "@seat.us", "n", 2), "米軍は2ステップ失いました。"},
		"an unknown language": {"zxx", rules.Say("seat.us"), "US"},
		"arguments pass down": {rules.English, rules.Say("nested", "what", "@lost", "seat", "Blue", "n", 1),
			"So: Blue lost 1 step."},
		"an unknown key":           {rules.English, rules.Say("nix", "a", 1, "b", "x"), "[nix a=1 b=x]"},
		"an unknown nested key":    {rules.English, rules.Say("nested", "what", "@nix"), "So: [nix what=@nix]"},
		"a place without argument": {rules.English, rules.Say("lost", "n", 3), "{seat} lost 3 steps."},
		"a plural without one":     {rules.English, rules.Say("lost", "seat", "x"), "x lost {n} {n|step|steps}."},
		"braces in a value":        {rules.English, rules.Say("nested", "what", "{seat}"), "So: {seat}"},
		"no text":                  {rules.English, rules.Text{}, "[]"},
		"a value without a name":   {rules.English, rules.Say("seat.us", "left over"), "US"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.Format(x.lang, x.text); got != x.want {
				t.Errorf("got %q, want %q", got, x.want)
			}
		})
	}
}

// The languages of a message have the same places, however often each repeats one; plural forms do not count.
func TestPlacesMayRepeatAndPluralsMayLack(t *testing.T) {
	t.Parallel()
	for _, x := range []string{
		"a\t{x} and {x}\t{x}", "a\t{x} {y}\t{y} {x} {y}", "a\t{x|one|many}\tc", "a\t{x} {y|one|many}\t{x}",
	} {
		if _, err := rules.ParseCatalogue(x); err != nil {
			t.Errorf("%q: %v", x, err)
		}
	}
}

// A message that refers to itself comes to an end.
func TestCatalogueLoop(t *testing.T) {
	t.Parallel()
	got := rules.MustCatalogue(tsv).Format(rules.English, rules.Say("loop", "self", "@loop"))
	if !strings.HasPrefix(got, "again again ") || !strings.HasSuffix(got, "[loop self=@loop]") || len(got) > 200 {
		t.Errorf("got %q", got)
	}
}

func TestParseCatalogueFaults(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ tsv, says string }{
		"columns":            {"a\tb", "line 1: 2 columns, expected 3"},
		"a key twice":        {"a\tb\tc\n#\na\tb\tc", `line 3: key "a" is given twice`},
		"a message missing":  {"a\tb\t", `key "a" has no ja message`},
		"other places":       {"a\t{x} {y}\t{x}", `catalogue line 1: key "a" has places [x] in ja and [x y] in en`},
		"a place left open":  {"a\t{x\tc", `catalogue line 1: key "a": a brace without its other`},
		"a place not opened": {"a\tx}\tc", "a brace without its other"},
		"a place in a place": {"a\t{x{y}}\tc", "a brace without its other"},
		"a place unnamed":    {"a\t{}\t{}", "expected {name}"},
		"one form":           {"a\t{n|x}\tc", "expected {name} or {name|one|many}, not {n|x}"},
		"three forms":        {"a\t{n|x|y|z}\tc", "not {n|x|y|z}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := rules.ParseCatalogue(x.tsv); err == nil || !strings.Contains(err.Error(), x.says) {
				t.Errorf("got %v, want an error with %q", err, x.says)
			}
		})
	}
}

func TestCatalogueKeys(t *testing.T) {
	t.Parallel()
	c := rules.MustCatalogue(tsv)
	if diff := cmp.Diff([]string{"loop", "lost", "nested", "seat.us"}, c.Keys()); diff != "" {
		t.Error(diff)
	}
	if !c.Has("lost") || c.Has("nix") {
		t.Error("Has knows other keys than Keys")
	}
	mustPanic(t, func() { rules.MustCatalogue("a") })
}

// What a player or a scenario provides comes out as it went in, whatever it is, unless it begins with @.
func TestCatalogueValues(t *testing.T) {
	t.Parallel()
	c := rules.MustCatalogue(tsv)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Filter(func(s string) bool { return !strings.HasPrefix(s, "@") }).Draw(t, "value")
		if got := c.Format(rules.English, rules.Say("nested", "what", value)); got != "So: "+value {
			t.Fatalf("got %q", got)
		}
	})
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("expected a panic")
		}
	}()
	f()
}

func TestWordsComeInTheirLanguageAndAreNoKeys(t *testing.T) {
	t.Parallel()
	c := rules.MustCatalogue("moved\t{unit} moves.\t{unit}が移動する。\nsecret\tSECRET\t秘密")
	said := rules.Say("moved", "unit", rules.Words{En: "@secret", Ja: "第5師団"})
	if got := c.Format(rules.English, said); got != "@secret moves." {
		t.Errorf("English: %q", got)
	}
	if got := c.Format(rules.Japanese, said); got != "第5師団が移動する。" {
		t.Errorf("Japanese: %q", got)
	}
	both := rules.Join([]rules.Words{{En: "I", Ja: "一"}, {En: "II"}}, ", ", "、")
	for lang, want := range map[rules.Lang]string{"en": "I, II", "ja": "一、II", "zxx": "I, II"} {
		if got := both.In(lang); got != want {
			t.Errorf("joined in %s: %s, want %s", lang, got, want)
		}
	}
	if rules.Join(nil, ", ", "、") != (rules.Words{}) {
		t.Error("nothing is joined to something")
	}
}
