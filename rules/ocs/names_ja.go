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

// japanese are names and sentences of scenarios in Japanese, by their English. They stand apart from the documents:
// stored games hold those, so their bytes must not change.
var japanese = mustNames(japaneseTSV)

// mustNames reads a file of names: in each line the English, a tab, and the Japanese. Empty lines and those that begin
// with # are ignored. It panics on a fault.
func mustNames(tsv string) map[string]string {
	names := map[string]string{}
	for n, line := range strings.Split(tsv, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		en, ja, _ := strings.Cut(line, "\t")
		if en == "" || ja == "" || strings.Contains(ja, "\t") || names[en] != "" {
			panic(fmt.Sprintf("ocs: names: line %d: %q is not a new name with its Japanese", n+1, line))
		}
		names[en] = ja
	}
	return names
}

// words are a name or sentence of a document. Its own Japanese takes precedence over the file's.
func words(w *ocsv1.Words) rules.Words {
	return rules.Words{En: w.GetEn(), Ja: cmp.Or(w.GetJa(), japanese[w.GetEn()])}
}
