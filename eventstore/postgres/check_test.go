package postgres

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	boltstore "github.com/warledger/warledger/eventstore/bbolt"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/storetest"
)

// TestCheckFinds damages tables in every way and wants it found, at its place and nowhere else.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	for _, name := range []string{"damaged", "sound"} {
		chain := &storetest.Chain{Stream: name}
		for _, key := range []string{"k1", "k2", "k3", "k4"} {
			mustAppend(t, s, chain.Next(key, key))
		}
	}
	conn := mustConnect(t, s)
	entry := ` where stream = (select id from wl_stream where name = 'damaged') and version = 3`
	stream := ` where name = 'damaged'`
	type place struct {
		Kind    eventstore.FaultKind
		Version uint64
	}
	for _, tt := range []struct {
		damage string
		want   []place
	}{
		{`update wl_entry set data = 'x'` + entry, []place{{eventstore.FaultContent, 3}}},
		{`update wl_entry set hash = 'short'` + entry, []place{
			{eventstore.FaultChecksum, 3}, {eventstore.FaultLink, 4}, {eventstore.FaultContent, 4},
		}},
		{`update wl_entry set key = '\xff00'` + entry, []place{{eventstore.FaultChecksum, 3}}},
		{`update wl_entry set prev4 = 'link'` + entry,
			[]place{{eventstore.FaultLink, 3}, {eventstore.FaultContent, 3}}},
		{`delete from wl_entry` + entry, []place{{eventstore.FaultGap, 4}, {eventstore.FaultContent, 4}}},
		{`update wl_entry set version = 9` + entry, []place{
			{eventstore.FaultGap, 4}, {eventstore.FaultContent, 4}, {eventstore.FaultGap, 9},
			{eventstore.FaultContent, 9}, {eventstore.FaultHead, 9},
		}},
		{`update wl_stream set version = 3` + stream, []place{{eventstore.FaultHead, 4}}},
		{`update wl_stream set hash = decode(repeat('00', 32), 'hex')` + stream, []place{{eventstore.FaultHead, 4}}},
		{`update wl_stream set hash = ''` + stream, []place{{eventstore.FaultChecksum, 0}}},
		{`update wl_stream set version = 0` + stream, []place{{eventstore.FaultChecksum, 0}}},
		{`update wl_stream set meta = 'never set'` + stream, []place{{eventstore.FaultChecksum, 0}}},
		{`delete from wl_entry where stream = (select id from wl_stream where name = 'damaged')`, []place{
			{eventstore.FaultOrphan, 0},
		}},
		{`delete from wl_stream` + stream, []place{{eventstore.FaultOrphan, 1}}},
	} {
		for _, statement := range []string{
			"create table was_stream as table wl_stream", "create table was_entry as table wl_entry", tt.damage,
		} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				t.Fatal(err)
			}
		}
		var got []place
		report, err := s.Check(ctx, storetest.Verify, func(f eventstore.Fault) {
			got = append(got, place{f.Kind, f.Version})
			if f.Stream != "damaged" && f.Kind != eventstore.FaultOrphan {
				t.Errorf("%s: %v", tt.damage, f)
			}
		})
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil || report.Faults != uint64(len(got)) {
			t.Errorf("%s: %v, %d faults (-want +found):\n%s", tt.damage, err, report.Faults, diff)
		}
		if got := storetest.ReadAll(t, s, "sound", 0); len(got) != 4 {
			t.Errorf("%s: %d entries of another stream", tt.damage, len(got))
		}
		_, err = s.ReadAt(ctx, "damaged", 1, 0, 0)
		var corrupt *eventstore.CorruptError
		noticed := errors.As(err, &corrupt) || errors.Is(err, eventstore.ErrNotFound)
		// what data mean is the caller's to check
		if unread := strings.Contains(tt.damage, "set data"); noticed == unread {
			t.Errorf("%s: read with %v", tt.damage, err)
		}
		for _, statement := range []string{
			"truncate wl_stream, wl_entry", "insert into wl_stream overriding system value table was_stream",
			"insert into wl_entry table was_entry", "drop table was_stream, was_entry",
		} {
			if _, err := conn.Exec(ctx, statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	storetest.MustBeSound(t, s)
}

// TestListStopsAtDamage wants a page to end before a stream that is corrupt, and to go on after it.
func TestListStopsAtDamage(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	for _, name := range []string{"a", "b", "c"} {
		mustAppend(t, s, (&storetest.Chain{Stream: name}).Next("", "x"))
	}
	if _, err := mustConnect(t, s).Exec(ctx, `update wl_stream set hash = '' where name = 'b'`); err != nil {
		t.Fatal(err)
	}
	var corrupt *eventstore.CorruptError
	if page, err := s.List(ctx, "", "", 0); len(page) != 1 || err != nil {
		t.Errorf("the first page: %v, %v", page, err)
	}
	if page, err := s.List(ctx, "", "a", 0); len(page) != 0 || !errors.As(err, &corrupt) || corrupt.Stream != "b" {
		t.Errorf("the second page: %v, %v", page, err)
	}
	if page, err := s.List(ctx, "", "b", 0); len(page) != 1 || err != nil {
		t.Errorf("the third page: %v, %v", page, err)
	}
}

// TestDumpsOfBothEngines moves a store from bbolt to PostgreSQL and back: the dumps of all three are equal, byte by
// byte.
func TestDumpsOfBothEngines(t *testing.T) {
	t.Parallel()
	bolt := func() eventstore.Store {
		s, err := boltstore.Open(filepath.Join(t.TempDir(), "games.db"), boltstore.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	first, back := bolt(), bolt()
	s, _, _ := fresh(t, Options{})
	for i, name := range []string{"games/1", "games/10", "é", "a"} {
		chain := &storetest.Chain{Stream: name}
		for range i*400 + 1 {
			mustAppend(t, first, chain.Next("", "x", strings.Repeat("y", i*30), ""))
		}
		mustAppend(t, first, chain.Next("0b7a7bd2-6d8e-4d1c-9f4e-0a1b2c3d4e5f", "packed"))
		a := chain.Next("not a UUID", "text")
		if i%2 == 0 {
			a.Meta = []byte(name)
		}
		mustAppend(t, first, a)
	}
	var dumps [3]bytes.Buffer
	stores := []eventstore.Store{first, s, back}
	for i, from := range stores {
		if _, err := dump.Write(ctx, from, &dumps[i]); err != nil {
			t.Fatal(err)
		}
		if i+1 < len(stores) {
			if _, err := dump.Read(ctx, bytes.NewReader(dumps[i].Bytes()), stores[i+1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range dumps[1:] {
		if !bytes.Equal(dumps[i].Bytes(), dumps[i+1].Bytes()) {
			t.Errorf("dump %d has %d bytes and the next %d, and they differ", i, dumps[i].Len(), dumps[i+1].Len())
		}
	}
	storetest.MustBeSound(t, s)
}
