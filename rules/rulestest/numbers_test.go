package rulestest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/rules"
)

// A message that says "1 steps" is found; one that minds the number, and a verb that looks like a plural, are not.
func TestFixedPlurals(t *testing.T) {
	t.Parallel()
	catalogue := rules.MustCatalogue("a\t{n} steps are lost.\tx{n}\nb\t{n} {n|step is|steps are} lost.\tx{n}\n" +
		"c\tIt takes {left} more units.\tx{left}\nd\tA bomb from {n} hits the port.\tx{n}\ne\tdie " +
		"{n}, {m} hits, all\tx{n}{m}\n")
	want := []string{"a: {n} steps are lost.", "c: It takes {left} more units.", "e: die {n}, {m} hits, all"}
	if diff := cmp.Diff(want, fixedPlurals(catalogue)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
