package boltstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// small is the file of a store that was killed: 24 streams with 4 entries each and metadata, some with a last entry
// that waits to be merged, and branches in the log.
func small(t testing.TB) (path string) {
	t.Helper()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1, maxUnindexed: 2})
	chains := make([]*storetest.Chain, 24)
	for i := range chains {
		chains[i] = &storetest.Chain{Stream: fmt.Sprintf("stream %02d", i)}
		for range 3 {
			mustPut(t, s, chains[i].Next(fmt.Sprint("k", chains[i].Version+1), strings.Repeat("x", 400)),
				chains[i].Stream)
		}
	}
	mustPut(t, s, chains[5].Next("k4", strings.Repeat("L", 2*pageSize)), "")
	mustMerge(t, s)
	for i, c := range chains {
		if i%3 == 0 {
			mustPut(t, s, c.Next("late", "y"), "")
		}
	}
	path = left(t, s)
	mustClose(t, s)
	return path
}

// entriesOf is what a store shows of the streams of small, entry by entry, nothing of those that it refuses.
func entriesOf(t testing.TB, s *Store, at string) map[string][]string {
	t.Helper()
	ctx, all := context.Background(), make(map[string][]string)
	for i := range 24 {
		name := fmt.Sprintf("stream %02d", i)
		info, err := s.Head(ctx, name)
		page, more := s.Read(ctx, name, 0, 0, 0)
		v, _, bad := s.Lookup(ctx, name, "k2")
		if err := errors.Join(err, more, bad); err != nil {
			var corrupt *eventstore.CorruptError
			if !errors.As(err, &corrupt) {
				t.Errorf("%s: %s: %v, want a CorruptError", at, name, err)
			}
			continue
		}
		if info.Version != uint64(len(page)) {
			t.Errorf("%s: %s: %+v with %d entries", at, name, info, len(page))
		}
		// where the place of the one or the other is another one: a check must tell
		if string(info.Meta) != name || v != 2 {
			continue
		}
		for _, e := range page {
			all[name] = append(all[name], fmt.Sprint(e.Version, e.Key, string(e.Data), e.Hash))
		}
	}
	return all
}

// TestFlipsOnEveryPage flips bits of each page: all over its header and the first elements, and here and there behind.
// What a store then shows is what was stored, or an error; a check notices unless nothing that is shown has changed;
// and nothing else comes of appends and merges.
func TestFlipsOnEveryPage(t *testing.T) {
	t.Parallel()
	path := small(t)
	whole := mustReadFile(t, path)
	s := mustOpen(t, path, Options{ReadOnly: true, MapSize: 1})
	want := entriesOf(t, s, "whole")
	mustClose(t, s)
	if len(want) != 24 {
		t.Fatalf("%d streams", len(want))
	}
	without := map[string][]string{} // the last commit
	for name, all := range want {
		without[name] = all
	}
	without["stream 21"] = want["stream 21"][:3]
	step := 13 // with 1 all of them were tried
	if testing.Short() || powerShare > 1 {
		step = 67
	}
	flips, noticed, places := 0, 0, 0
	for at := range len(whole) {
		if in := at % pageSize; in >= 100 && in%331 != 0 {
			continue
		}
		if places++; places%step != 0 {
			continue
		}
		damaged := slices.Clone(whole)
		damaged[at] ^= 1 << (at / 3 % 8)
		flips++
		want := want
		if at < 2*pageSize && mustShowBefore(t, damaged) {
			want = without
		}
		if mustShowNothingElse(t, damaged, want, fmt.Sprintf("page %d, byte %d", at/pageSize, at%pageSize)) {
			noticed++
		}
	}
	t.Logf("%d flips in %d pages, %d noticed", flips, len(whole)/pageSize, noticed)
}

// mustShowBefore reports whether the page that tells of the last commit is damaged: then the one before is in force, as
// after a power failure during that commit. Nobody can tell one from the other.
func mustShowBefore(t *testing.T, content []byte) bool {
	t.Helper()
	s, err := Open(file(t, content), Options{ReadOnly: true, MapSize: 1})
	if err != nil {
		return false
	}
	defer s.Close()
	info, err := s.Head(context.Background(), "stream 21")
	return err == nil && info.Version == 3
}

// mustShowNothingElse reports whether a check noticed the damage, or the file was refused.
func mustShowNothingElse(t *testing.T, content []byte, want map[string][]string, at string) (noticed bool) {
	t.Helper()
	r, err := Open(file(t, content), Options{ReadOnly: true, MapSize: 1})
	if err != nil {
		return true
	}
	report, err := r.Check(context.Background(), storetest.Verify, nil)
	if noticed = report.Faults > 0; err != nil {
		t.Errorf("%s: check: %v", at, err)
	}
	mustBePartOf(t, entriesOf(t, r, at), want, noticed, at)
	mustClose(t, r)
	w, err := Open(file(t, content), Options{NoSync: true, MapSize: 1, maxUnindexed: 2})
	if err != nil {
		return noticed
	}
	appendToAll(t, w, want, noticed, at)
	_ = w.lockedMerge()
	mustBePartOf(t, entriesOf(t, w, at), want, noticed, at+", after a merge")
	_ = w.Close()
	return noticed
}

// mustBePartOf wants that what is shown is what was stored: all of it, unless the damage was noticed.
func mustBePartOf(t *testing.T, got, want map[string][]string, noticed bool, at string) {
	t.Helper()
	for name, all := range want {
		shown := got[name]
		n := min(len(shown), len(all))
		if !slices.Equal(shown[:n], all[:n]) || n < len(all) && !noticed {
			t.Errorf("%s: %s shows %d entries, want %d; noticed: %v", at, name, len(shown), len(all), noticed)
		}
	}
}

// appendToAll appends to each stream. One that is refused is not made anew, and no key is taken twice.
func appendToAll(t *testing.T, s *Store, want map[string][]string, noticed bool, at string) {
	t.Helper()
	ctx, shown := context.Background(), entriesOf(t, s, at)
	for name := range want {
		if _, ok := shown[name]; !ok {
			if err := s.Append(ctx, (&storetest.Chain{Stream: name}).Next("k1", "z")); err == nil && !noticed {
				t.Errorf("%s: %s is made once more", at, name)
			}
			continue
		}
		info, _ := s.Head(ctx, name)
		for _, key := range []string{"k2", "new"} {
			c := &storetest.Chain{Stream: name, Version: info.Version, Hash: info.Hash}
			if err := s.Append(ctx, c.Next(key, "z")); err == nil && key == "k2" {
				t.Errorf("%s: %s takes a key twice", at, name)
			}
		}
	}
}
