package rulestest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// Term is a word of a rulebook in its Japanese edition.
type Term struct {
	// En finds where the English of a message names it, whatever the case; empty if the English can't tell.
	En string
	// Ja is the word, or a pattern of the words, of the edition.
	Ja string
	// Times is how often the edition has the word, and shows why it is the one to use; 0 if nobody has counted.
	Times int
	// Not are words for the same that the edition does not have, or much less often.
	Not []string
}

// Terms checks that messages speak Japanese in the words of the rulebook: where the English names a term the Japanese
// has its word, and no message has a word in its place. It expects to find so many words at least.
func Terms(t *testing.T, c *rules.Catalogue, terms []Term, atLeast int) {
	t.Helper()
	wrong, found := misnamed(c, terms)
	for _, w := range wrong {
		t.Error(w)
	}
	if found < atLeast {
		t.Errorf("only %d terms are found", found)
	}
}

var anyPlace = regexp.MustCompile(`\{[^}]*\}`)

// misnamed are the messages that do not speak in the words of the rulebook.
func misnamed(c *rules.Catalogue, terms []Term) (wrong []string, found int) {
	patterns := make([][2]*regexp.Regexp, len(terms))
	for i, term := range terms {
		patterns[i][1] = regexp.MustCompile(term.Ja)
		if term.En != "" {
			patterns[i][0] = regexp.MustCompile(`(?i)` + term.En)
		}
	}
	for _, key := range c.Keys() {
		text := rules.Text{Key: key}
		en, ja := anyPlace.ReplaceAllString(c.Format(rules.English, text), ""), c.Format(rules.Japanese, text)
		for i, term := range terms {
			if named := patterns[i][0]; named != nil && named.MatchString(en) {
				if found++; !patterns[i][1].MatchString(ja) {
					wrong = append(wrong, key+": "+en+" names "+term.En+", and "+ja+" does not say "+term.Ja)
				}
			}
			for _, other := range term.Not {
				if strings.Contains(ja, other) {
					wrong = append(wrong, key+": "+ja+" says "+other+" instead of "+term.Ja)
				}
			}
		}
	}
	return wrong, found
}
