package ocs

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Every name, title and sentence of the scenarios that come with the ruleset is in Japanese, and the file of Japanese
// names gives no scenario one that it does not use.
func TestScenariosInJapanese(t *testing.T) {
	t.Parallel()
	used := map[string]map[string]bool{"": {}}
	for _, d := range documents() {
		sc, found := shipped(t, d.ID), 0
		used[d.ID] = map[string]bool{}
		everyWords("", sc.Doc.ProtoReflect(), func(path string, w *ocsv1.Words) {
			used[d.ID][w.GetEn()], used[""][w.GetEn()] = true, true
			found++
			ja := sc.words(w).Ja
			if ja == "" {
				t.Errorf("%s: %s: %q has no Japanese", d.ID, path, w.GetEn())
			}
			has := numbers(ja)
			for _, n := range numbers(w.GetEn()) {
				if !slices.Contains(has, n) {
					t.Errorf("%s: %s: %q lacks the number %d of %q", d.ID, path, ja, n, w.GetEn())
				}
			}
		})
		if found == 0 {
			t.Errorf("%s has no words", d.ID)
		}
		for _, text := range []string{sc.ScenarioTitle(rules.Japanese), sc.ScenarioAbout(rules.Japanese)} {
			if !strings.ContainsFunc(text, func(c rune) bool { return c >= 'ぁ' && c <= '鿿' }) {
				t.Errorf("%s: %q is not Japanese", d.ID, text)
			}
		}
	}
	for id, names := range japanese { // order-free: each name by itself
		for en := range names { // order-free: each name by itself
			// Scenarios of one map share their names, so that a family is asked whether any of it has the name.
			family := func(other string) bool {
				_, shared := japanese[other][en]
				return shared && used[other][en]
			}
			if !used[id][en] && !slices.ContainsFunc(slices.Collect(maps.Keys(used)), family) {
				t.Errorf("%q of %q is in no scenario", en, id)
			}
		}
		if used[id] == nil {
			t.Errorf("%q is no scenario", id)
		}
	}
}

// Units of a side with different names have different names in Japanese too, and so have hexes.
func TestJapaneseNamesDiffer(t *testing.T) {
	t.Parallel()
	for _, d := range documents() {
		sc := shipped(t, d.ID)
		called := map[string]string{}
		differ := func(kind string, w rules.Words) {
			key := kind + w.Ja
			if before, ok := called[key]; ok && before != w.En {
				t.Errorf("%s: both %s and %s are %s", d.ID, before, w.En, w.Ja)
			}
			called[key] = w.En
		}
		for _, c := range sc.Counters {
			differ("unit of "+seatIDs[c.Seat]+" ", c.Name)
		}
		for _, h := range sc.Hexes {
			differ("hex ", h.Name)
		}
	}
}

// Japanese in a document takes precedence over the file. What neither has stays English.
func TestJapaneseOfADocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, en, ja, want string }{
		{"crimea-campaign", "Kerch", "", "ケルチ"},
		{"crimea-campaign", "Kerch", "パンティカパイオン", "パンティカパイオン"},
		{"crimea-campaign", "Atlantis", "", "Atlantis"},
		{"crimea-campaign", "", "", ""},
		{"of-my-own", "Kerch", "", "Kerch"},
		{"first-steps", "Kerch", "", "Kerch"},
		{"of-my-own", "Swamp", "", "沼沢地"},
	} {
		sc := &Scenario{Doc: &ocsv1.Scenario{Id: c.id}}
		if got := sc.words(&ocsv1.Words{En: c.en, Ja: c.ja}).In(rules.Japanese); got != c.want {
			t.Errorf("%q: %q, %q: %q, expected %q", c.id, c.en, c.ja, got, c.want)
		}
	}
}

// A player's own scenario may have a unit or a place of the same English name as a shipped one. It is another one, so
// that it keeps the name that its author gave. Words of the series, such as terrain, are those of all scenarios.
func TestScenariosOfOnesOwnKeepTheirNames(t *testing.T) {
	t.Parallel()
	doc := proto.CloneOf(shipped(t, "first-steps").Doc)
	doc.Id = "of-my-own"
	sc, faults := loadMessage(doc)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	kept, series := 0, 0
	for _, c := range sc.Counters {
		if japanese["first-steps"][c.Name.En] != "" {
			kept++
			if c.Name.Ja == japanese["first-steps"][c.Name.En] {
				t.Errorf("the unit %s is called %s", c.Name.En, c.Name.Ja)
			}
		}
	}
	for _, terrain := range sc.Terrains {
		if terrain.Name.Ja != "" {
			series++
		}
	}
	if kept == 0 || series == 0 {
		t.Errorf("%d units and %d terrains were looked at", kept, series)
	}
}

// Malformed and repeated lines panic.
func TestFaultyNames(t *testing.T) {
	t.Parallel()
	if names := mustNames("@ a b\nKerch\tケルチ\n@\nSwamp\t沼沢地"); names["b"]["Kerch"] != "ケルチ" ||
		names[""]["Swamp"] != "沼沢地" {
		t.Errorf("names are read as %v", names)
	}
	for _, tsv := range []string{"Kerch\tケルチ", "@\nKerch", "@\nKerch\t", "@\n\tケルチ", "@\nKerch\tケルチ\tケルチ",
		"@\nKerch\tケルチ\nKerch\tケルチ", "@a b\n@\nKerch\tケルチ\n@a\nKerch\tケルチ",
		"@ a b\n@ b\n@ a\nKerch\tケルチ\n@ c a\nKerch\tケルチ"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is read", tsv)
				}
			}()
			mustNames(tsv)
		}()
	}
}

// everyWords visits all words of a part of a document.
func everyWords(path string, m protoreflect.Message, visit func(path string, w *ocsv1.Words)) {
	if w, ok := m.Interface().(*ocsv1.Words); ok {
		visit(path, w)
		return
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := path + "." + string(f.Name())
		switch {
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				everyWords(at+"["+strconv.Itoa(i)+"]", v.List().Get(i).Message(), visit)
			}
		case !f.IsMap():
			everyWords(at, v.Message(), visit)
		}
		return true
	})
}

var digits = regexp.MustCompile(`\d+`)

// numbers are those that a text has in digits.
func numbers(text string) (list []int) {
	for _, s := range digits.FindAllString(text, -1) {
		if n, err := strconv.Atoi(s); err == nil {
			list = append(list, n)
		}
	}
	return list
}
