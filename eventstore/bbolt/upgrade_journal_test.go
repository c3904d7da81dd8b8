package boltstore

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// made returns a file that a program of an older format has made.
func made(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "formats", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// killed4 is what a server of format 4 left when it was killed: "a" and "b" have 20 entries in the file; five more of
// "a", five of "c", and metadata of "b" are in the journal.
func killed4(t testing.TB) (path string) {
	t.Helper()
	return beside(t, made(t, "format4-killed.db"), made(t, "format4-killed.db.journal"))
}

// beside puts a file and its journal where they can be opened; no journal is nil.
func beside(t testing.TB, db, journal []byte) (path string) {
	t.Helper()
	path = file(t, db)
	if journal != nil {
		if err := os.WriteFile(journalPath(path), journal, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

var killed4Held = []string{"a 25 meta of a", "b 20 meta of b", "c 5 meta of c"}

// mustHoldMade wants what the older programs stored, with keys of both kinds, and that it can be gone on from.
func mustHoldMade(t *testing.T, s *Store, want ...string) {
	t.Helper()
	ctx := context.Background()
	mustHold(t, s, want...)
	for _, line := range want {
		name := line[:1]
		for _, e := range storetest.ReadAll(t, s, name, 0) {
			data := fmt.Sprint("data ", e.Version)
			if e.Version == 3 {
				data = strings.Repeat("long ", 1200)
			}
			if string(e.Data) != data || e.Key != upgradeKey(int(e.Version)) {
				t.Errorf("%s %d: %q with the key %q", name, e.Version, e.Data, e.Key)
			}
			if at, found, err := s.Lookup(ctx, name, e.Key); at != e.Version || !found || err != nil {
				t.Errorf("key of %s %d: %d, %t, %v", name, e.Version, at, found, err)
			}
		}
	}
	if s.o.ReadOnly {
		return
	}
	var used *eventstore.KeyUsedError
	if err := s.Append(ctx, storetest.Continue(t, s, "a").Next(upgradeKey(20), "again")); !errors.As(err, &used) ||
		used.Version != 20 {
		t.Errorf("append with a used key: %v", err)
	}
}

// TestFormats opens files that programs of each older format have made, to be read and to be written, and puts them in
// another's place as backups.
func TestFormats(t *testing.T) {
	t.Parallel()
	for format := 1; format <= 5; format++ {
		t.Run(fmt.Sprint("format ", format), func(t *testing.T) {
			t.Parallel()
			path := file(t, made(t, fmt.Sprintf("format%d.db", format)))
			want := []string{"a 20 meta of a", "b 20 meta of b"}
			for _, readOnly := range []bool{true, false, true, false} {
				s := mustOpen(t, path, Options{ReadOnly: readOnly, MapSize: 1})
				mustHoldMade(t, s, want...)
				mustClose(t, s)
			}
			alone(t, path)
			to := newPath(t)
			backup := file(t, made(t, fmt.Sprintf("format%d.db", format)))
			if err := Install(backup, to, false, func(*Store) error { return nil }); err != nil {
				t.Fatal(err)
			}
			s := mustOpen(t, to, Options{MapSize: 1})
			mustHoldMade(t, s, want...)
			mustPut(t, s, storetest.Continue(t, s, "b").Next("new", "x"), "")
			mustHold(t, s, "a 20 meta of a", "b 21 meta of b")
			mustClose(t, s)
		})
	}
}

// TestJournalIsTakenOver opens what a server of format 4 left when it was killed: read, nothing is changed; written,
// all that waited in the journal is in the file, once, and the journal is gone.
func TestJournalIsTakenOver(t *testing.T) {
	t.Parallel()
	path := killed4(t)
	db, journal := mustReadFile(t, path), mustReadFile(t, journalPath(path))
	s := mustOpen(t, path, Options{ReadOnly: true})
	mustHoldMade(t, s, killed4Held...)
	mustClose(t, s)
	if !bytes.Equal(db, mustReadFile(t, path)) || !bytes.Equal(journal, mustReadFile(t, journalPath(path))) {
		t.Error("reading changed something")
	}
	s = mustOpen(t, path, Options{MapSize: 1})
	alone(t, path)
	mustHoldMade(t, s, killed4Held...)
	for _, repeated := range []string{left(t, s), path} {
		if repeated == path {
			mustClose(t, s)
		}
		o := mustOpen(t, repeated, Options{MapSize: 1})
		mustHoldMade(t, o, killed4Held...)
		mustClose(t, o)
		alone(t, repeated)
	}
	path = killed4(t)
	if _, _, err := Compact(path); err != nil {
		t.Fatal(err)
	}
	alone(t, path)
	s = mustOpen(t, path, Options{MapSize: 1})
	mustHoldMade(t, s, killed4Held...)
	mustClose(t, s)
}

// TestUpgradeBrokenOff ends an upgrade from format 4 at each of its steps, as a kill does: the next to open the file
// goes on, and nothing is lost. The journal stays until all that it holds is durable in the file.
func TestUpgradeBrokenOff(t *testing.T) {
	t.Parallel()
	gone := errors.New("killed")
	for _, at := range []point{beforeOpenSync, afterOpenSync, beforeTake, afterTake, afterUpgrade} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			path := killed4(t)
			for range 2 {
				s, err := Open(path, Options{MapSize: 1, hooks: hooks{at: func() error { return gone }}})
				if err == nil { // it was upgraded before, and these steps do not come again
					mustClose(t, s)
					break
				}
				if !errors.Is(err, gone) {
					t.Fatal(err)
				}
				if !there(journalPath(path)) {
					t.Error("the journal is gone")
				}
				read := mustOpen(t, path, Options{ReadOnly: true})
				mustHoldMade(t, read, killed4Held...)
				mustClose(t, read)
			}
			s := mustOpen(t, path, Options{MapSize: 1})
			mustHoldMade(t, s, killed4Held...)
			mustClose(t, s)
			alone(t, path)
		})
	}
}

// TestJournalIsRefused opens files with a journal that is not to be had, or that has what the file has not, though the
// file says that all is merged: an older file beside a newer journal, a backup that was copied to the place of a store
// that was killed, a flipped bit in what the file says about its journal. Nothing is changed then, neither is dropped,
// and the error says what to do.
func TestJournalIsRefused(t *testing.T) {
	t.Parallel()
	setState := func(t *testing.T, path string, set func(raw []byte)) {
		tamper(t, path, func(tx *bolt.Tx) error {
			b := tx.Bucket(bucketFormat)
			raw := bytes.Clone(b.Get(formatJournal))
			set(raw)
			return b.Put(formatJournal, raw)
		})
	}
	first := func(j []byte, n int) int { // where a frame begins
		id, err := readHeader(j)
		if err != nil {
			t.Fatal(err)
		}
		return wholeFrames(j, id)[n].at
	}
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, path string, journal []byte) []byte
		want  string
	}{
		"missing": {func(*testing.T, string, []byte) []byte { return nil }, "is missing"},
		"of another store": {func(_ *testing.T, _ string, j []byte) []byte {
			id, _ := readHeader(j)
			return journalOf(journalID{1},
				appendFrame(nil, journalID{1}, 1, 1, mustParse(t, wholeFrames(j, id)[0].requests)))
		}, "another store"},
		"empty": {func(*testing.T, string, []byte) []byte { return []byte{} }, "not a journal"},
		"notes": {func(*testing.T, string, []byte) []byte { return bytes.Repeat([]byte("buy milk\n"), 500) },
			"not a journal"},
		"newer layout": {func(_ *testing.T, _ string, j []byte) []byte { j[len(journalMagic)+3] = 9; return j },
			"layout 9"},
		"header damaged": {func(_ *testing.T, _ string, j []byte) []byte { j[len(journalMagic)+20] ^= 1; return j },
			"not a journal"},
		"first frame":  {func(_ *testing.T, _ string, j []byte) []byte { j[first(j, 0)+50] ^= 1; return j }, "damaged"},
		"middle frame": {func(_ *testing.T, _ string, j []byte) []byte { j[first(j, 3)+50] ^= 1; return j }, "damaged"},
		"state unreadable": {func(t *testing.T, path string, j []byte) []byte {
			tamper(t, path, func(tx *bolt.Tx) error { return tx.Bucket(bucketFormat).Put(formatJournal, []byte("?")) })
			return j
		}, "length"},
		"said to be unused": {func(t *testing.T, path string, j []byte) []byte {
			setState(t, path, func(raw []byte) { raw[0] = 0 })
			return j
		}, "appends that the file does not have"},
		"of a later epoch, by a flipped bit": {func(t *testing.T, path string, j []byte) []byte {
			setState(t, path, func(raw []byte) { raw[len(raw)-1] ^= 0x40 })
			return j
		}, "appends that the file does not have"},
		"of an earlier epoch": {func(t *testing.T, path string, j []byte) []byte {
			setState(t, path, func(raw []byte) { raw[len(raw)-1]-- })
			return j
		}, "newer than the file"},
		"of another id, by a flipped bit": {func(t *testing.T, path string, j []byte) []byte {
			setState(t, path, func(raw []byte) { raw[7] ^= 1 })
			return j
		}, "another store"},
		"backup copied to its place": {func(t *testing.T, path string, j []byte) []byte {
			mustWriteFile(t, path, made(t, "format4.db"))
			return j
		}, "appends that the file does not have"},
		"older format copied to its place": {func(t *testing.T, path string, j []byte) []byte {
			mustWriteFile(t, path, made(t, "format2.db"))
			return j
		}, "appends that the file does not have"},
		"new file copied to its place": {func(t *testing.T, path string, j []byte) []byte {
			mustWriteFile(t, path, mustReadFile(t, sound(t)))
			return j
		}, "appends that the file does not have"},
		"file that was taken away": {func(t *testing.T, path string, j []byte) []byte {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			return j
		}, "the file that it belongs to is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := killed4(t)
			journal := tt.spoil(t, path, mustReadFile(t, journalPath(path)))
			_ = os.Remove(journalPath(path))
			if journal != nil {
				mustWriteFile(t, journalPath(path), journal)
			}
			before := mustReadFile(t, path)
			s, err := Open(path, Options{})
			if err == nil {
				_ = s.Close()
			}
			var refused *JournalError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) ||
				!strings.Contains(err.Error(), journalPath(path)) {
				t.Errorf("open: %v, want a JournalError with %q", err, tt.want)
			}
			if !bytes.Equal(before, mustReadFile(t, path)) ||
				!bytes.Equal(journal, mustReadFile(t, journalPath(path))) {
				t.Error("something was changed")
			}
		})
	}
}

