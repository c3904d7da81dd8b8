package toy

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Referee is the rules of Outpost in their own types, for code that plays it without the service.
type Referee struct {
	kit.Shows[*State, *Scenario, Command]
	kit.Speaks[*State, *phrase, Command]
}

var _ rules.Referee[*State, Command, *toyv1.Event] = Referee{}

// Ruleset is Outpost for the service.
func Ruleset() rules.Ruleset { return rules.Adapt(Referee{}) }

// About says what the ruleset is.
func (Referee) About() *rules.About { return about }

// ScenarioDocuments are the documents that come with the ruleset.
func (Referee) ScenarioDocuments() []rules.Document { return documents() }

// LoadScenario reads a document and reports everything that a game could trip over.
func (Referee) LoadScenario(data []byte) (rules.Scenario, rules.Faults) {
	sc, faults := loadScenario(data)
	if sc == nil {
		return nil, faults
	}
	return sc, faults
}

// New is the position before the first event.
func (Referee) New(s rules.Scenario, o rules.Options) *State { return newState(s.(*Scenario), o) }

// Check says why a command may not be carried out now.
func (Referee) Check(p *State, seat rules.Seat, c Command) *rules.Refusal { return p.check(seat, c) }

// Play carries out a command that passed Check.
func (Referee) Play(x *exec, seat rules.Seat, c Command) { play(x, seat, c) }

// Step takes the next automatic step, unless somebody must decide.
func (Referee) Step(x *exec) bool {
	if q, _ := x.Pos.asked(); q != askNothing || x.Pos.phase == PhaseOver {
		return false
	}
	stepOn(x)
	return true
}

// Evolve folds an event into the position. It knows no rules: the event states the outcome.
func (Referee) Evolve(p *State, e *toyv1.Event) error {
	f := fold{p: p}
	f.event(e)
	return f.err
}

// Waiting is the set of seats that must decide.
func (Referee) Waiting(p *State) rules.Seats {
	_, seats := p.asked()
	return seats
}

// Turn is the turn, 0 while plans are made.
func (Referee) Turn(p *State) int { return int(p.turn) }

// CommandAudience is who may see the command in the log: a plan is its seat's secret.
func (Referee) CommandAudience(_ *State, seat rules.Seat, c Command) rules.Audience {
	if c.Kind == KindPlan {
		return rules.OnlySeats(seat)
	}
	return rules.Everyone
}

// ParseCommand reads what FormatCommand writes, in any case and spacing.
func (Referee) ParseCommand(p *State, text string) (Command, *rules.Refusal) {
	return grammar.ParseLine(p, text)
}

// FormatPosition writes the whole position.
func (Referee) FormatPosition(p *State) string { return p.format() }

// ParsePosition reads the notation of a position.
func (Referee) ParsePosition(s rules.Scenario, text string) (*State, error) {
	sc, ok := s.(*Scenario)
	if !ok {
		return nil, fmt.Errorf("toy: %T is not a scenario of Outpost", s)
	}
	return parsePosition(sc, text)
}

// NewEvent is an empty event to decode into.
func (Referee) NewEvent() *toyv1.Event { return &toyv1.Event{} }

// Narrate tells an event in a sentence. The ends of attacks and player turns show in what follows.
func (Referee) Narrate(s rules.Scenario, e *toyv1.Event) rules.Text {
	return teller.Tell(s.(*Scenario), e)
}

// Map is what does not change of the board. It is the caller's to keep and change.
func (r Referee) Map(sc rules.Scenario, lang rules.Lang) *boardv1.Map {
	return proto.CloneOf(r.Shows.Map(sc, lang))
}

// View is the typed position as the viewer may see it.
func (Referee) View(p *State, v rules.Viewer) proto.Message { return p.view(v) }

// Policies by which the choices within an attack are made.
func (Referee) Policies() []rules.Policy { return policies }
