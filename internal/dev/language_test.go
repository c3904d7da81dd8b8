package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/warledger/warledger/internal/dev/phrases"
)

// languagePage says how to add a language, and how much there is of each.
const languagePage = "docs/howto/languages.md"

// TestAddALanguage adds a made-up language as the page says, in a copy of the checkout, and sees it in the answers of a
// server, in what the command line says, and in the bundle of the web board.
func TestAddALanguage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the command line and the web board anew")
	}
	here, copied := hereOf(t), checkout(t.TempDir())
	page := readFile(t, here.path(languagePage))
	if n := strings.Count(page, "\n    go run ./internal/dev language pl\n"); n != 2 {
		t.Fatalf("the page shows the command %d times, expected 2", n)
	}
	copyTree(t, here, copied)
	if err := writeLanguages(t.Context(), copied, []string{"eo"}); err != nil {
		t.Fatal(err)
	}
	file := copied.path(languageFolder + "/eo.tsv")
	var b strings.Builder
	for line := range strings.Lines(readFile(t, file)) { // step 2 of the page, for every text
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' && !strings.Contains(line, "\t") {
			line += "\t«" + line + "»"
		}
		b.WriteString(line + "\n")
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := checkLanguages(t.Context(), copied); err != nil { // step 3
		t.Error(err)
	}
	overlay, err := json.Marshal(map[string]any{
		"Replace": map[string]string{here.path(languageFolder + "/eo.tsv"): file},
	})
	if err != nil {
		t.Fatal(err)
	}
	with := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(with, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := here.output(t.Context(), "go", "test", "-overlay", with, "-v",
		"-run", "^(TestEveryLanguage|TestFiles)$", "./languages", "./cmd/warledger") // step 4
	if err != nil || !strings.Contains(out, "--- PASS: TestEveryLanguage/eo") {
		t.Errorf("the language does not come out: %v\n%s", err, out)
	}
	seeInBundle(t, here, filepath.Dir(file))
}

// seeInBundle builds the web board with the languages of a folder.
func seeInBundle(t *testing.T, c checkout, folder string) {
	if _, err := os.Stat(c.path(npmFolder + "/node_modules/vite")); err != nil {
		t.Log("the web board cannot be built here: run npm ci in clients first")
		return
	}
	dist := t.TempDir()
	cmd := exec.CommandContext(t.Context(),
		"npm", "--prefix", c.path(webFolder), "run", "bundle", "--", "--outDir", dist)
	cmd.Env = append(os.Environ(), "WARLEDGER_LANGUAGES="+folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for pattern, want := range map[string]string{"eo-*.js": "«Lobby»", "index-*.js": "esperanto"} {
		found, err := filepath.Glob(filepath.Join(dist, "assets", pattern))
		if err != nil || len(found) != 1 || !strings.Contains(readFile(t, found[0]), want) {
			t.Errorf("%s: %v has no %q: %v", pattern, found, want, err)
		}
	}
}

// TestLanguagesAreAsThePageSays counts what the page says about each language and part: at least so many of a hundred
// texts are translated.
func TestLanguagesAreAsThePageSays(t *testing.T) {
	t.Parallel()
	c := hereOf(t)
	sections, tags, err := sources(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| (\\d+) % \\|$").FindAllStringSubmatch(
		readFile(t, c.path(languagePage)), -1)
	if len(rows) < 8 || len(tags) != 1 || tags[0] != "de" {
		t.Fatalf("the page has %d rows about German, and the languages are %v: it needs a column for each",
			len(rows), tags)
	}
	f, err := phrases.Update("de", readFile(t, c.path(languageFolder+"/de.tsv")), sections)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		least, _ := strconv.Atoi(row[2])
		translated, all := 0, 0
		for _, a := range f.Areas {
			if strings.HasPrefix(a.Source, row[1]) {
				translated, all = translated+a.Translated, all+a.All
			}
		}
		if all == 0 || translated*100 < least*all {
			t.Errorf("%s: %d of %d texts are translated, and the page says %d %%", row[1], translated, all, least)
		}
	}
}

// hereOf is the checkout that this test stands in.
func hereOf(t *testing.T) checkout {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return checkout(dir)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// copyTree copies the texts that the languages translate, as a repository of their own.
func copyTree(t *testing.T, from, to checkout) {
	t.Helper()
	names, err := from.files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	source := regexp.MustCompile(
		`^(clients/web/src|clients/discord|cmd/warledger|service|rules|languages)/.*\.(go|tsv|json|ts)$`)
	for _, name := range names {
		if source.MatchString(name) {
			if err := copyFile(from.path(name), to.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := to.run(context.Background(), "git", "init", "--quiet"); err != nil {
		t.Fatal(err)
	}
}
