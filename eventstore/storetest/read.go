package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

func testPages(t *testing.T, open Factory) {
	s := start(t, open)
	fill(t, s, "before", 3)
	_, all := fill(t, s, "s", 25)
	fill(t, s, "t", 3)
	for from := range uint64(28) {
		for _, limit := range []int{-1, 0, 1, 7, 25, 100} {
			first := max(from, 1) - 1
			var want []eventstore.Entry
			if first < 25 {
				want = all[first:]
			}
			if limit > 0 && len(want) > limit {
				want = want[:limit]
			}
			got, err := s.Read(ctx, "s", from, limit, 0)
			if err != nil {
				t.Fatalf("read from %d: %v", from, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("from %d, limit %d (-want +got):\n%s", from, limit, diff)
			}
		}
	}
	if got, err := s.Read(ctx, "s", ^uint64(0), 10, 0); err != nil || len(got) != 0 {
		t.Errorf("read from the last number: %d entries, %v", len(got), err)
	}
}

func testPageBytes(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	big := strings.Repeat("x", 1000)
	mustAppend(t, s, c.Next("", "small", big, big, "small", "small"))
	for _, tt := range []struct {
		from            uint64
		maxBytes, count int
	}{
		{1, 1, 1}, {1, 4, 1}, {1, 1004, 1}, {1, 1005, 2}, {1, 2005, 3}, {1, 2010, 4}, {2, 10, 1}, {2, 2000, 2},
		{4, 10, 2}, {1, 0, 5}, {1, -1, 5},
	} {
		got, err := s.Read(ctx, "s", tt.from, 0, tt.maxBytes)
		if err != nil || len(got) != tt.count {
			t.Errorf("from %d with %d bytes: %d entries, %v, want %d", tt.from, tt.maxBytes, len(got), err, tt.count)
		}
	}
	huge := &Chain{Stream: "huge"}
	mustAppend(t, s, huge.Next("", strings.Repeat("x", eventstore.DefaultPageBytes), "x"))
	if got, err := s.Read(ctx, "huge", 1, 0, 0); err != nil || len(got) != 1 {
		t.Errorf("default page: %d entries, %v, want 1", len(got), err)
	}
}

func testCopies(t *testing.T, open Factory) {
	s := start(t, open)
	c := &Chain{Stream: "s"}
	a := c.Next("", "one", "two", "three")
	a.Meta = []byte("meta")
	mustAppend(t, s, a)
	for i := range a.Entries {
		clear(a.Entries[i].Data)
	}
	clear(a.Meta)
	for range 2 {
		page, err := s.Read(ctx, "s", 1, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		head, _ := s.Head(ctx, "s")
		got := []string{string(page[0].Data), string(page[1].Data), string(page[2].Data), string(head.Meta)}
		if diff := cmp.Diff([]string{"one", "two", "three", "meta"}, got); diff != "" {
			t.Errorf("what is stored is shared (-want +got):\n%s", diff)
		}
		page[1].Data = append(page[1].Data[:0], "XXXX"...)
		if string(page[2].Data) != "three" {
			t.Error("entries of a page share room to grow")
		}
		clear(page[0].Data)
		clear(head.Meta)
	}
}

func testList(t *testing.T, open Factory) {
	s := start(t, open)
	if got, err := s.List(ctx, "", "", 0); err != nil || len(got) != 0 {
		t.Errorf("list of an empty store: %v, %v", got, err)
	}
	want := []eventstore.StreamInfo{}
	for i, name := range []string{"Z", "a", "a/1", "a/10", "a/2", "b", "é"} {
		c, _ := fill(t, s, name, i+1)
		want = append(want, eventstore.StreamInfo{Name: name, Version: c.Version, Hash: c.Hash})
	}
	got, err := s.List(ctx, "", "", 0)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("list: %v (-want +got):\n%s", err, diff)
	}
}

func testListPages(t *testing.T, open Factory) {
	s := start(t, open)
	for _, name := range []string{"a", "games/1", "games/10", "games/11", "games/2", "games/3", "gamest", "h"} {
		fill(t, s, name, 1)
	}
	for _, tt := range []struct {
		prefix, after string
		limit         int
		want          string
	}{
		{"games/", "", 0, "[games/1 games/10 games/11 games/2 games/3]"},
		{"games/", "", 2, "[games/1 games/10]"},
		{"games/", "games/10", 2, "[games/11 games/2]"},
		{"games/", "games/3", 2, "[]"},
		{"games/", "games/0", 1, "[games/1]"},
		{"games/", "games/12", 1, "[games/2]"},
		{"games/1", "", 0, "[games/1 games/10 games/11]"},
		{"games/1", "games/1", 0, "[games/10 games/11]"},
		{"games/", "z", 0, "[]"},
		{"b", "", 0, "[]"},
		{"", "gamest", 0, "[h]"},
		{"", "", 1, "[a]"},
	} {
		got, err := s.List(ctx, tt.prefix, tt.after, tt.limit)
		names := []string{}
		for _, info := range got {
			names = append(names, info.Name)
		}
		if fmt.Sprint(names) != tt.want || err != nil {
			t.Errorf("list of %q after %q, at most %d = %v, %v, want %s",
				tt.prefix, tt.after, tt.limit, names, err, tt.want)
		}
	}
}

func testNotFound(t *testing.T, open Factory) {
	s := start(t, open)
	for name, err := range map[string]error{
		"head":     second(s.Head(ctx, "none")),
		"read":     second(s.Read(ctx, "none", 1, 0, 0)),
		"read at":  second(s.ReadAt(ctx, "none", 1, 0, 0)),
		"set meta": s.SetMeta(ctx, "none", nil, 0),
	} {
		if !errors.Is(err, eventstore.ErrNotFound) || !strings.Contains(err.Error(), "none") {
			t.Errorf("%s: %v, want ErrNotFound with the name", name, err)
		}
	}
	if v, found, err := s.Lookup(ctx, "none", "k"); v != 0 || found || err != nil {
		t.Errorf("lookup = %d, %v, %v", v, found, err)
	}
}
