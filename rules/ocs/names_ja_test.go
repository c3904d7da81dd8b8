package ocs

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Every name, title and sentence of the scenarios that come with the ruleset is in Japanese, and the file of Japanese
// names has none that no scenario uses.
func TestScenariosInJapanese(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, d := range documents() {
		sc, found := shipped(t, d.ID), 0
		everyWords("", sc.Doc.ProtoReflect(), func(path string, w *ocsv1.Words) {
			used[w.GetEn()] = true
			found++
			ja := words(w).Ja
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
	for en := range japanese { // order-free: each name by itself
		if !used[en] {
			t.Errorf("no scenario has %q", en)
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
	for _, c := range []struct{ en, ja, want string }{
		{"Kerch", "", "ケルチ"},
		{"Kerch", "パンティカパイオン", "パンティカパイオン"},
		{"Atlantis", "", "Atlantis"},
		{"", "", ""},
	} {
		if got := words(&ocsv1.Words{En: c.en, Ja: c.ja}).In(rules.Japanese); got != c.want {
			t.Errorf("%q, %q: %q, expected %q", c.en, c.ja, got, c.want)
		}
	}
}

// Malformed and repeated lines panic.
func TestFaultyNames(t *testing.T) {
	t.Parallel()
	for _, tsv := range []string{"Kerch", "Kerch\t", "\tケルチ", "Kerch\tケルチ\tケルチ", "Kerch\tケルチ\nKerch\tケルチ"} {
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
