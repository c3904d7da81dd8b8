package boltstore

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	powerWriters()
	if path := os.Getenv(crashFile); path != "" {
		appendUntilKilled(path)
		return
	}
	goleak.VerifyTestMain(m)
}

// TestContract runs the suite with the settings of a server and with others: nothing that a caller sees may differ.
// What runs side by side is the same for all, but that some merge meanwhile: of those the race detector watches one.
func TestContract(t *testing.T) {
	t.Parallel()
	watched := map[string]bool{"default": true, "merged each time": true, "killed between merges": true}
	for name, o := range map[string]Options{
		"default":          {NoSync: true},
		"durable":          {},
		"alone":            {NoSync: true, BatchAppends: 1, maxUnindexed: 1, MapSize: 1},
		"two by two":       {NoSync: true, BatchBytes: 1, maxUnindexed: 2},
		"merged each time": {NoSync: true, MapSize: 1, recent: 1, maxUnindexed: 2},
	} {
		if testing.Short() && !watched[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, factory(o))
		})
	}
	// Here a store is never closed before it is opened again, so the suite's model runs over merges and what a kill
	// leaves.
	for name, o := range map[string]Options{
		"killed":                {NoSync: true, MapSize: 1},
		"killed between merges": {NoSync: true, MapSize: 1, recent: 1500, maxUnindexed: 2},
	} {
		if testing.Short() && !watched[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := factory(o)
			storetest.Run(t, func(t testing.TB) storetest.Engine {
				e := f(t)
				s := e.Store.(*Store)
				e.Reopen = func(t testing.TB) eventstore.Store {
					path := left(t, s)
					if err := s.Close(); err != nil {
						t.Errorf("close: %v", err)
					}
					s = mustOpen(t, path, o)
					return s
				}
				return e
			})
		})
	}
}

// left copies the file of a store as a kill would leave it now, to where they can be opened.
func left(t testing.TB, s *Store) (path string) {
	t.Helper()
	s.turn.Lock()
	defer s.turn.Unlock()
	return file(t, mustReadFile(t, s.path))
}

func factory(o Options) storetest.Factory {
	return func(t testing.TB) storetest.Engine {
		path := newPath(t)
		s := mustOpen(t, path, o)
		return storetest.Engine{
			Store:  s,
			Narrow: o.MapSize == 1,
			Reopen: func(t testing.TB) eventstore.Store {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
				s = mustOpen(t, path, o)
				return s
			},
			Restore: func(t testing.TB, backup []byte) eventstore.Store {
				path := newPath(t)
				if err := os.WriteFile(path, backup, 0o600); err != nil {
					t.Fatal(err)
				}
				return mustOpen(t, path, o)
			},
		}
	}
}

// newPath names a file that does not exist, in a directory of its own: one test may make many.
func newPath(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "store.db")
}

// mustOpen opens a store that nobody keeps open: a child that another test forks may have its lock for a while.
func mustOpen(t testing.TB, path string, o Options) *Store {
	t.Helper()
	o.lockWait = time.Minute
	s, err := Open(path, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}
