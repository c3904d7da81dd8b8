package phrases

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// fromPairs reads the texts of a Go file that have their Japanese beside them, as elements or arguments.
func fromPairs(data []byte) (list []Text, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var parts []ast.Expr
		switch n := n.(type) {
		case *ast.CompositeLit:
			parts = n.Elts
		case *ast.CallExpr:
			parts = n.Args
		}
		for i := range max(0, len(parts)-1) {
			english, ok := constant(parts[i])
			japanese, beside := constant(parts[i+1])
			if ok && beside && isJapanese(japanese) && !isJapanese(english) {
				list = append(list, Text{English: english})
			}
		}
		return true
	})
	return list, nil
}

// fromCommandLine reads the texts of a Go file of the command line: what it says, and its help.
func fromCommandLine(data []byte) (list []Text, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if ok && f.Sel.Name == "heads" {
				for _, head := range n.Args {
					if text, ok := constant(head); ok {
						list = append(list, Text{English: text})
					}
				}
			}
			if !ok || len(n.Args) == 0 || f.Sel.Name != "say" && f.Sel.Name != "words" && f.Sel.Name != "grumble" {
				break
			}
			if text, ok := constant(n.Args[0]); ok {
				list = append(list, Text{English: text})
			}
		case *ast.Field:
			if n.Tag == nil {
				break
			}
			if tag, err := strconv.Unquote(n.Tag.Value); err == nil {
				if help := reflect.StructTag(tag).Get("help"); help != "" {
					list = append(list, Text{English: help})
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Title" {
				if text, ok := constant(n.Value); ok {
					list = append(list, Text{English: text})
				}
			}
		case *ast.CompositeLit:
			if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "usageError" && len(n.Elts) == 1 {
				if text, ok := formatted(n.Elts[0]); ok {
					list = append(list, Text{English: text})
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) != 1 || len(n.Values) != 1 {
				break
			}
			all, ok := n.Values[0].(*ast.CompositeLit)
			if name := n.Names[0].Name; ok && (name == "hints" || name == "parserSays" || name == "systemSays") {
				for _, e := range all.Elts {
					if text, ok := constant(e); ok {
						list = append(list, Text{English: text})
					}
				}
			}
			if name := n.Names[0].Name; name == "description" || name == "help" {
				if text, ok := constant(n.Values[0]); ok {
					list = append(list, Text{English: text})
				}
			}
		}
		return true
	})
	return list, nil
}

// formatted is the string that an expression is, or the format of a Sprintf.
func formatted(e ast.Expr) (string, bool) {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return constant(call.Args[0])
		}
	}
	return constant(e)
}

// constant is the string that an expression of literals is.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		return constant(e.Value)
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.BinaryExpr:
		a, ok := constant(e.X)
		b, also := constant(e.Y)
		return a + b, ok && also && e.Op == token.ADD
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	}
	return "", false
}

func isJapanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
	})
}
