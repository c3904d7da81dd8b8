package main

import (
	"os"
	"strings"
	"testing"
)

// TestFuzzRunsEveryTarget: each target of each package runs in its own folder, a failing one and one that cannot be
// built are named, and the rest run all the same.
func TestFuzzRunsEveryTarget(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	write(t, c, "go.mod", "module github.com/warledger/warledger\n\ngo 1.26\n")
	ran := t.TempDir()
	for _, pkg := range []string{"a", "b/c"} {
		write(t, c, pkg+"/x_test.go", `package p

import (
	"os"
	"path/filepath"
	"testing"
)

func note(name string) {
	dir, _ := os.Getwd()
	_ = os.WriteFile(filepath.Join(`+"`"+ran+"`"+`, filepath.Base(dir)+name), nil, 0o666)
}

func FuzzOne(f *testing.F) {
	note("One")
	f.Add(1)
	f.Fuzz(func(*testing.T, int) {})
}

func FuzzTwo(f *testing.F) {
	note("Two")
	f.Add(1)
	f.Fuzz(func(t *testing.T, _ int) {
		if filepath.Base(os.Args[0]) == "a.test" {
			t.Error("as asked")
		}
	})
}
`)
	}
	write(t, c, "broken/x_test.go", "package p\n\nfunc FuzzNot(f *testing.F) {}\n")
	git(t, c, "add", ".")
	err := fuzz(t.Context(), c, []string{"-for", "1x"})
	if err == nil || !strings.Contains(err.Error(), "a FuzzTwo") || !strings.Contains(err.Error(), "./broken") ||
		strings.Contains(err.Error(), "One") || strings.Contains(err.Error(), "b/c") {
		t.Errorf("got %v", err)
	}
	files, err := os.ReadDir(ran)
	if err != nil || len(files) != 4 {
		t.Errorf("ran %v, %v", files, err)
	}
	if err := fuzz(t.Context(), c, []string{"-for", "1x", "b/c"}); err != nil {
		t.Errorf("b/c alone: %v", err)
	}
}
