package ocs

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The map in doc.go names every file of the package, and none that is not there.
func TestMapOfThePackage(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if n := e.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") {
			files = append(files, n)
		}
	}
	named := regexp.MustCompile(`[a-z_*]+\.go\b`).FindAllString(string(doc), -1)
	stands := func(pattern, file string) bool { ok, _ := path.Match(pattern, file); return ok }
	for _, pattern := range named {
		if !slices.ContainsFunc(files, func(f string) bool { return stands(pattern, f) }) {
			t.Errorf("doc.go names %s: there is no such file", pattern)
		}
	}
	for _, f := range files {
		if !slices.ContainsFunc(named, func(pattern string) bool { return stands(pattern, f) }) {
			t.Errorf("doc.go does not name %s", f)
		}
	}
}
