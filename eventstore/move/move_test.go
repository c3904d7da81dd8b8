package move

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/storetest"
)

var ctx = context.Background()

var places = Options{From: "here", To: "there"}

// filled is a store with streams before and after that of the state.
func filled(t *testing.T, records int) *memory.Store {
	t.Helper()
	s := memory.New()
	t.Cleanup(func() { _ = s.Close() })
	for _, name := range []string{"games/1", "operations/probe", "scenarios/1"} {
		chain := &storetest.Chain{Stream: name}
		for i := range records {
			a := chain.Next(fmt.Sprint("key", i), "x", "y")
			a.Meta, a.MetaExpected = []byte(fmt.Sprint(name, i)), eventstore.AnyMeta
			must(t, s.Append(ctx, a))
		}
	}
	return s
}

func empty(t *testing.T) *memory.Store {
	t.Helper()
	s := memory.New()
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError wants an error of a kind that says something.
func wantError(t *testing.T, err, kind error, words string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("got %v, want %v with %q", err, kind, words)
	}
}

// dumped is a dump of all but the state and the metadata versions, which a copy counts anew.
func dumped(t *testing.T, s eventstore.Store) string {
	t.Helper()
	fresh := memory.New()
	defer fresh.Close()
	var first, second bytes.Buffer
	_, err := dump.Write(ctx, hidden{s}, &first)
	must(t, err)
	_, err = dump.Read(ctx, &first, fresh)
	must(t, err)
	_, err = dump.Write(ctx, fresh, &second)
	must(t, err)
	return second.String()
}

// TestCopy copies a store there and back, into stores that know nothing, and finds the same again.
func TestCopy(t *testing.T) {
	t.Parallel()
	for records := range 3 {
		here, there, back := filled(t, records), empty(t), empty(t)
		report, err := Copy(ctx, here, there, places)
		must(t, err)
		if report.Stored != uint64(6*records) || dumped(t, here) != dumped(t, there) {
			t.Errorf("of %d records: %+v, the copy is another", records, report)
		}
		must(t, Served(ctx, there))
		wantError(t, Served(ctx, here), ErrMoved, "to there at 2")
		_, err = Copy(ctx, there, back, Options{From: "there", To: "back"})
		must(t, err)
		if dumped(t, here) != dumped(t, back) {
			t.Error("what came back is another")
		}
		must(t, Served(ctx, back))
	}
}

// TestRefusals never copies into a store that holds something else, nor from one that was moved.
func TestRefusals(t *testing.T) {
	t.Parallel()
	here, there := filled(t, 2), empty(t)
	_, err := Copy(ctx, here, filled(t, 1), places)
	wantError(t, err, ErrNotEmpty, `"games/1"`)
	must(t, Served(ctx, here))
	_, err = Copy(ctx, here, there, places)
	must(t, err)
	_, err = Copy(ctx, here, there, places)
	wantError(t, err, ErrMoved, "there")
	_, err = Copy(ctx, here, empty(t), places)
	wantError(t, err, ErrMoved, "there")
	must(t, Reopen(ctx, here))
	must(t, Served(ctx, here))
	_, err = Copy(ctx, here, there, places)
	wantError(t, err, ErrNotEmpty, `"games/1"`)
	rehearsed := empty(t)
	o := places
	o.Keep = true
	_, err = Copy(ctx, here, rehearsed, o)
	must(t, err)
	must(t, errors.Join(Served(ctx, here), Served(ctx, rehearsed)))
}

// breaking is a store that fails at some write.
type breaking struct {
	eventstore.Store
	left int
}

var errBroken = errors.New("killed")

func (b *breaking) Append(ctx context.Context, a eventstore.Append) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.Store.Append(ctx, a)
}

func (b *breaking) SetMeta(ctx context.Context, name string, meta []byte, expected uint64) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.Store.SetMeta(ctx, name, meta, expected)
}

