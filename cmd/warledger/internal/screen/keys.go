package screen

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/warledger/warledger/cmd/warledger/internal/picture"
)

// help says what the keys do.
const help = `MAP
  arrows, hjkl      move the cursor            n N    next, previous place where something may be done
  space, tab        choose a piece here        + -    larger, smaller
  enter             what may be done here; with a piece chosen, what it may do there
  a                 all that may be done       /      search in it
  b                 next box off the map       c      what is here, in full
  t                 points, supplies and other tracks

GAME
  :                 type a command             o      offers: draw, concede (asks again)
  u U               undo; ask for an undo      r      redo
  y x               what others ask of you, to agree to it or refuse it

PAST
  [ ] { }           a record back, on; ten     g      back to now
  i                 the log

LIST
  up, down, jk      choose                     enter  do it
  p                 preview: what would come of it, with chances
  /                 search                     esc    back

  q, ctrl+c         quit; the game stays as it is`

// key does what a key means in the mode.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyCtrlC {
		return tea.Quit
	}
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 {
		return m.burst(k.Runes)
	}
	if m.live.board == nil {
		if k.String() == "q" || k.Type == tea.KeyEsc {
			return tea.Quit
		}
		return nil
	}
	switch m.mode {
	case inCommand, inFilter:
		return m.typed(k)
	case inText:
		return m.textKey(k.String())
	case inList:
		return m.listKey(k.String())
	case inConfirm:
		return m.confirmed(k.String())
	case inQuestion:
		return m.questionKey(k.String())
	}
	m.status = ""
	return m.mapKey(k.String())
}

