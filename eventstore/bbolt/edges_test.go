package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if got := w.claim("b", uint64(id), 0, inUse); got != want || told == 1 == want || w.endless {
			t.Errorf("page %d: %v, told %d times, endless is %v", id, got, told, w.endless)
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

// TestALeafBehindTheOneBeforeEndsNoCursor has a leaf whose keys do not come after those of the leaf before it.
func TestALeafBehindTheOneBeforeEndsNoCursor(t *testing.T) {
	t.Parallel()
	for last, sound := range map[string]bool{"b": true, "c": false, "d": false} {
		told := 0
		w := &pageWalk{last: []byte(last), pageSize: pageSize, fault: func(string, ...any) { told++ }}
		w.elements("log", "page 3", pageOf(3, leafFlag, [2]string{"c", "v"}), nil, 1)
		if w.endless == sound || (told == 0) != sound {
			t.Errorf("after %q: endless is %v, told %d times", last, w.endless, told)
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
			fault: func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }}
		w.freelist(2)
		var want []string
		if n > room {
			want = []string{fmt.Sprintf("the list of free pages is said to have %d, and has room for %d", n, room)}
		} else if w.seen[2+n] != unused {
			t.Errorf("%d free pages: the last is not taken in", n)
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("%d free pages (-want +told):\n%s", n, diff)
		}
	}
}

// TestAFrameFillsWholeBlocks has as many bytes of requests as fit, and one more.
func TestAFrameFillsWholeBlocks(t *testing.T) {
	t.Parallel()
	for requests, want := range map[int]int{
		0: block, block - frameHeader: block, block - frameHeader + 1: 2 * block, 2*block - frameHeader: 2 * block,
	} {
		if got := padded(requests); got != want {
			t.Errorf("%d bytes: %d, want %d", requests, got, want)
		}
	}
}

// TestAnEntryHasAllItsParts cuts sealed entries of both kinds, down to nothing.
func TestAnEntryHasAllItsParts(t *testing.T) {
	t.Parallel()
	for kind, link := range map[kind]int{kindEntry: linkSize, kindLongEntry: hashSize} {
		whole := link + hashSize + 1
		for n := range whole + 2 {
			value := seal(make([]byte, crcSize+n), kind, "s", 1, "")
			if _, err := splitEntry("s", 1, value); (err == nil) != (n >= whole) {
				t.Errorf("%d of %d bytes: %v", n, whole, err)
			}
		}
	}
}

// TestAnAppendWeighsWhatItStores has two entries and metadata: so much is added to a commit.
func TestAnAppendWeighsWhatItStores(t *testing.T) {
	t.Parallel()
	a := (&storetest.Chain{Stream: "s"}).Next("k", "one", "two")
	a.Meta = []byte("meta")
	r := newAppend(&a)
	if want := len(r.entries[0].value) + len(r.entries[1].value) + len(r.meta); r.weight != want {
		t.Errorf("%d, want %d", r.weight, want)
	}
}

// TestWhatIsNotSaidIsTheDefault has options that say nothing, and some that do.
func TestWhatIsNotSaidIsTheDefault(t *testing.T) {
	t.Parallel()
	for given, want := range map[int]int{-1: defaultUnindexed, 0: defaultUnindexed, 1: 1, 7: 7} {
		if got := (Options{maxUnindexed: given}).withDefaults().maxUnindexed; got != want {
			t.Errorf("%d keys outside the index: %d, want %d", given, got, want)
		}
	}
	for given, want := range map[int]int{-1: recentBytes, 0: recentBytes, 1: 1} {
		if got := (Options{recent: given}).withDefaults().recent; got != want {
			t.Errorf("%d bytes of recent appends: %d, want %d", given, got, want)
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
