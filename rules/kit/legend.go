package kit

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// Look is how something is shown on a map or a counter.
type Look struct {
	// Key of it.
	Key string
	// Color, and a Glyph that a counter or a hex of text has room for; empty if it has none.
	Color, Glyph string
}

// Looks reads a list of looks, one a line: the key; the key and a glyph; or the key, a colour and a glyph.
func Looks(lines string) []Look {
	var all []Look
	for line := range strings.Lines(lines) {
		switch f := strings.Fields(line); len(f) {
		case 1:
			all = append(all, Look{Key: f[0]})
		case 2:
			all = append(all, Look{Key: f[0], Glyph: f[1]})
		case 3:
			all = append(all, Look{f[0], f[1], f[2]})
		}
	}
	return all
}

// Legend explains looks in a language. The catalogue has their words by what they are, such as mark, a point and their
// keys; shapes are silhouettes by key.
func Legend(
	c *rules.Catalogue, lang rules.Lang, of string, looks []Look, shapes map[string]string,
) []*boardv1.Legend {
	all := make([]*boardv1.Legend, len(looks))
	for i, l := range looks {
		all[i] = &boardv1.Legend{Key: l.Key, Name: c.Format(lang, rules.Say(of+"."+l.Key)), Color: l.Color,
			Glyph: l.Glyph, Shape: shapes[l.Key]}
	}
	return all
}
