package rulestest

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/languages"
	"github.com/warledger/warledger/rules"
)

// langs are all languages: English, Japanese, and those of files.
var langs = func() (list []rules.Lang) {
	for _, tag := range languages.Tags() {
		list = append(list, rules.Lang(tag))
	}
	return list
}()

// leftover is what the catalogue makes of a key that it does not know.
var leftover = regexp.MustCompile(`\[@?[a-z][a-z0-9_.-]*( [a-z0-9_]+=[^\]]*)*\]|\[\]`)

// checkWords: a text was put into words completely.
func (m *match) checkWords(words, of string) {
	switch {
	case strings.TrimSpace(words) == "":
		m.failf("%s has no words", of)
	case strings.ContainsAny(words, "{}"):
		m.failf("%s has a place that was not filled: %s", of, words)
	case leftover.MatchString(words):
		m.failf("%s has a key that the catalogue does not know: %s", of, words)
	case strings.ContainsAny(words, "\n\r\t"):
		m.failf("%s has a line break: %q", of, words)
	}
}

// checkText: a text has words in every language.
func (m *match) checkText(t rules.Text, of string) {
	for _, lang := range langs {
		m.checkWords(m.about.Catalogue.Format(lang, t), of+" in "+string(lang))
	}
}

// checkNarration: an event is told in every language, or in none.
func (m *match) checkNarration(event proto.Message, data []byte) {
	told := 0
	for _, lang := range langs {
		if words := m.set.Narrate(m.sc, lang, data); words != "" {
			told++
			m.checkWords(words, "what is told in "+string(lang)+" of the event "+MessageText(event))
		}
	}
	if told != 0 && told != len(langs) {
		m.failf("the event %s is told in %d of %d languages", MessageText(event), told, len(langs))
	}
}

// checkDescription: a command is described by its kind, in words, with pieces and spaces that its seat can see.
func (m *match) checkDescription(t tried) {
	d := m.game.Describe(t.seat, t.c)
	if kind := m.game.KindOf(t.c); kind != t.kind() {
		m.failf("%s is of the kind %q; the first word of its notation is its kind", t.text, kind)
	}
	if d.Kind != t.kind() {
		m.failf("%s is described as of the kind %q; the first word of its notation is its kind", t.text, d.Kind)
	}
	m.checkText(d.Label, "the label of "+t.text)
	if d.Cost.Key != "" {
		m.checkText(d.Cost, "the cost of "+t.text)
	}
	board := m.game.Board(rules.SeatViewer(t.seat), rules.English)
	pieces := make(map[string]bool, len(board.Pieces))
	for _, p := range board.Pieces {
		pieces[p.Id] = true
	}
	for _, id := range d.Pieces {
		if !pieces[id] && (m.cfg.Piece == nil || !m.cfg.Piece(m.game, id)) {
			m.failf("%s names the piece %q, which is not on the board of %s", t.text, id, m.about.SeatID(t.seat))
		}
	}
	for _, id := range d.Spaces {
		m.checkPlace(id, "the description of "+t.text)
	}
}
