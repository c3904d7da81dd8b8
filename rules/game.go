package rules

import (
	"crypto/sha256"
	"iter"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/dice"
)

// Ruleset is a referee with its types hidden: what the service knows.
type Ruleset interface {
	// About says what it is.
	About() *About
	// ScenarioDocuments are the documents that come with it.
	ScenarioDocuments() []Document
	// LoadScenario reads a document and reports all faults at once. The scenario is nil if any is fatal.
	LoadScenario(doc []byte) (Scenario, Faults)
	// New is a game before its first event.
	New(sc Scenario, o Options) Game
	// ParsePosition reads the canonical notation of a position.
	ParsePosition(sc Scenario, text string) (Game, error)
	// Map is what does not change of the board. Nobody may change it: the same is given to others.
	Map(sc Scenario, lang Lang) *boardv1.Map
	// Alphabet is how many of the map's first spaces stand in the order of their English names: see [Alphabetical].
	Alphabet(sc Scenario) int
	// Narrate tells an encoded event in a sentence; empty if there is nothing to tell or it cannot be read.
	Narrate(sc Scenario, lang Lang, event []byte) string
	// Recounts reports whether [Game.Recount] tells more than Narrate: whether the referee is a [Recounter].
	Recounts() bool
	// Policies by which previews make the choices within forecasts; none if the ruleset makes no forecasts.
	Policies() []Policy
	// CalculatesBattles reports whether its referee is a [Calculator].
	CalculatesBattles() bool
	// HasSecrets reports whether its rules hide anything from anybody: whether its referee is a [Hider].
	HasSecrets() bool
	// Tensors says what the numbers of [Game.Observe] and [Game.Rows] mean; nil if the ruleset writes none.
	Tensors(sc Scenario) *Tensors
	// NewEvent and NewCommand are empty messages to decode into.
	NewEvent() proto.Message
	NewCommand() proto.Message
}

// Command is a command of some ruleset in its own type. The zero value means none.
type Command struct{ c any }

// Listing is a list of legal commands that has not been spelt out yet.
type Listing interface {
	// Len is the number of commands.
	Len() int
	// At is the command at a place, from 0.
	At(i int) Command
}

