package warledger

import (
	"strings"
	"unicode"
)

// Printable returns a text without control characters other than line breaks and tabs. Use it on everything from a
// server or a file that goes to a terminal: titles and names come from strangers, and escape sequences in them could
// take the terminal over.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
