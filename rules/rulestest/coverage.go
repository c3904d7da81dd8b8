package rulestest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// Coverage checks in the source that code, tests and rulebook fit together. dir is the folder of the ruleset's package,
// table the Markdown file of its coverage, which is compared with what it would be now, and written by -rewrite.
//
// It finds what tests prove in calls of [Proves] and in "# rules:" lines of files under testdata, whatever tests run.
// It reports a paragraph that is enforced, a choice, set-up, a table or optional and that no test proves; an enforced
// paragraph or a choice that no comment and no string of the code cites; a test or the code naming an unknown
// paragraph; a call of Proves with more than six paragraphs; a refusal by a rule that no test proves; and a message
// that the code says and the catalogue does not have.
//
// It counts names. Only honest assertions, and citations at the place that enforces the paragraph,
// make it worth something.
func Coverage(t *testing.T, set rules.Ruleset, dir, table string) {
	t.Helper()
	src, err := readSource(dir, set.About().Rulebook)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings(set.About(), src) {
		t.Error(finding)
	}
	want := coverageTable(set.About(), src)
	if f := flag.Lookup("rewrite"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(table, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(table)
	if err != nil || string(got) != want {
		t.Errorf("%s is not current; write it with go test -run %s -rewrite\n%s",
			table, t.Name(), lineDiff(string(got), want))
	}
}

// findings are what does not fit together.
func findings(a *rules.About, src *source) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, p := range a.Rulebook.Paragraphs {
		switch proofs := len(src.proved[p.ID]); {
		case p.Waits != "" && proofs > 0:
			add("%s (%s) waits because it %s, and is proved by %s",
				p.ID, p.Title, p.Waits, strings.Join(src.proved[p.ID], ", "))
		case p.Waits == "" && p.Kind != rules.Informational && proofs == 0:
			add("%s (%s, %s) is proved by no test", p.ID, p.Title, p.Kind)
		}
		asks := p.Waits == "" && (p.Kind == rules.Enforced || p.Kind == rules.Choice)
		if asks && len(src.cited[p.ID]) == 0 {
			add("%s (%s, %s) is cited nowhere in the code", p.ID, p.Title, p.Kind)
		}
	}
	for _, name := range sortedKeys(src.crowded) {
		add("%s proves %d paragraphs in one call or line, more than %d", name, src.crowded[name], maxProved)
	}
	for _, id := range sortedKeys(src.proved) {
		if _, ok := a.Rulebook.Find(id); !ok {
			add("%s proves %q, which the rulebook does not have", strings.Join(src.proved[id], ", "), id)
		}
	}
	for _, id := range sortedKeys(src.named) {
		if _, ok := a.Rulebook.Find(id); !ok {
			add("%s names %q, which the rulebook does not have", src.named[id], id)
		}
	}
	for _, id := range sortedKeys(src.refused) {
		if len(src.proved[id]) == 0 {
			add("%s refuses by %s, which no test proves", src.refused[id], id)
		}
	}
	for _, key := range sortedKeys(src.said) {
		if !a.Catalogue.Has(key) {
			add("%s says %q, which the catalogue does not have", src.said[key], key)
		}
	}
	return list
}

// coverageTable is the table in Markdown.
func coverageTable(a *rules.About, src *source) string {
	var b strings.Builder
	counts, cited, proved := map[rules.ParagraphKind]int{}, map[rules.ParagraphKind]int{}, map[rules.ParagraphKind]int{}
	waiting := 0
	for _, p := range a.Rulebook.Paragraphs {
		if p.Waits != "" {
			waiting++
			continue
		}
		counts[p.Kind]++
		if len(src.cited[p.ID]) > 0 {
			cited[p.Kind]++
		}
		if len(src.proved[p.ID]) > 0 {
			proved[p.Kind]++
		}
	}
	fmt.Fprintf(&b, "# %s: the rulebook and its tests\n\n", a.Title.En)
	b.WriteString("Generated from the index of the rulebook, the comments and the tests;\n" +
		"`go test -run Coverage -rewrite` in the ruleset's folder writes it.\n\n")
	b.WriteString("| kind | paragraphs | cited | proved |\n|---|---:|---:|---:|\n")
	for _, kind := range []rules.ParagraphKind{rules.Enforced, rules.Choice, rules.SetupRule, rules.Table,
		rules.Optional, rules.Informational} {
		if counts[kind] > 0 {
			fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", kind, counts[kind], cited[kind], proved[kind])
		}
	}
	if waiting > 0 {
		fmt.Fprintf(&b,
			"\n%d more paragraphs wait for a part of the game that is not there yet; the table says for what.\n",
			waiting)
	}
	b.WriteString("\n| rule | what it says | kind | cited in | proved by |\n|---|---|---|---|---|\n")
	for _, p := range a.Rulebook.Paragraphs {
		proof := strings.Join(src.proved[p.ID], ", ")
		if p.Waits != "" {
			proof = "waits: " + p.Waits
		}
		fmt.Fprintf(&b, "| %s | **%s.** %s | %s | %s | %s |\n", cell(p.ID), cell(p.Title), cell(p.Summary), p.Kind,
			strings.Join(src.cited[p.ID], ", "), cell(proof))
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
