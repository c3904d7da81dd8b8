package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/warledger/warledger/languages"
)

// wording is what a paragraph says in one language.
type wording struct{ title, summary, text string }

// In returns a paragraph of the book in a language. What is not translated stays English. Id and kind do not change.
func (b *Rulebook) In(lang Lang, p Paragraph) Paragraph {
	switch lang {
	case English:
	case Japanese:
		if i, ok := b.byID[p.ID]; ok && i < len(b.japanese) {
			w := b.japanese[i]
			p.Title, p.Summary, p.Text = w.title, w.summary, or(w.text, p.Text)
		}
	default:
		if l := languages.Find(string(lang)); l != nil {
			p.Title, p.Summary, p.Text = told(l, p.Title), told(l, p.Summary), told(l, p.Text)
		}
	}
	return p
}

// told is a text in a language that has a file; the English if the file lacks it.
func told(l *languages.Language, english string) string {
	text, ok := l.Text(english, "")
	if !ok {
		return english
	}
	return text
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// AddJapanese gives every paragraph its Japanese: tsv has lines of id, title and summary, and texts has the full texts
// in the form of [Rulebook.AddTexts]. Both must have the paragraphs of the English, in the same order. Otherwise it
// returns an error, and the book stays English.
func (b *Rulebook) AddJapanese(tsv, texts string) error {
	lines := strings.Split(strings.TrimRight(tsv, "\n"), "\n")
	if len(lines) != len(b.Paragraphs) {
		return fmt.Errorf("japanese rulebook: %d lines, expected %d, as in English", len(lines), len(b.Paragraphs))
	}
	words := make([]wording, len(lines))
	for i, line := range lines {
		cols := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(cols) != 3 || cols[0] != b.Paragraphs[i].ID || cols[1] == "" || cols[2] == "" {
			return fmt.Errorf("japanese rulebook line %d: expected the id %s, a title and a summary, none empty",
				i+1, b.Paragraphs[i].ID)
		}
		words[i] = wording{title: cols[1], summary: cols[2]}
	}
	at := 0
	for id, body := range eachText(texts) {
		for at < len(words) && b.Paragraphs[at].Text == "" {
			at++
		}
		if at == len(words) || id != b.Paragraphs[at].ID || body == "" {
			return fmt.Errorf("japanese rulebook text: %q is empty, or not where the English has it", id)
		}
		words[at].text = unwrapped(body)
		at++
	}
	for ; at < len(words); at++ {
		if b.Paragraphs[at].Text != "" {
			return fmt.Errorf("japanese rulebook text: %s is missing", b.Paragraphs[at].ID)
		}
	}
	b.japanese = words
	return nil
}

// unwrapped joins lines that were wrapped. Japanese has no spaces between words, so a line break in a sentence would
// show as a space that does not belong there. Each line of a list or table stays a line.
func unwrapped(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		bare := strings.TrimLeft(line, " ")
		before := b.String()
		switch {
		case i == 0:
		case bare == "", strings.HasSuffix(before, "\n"), begins(bare):
			b.WriteByte('\n')
		case before[len(before)-1] < utf8.RuneSelf && bare[0] < utf8.RuneSelf: // two words in Latin letters
			b.WriteByte(' ')
		}
		if i == 0 || begins(bare) {
			bare = line
		}
		b.WriteString(bare)
	}
	return b.String()
}

// begins reports whether a line begins a row of a table or an entry of a list.
func begins(line string) bool {
	digits := strings.TrimLeft(line, "0123456789")
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|") ||
		digits != line && strings.HasPrefix(digits, ". ")
}

// MustJapanese is [Rulebook.AddJapanese] for embedded files, and returns the book. It panics on an error.
func (b *Rulebook) MustJapanese(tsv, texts string) *Rulebook {
	if err := b.AddJapanese(tsv, texts); err != nil {
		panic(err)
	}
	return b
}

// HasJapanese reports whether the book has its Japanese.
func (b *Rulebook) HasJapanese() bool { return b.japanese != nil }
