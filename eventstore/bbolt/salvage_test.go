package boltstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
	bolt "go.etcd.io/bbolt"
)

// TestSalvage damages the journal of a killed store in each way. A try changes nothing and says what the deed then does; after that the store opens, is sound, goes on, and the journal is
// there under another name.
func TestSalvage(t *testing.T) {
	t.Parallel()
	frame := func(n int) int { return journalHeader + (n-1)*frameSize }
	takenA, takenB, takenC := SalvagedStream{"a", 3, 4, true, ""}, SalvagedStream{"b", 3, 4, false, ""}, SalvagedStream{"c", 1, 1, true, ""}
	for name, tt := range map[string]struct {
		spoil func(j []byte) []byte
		want  Salvaged
		held  []string
	}{
		"missing": {func([]byte) []byte { return nil }, Salvaged{}, []string{"a 2 old a", "b 2 old b"}},
		"notes":   {func([]byte) []byte { return bytes.Repeat([]byte("buy milk\n"), 500) }, Salvaged{}, []string{"a 2 old a", "b 2 old b"}},
		"of another store": {func([]byte) []byte { return mustReadFile(t, JournalPath(waiting(t))) },
			Salvaged{}, []string{"a 2 old a", "b 2 old b"}},
		"header damaged": {func(j []byte) []byte { j[3] ^= 1; return j },
			Salvaged{Frames: 4, Taken: []SalvagedStream{takenA, takenB, takenC}}, waitingHeld},
		"first frame": {func(j []byte) []byte { j[frame(1)+50] ^= 1; return j },
			Salvaged{Frames: 3, Damaged: []uint64{1}, Taken: []SalvagedStream{takenB, takenC}, Lost: []SalvagedStream{{"a", 3, 4, false, "version 2 is the last that is left"}}},
			[]string{"a 2 old a", "b 4 old b", "c 1 new c"}},
		"second frame": {func(j []byte) []byte { j[frame(2)+30] ^= 1; return j },
			Salvaged{Frames: 3, Damaged: []uint64{2}, Taken: []SalvagedStream{takenA, takenC}}, []string{"a 4 new a", "b 2 old b", "c 1 new c"}},
		"first two frames": {func(j []byte) []byte { clear(j[frame(1):frame(3)]); return j },
			Salvaged{Frames: 2, Damaged: []uint64{1, 2}, Taken: []SalvagedStream{takenC}, Lost: []SalvagedStream{{"a", 3, 4, false, "version 2 is the last that is left"}}},
			[]string{"a 2 old a", "b 2 old b", "c 1 new c"}},
		"third frame and header": {func(j []byte) []byte { clear(j[:journalHeader]); j[frame(3)] ^= 1; return j },
			Salvaged{Frames: 3, Damaged: []uint64{3}, Taken: []SalvagedStream{{"a", 3, 3, true, ""}, takenB, takenC}}, []string{"a 3 new a", "b 4 old b", "c 1 new c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := waiting(t)
			journal := tt.spoil(mustReadFile(t, JournalPath(path)))
			path = disk{mustReadFile(t, path), journal}.files(t)
			before := mustReadFile(t, path)
			tt.want.Needed = true
			same := func(what string, apply bool) Salvaged {
				t.Helper()
				got, err := Salvage(path, apply)
				if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Salvaged{}, "Cause", "Aside")); diff != "" || err != nil {
					t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
				}
				var refused *JournalError
				if !errors.As(got.Cause, &refused) {
					t.Errorf("%s: the cause is %v", what, got.Cause)
				}
				return got
			}
			if got := same("tried", false); got.Aside != "" || !bytes.Equal(before, mustReadFile(t, path)) || !bytes.Equal(journal, mustReadFile(t, JournalPath(path))) {
				t.Errorf("a try changed something: %+v", got)
			}
			got := same("done", true)
			if journal != nil && !bytes.Equal(journal, mustReadFile(t, got.Aside)) || journal == nil && got.Aside != "" || there(JournalPath(path)) {
				t.Errorf("the journal is not kept as %q", got.Aside)
			}
			if again, err := Salvage(path, true); again.Needed || err != nil {
				t.Errorf("once more: %+v, %v", again, err)
			}
			s := mustOpen(t, path, Options{})
			mustHold(t, s, tt.held...)
			mustPut(t, s, storetest.Continue(t, s, "a").Next("k9", "x"), "")
			mustClose(t, s)
		})
	}
}

// TestSalvageLosesWhatComesLater loses all that came to a stream after an append that was lost, also where it would be taken by itself, and what would link to another entry.
func TestSalvageLosesWhatComesLater(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	a, n := &storetest.Chain{Stream: "a"}, &storetest.Chain{Stream: "new"}
	mustPut(t, s, a.Next("", "1"), "")
	mustPut(t, s, n.Next("", "1"), "")
	mustPut(t, s, a.Next("", "2"), "")
	for _, stream := range []string{"a", "new"} {
		if err := s.SetMeta(context.Background(), stream, []byte("late")); err != nil {
			t.Fatal(err)
		}
	}
	j := mustReadFile(t, JournalPath(s.path))
	path := left(t, s)
	mustClose(t, s)
	clear(j[journalHeader : journalHeader+2*frameSize])
	if err := os.WriteFile(JournalPath(path), j, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Salvage(path, true)
	want := Salvaged{Needed: true, Frames: 3, Damaged: []uint64{1, 2}, Lost: []SalvagedStream{
		{"a", 1, 2, true, "version 0 is the last that is left"}, {"new", 0, 0, true, "the stream's first append is not there"},
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Salvaged{}, "Cause", "Aside")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	s = mustOpen(t, path, Options{})
	mustHold(t, s)
	mustClose(t, s)
}

// TestSalvageNeedsACause leaves alone what opens, what is in use, what is no store, and what does not say which journal is its own.
func TestSalvageNeedsACause(t *testing.T) {
	t.Parallel()
	path := waiting(t)
	before := disk{mustReadFile(t, path), mustReadFile(t, JournalPath(path))}
	if got, err := Salvage(path, true); got.Needed || err != nil {
		t.Errorf("what opens: %+v, %v", got, err)
	}
	if !bytes.Equal(before.db, mustReadFile(t, path)) || !bytes.Equal(before.journal, mustReadFile(t, JournalPath(path))) {
		t.Error("what opens was changed")
	}
	s := mustOpen(t, path, Options{})
	if _, err := Salvage(path, true); !errors.Is(err, eventstore.ErrLocked) {
		t.Errorf("what is in use: %v", err)
	}
	mustClose(t, s)
	if got, err := Salvage(path, true); got.Needed || err != nil {
		t.Errorf("what was closed: %+v, %v", got, err)
	}
	if _, err := Salvage(path+"x", true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	var format *eventstore.FormatError
	if _, err := Salvage(file(t, []byte("a letter to a friend\n")), true); !errors.As(err, &format) {
		t.Errorf("what is no store: %v", err)
	}
	tamper(t, path, func(tx *bolt.Tx) error { return tx.Bucket(bucketFormat).Put(formatJournal, []byte("?")) })
	if _, err := Salvage(path, true); !errors.Is(err, errStateUnreadable) {
		t.Errorf("what does not say which journal is its own: %v", err)
	}
}
