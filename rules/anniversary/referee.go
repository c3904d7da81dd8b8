package anniversary

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// New is the ruleset.
func New() rules.Ruleset { return rules.Adapt[*Position, Command, *event](referee{}) }

// referee is the ruleset in its own types.
type referee struct {
	kit.Shows[*Position, *Scenario, Command]
	kit.Speaks[*Position, *phrase, Command]
}

func (referee) About() *rules.About { return about }

func (referee) ScenarioDocuments() []rules.Document { return documents() }

func (referee) LoadScenario(doc []byte) (rules.Scenario, rules.Faults) {
	sc, faults := LoadScenario(doc)
	if sc == nil {
		return nil, faults
	}
	return sc, faults
}

func (referee) New(sc rules.Scenario, o rules.Options) *Position {
	return setup(sc.(*Scenario), newOptions(o))
}

func (referee) Check(p *Position, seat rules.Seat, c Command) *rules.Refusal {
	return p.check(seat, &c)
}

func (referee) Play(x *exec, seat rules.Seat, c Command) { x.Pos.play(x, seat, &c) }

func (referee) Step(x *exec) bool {
	p := x.Pos
	if p.over() {
		return false
	}
	if ask, _ := p.ask(); ask != AskNothing {
		return false
	}
	p.stepOn(x)
	return true
}

func (referee) NewEvent() *event { return &event{} }

func (referee) Evolve(p *Position, e *event) error { return p.evolve(e) }

func (referee) Waiting(p *Position) rules.Seats {
	_, seats := p.ask()
	return seats
}

func (referee) Layers(known *Position, v rules.Viewer, lang rules.Lang) []*boardv1.Layer {
	return known.layers(v, lang)
}

func (referee) Ranges(known *Position, v rules.Viewer, of rules.Ranged, lang rules.Lang) []*boardv1.Layer {
	return known.ranges(v, of, lang)
}

func (referee) Turn(p *Position) int { return int(p.round) }

func (referee) Alphabet(sc rules.Scenario) int { return sc.(*Scenario).alphabet() }

func (referee) Arrange(_ *Position, list []Command, ranks []int) { order(ranks).arrange(list) }

func (referee) List(p *Position, seat rules.Seat, f rules.Filter, list []Command, known any) ([]Command, any) {
	return p.list(seat, f, list, known)
}

// CommandAudience hides standing orders: they are their seat's secret.
func (referee) CommandAudience(_ *Position, seat rules.Seat, c Command) rules.Audience {
	if c.Kind == KindStanding {
		return rules.OnlySeats(seat)
	}
	return rules.Everyone
}

func (referee) Forces(p *Position) rules.Seat { return p.noChoice() }

func (referee) Forced(x *exec, seat rules.Seat, _ Command) { x.Pos.forced(x, seat) }

func (referee) ParseCommand(p *Position, text string) (Command, *rules.Refusal) {
	return p.parseCommand(text)
}

func (referee) FormatPosition(p *Position) string { return p.format() }

func (referee) ParsePosition(sc rules.Scenario, text string) (*Position, error) {
	own, ok := sc.(*Scenario)
	if !ok {
		return nil, fmt.Errorf("anniversary: a %T is no scenario of anniversary", sc)
	}
	return parsePosition(own, text)
}

func (referee) Narrate(sc rules.Scenario, e *event) rules.Text { return teller.Tell(sc.(*Scenario), e) }

func (referee) Recount(p *Position, e *event) rules.Text { return p.recount(e) }

func (referee) View(p *Position, v rules.Viewer) proto.Message { return p.view(v) }

func (referee) Battle(p *Position, e rules.BattleEntry, s rules.Study) (*rules.Battle, rules.Faults) {
	return p.calculate(e, s)
}

// AssumedOrders is the assumption that others have no standing orders.
func (referee) AssumedOrders() string { return assumedOrders }

func (referee) Policies() []rules.Policy { return policies }