// Game is a position with its referee. It is not safe for concurrent change; any number may read
// one that nobody changes.
type Game interface {
	// Ruleset that referees it.
	Ruleset() Ruleset
	// Scenario that it is played from.
	Scenario() Scenario
	// Clone is an independent copy.
	Clone() Game

	// Start takes the automatic steps of a new game up to the first decision, in place. It does the same for a
	// position that was read in an automatic phase; until then such a position waits for nobody.
	Start(src dice.Source) (*Outcome, error)
	// Check says why a command would be refused; nil if it would not. The error is a *Refusal.
	Check(seat Seat, c Command) error
	// Play carries out a command on a copy and leaves the receiver as it was. The error is a *Refusal or the source's.
	Play(seat Seat, c Command, src dice.Source) (Game, *Outcome, error)
	// Apply carries out a command in place, adding to out. After an error that is no *Refusal the game is spoiled.
	Apply(seat Seat, c Command, src dice.Source, out *Outcome) error
	// Preview says what a command would do, as far as its seat knows: positions that differ only in what is hidden from
	// the seat have equal previews. The error is a *Refusal, the same as of Check, or that of the study's Stop.
	Preview(seat Seat, c Command, s Study) (*Preview, error)
	// Battle computes the odds of a battle, from the position as the viewer knows it; nil without a [Calculator].
	Battle(v Viewer, e BattleEntry, s Study) (*Battle, Faults)
	// Known is a copy of the position as a viewer knows it: what is hidden from it has values that do not depend
	// on what it is, as the assumptions say. Positions that differ only in that are known alike. What searches
	// for a seat begins here.
	Known(v Viewer) (Game, []Text)
	// Fold folds an encoded event into the position. After an error the game is spoiled.
	Fold(event []byte) error
	// Recount tells the encoded event that comes next: as Narrate of the ruleset does, with what the position adds.
	Recount(lang Lang, event []byte) string

	// Waiting is the set of seats that must decide.
	Waiting() Seats
	// Decisions says what is asked and what may be offered.
	Decisions() []Decision
	// Ending says how it ended; nil while it goes on.
	Ending() *Ending
	// Turn is the game turn.
	Turn() int
	// Legal yields the legal commands of a seat; none after the end.
	Legal(seat Seat, f Filter) iter.Seq[Command]
	// List collects them, reusing the memory of an earlier listing of this game or its clones; reuse may be nil.
	List(seat Seat, f Filter, reuse Listing) Listing
	// Answers is List without offers.
	Answers(seat Seat, reuse Listing) Listing

	// Arrange puts a list into the order that it has where the spaces of the alphabet stand at other places, which the
	// ranks give. Nothing happens for a ruleset without an alphabet.
	Arrange(list Listing, ranks []int)

	// Observe writes what a seat knows into planes and scalars, as large as the ruleset's Tensors say.
	Observe(seat Seat, planes, scalars []int16)
	// Rows appends a row of numbers for each command of a seat's list.
	Rows(seat Seat, list Listing, rows []int16) []int16

	// CommandAudience is who may see the command in the log.
	CommandAudience(seat Seat, c Command) Audience
	// KindOf is the kind of a command by id; empty if it is of none.
	KindOf(c Command) string
	// Describe says what a command does. Payment says how a legal command may be paid for; nil if there is no choice.
	Describe(seat Seat, c Command) Description
	Payment(seat Seat, c Command) *Payment
	// EncodeCommand, DecodeCommand, FormatCommand and ParseCommand turn commands into messages and notation and back.
	EncodeCommand(c Command) proto.Message
	DecodeCommand(m proto.Message) (Command, error)
	FormatCommand(c Command) string
	ParseCommand(text string) (Command, error)

	// Notation is the whole position in canonical text, secrets included.
	Notation() string
	// Hash of the position: SHA-256 over its notation.
	Hash() [32]byte
	// Board draws the position for a viewer, with prompts and ending but without the map. Layers follow from it.
	Board(v Viewer, lang Lang) *boardv1.Board
	Layers(v Viewer, lang Lang) []*boardv1.Layer
	// Ranges is how far pieces reach, and who threatens a space.
	Ranges(v Viewer, of Ranged, lang Lang) []*boardv1.Layer
	// View is the typed position for a viewer.
	View(v Viewer) proto.Message
}

// Adapt hides the types of a referee.
func Adapt[P Position[P], C any, E proto.Message](ref Referee[P, C, E]) Ruleset {
	return &ruleset[P, C, E]{ref: ref, lays: newLayouts(ref.NewEvent())}
}

type ruleset[P Position[P], C any, E proto.Message] struct {
	ref  Referee[P, C, E]
	lays *layouts
}

func (r *ruleset[P, C, E]) About() *About                 { return r.ref.About() }
func (r *ruleset[P, C, E]) ScenarioDocuments() []Document { return r.ref.ScenarioDocuments() }
func (r *ruleset[P, C, E]) LoadScenario(doc []byte) (Scenario, Faults) {
	return r.ref.LoadScenario(doc)
}
func (r *ruleset[P, C, E]) New(sc Scenario, o Options) Game {
	return &game[P, C, E]{set: r, sc: sc, pos: r.ref.New(sc, o)}
}

func (r *ruleset[P, C, E]) ParsePosition(sc Scenario, text string) (Game, error) {
	p, err := r.ref.ParsePosition(sc, text)
	if err != nil {
		return nil, err
	}
	return &game[P, C, E]{set: r, sc: sc, pos: p}, nil
}

