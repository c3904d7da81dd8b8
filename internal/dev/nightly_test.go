package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreachable: functions count that nothing runs, but examples, which stand in the documentation.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	got := unreachable("a/example_test.go:1:6: unreachable func: Example\na/b.go:2:6: unreachable func: Example\n" +
		"a/b.go:3:17: unreachable func: Chain.Command\na/b_test.go:4:6: unreachable func: helper\n")
	want := []string{
		"a/b.go:2:6: unreachable func: Example", "a/b.go:3:17: unreachable func: Chain.Command",
		"a/b_test.go:4:6: unreachable func: helper",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := unreachable(""); len(got) > 0 {
		t.Errorf("of nothing: %q", got)
	}
}

// TestWith: a step's variables reach its command, and its failure names both.
func TestWith(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	if err := with("x", []string{"GOOS=plan9"}, "go", "env", "GOOS").run(t.Context(), c); err != nil {
		t.Error(err)
	}
	err := with("x", []string{"GOOS=plan9"}, "go", "no-such-chore").run(t.Context(), c)
	if err == nil || err.Error() != "GOOS=plan9 go no-such-chore: exit status 2" {
		t.Error(err)
	}
}
