package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is committed is what would be generated.
func TestGenerated(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{"anniversary": "anniversary", "downfall": "downfall",
		"toy": "rulestest/toy"} {
		want, err := generate(filepath.Join("..", ".."), name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", "rules", filepath.FromSlash(folder), "facts.gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: go generate has to be run (-want +got)\n%s", name, diff)
		}
	}
}

// A package without messages, or without events among them, has no facts.
func TestNoFacts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nothing", "board"} {
		if out, err := generate(filepath.Join("..", ".."), name); err == nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}