func (r *ruleset[P, C, E]) Map(sc Scenario, lang Lang) *boardv1.Map { return r.ref.Map(sc, lang) }

func (r *ruleset[P, C, E]) Narrate(sc Scenario, lang Lang, event []byte) string {
	e := r.ref.NewEvent()
	if proto.Unmarshal(event, e) != nil {
		return ""
	}
	return r.worded(lang, r.ref.Narrate(sc, e))
}

func (r *ruleset[P, C, E]) Policies() []Policy {
	if f, ok := r.ref.(Forecaster[P, C]); ok {
		return f.Policies()
	}
	return nil
}

func (r *ruleset[P, C, E]) HasSecrets() bool {
	_, hides := r.ref.(Hider[P])
	return hides
}

func (r *ruleset[P, C, E]) NewEvent() proto.Message { return r.ref.NewEvent() }
func (r *ruleset[P, C, E]) NewCommand() proto.Message {
	return r.ref.About().CommandType.ProtoReflect().New().Interface()
}

type game[P Position[P], C any, E proto.Message] struct {
	set *ruleset[P, C, E]
	sc  Scenario
	pos P
	// stored decodes what Fold is given; nil before the first.
	stored *decoder[E]
}

func (g *game[P, C, E]) Ruleset() Ruleset   { return g.set }
func (g *game[P, C, E]) Scenario() Scenario { return g.sc }
func (g *game[P, C, E]) Clone() Game {
	return &game[P, C, E]{set: g.set, sc: g.sc, pos: g.pos.Clone()}
}

func (g *game[P, C, E]) Start(src dice.Source) (*Outcome, error) {
	out := new(Outcome)
	if err := Start(g.set.ref, g.pos, src, out); err != nil {
		return nil, err
	}
	return out, nil
}

func (g *game[P, C, E]) Check(seat Seat, c Command) error {
	own, ok := c.c.(C)
	if !ok {
		return foreign()
	}
	if r := check(g.set.ref, g.pos, seat, own); r != nil {
		return g.refused(r, seat)
	}
	return nil
}

func (g *game[P, C, E]) Play(seat Seat, c Command, src dice.Source) (Game, *Outcome, error) {
	next, out := g.Clone(), new(Outcome)
	if err := next.Apply(seat, c, src, out); err != nil {
		return nil, nil, err
	}
	return next, out, nil
}

func (g *game[P, C, E]) Apply(seat Seat, c Command, src dice.Source, out *Outcome) error {
	own, ok := c.c.(C)
	if !ok {
		return foreign()
	}
	err := Play(g.set.ref, g.pos, seat, own, src, out)
	if r, ok := err.(*Refusal); ok {
		return g.refused(r, seat)
	}
	return err
}

func (g *game[P, C, E]) Preview(seat Seat, c Command, s Study) (*Preview, error) {
	own, ok := c.c.(C)
	if !ok {
		return nil, foreign()
	}
	out, err := preview(g.set.ref, g.sc, g.pos, seat, own, s)
	if r, ok := err.(*Refusal); ok {
		return nil, g.refused(r, seat)
	}
	return out, err
}

func (g *game[P, C, E]) Known(v Viewer) (Game, []Text) {
	pos, assumed := known(g.set.ref, g.pos, v)
	return &game[P, C, E]{set: g.set, sc: g.sc, pos: pos}, assumed
}

// refused puts a refusal into words, with what is asked where that is the matter.
func (g *game[P, C, E]) refused(r *Refusal, seat Seat) *Refusal {
	c := g.worded(r)
	if c.Reason == ReasonNotYourDecision {
		for _, d := range g.Decisions() {
			if !d.Optional && SeatViewer(seat).MaySee(d.Audience) {
				c.Asked = append(c.Asked, d)
			}
		}
	}
	return c
}

// worded puts a refusal's text into English words, at the edge. The referee may use the refusal again,
// so that it is a copy.
func (g *game[P, C, E]) worded(r *Refusal) *Refusal {
	c := *r
	if c.Words == "" {
		c.Words = g.set.ref.About().Catalogue.Format(English, c.Text)
	}
	return &c
}

