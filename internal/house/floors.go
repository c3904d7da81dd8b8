package house

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// floors are the packages whose doc.go lists their files from the top to the bottom, each with how many uses may run
// back up: a file uses what the files below it declare.
var floors = map[string]int{"service": 20}

// mapped are the packages whose doc.go is a map of their files.
var mapped = []string{
	"eventstore/bbolt", "service", "service/internal/heads", "service/internal/live", "service/internal/notice",
	"service/internal/render", "service/internal/talk", "service/internal/tokens",
}

var (
	mapLine  = regexp.MustCompile(`(?m)^//\t[^\n]*?\b[a-z0-9_*]+\.go\b`)
	fileName = regexp.MustCompile(`[a-z0-9_*]+\.go\b`)
)

// mapOf returns the files that a package's doc.go names on indented lines, in their order; nil if there are none.
func (t *Tree) mapOf(p *Package) []string {
	doc := string(t.Files[p.Path+"/doc.go"])
	if end := strings.Index(doc, "\npackage "); end >= 0 {
		doc = doc[:end]
	}
	if !mapLine.MatchString(doc) {
		return nil
	}
	var named []string
	for line := range strings.SplitSeq(doc, "\n") {
		if strings.HasPrefix(line, "//\t") {
			named = append(named, fileName.FindAllString(line, -1)...)
		}
	}
	return named
}

// checkMaps holds the maps of packages against their files.
func checkMaps(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		if !slices.Contains(mapped, p.Path) {
			continue
		}
		named, at := t.mapOf(p), p.Path+"/doc.go"
		if named == nil {
			found = append(found, Violation{at, 1, "the package has no map of its files"})
			continue
		}
		var files []string
		for _, s := range p.product() {
			if base := path.Base(s.Name); base != "doc.go" {
				files = append(files, base)
			}
		}
		stands := func(pattern, file string) bool { ok, _ := path.Match(pattern, file); return ok }
		for _, pattern := range named {
			if pattern != "doc.go" && !slices.ContainsFunc(files, func(f string) bool { return stands(pattern, f) }) {
				found = append(found, Violation{at, 1, "names " + pattern + ", which is not there"})
			}
		}
		for _, f := range files {
			if !slices.ContainsFunc(named, func(pattern string) bool { return stands(pattern, f) }) {
				found = append(found, Violation{at, 1, "does not name " + f})
			}
		}
	}
	return sorted(found)
}

// checkFloors counts the uses that run back up in the packages that have floors: pairs of files of which the first uses
// what the second declares and stands below it. All are listed if there are too many.
func checkFloors(t *Tree) []Violation {
	var found []Violation
	for _, p := range t.Packages {
		most, ok := floors[p.Path]
		if !ok || p.Info == nil {
			continue
		}
		if up := t.usesUp(p); len(up) > most {
			found = append(found, up...)
		}
	}
	return sorted(found)
}

// usesUp lists the uses that run back up, by the order of the package's map.
func (t *Tree) usesUp(p *Package) []Violation {
	order := map[string]int{}
	for i, name := range t.mapOf(p) {
		order[name] = i + 1
	}
	var up []Violation
	for _, s := range p.handWritten() {
		from := path.Base(s.Name)
		uses := map[string]token.Pos{} // the first of each other file
		ast.Inspect(s.AST, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if to := t.declaredIn(p, p.Info.Uses[id]); to != "" && to != from && order[to] < order[from] {
				if _, seen := uses[to]; !seen {
					uses[to] = id.Pos()
				}
			}
			return true
		})
		for _, to := range slices.Sorted(maps.Keys(uses)) {
			up = append(up, t.at(uses[to], "uses %s, which stands above it", to))
		}
	}
	return up
}

// declaredIn is the file of the package that declares what is used; empty if no file on its map does.
func (t *Tree) declaredIn(p *Package, used types.Object) string {
	if used == nil || used.Pkg() == nil || !used.Pos().IsValid() || used.Pkg().Path() != Module+"/"+p.Path {
		return "" // positions in other packages are those of another set of files
	}
	if file := t.fset.Position(used.Pos()).Filename; path.Dir(file) == p.Path {
		return path.Base(file)
	}
	return ""
}
