package house

import (
	"path/filepath"
	"testing"
)

// TestHouse holds the checkout that this test stands in against every rule.
func TestHouse(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) == 0 || len(tree.pure()) == 0 {
		t.Fatal("found no packages to look at")
	}
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) { // one after the other: see internal/dev/race.go
			for _, v := range rule.Check(tree) {
				t.Errorf("%s\n\t(%s)", v, rule.Says)
			}
		})
	}
}