func foreign() *Refusal { return Malformed("the command is not one of this ruleset") }

func (g *game[P, C, E]) Fold(event []byte) error {
	if g.stored == nil {
		g.stored = newDecoder(g.set.ref.NewEvent, g.set.lays)
	}
	e, err := g.stored.decode(event)
	if err != nil {
		return err
	}
	return g.set.ref.Evolve(g.pos, e)
}

func (g *game[P, C, E]) Waiting() Seats        { return g.set.ref.Waiting(g.pos) }
func (g *game[P, C, E]) Decisions() []Decision { return g.set.ref.Decisions(g.pos) }
func (g *game[P, C, E]) Ending() *Ending       { return g.set.ref.Ending(g.pos) }
func (g *game[P, C, E]) Turn() int             { return g.set.ref.Turn(g.pos) }

func (g *game[P, C, E]) CommandAudience(seat Seat, c Command) Audience {
	own, ok := c.c.(C)
	if !ok {
		return AuditorOnly
	}
	return g.set.ref.CommandAudience(g.pos, seat, own)
}

func (g *game[P, C, E]) KindOf(c Command) string {
	own, ok := c.c.(C)
	if !ok {
		return ""
	}
	return g.set.ref.KindOf(own)
}

func (g *game[P, C, E]) Describe(seat Seat, c Command) Description {
	own, ok := c.c.(C)
	if !ok {
		return Description{}
	}
	return g.set.ref.Describe(g.pos, seat, own)
}

func (g *game[P, C, E]) EncodeCommand(c Command) proto.Message {
	own, ok := c.c.(C)
	if !ok {
		return nil
	}
	return g.set.ref.EncodeCommand(g.pos, own)
}

func (g *game[P, C, E]) DecodeCommand(m proto.Message) (Command, error) {
	c, r := g.set.ref.DecodeCommand(g.pos, m)
	if r != nil {
		return Command{}, g.worded(r)
	}
	return Command{c}, nil
}

func (g *game[P, C, E]) FormatCommand(c Command) string {
	own, ok := c.c.(C)
	if !ok {
		return ""
	}
	return g.set.ref.FormatCommand(g.pos, own)
}

func (g *game[P, C, E]) ParseCommand(text string) (Command, error) {
	c, r := g.set.ref.ParseCommand(g.pos, text)
	if r != nil {
		return Command{}, g.worded(r)
	}
	return Command{c}, nil
}

func (g *game[P, C, E]) Notation() string { return g.set.ref.FormatPosition(g.pos) }
func (g *game[P, C, E]) Hash() [32]byte   { return sha256.Sum256([]byte(g.Notation())) }

func (g *game[P, C, E]) View(v Viewer) proto.Message { return g.set.ref.View(g.pos, v) }

func (g *game[P, C, E]) Board(v Viewer, lang Lang) *boardv1.Board {
	about := g.set.ref.About()
	b := g.set.ref.Board(g.pos, v, lang)
	b.Ruleset, b.Scenario = about.Name, g.sc.ScenarioID()
	for i, s := range about.Seats {
		b.Seats = append(b.Seats,
			&boardv1.SeatView{Id: about.SeatID(Seat(i)), Name: about.Catalogue.Format(lang, Text{Key: s.Key}),
				Color: s.Color})
	}
	if c := b.Clock; c != nil && about.PhaseKey != "" {
		for _, id := range c.Phases {
			c.PhaseNames = append(c.PhaseNames, about.Catalogue.Format(lang, Text{Key: about.PhaseKey + id}))
		}
	}
	b.Prompts = Prompts(about, g.Decisions(), v, lang)
	if e := g.Ending(); e != nil {
		b.Ending = EndingMessage(about, e, lang)
	}
	return b
}
