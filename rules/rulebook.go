package rules

import (
	"fmt"
	"iter"
	"strings"
)

// ParagraphKind says what a paragraph of a rulebook asks of a program.
type ParagraphKind string

// Kinds of paragraph.
const (
	// Enforced: the engine does it or refuses its breach.
	Enforced ParagraphKind = "enforced"
	// Choice: a seat decides it.
	Choice ParagraphKind = "choice"
	// SetupRule: it says how a game begins.
	SetupRule ParagraphKind = "setup"
	// Table: it is a table of values.
	Table ParagraphKind = "table"
	// Optional: it holds only in games with an option.
	Optional ParagraphKind = "optional"
	// Informational: it asks nothing.
	Informational ParagraphKind = "informational"
)

// Paragraph is one numbered part of a rulebook, in our own words and in English. [Rulebook.In] returns it in other
// languages.
type Paragraph struct {
	// ID is the rule id: "DF 13.10-4".
	ID string
	// Title in a few words.
	Title string
	// Kind of paragraph.
	Kind ParagraphKind
	// Summary in a sentence.
	Summary string
	// Text is the whole of it, in paragraphs; may be empty.
	Text string
	// Waits says why nothing can ask for it yet, "needs air units"; empty if it holds. A test that proves
	// it would be too early.
	Waits string
}

// Rulebook is the index of a rulebook's paragraphs, in its order.
type Rulebook struct {
	// Paragraphs in the order of the book.
	Paragraphs []Paragraph
	byID       map[string]int
	japanese   []wording // of each paragraph; nil if the book has none
}

// ParseRulebook reads rulebook.tsv: id, title, kind, summary. It reports wrong columns, empty ones, unknown
// kinds and ids given twice.
func ParseRulebook(tsv string) (*Rulebook, error) {
	b := &Rulebook{byID: make(map[string]int)}
	for n, line := range strings.Split(strings.TrimRight(tsv, "\n"), "\n") {
		cols := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(cols) != 4 || cols[0] == "" || cols[1] == "" || cols[3] == "" {
			return nil,
				fmt.Errorf("rulebook line %d: %d columns, expected id, title, kind, summary, none empty",
					n+1, len(cols))
		}
		p := Paragraph{ID: cols[0], Title: cols[1], Kind: ParagraphKind(cols[2]), Summary: cols[3]}
		switch p.Kind {
		case Enforced, Choice, SetupRule, Table, Optional, Informational:
		default:
			return nil, fmt.Errorf("rulebook line %d: %s has the unknown kind %q", n+1, p.ID, p.Kind)
		}
		if _, twice := b.byID[p.ID]; twice {
			return nil, fmt.Errorf("rulebook line %d: %s is given twice", n+1, p.ID)
		}
		b.byID[p.ID] = len(b.Paragraphs)
		b.Paragraphs = append(b.Paragraphs, p)
	}
	return b, nil
}

// MustRulebook is ParseRulebook for an embedded index, with [Rulebook.AddTexts] for documents of its texts. It panics
// on an error.
func MustRulebook(tsv string, texts ...string) *Rulebook {
	b, err := ParseRulebook(tsv)
	for i := 0; err == nil && i < len(texts); i++ {
		err = b.AddTexts(texts[i])
	}
	if err != nil {
		panic(err)
	}
	return b
}

// AddTexts gives paragraphs their full text from a document in which each begins with a line "### ID". Ids that the
// index does not have are reported.
func (b *Rulebook) AddTexts(doc string) error {
	for id, body := range eachText(doc) {
		i, ok := b.byID[id]
		if !ok {
			return fmt.Errorf("rulebook text: %q is not in the index", id)
		}
		b.Paragraphs[i].Text = body
	}
	return nil
}

// eachText goes through a document in which each text begins with a line "### ID", which may go on with a dash and the
// title.
func eachText(doc string) iter.Seq2[string, string] {
	return func(yield func(id, body string) bool) {
		for _, part := range strings.Split("\n"+doc, "\n### ")[1:] {
			head, body, _ := strings.Cut(part, "\n")
			id, _, _ := strings.Cut(head, " — ")
			if !yield(strings.TrimSpace(id), strings.TrimSpace(body)) {
				return
			}
		}
	}
}

// AddWaiting marks paragraphs that wait for a part of the game that is not there yet, from lines of id and reason. It
// reports ids that the index does not have, those that ask nothing anyway, and lines without a reason.
func (b *Rulebook) AddWaiting(tsv string) error {
	for n, line := range strings.Split(strings.TrimRight(tsv, "\n"), "\n") {
		id, why, _ := strings.Cut(line, "\t")
		i, ok := b.byID[id]
		if !ok || why == "" || b.Paragraphs[i].Kind == Informational {
			return fmt.Errorf("waiting line %d: %q is not in the index, asks nothing, or has no reason", n+1, id)
		}
		b.Paragraphs[i].Waits = why
	}
	return nil
}

// Find returns the paragraph of an id.
func (b *Rulebook) Find(id string) (Paragraph, bool) {
	i, ok := b.byID[id]
	if !ok {
		return Paragraph{}, false
	}
	return b.Paragraphs[i], true
}
