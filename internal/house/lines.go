package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxColumns is how long a line may be; .editorconfig says the same, and how wide a tab is.
const (
	maxColumns = 120
	tabColumns = 4
)

// linked are links and addresses, which no line break may cut.
var linked = regexp.MustCompile(`\]\(|://`)

// checkLines measures Go, protos and the text of documents. What cannot be cut may be longer: generated code, struct
// tags, raw strings, and in documents tables, links and code.
func checkLines(t *Tree) []Violation {
	var found []Violation
	add := func(name string, line, columns int) {
		found = append(found, Violation{name, line, fmt.Sprintf("has %d columns", columns)})
	}
	for _, p := range t.Packages {
		for _, s := range p.Sources {
			if !s.Generated {
				uncut := t.uncut(s.AST)
				eachLong(t.Files[s.Name], func(line, columns int, _ string) {
					if !uncut[line] {
						add(s.Name, line, columns)
					}
				})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		switch {
		case strings.HasSuffix(name, ".proto"):
			eachLong(t.Files[name], func(line, columns int, _ string) { add(name, line, columns) })
		case strings.HasSuffix(name, ".md"):
			each(t.Files[name], func(line int, text string) {
				if n := columns(text); n > maxColumns && !strings.HasPrefix(text, "|") && !linked.MatchString(text) {
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

// uncut are the lines of struct tags, of raw strings over several lines, and of those that leave no room for more.
func (t *Tree) uncut(file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING || literal.Value[0] != '`' {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				lines[t.fset.Position(field.Tag.Pos()).Line] = true
			}
			return true
		}
		first, last := t.fset.Position(literal.Pos()).Line, t.fset.Position(literal.End()).Line
		for line := first; line <= last && (first < last || columns(literal.Value) > maxColumns-8*tabColumns); line++ {
			lines[line] = true
		}
		return true
	})
	return lines
}
