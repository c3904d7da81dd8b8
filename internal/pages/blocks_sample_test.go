package pages

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want []string
		got  string
		same bool
	}{
		{"the same", []string{"one", "  two"}, "one\n  two\n", true},
		{"another word", []string{"one"}, "won\n", false},
		{"a line more", []string{"one"}, "one\ntwo\n", false},
		{"a line less", []string{"one", "two"}, "one\n", false},
		{"no output at all", []string{"one"}, "", false},
		{"nothing shown, something printed", nil, "one\n", false},
		{"nothing shown, nothing printed", nil, "", true},
		{"blanks at the ends of lines", []string{"one", ""}, "one  \n\n", true},
		{"blanks at their beginnings", []string{"one"}, "  one\n", false},
		{"a word left out", []string{"of … in all"}, "of 17 in all\n", true},
		{"a word left out beside a wrong one", []string{"of … in all"}, "of 17 at all\n", false},
		{"a word left out is in one line", []string{"of … in all"}, "of\n in all\n", false},
		{"lines left out", []string{"one", "...", "four"}, "one\ntwo\nthree\nfour\n", true},
		{"no lines left out", []string{"one", "..."}, "one\n", true},
		{"lines left out and a wrong end", []string{"one", "...", "four"}, "one\ntwo\nfive\n", false},
		{"another id", []string{"games/hezoxwpgd4bsgyxysem2vj3m6a"}, "games/vcqh2vfnolx24kykdldxnjbeam\n", true},
		{"a word that is no id", []string{"games/hezoxwpgd4bsgyxysem2vj3m6a"}, "games/hezo\n", false},
		{"signs of patterns", []string{"a.b [c] (d)*"}, "a.b [c] (d)*\n", true},
		{"a sign is not a pattern", []string{"a.b"}, "axb\n", false},
	} {
		if got := matches(c.want, c.got); got != c.same {
			t.Errorf("%s: %v, want %v", c.name, got, c.same)
		}
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	page := "# A page\n" +
		"```console\n$ one \"#2\" # a remark\nout 1\n\nout 2\n$ two\n^C\n```\n" + // lines 2 to 9
		"```sh\nthree\n\n# only a remark\n```\n" + // to 14
		"```python bot.py\nprint(1)\n```\n" +
		"```sh not run: it needs a certificate\nfour\n```\n"
	blocks, err := blocksOf(page)
	if err != nil {
		t.Fatal(err)
	}
	got, err := stepsOf(blocks)
	if err != nil {
		t.Fatal(err)
	}
	want := []step{
		{line: 3, command: `one "#2"`, shown: true, want: []string{"out 1", "", "out 2"}},
		{line: 7, command: "two", shown: true},
		{line: 8, command: interrupt, shown: true},
		{line: 11, command: "three"},
		{line: 15, file: "bot.py", text: "print(1)\n"},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(step{})); d != "" {
		t.Error(d)
	}
}

func TestFencesThatAreNotRun(t *testing.T) {
	t.Parallel()
	for _, page := range []string{
		"```\nno language\n```",
		"```python\nneither run nor saved\n```",
		"```sh not run\nno reason\n```",
		"```sh not run: because\nhardly a reason\n```",
		"```sh with words\nnot a file\n```",
		"- a list\n\n  ```sh\n  not at the margin\n  ```",
		"~~~sh\nanother fence\n~~~",
		"```sh\nno end",
	} {
		if blocks, err := blocksOf(page); err == nil {
			t.Errorf("%q: %v", page, blocks)
		}
	}
	if steps, err := stepsOf([]block{{lang: "console", lines: []string{"an output"}}}); err == nil {
		t.Errorf("an output without its command: %v", steps)
	}
}
