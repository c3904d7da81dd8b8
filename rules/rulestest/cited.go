package rulestest

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// lists are the files whose comments and code cite paragraphs that other files enforce: maps of a package, words for
// people, and the spelling of commands and positions. A paragraph that only they cite counts as cited nowhere.
var lists = regexp.MustCompile(`^(doc|narrate.*|describe.*|phrase.*|names|messages|notation.*)\.go$`)

// maxProved is how many paragraphs one call of [Proves], or one line "# rules:", names at most: with more, nobody sees
// which assertion proves which paragraph.
const maxProved = 6

// cites collects the rule ids that a file outside tests cites, in comments and in strings. name is
// its path in the ruleset.
func (s *source) cites(fset *token.FileSet, f *ast.File, name string) {
	text := func(at token.Pos, words string) {
		for _, id := range s.idsIn(words) {
			s.cite(id, name)
			if _, ok := s.book.Find(id); !ok && !s.isHeading(id) {
				s.named[id] = fmt.Sprintf("%s:%d", name, fset.Position(at).Line)
			}
		}
	}
	for _, group := range f.Comments {
		text(group.Pos(), group.Text())
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			if words, ok := literal(lit); ok {
				text(lit.Pos(), words)
			}
		}
		return true
	})
}

func (s *source) cite(id, file string) {
	if !lists.MatchString(path.Base(file)) && !slices.Contains(s.cited[id], file) {
		s.cited[id] = append(s.cited[id], file)
	}
}

// idsIn are the rule ids that a comment cites, wherever its lines break. An unknown one without a digit is a word: "AA
// Casualties".
func (s *source) idsIn(text string) []string {
	var ids []string
	for _, found := range s.pattern.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
		id := strings.TrimRight(found, ".-")
		if _, ok := s.book.Find(id); ok || strings.ContainsFunc(id, unicode.IsDigit) {
			ids = append(ids, id)
		}
	}
	return ids
}

// isHeading reports whether an id is that of a chapter or section that paragraphs stand under: the "TY 4" of "TY 4.1".
func (s *source) isHeading(id string) bool {
	for _, p := range s.book.Paragraphs {
		if rest, ok := strings.CutPrefix(p.ID, id); ok && rest != "" && !unicode.IsDigit(rune(rest[0])) {
			return true
		}
	}
	return false
}
