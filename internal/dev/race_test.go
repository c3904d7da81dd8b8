package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// concurrent lists what in the files of a package does something side by side with something else, or is made for that.
// Its tests run beside each other and share nothing but package variables, so that what changes one counts too.
func concurrent(fset *token.FileSet, files []*ast.File) (found []string) {
	at := func(n ast.Node, says string) { found = append(found, fset.Position(n.Pos()).String()+": "+says) }
	shared := packageVariables(files)
	changed := func(e ast.Expr) {
		if name := root(e); name != nil && shared[name.Name] {
			at(e, "changes what may be the package variable "+name.Name)
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				if path := strings.Trim(n.Path.Value, `"`); path == "sync" || strings.HasPrefix(path, "sync/") ||
					strings.HasPrefix(path, "golang.org/x/sync") {
					at(n, "imports "+path)
				}
			case *ast.GoStmt:
				at(n, "starts a goroutine")
			case *ast.ChanType:
				at(n, "has a channel")
			case *ast.FuncLit:
				if parallel(n.Body) {
					at(n, "is a part of a test that runs beside others of it")
				}
			case *ast.IncDecStmt:
				changed(n.X)
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					if n.Tok != token.DEFINE {
						changed(e)
					}
				}
			}
			return true
		})
	}
	return found
}

func packageVariables(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						names[name.Name] = name.Name != "_"
					}
				}
			}
		}
	}
	return names
}

// root is the name that an expression to assign to begins with; nil if it begins with none.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// parallel reports whether a body begins to run beside others, as t.Parallel has it.
func parallel(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		name, ok := call.Fun.(*ast.SelectorExpr)
		return ok && name.Sel.Name == "Parallel"
	})
}

// TestSingleStartsNothing: a package that the race detector does not watch does nothing side by side.
func TestSingleStartsNothing(t *testing.T) {
	t.Parallel()
	for _, folder := range single {
		files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(folder), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has the files %v, %v", folder, files, err)
		}
		fset, parsed := token.NewFileSet(), []*ast.File(nil)
		for _, file := range files {
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		for _, says := range concurrent(fset, parsed) {
			t.Error(says)
		}
	}
}

// TestConcurrentSees each thing that it looks for.
func TestConcurrentSees(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "sample.go", `package sample

import "sync"

var mu sync.Mutex

var table = map[string][]int{}

func begin(done chan bool) {
	go end()
	table["a"][0]++
	table = nil
	local := 1
	local = 2
}

func TestParts(t *testing.T) {
	t.Run("part", func(t *testing.T) {
		t.Parallel()
	})
}
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if found := concurrent(fset, []*ast.File{f}); len(found) != 6 {
		t.Errorf("found %q", found)
	}
}
