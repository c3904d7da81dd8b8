package kit

import "unicode/utf8"

// clipped is how many bytes of a stranger's text are quoted, at most.
const clipped = 40

// Clip shortens text that is quoted back to its sender: to at most 40 bytes, without a broken character, because an
// error with a broken character cannot be sent.
func Clip(s string) string {
	if len(s) <= clipped {
		return s
	}
	end := clipped
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
