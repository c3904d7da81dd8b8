package house

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path that the product's packages begin with.
const Module = "github.com/warledger/warledger"

// Tree is a checkout, parsed.
type Tree struct {
	// Files maps slash paths from the top to contents.
	Files map[string][]byte
	// Packages are the folders that hold Go of this module, sorted by path.
	Packages []*Package
	fset     *token.FileSet
}

// Package is one folder's Go.
type Package struct {
	// Path is the folder, as a slash path from the top.
	Path    string
	Sources []*Source
	// Info knows the types of the sources that are not tests. Only packages under rules and those with floors have one.
	Info *types.Info
}

// Source is one Go file.
type Source struct {
	Name      string
	AST       *ast.File
	Test      bool
	Generated bool
}

// Parse reads the Go of a checkout. It type-checks what lies under rules, or has floors, against imports, and reports
// type errors, so that no rule passes for not having understood what it saw.
func Parse(files map[string][]byte, imports types.Importer) (*Tree, error) {
	t := &Tree{Files: files, fset: token.NewFileSet()}
	byPath := map[string]*Package{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".go") || elsewhere(files, name) {
			continue
		}
		file, err := parser.ParseFile(t.fset, name, files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		dir := path.Dir(name)
		p := byPath[dir]
		if p == nil {
			p = &Package{Path: dir}
			byPath[dir] = p
			t.Packages = append(t.Packages, p)
		}
		p.Sources = append(p.Sources, &Source{
			Name: name, AST: file,
			Test: strings.HasSuffix(name, "_test.go"), Generated: ast.IsGenerated(file),
		})
	}
	slices.SortFunc(t.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	var faults []error
	for _, p := range t.Packages {
		if _, ok := floors[p.Path]; ok || within(p.Path, "rules") || within(p.Path, "languages") {
			faults = append(faults, t.typeCheck(p, imports))
		}
	}
	return t, errors.Join(faults...)
}

// elsewhere says whether a file belongs to no package of this module: test data, or a module of its own.
func elsewhere(files map[string][]byte, name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		base := path.Base(dir)
		if base == "testdata" || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
			return true
		}
		if _, ok := files[dir+"/go.mod"]; ok {
			return true
		}
	}
	return false
}

func (t *Tree) typeCheck(p *Package, imports types.Importer) error {
	p.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}
	var syntax []*ast.File
	for _, s := range p.product() {
		syntax = append(syntax, s.AST)
	}
	var faults []error
	conf := types.Config{Importer: imports, Error: func(err error) { faults = append(faults, err) }}
	// The first error comes back too; Error has it already.
	_, _ = conf.Check(Module+"/"+p.Path, t.fset, syntax, p.Info)
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("types of %s: %w", p.Path, err)
	}
	return nil
}

// product returns the sources that are part of the built package.
func (p *Package) product() []*Source {
	return slices.DeleteFunc(slices.Clone(p.Sources), func(s *Source) bool { return s.Test })
}

// handWritten returns the product's sources that people write.
func (p *Package) handWritten() []*Source {
	return slices.DeleteFunc(p.product(), func(s *Source) bool { return s.Generated })
}

// servesOrCalls says whether the package is made of a proto's service, not of messages alone.
func (p *Package) servesOrCalls() bool {
	for _, s := range p.product() {
		for _, spec := range s.AST.Imports {
			if to := importPath(spec); within(to, "google.golang.org/grpc") || within(to, "connectrpc.com/connect") {
				return true
			}
		}
	}
	return false
}

func importPath(spec *ast.ImportSpec) string {
	// The parser accepts only well-formed string literals here.
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// within says whether a path is the folder or lies inside it.
func within(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, folder+"/")
}

func (t *Tree) at(pos token.Pos, format string, args ...any) Violation {
	p := t.fset.Position(pos)
	return Violation{File: p.Filename, Line: p.Line, Says: fmt.Sprintf(format, args...)}
}

// text says whether the contents are meant for people: binary files hold a zero byte early.
func text(data []byte) bool {
	return !bytes.ContainsRune(data[:min(len(data), 8000)], 0)
}
