package main

import (
	"strings"
	"testing"
)

// newMutable makes a checkout with one package, whose tests notice what happens below ten.
func newMutable(t *testing.T, explained string) checkout {
	t.Helper()
	c := newCheckout(t)
	write(t, c, "go.mod", "module github.com/warledger/warledger\n\ngo 1.26\n")
	write(t, c, explainedMutants, explained)
	write(t, c, "p/p.go", "package p\n\nfunc Near(a int) bool {\n\treturn a < 10\n}\n")
	write(t, c, "p/p_test.go", `package p

import "testing"

func TestNear(t *testing.T) {
	if !Near(9) || Near(11) {
		t.Error("wrong")
	}
}
`)
	return c
}

func TestMutateTellsWhatTheTestsDoNotNotice(t *testing.T) {
	t.Parallel()
	// No test asks about 10 itself, so both "< becomes <=" and "10 becomes 11" survive.
	err := mutate(t.Context(), newMutable(t, ""), []string{"./p", "-least", "1"})
	if err == nil || !strings.Contains(err.Error(), "0 of 2 noticed or explained") {
		t.Errorf("got %v", err)
	}
}

func TestMutateCountsTheExplainedAsGood(t *testing.T) {
	t.Parallel()
	explained := "p/p.go\tNear\t< becomes <=\treturn a < 10\tten is never asked for\n"
	if err := mutate(t.Context(), newMutable(t, explained), []string{"./p", "-least", "50"}); err != nil {
		t.Error(err)
	}
}

func TestMutateTriesOnlyPlacesThatWereNamed(t *testing.T) {
	t.Parallel()
	c := newMutable(t, "")
	for place, want := range map[string]string{
		"p.go:4": "0 of 2 noticed", "p/p.go:4,q.go:1": "0 of 2 noticed", "p.go:3": "nothing to change",
		"o.go:4": "nothing",
	} {
		err := mutate(t.Context(), c, []string{"./p", "-at", place, "-least", "1"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("at %s: %v, want %q", place, err, want)
		}
	}
}

func TestMutateAsksFurtherPackages(t *testing.T) {
	t.Parallel()
	c := newMutable(t, "")
	write(t, c, "q/q_test.go", `package q

import (
	"testing"

	"github.com/warledger/warledger/p"
)

func TestTen(t *testing.T) {
	if p.Near(10) {
		t.Error("wrong")
	}
}
`)
	if err := mutate(t.Context(), c, []string{"./p", "-with", "./q", "-least", "100"}); err != nil {
		t.Error(err)
	}
}

func TestMutateBuildsAConstantByItself(t *testing.T) {
	t.Parallel()
	c := newMutable(t, "")
	write(t, c, "p/p.go", "package p\n\nconst far = 10\n\nfunc Near(a int) bool { return a != far }\n")
	write(t, c, "p/p_test.go", `package p

import "testing"

func TestTen(t *testing.T) {
	if Near(10) || !Near(9) {
		t.Error("wrong")
	}
}

func ExampleNear() {
	println(Near(9))
	// Output:
}
`)
	if err := mutate(t.Context(), c, []string{"./p", "-least", "100"}); err != nil {
		t.Error(err)
	}
	err := mutate(t.Context(), c, []string{"./p", "-least", "100", "-run", "Example"})
	if err == nil || !strings.Contains(err.Error(), "0 of 2") {
		t.Errorf("without the test: %v", err)
	}
}

func TestMutateWantsTestsThatPass(t *testing.T) {
	t.Parallel()
	c := newMutable(t, "")
	write(t, c, "p/q_test.go", "package p\n\nimport \"testing\"\n\nfunc TestNo(t *testing.T) { t.Fatal() }\n")
	err := mutate(t.Context(), c, []string{"./p"})
	if err == nil || !strings.Contains(err.Error(), "before anything is changed") {
		t.Errorf("got %v", err)
	}
}
