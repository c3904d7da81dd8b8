package live

import (
	"strings"
	"testing"
)

// TestTexts: texts of strangers stand in lists and tables beside those of others, and may not change these.
func TestTexts(t *testing.T) {
	t.Parallel()
	const tricks, marks, nothing = "control characters", "too many marks", "nothing to see"
	for text, want := range map[string]string{
		"":                                  "",
		"Kyushu, second try":                "",
		"九州上陸作戦・第２戦":                        "",
		"Việt Nam (Việt)":                   "",
		"שלום עולם":                         "",
		"\U0001F468\u200d\U0001F469 family": "",
		"ready\u202emoc.live":               tricks,
		"a\u2066b\u2069":                    tricks,
		"two\u2028lines":                    tricks,
		"\x1b[31mred":                       tricks,
		"hidden\U000e0068\U000e0069":        tricks,
		"Z" + strings.Repeat("\u0335", 190): marks,
		"   ":                               nothing,
		"\u200b\u200b":                      nothing,
		"\u3164":                            nothing,
	} {
		if got := Wrong(text); got == "" != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		shown := Shown(text, 200)
		if again := Wrong(shown); want != nothing && again != "" {
			t.Errorf("%q is shown as %q: %s", text, shown, again)
		}
		if want == "" && shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}
