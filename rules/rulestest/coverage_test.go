package rulestest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

const bookTSV = "XX 1\tOne\tenforced\tIs tested.\n" +
	"XX 2\tTwo\tchoice\tIs not.\n" +
	"XX 3\tThree\tinformational\tNeed not be.\n" +
	"XX 4\tFour\ttable\tIs tested by a case file.\n" +
	"XX 5-a\tFive\tinformational\tIs refused by.\n" +
	"XX Intro\tSix\tinformational\tHas no digit.\n"

const code = `package x

const far = "XX 5-a"

var list = []string{"XX 3", "XX 9"}

func check() {
	rules.Refuse("XX 1", "known")
	rules.Refuse(far, "unknown")
	rules.Say("known")
	enter("XX 8")
	// By the table of XX
	// 4, as XX 7.2 says and the heading XX 5, XX Guns and XX Intro do not.
	_ = rules.Option{Rule: "XX 4"}
	_ = "XX stands for nothing"
	_ = "see XX 9.1, which no paragraph has"
}
`

// docCode and narrateCode only list paragraphs.
const (
	docCode     = "// Package x enforces XX 2.\npackage x\n"
	narrateCode = "package x\n\n// told tells XX 2.\nfunc told() { rules.Say(\"known\") }\n"
)

const codeTest = `package x

const four = "XX 4"

func TestOne(t *testing.T) {
	t.Run("sub", func(t *testing.T) { rulestest.Proves(t, set, "XX 1") })
	Proves(t, set, four, "XX 7")
	Proves(t, set, four, four, four, four, four, four, four)
}
`

func sample(t *testing.T) (*rules.About, *source) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.go": code, "doc.go": docCode, "narrate_x.go": narrateCode, "x_test.go": codeTest,
		"sub/y.go": "package sub // for XX 4.\n", "testdata/cases/four": "# rules: XX 4, XX 6\n\n# a comment\n",
		"testdata/fuzz/FuzzX/1": "# rules: XX 2\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a := &rules.About{
		Title:     rules.Words{En: "X"},
		Rulebook:  rules.MustRulebook(bookTSV),
		Catalogue: rules.MustCatalogue("known\ta\tb"),
	}
	src, err := readSource(dir, a.Rulebook)
	if err != nil {
		t.Fatal(err)
	}
	return a, src
}

func TestCoverageFindings(t *testing.T) {
	t.Parallel()
	a, src := sample(t)
	want := []string{
		"XX 2 (Two, choice) is proved by no test",
		"XX 2 (Two, choice) is cited nowhere in the code",
		"TestOne proves 7 paragraphs in one call or line, more than 6",
		`cases/four proves "XX 6", which the rulebook does not have`,
		`TestOne proves "XX 7", which the rulebook does not have`,
		`x.go:12 names "XX 7.2", which the rulebook does not have`,
		`x.go:11 names "XX 8", which the rulebook does not have`,
		`x.go:5 names "XX 9", which the rulebook does not have`,
		`x.go:16 names "XX 9.1", which the rulebook does not have`,
		"x.go:9 refuses by XX 5-a, which no test proves",
		"x.go:11 refuses by XX 8, which no test proves",
		`x.go:9 says "unknown", which the catalogue does not have`,
	}
	if diff := cmp.Diff(want, findings(a, src)); diff != "" {
		t.Error(diff)
	}
}

func TestCoverageTable(t *testing.T) {
	t.Parallel()
	a, src := sample(t)
	table := coverageTable(a, src)
	for _, line := range []string{
		"| choice | 1 | 0 | 0 |",
		"| enforced | 1 | 1 | 1 |",
		"| XX 1 | **One.** Is tested. | enforced | x.go | TestOne |",
		"| XX 2 | **Two.** Is not. | choice |  |  |",
		"| XX Intro | **Six.** Has no digit. | informational | x.go |  |",
		"| XX 4 | **Four.** Is tested by a case file. | table | sub/y.go, x.go | TestOne, cases/four |",
	} {
		if !slices.Contains(strings.Split(table, "\n"), line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
}

func TestCoverageWaiting(t *testing.T) {
	t.Parallel()
	a, src := sample(t)
	if err := a.Rulebook.AddWaiting("XX 1\tneeds ships\nXX 2\tneeds ships too\n"); err != nil {
		t.Fatal(err)
	}
	got := findings(a, src)
	if got[0] != "XX 1 (One) waits because it needs ships, and is proved by TestOne" ||
		strings.HasPrefix(got[1], "XX 2") {
		t.Errorf("findings are %q", got)
	}
	table := coverageTable(a, src)
	for _, line := range []string{
		"2 more paragraphs wait for a part of the game that is not there yet; the table says for what.",
		"| XX 2 | **Two.** Is not. | choice |  | waits: needs ships too |",
	} {
		if !slices.Contains(strings.Split(table, "\n"), line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
	if strings.Contains(table, "| choice | 1") {
		t.Errorf("a paragraph that waits is counted in\n%s", table)
	}
	for _, bad := range []string{"XX 99\tneeds ships", "XX 1", "XX 3\tneeds ships"} {
		if a.Rulebook.AddWaiting(bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
