package languages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	cldr "golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// The files of this folder are sound, and count as the CLDR says that their languages do.
func TestFiles(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, entry := range entries {
		data, err := files.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		tag := strings.TrimSuffix(entry.Name(), ".tsv")
		l, faults := Parse(tag, string(data))
		for _, f := range faults {
			t.Errorf("%s:%d: %s", entry.Name(), f.Line, f.What)
		}
		forms := map[cldr.Form]int{}
		for n := range 1001 {
			want := cldr.Cardinal.MatchPlural(language.Make(tag), n, 0, 0, 0, 0)
			got := l.plural.form(n)
			if before, ok := forms[want]; ok && before != got {
				t.Errorf("%s: %d takes form %d, and other numbers of its kind form %d", tag, n, got, before)
			}
			forms[want] = got
		}
		if len(forms) != l.plural.forms {
			t.Errorf("%s has %d forms, and the CLDR %d", tag, l.plural.forms, len(forms))
		}
		if found, ok := Match(tag + "-AT"); !ok || found != tag || Find(tag).Words != l.Words {
			t.Errorf("%s is not found", tag)
		}
	}
}

const polish = "@name\tPolski\n@plural\t3 n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2\n" +
	"# a comment\n\n{n} {n|step|steps} of {unit}\t{unit}: {n} {n|krok|kroki|kroków}\n" +
	"5th Division\t5. Dywizja\nnot yet\nnot yet either\t\nleft\tw lewo\nleft\topuścił\ttold.left\n" +
	`a\tb\\c\n` + "\t" + `b\ta\n` + "\n%s of %d%%\t%[2]d%% z %[1]s\nCRLF\tkoniec\r\n"

