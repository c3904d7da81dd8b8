package rulesets

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/downfall"
)

// root is the checkout.
const root = "../../.."

// counted are the statements of counts in documents, with what is counted. %s stands for a number, as digits or as a
// word.
var counted = []struct {
	page, words string
	counts      func(t *testing.T) []int
}{
	{"README.md", "It referees %s games completely:", func(*testing.T) []int { return []int{len(Offered())} }},
	{"docs/architecture.md", "one statement stores what up to %s games append",
		fallback("eventstore/postgres/options.go", "BatchAppends")},
	{"docs/explanation/audit.md", "explains the %s kinds to players", func(*testing.T) []int {
		return []int{len(logv1.DiceKind_name) - 1} // one is not given
	}},
	{"docs/reference/rulesets/downfall.md", "%s seats, `us` and `japan`, %s turns of a day each",
		func(t *testing.T) []int {
			return []int{len(downfall.New().About().Seats), inFile(t, "rules/downfall/scenarios/olympic.json", "turns")}
		}},
	{"docs/reference/rulesets/anniversary.md", "on a map of %s territories and %s sea zones", worldMap},
	{"docs/internals/anniversary-board.md", "(%s land territories, %s sea zones)", worldMap},
	{"docs/reference/rulesets/anniversary.md", "for one to %s people", powers},
	{"README.md", "1941 or 1942; two to %s players, areas", powers},
	{"README.md", "1945; %s players, hexes",
		func(*testing.T) []int { return []int{len(downfall.New().About().Seats)} }},
	{"docs/reference/rulesets/ocs.md", "begins the small game: %s turns", inScenario("ishun", "turns")},
	{"docs/howto/ocs-scenarios.md", "is a first battle of %s turns", inScenario("ishun", "turns")},
	{"docs/tutorials/ocs-first-steps.md", "is a small battle of %s turns", inScenario("ishun", "turns")},
	{"docs/reference/rulesets/ocs.md", "the campaign of %s turns", inScenario("campaign", "turns")},
	{"docs/howto/ocs-scenarios.md", "a whole campaign on %s hexes", inScenario("crimea", "map.hexes")},
	{"docs/internals/web.md", "(the Crimean campaign, %s hexes)", inScenario("crimea", "map.hexes")},
	{"docs/tutorials/first-game-in-the-browser.md", "a river, %s hexes, %s turns.", ford},
	{"docs/tutorials/first-game-in-the-terminal.md", "a river, %s hexes, %s turns.", ford},
	{"docs/howto/pictures.md", "| Downfall, %s hexes |", func(t *testing.T) []int {
		const olympic = "rules/downfall/scenarios/olympic.json"
		return []int{inFile(t, olympic, "land") + inFile(t, olympic, "sea")}
	}},
	{"docs/howto/pictures.md", "| Outpost, %s hexes |", func(t *testing.T) []int {
		return []int{inFile(t, "rules/rulestest/toy/scenarios/ridge.json", "hexes")}
	}},
	{"docs/howto/clients.md", "a seat may make %s asides", bounds("service/quota.go", "asidesAtOnce")},
	{"docs/howto/clients.md", "and ask %s questions at the table", bounds("service/quota.go", "asidesAtOnce")},
	{"docs/howto/clients.md", "seats of a game can be taken %s times", bounds("service/quota.go", "asidesAtOnce")},
	{"docs/howto/deadlines.md", "up to %s times before that", bounds("service/deadline/terms.go", "mostReminders")},
	{"docs/howto/deadlines.md", "After %s commands in a row", bounds("service/deadline/terms.go", "MostPlayed")},
	{"docs/howto/downfall-scenarios.md", "%s land hexes, %s sea hexes, %s hexsides",
		bounds("rules/downfall/scenario/load.go", "maxLand", "maxSea", "maxSides")},
	{"docs/howto/downfall-scenarios.md", "and %s turns; at", bounds("rules/downfall/scenario/load.go", "MaxTurns")},
	{"docs/howto/downfall-scenarios.md", "most %s faults are listed", bounds("rules/kit/loader.go", "MaxFaults")},
	{"docs/howto/ocs-scenarios.md", "%s hexes, %s counters, %s turns",
		bounds("rules/ocs/scenario_load.go", "maxHexes", "maxCounters", "maxTurns")},
	{"docs/howto/ocs-scenarios.md", "%s faults are listed", bounds("rules/kit/loader.go", "MaxFaults")},
	{"docs/howto/running.md", "A connection has at most %s calls at once",
		bounds("service/server/server.go", "maxStreams")},
	{"docs/reference/settings.md", "A connection has at most %s calls at once",
		bounds("service/server/server.go", "maxStreams")},
	{"docs/reference/log-format.md", "16 MiB a record, %s leaves", bounds("service/ledger/wire.go", "MaxLeaves")},
}

