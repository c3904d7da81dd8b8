package house

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// pure lists the packages that must give the same answer to the same question for ever. The battery that tests
// rulesets is not one of them: it calls them from outside.
func (t *Tree) pure() []*Package {
	var out []*Package
	for _, p := range t.Packages {
		if within(p.Path, "rules") && !within(p.Path, "rules/rulestest") || within(p.Path, "languages") {
			out = append(out, p)
		}
	}
	return out
}

// eachPure walks the hand-written files of the pure packages.
func (t *Tree) eachPure(visit func(*Package, *ast.File, ast.Node)) {
	for _, p := range t.pure() {
		for _, s := range p.handWritten() {
			ast.Inspect(s.AST, func(n ast.Node) bool {
				if n != nil {
					visit(p, s.AST, n)
				}
				return true
			})
		}
	}
}

func checkSequential(t *Tree) []Violation {
	var found []Violation
	t.eachPure(func(_ *Package, _ *ast.File, n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, t.at(n.Pos(), "starts a goroutine"))
		case *ast.SelectStmt:
			found = append(found, t.at(n.Pos(), "selects"))
		case *ast.ChanType:
			found = append(found, t.at(n.Pos(), "has a channel"))
		case *ast.SendStmt:
			found = append(found, t.at(n.Arrow, "sends on a channel"))
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				found = append(found, t.at(n.Pos(), "receives from a channel"))
			}
		}
	})
	return sorted(found)
}

var orderFree = regexp.MustCompile(`(?m)^//\s*order-free:\s*\S`)

func checkMapOrder(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.pure() {
		for _, s := range p.handWritten() {
			excused := excusedLines(t, s.AST)
			settled := sortedAtOnce(p, s.AST)
			ast.Inspect(s.AST, func(n ast.Node) bool {
				says := ""
				switch n := n.(type) {
				case *ast.RangeStmt:
					if isMap(p.Info.TypeOf(n.X)) {
						says = "ranges over a map"
					}
				case *ast.SelectorExpr:
					if name := mapIterator(p, n); name != "" && !settled[n] {
						says = "walks a map by maps." + name + " and does not sort what comes"
					}
				}
				if says != "" && !excused[t.fset.Position(n.Pos()).Line] {
					found = append(found, t.at(n.Pos(), "%s", says))
				}
				return true
			})
		}
	}
	return sorted(found)
}

// excusedLines are those that a comment on them or right above calls order-free.
func excusedLines(t *Tree, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if orderFree.MatchString(c.Text) {
				lines[t.fset.Position(c.Pos()).Line] = true
				lines[t.fset.Position(group.End()).Line+1] = true
			}
		}
	}
	return lines
}

// isMap also sees through a type parameter that only maps satisfy.
func isMap(typ types.Type) bool {
	if typ == nil {
		return false
	}
	param, ok := types.Unalias(typ).(*types.TypeParam)
	if !ok {
		_, ok = typ.Underlying().(*types.Map)
		return ok
	}
	constraint, _ := param.Constraint().Underlying().(*types.Interface)
	for i := range constraint.NumEmbeddeds() {
		switch e := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				if isMap(e.Term(j).Type()) {
					return true
				}
			}
		default:
			if isMap(e) {
				return true
			}
		}
	}
	return false
}

// mapIterator names the function of package maps that walks one in its own order; empty for any other selector.
func mapIterator(p *Package, sel *ast.SelectorExpr) string {
	switch {
	case packageOf(p, sel) != "maps":
		return ""
	case sel.Sel.Name == "Keys", sel.Sel.Name == "Values", sel.Sel.Name == "All":
		return sel.Sel.Name
	}
	return ""
}

// sortedAtOnce holds the selectors in slices.Sorted(maps.Keys(m)) and its kind.
func sortedAtOnce(p *Package, file *ast.File) map[*ast.SelectorExpr]bool {
	out := map[*ast.SelectorExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sorter, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || packageOf(p, sorter) != "slices" || !strings.HasPrefix(sorter.Sel.Name, "Sorted") {
			return true
		}
		if walk, ok := call.Args[0].(*ast.CallExpr); ok {
			if sel, ok := walk.Fun.(*ast.SelectorExpr); ok {
				out[sel] = true
			}
		}
		return true
	})
	return out
}

// packageOf is the import path that the selector's left side names; empty when it is no package.
func packageOf(p *Package, sel *ast.SelectorExpr) string {
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if name, ok := p.Info.Uses[id].(*types.PkgName); ok {
		return name.Imported().Path()
	}
	return ""
}
