package eventstore

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestErrorsNameTheObject reads each error as a person at a log would.
func TestErrorsNameTheObject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&ConflictError{"games/1", 3, 5}, `stream "games/1" is at version 5, expected 3`},
		{&MetaConflictError{"games/1", 3, 5}, `stream "games/1" has metadata of version 5, expected 3`},
		{&KeyUsedError{"games/1", "k", 7}, `stream "games/1" has key "k" already, at version 7`},
		{&LinkError{"games/1", 2, Hash{1}, Hash{2}},
			`stream "games/1" version 2: previous hash is 01000000..., expected 02000000...`},
		{&CorruptError{"games/1", 2, "torn"}, `event store is corrupt: stream "games/1" version 2: torn`},
		{&InvalidError{"key", "it is long"}, `invalid key: it is long`},
		{&FormatError{Path: "f", Found: 2, Known: 1},
			`event store f has format 2, and this program reads formats up to 1: use a newer program`},
		{&FormatError{Path: "f", Known: 1}, `f is not an event store`},
		{&FormatError{Path: "f", Known: 1, Cause: io.EOF}, `f is not an event store: EOF`},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%T says %q, want %q", tt.err, got, tt.want)
		}
	}
	if got, want := (Fault{FaultGap, "s", 2, "gone"}).String(), `stream "s" version 2: gap: gone`; got != want {
		t.Errorf("fault says %q, want %q", got, want)
	}
	if !errors.Is(&FormatError{Cause: io.EOF}, io.EOF) {
		t.Error("a FormatError hides its cause")
	}
}

// FuzzCheckName compares the rule with its plain statement.
func FuzzCheckName(f *testing.F) {
	for _, s := range []string{"", "games/1", "a\x00", "\xff", "\u0085", "é", strings.Repeat("n", MaxName),
		strings.Repeat("n", MaxName+1)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := len(s) > 0 && len(s) <= MaxName && utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
		if err := CheckName(s); (err == nil) != want {
			t.Errorf("name %q: %v, want valid %v", s, err, want)
		}
	})
}
