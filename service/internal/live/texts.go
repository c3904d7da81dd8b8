package live

import (
	"strings"
	"unicode"
)

// Sizes of the texts of a log, in characters.
const (
	MaxTitle  = 200
	MaxHolder = 80
	MaxReason = 500
)

// Shown is a text of the log as it is shown. Older servers took texts of files as they were, so a log may hold one that
// does not fit.
func Shown(text string, characters int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	n := 0
	for i := range text {
		if n++; n > characters {
			return strings.Clone(text[:i]) // the rest may be long
		}
	}
	return text
}