func TestLanguage(t *testing.T) {
	t.Parallel()
	l, faults := Parse("pl", polish)
	if len(faults) != 0 || l.Name != "Polski" || l.Words != 7 || len(l.Digest) != 64 {
		t.Fatalf("%+v: %v", l, faults)
	}
	for _, x := range []struct{ english, key, want string }{
		{"left", "", "w lewo"}, {"left", "told.left", "opuścił"}, {"left", "other", "w lewo"}, {"CRLF", "", "koniec"},
		{"a\tb\\c\n", "", "b\ta\n"}, {"%s of %d%%", "", "%[2]d%% z %[1]s"}, {"not yet", "", ""}, {"nothing", "", ""},
		{"not yet either", "", ""},
	} {
		if got, ok := l.Text(x.english, x.key); got != x.want || ok != (x.want != "") {
			t.Errorf("%q of %q is %q", x.english, x.key, got)
		}
	}
	for name, want := range map[string]string{
		"5th Division": "5. Dywizja", "5th Division 3": "5. Dywizja 3", "5th Division A12.34 2": "5. Dywizja A12.34 2",
		"3-4-5 5th Division": "3-4-5 5. Dywizja", "6th Division": "6th Division",
		"5th Division East": "5th Division East",
		"":                  "", "7": "7", "1 2": "1 2",
	} {
		if got := l.Called(name); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	for number, want := range map[string]string{"1": "krok", "2": "kroki", "5": "kroków", "12": "kroków", "22": "kroki",
		"0": "kroków", "1½": "kroków", "-1": "kroków", "99999999999": "kroków"} {
		if got := l.Form(number, "krok|kroki|kroków"); got != want {
			t.Errorf("%s %s", number, got)
		}
	}
	if got := l.Form("5", "krok|kroki"); got != "kroki" {
		t.Errorf("of too few forms the last is %q", got)
	}
}

func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	const head = "@name\tX\n@plural\t2 n != 1\n"
	for file, want := range map[string]string{
		"": "0: there is no line \"@plural\", or it is wrong; 0: there is no line \"@name\"",
		"@name\tX\n@plural\t2 n !! 1\n": "2: @plural: the expression is not understood from \"!! 1\" on; " +
			"0: there is no line \"@plural\", or it is wrong",
		"@name\tX\n@plural\t1 n\n": "2: @plural: 1 takes form 1 of 1; 0: there is no line \"@plural\", or it is wrong",
		"@name\tX\n@plural\t9 n\n": "2: @plural: expected the number of forms, 1 to 6, and an expression, " +
			"not \"9 n\"; 0: there is no line \"@plural\", or it is wrong",
		head + "a\tb\tc\td":             "3: 4 columns, expected the English, the translation, and at most a key",
		head + "a\tb\na\tc":             "4: \"a\" is given twice",
		head + "a {x}\tb {y}":           "3: \"a {x}\": the places are [y], and [x] in English",
		head + "a {x}\tb {x":            "3: \"a {x}\": a brace without its other at \"{x\"",
		head + "{n|a|b}\t{n|a|b|c}":     "3: \"{n|a|b}\": {n|a|b|c} has 3 forms, and the language has 2",
		head + "a {n}\t{n} {m|a|b}":     "3: \"a {n}\": {m|a|b} counts what English has not",
		head + "%s and %d\t%d und %s":   "3: \"%s and %d\": what is filled in is [1d 2s], and [1s 2d] in English",
		head + "{n} %d\t%d {n|a|b} {n}": "",
	} {
		l, faults := Parse("x", file)
		var list []string
		for _, f := range faults {
			list = append(list, strings.TrimSpace(strings.Join([]string{string(rune('0'+f.Line)) + ":", f.What}, " ")))
		}
		if diff := cmp.Diff(want, strings.Join(list, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", file, diff)
		}
		if len(list) > 0 && l.Words > 1 {
			t.Errorf("%q: a line with a fault is taken", file)
		}
	}
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{ // the forms of 0 to 5
		"1 0": {0, 0, 0, 0, 0, 0}, "2 n > 1": {0, 0, 1, 1, 1, 1}, "2 n>=2": {0, 0, 1, 1, 1, 1},
		"3 n % 3": {0, 1, 2, 0, 1, 2}, "2 n==1||n==3": {0, 1, 0, 1, 0, 0}, "2 (n<4)&&n": {0, 1, 1, 1, 0, 0},
		"2 n <= 1": {1, 1, 0, 0, 0, 0}, "2 n % 0": {0, 0, 0, 0, 0, 0},
	} {
		p, err := parsePlural(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []int
		for n := range want {
			got = append(got, p.form(n))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{"2", "2 ", "2 n ?", "2 n ? 1", "2 (n", "2 n)", "2 m", "0 0",
		"2 " + strings.Repeat("(", 290), "2 " + strings.Repeat("n ", 200)} {
		if _, err := parsePlural(text); err == nil {
			t.Errorf("%.40q is understood", text)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"en": "en", "EN-gb": "en", "ja_JP": "ja", "ja-Jpan-JP": "ja", "": "",
		"-":   "",
		"zxx": "", "eng": "", "e": ""} {
		if got, ok := Match(tag); got != want || ok != (want != "") {
			t.Errorf("%q is matched by %q", tag, got)
		}
	}
	if Name("en") != "English" || Name("ja") != "日本語" || Name("zxx") != "zxx" || Find("en") != nil {
		t.Error("names of languages")
	}
	if got := Say("en", "a", "b") + Say("ja", "a", "b") + Say("zxx", "a", "b"); got != "aba" {
		t.Errorf("said %q", got)
	}
}

// No file, however odd, makes the parser fail, and what it takes can be spoken.
func FuzzParse(f *testing.F) {
	f.Add(polish)
	f.Add("@plural\t2 ((n\n{\t}\n")
	f.Fuzz(func(t *testing.T, file string) {
		l, _ := Parse("x", file)
		l.Called(file)
		for english := range l.words {
			l.Form("3", english)
		}
		if Escape(unescape(Escape(file))) != Escape(file) {
			t.Error("what is escaped is not read back")
		}
	})
}
