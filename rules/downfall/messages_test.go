package downfall

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// keyed finds the keys of messages in the sources: as strings, and with an @ where they are references.
var keyed = regexp.MustCompile(
	`"@?((?:seat|supply|phase|stage|support|piece|clock|track|award|procedure|option|decide|do|cost|told|end|refuse|` +
		`forecast|policy|assume|modifier|standing|layer|range)(?:\.[a-z0-9_-]+)?)"`,
)

// sourceKeys are the keys that the sources name, and those that they make of ids.
func sourceKeys(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range keyed.FindAllStringSubmatch(string(src), -1) {
			if strings.Contains(m[1], ".") || m[1] == "clock" {
				used[m[1]] = true
			}
		}
	}
	for prefix, ids := range map[string][]string{"seat.": seatIDs[:], "phase.": phaseIDs[:], "supply.": supplyIDs,
		"stage.": stageIDs} {
		for _, id := range ids {
			used[prefix+id] = true
		}
	}
	sc := olympic(t)
	for _, s := range samples { // which events are told by which messages, the samples say
		text := teller.Tell(sc, eventOf(t, s.event))
		for used[text.Key] = text.Key != ""; len(text.Args) > 0; text.Args = text.Args[1:] {
			if key, ok := strings.CutPrefix(text.Args[0].Value, "@told."); ok {
				used["told."+key] = true
			}
		}
	}
	for _, o := range optionList {
		used[o.Key] = true
	}
	for prefix, all := range map[string][]kit.Look{"kind.": kindLooks, "mark.": markLooks, "number.": numberLooks,
		"map.": mapLooks} {
		for _, l := range all {
			used[prefix+l.Key] = true
		}
	}
	for _, b := range mapBoxes {
		used["map."+b.id] = true
	}
	for _, key := range []string{"south-of-line", "setup-36", "entry-56"} {
		used["map."+key] = true
	}
	for a := AskPlace36; a <= AskExcess; a++ {
		if a != AskBreak { // decide.retreat or decide.abort
			used["decide."+questions[a].id] = true
		}
	}
	for _, p := range policies {
		used[p.Key] = true
		for _, v := range p.Values {
			used[v.Key] = true
		}
	}
	for order, o := range standings[1:] {
		id := standingWords[order+1]
		used["standing."+id] = id != standingWords[orderAll]
		for _, choice := range o.choices[2:] {
			used["standing."+id+"-"+choice] = true
		}
	}
	used["standing.forced-ask"], used["standing.all-ask"] = true, true
	for _, k := range kinds.List() {
		used["do."+k.ID] = k.ID != kinds[KindOrders].ID // orders have a message for each thing that they may say
	}
	return used
}

// Every message that the sources name is in the catalogue, and nothing else is.
func TestMessagesAreThoseOfTheSources(t *testing.T) {
	t.Parallel()
	used := sourceKeys(t)
	var missing, unused []string
	for key, is := range used {
		if is && !catalogue.Has(key) {
			missing = append(missing, key)
		}
	}
	for _, key := range catalogue.Keys() {
		if !used[key] {
			unused = append(unused, key)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("not in messages.tsv: %v", missing)
	}
	if len(unused) > 0 {
		t.Errorf("in messages.tsv, and nobody uses them: %v", unused)
	}
}

// Every place of a message that is told or refused gets its argument: the pairs that follow the key in the
// sources name all places.
func TestMessagesGetTheirArguments(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(
		`(?s)(?:rules\.Say|p\.refuse|d\.say|rules\.Refuse)\((?:"[A-Z0-9][^"]*", |rule, |"", |p\.[a-zA-Z]+\(u\), )?` +
			`"([a-z]+\.[a-z0-9_-]+)"(.*?)\)\n?`,
	)
	place := regexp.MustCompile(`\{([a-z]+)[|}]`)
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range call.FindAllStringSubmatchIndex(string(src), -1) {
			key := string(src[at[2]:at[3]])
			rest := string(src[at[4]:min(at[4]+600, len(src))])
			rest = rest[:closing(rest)]
			for _, m := range place.FindAllStringSubmatch(catalogue.Format(rules.English, rules.Say(key)), -1) {
				if !strings.Contains(rest, `"`+m[1]+`"`) {
					t.Errorf("%s: %s has no argument %q", name, key, m[1])
				}
			}
		}
	}
}

// Every kind of command, however much it says, fills all places of its label.
func TestLabelsGetTheirArguments(t *testing.T) {
	t.Parallel()
	p := golden(t)
	for k := KindPlace; k < numKinds; k++ {
		full := Command{Kind: k, Other: 1, From: 1, Units: 3, Count: 1, Detail: 1}
		for _, c := range []Command{only(k), full} {
			label := p.Describe(US, c).Label
			if text := catalogue.Format(rules.English, label); strings.ContainsAny(text, "{}[]") {
				t.Errorf("%s: %q has a place that is not filled", label.Key, text)
			}
		}
	}
}

// closing is where the parenthesis closes that was open before the text.
func closing(s string) int {
	open := 1
	for i, c := range s {
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		}
	}
	return len(s)
}