// TestBrokenOff breaks a copy off at each of its writes, at the target and at the source. Afterwards one of the two can
// be served at most, and not a target that lacks something. The same copy goes on, and another one does not.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	var done bool
	for at := 0; !done; at++ {
		for _, side := range []string{"source", "target"} {
			here, there := filled(t, 2), empty(t)
			source, target := &breaking{here, 1000}, &breaking{there, 1000}
			if side == "source" {
				source.left = at
			} else {
				target.left = at
			}
			if _, err := Copy(ctx, source, target, places); err == nil {
				done = side == "target"
				continue
			} else if !errors.Is(err, errBroken) {
				t.Fatalf("%s %d: %v", side, at, err)
			}
			if list, _ := there.List(ctx, "", "", 0); len(list) > 0 {
				wantError(t, Served(ctx, there), ErrUnfinished, "from here, begun at 2")
				_, err := Copy(ctx, filled(t, 1), there, Options{From: "elsewhere", To: "there"})
				wantError(t, err, ErrUnfinished, "from here, begun at 2")
				wantError(t, Reopen(ctx, there), ErrUnfinished, "")
			}
			_, err := Copy(ctx, here, there, places)
			if err != nil || dumped(t, here) != dumped(t, there) || Served(ctx, there) != nil {
				t.Errorf("%s %d: gone on with: %v", side, at, err)
			}
			wantError(t, Served(ctx, here), ErrMoved, "")
		}
	}
}

// TestRestore restores a dump of a store that was moved, also after it was broken off: what was restored can be served.
func TestRestore(t *testing.T) {
	t.Parallel()
	here := filled(t, 2)
	_, err := Copy(ctx, here, empty(t), places)
	must(t, err)
	var file bytes.Buffer
	_, err = dump.Write(ctx, here, &file)
	must(t, err)
	there := empty(t)
	half := bytes.NewReader(file.Bytes()[:file.Len()/2])
	_, err = Restore(ctx, half, there, places)
	wantError(t, err, dump.ErrTruncated, "")
	wantError(t, Served(ctx, there), ErrUnfinished, "from here")
	_, err = Restore(ctx, bytes.NewReader(file.Bytes()), there, places)
	must(t, err)
	must(t, Served(ctx, there))
	if dumped(t, here) != dumped(t, there) {
		t.Error("what was restored is another")
	}
	_, err = Restore(ctx, bytes.NewReader(file.Bytes()), there, places)
	wantError(t, err, ErrNotEmpty, "games/1")
}

// TestDifferent does not call a copy complete whose content the caller refuses, or whose heads are others.
func TestDifferent(t *testing.T) {
	t.Parallel()
	there := empty(t)
	o := places
	faults := 0
	o.Verify = func(string, eventstore.Entry) error { return errBroken }
	o.Report = func(eventstore.Fault) { faults++ }
	here := filled(t, 1)
	_, err := Copy(ctx, here, there, o)
	wantError(t, err, ErrDifferent, "faults")
	wantError(t, Served(ctx, there), ErrUnfinished, "")
	if must(t, Served(ctx, here)); faults == 0 {
		t.Error("no fault was reported")
	}
	for name, change := range map[string]func(s *memory.Store) error{
		"another head": func(s *memory.Store) error {
			return s.SetMeta(ctx, "games/1", []byte("other"), eventstore.AnyMeta)
		},
		"in the place of": func(s *memory.Store) error {
			return s.Append(ctx, (&storetest.Chain{Stream: "zz"}).Next("", "x"))
		},
	} {
		other := filled(t, 1)
		must(t, change(other))
		wantError(t, compare(ctx, here, other), ErrDifferent, name)
		wantError(t, compare(ctx, other, here), ErrDifferent, name)
	}
	must(t, compare(ctx, here, filled(t, 1)))
}

// TestUnknownState serves no store whose state this program cannot read.
func TestUnknownState(t *testing.T) {
	t.Parallel()
	s := empty(t)
	must(t, set(ctx, s, state{kind: "odd", place: "x"}))
	var corrupt *eventstore.CorruptError
	if err := Served(ctx, s); !errors.As(err, &corrupt) {
		t.Errorf("served with %v", err)
	}
}

// TestHidden lists all streams but that of the state, on pages of any size.
func TestHidden(t *testing.T) {
	t.Parallel()
	s := filled(t, 1)
	must(t, set(ctx, s, state{kind: moved, place: "there"}))
	for limit := 1; limit < 5; limit++ {
		var names []string
		for after := ""; ; after = names[len(names)-1] {
			page, err := hidden{s}.List(ctx, "", after, limit)
			must(t, err)
			if len(page) == 0 {
				break
			}
			for _, info := range page {
				names = append(names, info.Name)
			}
		}
		if want := "games/1 operations/probe scenarios/1"; strings.Join(names, " ") != want {
			t.Errorf("pages of %d: %v, want %s", limit, names, want)
		}
	}
}
