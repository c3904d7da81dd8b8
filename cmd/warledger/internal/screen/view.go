package screen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/warledger/warledger/cmd/warledger/internal/picture"
)

// words are a text of the program in the language asked for.
func (m *Model) words(english string) string { return m.set.Picture.Say(english) }

// page is a text that fills the screen.
type page struct {
	title string
	text  string
	at    int
	back  mode
}

// last is the furthest that a page can be scrolled.
func (p page) last(height int) int { return max(strings.Count(p.text, "\n")+1-(height-2), 0) }

// open shows a text; any key that does not scroll it goes back.
func (m *Model) open(title, text string) {
	m.text = page{title: title, text: strings.TrimRight(text, "\n"), back: m.mode}
	m.mode = inText
}

// View draws the screen.
func (m *Model) View() string {
	switch {
	case m.live.board == nil:
		return m.fit(m.words("Asking for the board …\n") + m.status)
	case m.width < 40 || m.height < 12:
		return m.fit(m.words("The window is too small: 40 by 12 at least."))
	case m.mode == inText:
		return m.fit(m.page(m.words("up, down scroll   any other key goes back")))
	case m.mode == inQuestion:
		return m.fit(m.page(m.words("y agrees   x refuses   up, down scroll   any other key leaves it open")))
	}
	side := m.sideWidth()
	height := m.height - 2
	left := strings.Split(picture.Window(m.shown.board, m.world, m.set.Picture, picture.Part{
		Width: m.width - side - 1, Height: height, Zoom: m.zoom, Cursor: m.cursor, Lit: m.lit(),
	}), "\n")
	right := m.side(side, height)
	var out strings.Builder
	out.WriteString(m.head() + "\n")
	for i := range height {
		line := ansi.Truncate(left[i], m.width-side-1, "")
		out.WriteString(line + strings.Repeat(" ", max(m.width-side-1-ansi.StringWidth(line), 0)) + "│" + right[i] +
			"\n")
	}
	out.WriteString(m.foot())
	return m.fit(out.String())
}

func (m *Model) sideWidth() int { return min(max(m.width*2/5, 24), 64) }

// fit cuts what does not fit on the screen.
func (m *Model) fit(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, m.width, "")
	}
	return strings.Join(lines[:min(len(lines), m.height)], "\n")
}

// head says when it is, whose turn, and whether that is now.
func (m *Model) head() string {
	b := m.shown.board
	text := b.GetClock().GetText()
	switch {
	case m.replaying():
		text = fmt.Sprintf(m.words("VERSION %d OF %d  %s"), m.shown.version, m.newest, text)
	case m.game.GetOver():
		text += m.words("  THE GAME IS OVER")
	case m.deciding():
		text += m.words("  YOUR DECISION")
	default:
		text += fmt.Sprintf(m.words("  waits for %s"), strings.Join(m.game.GetWaitingFor(), ", "))
	}
	if !m.replaying() {
		text += fmt.Sprintf(m.words("  (version %d)"), m.live.version)
	}
	if m.lost != "" {
		text += m.words("  NOT CONNECTED")
	} else if m.newest > m.live.version {
		text += m.words("  BEHIND")
	}
	return text
}

// foot is the line at the bottom: what is typed, what was said, or the keys.
func (m *Model) foot() string {
	switch {
	case m.mode == inCommand:
		return ":" + m.input + "▏"
	case m.mode == inFilter:
		return "/" + m.input + "▏"
	case m.mode == inConfirm && !m.pending.GetConfirm():
		return fmt.Sprintf(m.words("%s: %d of your units or markers could still act. "+
			"y ends anyway, any other key does not"), m.pending.Label, CouldAct(m.actions))
	case m.mode == inConfirm:
		return fmt.Sprintf(m.words("%s: this may end the game. y sends it, any other key does not"), m.pending.Label)
	case m.status != "":
		return strings.ReplaceAll(strings.TrimSpace(m.status), "\n", " ")
	case m.mode == inList:
		return m.words("enter does it   p preview   / search   esc back")
	case m.piece != "":
		return m.words("enter on a lit place   space another piece   esc none")
	}
	return m.words("arrows move   space piece   enter act   a all   : type   [ ] past   ? keys   q quit")
}

// wanted says in a few words what waits for the seat's consent; empty for nothing.
func (m *Model) wanted() string {
	mine := func(missing []string) bool { return slices.Contains(missing, m.set.Seat) }
	switch g := m.game; {
	case mine(g.GetPendingUndo().GetMissing()):
		return fmt.Sprintf(m.words("%s asks to take something back (y shows it)"), g.PendingUndo.Seat)
	case mine(g.GetPendingDeadlines().GetMissing()):
		return m.words("Other deadlines are proposed (y shows them)")
	case mine(g.GetPendingSeat().GetMissing()):
		return fmt.Sprintf(m.words("The seat of %s is offered (y shows how)"), g.PendingSeat.Seat)
	}
	return ""
}

