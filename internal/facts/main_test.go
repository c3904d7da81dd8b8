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
		want, err := generate(name, events[name])
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
