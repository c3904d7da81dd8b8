package downfall

import (
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// New is the ruleset.
func New() rules.Ruleset { return rules.Adapt[*Position, Command, *event](referee{}) }

// referee is the ruleset in its own types.
type referee struct{}

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
	return begin(sc.(*Scenario), newOptions(o))
}

func (referee) Check(p *Position, seat rules.Seat, c Command) *rules.Refusal { return p.check(seat, c) }

func (referee) Play(x *exec, seat rules.Seat, c Command) { x.Pos.play(x, seat, c) }

func (referee) Step(x *exec) bool {
	p := x.Pos
	if p.over() {
		return false
	}
	if ask, seat := p.ask(); ask != AskNothing {
		return p.followOrders(x, ask, seat)
	}
	p.stepOn(x)
	return true
}

func (referee) Evolve(p *Position, e *event) error { return p.evolve(e) }

func (referee) Waiting(p *Position) rules.Seats {
	if _, who := p.ask(); who != rules.NoSeat {
		return rules.SeatsOf(who)
	}
	return 0
}

func (referee) Turn(p *Position) int { return int(p.turn) }

func (referee) Legal(p *Position, seat rules.Seat, f rules.Filter, yield func(Command) bool) {
	p.legal(seat, f, yield)
}

func (referee) List(p *Position, seat rules.Seat, f rules.Filter, list []Command, memo any) ([]Command, any) {
	l, ok := memo.(*lister)
	if !ok {
		l = newLister()
	}
	l.list = list
	p.legalTo(seat, f, l)
	list, l.list = l.list, nil
	return list, l
}

func (referee) Decisions(p *Position) []rules.Decision { return p.decisions() }

func (referee) Ending(p *Position) *rules.Ending { return p.ending() }

// CommandAudience hides the commands that hold secrets: plans and orders (Part 3), and standing orders.
func (referee) CommandAudience(_ *Position, seat rules.Seat, c Command) rules.Audience {
	switch c.Kind {
	case KindPlan, KindOrders:
		return usOnly
	case KindStanding:
		return rules.OnlySeats(seat)
	}
	return rules.Everyone
}

func (referee) KindOf(c Command) string { return kinds.ID(int(c.Kind)) }

func (referee) Forces(p *Position) rules.Seat { return p.noChoice() }

func (referee) Forced(x *exec, seat rules.Seat, _ Command) { x.Pos.forced(x, seat) }

func (referee) Describe(p *Position, seat rules.Seat, c Command) rules.Description {
	return p.describe(seat, c)
}

func (referee) EncodeCommand(p *Position, c Command) proto.Message { return p.encode(c) }

func (referee) DecodeCommand(p *Position, m proto.Message) (Command, *rules.Refusal) {
	own, ok := m.(*downfallv1.Command)
	if !ok {
		return Command{}, rules.Malformed("a %T is no command of downfall", m)
	}
	return p.decode(own)
}

func (referee) FormatCommand(p *Position, c Command) string { return p.formatCommand(c) }

func (referee) ParseCommand(p *Position, text string) (Command, *rules.Refusal) {
	return p.parseCommand(text)
}

func (referee) FormatPosition(p *Position) string { return p.format() }

func (referee) ParsePosition(sc rules.Scenario, text string) (*Position, error) {
	return parsePosition(sc.(*Scenario), text)
}

func (referee) NewEvent() *event { return &event{} }

func (referee) Narrate(sc rules.Scenario, e *event) rules.Text { return teller.Tell(sc.(*Scenario), e) }

func (referee) Map(sc rules.Scenario, lang rules.Lang) *boardv1.Map {
	return sc.(*Scenario).boardMap(lang)
}

func (referee) Board(p *Position, v rules.Viewer, lang rules.Lang) *boardv1.Board {
	return p.board(v, lang)
}

func (referee) View(p *Position, v rules.Viewer) proto.Message { return p.view(v) }

func (referee) Known(p *Position, v rules.Viewer) (*Position, []rules.Text) { return p.known(v) }

// AssumedOrders is the assumption that others have no standing orders.
func (referee) AssumedOrders() string { return assumedOrders }

func (referee) Tensors(sc rules.Scenario) *rules.Tensors { return sc.(*Scenario).tensors }

func (referee) Question(p *Position) (number, about int) { return p.question() }

func (referee) Observe(known *Position, seat rules.Seat, planes, scalars []int16) {
	known.observe(seat, planes, scalars)
}

func (referee) Row(p *Position, seat rules.Seat, c Command, row []int16) { p.row(seat, &c, row) }

func (referee) Policies() []rules.Policy { return policies }

func (referee) Forecast(p *Position, seat rules.Seat, c Command, s rules.Study) ([]rules.Forecast, error) {
	return p.forecast(seat, c, s)
}