// side is the column beside the map: what is asked, what may be chosen or what is here, and the newest of the log.
func (m *Model) side(width, height int) []string {
	var lines []string
	add := func(text string) {
		if text != "" {
			lines = append(lines, strings.Split(ansi.Wrap(strings.TrimRight(text, "\n"), width, ""), "\n")...)
		}
	}
	add(m.asked())
	if m.mode == inList || m.mode == inFilter {
		lines = append(lines, m.choices(width, height-len(lines))...)
	} else {
		here, _ := picture.Space(m.shown.board, m.world, m.cursor, m.set.Picture)
		add(here)
		if m.piece != "" {
			add(fmt.Sprintf(m.words("chosen: %s"), m.piece))
		}
		lines = append(lines, m.tail(width, height-len(lines))...)
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], width, "…")
	}
	return lines[:height]
}

// asked is what the game asks, and how it ended.
func (m *Model) asked() string {
	var out strings.Builder
	b := m.shown.board
	if wanted := m.wanted(); wanted != "" {
		fmt.Fprintf(&out, "? %s: %s\n", m.words("YOU"), wanted)
	}
	for _, p := range b.GetProcedures() {
		fmt.Fprintf(&out, "» %s\n", p.Text)
	}
	for _, p := range b.GetPrompts() {
		if !p.Optional {
			who := p.Seat
			if p.Seat == m.set.Seat {
				who = m.words("YOU")
			}
			fmt.Fprintf(&out, "? %s: %s [%s]\n", who, p.Text, strings.Join(p.Rules, ", "))
		}
	}
	if e := b.GetEnding(); e != nil {
		fmt.Fprintf(&out, "%s\n", e.Text)
	}
	return out.String()
}

// tracks are the numbers that are kept beside the map.
func (m *Model) tracks() string {
	var out strings.Builder
	for _, t := range m.shown.board.GetTracks() {
		value := t.Text
		if value == "" {
			value = fmt.Sprint(t.Value)
		}
		if t.Text == "" && t.Max != nil {
			value += fmt.Sprintf("/%d", *t.Max)
		}
		fmt.Fprintf(&out, "%s: %s\n", t.Name, value)
	}
	return out.String()
}

// choices is the list around what is chosen.
func (m *Model) choices(width, height int) []string {
	l := m.list
	title := fmt.Sprintf("%s: %d", l.title, len(l.actions))
	if l.filter != "" {
		title += fmt.Sprintf(m.words(" with %s"), l.filter)
	}
	lines := []string{"── " + title}
	rows := max(height-3, 1)
	first := min(max(l.at-rows/2, 0), max(len(l.actions)-rows, 0))
	for i := first; i < min(first+rows, len(l.actions)); i++ {
		mark := "  "
		if i == l.at {
			mark = "> "
		}
		text := l.actions[i].Label
		if l.actions[i].Cost != "" {
			text += " (" + l.actions[i].Cost + ")"
		}
		lines = append(lines, ansi.Truncate(mark+text, width, "…"))
	}
	if l.at < len(l.actions) {
		lines = append(lines, "", l.actions[l.at].Command)
	}
	return lines
}

// tail is the newest of the log, as much as fits; while the past is on the screen, that up to it.
func (m *Model) tail(width, height int) []string {
	if height < 3 {
		return nil
	}
	var lines []string
	for i := len(m.records) - 1; i >= 0 && len(lines) < height-1; i-- {
		if m.replaying() && m.records[i].Version > m.past {
			continue
		}
		one := strings.Split(ansi.Wrap(strings.TrimRight(m.set.Voice.Record(m.records[i]), "\n"), width, ""), "\n")
		lines = append(one, lines...)
	}
	return append([]string{m.words("── log")}, lines[max(len(lines)-(height-1), 0):]...)
}

// logText is the whole log that is known.
func (m *Model) logText() string {
	var out strings.Builder
	for _, r := range m.records {
		out.WriteString(m.set.Voice.Record(r))
	}
	return out.String()
}

// page is a text with its title, above what the keys do.
func (m *Model) page(foot string) string {
	lines := strings.Split(m.text.text, "\n")
	from := min(m.text.at, len(lines))
	shown := lines[from:min(from+m.height-2, len(lines))]
	return "── " + m.text.title + "\n" + strings.Join(shown, "\n") +
		strings.Repeat("\n", max(m.height-1-len(shown), 1)) + foot
}
