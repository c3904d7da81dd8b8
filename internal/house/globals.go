package house

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checkGlobals finds statements that write to a package variable, its own or another's. A write through a pointer that
// was taken from one first goes unseen.
func checkGlobals(t *Tree) []Violation {
	var found []Violation
	report := func(p *Package, targets ...ast.Expr) {
		for _, e := range targets {
			if v := packageVar(p, e); v != nil {
				found = append(found, t.at(e.Pos(), "writes to the package variable %s", v.Name()))
			}
		}
	}
	t.eachPure(func(p *Package, _ *ast.File, n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			report(p, n.Lhs...)
		case *ast.IncDecStmt:
			report(p, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				report(p, n.Key, n.Value)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && writes(p, id) && len(n.Args) > 0 {
				report(p, n.Args[0])
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				found = append(found, t.at(n.Pos(), "has an init function"))
			}
		}
	})
	return sorted(found)
}

// writes says whether the name is a builtin that changes its first argument.
func writes(p *Package, id *ast.Ident) bool {
	if _, ok := p.Info.Uses[id].(*types.Builtin); !ok {
		return false
	}
	return id.Name == "delete" || id.Name == "clear" || id.Name == "copy"
}

// packageVar is the package variable that an expression is or lies in; nil when none exists.
func packageVar(p *Package, e ast.Expr) *types.Var {
	for e != nil {
		switch x := e.(type) {
		case *ast.Ident:
			return global(p, x)
		case *ast.SelectorExpr:
			if packageOf(p, x) != "" {
				return global(p, x.Sel)
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
	return nil
}

func global(p *Package, id *ast.Ident) *types.Var {
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}
