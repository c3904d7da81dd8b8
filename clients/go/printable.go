package warledger

import (
	"strings"
	"unicode"
)

// mostMarks is how many marks one character may bear. More of them cover the lines around it.
const mostMarks = 6

// Printable returns a text without control characters other than line breaks and tabs, and without those that turn the
// direction of a line. Use it on everything from a server or a file that goes to a terminal: titles and names come from
// strangers, and escape sequences in them could take the terminal over.
func Printable(text string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || marks > mostMarks {
			return -1
		}
		return r
	}, text)
}
