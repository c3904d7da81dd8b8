package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newCheckout makes an empty repository on main. It holds what buf.yaml's readers want to find there.
func newCheckout(t *testing.T) checkout {
	t.Helper()
	c := checkout(t.TempDir())
	git(t, c, "init", "--quiet", "--initial-branch=main")
	git(t, c, "config", "user.name", "Tester")
	git(t, c, "config", "user.email", "tester@example.com")
	return c
}

func git(t *testing.T, c checkout, args ...string) string {
	t.Helper()
	out, err := c.output(t.Context(), append([]string{"git"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, c checkout, name, data string) {
	t.Helper()
	if err := writeChanged(c.path(name), []byte(data)); err != nil {
		t.Fatal(err)
	}
}

// commit records everything and gives the commit's id.
func commit(t *testing.T, c checkout, message string) string {
	t.Helper()
	git(t, c, "add", "--all")
	git(t, c, "commit", "--quiet", "--allow-empty", "--message", message)
	return git(t, c, "rev-parse", "HEAD")
}

func TestFilesAreTrackedOrNewAndExist(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	write(t, c, ".gitignore", "*.out\n")
	write(t, c, "b/tracked.go", "package b\n")
	write(t, c, "gone.go", "package gone\n")
	commit(t, c, "first")
	write(t, c, "a new.go", "package a\n")
	write(t, c, "cpu.out", "ignored")
	if err := os.Remove(c.path("gone.go")); err != nil {
		t.Fatal(err)
	}

	got, err := c.files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".gitignore", "a new.go", "b/tracked.go"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCheckFormatNamesTheFile(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	write(t, c, "good.go", "package good\n")
	write(t, c, "testdata/bad.go", "package   bad\n")
	if err := checkFormat(t.Context(), c); err != nil {
		t.Errorf("formatted tree: %v", err)
	}

	write(t, c, "bad.go", "package   bad\n")
	write(t, c, "worse.go", "package")
	err := checkFormat(t.Context(), c)
	for _, name := range []string{"bad.go", "worse.go"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want one that names %s", err, name)
		}
	}
}

func TestDispatch(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"chekc"}} {
		var help bytes.Buffer
		if err := dispatch(t.Context(), args, &help); err == nil {
			t.Errorf("dispatch(%q) succeeded", args)
		}
		if !strings.Contains(help.String(), "check") {
			t.Errorf("dispatch(%q) printed %q, want the list of chores", args, help.String())
		}
	}
}

func TestFindCheckoutFromInside(t *testing.T) {
	got, err := findCheckout()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(string(got), "buf.yaml")); err != nil {
		t.Error(err)
	}

	t.Chdir(t.TempDir())
	if got, err := findCheckout(); err == nil {
		t.Errorf("found %s outside any checkout", got)
	}
}
