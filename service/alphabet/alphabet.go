// Package alphabet orders names as the readers of a language do: by the Unicode collation of the language, with numbers
// by their value. Japanese names stand in the order of their readings.
package alphabet

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Name is a name with its reading, which is empty if the name is read as it is written.
type Name struct{ Text, Reading string }

// Ranks gives the place of each name among all of them, from 0. Names that are alike keep their order. It makes the
// keys of all names, about 30 µs each: keep the answer for names that stay.
func Ranks(lang string, names []Name) []int {
	tag, err := language.Parse(lang)
	if err != nil {
		tag = language.English
	}
	collator, buffer := collate.New(tag, collate.Numeric), new(collate.Buffer)
	type keyed struct {
		at     int
		spoken []byte
		read   []byte // decides where the lengthening mark stands for a vowel
		text   string // hiragana comes before katakana
	}
	list := make([]keyed, len(names))
	for i, n := range names {
		read := strings.Map(hiragana, cmp.Or(n.Reading, n.Text))
		list[i] = keyed{at: i, spoken: collator.KeyFromString(buffer, spoken(read)),
			read: collator.KeyFromString(buffer, read), text: n.Text}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		return cmp.Or(bytes.Compare(a.spoken, b.spoken), bytes.Compare(a.read, b.read), cmp.Compare(a.text, b.text))
	})
	ranks := make([]int, len(names))
	for rank, k := range list {
		ranks[k.at] = rank
	}
	return ranks
}

// Sort puts a list into the order of its names.
func Sort[T any](lang string, list []T, name func(T) Name) {
	names := make([]Name, len(list))
	for i, x := range list {
		names[i] = name(x)
	}
	before := slices.Clone(list)
	for i, rank := range Ranks(lang, names) {
		list[rank] = before[i]
	}
}

// vowels are the hiragana by the vowel that they end with.
var vowels = [...]struct {
	vowel    rune
	hiragana string
}{
	{'あ', "ぁあかがさざただなはばぱまゃやらゎわゕ"},
	{'い', "ぃいきぎしじちぢにひびぴみりゐ"},
	{'う', "ぅうくぐすずっつづぬふぶぷむゅゆるゔ"},
	{'え', "ぇえけげせぜてでねへべぺめれゑゖ"},
	{'お', "ぉおこごそぞとどのほぼぽもょよろを"},
}

// hiragana is a katakana as hiragana; other characters stay.
func hiragana(c rune) rune {
	if c >= 'ァ' && c <= 'ヶ' {
		return c - 'ァ' + 'ぁ'
	}
	return c
}

// spoken is a reading with a vowel in place of each mark that lengthens one, since readers sort かー as かあ.
func spoken(reading string) string {
	var last rune
	return strings.Map(func(c rune) rune {
		if c == 'ー' {
			for _, v := range vowels {
				if strings.ContainsRune(v.hiragana, last) {
					c = v.vowel
				}
			}
		}
		last = c
		return c
	}, reading)
}
