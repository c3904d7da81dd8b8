package phrases

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// faultTexts are the functions of the service that make an error, with the place of its text among their arguments.
var faultTexts = map[string]int{"fault.New": 1, "chainRequired": 0, "chainUnexpected": 0, "guarded": 2,
	"tooManyAsides": 1, "tooManyImports": 1}

// fromService reads the texts of a Go file of the service: those with their Japanese beside them, and those of errors.
func fromService(data []byte) ([]Text, error) {
	list, err := fromPairs(data)
	if err != nil {
		return nil, err
	}
	faults, err := Faults(data)
	return append(list, faults...), err
}

// Faults reads the texts of the errors that a Go file of the service makes.
func Faults(data []byte) (list []Text, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if name = f.Name; file.Name.Name == "fault" {
				name = "fault." + name
			}
		case *ast.SelectorExpr:
			if in, ok := f.X.(*ast.Ident); ok {
				name = in.Name + "." + f.Sel.Name
			}
		}
		if at, ok := faultTexts[name]; ok && at < len(call.Args) {
			if text, ok := constant(call.Args[at]); ok && worth(text) {
				list = append(list, Text{English: text})
			}
		}
		return true
	})
	return list, nil
}