// TestWhatWaitsGoesOnFromWhatIsThere has requests of one entry, of several, and of metadata alone, for a stream of five
// entries. Each must build on the version that those before it make.
func TestWhatWaitsGoesOnFromWhatIsThere(t *testing.T) {
	t.Parallel()
	waits := func(expected uint64, entries int) *request {
		return &request{stream: "a", expected: expected, entries: make([]record, entries)}
	}
	db, err := bolt.Open(sound(t), 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, tt := range map[string]struct {
		waiting [][]*request
		sound   bool
	}{
		"one":                   {[][]*request{{waits(5, 1)}}, true},
		"one after one":         {[][]*request{{waits(5, 1)}, {waits(6, 1)}}, true},
		"one in the same frame": {[][]*request{{waits(5, 3), waits(8, 1)}}, true},
		"metadata":              {[][]*request{{waits(0, 0)}, {waits(5, 1)}}, true},
		"one that is there":     {[][]*request{{waits(4, 1)}}, false},
		"one too far":           {[][]*request{{waits(6, 1)}}, false},
		"the same twice":        {[][]*request{{waits(5, 1)}, {waits(5, 1)}}, false},
	} {
		err := db.View(func(tx *bolt.Tx) error { return goesOn(bucketsOf(tx), tt.waiting) })
		if (err == nil) != tt.sound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func mustParse(t *testing.T, data []byte) []*request {
	t.Helper()
	list, err := parseRequests(data)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func mustWriteFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestJournalLeftOver has a journal lie beside a file that has all that it holds: it is removed, as after a kill
// between a last merge and its removal.
func TestJournalLeftOver(t *testing.T) {
	t.Parallel()
	whole := killed4(t)
	journal := mustReadFile(t, journalPath(whole))
	s := mustOpen(t, whole, Options{MapSize: 1})
	mustClose(t, s)
	for name, j := range map[string][]byte{"merged": journal, "never written": journalOf(journalID{5}, nil),
		"zeros": make([]byte, 1000)} {
		path := beside(t, mustReadFile(t, whole), j)
		s := mustOpen(t, path, Options{MapSize: 1})
		alone(t, path)
		mustHoldMade(t, s, killed4Held...)
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTornLastFrame cuts and garbles the last frame of a journal, which is then none: nobody was told that it is
// stored.
func TestTornLastFrame(t *testing.T) {
	t.Parallel()
	db, journal := made(t, "format4-killed.db"), made(t, "format4-killed.db.journal")
	id, err := readHeader(journal)
	if err != nil {
		t.Fatal(err)
	}
	frames := wholeFrames(journal, id)
	lastEntry := frames[len(frames)-2] // the last of all is metadata
	for name, tear := range map[string]func(j []byte) []byte{
		"lost":              func(j []byte) []byte { return j[:lastEntry.at] },
		"cut in the header": func(j []byte) []byte { return j[:lastEntry.at+7] },
		"cut in the middle": func(j []byte) []byte { return j[:lastEntry.at+60] },
		"flipped bit": func(j []byte) []byte {
			j[lastEntry.at+60] ^= 4
			clear(j[lastEntry.at+lastEntry.size:])
			return j
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustOpen(t, beside(t, db, tear(bytes.Clone(journal))), Options{MapSize: 1})
			mustHoldMade(t, s, "a 25 meta of a", "b 20 meta of b", "c 4 meta of c")
			mustClose(t, s)
		})
	}
}
