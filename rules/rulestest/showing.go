package rulestest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/warledger/warledger/languages"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// ground is what does not change of the board.
type ground struct {
	places map[string]bool // ids of spaces and boxes
	order  []string        // the same in the order of the map
	digest map[rules.Lang]string
}

// survey looks at the map of the scenario.
func (m *match) survey() {
	m.ground = ground{places: map[string]bool{}, digest: map[rules.Lang]string{}}
	for _, lang := range langs {
		board := m.set.Map(m.sc, lang)
		if want := rules.MapDigest(board); board.Digest != want && languages.Find(string(lang)) == nil {
			m.failf("the map in %s has the digest %q, expected MapDigest's, %q", lang, board.Digest, want)
		}
		m.ground.digest[lang] = board.Digest
		m.surveyMap(board, lang == langs[0])
		m.checkWords(m.sc.ScenarioTitle(lang), "the title of the scenario in "+string(lang))
	}
}

func (m *match) surveyMap(board *boardv1.Map, first bool) {
	legend := map[string]bool{}
	for _, l := range board.Legend {
		legend[l.Key] = true
	}
	if len(board.Spaces) == 0 {
		m.failf("the map has no spaces")
	}
	if first {
		for _, s := range board.Spaces {
			m.newPlace(s.Id)
		}
		for _, b := range board.Boxes {
			m.newPlace(b.Id)
		}
	}
	neighbors := map[string][]string{}
	for _, s := range board.Spaces {
		neighbors[s.Id] = s.Neighbors
		for _, key := range append([]string{s.Terrain}, s.Features...) {
			if key != "" && !legend[key] {
				m.failf("space %s has the terrain or feature %q, which the legend does not have", s.Id, key)
			}
		}
		if s.Centre == nil {
			m.failf("space %s has no centre", s.Id)
		}
	}
	for _, s := range board.Spaces {
		for _, n := range s.Neighbors {
			if !contains(neighbors[n], s.Id) {
				m.failf("space %s is next to %s, but not the other way round", s.Id, n)
			}
		}
	}
	for _, e := range board.Edges {
		m.checkPlace(e.A, "an edge of the map")
		m.checkPlace(e.B, "an edge of the map")
	}
	for _, l := range board.Links {
		m.checkPlaces(l.Spaces, "a link of the map")
	}
	for _, r := range board.Regions {
		m.checkPlaces(r.Spaces, "the region "+r.Id)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (m *match) newPlace(id string) {
	if id == "" || m.ground.places[id] {
		m.failf("the map has the place %q twice, or without an id", id)
	}
	m.ground.places[id] = true
	m.ground.order = append(m.ground.order, id)
}

func (m *match) checkPlace(id, of string) {
	if !m.ground.places[id] {
		m.failf("%s names the place %q, which is not on the map", of, id)
	}
}

func (m *match) checkPlaces(ids []string, of string) {
	for _, id := range ids {
		m.checkPlace(id, of)
	}
}

// witness is a viewer with a name for messages.
type witness struct {
	name   string
	viewer rules.Viewer
}

// witnesses are those who may look: each seat, all seats in one hand, a spectator and the auditor.
func (m *match) witnesses() []witness {
	var list []witness
	for seat := range m.about.Seats {
		list = append(list, witness{m.about.SeatID(rules.Seat(seat)), rules.SeatViewer(rules.Seat(seat))})
	}
	return append(list,
		witness{"all seats", rules.Viewer{Seats: m.about.AllSeats()}},
		witness{"a spectator", rules.Spectator},
		witness{"the auditor", rules.Auditor})
}

// checkShowing: boards and views are drawn for everyone, the same each time, and name nothing that is not there.
func (m *match) checkShowing() {
	m.checkDecisions()
	for i, w := range m.witnesses() {
		for _, lang := range langs {
			if i > 0 && languages.Find(string(lang)) != nil {
				continue // what differs there is words, and one witness reads them
			}
			b := m.game.Board(w.viewer, lang)
			m.checkBoard(b, w, lang)
			if !bytes.Equal(encode(b), encode(m.game.Board(w.viewer, lang))) {
				m.failf("the board of %s is not the same when drawn twice", w.name)
			}
		}
		v := m.game.View(w.viewer)
		if v == nil {
			m.failf("%s has no view", w.name)
		}
		if !bytes.Equal(encode(v), encode(m.game.View(w.viewer))) {
			m.failf("the view of %s is not the same when taken twice", w.name)
		}
	}
}

// checkDecisions: every seat that the game waits for is asked something, and nobody else is.
func (m *match) checkDecisions() {
	var asked rules.Seats
	for _, d := range m.game.Decisions() {
		of := fmt.Sprintf("the decision %s of %s", d.Kind, m.about.SeatID(d.Seat))
		if d.Kind == "" || m.about.SeatID(d.Seat) == "" {
			m.failf("%s has no kind or no seat", of)
		}
		m.checkText(d.Text, of)
		m.checkAudience(d.Audience, of)
		for _, id := range d.Rules {
			if _, ok := m.about.Rulebook.Find(id); !ok {
				m.failf("%s names the rule %q, which the rulebook does not have", of, id)
			}
		}
		m.checkPlaces(d.Spaces, of)
		if !d.Optional {
			asked |= rules.SeatsOf(d.Seat)
			if !rules.SeatViewer(d.Seat).MaySee(d.Audience) {
				m.failf("%s is hidden from its own seat", of)
			}
		}
	}
	if asked != m.game.Waiting() {
		m.failf("the game waits for seats %b and asks seats %b", m.game.Waiting(), asked)
	}
}

func (m *match) checkBoard(b *boardv1.Board, w witness, lang rules.Lang) {
	of := "the board of " + w.name
	if b.MapDigest != m.ground.digest[lang] {
		m.failf("%s in %s has the map digest %q, the map has %q", of, lang, b.MapDigest, m.ground.digest[lang])
	}
	if b.Clock == nil || b.Clock.Text == "" {
		m.failf("%s has no clock, or one without words", of)
	}
	m.checkWords(b.Clock.Text, "the clock on "+of)
	m.seatID(b.Clock.Active, of)
	// A clock whose phase stands among those of a turn says the turn without it as well.
	if c := b.Clock; c.Turn > 0 && c.TurnText == "" && slices.Contains(c.Phases, c.Phase) {
		m.failf("%s has no words for the turn alone", of)
	}
	if b.Clock.TurnText != "" {
		m.checkWords(b.Clock.TurnText, "the turn on "+of)
	}
	pieces := map[string]bool{}
	for _, p := range b.Pieces {
		if p.Id == "" || pieces[p.Id] {
			m.failf("%s has the piece %q twice, or without an id", of, p.Id)
		}
		pieces[p.Id] = true
		if p.Count < 1 {
			m.failf("%s has a count of %d for %s", of, p.Count, p.Id)
		}
		m.checkPlace(p.Place, of+": the piece "+p.Id)
		m.seatID(p.Owner, of)
	}
	for _, s := range b.Spaces {
		m.checkPlace(s.Id, of)
		m.seatID(s.Owner, of)
	}
	tracks := map[string]bool{}
	for _, t := range b.Tracks {
		if t.Id == "" || tracks[t.Id] {
			m.failf("%s has the track %q twice, or without an id", of, t.Id)
		}
		tracks[t.Id] = true
		m.checkWords(t.Name, "the track "+t.Id+" on "+of)
		m.seatID(t.Owner, of)
	}
	if c := b.Clock; len(c.GetPhaseNames()) != 0 && len(c.GetPhaseNames()) != len(c.GetPhases()) {
		m.failf("%s names %d of %d phases", of, len(c.GetPhaseNames()), len(c.GetPhases()))
	}
	m.checkOrder(b.Clock, of)
	for _, name := range b.Clock.GetPhaseNames() {
		m.checkWords(name, "a phase on "+of)
	}
	for _, p := range slices.Concat(b.Procedures, b.Plans) {
		m.checkWords(p.Text, "the procedure "+p.Kind+" on "+of)
		m.checkPlaces(p.Spaces, of)
		m.onBoard(pieces, append(p.Attackers, p.Defenders...), of+": the procedure "+p.Kind)
	}
	for _, p := range b.Prompts {
		m.onBoard(pieces, p.Pieces, of+": the prompt "+p.Decision)
	}
	if (b.Ending != nil) != (m.game.Ending() != nil) {
		m.failf("%s does not say truly whether the game is over", of)
	}
}

// checkOrder: each seat has one player turn, and the one that is not over is that of the active seat.
func (m *match) checkOrder(c *boardv1.Clock, of string) {
	o := c.GetOrder()
	if o == nil {
		return
	}
	seen := map[string]bool{}
	for _, id := range o.Seats {
		if m.seatID(id, of); id == "" || seen[id] {
			m.failf("%s has the seat %q twice in the order of play, or without an id", of, id)
		}
		seen[id] = true
	}
	at := int(o.Over)
	if at < 0 || at > len(o.Seats) {
		m.failf("%s has %d player turns over, of %d", of, at, len(o.Seats))
	} else if c.Active != "" && (at == len(o.Seats) || o.Seats[at] != c.Active) {
		m.failf("%s has %s as the active seat, which is not number %d of %v", of, c.Active, at, o.Seats)
	}
}

// onBoard: what a procedure or a prompt is about can be seen on the same board.
func (m *match) onBoard(pieces map[string]bool, ids []string, of string) {
	for _, id := range ids {
		if !pieces[id] && (m.cfg.Piece == nil || !m.cfg.Piece(m.game, id)) {
			m.failf("%s names the piece %q, which the board does not show", of, id)
		}
	}
}

func (m *match) seatID(id, of string) {
	if _, ok := m.about.SeatByID(id); id != "" && !ok {
		m.failf("%s names the seat %q, which the ruleset does not have", of, id)
	}
}

// checkEnding: when a game is over it says how, asks nothing, lists nothing and accepts nothing.
func (m *match) checkEnding() {
	e := m.game.Ending()
	if e.Level == "" || e.Winners&^m.about.AllSeats() != 0 {
		m.failf("the game ended without a level, or for unknown seats: %+v", e)
	}
	m.checkText(e.Text, "the ending")
	if w, d := m.game.Waiting(), m.game.Decisions(); w != 0 || len(d) > 0 {
		m.failf("the game is over and still waits for seats %b, with %d decisions", w, len(d))
	}
	for seat := range m.about.Seats {
		if n := m.game.List(rules.Seat(seat), rules.Filter{}, nil).Len(); n > 0 {
			m.failf("the game is over and still lists %d commands", n)
		}
		for _, t := range m.sample(m.known) {
			if err := m.game.Check(rules.Seat(seat), t.c); err == nil {
				m.failf("the game is over and still accepts %s", t.text)
			}
			m.refused(rules.Seat(seat), t.c, t.text)
		}
	}
}
