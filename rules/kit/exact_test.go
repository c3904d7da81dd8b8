package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

func TestLettersOfIDs(t *testing.T) {
	t.Parallel()
	for c := rune(0); c < 200; c++ {
		known := c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
		if foreign(c) == known {
			t.Errorf("%q is foreign: %t", c, !known)
		}
	}
}

// TestCoverToTheLast: rows may hold a single result, and the last one.
func TestCoverToTheLast(t *testing.T) {
	t.Parallel()
	l := &Loader{}
	at := Cover(l, "rows", []*downfallv1.KamikazeRow{{From: 1, To: 1}, {From: 2, To: 3}}, 3)
	if diff := cmp.Diff([]int{-1, 0, 1, 1}, at); diff != "" || len(l.Faults) > 0 {
		t.Errorf("faults %v, rows (-want +got)\n%s", l.Faults, diff)
	}
}

func TestNumbersAreDecimal(t *testing.T) {
	t.Parallel()
	n, v := &Notes{}, 123
	Int(n, &v, 0, 500)
	if string(n.Text) != " 123" {
		t.Errorf("123 is written as %q", n.Text)
	}
}

func TestGoing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words   []string
		refused bool
		want    bool
	}{{nil, false, false}, {[]string{"a"}, false, true}, {[]string{"a"}, true, false}, {nil, true, false}} {
		x := &Phrase{Words: c.words}
		if c.refused {
			x.Refusal = rules.Malformed("no")
		}
		if got := x.Going(); got != c.want {
			t.Errorf("words %q, refused %t: going on is %t", c.words, c.refused, got)
		}
	}
}

// TestLinesAreParted: also after a line of a single letter.
func TestLinesAreParted(t *testing.T) {
	t.Parallel()
	n := &Notes{}
	for _, word := range []string{"a", "b", "c"} {
		n.Line(word, word != "b")
	}
	if string(n.Text) != "a\nc" {
		t.Errorf("two lines are written as %q", n.Text)
	}
}

func TestNextTakesOneWord(t *testing.T) {
	t.Parallel()
	x := &Phrase{Words: []string{"a", "b", "c"}}
	for _, want := range []string{"a", "b", "c"} {
		if got := x.Next("a letter"); got != want {
			t.Errorf("took %q, want %q", got, want)
		}
	}
	if x.More() || x.Refusal != nil {
		t.Errorf("words %q are left, refused %v", x.Words, x.Refusal)
	}
}

// TestControlCharactersAnywhere: a text is refused for one at its beginning too.
func TestControlCharactersAnywhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\x01ab", "a\x01b", "ab\x01"} {
		l := &Loader{}
		if l.Words("w", &downfallv1.Words{En: text}, 9); len(l.Faults) != 1 {
			t.Errorf("%q: %v", text, l.Faults)
		}
	}
}

func TestHasArg(t *testing.T) {
	t.Parallel()
	text := rules.Say("key", "n", 3, "unit", "x")
	if !hasArg(&text, "n") || !hasArg(&text, "unit") || hasArg(&text, "m") {
		t.Errorf("of the values %v", text.Args)
	}
}

func TestCountOfEntries(t *testing.T) {
	t.Parallel()
	for n, want := range []bool{false, true, true, true, false} {
		l := &Loader{}
		if got := l.Count("n", n, 1, 3); got != want || (len(l.Faults) == 0) != want {
			t.Errorf("%d of 1 to 3 entries: %t, %v", n, got, l.Faults)
		}
	}
}
