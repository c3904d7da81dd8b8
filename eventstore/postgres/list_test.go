package postgres

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	"github.com/warledger/warledger/eventstore/storetest"
	"pgregory.net/rapid"
)

// TestBounds compares the bounds, which are text, with the order of bytes.
func TestBounds(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("a\u0001é\ud7ff\ue000\U0010ffff")), 0, 4, -1)
	rapid.Check(t, func(r *rapid.T) {
		name, prefix, after := text.Draw(r, "name"), text.Draw(r, "prefix"), text.Draw(r, "after")
		b := between(prefix, after)
		want := strings.HasPrefix(name, prefix) && name > after && name != ""
		if got := name >= b.from && name != b.after && name < b.to; got != want && name != "" {
			r.Errorf("%q with the prefix %q after %q: %t by %+q", name, prefix, after, got, b)
		}
		if b.exactPrefix != nil || b.exactAfter != nil {
			r.Errorf("the bytes of %q and %q are compared", prefix, after)
		}
	})
	if len(beyond) <= eventstore.MaxName {
		t.Errorf("the last text has %d bytes, and names may have %d", len(beyond), eventstore.MaxName)
	}
}

// TestListsByBytes wants lists with any bytes for bounds to be those of an engine that compares bytes.
func TestListsByBytes(t *testing.T) {
	t.Parallel()
	s, _, _ := fresh(t, Options{})
	model := memory.New()
	defer model.Close()
	for _, name := range []string{"a", "aé", "aê", "é", "é\ue000", "é\ud7ff", "z", "\U0010ffff", "a\U0010ffff"} {
		for _, to := range []eventstore.Store{s, model} {
			mustAppend(t, to, (&storetest.Chain{Stream: name}).Next("", "x"))
		}
	}
	names := func(from eventstore.Store, prefix, after string) (all []string) {
		list, err := from.List(ctx, prefix, after, 3)
		if err != nil {
			t.Fatalf("list of %q after %q: %v", prefix, after, err)
		}
		for _, info := range list {
			all = append(all, info.Name)
		}
		return all
	}
	bounds := []string{
		"", "a", "a\xc3", "\xc3", "\xc3\xa9", "é\xee", "\xff", "\xf4\x8f", "a\x00", "\x00", "z", "é\xed\x9f",
		"\U0010ffff",
		"a\xff",
	}
	for _, prefix := range bounds {
		for _, after := range slices.Concat(bounds, []string{"aé", "aê\x00"}) {
			if diff := cmp.Diff(names(model, prefix, after), names(s, prefix, after)); diff != "" {
				t.Errorf("list of %q after %q (-memory +postgres):\n%s", prefix, after, diff)
			}
		}
		want, _ := model.Count(ctx, prefix)
		if got, err := s.Count(ctx, prefix); got != want || err != nil {
			t.Errorf("count of %q = %d, %v, want %d", prefix, got, err, want)
		}
	}
}

// TestPayloads wants every name told, in notifications that PostgreSQL takes, and a handle's own left unheard.
func TestPayloads(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 300 {
		names = append(names, strings.Repeat("n", i%eventstore.MaxName+1))
	}
	var heard []string
	for _, payload := range payloads("handle", names) {
		if len(payload) >= 8000 { // what PostgreSQL refuses
			t.Errorf("a payload of %d bytes", len(payload))
		}
		handle, rest, _ := strings.Cut(payload, "\n")
		if handle != "handle" {
			t.Errorf("it is from %q", handle)
		}
		heard = append(heard, strings.Split(rest, "\n")...)
	}
	if diff := cmp.Diff(names, heard); diff != "" {
		t.Errorf("told (-names +heard):\n%s", diff)
	}
	half := strings.Repeat("n", 3996)
	for last, want := range map[string]int{half[1:]: 1, half: 2} { // 7999 bytes with the handle and line ends, and 8000
		if got := payloads("handle", []string{half, last}); len(got) != want {
			t.Errorf("%d bytes in %d payloads, want %d", len("handle\n\n"+half+last), len(got), want)
		}
	}
}