// burst takes keys that came in one piece, as of a fast typist on a slow line, or pasted.
func (m *Model) burst(runes []rune) tea.Cmd {
	var all []tea.Cmd
	for _, r := range runes {
		all = append(all, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Sequence(all...)
}

// directions are steps of the cursor.
var directions = map[string][2]int{
	"left": {-1, 0}, "h": {-1, 0}, "right": {1, 0}, "l": {1, 0}, "up": {0, -1}, "k": {0, -1}, "down": {0, 1},
	"j": {0, 1},
}

func (m *Model) mapKey(k string) tea.Cmd {
	if d, ok := directions[k]; ok {
		m.cursor = picture.Toward(m.world, m.cursor, d[0], d[1])
		return nil
	}
	switch k {
	case "q":
		return tea.Quit
	case "n", "N":
		m.nextLit(map[string]int{"n": 1, "N": -1}[k])
	case "+", "=":
		m.zoom = min(m.zoom+1, picture.Zooms-1)
	case "-":
		m.zoom = max(m.zoom-1, 0)
	case "b":
		m.nextBox()
	case "c":
		text, _ := picture.Space(m.shown.board, m.world, m.cursor, m.set.Picture)
		m.open(picture.Name(m.world, m.cursor), text)
	case "i":
		m.open(m.words("The log"), m.logText())
		m.text.at = m.text.last(m.height)
	case "t":
		m.open(m.words("How things stand"), m.tracks())
	case "?":
		m.open(m.words("The keys"), m.words(help))
	case "esc":
		m.piece = ""
		return m.look(0)
	default:
		return m.playKey(k)
	}
	return nil
}

// playKey are the keys that change the game or look at its past.
func (m *Model) playKey(k string) tea.Cmd {
	switch k {
	case "[":
		return m.step(-1)
	case "]":
		return m.step(1)
	case "{":
		return m.step(-10)
	case "}":
		return m.step(10)
	case "g":
		return m.look(0)
	}
	if m.replaying() {
		m.status = m.words("This is the past: g goes back to now.")
		return nil
	}
	switch k {
	case " ", "tab":
		m.nextPiece()
	case "enter":
		return m.act()
	case "a":
		m.choose(m.words("All that may be done"), "", "")
	case "/":
		m.choose(m.words("All that may be done"), "", "")
		if m.mode == inList {
			m.mode, m.input = inFilter, ""
		}
	case "o":
		m.showOffers()
	case ":":
		m.mode, m.input = inCommand, ""
	case "u":
		return m.undo(false)
	case "U":
		return m.undo(true)
	case "r":
		return m.redo()
	case "y", "x":
		return m.whatIsAsked()
	}
	return nil
}

// act lists what may be done at the cursor. With a piece chosen that may do only one thing there, it does that.
func (m *Model) act() tea.Cmd {
	piece := m.piece
	m.choose(fmt.Sprintf(m.words("At %s"), picture.Name(m.world, m.cursor)), m.cursor, piece)
	if m.mode == inList && piece != "" && len(m.list.actions) == 1 && m.placeOf(piece) != m.cursor {
		m.mode = onMap
		return m.sure(m.list.actions[0])
	}
	if m.mode == onMap && piece != "" && m.placeOf(piece) == m.cursor {
		m.choose(m.words("What it may do"), "", piece) // on its own place there may be nothing, elsewhere much
	}
	return nil
}

// showOffers lists what may be said beside the game's questions.
func (m *Model) showOffers() {
	m.list = list{title: m.words("Offers"), offers: true}
	m.mode = inList
	m.relist()
	if len(m.list.actions) == 0 {
		m.mode, m.status = onMap, m.words("There is nothing to offer.")
	}
}

// confirmed takes the answer to whether an offer is to be sent.
func (m *Model) confirmed(k string) tea.Cmd {
	m.mode = onMap
	if k != "y" {
		m.status = m.words("Nothing was sent.")
		return nil
	}
	return m.submit(m.pending.Command, m.pending.Version)
}

// nextBox moves the cursor to the next box off the map that holds something.
func (m *Model) nextBox() {
	places := picture.Places(m.shown.board, m.world)[len(m.world.GetSpaces()):]
	if len(places) == 0 {
		m.status = m.words("There is nothing off the map.")
		return
	}
	m.cursor = places[(slices.Index(places, m.cursor)+1)%len(places)]
}

func (m *Model) listKey(k string) tea.Cmd {
	l := &m.list
	switch k {
	case "up", "k":
		l.at = max(l.at-1, 0)
	case "down", "j":
		l.at = min(l.at+1, max(len(l.actions)-1, 0))
	case "pgup":
		l.at = max(l.at-10, 0)
	case "pgdown", " ":
		l.at = min(l.at+10, max(len(l.actions)-1, 0))
	case "/":
		m.mode, m.input = inFilter, l.filter
	case "esc", "q":
		m.mode = onMap
	case "p":
		if l.at < len(l.actions) {
			return m.preview(l.actions[l.at].Command)
		}
	case "enter":
		if l.at < len(l.actions) {
			return m.sure(l.actions[l.at])
		}
	}
	return nil
}

// typed takes a key of a line that is being typed.
func (m *Model) typed(k tea.KeyMsg) tea.Cmd {
	switch k.Type {
	case tea.KeyEsc:
		if m.mode == inFilter {
			m.list.filter = ""
			m.relist()
			m.mode = inList
			return nil
		}
		m.mode = onMap
	case tea.KeyEnter:
		if m.mode == inFilter {
			m.mode = inList
			return nil
		}
		m.mode = onMap
		if text := strings.TrimSpace(m.input); text != "" {
			return m.enter(text)
		}
	case tea.KeyBackspace:
		if r := []rune(m.input); len(r) > 0 {
			m.input = string(r[:len(r)-1])
		}
	case tea.KeyRunes, tea.KeySpace:
		m.input += string(k.Runes)
	}
	if m.mode == inFilter {
		m.list.filter, m.list.at = m.input, 0
		m.relist()
	}
	return nil
}

// questionKey answers the question that fills the screen, scrolls it, or leaves it open.
func (m *Model) questionKey(k string) tea.Cmd {
	q := m.question
	switch {
	case k == "y" || k == "x":
		m.mode, m.question = onMap, nil
		return m.do(map[string]string{"y": "yes", "x": "no"}[k], func() error { return q.Answer(k == "y") })
	case !m.scroll(k):
		m.mode, m.question = onMap, nil
	}
	return nil
}

func (m *Model) textKey(k string) tea.Cmd {
	if !m.scroll(k) {
		m.mode = m.text.back
	}
	return nil
}

// scroll moves the text that fills the screen; false if the key does not scroll.
func (m *Model) scroll(k string) bool {
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": 2 - m.height, "pgdown": m.height - 2,
		" ": m.height - 2, "g": -1 << 20, "G": 1 << 20}
	n, ok := by[k]
	if ok {
		m.text.at = min(max(m.text.at+n, 0), m.text.last(m.height))
	}
	return ok
}
