package rulestest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/rules"
)

// source is what the source of a ruleset says about rules and messages.
type source struct {
	book    *rules.Rulebook
	prefix  string         // that all rule ids begin with, as "TY "
	pattern *regexp.Regexp // of a rule id in a text
	consts  map[string]string
	proved  map[string][]string // by rule id: names of tests and case files
	cited   map[string][]string // by rule id: files that cite it where they decide by it
	crowded map[string]int      // by test or case file: the most paragraphs that one call of Proves names, if too many
	named   map[string]string   // by rule id: where the code names it
	refused map[string]string   // by rule id: where the code may refuse by it
	said    map[string]string   // by key of a message: where the code says it
}

// readSource reads the packages in and under dir and the data of its tests.
func readSource(dir string, book *rules.Rulebook) (*source, error) {
	s := &source{
		book: book, prefix: idPrefix(book), consts: map[string]string{}, proved: map[string][]string{},
		cited: map[string][]string{}, crowded: map[string]int{},
		named: map[string]string{}, refused: map[string]string{}, said: map[string]string{},
	}
	s.pattern = regexp.MustCompile(`\b` + regexp.QuoteMeta(s.prefix) + `[A-Z0-9][A-Za-z0-9.-]*`)
	fset := token.NewFileSet()
	paths, err := goFiles(dir)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s has no Go files (%w)", dir, err)
	}
	files := make([]*ast.File, len(paths))
	for i, path := range paths {
		if files[i], err = parser.ParseFile(fset, path, nil,
			parser.SkipObjectResolution|parser.ParseComments); err != nil {
			return nil, err
		}
		s.constants(files[i])
	}
	for i, f := range files {
		if strings.HasSuffix(paths[i], "_test.go") {
			s.tests(f)
		} else {
			s.code(fset, f)
			rel, err := filepath.Rel(dir, paths[i])
			if err != nil {
				return nil, err
			}
			s.cites(fset, f, filepath.ToSlash(rel))
		}
	}
	if err := s.data(filepath.Join(dir, "testdata")); err != nil {
		return nil, err
	}
	for _, names := range s.proved {
		slices.Sort(names)
	}
	for _, files := range s.cited {
		slices.Sort(files)
	}
	for id, names := range s.proved {
		s.proved[id] = slices.Compact(names)
	}
	return s, nil
}

// goFiles are the Go files of a ruleset: those of the folder and of the packages under it.
func goFiles(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, ".go"):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// idPrefix is what the ids of a rulebook begin with, up to the first space.
func idPrefix(book *rules.Rulebook) string {
	if len(book.Paragraphs) == 0 {
		return "\x00"
	}
	first, _, _ := strings.Cut(book.Paragraphs[0].ID, " ")
	return first + " "
}

// constants collects the string constants of the package.
func (s *source) constants(f *ast.File) {
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i := range v.Values {
				if text, ok := literal(v.Values[i]); ok {
					s.consts[v.Names[i].Name] = text
				}
			}
		}
	}
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// value is a string literal, or a constant of the package.
func (s *source) value(e ast.Expr) (string, bool) {
	if id, ok := e.(*ast.Ident); ok {
		text, ok := s.consts[id.Name]
		return text, ok
	}
	return literal(e)
}

// tests collects what calls of Proves name.
func (s *source) tests(f *ast.File) {
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || calls(call) != "Proves" {
				return true
			}
			var ids []string
			for _, arg := range call.Args {
				if id, ok := s.value(arg); ok {
					ids = append(ids, id)
				}
			}
			s.prove(fn.Name.Name, ids)
			return true
		})
	}
}

// prove notes that a test names paragraphs in one breath.
func (s *source) prove(name string, ids []string) {
	for _, id := range ids {
		s.proved[id] = append(s.proved[id], name)
	}
	if len(ids) > maxProved {
		s.crowded[name] = max(s.crowded[name], len(ids))
	}
}

// calls is the name of what is called.
func calls(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// code collects rule ids and messages. A rule id that is handed to any function may be refused by,
// except in a list of ids.
func (s *source) code(fset *token.FileSet, f *ast.File) {
	at := func(n ast.Node) string {
		p := fset.Position(n.Pos())
		return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, ok := literal(n); ok && s.isID(text) {
				s.named[text] = at(n)
			}
		case *ast.CallExpr:
			for _, arg := range n.Args {
				if text, ok := s.value(arg); ok && s.isID(text) && calls(n) != "Flag" {
					s.refused[text] = at(arg)
				}
			}
			s.message(n, at)
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Rule" {
				if text, ok := s.value(n.Value); ok && s.isID(text) {
					s.refused[text] = at(n)
				}
			}
		}
		return true
	})
}

// message collects the key that a call says.
func (s *source) message(call *ast.CallExpr, at func(ast.Node) string) {
	place := map[string]int{"Say": 0, "Refuse": 1}
	i, ok := place[calls(call)]
	if !ok || len(call.Args) <= i {
		return
	}
	if key, ok := s.value(call.Args[i]); ok && key != "" {
		s.said[key] = at(call)
	}
}

// isID reports whether a text is a rule id: the prefix and something that begins with a digit or a capital.
func (s *source) isID(text string) bool {
	rest, ok := strings.CutPrefix(text, s.prefix)
	return ok && rest != "" && !strings.ContainsAny(rest, " \t\n") && rest[0] < 'a'
}

// data collects what case files name.
func (s *source) data(dir string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.Contains(path, "fuzz") || strings.HasSuffix(path, ".log") {
			return nil
		}
		lines, err := caseRules(path)
		rel, _ := filepath.Rel(dir, path)
		for _, ids := range lines {
			s.prove(filepath.ToSlash(rel), ids)
		}
		return err
	})
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
