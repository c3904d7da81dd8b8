package phrases

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// fromFindings reads the sentences of a Go file that says what was found and what to do: strings of several words, the
// formats of Sprintf, and sums of strings and values, whose values are places. What tools and other programs read is
// left out.
func fromFindings(data []byte) ([]Text, error) {
	list, err := fromCommandLine(data)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field, *ast.ImportSpec: // tags of fields are read above
			return false
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && silent[f.Sel.Name] {
				return false
			}
		case *ast.IndexExpr:
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text, values, ok := template(e)
		if !ok {
			return true
		}
		if words.MatchString(text) {
			list = append(list, Text{English: text})
		}
		for _, v := range values {
			ast.Inspect(v, visit)
		}
		return false
	}
	ast.Inspect(file, visit)
	return list, nil
}

// silent are functions whose strings nobody reads.
var silent = map[string]bool{"say": true, "words": true, "grumble": true, "MustCompile": true, "Format": true,
	"Set": true, "Contains": true, "Equal": true, "HasPrefix": true, "TrimPrefix": true, "Cut": true, "New": true}

// words are at least two.
var words = regexp.MustCompile(`[A-Za-z%]\S* \S*[A-Za-z]`)

// template is a string of literals and values: its text with a place for each value, and the values. ok is false for
// what is no such string.
func template(e ast.Expr) (text string, values []ast.Expr, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.ParenExpr:
		text, ok = constant(e)
		if !filled.MatchString(text) { // else it is a format that has a name
			text = strings.ReplaceAll(text, "%", "%%")
		}
		return text, nil, ok
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", nil, false
		}
		a, left, isA := template(e.X)
		b, right, isB := template(e.Y)
		if !isA && !isB {
			return "", nil, false
		}
		if !isA {
			a, left = "%s", []ast.Expr{e.X}
		}
		if !isB {
			b, right = "%s", []ast.Expr{e.Y}
		}
		return a + b, append(left, right...), true
	case *ast.CallExpr:
		if f, called := e.Fun.(*ast.SelectorExpr); called && f.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			text, ok = constant(e.Args[0])
			return text, e.Args[1:], ok
		}
	}
	return "", nil, false
}
