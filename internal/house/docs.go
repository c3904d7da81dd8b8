package house

import (
	"go/ast"
	"slices"
	"strings"
	"unicode"
)

// explained are methods whose meaning the standard library fixes.
var explained = []string{"Error", "String", "Unwrap", "Is", "As", "Len", "Less", "Swap", "GoString", "Format"}

// checkDocs asks for a comment on every exported type, function, method, constant and variable, and on every method
// that an exported interface asks for. A comment on a group of constants or variables speaks for all of them.
func checkDocs(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		for _, s := range p.handWritten() {
			for _, decl := range s.AST.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					found = append(found, t.undocumentedFunc(d)...)
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						found = append(found, t.undocumentedSpec(d, spec)...)
					}
				}
			}
		}
	}
	return sorted(found)
}

func (t *Tree) undocumentedFunc(d *ast.FuncDecl) []Violation {
	if !d.Name.IsExported() || said(d.Doc) {
		return nil
	}
	if d.Recv != nil && (!ast.IsExported(receiver(d.Recv.List[0].Type)) || slices.Contains(explained, d.Name.Name)) {
		return nil
	}
	return []Violation{t.at(d.Name.Pos(), "%s has no doc comment", d.Name.Name)}
}

// receiver names the type that a method belongs to.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return ""
		}
	}
}

func (t *Tree) undocumentedSpec(d *ast.GenDecl, spec ast.Spec) []Violation {
	var found []Violation
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		doc := s.Doc
		if !d.Lparen.IsValid() {
			doc = d.Doc
		}
		if !said(doc) && !said(s.Comment) {
			found = append(found, t.at(s.Name.Pos(), "%s has no doc comment", s.Name.Name))
		}
		if contract, ok := s.Type.(*ast.InterfaceType); ok {
			found = append(found, t.undocumentedMethods(s, contract, doc)...)
		}
	case *ast.ValueSpec:
		if said(d.Doc) || said(s.Doc) || said(s.Comment) {
			return nil
		}
		for _, name := range s.Names {
			if name.IsExported() {
				found = append(found, t.at(name.Pos(), "%s has no doc comment", name.Name))
			}
		}
	}
	return found
}

// undocumentedMethods lets the type's comment speak for an only method, and a method's comment for those on the lines
// right below that it names.
func (t *Tree) undocumentedMethods(
	owner *ast.TypeSpec, contract *ast.InterfaceType, doc *ast.CommentGroup,
) []Violation {
	methods := contract.Methods.List
	if len(methods) == 1 && said(doc) {
		return nil
	}
	var found []Violation
	var group string
	next := 0
	for _, m := range methods {
		if said(m.Doc) {
			group = m.Doc.Text()
		} else if t.fset.Position(m.Pos()).Line != next {
			group = ""
		}
		next = t.fset.Position(m.End()).Line + 1
		for _, name := range m.Names {
			if !name.IsExported() || said(m.Doc) || said(m.Comment) || slices.Contains(explained, name.Name) ||
				names(group, name.Name) {
				continue
			}
			found = append(found, t.at(name.Pos(), "%s.%s has no doc comment", owner.Name.Name, name.Name))
		}
	}
	return found
}

func names(doc, word string) bool {
	return slices.Contains(strings.FieldsFunc(doc, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), word)
}

// said ignores directives such as //go:embed.
func said(doc *ast.CommentGroup) bool { return doc.Text() != "" }

func checkPackageDocs(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		sources := p.handWritten()
		if len(sources) == 0 {
			continue
		}
		if !slices.ContainsFunc(sources, func(s *Source) bool { return said(s.AST.Doc) }) {
			found = append(found,
				t.at(sources[0].AST.Package, "package %s has no package comment", sources[0].AST.Name.Name))
		}
	}
	return sorted(found)
}
