package postgres

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	const id = "0b7a7bd2-6d8e-4d1c-9f4e-0a1b2c3d4e5f"
	for key, size := range map[string]int{
		"": 0, "k": 1, id: 17, "0B7A7BD2-6d8e-4d1c-9f4e-0a1b2c3d4e5f": 36, "{" + id + "}": 38, "urn:uuid:" + id: 45,
		"0b7a7bd26d8e4d1c9f4e0a1b2c3d4e5f": 32, "sixteen bytes...": 16, "ÿ": 2,
	} {
		b := encodeKey(key)
		if len(b) != size {
			t.Errorf("%q takes %d bytes, want %d", key, len(b), size)
		}
		if got, err := decodeKey(b); got != key || err != nil {
			t.Errorf("%q came back as %q, %v", key, got, err)
		}
	}
	for _, b := range [][]byte{
		{}, {packed}, bytes.Repeat([]byte{packed}, 18), []byte(id), []byte("a\nb"), {'a', 0xff}, {0xc3},
	} {
		if key, err := decodeKey(b); err == nil {
			t.Errorf("%x was taken as %q", b, key)
		}
	}
}

// FuzzKey wants of any bytes an error or a key that is stored as these bytes.
func FuzzKey(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("key"))
	f.Add(encodeKey("0b7a7bd2-6d8e-4d1c-9f4e-0a1b2c3d4e5f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		key, err := decodeKey(b)
		if err != nil {
			return
		}
		if err := eventstore.CheckKey(key); err != nil {
			t.Error(err)
		}
		if again := encodeKey(key); !bytes.Equal(b, again) {
			t.Errorf("%x is the key %q, which is stored as %x", b, key, again)
		}
	})
}

// FuzzRow wants of any row an error that names the place, or the entry that the row says.
func FuzzRow(f *testing.F) {
	f.Add(int64(7), int64(6), []byte("key"), make([]byte, prevSize), make([]byte, 32), []byte("data"))
	f.Add(int64(-1), int64(-2), []byte{}, []byte(nil), []byte("short"), []byte(nil))
	f.Fuzz(func(t *testing.T, version, before int64, key, prev4, hash, data []byte) {
		r := row{version: version, key: key, prev4: prev4, hash: hash, data: data}
		e, err := r.entry("s", before, eventstore.Hash{})
		if err != nil {
			if corrupt := (*eventstore.CorruptError)(nil); !errors.As(err, &corrupt) || corrupt.Stream != "s" {
				t.Errorf("error %v", err)
			}
			return
		}
		if e.Version != uint64(before)+1 || !bytes.Equal(e.Hash[:], hash) || !bytes.Equal(e.Data, data) {
			t.Errorf("%+v is the entry %+v", r, e)
		}
	})
}

// FuzzHead wants of any head an error that names the stream, or what the head says.
func FuzzHead(f *testing.F) {
	f.Add(int64(3), int64(1), make([]byte, 32), []byte("meta"))
	f.Add(int64(0), int64(-1), []byte("short"), []byte(nil))
	f.Fuzz(func(t *testing.T, version, metaVersion int64, hash, meta []byte) {
		info, err := head{version: version, metaVersion: metaVersion, hash: hash, meta: meta}.info("s")
		if corrupt := (*eventstore.CorruptError)(nil); err != nil &&
			(!errors.As(err, &corrupt) || corrupt.Stream != "s") {
			t.Errorf("error %v", err)
		}
		if err == nil &&
			(info.Version == 0 || !bytes.Equal(info.Meta, meta) || info.MetaVersion == 0 && info.Meta != nil) {
			t.Errorf("info %+v", info)
		}
	})
}

// TestPages wants pages refused that are not what an engine has written.
func TestPages(t *testing.T) {
	t.Parallel()
	hash := func(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }
	rowAt := func(v int64) row {
		return row{version: v, prev4: hash(byte(v - 1))[:prevSize], hash: hash(byte(v)), data: []byte{}}
	}
	sound := func() found {
		return found{
			stream: "s", first: 2, head: &head{version: 3, hash: hash(3)}, before: hash(1),
			rows: []row{rowAt(2), rowAt(3)},
		}
	}
	page, err := sound().page()
	if err != nil || len(page.Entries) != 2 || page.Entries[0].Prev != eventstore.Hash(hash(1)) {
		t.Fatalf("a sound page: %+v, %v", page, err)
	}
	for name, tt := range map[string]struct {
		damage func(*found)
		at     uint64
	}{
		"no entries":                 {func(f *found) { f.rows = nil }, 2},
		"the first is missing":       {func(f *found) { f.rows = f.rows[1:] }, 2},
		"one is missing":             {func(f *found) { f.rows[0].version = 1 }, 2},
		"the one before is missing":  {func(f *found) { f.before = nil }, 1},
		"another one before":         {func(f *found) { f.before = hash(9) }, 2},
		"link":                       {func(f *found) { f.rows[1].prev4 = []byte("link") }, 3},
		"short link":                 {func(f *found) { f.rows[1].prev4 = nil }, 3},
		"hash":                       {func(f *found) { f.rows[1].hash = hash(3)[1:] }, 3},
		"key":                        {func(f *found) { f.rows[0].key = []byte{packed} }, 2},
		"beyond the head":            {func(f *found) { f.head.version = 2; f.head.hash = hash(2) }, 3},
		"the head's hash":            {func(f *found) { f.head.hash = hash(4) }, 3},
		"the head's hash is no hash": {func(f *found) { f.head.hash = nil }, 0},
		"version of the head":        {func(f *found) { f.head.version = 0 }, 0},
		"metadata version":           {func(f *found) { f.head.metaVersion = -1 }, 0},
		"metadata never set":         {func(f *found) { f.head.meta = []byte("x") }, 0},
	} {
		f := sound()
		tt.damage(&f)
		page, err := f.page()
		corrupt := (*eventstore.CorruptError)(nil)
		if !errors.As(err, &corrupt) || corrupt.Stream != "s" || corrupt.Version != tt.at {
			t.Errorf("%s: %v, want a CorruptError at version %d", name, err, tt.at)
		}
		if diff := cmp.Diff(eventstore.Page{}, page); diff != "" {
			t.Errorf("%s: something came with the error: %s", name, diff)
		}
	}
}
