package house

import (
	"fmt"
	"go/types"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// sample is a small tree with the places where it breaks a rule, as FILE:LINE.
type sample struct {
	name string
	tree string
	want []string
}

// TestRules proves of each rule that it finds what breaks it and lets the rest be.
func TestRules(t *testing.T) {
	t.Parallel()
	samples := map[string][]sample{
		"imports":        importSamples,
		"sequential":     sequentialSamples,
		"map-order":      mapOrderSamples,
		"globals":        globalSamples,
		"file-length":    fileLengthSamples,
		"crowd":          crowdSamples,
		"package-names":  packageNameSamples,
		"rooms":          roomSamples,
		"own-paths":      ownPathSamples,
		"finished":       finishedSamples,
		"docs":           docSamples,
		"package-docs":   packageDocSamples,
		"typed-payloads": typedPayloadSamples,
		"maps":           mapSamples,
		"floors":         floorSamples,
		"links":          linkSamples,
		"reachable":      reachableSamples,
		"lines":          lineSamples,
		"english":        englishSamples,
		"streams":        streamSamples,
	}
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) { // one after the other: see internal/dev/race.go
			bites := false
			for _, s := range samples[rule.Name] {
				bites = bites || len(s.want) > 0
				var got []string
				for _, v := range rule.Check(parsed(t, s.tree)) {
					got = append(got, fmt.Sprintf("%s:%d", v.File, v.Line))
				}
				if diff := cmp.Diff(s.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", s.name, diff)
				}
			}
			if !bites {
				t.Error("no sample proves that this rule finds anything")
			}
		})
	}
}

// TestParseReportsTypeErrors keeps the rules from passing over code that they could not understand.
func TestParseReportsTypeErrors(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"rules/a/a.go": []byte("package a\n\nvar x = missing\n")}
	if _, err := Parse(files, stubs{}); err == nil || !strings.Contains(err.Error(), "rules/a") {
		t.Errorf("error is %v, want one that names rules/a", err)
	}
	files = map[string][]byte{"service/a.go": []byte("package service\n\nfunc {")}
	if _, err := Parse(files, stubs{}); err == nil {
		t.Error("a syntax error passed")
	}
}

func parsed(t *testing.T, archive string) *Tree {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = f.Data
	}
	// Stubs declare next to nothing, so type errors are to be expected here.
	tree, err := Parse(files, stubs{})
	if tree == nil {
		t.Fatal(err)
	}
	return tree
}

// stubs imports every path as a package that has one variable, Table.
type stubs struct{}

func (stubs) Import(p string) (*types.Package, error) {
	pkg := types.NewPackage(p, path.Base(p))
	pkg.Scope().Insert(types.NewVar(0, pkg, "Table", types.NewMap(types.Typ[types.String], types.Typ[types.Int])))
	pkg.MarkComplete()
	return pkg, nil
}

const modulePrefix = `"` + Module + `/`

// our writes the module's path for the mark ~/ in a sample.
func our(tree string) string { return strings.ReplaceAll(tree, `"~/`, modulePrefix) }
