package rulestest

import (
	"regexp"

	"github.com/warledger/warledger/rules"
)

// fixedPlural finds a number that is followed by a plural even if the number is 1: "{n} steps" or "{n} air markers".
var fixedPlural = regexp.MustCompile(`\{[a-z_]+\} (?:more |air |naval |victory )?` +
	`(?:(?:bombs|gliders|groups|hexes|IPCs|` +
	`markers|points|regiments|ships|spaces|steps|submarines|tanks|tokens|units)\b|hits(?: already|[,;.)]|$))`)

// fixedPlurals are the messages whose English ignores that a number can be 1.
func fixedPlurals(c *rules.Catalogue) (wrong []string) {
	for _, key := range c.Keys() {
		if text := c.Format(rules.English, rules.Text{Key: key}); fixedPlural.MatchString(text) {
			wrong = append(wrong, key+": "+text)
		}
	}
	return wrong
}
