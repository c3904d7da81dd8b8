package phrases

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
)

// tree is a checkout with each kind of source.
var tree = map[string]string{
	"clients/web/src/words.en.ts": "export const en = {\n  lobby: \"Lobby\",\n  long:\n" +
		"    \"One \\\"and\\\" \" +\n    \"two.\",\n};\n",
	"clients/web/src/words.ja.ts": "export const ja = {\n  lobby: \"ロビー\",\n};\n",
	"clients/discord/words.go": "package discord\nvar words = map[string][2]string{\"back\": {\"Back\", \"戻る\"}}\n" +
		"var other = f(\"Seat\"+\" of %s\", \"席：%s\", \"席\", \"not Japanese\", \"at all\")\n",
	"clients/discord/words_test.go": "package discord\nvar x = f(\"of a test\", \"試験\")\n",
	"cmd/warledger/do.go": "package main\nfunc f(a *app) { a.say(\"Done.\\n\"); a.say(\"%s\\n\", " +
		"a.words(\"over\")); g(\"not said\") }\n" +
		"type c struct { X int `help:\"How many.\" name:\"x\"` }\n" +
		"const description = `All.`\nvar g = G{Title: \"Groups\"}\n",
	"service/letter.go": "package service\nvar t = [...][2]string{k: {\"{} sits.\", \"{}が着席。\"}}\n",
	"rules/downfall/messages.tsv": "# comment\n\nmark.left\tleft\t左\ntold.left\tleft\t去る\nn\t{n}\t{n}\n" +
		"move\t{unit} moves.\t{unit}が移動。\n",
	"rules/downfall/about.go": "package d\nvar a = A{Title: W{En: \"Downfall\", Ja: \"ダウンフォール\"}}\n",
	"rules/downfall/scenarios/one.json": `{"id": "en", "title": {"en": "One", "ja": "一"}, ` +
		`"x": [{"en": "Back"}, {"en": ""}]}`,
	"rules/downfall/rulebook.txt":          "### DF 1.0 — General\nA rule.\n### DF 2.0\nMore\nof it.\n",
	"rules/downfall/rulebook.tsv":          "DF 1.0\tGeneral\tenforced\tA rule.\n",
	"rules/downfall/testdata/messages.tsv": "x\tnot a source\t試験\n",
}

