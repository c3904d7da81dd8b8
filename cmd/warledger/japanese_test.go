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

// What is wrong with a command line is said in Japanese, and so are the heads of the help.
func TestTheParserSpeaksJapanese(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "localhost:1")
	for line, want := range map[string]string{
		"legal --hlep": `知らないオプション：--hlep。"--help"ではありませんか\n  くわしくは warledger legal --help`,
		"board":        `"<game>"が必要です`, "games -o yaml": `--outputは"text","json"のどれかです。"yaml"は使えません`,
		"--width x games":         `--width: 整数が必要です。"x"は整数ではありません`,
		"create toy":              `シナリオを指定するか、--fileで文書を渡してください`,
		"sim toy ridge --games 0": `--gamesは1以上でなければなりません`,
	} {
		p.fails(exitUsage, "--lang ja "+line, want)
	}
	for _, said := range parserSays {
		if tongue("ja").in(said) == said {
			t.Errorf("%q has no Japanese", said)
		}
	}
	_, out, _ := p.run("board", "--help", "--lang", "ja")
	for _, want := range []string{"使い方：warledger board <game>", "\n引数：\n", "\nオプション：\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the help lacks %q:\n%s", want, out)
		}
	}
	if in := tongue("en").told("--games must be 1 or more"); in != "--games must be 1 or more" {
		t.Errorf("in English it is %q", in)
	}
	if in := tongue("ja").told("anything else: at all"); in != "anything else: at all" {
		t.Errorf("what is no text of the program becomes %q", in)
	}
}

// unescaped undoes what the file escapes.
func unescaped(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(text)
}
