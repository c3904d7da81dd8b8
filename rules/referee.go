package rules

import (
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// Position is what a referee's position type must do: make an independent copy of itself. A clone is a handful of
// copies; it shares the scenario, which never changes.
type Position[P any] interface{ Clone() P }

// Referee is one rulebook as a program, in its own types: P a pointer to a plain struct, C a small value,
// E a protobuf message.
//
// Check, Legal and everything that shows a position must not change it. Play, Step and Evolve change the position they
// are given. None may keep a reference to a position or a command after it returns, nor Evolve to its event, which may
// be decoded into again.
type Referee[P Position[P], C any, E proto.Message] interface {
	// About says what the ruleset is.
	About() *About
	// ScenarioDocuments are the documents that come with the ruleset, in the order in which they are offered.
	ScenarioDocuments() []Document
	// LoadScenario reads a scenario document and reports everything that a game could trip over, all at once. The
	// scenario is nil if any fault is fatal.
	LoadScenario(doc []byte) (Scenario, Faults)
	// New is the position before the first event.
	New(sc Scenario, o Options) P

	// Check says why a command may not be carried out now; nil if it may. It is the only place where legality is
	// decided: Legal lists what passes it. Costs no more than a look at the position.
	Check(p P, seat Seat, c C) *Refusal
	// Play carries out a command that passed Check, by emitting events. It goes as far as the command itself reaches;
	// automatic steps that follow are Step's.
	Play(x *Exec[P, E], seat Seat, c C)
	// Step takes the next automatic step and reports whether there was one. It returns false when someone must
	// decide or the game is over.
	Step(x *Exec[P, E]) bool
	// Evolve folds an event into the position. It never refuses, never rolls and needs no rules: the event states
	// the outcome. An event that the position cannot hold (of a damaged log) is reported by an error, not by a panic.
	Evolve(p P, e E) error

	// Waiting is the set of seats that must decide; empty when the game is over. It allocates nothing.
	Waiting(p P) Seats
	// Decisions says what the game waits for and what may be offered meanwhile, in a fixed order.
	Decisions(p P) []Decision
	// Ending says how the game ended; nil while it goes on.
	Ending(p P) *Ending
	// Turn is the game turn, from 1; 0 during set-up.
	Turn(p P) int
	// Legal yields every legal command of the seat that passes the filter, in a fixed order, each once, until yield
	// returns false. Kinds that are [CommandKind.Generating] yield a generating set.
	Legal(p P, seat Seat, f Filter, yield func(C) bool)

	// CommandAudience is who may see the command itself in the log.
	CommandAudience(p P, seat Seat, c C) Audience
	// KindOf is the kind of a command by id, the first word of its notation; empty if it is of none. Whoever looks for
	// one kind in a list asks this.
	KindOf(c C) string
	// Describe says what a command does and touches, for boards and menus.
	Describe(p P, seat Seat, c C) Description
	// EncodeCommand makes the protobuf message of a command.
	EncodeCommand(p P, c C) proto.Message
	// DecodeCommand reads the protobuf message of a command. It refuses what names no piece or
	// space, or cannot be read.
	DecodeCommand(p P, m proto.Message) (C, *Refusal)
	// FormatCommand writes a command in the ruleset's notation: one line, its kind first.
	FormatCommand(p P, c C) string
	// ParseCommand reads the notation of a command, in the spelling of FormatCommand and friendlier ones.
	ParseCommand(p P, text string) (C, *Refusal)

	// FormatPosition writes the whole position, secrets included, in the ruleset's canonical notation.
	FormatPosition(p P) string
	// ParsePosition reads that notation. Parsing what was printed gives an equal position.
	ParsePosition(sc Scenario, text string) (P, error)

	// NewEvent is an empty event to decode into.
	NewEvent() E
	// Narrate tells an event in a sentence; an empty key means that there is nothing to tell. It may use names of the
	// scenario and nothing else of the position, so that a log can be told without replaying it.
	Narrate(sc Scenario, e E) Text
	// Map is what does not change of the board. Nobody may change it: the same is given to others.
	Map(sc Scenario, lang Lang) *boardv1.Map
	// Board draws the position for a viewer, without the map and without the kernel's part (ruleset,
	// scenario, prompts, ending).
	Board(p P, v Viewer, lang Lang) *boardv1.Board
	// View is the typed position as the viewer may see it.
	View(p P, v Viewer) proto.Message
}

// Lister is a referee that lists faster for whoever lists again and again.
type Lister[P Position[P], C any] interface {
	// List appends to a list what Legal yields, in the same order. The memo is what List gave along with an earlier
	// list, of any position of the ruleset, or nil; it makes no difference to the list.
	List(p P, seat Seat, f Filter, list []C, memo any) ([]C, any)
}

// Document is a scenario document that comes with a ruleset.
type Document struct {
	// ID of the scenario.
	ID string
	// Data is the document, JSON in the ruleset's schema.
	Data []byte
}

// Decision is something that the game waits for, or an offer that may be made meanwhile.
type Decision struct {
	// Seat that decides.
	Seat Seat
	// Kind is a key of the ruleset.
	Kind string
	// Text asks the question.
	Text Text
	// Rules are the paragraphs that govern it.
	Rules []string
	// Pieces and Spaces are ids that the question is about.
	Pieces, Spaces []string
	// Optional is true for an offer: the game goes on without it.
	Optional bool
	// Discreet is true if it may be a secret whether the seat has a choice: programs do not answer it for a player.
	Discreet bool
	// Audience is who may know that it is asked, and about what.
	Audience Audience
}

// Ending says how a game ended.
type Ending struct {
	// Winners, empty for a draw.
	Winners Seats
	// Level of the result, a key of the ruleset.
	Level string
	// Scores of seats that have one.
	Scores map[Seat]int
	// Text says it in words.
	Text Text
}

// Filter narrows a list of legal commands. Empty fields let everything pass. Ids are those of the board.
type Filter struct {
	// Kind of command.
	Kind string
	// Piece that must act.
	Piece string
	// Space that the command must aim at.
	Space string
}

// Description says what a command does and touches.
type Description struct {
	// Kind of command.
	Kind string
	// Label in words.
	Label Text
	// Pieces that act.
	Pieces []string
	// Spaces that it aims at, the destination last.
	Spaces []string
	// Cost in words, empty key if free.
	Cost Text
	// Forgoes is true if the command gives up whatever else the seat could still do, such as ending a segment. Clients
	// ask before they send it.
	Forgoes bool
	// Lot is what is bought, without a verb if the command buys nothing that can be bought together with other things.
	Lot Lot
	// Idle is true if nothing comes of the command before it could be given as well later, such as fuel where nothing
	// moves. Clients that pass segments in which nothing can be done do not mind it.
	Idle bool
}

// Lot is one thing that can be bought, or lost, together with others. The notation for several is the verb, then the
// number and the thing of each.
type Lot struct {
	Verb, Thing string
	Name        Text
	// Price of one, and Purse that there is to spend.
	Price, Purse int
	// Kinds is how many different things one command may hold.
	Kinds int
	// Most is how many there may be of this thing, 0 for as many as can be paid; Suggested is how many to begin with.
	Most, Suggested int
	// Due is true if all of the purse is to be used: it holds hits, not money.
	Due bool
}

// Fits reports whether a described command passes the filter. Rulesets use it where they cannot tell sooner.
func (f Filter) Fits(d Description) bool {
	return (f.Kind == "" || f.Kind == d.Kind) && holds(d.Pieces, f.Piece) && holds(d.Spaces, f.Space)
}

func holds(ids []string, id string) bool {
	if id == "" {
		return true
	}
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}