func collect(t *testing.T, files map[string]string) []Section {
	t.Helper()
	sections, err := Collect(slices.Collect(maps.Keys(files)), func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sections
}

func TestCollect(t *testing.T) {
	t.Parallel()
	text := func(english string) Text { return Text{English: english} }
	want := []Section{
		{Source: "clients/web/src/words.en.ts", Texts: []Text{text("Lobby"), text(`One "and" two.`)}},
		{Source: "clients/discord/words.go", Texts: []Text{text("Back"), text("Seat of %s")}},
		{Source: "cmd/warledger/do.go", Texts: []Text{
			text("Done.\n"), text("over"), text("How many."), text("All."), text("Groups"),
		}},
		{Source: "service/letter.go", Texts: []Text{text("{} sits.")}},
		{Source: "rules/downfall/messages.tsv",
			Texts: []Text{{"left", "mark.left"}, {"left", "told.left"}, {"{unit} moves.", "move"}}},
		{Source: "rules/downfall/about.go", Texts: []Text{text("Downfall")}},
		{Source: "rules/downfall/scenarios/one.json", Texts: []Text{text("One")}},
		{Source: "rules/downfall/rulebook.tsv", Texts: []Text{text("General"), text("A rule.")}},
		{Source: "rules/downfall/rulebook.txt", Texts: []Text{text("More\nof it.")}, Long: true},
	}
	if diff := cmp.Diff(want, collect(t, tree)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBrokenSources(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"clients/web/src/words.en.ts": "export const en = {\n  n: 3,\n};\n",
		"service/x.go":                "not Go", "cmd/warledger/x.go": "not Go",
		"rules/x/scenarios/x.json": `{"en": "\x"}`,
	} {
		_, err := Collect([]string{name}, func(string) ([]byte, error) { return []byte(text), nil })
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	missing := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	if _, err := Collect([]string{"service/x.go"}, missing); err == nil {
		t.Error("a source that cannot be read is passed over")
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	sections := collect(t, map[string]string{
		"rules/downfall/messages.tsv": tree["rules/downfall/messages.tsv"],
		"service/letter.go":           tree["service/letter.go"],
	})
	fresh, err := Update("pl", "", sections)
	if err != nil {
		t.Fatal(err)
	}
	const head = "# Warledger in Polish: the English, a tab, the translation. docs/howto/languages.md says more.\n" +
		"@name\tpolski\n@plural\t3 n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2\n"
	const want = head + "\n# service/letter.go\n{} sits.\n\n# rules/downfall/messages.tsv\nleft\n{unit} moves.\n"
	counts := [...]int{fresh.All, fresh.Translated, len(fresh.Missing)}
	if diff := cmp.Diff(want, fresh.Text); diff != "" || counts != [...]int{4, 0, 3} {
		t.Fatalf("%+v (-want +got):\n%s", fresh, diff)
	}
	given := strings.NewReplacer("@name\tpolski", "@name\tPolski", "{} sits.", "{} sits.\t{} siada.",
		"left\n", "left\tlewo\nleft\topuścił\ttold.left\n").Replace(want) +
		"gone\tnie ma\nleft\tx\tnot.there\nnot done\t\n"
	f, err := Update("pl", given, sections)
	if err != nil {
		t.Fatal(err)
	}
	now := strings.Replace(head, "\tpolski", "\tPolski", 1) + "\n# service/letter.go\n{} sits.\t{} siada.\n" +
		"\n# rules/downfall/messages.tsv\nleft\tlewo\nleft\topuścił\ttold.left\n{unit} moves.\n" +
		"\n" + unusedHead + "\n#- gone\tnie ma\n#- left\tx\tnot.there\n"
	if diff := cmp.Diff(now, f.Text); diff != "" || f.Translated != 3 || len(f.Unused) != 2 {
		t.Errorf("%+v (-want +got):\n%s", f, diff)
	}
	areas := []Area{{"service/letter.go", 1, 1}, {"rules/downfall/messages.tsv", 2, 3}}
	if diff := cmp.Diff(areas, f.Areas); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again, err := Update("pl", f.Text, sections)
	if err != nil || again.Text != f.Text || len(again.Unused) != 0 {
		t.Errorf("a file that is current is changed: %v %s", err, cmp.Diff(f.Text, again.Text))
	}
	for _, tag := range []string{"en", "ja", "xx-xx-x", "DE", "", "../x"} {
		if _, err := Update(tag, "", sections); err == nil {
			t.Errorf("%q may have a file", tag)
		}
	}
}

// A file has the full texts of rules once they were asked for, and keeps them.
func TestLongTextsComeWhenAsked(t *testing.T) {
	t.Parallel()
	const name = "rules/downfall/rulebook.txt"
	sections := collect(t, map[string]string{name: tree[name]})
	f, err := Update("pl", "", sections)
	if err != nil || strings.Contains(f.Text, name) || f.All != 0 {
		t.Fatalf("%v\n%+v", err, f)
	}
	f, err = Update("pl", f.Text+`More\nof it.`+"\tReszta.\n", sections)
	if want := "# " + name + "\n" + `More\nof it.` + "\tReszta.\n"; err != nil || !strings.HasSuffix(f.Text, want) ||
		f.Translated != 1 || f.All != 1 || len(f.Unused) != 0 {
		t.Fatalf("%v\n%+v", err, f)
	}
	sections[0].Long = false
	if f, err = Update("pl", f.Text, sections); err != nil || f.All != 2 || !strings.Contains(f.Text, "\nA rule.\n") {
		t.Errorf("%v\n%+v", err, f)
	}
}

// The ways to count that are offered are those of the languages that come next, and of others that count oddly.
func TestCounting(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields("de fr es it pt pl ru cs ro lt sl ar is ko nl") {
		if tag := language.Make(name); !Counts(tag, counting(tag)) {
			t.Errorf("no way is known in which %s counts", tag)
		}
	}
	if Counts(language.Polish, "2 n != 1") || Counts(language.German, "2 n > 1") ||
		Counts(language.German, "nonsense") {
		t.Error("a wrong way to count is taken")
	}
}
