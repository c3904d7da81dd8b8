package dump_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/storetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

// small is a store with a bit of everything.
func small(t testing.TB) *memory.Store {
	t.Helper()
	s := memory.New()
	t.Cleanup(func() { _ = s.Close() })
	for i, name := range []string{"a", "games/1", "games/2", "é"} {
		c := &storetest.Chain{Stream: name}
		for v := range 2*i + 1 {
			mustAppend(t, s, c.Next(fmt.Sprint("k", v), fmt.Sprint("data ", v), "", "more"))
		}
		for v := range uint64(i) {
			mustSetMeta(t, s, name, fmt.Sprint("meta ", v))
		}
	}
	mustSetMeta(t, s, "games/1", "")
	return s
}

func mustAppend(t testing.TB, s eventstore.Store, a eventstore.Append) {
	t.Helper()
	if err := s.Append(ctx, a); err != nil {
		t.Fatal(err)
	}
}

func mustSetMeta(t testing.TB, s eventstore.Store, name, meta string) {
	t.Helper()
	if err := s.SetMeta(ctx, name, []byte(meta), eventstore.AnyMeta); err != nil {
		t.Fatal(err)
	}
}

func mustDump(t testing.TB, s eventstore.Store) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := dump.Write(ctx, s, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// held is what a store holds; whether metadata were ever set stands for how often.
func held(t testing.TB, s eventstore.Store) map[string]eventstore.Page {
	t.Helper()
	list, err := s.List(ctx, "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]eventstore.Page)
	for _, info := range list {
		info.MetaVersion = min(info.MetaVersion, 1)
		all[info.Name] = eventstore.Page{Entries: storetest.ReadAll(t, s, info.Name, 0), Head: info}
	}
	storetest.MustBeSound(t, s)
	return all
}

func mustHold(t testing.TB, s eventstore.Store, want map[string]eventstore.Page) {
	t.Helper()
	if diff := cmp.Diff(want, held(t, s)); diff != "" {
		t.Errorf("the store (-dumped +restored):\n%s", diff)
	}
}

// restored is the dump of a store that a dump was restored into.
func restored(t testing.TB, data []byte) []byte {
	t.Helper()
	to := memory.New()
	defer to.Close()
	if _, err := dump.Read(ctx, bytes.NewReader(data), to); err != nil {
		t.Fatal(err)
	}
	return mustDump(t, to)
}

// mustGoOn restores a whole dump after a restore that was broken off, and wants what it would have become at once.
func mustGoOn(t testing.TB, what string, whole, want []byte, to *memory.Store) {
	t.Helper()
	if _, err := dump.Read(ctx, bytes.NewReader(whole), to); err != nil {
		t.Fatalf("the whole after %s: %v", what, err)
	}
	if !bytes.Equal(want, mustDump(t, to)) {
		t.Errorf("the whole after %s is not what it was", what)
	}
}

func empty(t testing.TB) *memory.Store {
	s := memory.New()
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var update = flag.Bool("update", false, "write the golden dump anew")

// TestFormat wants the bytes of a dump to stay the same, and those that were written once to be read for ever.
func TestFormat(t *testing.T) {
	t.Parallel()
	s := small(t)
	const golden = "testdata/format1.dump"
	if *update {
		if err := os.WriteFile(golden, mustDump(t, s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, mustDump(t, s)) {
		t.Error("the same store has another dump")
	}
	to := empty(t)
	report, err := dump.Read(ctx, iotest.OneByteReader(bytes.NewReader(want)), to)
	if wants := (dump.Report{Streams: 4, Entries: 48, Bytes: 160, Stored: 48}); report != wants || err != nil {
		t.Errorf("read %+v, %v, want %+v", report, err, wants)
	}
	mustHold(t, to, held(t, s))
	again, err := dump.Read(ctx, bytes.NewReader(want), to)
	if wants := (dump.Report{Streams: 4, Entries: 48, Bytes: 160}); again != wants || err != nil {
		t.Errorf("read again %+v, %v, want %+v", again, err, wants)
	}
	mustHold(t, to, held(t, s))
}

func TestEmptyStore(t *testing.T) {
	t.Parallel()
	to := empty(t)
	report, err := dump.Read(ctx, bytes.NewReader(mustDump(t, empty(t))), to)
	if report != (dump.Report{}) || err != nil {
		t.Errorf("read %+v, %v", report, err)
	}
	mustHold(t, to, map[string]eventstore.Page{})
}

// TestCutOff ends a dump after each of its bytes: it is refused, and what was restored of it is gone on with.
func TestCutOff(t *testing.T) {
	t.Parallel()
	whole := mustDump(t, small(t))
	want := restored(t, whole)
	for n := range whole {
		to := empty(t)
		_, err := dump.Read(ctx, bytes.NewReader(whole[:n]), to)
		wants := dump.ErrTruncated
		if n == 0 {
			wants = dump.ErrForeign
		}
		if !errors.Is(err, wants) {
			t.Errorf("%d of %d bytes: %v, want %v", n, len(whole), err, wants)
		}
		mustGoOn(t, fmt.Sprint(n, " bytes"), whole, want, to)
	}
}

// TestChanged flips a bit of each byte of a dump, and adds and takes some: it is refused, and nothing of what was
// changed is stored.
func TestChanged(t *testing.T) {
	t.Parallel()
	whole := mustDump(t, small(t))
	want := restored(t, whole)
	try := func(what string, data []byte, wants ...error) {
		t.Helper()
		to := empty(t)
		_, err := dump.Read(ctx, bytes.NewReader(data), to)
		refused := false
		for _, want := range wants {
			refused = refused || errors.Is(err, want)
		}
		if !refused {
			t.Errorf("%s: %v, want one of %v", what, err, wants)
		}
		mustGoOn(t, what, whole, want, to)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << (i % 8)
		switch header := len("warledger event store dump\n") + 4; {
		case i < header-4:
			try(fmt.Sprint("byte ", i), changed, dump.ErrForeign)
		case i < header:
			try(fmt.Sprint("byte ", i), changed, dump.ErrNewer, dump.ErrDamaged)
		default: // a length that was changed may lead beyond the end
			try(fmt.Sprint("byte ", i), changed, dump.ErrDamaged, dump.ErrTruncated)
		}
	}
	try("something after it", append(bytes.Clone(whole), 0), dump.ErrDamaged)
	try("itself after it", append(bytes.Clone(whole), whole...), dump.ErrDamaged)
	try("another file", []byte("PK\x03\x04 and more"), dump.ErrForeign)
	try("a part of it", whole[40:], dump.ErrForeign)
}

// TestOtherStores restores into stores that hold what the dump does not.
func TestOtherStores(t *testing.T) {
	t.Parallel()
	whole := mustDump(t, small(t))
	has := func(name string) func(*testing.T, *memory.Store) {
		return func(t *testing.T, s *memory.Store) {
			t.Helper()
			mustAppend(t, s, (&storetest.Chain{Stream: name}).Next("", "x"))
		}
	}
	for name, tt := range map[string]struct {
		change func(t *testing.T, s *memory.Store)
		want   string
	}{
		"a stream before all": {has("A"), `"A"`},
		"a stream in between": {has("b"), `"b"`},
		"a stream after all":  {has("ö"), `"ö"`},
		"a stream of another": {has("é"), `"é"`},
		"a stream that is longer": {func(t *testing.T, s *memory.Store) {
			if _, err := dump.Read(ctx, bytes.NewReader(whole), s); err != nil {
				t.Fatal(err)
			}
			mustAppend(t, s, storetest.Continue(t, s, "games/1").Next("", "x"))
		}, `"games/1" has version 10, and 9`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := empty(t)
			tt.change(t, to)
			_, err := dump.Read(ctx, bytes.NewReader(whole), to)
			if !errors.Is(err, dump.ErrOther) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("restored: %v, want ErrOther with %s", err, tt.want)
			}
		})
	}
}

// TestMetadataAreRestored goes on from streams whose metadata are others, or are missing.
func TestMetadataAreRestored(t *testing.T) {
	t.Parallel()
	s := small(t)
	whole, want := mustDump(t, s), held(t, s)
	for _, meta := range []string{"", "meta 1", "of another time"} {
		to := empty(t)
		if _, err := dump.Read(ctx, bytes.NewReader(whole), to); err != nil {
			t.Fatal(err)
		}
		before, err := to.Head(ctx, "é")
		mustSetMeta(t, to, "é", meta)
		if _, bad := dump.Read(ctx, bytes.NewReader(whole), to); bad != nil || err != nil {
			t.Fatal(bad, err)
		}
		mustHold(t, to, want)
		if after, err := to.Head(ctx, "é"); err != nil || after.MetaVersion != before.MetaVersion+2 {
			t.Errorf("metadata version %d, %v, and %d before", after.MetaVersion, err, before.MetaVersion)
		}
	}
}

// TestLarge has more entries, and more data, than one block takes.
func TestLarge(t *testing.T) {
	t.Parallel()
	s := empty(t)
	many, big := &storetest.Chain{Stream: "many"}, &storetest.Chain{Stream: "big"}
	for range 25 {
		mustAppend(t, s, many.Next("", strings.Split(strings.Repeat("x,", 99)+"x", ",")...))
	}
	for range 3 {
		mustAppend(t, s, big.Next("", strings.Repeat("y", 12<<20)))
	}
	mustSetMeta(t, s, "many", "set with the last entries")
	to := empty(t)
	want := dump.Report{Streams: 2, Entries: 2503, Bytes: 2500 + 36<<20, Stored: 2503}
	if report, err := dump.Read(ctx, bytes.NewReader(mustDump(t, s)), to); report != want || err != nil {
		t.Fatalf("read %+v, %v, want %+v", report, err, want)
	}
	for _, name := range []string{"many", "big"} {
		was, err := s.Head(ctx, name)
		if is, bad := to.Head(ctx, name); is.Hash != was.Hash || bad != nil || err != nil {
			t.Errorf("%q differs: %v, %v", name, err, bad)
		}
	}
	storetest.MustBeSound(t, to)
	if got := to.Stats().Appends; got != 3+2 {
		t.Errorf("restored in %d appends, want 5", got)
	}
}

// TestTroubleIsPassedOn wants the errors of reader, writer, stores and contexts, and none of them taken for a fault of
// the dump.
func TestTroubleIsPassedOn(t *testing.T) {
	t.Parallel()
	s := small(t)
	whole := mustDump(t, s)
	trouble := errors.New("trouble")
	for n := range whole {
		r := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(trouble))
		_, err := dump.Read(ctx, r, empty(t))
		if !errors.Is(err, trouble) || errors.Is(err, dump.ErrTruncated) || errors.Is(err, dump.ErrForeign) {
			t.Errorf("reading fails after %d bytes: %v", n, err)
		}
	}
	if _, err := dump.Write(ctx, s, failing{trouble}); !errors.Is(err, trouble) {
		t.Errorf("writing fails: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := dump.Write(ended, s, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("write with an ended context: %v", err)
	}
	if _, err := dump.Read(ended, bytes.NewReader(whole), empty(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("read with an ended context: %v", err)
	}
	closed := memory.New()
	_ = closed.Close()
	if _, err := dump.Write(ctx, closed, io.Discard); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("write of a closed store: %v", err)
	}
	if _, err := dump.Read(ctx, bytes.NewReader(whole), closed); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("read into a closed store: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
