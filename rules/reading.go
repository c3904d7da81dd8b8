package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Readings are how words in Chinese characters are read in Japanese, in hiragana. Japanese readers sort names by their
// readings, which no rule gives.
type Readings struct {
	words map[string]string
	// longest is the number of characters of the longest word.
	longest int
}

// MustReadings reads a file of readings: in each line a word, a tab, and its reading. It panics on a fault.
func MustReadings(tsv string) *Readings {
	r, err := ParseReadings(tsv)
	if err != nil {
		panic("rules: readings: " + err.Error())
	}
	return r
}

// ParseReadings reads a file of readings. Empty lines and those that begin with # are ignored.
func ParseReadings(tsv string) (*Readings, error) {
	r := &Readings{words: map[string]string{}}
	for n, line := range strings.Split(tsv, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		word, reading, _ := strings.Cut(line, "\t")
		switch {
		case !strings.ContainsFunc(word, isHan):
			return nil, fmt.Errorf("line %d: %q needs no reading", n+1, word)
		case reading == "" || strings.ContainsFunc(reading, notHiragana):
			return nil, fmt.Errorf("line %d: the reading of %q is not in hiragana: %q", n+1, word, reading)
		case r.words[word] != "":
			return nil, fmt.Errorf("line %d: %q is given twice", n+1, word)
		}
		r.words[word] = reading
		r.longest = max(r.longest, utf8.RuneCountInString(word))
	}
	return r, nil
}

func isHan(c rune) bool { return unicode.Is(unicode.Han, c) }

func notHiragana(c rune) bool { return !unicode.Is(unicode.Hiragana, c) && c != 'ー' }

// Of is the reading of a name: each word that the file has, the longest first, is replaced by its reading. What the
// file lacks stays as it is written. It is empty for a name without Chinese characters, which is read as it is written.
func (r *Readings) Of(name string) string {
	if r == nil || !strings.ContainsFunc(name, isHan) {
		return ""
	}
	var out strings.Builder
	for rest := name; rest != ""; {
		word, reading := r.first(rest)
		out.WriteString(reading)
		rest = rest[len(word):]
	}
	return out.String()
}

// first is the word that a text begins with, and its reading. A character that begins no word is its own reading.
func (r *Readings) first(text string) (word, reading string) {
	end, ends := 0, make([]int, 0, 16)
	for n := 0; n < r.longest && end < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
		ends = append(ends, end)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		if reading := r.words[text[:ends[i]]]; reading != "" {
			return text[:ends[i]], reading
		}
	}
	_, size := utf8.DecodeRuneInString(text)
	return text[:size], text[:size]
}

// ReadMap gives the places of a map their readings in a language. A ruleset calls it for a map that it draws, before
// the digest is taken.
func (r *Readings) ReadMap(m *boardv1.Map, lang Lang) {
	if lang != Japanese {
		return
	}
	for _, s := range m.Spaces {
		s.Reading = r.Of(s.Name)
	}
	for _, b := range m.Boxes {
		b.Reading = r.Of(b.Name)
	}
}