// powers is how many seats Anniversary has.
func powers(*testing.T) []int { return []int{len(anniversary.New().About().Seats)} }

func worldMap(t *testing.T) []int {
	const file = "rules/anniversary/scenario/map.json"
	return []int{inFile(t, file, "territories"), inFile(t, file, "sea_zones")}
}

func ford(t *testing.T) []int {
	const file = "rules/rulestest/toy/scenarios/ford.json"
	return []int{inFile(t, file, "hexes"), inFile(t, file, "turns")}
}

func inScenario(name, field string) func(*testing.T) []int {
	return func(t *testing.T) []int { return []int{inFile(t, "rules/ocs/scenarios/"+name+".json", field)} }
}

// inFile is a number in a document, or the length of a list.
func inFile(t *testing.T, file, field string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	var at any
	if err := json.Unmarshal(data, &at); err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(field, ".") {
		m, _ := at.(map[string]any)
		at = m[part]
	}
	switch v := at.(type) {
	case []any:
		return len(v)
	case float64:
		return int(v)
	}
	t.Fatalf("%s has no %s that can be counted", file, field)
	return 0
}

// bounds are constants of a file.
func bounds(file string, names ...string) func(*testing.T) []int {
	return func(t *testing.T) (values []int) {
		t.Helper()
		f := parsed(t, file)
		for _, name := range names {
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.ValueSpec); ok {
					if i := slices.IndexFunc(s.Names, func(id *ast.Ident) bool { return id.Name == name }); i >= 0 {
						values = append(values, evaluated(t, s.Values[i]))
					}
				}
				return true
			})
		}
		return values
	}
}

// fallback is what a file assigns to a field that was left empty.
func fallback(file, field string) func(*testing.T) []int {
	return func(t *testing.T) (values []int) {
		t.Helper()
		ast.Inspect(parsed(t, file), func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				if to, ok := a.Lhs[0].(*ast.SelectorExpr); ok && to.Sel.Name == field {
					values = append(values, evaluated(t, a.Rhs[0]))
				}
			}
			return true
		})
		return values
	}
}

func parsed(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func evaluated(t *testing.T, e ast.Expr) int {
	t.Helper()
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(e))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := constant.Int64Val(v.Value)
	return int(n)
}

var numerals = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
	"eleven", "twelve"}

// spellings are the ways to write a number in a document.
func spellings(n int) []string {
	digits := strconv.Itoa(n)
	all := []string{digits}
	if len(digits) > 3 {
		at := len(digits) - 3
		all = append(all, digits[:at]+","+digits[at:], digits[:at]+" "+digits[at:])
	}
	if n < len(numerals) {
		all = append(all, numerals[n], strings.ToUpper(numerals[n][:1])+numerals[n][1:])
	}
	if n == 30 {
		all = append(all, "thirty")
	}
	return all
}

// TestCountsInDocuments: what a document counts is as many as there are, each time that it says so.
func TestCountsInDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range counted {
		for _, wrong := range miscounts(page(t, c.page), c.words, c.counts(t)) {
			t.Errorf("%s: %s", c.page, wrong)
		}
	}
}

