package live

import (
	"slices"
	"strings"
	"unicode"
)

// Sizes of the texts of a log, in characters.
const (
	MaxTitle  = 200
	MaxHolder = 80
	MaxReason = 500
)

// mostMarks is how many marks one character may bear. More of them cover the lines around it.
const mostMarks = 6

// tags are characters that are never drawn and can spell out a text of their own.
var tags = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe007f, Stride: 1}}}

// blanks are characters that count as letters or symbols and draw nothing.
var blanks = []rune{0x115f, 0x1160, 0x2800, 0x3164, 0xffa0}

// Trick reports whether a character changes how what stands around it is shown: it takes over a terminal, turns the
// direction of a line, ends it, or hides a text.
func Trick(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp, tags)
}

// Wrong says what is wrong with a text that people are to read; it is empty for a good one.
func Wrong(text string) string {
	marks, visible := 0, text == ""
	for _, r := range text {
		if Trick(r) {
			return "control characters are not allowed, nor such as change direction or line"
		}
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > mostMarks {
			return "a character bears too many marks"
		}
		visible = visible || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) &&
			!slices.Contains(blanks, r)
	}
	if !visible {
		return "there is nothing to see"
	}
	return ""
}

// Shown is a text of the log as it is shown. Older servers took texts of files as they were, so a log may hold one that
// does not fit.
func Shown(text string, characters int) string {
	marks := 0
	text = strings.Map(func(r rune) rune {
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if Trick(r) || marks > mostMarks {
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
