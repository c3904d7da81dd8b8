package house

import (
	"go/ast"
	"path"
	"slices"
	"strings"
)

// furniture are the files that every ruleset has, each with the same part of it.
var furniture = []string{
	"about.go", "board.go", "command.go", "doc.go", "evolve.go", "legal.go", "narrate.go", "notation.go", "referee.go",
	"scenario.go", "sequence.go", "state.go",
}

// loaders are where a ruleset may read its scenario documents: a package of its own, or a file.
var loaders = []string{"scenario/load.go", "scenario_load.go"}

// checkRooms holds the rulesets, which are the folders with a rulebook, to the same names of files, and the methods of
// their Referee to referee.go.
func checkRooms(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		book := path.Join(p.Path, "rulebook.tsv")
		if t.Files[book] == nil {
			continue
		}
		for _, name := range furniture {
			if t.Files[path.Join(p.Path, name)] == nil {
				found = append(found, Violation{book, 1, "there is no " + name + " beside it"})
			}
		}
		if !slices.ContainsFunc(loaders, func(name string) bool { return t.Files[path.Join(p.Path, name)] != nil }) {
			found = append(found, Violation{book, 1, "there is no " + strings.Join(loaders, " or ") + " beside it"})
		}
		for _, s := range p.handWritten() {
			if !s.Test {
				found = append(found, t.misplaced(s)...)
			}
		}
	}
	return sorted(found)
}

// misplaced lists what is in referee.go and belongs elsewhere, or the other way round. The constructor belongs to it.
func (t *Tree) misplaced(s *Source) []Violation {
	home := path.Base(s.Name) == "referee.go"
	var found []Violation
	for _, decl := range s.AST.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			ours := d.Recv != nil && strings.EqualFold(receiver(d.Recv.List[0].Type), "referee")
			made := d.Recv == nil && d.Name.IsExported()
			switch {
			case ours && !home:
				found = append(found, t.at(d.Name.Pos(), "%s of the Referee", d.Name.Name))
			case home && !ours && !made:
				found = append(found, t.at(d.Name.Pos(), "%s, which is no method of the Referee", d.Name.Name))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if name := declared(spec); home && name != "" && name != "_" && !strings.EqualFold(name, "referee") {
					found = append(found, t.at(spec.Pos(), "%s, which is no method of the Referee", name))
				}
			}
		}
	}
	return found
}

// declared is the first name that a declaration gives; empty for an import.
func declared(spec ast.Spec) string {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Name.Name
	case *ast.ValueSpec:
		return s.Names[0].Name
	}
	return ""
}
