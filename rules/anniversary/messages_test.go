package anniversary

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/kit"
)

// keyed finds the keys of messages in the sources: as strings, and with an @ where they are references.
var keyed = regexp.MustCompile(
	`"@?((?:seat|piece|clock|track|procedure|option|list|decide|do|cost|told|end|refuse|power|forecast|policy|assume|` +
		`modifier|layer|range)\.[a-z0-9_-]+|clock)"`,
)

// sources are the texts of the package's Go files, without tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
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
		all[name] = string(src)
	}
	return all
}

// sourceKeys are the keys that the sources name, and those that they make of ids.
func sourceKeys(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, src := range sources(t) {
		for _, m := range keyed.FindAllStringSubmatch(src, -1) {
			used[m[1]] = true
		}
	}
	for prefix, ids := range map[string][]string{
		"power.": scenario.PowerIDs[:], "phase.": phaseIDs[:], "stage.": stageIDs[:], "side.": sideIDs[:NoSide],
		"tech.": scenario.TechIDs[:],
		"unit.": append([]string{Hull.ID()}, scenario.UnitIDs[:]...), "units.": append([]string{Hull.ID()},
			scenario.UnitIDs[:]...),
	} {
		for _, id := range ids {
			used[prefix+id] = true
		}
	}
	for _, o := range optionList {
		used[o.Key] = true
	}
	for prefix, all := range map[string][]kit.Look{"mark.": markLooks, "number.": numberLooks, "map.": mapLooks} {
		for _, l := range all {
			used[prefix+l.Key] = true
		}
	}
	for _, key := range []string{"mobilization", "china-range"} {
		used["map."+key] = true
	}
	for a := AskResearch; a <= AskMobilize; a++ {
		used["decide."+questions[a].id] = true
	}
	for _, label := range labels(t) {
		used[label.Key] = true
	}
	for _, id := range combatIDs[combatBombing:] {
		used["do.end-"+id] = true
	}
	for _, id := range policyIDs {
		used["consent."+id] = true
	}
	sc := shippedScenario(t, "1941")
	for _, s := range samples { // which events are told by which messages, the samples say
		text := teller.Tell(sc, eventOf(t, s.event))
		for used[text.Key] = text.Key != ""; len(text.Args) > 0; text.Args = text.Args[1:] {
			if key, ok := strings.CutPrefix(text.Args[0].Value, "@told."); ok {
				used["told."+key] = true
			}
		}
	}
	for s := range Space(sc.Len()) {
		used["space."+sc.SpaceID(s)] = true
	}
	return used
}

// labels are those of commands of every kind, however much they say.
func labels(t *testing.T) []rules.Text {
	t.Helper()
	p := golden(t, goldenMove)
	var all []rules.Text
	for k := KindNone + 1; k < numKinds; k++ {
		bare, full := only(k), only(k)
		full.N, full.From, full.Via, full.To, full.Target, full.Power = 1, 1, 2, 3, 4, Italy
		full = full.with(line(Infantry, 2))
		all = append(all, p.Describe(0, bare).Label, p.Describe(0, full).Label)
		switch full.Via = NoSpace; k {
		case KindOrder, KindAnswer:
			full.Yes = true
		case KindShip:
			full.Power, full.Target = NoPower, NoSpace
		}
		all = append(all, p.Describe(0, full).Label)
	}
	return all
}

// Every kind of command, however much it says, fills all places of its label.
func TestLabelsGetTheirArguments(t *testing.T) {
	t.Parallel()
	for _, label := range labels(t) {
		for _, lang := range [...]rules.Lang{rules.English, rules.Japanese} {
			if text := catalogue.Format(lang, label); strings.ContainsAny(text, "{}[]@") {
				t.Errorf("%s: %q has a place that is not filled", label.Key, text)
			}
		}
	}
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

// Every place of a message gets its argument: the pairs that follow the key in the sources name all places. Refusals
// about a space name it by themselves.
func TestMessagesGetTheirArguments(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(
		`(?s)(p\.no|p\.refuseAt|rules\.Refuse|rules\.Say|d\.say)\((?:o, )?(?:"AA [^"]*", |"", |rule, )?` +
			`"([a-z]+\.[a-z0-9_-]+)"`,
	)
	place := regexp.MustCompile(`\{([a-z0-9]+)[|}]`)
	for name, src := range sources(t) {
		for _, at := range call.FindAllStringSubmatchIndex(src, -1) {
			verb, key, rest := src[at[2]:at[3]], src[at[4]:at[5]], src[at[5]:min(at[5]+600, len(src))]
			rest = rest[:closing(rest)]
			for _, m := range place.FindAllStringSubmatch(catalogue.Format(rules.English, rules.Say(key)), -1) {
				about := m[1] == "space" &&
					(verb == "p.refuseAt" || verb == "p.no" && !strings.HasPrefix(rest, ", NoSpace"))
				if !about && !strings.Contains(rest, `"`+m[1]+`"`) {
					t.Errorf("%s: %s has no argument %q", name, key, m[1])
				}
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

// The names of the catalogue are those of the data, so that texts and boards call things alike.
func TestNamesAreThoseOfTheData(t *testing.T) {
	t.Parallel()
	sc := shippedScenario(t, "1941")
	check := func(key string, want func(rules.Lang) string) {
		for _, lang := range [...]rules.Lang{rules.English, rules.Japanese} {
			if got := catalogue.Format(lang, rules.Text{Key: key}); got != want(lang) {
				t.Errorf("%s is %q, and %q in the data", key, got, want(lang))
			}
		}
	}
	for s := range Space(sc.Len()) {
		check("space."+sc.SpaceID(s), func(l rules.Lang) string { return sc.SpaceName(s, l) })
		if spaceName(sc, s) != "@space."+sc.SpaceID(s) {
			t.Errorf("%s is called %s", sc.SpaceID(s), spaceName(sc, s))
		}
	}
	for w := range Power(NumPowers) {
		check("power."+w.ID(), func(l rules.Lang) string { return kit.InLang(sc.Powers[w].Name, l) })
	}
	for u := range NumUnits {
		check("unit."+u.ID(), func(l rules.Lang) string { return kit.InLang(sc.Units[u].Name, l) })
		check("units."+u.ID(), func(l rules.Lang) string { return kit.InLang(sc.Units[u].Plural, l) })
	}
	for x := range NumTechs {
		check("tech."+x.ID(), func(l rules.Lang) string { return kit.InLang(sc.Techs[x].Name, l) })
	}
}
