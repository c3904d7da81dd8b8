package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warledger/warledger/internal/dev/phrases"
	"github.com/warledger/warledger/languages"
)

// Every word of the command line, of its help and of the full screen has its Japanese, and nothing else has.
func TestEveryWordIsJapanese(t *testing.T) {
	t.Parallel()
	l, faults := languages.Parse("ja", japaneseFile)
	for _, f := range faults {
		t.Errorf("japanese.tsv:%d: %s", f.Line, f.What)
	}
	var names []string
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			names = append(names, path.Join("cmd/warledger", filepath.ToSlash(name)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sections, err := phrases.Collect(names, func(name string) ([]byte, error) {
		return os.ReadFile(strings.TrimPrefix(name, "cmd/warledger/"))
	})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, s := range sections {
		for _, text := range s.Texts {
			said[text.English] = true
			if _, ok := l.Text(text.English, ""); !ok {
				t.Errorf("%s: %q has no Japanese", s.Source, text.English)
			}
		}
	}
	if l.Words < 400 || len(said) < 400 {
		t.Errorf("%d texts and %d translations were found", len(said), l.Words)
	}
	for line := range strings.Lines(japaneseFile) {
		english, _, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if ok && !strings.HasPrefix(english, "@") && !said[unescaped(english)] {
			t.Errorf("japanese.tsv: nothing says %q", english)
		}
	}
}

// unescaped undoes what the file escapes.
func unescaped(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(text)
}