// miscounts says where a text gives other numbers than counts in words with %s for each number.
func miscounts(text, words string, counts []int) (wrong []string) {
	right := regexp.QuoteMeta(words)
	for _, n := range counts {
		right = strings.Replace(right, "%s", "("+strings.Join(spellings(n), "|")+")", 1)
	}
	if strings.Contains(right, "%s") {
		return []string{fmt.Sprintf("%q counts more than its source", words)}
	}
	exact := regexp.MustCompile(`^` + right + `$`)
	said := statement(words).FindAllString(text, -1)
	for _, one := range said {
		if !exact.MatchString(one) {
			wrong = append(wrong, fmt.Sprintf("it says %q, and the source has %v", one, counts))
		}
	}
	if len(said) == 0 {
		wrong = append(wrong, fmt.Sprintf("it does not say %q", words))
	}
	return wrong
}

// statement matches words with any number in place of %s.
func statement(words string) *regexp.Regexp {
	number := `(?:\d[\d, ]*|[A-Za-z]+)`
	pattern := strings.ReplaceAll(regexp.QuoteMeta(words), "%s", number)
	if strings.HasPrefix(words, "%s") {
		pattern = `\b` + pattern
	}
	return regexp.MustCompile(pattern)
}

// TestMiscountsAreSeen: a wrong number is seen, also where the right one is said elsewhere.
func TestMiscountsAreSeen(t *testing.T) {
	t.Parallel()
	for text, wrong := range map[string]int{
		"It has three games.":                                           0,
		"It has 3 games. Still, It has three games.":                    0,
		"It has four games.":                                            1,
		"It has three games. It has four games. It has three games.":    1,
		"It has three games. It has 30 games. Yes, It has 1,003 games.": 2,
		"It is a game.":                                                 1,
	} {
		if got := miscounts(text, "It has %s games", []int{3}); len(got) != wrong {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// page is the text of a document without examples, as one line.
func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(fenced.ReplaceAllString(string(data), "")), " ")
}

var (
	fenced = regexp.MustCompile("(?s)```.*?```")
	// countOf is a number before what a project has, and what its data have.
	countOf = regexp.MustCompile(`(?i)\b(\d[\d,]*|` + strings.Join(numerals[2:], "|") + `|twenty|thirty|forty|fifty)` +
		` ([a-z-]+ )?(rulesets|rulebooks|rpcs|methods|services|scenarios|settings|options|reasons|(house )?rules|` +
		`territories|(sea )?zones|hexes|turns|kinds|targets|packages|chores|metrics|languages|leaves|tests)\b`)
	// countOfFirst is what README, the first page, counts besides.
	countOfFirst = regexp.MustCompile(`(?i)\b(\d[\d,]*|` + strings.Join(numerals[2:], "|") +
		`) ([a-z-]+ )?(games|players|seats|powers|clients)\b`)
	// unlike are pages that are generated, that quote rulebooks, or that say what was measured.
	unlike = regexp.MustCompile(`coverage|reference/api|decisions|errors\.md|benchmarks|performance|ocs-options`)
	// noCount are numbers that count nothing of the project.
	noCount = []string{"2 hexes from 0101", "Japanese units within two hexes", "its range is 2 hexes",
		"three options more", "with two hexes marked", "Blue stayed two hexes away",
		"words in two languages", "of 140 between sea zones",
		"Two rules need a word", "55, and zones", "of two territories on a coast",
		"resign after three turns",
		"enemies from up to six hexes", "enemies from five hexes away", "enemies from six hexes away"}
)

// TestEveryCountIsHeld: a count of what the project has is in the list above, or among what counts nothing.
func TestEveryCountIsHeld(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, top := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
				pages = append(pages, filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash(root+"/"))))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range pages {
		if unlike.MatchString(name) {
			continue
		}
		text := page(t, name)
		for _, c := range counted {
			if c.page == name {
				text = statement(c.words).ReplaceAllString(text, "")
			}
		}
		for _, words := range noCount {
			text = strings.ReplaceAll(text, words, "")
		}
		counts := countOf.FindAllStringIndex(text, -1)
		if name == "README.md" {
			counts = append(counts, countOfFirst.FindAllStringIndex(text, -1)...)
		}
		for _, at := range counts {
			t.Errorf("%s says %q: hold it in counted, or name it in noCount", name,
				fmt.Sprintf("%s … %s", text[max(0, at[0]-30):at[0]], text[at[0]:at[1]]))
		}
	}
}
