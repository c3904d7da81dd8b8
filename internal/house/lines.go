package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxColumns is how long a line may be; .editorconfig says the same, and how wide a tab is.
const (
	maxColumns = 120
	tabColumns = 4
	// maxRest is how much may follow what cannot be cut: brackets that close, and a comma.
	maxRest = 8
)

// oneWord is a line of a document without a space at which it could be cut, behind the mark of a list.
var oneWord = regexp.MustCompile(`^\s*(?:[-*]\s+|\d+\.\s+|\[[^\]]*\]:\s+)?\S+$`)

// measured are the languages beside Go whose every line has to fit.
var measured = []string{".proto", ".py", ".ts", ".tsx", ".mjs", ".css", ".yml", ".yaml"}

// checkLines measures sources and the text of documents. What cannot be cut may be longer: generated code, struct tags,
// raw strings, and in documents tables, code and single words such as links.
func checkLines(t *Tree) []Violation {
	var found []Violation
	add := func(name string, line, columns int) {
		found = append(found, Violation{name, line, fmt.Sprintf("has %d columns", columns)})
	}
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			if !s.Generated {
				uncut := t.uncut(s.AST)
				eachLong(t.Files[s.Name], func(line, width int, text string) {
					if end, ok := uncut[line]; !ok || end < len(text) && columns(text[end:]) > maxRest {
						add(s.Name, line, width)
					}
				})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		switch {
		case strings.Contains(name, "/dist/"): // which a bundler made
		case slices.Contains(measured, path.Ext(name)):
			eachLong(t.Files[name], func(line, columns int, _ string) { add(name, line, columns) })
		case strings.HasSuffix(name, ".md"):
			each(t.Files[name], func(line int, text string) {
				if n := columns(text); n > maxColumns && !strings.HasPrefix(text, "|") && !oneWord.MatchString(text) {
					add(name, line, n)
				}
			})
		}
	}
	return sorted(found)
}

// eachLong calls f with every line that is too long, counted from 1.
func eachLong(data []byte, f func(line, columns int, text string)) {
	line := 0
	for text := range strings.SplitSeq(string(data), "\n") {
		line++
		if n := columns(text); n > maxColumns {
			f(line, n, text)
		}
	}
}

func columns(text string) int {
	return utf8.RuneCountInString(text) + (tabColumns-1)*strings.Count(text, "\t")
}

// uncut are the lines of struct tags, of raw strings over several lines, and of those that leave no room for more, each
// with how many of its bytes no line break may cut.
func (t *Tree) uncut(file *ast.File) map[int]int {
	lines := map[int]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING || literal.Value[0] != '`' {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				end := t.fset.Position(field.Tag.End())
				lines[end.Line] = end.Column - 1
			}
			return true
		}
		end := t.fset.Position(literal.End())
		first, last := t.fset.Position(literal.Pos()).Line, end.Line
		for line := first; line < last; line++ {
			lines[line] = math.MaxInt
		}
		if first < last || columns(literal.Value) > maxColumns-8*tabColumns {
			lines[last] = end.Column - 1
		}
		return true
	})
	return lines
}
