package rulestest

import (
	"regexp"
	"sync"
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

var patterns sync.Map

// matching is a pattern, made once.
func matching(pattern string) *regexp.Regexp {
	if re, ok := patterns.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(pattern)
	patterns.Store(pattern, re)
	return re
}

// misnamed are the messages that do not speak in the words of the rulebook.
func misnamed(c *rules.Catalogue, terms []Term) (wrong []string, found int) {
	for _, key := range c.Keys() {
		text := rules.Text{Key: key}
		en, ja := anyPlace.ReplaceAllString(c.Format(rules.English, text), ""), c.Format(rules.Japanese, text)
		for _, term := range terms {
			if term.En != "" && matching(`(?i)`+term.En).MatchString(en) {
				if found++; !matching(term.Ja).MatchString(ja) {
					wrong = append(wrong, key+": "+en+" names "+term.En+", and "+ja+" does not say "+term.Ja)
				}
			}
		}
		for _, what := range unnamed(terms, ja) {
			wrong = append(wrong, key+": "+ja+" "+what)
		}
	}
	return wrong, found
}
