package mutation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Source is a package with its types, whose mutants can be built into one program.
type Source struct {
	root string // folder that the files are named after
	pkg  *packages.Package
	text map[string][]byte // by the name that a Mutant has
}

// Load reads the hand-written and generated files of a package, tests apart. Mutants name them as slash paths below
// root, which must be absolute.
func Load(ctx context.Context, root, path string) (*Source, error) {
	all, err := packages.Load(&packages.Config{
		Context: ctx, Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedModule | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedTypesSizes,
	}, path)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%s names %d packages, want one", path, len(all))
	}
	s := &Source{root: root, pkg: all[0], text: map[string][]byte{}}
	for _, problem := range s.pkg.Errors {
		err = errors.Join(err, problem)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range s.pkg.CompiledGoFiles {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		if s.text[filepath.ToSlash(rel)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Path is the package's import path.
func (s *Source) Path() string { return s.pkg.PkgPath }

// Mutants are all mutants of all files, in the order of names and places.
func (s *Source) Mutants() ([]Mutant, error) {
	var all []Mutant
	for _, name := range s.names() {
		found, err := Find(name, s.text[name])
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Text is a file as it is.
func (s *Source) Text(name string) []byte { return s.text[name] }

func (s *Source) names() []string {
	var names []string
	for _, name := range s.pkg.CompiledGoFiles {
		rel, err := filepath.Rel(s.root, name)
		if err != nil {
			panic(err) // Load has done the same
		}
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

// Choice says how mutants can be built.
type Choice struct {
	// Files are the changed files by name, and one more. In them each mutant that is neither alone nor refused is
	// built in beside the original; the variable of the environment [Variable] says at the start which one is meant.
	Files map[string][]byte
	// Alone are those that need a build of their own, such as a changed constant.
	Alone map[int]bool
	// Refused are those that do not compile.
	Refused map[int]bool
}

// Choose builds the mutants into the package's files. A mutant's number is its index in the list.
func (s *Source) Choose(mutants []Mutant) (Choice, error) {
	choice := Choice{Alone: map[int]bool{}, Refused: map[int]bool{}}
	out := map[int]bool{} // neither built in nor tried
	var sites []site
	for n, m := range mutants {
		if at, ok := s.site(m); ok {
			at.number = n
			sites = append(sites, at)
		} else {
			out[n] = true
		}
	}
	for {
		sites = slices.DeleteFunc(sites, func(at site) bool { return out[at.number] })
		drawn := s.draw(sites)
		bad, err := s.check(drawn)
		if err != nil {
			return Choice{}, err
		}
		if len(bad) == 0 {
			choice.Files = map[string][]byte{s.switchName(): s.switchFile(len(mutants))}
			for _, file := range drawn {
				choice.Files[file.name] = file.text
			}
			break
		}
		if len(sites) == 0 {
			return Choice{}, fmt.Errorf("%s does not compile: %s", bad[0].file, bad[0].says)
		}
		for _, where := range bad {
			for _, n := range where.blame(drawn) {
				out[n] = true
			}
		}
	}
	for n := range out {
		m := mutants[n]
		bad, err := s.check([]drawing{{name: m.File, text: m.Apply(s.text[m.File])}})
		if err != nil {
			return Choice{}, err
		}
		if len(bad) > 0 {
			choice.Refused[n] = true
		} else {
			choice.Alone[n] = true
		}
	}
	return choice, nil
}

// mistake is where a file does not compile, as bytes from its start.
type mistake struct {
	file   string
	offset int
	says   string
}

// blame are the mutants that a mistake is of: the changed text that it lies in, or else the choice around it, or else
// all of the file.
func (w mistake) blame(files []drawing) []int {
	for _, file := range files {
		if file.name != w.file {
			continue
		}
		best, size := []int(nil), len(file.text)+1
		for _, part := range file.parts {
			if part.from <= w.offset && w.offset <= part.to && part.to-part.from < size {
				best, size = part.numbers, part.to-part.from
			}
		}
		if best == nil {
			for _, part := range file.parts {
				best = append(best, part.numbers...)
			}
		}
		return best
	}
	return all(files) // a mistake in a file without choices comes from one with them
}

func all(files []drawing) (numbers []int) {
	for _, file := range files {
		for _, part := range file.parts {
			numbers = append(numbers, part.numbers...)
		}
	}
	return numbers
}

// check compiles the package with other text in some files, and returns the mistakes.
func (s *Source) check(changed []drawing) ([]mistake, error) {
	var bad []mistake
	files := []*ast.File{}
	for i, name := range s.names() {
		at := slices.IndexFunc(changed, func(d drawing) bool { return d.name == name })
		if at < 0 {
			files = append(files, s.pkg.Syntax[i])
			continue
		}
		file, err := parser.ParseFile(s.pkg.Fset, name, changed[at].text, parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, e := range list {
				bad = append(bad, mistake{name, e.Pos.Offset, e.Msg})
			}
		} else if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(bad) > 0 {
		return bad, nil
	}
	stub := "package " + s.pkg.Name + "\n\nfunc " + switchFunc + "(int) bool { return false }\n"
	file, err := parser.ParseFile(s.pkg.Fset, s.switchName(), stub, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{
		Importer: imported(s.pkg.Imports), Sizes: s.pkg.TypesSizes,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				at := e.Fset.Position(e.Pos)
				bad = append(bad, mistake{at.Filename, at.Offset, e.Msg})
			}
		},
	}
	if s.pkg.Module != nil && s.pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + s.pkg.Module.GoVersion
	}
	_, err = config.Check(s.pkg.PkgPath, s.pkg.Fset, append(files, file), nil)
	if err != nil && len(bad) == 0 {
		return nil, err
	}
	return bad, nil
}

// imported finds the packages that were imported before.
type imported map[string]*packages.Package

func (i imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := i[path]; ok && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("%s is not imported", path)
}

// site is the expression or statement around a mutant that is chosen at run time.
type site struct {
	number   int // of the mutant
	m        Mutant
	from, to int    // bytes of the source
	kind     string // type of an expression; or one of the two below
}

const (
	statement = "{}" // stands in a block
	clause    = ";"  // stands in the head of if, for or switch
)

// site finds the place; false if no choice can be made there.
func (s *Source) site(m Mutant) (site, bool) {
	i := slices.Index(s.names(), m.File)
	file := s.pkg.Syntax[i]
	tok := s.pkg.Fset.File(file.Pos())
	path := around(file, tok.Pos(m.from), tok.Pos(m.to))
	var node ast.Node
	kind := ""
	for up, n := range path {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				return site{}, false
			}
		case ast.Stmt:
			if node == nil {
				node, kind = n, statement
				if !inBlock(path[up+1]) {
					kind = clause
				}
			}
		case ast.Expr:
			typed := s.pkg.TypesInfo.Types[n]
			switch {
			case m.by == "{}" || !typed.IsValue():
			case node == nil || typed.Value != nil && s.constant(node): // all of a constant expression
				node, kind = n, s.typeName(file, typed.Type)
			}
		}
	}
	if node == nil || kind == "" {
		return site{}, false
	}
	return site{m: m, from: tok.Offset(node.Pos()), to: tok.Offset(node.End()), kind: kind}, true
}

func (s *Source) constant(n ast.Node) bool {
	e, ok := n.(ast.Expr)
	return ok && s.pkg.TypesInfo.Types[e].Value != nil
}

func inBlock(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
		return true
	}
	return false
}

// around are the nodes that hold a stretch of source, the innermost first.
func around(file *ast.File, from, to token.Pos) []ast.Node {
	var path []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || n.Pos() > from || n.End() < to {
			return false
		}
		path = append(path, n)
		return true
	})
	slices.Reverse(path)
	return path
}

// typeName is a type as the file can write it; "" if it cannot.
func (s *Source) typeName(file *ast.File, t types.Type) string {
	known := true
	name := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p == s.pkg.Types {
			return ""
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == fmt.Sprintf("%q", p.Path()) {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return p.Name()
			}
		}
		known = false
		return p.Name()
	})
	if !known {
		return ""
	}
	return name
}

// byPlace orders sites from the outermost and first.
func byPlace(a, b site) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.kind, b.kind), a.number-b.number)
}
