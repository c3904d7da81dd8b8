package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTakeOverWritesAndRemoves(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	write(t, c, "proto/a/a.proto", "source")
	write(t, c, "proto/a/a.pb.go", "old")
	write(t, c, "proto/a/stale.pb.go", "stale")
	write(t, c, "proto/a/hand.go", "hand-written")
	write(t, c, "docs/reference/api/stale.md", "a page of a proto that has gone")
	fresh := checkout(t.TempDir())
	write(t, fresh, "proto/a/a.pb.go", "new")
	write(t, fresh, "proto/a/aconnect/a.connect.go", "new")

	if err := takeOver(t.Context(), c, string(fresh)); err != nil {
		t.Fatal(err)
	}
	got, err := c.files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"proto/a/a.pb.go", "proto/a/a.proto", "proto/a/aconnect/a.connect.go", "proto/a/hand.go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	data, err := os.ReadFile(c.path("proto/a/a.pb.go"))
	if err != nil || string(data) != "new" {
		t.Errorf("a.pb.go holds %q, %v; want new", data, err)
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	ours, fresh := checkout(t.TempDir()), checkout(t.TempDir())
	write(t, ours, "same", "1")
	write(t, fresh, "same", "1")
	write(t, ours, "changed", "1")
	write(t, fresh, "changed", "2")
	write(t, ours, "orphan", "1")
	write(t, fresh, "unborn", "1")

	found := differences(ours, fresh, []string{"changed", "orphan", "same"}, []string{"changed", "same", "unborn"})
	if len(found) != 3 {
		t.Fatalf("found %v, want three differences", found)
	}
	for i, want := range []string{"orphan", "changed", "unborn"} {
		if !strings.HasPrefix(found[i].Error(), want+" is ") {
			t.Errorf("difference %d is %q, want %s", i, found[i], want)
		}
	}
}
