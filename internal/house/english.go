package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// stumbling are turns of phrase that stop a native reader, with what to say instead.
var stumbling = []struct {
	pattern *regexp.Regexp
	say     string
}{
	{phrase(`(for|to|by|of|from|than|only|but) who`), "name whom you mean, or say whoever"},
	{phrase(`what (came|comes|has come) of`), "say outcome or result"},
	{phrase(`(if|when|unless) there (is|are|was|were) none`), "say if none exists"},
	{phrase(`(that|which|what|it|value) (is|are) none`), "say invalid, unknown or what it lacks"},
	{phrase(`that there (is|are) not`), "say unknown"},
	{phrase(`so many at once`), "say further or concurrent, or name the bound"},
	{phrase(`as it is unless`), "say by default"},
	{phrase(`says (nothing )?of`), "say about"},
}

// phrase matches whole words in a row, also over the end of a line.
func phrase(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(words, " ", `\s+`) + `\b`)
}

// checkEnglish reads comments, messages and documents.
func checkEnglish(t *Tree) []Violation {
	var found []Violation
	look := func(name string, first int, text string) {
		for _, s := range stumbling {
			for _, at := range s.pattern.FindAllStringIndex(text, -1) {
				line := first + strings.Count(text[:at[0]], "\n")
				words := strings.Join(strings.Fields(text[at[0]:at[1]]), " ")
				found = append(found, Violation{name, line, fmt.Sprintf("reads %q: %s", words, s.say)})
			}
		}
	}
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			if !s.Generated && p.Path != "internal/house" { // which quotes them
				t.eachText(s.AST, func(line int, text string) { look(s.Name, line, text) })
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		for _, text := range prose(name, t.Files[name]) {
			look(name, text.line, text.words)
		}
	}
	return sorted(found)
}

// eachText calls f with every comment and string of a file, without the marks of comments.
func (t *Tree) eachText(file *ast.File, f func(line int, text string)) {
	for _, group := range file.Comments {
		var lines []string
		for _, c := range group.List {
			lines = append(lines, strings.TrimPrefix(c.Text, "//"))
		}
		f(t.fset.Position(group.Pos()).Line, strings.Join(lines, "\n"))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			f(t.fset.Position(literal.Pos()).Line, literal.Value)
		}
		return true
	})
}

type paragraph struct {
	line  int
	words string
}

// commented are the comments of languages with // and /* */.
var commented = regexp.MustCompile(`^\s*(?://+|/?\*+)(.*)`)

// pythonComment is a comment of Python, worded the words of a web page with its key, and quoted a string in them.
var (
	pythonComment = regexp.MustCompile(`^\s*#+(.*)`)
	worded        = regexp.MustCompile(`^\s*\w+:`)
	quoted        = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// prose is what a file that is not Go says to people: documents outside code, comments, docstrings, words of web pages,
// tables of messages.
func prose(name string, data []byte) []paragraph {
	var all []paragraph
	next := 0
	add := func(line int, text string) {
		if n := len(all); n > 0 && line == next {
			all[n-1].words += "\n" + text
		} else {
			all = append(all, paragraph{line, text})
		}
		next = line + 1
	}
	switch ext := path.Ext(name); {
	case strings.Contains(name, "testdata/"), path.Base(name) == "rulebook.tsv":
	case ext == ".md", ext == ".tsv":
		each(data, func(line int, text string) {
			if strings.TrimSpace(text) != "" {
				add(line, text)
			}
		})
	case ext == ".py":
		line, inside := 0, false
		for text := range strings.SplitSeq(string(data), "\n") {
			line++
			m, quotes := pythonComment.FindStringSubmatch(text), strings.Count(text, `"""`)
			switch {
			case inside || quotes > 0:
				add(line, strings.ReplaceAll(text, `"""`, ""))
			case m != nil:
				add(line, m[1])
			}
			inside = inside != (quotes%2 == 1)
		}
	case strings.HasPrefix(path.Base(name), "words.") && ext == ".ts":
		line := 0
		for text := range strings.SplitSeq(string(data), "\n") {
			line++
			if worded.MatchString(text) {
				next = 0 // no phrase goes on from one entry to the next
			}
			var parts []string
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				parts = append(parts, m[1])
			}
			if parts != nil {
				add(line, strings.Join(parts, " "))
			}
		}
	case ext == ".proto", ext == ".ts", ext == ".tsx", ext == ".mjs":
		line := 0
		for text := range strings.SplitSeq(string(data), "\n") {
			line++
			if m := commented.FindStringSubmatch(text); m != nil {
				add(line, m[1])
			}
		}
	}
	return all
}
