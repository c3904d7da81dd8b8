package service

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/unknown"
)

// readCommand reads a command in either form.
func readCommand(g rules.Game, req *v1.SubmitCommandRequest) (rules.Command, error) {
	if f, ok := req.GetForm().(*v1.SubmitCommandRequest_Notation); ok {
		return g.ParseCommand(strings.TrimSpace(f.Notation))
	}
	m, err := commandMessage(g.Ruleset(), req.GetCommand())
	if err != nil {
		return rules.Command{}, err
	}
	return g.DecodeCommand(m)
}

func commandMessage(set rules.Ruleset, a *anypb.Any) (proto.Message, error) {
	m := set.NewCommand()
	if want := m.ProtoReflect().Descriptor().FullName(); a.MessageName() != want {
		return nil, rules.Malformed("the command is a %q, expected a %s", clip(a.GetTypeUrl()), want)
	}
	if err := proto.Unmarshal(a.GetValue(), m); err != nil {
		return nil, rules.Malformed("the command cannot be decoded")
	}
	if f := unknown.InMessage(m.ProtoReflect()); len(f) > 0 {
		return nil, rules.Malformed("the command has a field %s that this server does not know", f[0].Path)
	}
	return m, nil
}

// refused makes an error of what the rules or the dice said.
func (v *visit) refused(err error) error {
	var refusal *rules.Refusal
	if errors.As(err, &refusal) {
		return fault.Refused(v.About, refusal, v.lang)
	}
	if known := fault.Dice(v.About, err); known != nil {
		return known
	}
	return err
}

// payment returns how a command may be paid for; nil if there is no choice.
func (v *visit) payment(g rules.Game, seat rules.Seat, c rules.Command) *boardv1.Payment {
	p := g.Payment(seat, c)
	if p == nil {
		return nil
	}
	out := &boardv1.Payment{Due: int32(p.Due), Unit: v.text(p.Unit), Pattern: p.Pattern, Between: p.Between,
		OneSource: p.OneSource}
	for _, s := range p.Sources {
		out.Sources = append(out.Sources, &boardv1.Source{Space: s.Space, Piece: s.Piece, Name: v.text(s.Name),
			Have: int32(s.Have), Endless: s.Endless, Part: s.Part})
	}
	return out
}

// action is a command with what it touches.
func (v *visit) action(g rules.Game, seat rules.Seat, c rules.Command) *boardv1.Action {
	d := g.Describe(seat, c)
	a := &boardv1.Action{Kind: d.Kind, Label: v.About.Catalogue.Format(v.lang, d.Label), Command: g.FormatCommand(c),
		Pieces: d.Pieces, Spaces: d.Spaces}
	a.Forgoes, a.Idle = d.Forgoes, d.Idle
	if d.Cost.Key != "" {
		a.Cost = v.About.Catalogue.Format(v.lang, d.Cost)
	}
	if l := d.Lot; l.Verb != "" {
		a.Lot = &boardv1.Lot{Verb: l.Verb, Thing: l.Thing, Name: v.About.Catalogue.Format(v.lang, l.Name),
			Price: int32(l.Price), Purse: int32(l.Purse), Kinds: int32(l.Kinds),
			Most: int32(l.Most), Suggested: int32(l.Suggested), Due: l.Due}
	}
	a.Offer, a.Confirm = rules.IsOffer(g, c), rules.NeedsConfirmation(g, c)
	return a
}
