package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	for text, where := range faultsOfTheServer(t) {
		said[text] = true
		if _, ok := l.Text(text, ""); !ok {
			t.Errorf("%s: %q has no Japanese", where, text)
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

// faultsOfTheServer are the texts of the errors that the service makes, with the files.
func faultsOfTheServer(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir("../../service", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		texts, err := phrases.Faults(data)
		for _, text := range texts {
			all[text.English] = name
		}
		return err
	})
	if err != nil || len(all) < 150 {
		t.Fatalf("%d texts of errors are found, %v", len(all), err)
	}
	return all
}

// Errors of the server and of the system are in the reader's language, as long as the program knows the text; codes,
// reasons and JSON stay as they are.
func TestTheServersErrorsAreInTheLanguage(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	show := " show games/" + strings.Repeat("a", 26)
	p.fails(exitNotFound, "--lang ja"+show, "対局.*はありません")
	p.fails(exitNotFound, "--lang de"+show, "es gibt kein Spiel")
	p.fails(exitNotFound, "--lang ja -o json"+show, "there is no game", "GAME_NOT_FOUND")
	p.do("create toy ridge --take red")
	p.fails(exitRefused, "--lang ja join . red", "席redにはすでに人がいます")
	p.fails(exitRefused, "--lang de join . red", "der Platz red ist besetzt")
	p.fails(exitFailed, "--lang ja verify /nowhere.wlg", "ファイルやフォルダーはありません")
	p.fails(exitFailed, "--lang de verify /nowhere.wlg", "wlg lässt sich nicht öffnen: es gibt keine solche Datei")
	for english, want := range map[string]string{
		"write /tmp/x: no space left on device":             "/tmp/xに書き込めません：ディスクに空きがありません",
		"expected a d6 for odds as die 2, but 1 were given": "oddsのd6が2個目のダイスとして必要ですが、1個しかありません",
		"one address may create 5 games a day; the next one in 3h0m0s": "1つのアドレスから1日に作れる対局は5局です。" +
			"次は3h0m0s後に作れます",
	} {
		if got := tongue("ja").told(english); got != want {
			t.Errorf("%q becomes %q, want %q", english, got, want)
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
	for _, said := range slices.Concat(parserSays, systemSays) {
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
