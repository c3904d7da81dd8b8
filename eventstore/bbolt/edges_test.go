package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/storetest"
)

// pageOf is a page with elements one after the other.
func pageOf(id uint64, flags uint16, elements ...[2]string) []byte {
	page := make([]byte, pageHeader+len(elements)*elementSize)
	binary.NativeEndian.PutUint64(page, id)
	binary.NativeEndian.PutUint16(page[8:], flags)
	binary.NativeEndian.PutUint16(page[10:], uint16(len(elements)))
	for i, e := range elements {
		head := page[pageHeader+i*elementSize:]
		binary.NativeEndian.PutUint32(head[4:], uint32(len(page)-pageHeader-i*elementSize))
		binary.NativeEndian.PutUint32(head[8:], uint32(len(e[0])))
		binary.NativeEndian.PutUint32(head[12:], uint32(len(e[1])))
		page = append(page, e[0]+e[1]...)
	}
	return page
}

// TestElementsThatFillTheirPage has elements that are as long as they can be, have an empty key or an empty value; one
// byte less of the page is too little.
func TestElementsThatFillTheirPage(t *testing.T) {
	t.Parallel()
	for _, e := range [][2]string{{"key", "value"}, {"key", ""}, {"", "value"}, {"", ""}} {
		page := pageOf(3, leafFlag, e)
		key, value, ok := element(page, pageHeader, leafFlag)
		if !ok || string(key) != e[0] || string(value) != e[1] {
			t.Errorf("%q: %q, %q, %v", e, key, value, ok)
		}
		if _, _, ok := element(page[:len(page)-1], pageHeader, leafFlag); ok && e != [2]string{} {
			t.Errorf("%q: a page that is too short has it", e)
		}
		binary.NativeEndian.PutUint32(page[pageHeader+4:], elementSize-1)
		if _, _, ok := element(page, pageHeader, leafFlag); ok {
			t.Errorf("%q: it begins in its own head", e)
		}
	}
}

