package kit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"short", "us-1-mar", "us-1-mar"},
		{"as long as may be", strings.Repeat("a", 40), strings.Repeat("a", 40)},
		{"a letter too long", strings.Repeat("a", 41), strings.Repeat("a", 40)},
		{"letters of three bytes", strings.Repeat("軍", 14), strings.Repeat("軍", 13)},
		{"ends with a letter of two bytes", strings.Repeat("a", 38) + "éé", strings.Repeat("a", 38) + "é"},
		{"no text at all", strings.Repeat("\x80", 50), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Clip(test.in); got != test.want {
				t.Errorf("%q, expected %q", got, test.want)
			}
		})
	}
}

// A clipped text is valid and the beginning of the original.
func TestClipKeepsText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, 80, -1).Draw(t, "text")
		if got := Clip(s); !utf8.ValidString(got) || !strings.HasPrefix(s, got) || len(got) > 40 ||
			len(s) > 43 && len(got) < 37 {
			t.Fatalf("%q of %q", got, s)
		}
	})
}
