package screen

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Happened is an update of the watch, to be sent to the program.
type Happened struct{ *warledger.Update }

// Lost says that the connection is gone, and why; empty when it is back.
type Lost string

// position is the newest board with all that may be done there.
type position struct {
	board   *v1.GetBoardResponse
	game    *v1.Game
	actions []warledger.LegalAction
	offers  []warledger.LegalAction
	err     error
}

// oldPosition is a board of the past.
type oldPosition struct {
	wanted uint64
	board  *v1.GetBoardResponse
	err    error
}

// done is the server's answer to something that was to happen.
type done struct {
	said string
	err  error
}

// meant is what the server makes of a command that was typed; its action is nil if the rules refuse it.
type meant struct {
	notation string
	action   *boardv1.Action
}

// command is the action with the words that were typed.
func (m meant) command() *boardv1.Action {
	return &boardv1.Action{Command: m.notation, Label: m.action.GetLabel(), Confirm: m.action.GetConfirm(),
		Forgoes: m.action.GetForgoes()}
}

// asked is what waits for the seat's answer.
type asked struct {
	question *Question
	err      error
}

type foretold struct {
	preview *v1.PreviewCommandResponse
	err     error
}

// mostAgain is how often in a row a position of several versions is asked for again, so that a server
// is not asked for ever.
const mostAgain = 5

// whole reports whether all parts are of one version. A seat that must decide has something to do, so that an empty
// list of it is of another.
func (p position) whole(seat string) bool {
	if p.game.Version != p.board.Version {
		return false
	}
	if len(p.actions) == 0 {
		return p.game.Over || !slices.Contains(p.game.WaitingFor, seat)
	}
	return p.actions[0].Version == p.board.Version
}

// fetch asks for the newest board and list, one request at a time.
func (m *Model) fetch() tea.Cmd {
	if m.fetching {
		return nil
	}
	m.fetching = true
	withMap := m.world == nil
	return func() tea.Msg {
		var p position
		if p.game, p.err = m.set.Game.Get(m.ctx); p.err != nil {
			return p
		}
		if p.board, p.err = m.set.Game.Board(m.ctx,
			warledger.Look{Viewer: m.set.Viewer, WithMap: withMap}); p.err != nil {
			return p
		}
		if m.set.Seat != "" && !p.game.Over {
			if p.actions, p.err = m.set.Game.ListLegal(m.ctx, warledger.LegalQuery{}); p.err == nil {
				p.offers, p.err = m.set.Game.Offers(m.ctx, warledger.LegalQuery{PageSize: 1})
			}
		}
		return p
	}
}

func (m *Model) arrived(p position) tea.Cmd {
	m.fetching = false
	if p.err != nil {
		m.status = m.set.Voice.Error(p.err)
		return nil
	}
	if !p.whole(m.set.Seat) && m.again < mostAgain {
		m.again++
		return m.fetch() // the game moved on between two of the calls
	}
	m.again = 0
	m.game, m.actions, m.offers = p.game, p.actions, p.offers
	m.live = view{p.board.Board, p.board.Version}
	if m.world == nil {
		m.world = p.board.Board.Map
	}
	m.live.board.Map = m.world
	if !m.replaying() {
		m.shown = m.live
	}
	if m.cursor == "" {
		m.cursor = m.firstCursor()
	}
	m.keepChoice()
	if m.newest > m.live.version {
		return m.fetch() // something has happened meanwhile
	}
	return nil
}

func (m *Model) happened(h Happened) tea.Cmd {
	m.lost = ""
	m.newest = max(m.newest, h.Version)
	if h.Record != nil {
		m.records = append(m.records, h.Record)
	}
	if m.newest > m.live.version || h.CaughtUp != nil {
		return m.fetch()
	}
	return nil
}

// look asks for the board after a record of the past; 0 goes back to the newest.
func (m *Model) look(version uint64) tea.Cmd {
	m.past = version
	if version == 0 {
		m.shown, m.status = m.live, ""
		return nil
	}
	return func() tea.Msg {
		board, err := m.set.Game.Board(m.ctx, warledger.Look{Version: version, Viewer: m.set.Viewer})
		return oldPosition{version, board, err}
	}
}

func (m *Model) showOld(p oldPosition) {
	if p.wanted != m.past {
		return // another was asked for since
	}
	if p.err != nil {
		m.status = m.set.Voice.Error(p.err)
		return
	}
	m.shown = view{p.board.Board, p.board.Version}
	m.shown.board.Map = m.world
}

