// Package screen is the board on a full screen: a map with a cursor, what may be done there, the log, previews, and the
// past. It plays any ruleset, since it knows the contract of boards and actions and nothing else.
package screen

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/picture"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Voice puts into words what the screen shows, as the program does elsewhere.
type Voice struct {
	// Record tells a record, in lines.
	Record func(*v1.Record) string
	// Preview tells what a command would do.
	Preview func(*v1.PreviewCommandResponse) string
	// Error tells what went wrong, with the rule if the rules refuse.
	Error func(error) string
}

// Settings say what is played and how it is drawn.
type Settings struct {
	// Game as the seat sees it; Seat is empty for whoever only looks on.
	Game *warledger.Game
	Seat string
	// Viewer as in [warledger.Look].
	Viewer  string
	Voice   Voice
	Picture picture.Options
	// AskEnd asks again before the player ends something in which units could still act.
	AskEnd bool
	// Asked is what waits for the seat's answer now; nil if nobody asks it.
	Asked func() (*Question, error)
}

// Question is what one record asks of the seat.
type Question struct {
	// Text is all that it asks, in lines.
	Text string
	// Answer answers that record, and no other that took its place.
	Answer func(agree bool) error
}

// mode is what the keys do.
type mode int

const (
	onMap mode = iota
	inList
	inText
	inCommand
	inFilter
	inConfirm
	inQuestion
)

// Model is the state of the screen. It changes in Update alone; calls to the server are made by commands of the program
// and come back as messages.
type Model struct {
	ctx context.Context
	set Settings

	// live is the newest position, shown what is on the screen: the same, or one of the past. game is the game as the
	// server last told of it.
	live, shown view
	world       *boardv1.Map
	game        *v1.Game
	// past is the version that is looked at, 0 for the newest.
	past uint64
	// newest is the version of the last record that was told; fetching says that a position is on its way, and
	// again how often one in a row was not of one version.
	newest   uint64
	fetching bool
	again    int
	lost     string

	records []*v1.Record
	actions []warledger.LegalAction
	offers  []warledger.LegalAction
	// pending is the offer that the player is asked about once more.
	pending warledger.LegalAction
	// question is the one that fills the screen, to be answered.
	question *Question

	width, height, zoom int
	mode                mode
	cursor, piece       string
	list                list
	text                page
	input               string
	status              string
	busy                bool
}

// view is a position.
type view struct {
	board   *boardv1.Board
	version uint64
}

// New makes the screen.
func New(ctx context.Context, s Settings) *Model {
	m := &Model{ctx: ctx, set: s, zoom: 1, width: 80, height: 24}
	m.status = m.words("? for the keys")
	return m
}

// Init asks for the board.
func (m *Model) Init() tea.Cmd { return m.fetch() }

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return m, m.key(msg)
	case Happened:
		return m, m.happened(msg)
	case Lost:
		m.lost = string(msg)
	case position:
		return m, m.arrived(msg)
	case oldPosition:
		m.showOld(msg)
	case done:
		return m, m.answered(msg)
	case meant:
		return m, m.sure(warledger.LegalAction{Action: msg.command()})
	case foretold:
		m.foretold(msg)
	case asked:
		m.ask(msg)
	}
	return m, nil
}

// replaying reports whether the past is on the screen.
func (m *Model) replaying() bool { return m.past != 0 }

// deciding reports whether the game waits for the seat.
func (m *Model) deciding() bool {
	return m.set.Seat != "" && slices.Contains(m.game.GetWaitingFor(), m.set.Seat)
}