// TestKeysOutOfOrderAreNotBelieved looks beside the first two elements of a leaf.
func TestKeysOutOfOrderAreNotBelieved(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]bool{"ab": false, "ba": true, "aa": true} {
		page := pageOf(3, leafFlag, [2]string{keys[:1], "v"}, [2]string{keys[1:], "v"})
		p := &treePage{id: 3, bytes: page, size: pageSize, flags: leafFlag, count: 2}
		for i := range 2 {
			if got := panics(func() { p.mustLack(i) }); got != want {
				t.Errorf("%s, element %d: %v", keys, i, got)
			}
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestPagesOutsideTheFileAreNotClaimed asks for the pages of the file's head and for one after its end.
func TestPagesOutsideTheFileAreNotClaimed(t *testing.T) {
	t.Parallel()
	for id, want := range []bool{false, false, true, true, false, false} {
		told := 0
		w := &pageWalk{seen: make([]usage, 4), fault: func(string, ...any) { told++ }}
		if got := w.claim("b", uint64(id), 0, inUse); got != want || told == 1 == want {
			t.Errorf("page %d: %v, told %d times", id, got, told)
		}
	}
}

// TestABucketInABucketEndsNoCursor: nobody may go through a file in which a bucket holds another, or no root.
func TestABucketInABucketEndsNoCursor(t *testing.T) {
	t.Parallel()
	for in, value := range map[string][]byte{"log": make([]byte, bucketValue), "": make([]byte, bucketValue-1)} {
		told := 0
		w := &pageWalk{fault: func(string, ...any) { told++ }}
		if w.bucket(in, "page 3", 0, []byte("key"), value, 1); !w.endless || told != 1 {
			t.Errorf("in %q: endless is %v, told %d times", in, w.endless, told)
		}
	}
}

// TestAListOfFreePagesMayFillItsPage has one id more than there is room for, too.
func TestAListOfFreePagesMayFillItsPage(t *testing.T) {
	t.Parallel()
	const room = (pageSize - pageHeader) / 8
	for _, n := range []int{room - 1, room, room + 1} {
		content := make([]byte, 3*pageSize)
		page := content[2*pageSize:]
		copy(page, pageOf(2, freelistFlag))
		binary.NativeEndian.PutUint16(page[10:], uint16(n))
		for i := range min(n, room) {
			binary.NativeEndian.PutUint64(page[pageHeader+8*i:], uint64(3+i))
		}
		var told []string
		w := &pageWalk{f: bytes.NewReader(content), pageSize: pageSize, pages: 1000, seen: make([]usage, 1000),
			fault: func(format string, _ ...any) { told = append(told, format) }}
		w.freelist(2)
		if sound := n <= room; (len(told) == 0) != sound || sound && w.seen[2+n] != unused {
			t.Errorf("%d free pages: %q", n, told)
		}
	}
}

// TestKeysThatWouldBePacked are those that are spelled as a UUID is.
func TestKeysThatWouldBePacked(t *testing.T) {
	t.Parallel()
	const id = "0123abcd-4567-89ef-0123-456789abcdef"
	for key, want := range map[string]bool{
		id: true, "": false, id[1:]: false, id + "0": false, strings.ToUpper(id): false,
		strings.ReplaceAll(id, "-", "0"): false,
	} {
		if got := isUUID([]byte(key)); got != want {
			t.Errorf("%q: %v", key, got)
		}
	}
	packed, _ := packUUID(id)
	if got := unpackUUID(packed[:]); got != id {
		t.Errorf("%q is read as %q", id, got)
	}
}

// TestCheckTellsOfTwoLastStreams has the file say twice which id was given last, and not the same.
func TestCheckTellsOfTwoLastStreams(t *testing.T) {
	t.Parallel()
	path := sound(t)
	tamper(t, path, func(tx *bolt.Tx) error {
		names := bucketsOf(tx).names
		return names.SetSequence(names.Sequence() + 1)
	})
	s := mustOpen(t, path, Options{ReadOnly: true, MapSize: 1})
	defer mustClose(t, s)
	var told []string
	_, err := s.Check(context.Background(), storetest.Verify, func(f eventstore.Fault) { told = append(told, f.What) })
	if err != nil || !strings.Contains(strings.Join(told, "\n"), "the last stream id is said to be") {
		t.Errorf("%q, %v", told, err)
	}
}

// TestCompactLeavesWhatIsSmallAsItIs: where there is nothing to win, the file stays in its place.
func TestCompactLeavesWhatIsSmallAsItIs(t *testing.T) {
	t.Parallel()
	path, _ := bulky(t)
	var sizes []int64
	for range 3 { // the second may still find a page
		was, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		before, after, err := Compact(path)
		if err != nil {
			t.Fatal(err)
		}
		is, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if os.SameFile(was, is) != (before == after) {
			t.Errorf("from %d to %d bytes: the file stayed is %v", before, after, os.SameFile(was, is))
		}
		sizes = append(sizes, after)
	}
	if sizes[1] != sizes[2] {
		t.Errorf("the sizes are %v, so that this test proves nothing", sizes)
	}
}

// TestWhatWaitsCountsAfterAStart: appends that wait fill the same room after a start, or they would be merged too late.
func TestWhatWaitsCountsAfterAStart(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newPath(t), Options{NoSync: true, MapSize: 1})
	chain := &storetest.Chain{Stream: "s"}
	for range 3 {
		mustPut(t, s, chain.Next("", "x"), "")
	}
	path := left(t, s)
	s.turn.Lock()
	kept := s.kept
	s.turn.Unlock()
	mustClose(t, s)
	again := mustOpen(t, path, Options{NoSync: true, MapSize: 1})
	defer mustClose(t, again)
	again.turn.Lock()
	defer again.turn.Unlock()
	if again.kept != kept || kept == 0 {
		t.Errorf("%d bytes wait, before %d", again.kept, kept)
	}
}
