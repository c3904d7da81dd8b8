package kit

import (
	"fmt"
	"strconv"
	"strings"
)

// Notes are the lines of a position's notation, while they are written or read. The same calls write a line and read
// it, so a ruleset states once what a line holds. A line is words with a space between; its first word names its
// subject.
type Notes struct {
	// Reading is true while lines are read, false while they are written.
	Reading bool
	// Text that is written.
	Text []byte
	// Words of the line that are not read yet.
	Words []string
	// Err is the fault of the first thing that cannot be read.
	Err error

	taken bool // the current line has found its reader
}

// Line begins a line and reports whether there is one. In writing that is so if the line holds anything; in reading,
// if the current line has that name.
func (n *Notes) Line(word string, holds bool) bool {
	if n.Reading {
		found := !n.taken && n.Has(word)
		n.taken = n.taken || found
		return found
	}
	if holds {
		if len(n.Text) > 0 {
			n.Text = append(n.Text, '\n')
		}
		n.Text = append(n.Text, word...)
	}
	return holds
}

// Lines reads a text line by line. The reader of a line must take all of its words.
func (n *Notes) Lines(text string, read func()) error {
	n.Reading = true
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		n.Words, n.taken = strings.Split(line, " "), false
		if read(); n.Err == nil && len(n.Words) > 0 {
			n.Fail("%.40q is left over", n.Words[0])
		}
		if n.Err != nil {
			return fmt.Errorf("line %d: %w", i+1, n.Err)
		}
	}
	return nil
}

// Taken reports whether the current line has found its reader.
func (n *Notes) Taken() bool { return n.taken }

// Fail keeps an error if it is the first.
func (n *Notes) Fail(format string, args ...any) {
	if n.Err == nil {
		n.Err = fmt.Errorf(format, args...)
	}
}

// Going reports whether there are words left and nothing is wrong yet.
func (n *Notes) Going() bool { return len(n.Words) > 0 && n.Err == nil }

// Next takes a word; empty after the last.
func (n *Notes) Next() string {
	if len(n.Words) == 0 {
		return ""
	}
	w := n.Words[0]
	n.Words = n.Words[1:]
	return w
}

// Has takes a word if it is the one given.
func (n *Notes) Has(word string) bool {
	if len(n.Words) == 0 || n.Words[0] != word {
		return false
	}
	n.Words = n.Words[1:]
	return true
}

// Word writes words.
func (n *Notes) Word(words ...string) {
	for _, w := range words {
		n.Text = append(append(n.Text, ' '), w...)
	}
}

// Option is a word that is present if something holds; it reports whether that is so.
func (n *Notes) Option(word string, holds bool) bool {
	if n.Reading {
		return n.Has(word)
	}
	if holds {
		n.Word(word)
	}
	return holds
}

// Flag is a word that is present if something holds.
func (n *Notes) Flag(word string, v *bool) {
	if said := n.Option(word, *v); n.Reading {
		*v = said
	}
}

// integer is what numbers and names are kept in.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32
}

// Int is a number within bounds.
func Int[T integer](n *Notes, v *T, lo, hi int) {
	if !n.Reading {
		n.Text = strconv.AppendInt(append(n.Text, ' '), int64(*v), 10)
		return
	}
	*v = T(n.Number(n.Next(), lo, hi))
}

// Number reads a number within bounds.
func (n *Notes) Number(word string, lo, hi int) int {
	i, err := strconv.Atoi(word)
	if err != nil || i < lo || i > hi {
		n.Fail("expected a number from %d to %d, not %.40q", lo, hi, word)
		return max(lo, 0)
	}
	return i
}

// Named is a number after its name.
func Named[T integer](n *Notes, name string, v *T, lo, hi int) {
	if n.Option(name, true) {
		Int(n, v, lo, hi)
	}
}

// Count is a number after its name; the default value is left out.
func Count[T integer](n *Notes, name string, v *T, lo, hi, unsaid int) {
	switch {
	case n.Option(name, int(*v) != unsaid):
		Int(n, v, lo, hi)
	case n.Reading:
		*v = T(unsaid)
	}
}

// Name is one of a list of names, kept as its index.
func Name[T integer](n *Notes, v *T, names []string) {
	if n.Reading {
		*v = T(n.Index(n.Next(), names))
	} else {
		n.Word(names[*v])
	}
}

// Index reads one of a list of names.
func (n *Notes) Index(word string, names []string) int {
	for i, name := range names {
		if name == word {
			return i
		}
	}
	n.Fail("expected one of %s, not %.40q", strings.Join(names, ", "), word)
	return 0
}

// Difference returns the first line in which a text differs from the expected one, cut to a number of characters.
func Difference(want, got string, letters int) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("expected line %d to be %.*q", i+1, letters, a[i])
		}
	}
	return fmt.Sprintf("expected %d lines, not %d", len(a), len(b))
}
