package kit

import "unicode/utf8"

// clipped is how many bytes of what a stranger sent are said back, at most.
const clipped = 40

// Clip shortens what is said back to whoever sent it: at most 40 bytes, and no part of a letter, since a refusal with
// half a letter cannot be sent.
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
