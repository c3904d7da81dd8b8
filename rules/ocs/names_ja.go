package ocs

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

//go:embed names.ja.tsv
var japaneseTSV string

// japanese has the names and sentences of scenarios in Japanese, by the scenario's id (empty for all) and the English.
// They stand apart from the documents: stored games hold those, so their bytes must not change. They go by scenario,
// because in a player's own the same name may mean another unit.
var japanese = mustNames(japaneseTSV)

// mustNames reads a file of names: in each line the English, a tab, and the Japanese. A line of @ and ids of scenarios
// says whose names follow; without ids they are for all. Empty lines and those that begin with # are ignored. It
// panics on a fault.
func mustNames(tsv string) map[string]map[string]string {
	names := map[string]map[string]string{}
	var whose []string
	for n, line := range strings.Split(tsv, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if ids, ok := strings.CutPrefix(line, "@"); ok {
			if whose = strings.Fields(ids); len(whose) == 0 {
				whose = []string{""}
			}
			continue
		}
		en, ja, _ := strings.Cut(line, "\t")
		ok := en != "" && ja != "" && !strings.Contains(ja, "\t") && len(whose) > 0
		for _, id := range whose {
			if ok = ok && names[id][en]+names[""][en] == ""; !ok {
				break
			}
			if names[id] == nil {
				names[id] = map[string]string{}
			}
			names[id][en] = ja
		}
		if !ok {
			panic(fmt.Sprintf("ocs: names: line %d: %q is no new name of a scenario with its Japanese", n+1, line))
		}
	}
	return names
}

// words are a name or sentence of the scenario's document. Its own Japanese takes precedence over the file's.
func (s *Scenario) words(w *ocsv1.Words) rules.Words {
	en := w.GetEn()
	return rules.Words{En: en, Ja: cmp.Or(w.GetJa(), japanese[s.Doc.GetId()][en], japanese[""][en])}
}