// step goes through the records by a number of them.
func (m *Model) step(by int) tea.Cmd {
	if len(m.records) == 0 {
		return nil
	}
	at := len(m.records) - 1
	if m.replaying() {
		at = slices.IndexFunc(m.records, func(r *v1.Record) bool { return r.Version >= m.past })
	}
	at = max(at+by, 0)
	if at >= len(m.records)-1 && by > 0 {
		return m.look(0)
	}
	return m.look(m.records[min(at, len(m.records)-1)].Version)
}

// do makes a call that changes the game, if none is under way.
func (m *Model) do(said string, call func() error) tea.Cmd {
	if m.busy {
		return nil
	}
	m.busy, m.status = true, said+" …"
	return func() tea.Msg { return done{said, call()} }
}

func (m *Model) answered(d done) tea.Cmd {
	m.busy, m.status = false, d.said
	if d.err != nil {
		m.status = m.set.Voice.Error(d.err)
		return nil
	}
	m.mode, m.piece = onMap, ""
	return m.fetch()
}

// sure asks again before it sends an offer that concerns the whole game, and before the player ends something in which
// units could still act.
func (m *Model) sure(a warledger.LegalAction) tea.Cmd {
	if !a.GetConfirm() && (!m.set.AskEnd || !a.GetForgoes() || CouldAct(m.actions) == 0) {
		return m.submit(a.Command, a.Version)
	}
	m.mode, m.pending = inConfirm, a
	return nil
}

// CouldAct counts the pieces that the actions of a list are about. Actions that give up the rest, or lead to nothing,
// do not count.
func CouldAct(list []warledger.LegalAction) int {
	pieces := map[string]bool{}
	for _, a := range list {
		if a.GetForgoes() || a.GetIdle() {
			continue
		}
		for _, id := range a.GetPieces() {
			pieces[id] = true
		}
	}
	return len(pieces)
}

// enter sends what was typed, once it is known to be no offer or the player is sure.
func (m *Model) enter(notation string) tea.Cmd {
	return func() tea.Msg {
		checked, err := m.set.Game.Submit(m.ctx, warledger.Move{Notation: notation, CheckOnly: true})
		if err != nil {
			checked = nil // the command itself says why not
		}
		return meant{notation, checked.GetAction()}
	}
}

// submit sends a command, for the version that the list was made for.
func (m *Model) submit(notation string, expected uint64) tea.Cmd {
	return m.do(notation, func() error {
		_, err := m.set.Game.Submit(m.ctx, warledger.Move{Notation: notation, Expected: expected})
		return err
	})
}

func (m *Model) undo(ask bool) tea.Cmd {
	return m.do(m.words("undo"), func() error {
		_, _, err := m.set.Game.Undo(m.ctx, 0, ask)
		return err
	})
}

func (m *Model) redo() tea.Cmd {
	return m.do(m.words("redo"), func() error {
		_, err := m.set.Game.Redo(m.ctx)
		return err
	})
}

// whatIsAsked asks for the question that waits for the seat, which is answered only once it has been shown.
func (m *Model) whatIsAsked() tea.Cmd {
	m.status = m.words("what is asked …")
	return func() tea.Msg {
		q, err := m.set.Asked()
		return asked{q, err}
	}
}

func (m *Model) ask(a asked) {
	m.status = ""
	switch {
	case a.err != nil:
		m.status = m.set.Voice.Error(a.err)
	case a.question == nil:
		m.status = m.words("Nobody asks you for consent.")
	case m.mode == onMap:
		m.open(m.words("What is asked of you"), ansi.Wrap(a.question.Text, m.width, ""))
		m.mode, m.question = inQuestion, a.question
	}
}

// preview asks what a command would do.
func (m *Model) preview(notation string) tea.Cmd {
	m.status = m.words("preview …")
	return func() tea.Msg {
		p, err := m.set.Game.Preview(m.ctx, warledger.PreviewQuery{Notation: notation})
		return foretold{p, err}
	}
}

func (m *Model) foretold(f foretold) {
	m.status = ""
	if f.err != nil {
		m.status = m.set.Voice.Error(f.err)
		return
	}
	m.open(m.words("What would come of it"), m.set.Voice.Preview(f.preview))
}
