package main

import (
	"os"
	"testing"
)

func TestContractBase(t *testing.T) {
	t.Parallel()
	base := func(t *testing.T, c checkout) string {
		t.Helper()
		got, err := contractBase(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}

	t.Run("first version has none", func(t *testing.T) {
		t.Parallel()
		c := newCheckout(t)
		write(t, c, "proto/warledger/v1/a.proto", "1")
		commit(t, c, "contract")
		commit(t, c, "something else")
		if got := base(t, c); got != "" {
			t.Errorf("base is %s, want none", got)
		}
	})
	t.Run("on main it is what the last change of the protos started from", func(t *testing.T) {
		t.Parallel()
		c := newCheckout(t)
		write(t, c, "proto/warledger/v1/a.proto", "1")
		want := commit(t, c, "contract")
		write(t, c, "proto/warledger/v1/a.proto", "2")
		commit(t, c, "change")
		commit(t, c, "something else")
		if got := base(t, c); got != want {
			t.Errorf("base is %s, want %s", got, want)
		}
	})
	t.Run("a change that is not committed is held against the last commit", func(t *testing.T) {
		t.Parallel()
		c := newCheckout(t)
		write(t, c, "proto/warledger/v1/a.proto", "1")
		want := commit(t, c, "contract")
		write(t, c, "proto/warledger/v1/a.proto", "2")
		if got := base(t, c); got != want {
			t.Errorf("base is %s, want %s", got, want)
		}
	})
	t.Run("on a branch it is where the branch left main", func(t *testing.T) {
		t.Parallel()
		c := newCheckout(t)
		write(t, c, "proto/warledger/v1/a.proto", "1")
		want := commit(t, c, "contract")
		git(t, c, "switch", "--quiet", "--create", "topic")
		write(t, c, "proto/warledger/v1/a.proto", "2")
		commit(t, c, "change")
		write(t, c, "proto/warledger/v1/a.proto", "3")
		commit(t, c, "change again")
		if got := base(t, c); got != want {
			t.Errorf("base is %s, want %s", got, want)
		}
	})
	t.Run("a shallow clone says so", func(t *testing.T) {
		t.Parallel()
		c := newCheckout(t)
		write(t, c, "proto/warledger/v1/a.proto", "1")
		commit(t, c, "contract")
		write(t, c, "proto/warledger/v1/a.proto", "2")
		commit(t, c, "change")
		clone := checkout(t.TempDir())
		git(t, clone, "clone", "--quiet", "--depth=1", "file://"+string(c), ".")
		if got, err := contractBase(t.Context(), clone); err == nil {
			t.Errorf("base is %q, want an error", got)
		}
	})
}

func TestProtosAt(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	write(t, c, "buf.yaml", "version: v2\n")
	none := commit(t, c, "no contract")
	write(t, c, "proto/warledger/v1/a.proto", "1")
	write(t, c, "proto/warledger/v1/a.pb.go", "1")
	first := commit(t, c, "contract")
	write(t, c, "proto/warledger/v1/a.proto", "2")

	empty := t.TempDir()
	if err := protosAt(t.Context(), c, none, empty); err != nil || hasProtos(empty) {
		t.Errorf("before the contract: error %v, protos %t; want neither", err, hasProtos(empty))
	}
	dir := checkout(t.TempDir())
	if err := protosAt(t.Context(), c, first, string(dir)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(dir.path("proto/warledger/v1/a.proto")); err != nil || string(data) != "1" {
		t.Errorf("a.proto holds %q, %v; want the committed 1", data, err)
	}
	if _, err := os.Stat(dir.path("proto/warledger/v1/a.pb.go")); err == nil {
		t.Error("generated Go came along")
	}
}
