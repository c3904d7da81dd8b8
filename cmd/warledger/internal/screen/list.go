package screen

import (
	"slices"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
)

// list is what may be chosen from: actions that touch a space or a piece, and hold some words.
type list struct {
	title        string
	space, piece string
	filter       string
	// offers says that the list is of offers, which are apart from what is asked.
	offers  bool
	actions []warledger.LegalAction
	at      int
}

// choose opens the list of actions that touch a space and a piece; empty ones let everything pass.
func (m *Model) choose(title, space, piece string) {
	m.list = list{title: title, space: space, piece: piece}
	m.mode = inList
	m.relist()
	if len(m.list.actions) == 0 {
		m.mode, m.status = onMap, m.words("Nothing may be done there now.")
		if m.set.Seat == "" {
			m.status = m.words("You only look on.")
		}
	}
}

// relist works the list out anew, after the game moved on or other words were given.
func (m *Model) relist() {
	l := &m.list
	l.actions = nil
	words := strings.Fields(strings.ToLower(l.filter))
	from := m.actions
	if l.offers {
		from = m.offers
	}
	for _, a := range from {
		if m.touches(a, l.space, l.piece) && says(a, words) {
			l.actions = append(l.actions, a)
		}
	}
	l.at = min(max(l.at, 0), max(len(l.actions)-1, 0))
}

// keepChoice rebuilds an open list when a position arrives, and leaves the cursor on its line. If that line is gone the
// list closes, so that a key pressed at that moment does not mean another line.
func (m *Model) keepChoice() {
	l := &m.list
	if m.mode != inList && m.mode != inFilter && (m.mode != inText || m.text.back != inList) || l.at >= len(l.actions) {
		return
	}
	chosen := l.actions[l.at].GetCommand()
	m.relist()
	at := slices.IndexFunc(l.actions, func(a warledger.LegalAction) bool { return a.GetCommand() == chosen })
	switch {
	case at >= 0:
		l.at = at
	case m.mode == inText:
		m.text.back = onMap
	default:
		m.mode, m.status = onMap, m.words("What you chose is no longer possible.")
	}
}

// touches reports whether an action aims at the space, or is done by a piece that stands there, and
// is done by the piece.
func (m *Model) touches(a warledger.LegalAction, space, piece string) bool {
	if piece != "" && !slices.Contains(a.Pieces, piece) {
		return false
	}
	return space == "" || slices.Contains(a.Spaces, space) ||
		piece == "" && slices.ContainsFunc(a.Pieces, func(id string) bool { return m.placeOf(id) == space })
}

func says(a warledger.LegalAction, words []string) bool {
	text := strings.ToLower(a.Label + " " + a.Command)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

func (m *Model) placeOf(piece string) string {
	for _, p := range m.live.board.GetPieces() {
		if p.Id == piece {
			return p.Place
		}
	}
	return ""
}

// lit are the places where something may be done: the destinations of the chosen piece, or else what any action
// aims at or starts from.
func (m *Model) lit() map[string]bool {
	out := make(map[string]bool)
	if m.replaying() {
		return out
	}
	where := make(map[string]string, len(m.live.board.GetPieces()))
	for _, p := range m.live.board.GetPieces() {
		where[p.Id] = p.Place
	}
	for _, a := range m.actions {
		if m.piece != "" && !slices.Contains(a.Pieces, m.piece) {
			continue
		}
		for _, id := range a.Spaces {
			out[id] = true
		}
		if m.piece == "" {
			for _, id := range a.Pieces {
				out[where[id]] = true
			}
		}
	}
	delete(out, "")
	return out
}

// able are the pieces at the cursor that may do something, in the order of the stack.
func (m *Model) able() (ids []string) {
	can := make(map[string]bool)
	for _, a := range m.actions {
		for _, id := range a.Pieces {
			can[id] = true
		}
	}
	for _, p := range m.live.board.GetPieces() {
		if p.Place == m.cursor && can[p.Id] {
			ids = append(ids, p.Id)
		}
	}
	return ids
}

// nextPiece chooses the next piece at the cursor that may do something, or none after the last.
func (m *Model) nextPiece() {
	ids := m.able()
	at := slices.Index(ids, m.piece) + 1
	if m.piece = ""; at < len(ids) {
		m.piece = ids[at]
	}
	if len(ids) == 0 {
		m.status = m.words("No piece here may do anything now.")
	}
}

// nextLit moves the cursor to the next place where something may be done.
func (m *Model) nextLit(by int) {
	lit := m.lit()
	places := picture.Places(m.shown.board, m.world)
	if len(lit) == 0 || len(places) == 0 {
		m.status = m.words("Nothing may be done now.")
		return
	}
	at := max(slices.Index(places, m.cursor), 0)
	for range places {
		if at = (at + by + len(places)) % len(places); lit[places[at]] {
			m.cursor = places[at]
			return
		}
	}
}

// firstCursor is where the game asks something, or where something may be done, or the first place of the map.
func (m *Model) firstCursor() string {
	for _, q := range m.live.board.GetPrompts() {
		if len(q.Spaces) > 0 {
			return q.Spaces[0]
		}
		if len(q.Pieces) > 0 {
			if at := m.placeOf(q.Pieces[0]); at != "" {
				return at
			}
		}
	}
	lit := m.lit()
	places := picture.Places(m.live.board, m.world)
	for _, id := range places {
		if lit[id] {
			return id
		}
	}
	if len(places) == 0 {
		return ""
	}
	return places[0]
}
