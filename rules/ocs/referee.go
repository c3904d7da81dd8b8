package ocs

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// New is the ruleset.
func New() rules.Ruleset { return rules.Adapt[*Position, Command, *event](referee{}) }

// referee is the ruleset in its own types.
type referee struct {
	kit.Shows[*Position, *Scenario, Command]
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
	return newPosition(sc.(*Scenario), newOptions(o))
}

func (referee) Check(p *Position, seat rules.Seat, c Command) *rules.Refusal {
	return p.check(seat, &c)
}

func (referee) Play(x *exec, seat rules.Seat, c Command) {
	rule, _ := ruleOf(c.Kind)
	rule.play(x.Pos, x, seat, &c)
}

func (referee) Step(x *exec) bool {
	p := x.Pos
	if p.over() {
		return false
	}
	if ask, seats := p.ask(); ask != AskNothing {
		return p.followOrders(x, ask, seats)
	}
	p.stepOn(x)
	return true
}

func (referee) Evolve(p *Position, e *event) error { return p.evolve(e) }

func (referee) Waiting(p *Position) rules.Seats {
	_, seats := p.ask()
	return seats
}

func (referee) Turn(p *Position) int { return int(p.turn) }

func (referee) List(p *Position, seat rules.Seat, f rules.Filter, list []Command, memo any) ([]Command, any) {
	return p.list(seat, f, list, memo)
}

func (referee) Payment(p *Position, seat rules.Seat, c Command) *rules.Payment {
	return p.Payment(seat, c)
}

func (referee) CommandAudience(p *Position, seat rules.Seat, c Command) rules.Audience {
	return p.commandAudience(seat, &c)
}

func (referee) KindOf(c Command) string { return kinds.ID(int(c.Kind)) }

func (referee) EncodeCommand(p *Position, c Command) proto.Message { return p.encode(c) }

func (referee) DecodeCommand(p *Position, m proto.Message) (Command, *rules.Refusal) {
	own, ok := m.(*ocsv1.Command)
	if !ok {
		return Command{}, rules.Malformed("a %T is not a command of ocs", m)
	}
	return p.decode(own)
}

func (referee) FormatCommand(p *Position, c Command) string { return p.formatCommand(c) }

func (referee) ParseCommand(p *Position, text string) (Command, *rules.Refusal) {
	return p.parseCommand(text)
}

func (referee) FormatPosition(p *Position) string { return p.format() }

func (referee) ParsePosition(sc rules.Scenario, text string) (*Position, error) {
	own, ok := sc.(*Scenario)
	if !ok {
		return nil, fmt.Errorf("ocs: a %T is no scenario of ocs", sc)
	}
	return parsePosition(own, text)
}

func (referee) NewEvent() *event { return &event{} }

func (referee) Narrate(sc rules.Scenario, e *event) rules.Text { return narrate(sc.(*Scenario), e) }

func (referee) Layers(known *Position, v rules.Viewer, lang rules.Lang) []*boardv1.Layer {
	return known.layers(v, lang)
}

func (referee) Ranges(known *Position, v rules.Viewer, of rules.Ranged, lang rules.Lang) []*boardv1.Layer {
	return known.ranges(v, of, lang)
}

func (referee) Policies() []rules.Policy { return policies }

func (referee) View(p *Position, v rules.Viewer) proto.Message { return p.view(v) }
