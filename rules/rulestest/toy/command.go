package toy

import (
	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Kind is a kind of command.
type Kind uint8

// The kinds, in the order in which commands are listed.
const (
	KindPlan Kind = iota
	KindMove
	KindAttack
	KindScout
	KindRally
	KindLose
	KindRetreat
	KindAdvance
	KindHold
	KindEnd
	KindDraw
	KindAccept
	KindConcede
	numKinds
)

// kinds says of each kind what its notation begins with, which question it answers, and which words follow.
var kinds = [numKinds]struct {
	id      string
	answers question // askNothing for an offer
	words   []word
}{
	KindPlan:    {"plan", askPlan, []word{wordHex}},
	KindMove:    {"move", askAct, []word{wordUnit, wordHex}},
	KindAttack:  {"attack", askAct, []word{wordUnit, wordTarget}},
	KindScout:   {"scout", askAct, nil},
	KindRally:   {"rally", askAct, []word{wordUnit, wordSteps}},
	KindLose:    {"lose", askLoss, nil},
	KindRetreat: {"retreat", askLoss, []word{wordHex}},
	KindAdvance: {"advance", askPursuit, nil},
	KindHold:    {"hold", askPursuit, nil},
	KindEnd:     {"end", askAct, nil},
	KindDraw:    {"draw", askNothing, nil},
	KindAccept:  {"accept", askNothing, nil},
	KindConcede: {"concede", askNothing, nil},
}

// word is a word of a command's notation after its kind.
type word uint8

// The words.
const (
	wordUnit word = iota
	wordTarget
	wordHex
	wordSteps
)

func (k Kind) offer() bool { return kinds[k].answers == askNothing }

func commandKinds() []rules.CommandKind {
	var list []rules.CommandKind
	for k := range kinds {
		c := rules.CommandKind{ID: kinds[k].id, Offer: Kind(k).offer()}
		if Kind(k) == KindRally {
			c.Generating = true
			c.Note = "The list restores one step at a time; several at once come to the same."
		}
		list = append(list, c)
	}
	return list
}

// Command is what a seat asks for. Fields that its kind does not use are zero.
type Command struct {
	Kind         Kind
	Unit, Target Unit
	Hex          hex.Index
	Steps        uint8
}

// EncodeCommand makes the message of a command.
func (Referee) EncodeCommand(p *State, c Command) proto.Message {
	sc := p.sc
	m := &toyv1.Command{}
	switch c.Kind {
	case KindPlan:
		m.Command = &toyv1.Command_Plan{Plan: &toyv1.Plan{Hex: sc.hexID(c.Hex)}}
	case KindMove:
		m.Command = &toyv1.Command_Move{Move: &toyv1.Move{Unit: sc.unitID(c.Unit), To: sc.hexID(c.Hex)}}
	case KindAttack:
		m.Command = &toyv1.Command_Attack{Attack: &toyv1.Attack{Unit: sc.unitID(c.Unit), Target: sc.unitID(c.Target)}}
	case KindScout:
		m.Command = &toyv1.Command_Scout{Scout: &toyv1.Scout{}}
	case KindRally:
		m.Command = &toyv1.Command_Rally{Rally: &toyv1.Rally{Unit: sc.unitID(c.Unit), Steps: uint32(c.Steps)}}
	case KindLose:
		m.Command = &toyv1.Command_Lose{Lose: &toyv1.Lose{}}
	case KindRetreat:
		m.Command = &toyv1.Command_Retreat{Retreat: &toyv1.Retreat{To: sc.hexID(c.Hex)}}
	case KindAdvance:
		m.Command = &toyv1.Command_Advance{Advance: &toyv1.Advance{}}
	case KindHold:
		m.Command = &toyv1.Command_Hold{Hold: &toyv1.Hold{}}
	case KindEnd:
		m.Command = &toyv1.Command_End{End: &toyv1.End{}}
	case KindDraw:
		m.Command = &toyv1.Command_OfferDraw{OfferDraw: &toyv1.OfferDraw{}}
	case KindAccept:
		m.Command = &toyv1.Command_AcceptDraw{AcceptDraw: &toyv1.AcceptDraw{}}
	case KindConcede:
		m.Command = &toyv1.Command_Concede{Concede: &toyv1.Concede{}}
	}
	return m
}

// DecodeCommand reads the message of a command. It refuses what names no unit or hex of the scenario.
func (Referee) DecodeCommand(p *State, m proto.Message) (Command, *rules.Refusal) {
	msg, ok := m.(*toyv1.Command)
	if !ok {
		return Command{}, rules.Malformed("expected a %T, not a %T", msg, m)
	}
	r := reader{sc: p.sc}
	var c Command
	switch m := msg.GetCommand().(type) {
	case *toyv1.Command_Plan:
		c = Command{Kind: KindPlan, Hex: r.hex(m.Plan.GetHex())}
	case *toyv1.Command_Move:
		c = Command{Kind: KindMove, Unit: r.unit(m.Move.GetUnit()), Hex: r.hex(m.Move.GetTo())}
	case *toyv1.Command_Attack:
		c = Command{Kind: KindAttack, Unit: r.unit(m.Attack.GetUnit()), Target: r.unit(m.Attack.GetTarget())}
	case *toyv1.Command_Scout:
		c = Command{Kind: KindScout}
	case *toyv1.Command_Rally:
		c = Command{Kind: KindRally, Unit: r.unit(m.Rally.GetUnit()), Steps: r.steps(m.Rally.GetSteps())}
	case *toyv1.Command_Lose:
		c = Command{Kind: KindLose}
	case *toyv1.Command_Retreat:
		c = Command{Kind: KindRetreat, Hex: r.hex(m.Retreat.GetTo())}
	case *toyv1.Command_Advance:
		c = Command{Kind: KindAdvance}
	case *toyv1.Command_Hold:
		c = Command{Kind: KindHold}
	case *toyv1.Command_End:
		c = Command{Kind: KindEnd}
	case *toyv1.Command_OfferDraw:
		c = Command{Kind: KindDraw}
	case *toyv1.Command_AcceptDraw:
		c = Command{Kind: KindAccept}
	case *toyv1.Command_Concede:
		c = Command{Kind: KindConcede}
	default:
		return Command{}, rules.Malformed("the command has no kind")
	}
	if r.refusal != nil {
		return Command{}, r.refusal
	}
	return c, nil
}

// reader reads ids from outside and keeps the first refusal.
type reader struct {
	sc      *Scenario
	refusal *rules.Refusal
}

func (r *reader) refuse(x *rules.Refusal) {
	if r.refusal == nil {
		r.refusal = x
	}
}

func (r *reader) hex(id string) hex.Index {
	at, err := r.sc.board.ByID(id)
	if err != nil {
		r.refuse(rules.Malformed("%v", err).For(rules.ReasonUnknownSpace).At(id))
		return 0
	}
	return at
}

func (r *reader) unit(id string) Unit {
	u, ok := r.sc.unitByID(id)
	if !ok {
		r.refuse(rules.Malformed("the scenario has no unit %.40q", id).For(rules.ReasonUnknownPiece).About(id))
		return 0
	}
	return u
}

func (r *reader) steps(n uint32) uint8 {
	if n < 1 || n > maxSteps {
		r.refuse(rules.Malformed("steps must be 1 to %d, not %d", maxSteps, n))
		return 0
	}
	return uint8(n)
}
