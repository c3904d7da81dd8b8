package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strings"
)

// Mutant is one change of one place.
type Mutant struct {
	File string // as it was named to Find
	Line int    // from 1
	In   string // the function, such as "List.Reason", or the constant, variable or type outside functions
	Code string // the line, without blanks at its ends
	Says string // the change in words, such as "== becomes !="
	Nth  int    // from 1, among those of the same File, In, Code and Says

	from, to int // bytes of the source that are replaced
	by       string
}

// Apply returns the source with the change made. The source must be the one that Find has read.
func (m Mutant) Apply(source []byte) []byte {
	out := make([]byte, 0, len(source)+len(m.by))
	out = append(out, source[:m.from]...)
	out = append(out, m.by...)
	return append(out, source[m.to:]...)
}

// String is the place and the change on one line.
func (m Mutant) String() string { return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Says, m.Code) }

// swaps are the operators that are exchanged, for binary expressions, assignments and steps alike.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.ADD_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.OR_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// Find lists the possible changes of a file, in the order of the source. A generated file has none. The error is the
// parser's.
func Find(name string, source []byte) ([]Mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	f := finder{
		name: name, source: source, file: set.File(file.Pos()), lines: strings.Split(string(source), "\n"),
		alike: map[string]int{},
	}
	for _, decl := range file.Decls {
		f.declared(decl)
	}
	return f.found, nil
}

type finder struct {
	name   string
	source []byte
	file   *token.File
	lines  []string
	in     string
	alike  map[string]int // counts by name
	found  []Mutant
}

// declared visits what stands at the top of a file.
func (f *finder) declared(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		f.in = d.Name.Name
		if d.Recv != nil {
			f.in = receiver(d.Recv.List[0].Type) + "." + f.in
		}
		ast.Inspect(d, f.visit)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				f.in = s.Names[0].Name
			case *ast.TypeSpec:
				f.in = s.Name.Name
			}
			ast.Inspect(spec, f.visit)
		}
	}
}

// receiver is the name of the type that a method is of.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// visit notes the possible changes of one node, and reports whether to look inside it.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.BasicLit:
		f.number(n)
	case *ast.Ident:
		f.truth(n)
	case *ast.IfStmt:
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")", "condition negated")
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(n.Pos(), n.X.Pos(), "", "! dropped")
		}
	case *ast.ExprStmt:
		f.call(n)
	case *ast.CallExpr:
		return f.inside(n)
	case *ast.ReturnStmt:
		return f.returned(n)
	}
	return true
}

// returned leaves out plain values beside an error, because nobody may look at them.
func (f *finder) returned(n *ast.ReturnStmt) bool {
	if len(n.Results) < 2 || !isError(n.Results[len(n.Results)-1]) {
		return true
	}
	for _, result := range n.Results {
		switch result.(type) {
		case *ast.BasicLit, *ast.Ident:
		default:
			ast.Inspect(result, f.visit)
		}
	}
	return false
}

// isError guesses by its name whether an expression is a non-nil error; types are not known here.
func isError(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return strings.HasPrefix(strings.ToLower(x.Name), "err") || strings.HasSuffix(x.Name, "Error")
	case *ast.UnaryExpr: // &SomeError{...}
		return isError(x.X)
	case *ast.CompositeLit:
		return isError(x.Type)
	case *ast.SelectorExpr: // io.ErrUnexpectedEOF, eventstore.CorruptError
		return strings.HasPrefix(x.Sel.Name, "Err") || strings.HasSuffix(x.Sel.Name, "Error")
	case *ast.CallExpr: // fmt.Errorf, errors.New
		fun, ok := x.Fun.(*ast.SelectorExpr)
		return ok && (fun.Sel.Name == "Errorf" || fun.Sel.Name == "New" && isPackage(fun.X, "errors"))
	}
	return false
}

func isPackage(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// inside leaves out arguments that cannot change what a program does: capacities, and the message of a panic.
func (f *finder) inside(n *ast.CallExpr) bool {
	name, _ := n.Fun.(*ast.Ident)
	switch {
	case name == nil:
		return true
	case name.Name == "panic":
		return false
	case name.Name == "make" && len(n.Args) == 3:
		ast.Inspect(n.Args[1], f.visit)
		return false
	}
	return true
}

func (f *finder) operator(at token.Pos, op token.Token) {
	if other, ok := swaps[op]; ok {
		f.add(at, at+token.Pos(len(op.String())), other.String(), op.String()+" becomes "+other.String())
	}
}

func (f *finder) number(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	value, ok := new(big.Int).SetString(strings.ReplaceAll(n.Value, "_", ""), 0)
	if !ok {
		return
	}
	more := value.Add(value, big.NewInt(1)).String()
	f.add(n.Pos(), n.End(), more, n.Value+" becomes "+more)
}

func (f *finder) truth(n *ast.Ident) {
	switch n.Name {
	case "true":
		f.add(n.Pos(), n.End(), "false", "true becomes false")
	case "false":
		f.add(n.Pos(), n.End(), "true", "false becomes true")
	}
}

func (f *finder) call(n *ast.ExprStmt) {
	call, ok := n.X.(*ast.CallExpr)
	if !ok {
		return
	}
	if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
		return
	}
	f.add(n.Pos(), n.End(), "{}", "call dropped")
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

func (f *finder) add(from, to token.Pos, by, says string) {
	line := f.file.Line(from)
	m := Mutant{
		File: f.name, Line: line, In: f.in, Code: strings.TrimSpace(f.lines[line-1]), Says: says,
		from: f.file.Offset(from), to: f.file.Offset(to), by: by,
	}
	f.alike[m.name()]++
	m.Nth = f.alike[m.name()]
	f.found = append(f.found, m)
}
