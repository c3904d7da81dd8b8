package service

import (
	"context"
	"math/big"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/tracing"
)

// maxPolicies bounds the policies of a request.
const maxPolicies = 50

// PreviewCommand says what a command would do. It reads the position at the head and nothing else: no dice of the
// game, no secret, no log.
func (s *gameServer) PreviewCommand(
	ctx context.Context, req *v1.PreviewCommandRequest,
) (*v1.PreviewCommandResponse, error) {
	id, lang, form, err := readPreview(req)
	if err != nil {
		return nil, err
	}
	n := note(ctx)
	n.game, n.seat = id, req.GetSeat()
	v, done, err := s.enter(ctx, v1.GameService_PreviewCommand_FullMethodName, id, lang)
	if err != nil {
		return nil, err
	}
	defer done()
	seat, err := v.caller.seat(v.About, req.GetSeat())
	if err != nil {
		return nil, err
	}
	m := v.Current()
	n.seat, n.version = v.About.SeatID(seat), m.Version()
	if want := req.ExpectedVersion; want != nil && !m.StillAsAt(*want, v.caller.acts) {
		return nil, fault.New(fault.VersionConflict, "the game is at version %d, expected %d", m.Version(), *want).
			With("expected", *want, "current", m.Version())
	}
	if m.Table.Over {
		return nil, gameOver()
	}
	if err := m.DiceAwaited(); err != nil {
		return nil, err
	}
	policies, err := v.policies(req.GetPolicies())
	if err != nil {
		return nil, err
	}
	c, err := readCommand(m.Position, form)
	if err != nil {
		return nil, v.refused(err)
	}
	p, err := s.preview(ctx, m, seat, c, policies)
	if err != nil {
		return nil, v.refused(err)
	}
	return v.previewed(m, seat, c, p, policies)
}

// readPreview checks a request and gives its command as SubmitCommand would get it.
func readPreview(req *v1.PreviewCommandRequest) (id string, lang rules.Lang, form *v1.SubmitCommandRequest, err error) {
	var sh shape
	id = sh.game("name", req.GetName())
	sh.id("seat", req.GetSeat())
	lang = sh.language("language_code", req.GetLanguageCode())
	if len(req.GetPolicies()) > maxPolicies {
		sh.faults.Add("policies", "%d of them, at most %d are allowed", len(req.GetPolicies()), maxPolicies)
	}
	form = new(v1.SubmitCommandRequest)
	switch f := req.GetForm().(type) {
	case *v1.PreviewCommandRequest_Notation:
		form.Form = &v1.SubmitCommandRequest_Notation{Notation: f.Notation}
	case *v1.PreviewCommandRequest_Command:
		form.Form = &v1.SubmitCommandRequest_Command{Command: f.Command}
	}
	sh.form(form)
	return id, lang, form, sh.err()
}

// policies completes those of a request.
func (v *visit) policies(given map[string]string) (rules.Policies, error) {
	p, faults := rules.NewPolicies(v.Ruleset.Policies(), given)
	var sh shape
	for _, f := range faults {
		sh.faults.Add("policies["+strconv.Quote(clip(f.ID))+"]", "%s", clip(f.Message))
	}
	return p, sh.err()
}

// preview works a preview out, as soon as fewer than the limit are under way.
func (s *Service) preview(
	ctx context.Context, m *live.Moment, seat rules.Seat, c rules.Command, p rules.Policies,
) (*rules.Preview, error) {
	if err := m.Position.Check(seat, c); err != nil {
		return nil, err // what costs next to nothing does not wait
	}
	select {
	case s.previews <- struct{}{}:
		defer func() { <-s.previews }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, end := tracing.Span(ctx, "preview")
	begun := time.Now()
	out, err := m.Position.Preview(seat, c, rules.Study{Policies: p, Stop: ctx.Err})
	s.metrics.previewed(time.Since(begun))
	end(err)
	return out, err
}

// previewed puts a preview into a message.
func (v *visit) previewed(
	m *live.Moment, seat rules.Seat, c rules.Command, p *rules.Preview, policies rules.Policies,
) (*v1.PreviewCommandResponse, error) {
	out := &v1.PreviewCommandResponse{
		Version: m.Version(), Action: v.action(m.Position, seat, c), Costs: costs(m.Position.Describe(seat, c)),
		Stop: v1.PreviewStop(p.Stop), Assumptions: v.say(p.Assumptions),
	}
	var err error
	if out.Command, err = anypb.New(m.Position.EncodeCommand(c)); err != nil {
		return nil, err
	}
	var on rules.Game // the position before the next event; nil if it is not needed or not known
	if v.Ruleset.Recounts() {
		on = m.Position.Clone()
	}
	for _, e := range p.Events {
		told, err := v.previewEvent(&on, e)
		if err != nil {
			return nil, err
		}
		out.Events = append(out.Events, told)
	}
	if p.Stop == rules.StopDecision {
		out.WaitingFor = live.SeatIDs(v.About, p.Waiting)
	}
	if p.Ending != nil {
		out.Ending = rules.EndingMessage(v.About, p.Ending, v.lang)
	}
	for i := range p.Forecasts {
		out.Forecasts = append(out.Forecasts, v.forecast(&p.Forecasts[i], policies))
	}
	return out, nil
}

// previewEvent tells an event of a preview, and folds it into the position before it. After an event that does not fold
// there is no position, and events are told without one.
func (v *visit) previewEvent(on *rules.Game, e proto.Message) (*v1.PreviewEvent, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		return nil, err
	}
	packed := &anypb.Any{TypeUrl: "type.googleapis.com/" + string(e.ProtoReflect().Descriptor().FullName()),
		Value: data}
	if *on == nil {
		return &v1.PreviewEvent{Event: packed, Narration: v.Ruleset.Narrate(v.Scenario.Rules, v.lang, data)}, nil
	}
	told := &v1.PreviewEvent{Event: packed, Narration: (*on).Recount(v.lang, data)}
	if (*on).Fold(data) != nil {
		*on = nil
	}
	return told, nil
}

// costs are prices in numbers. By convention a price is said with the key "cost." and its currency,
// and its number is "n".
func costs(d rules.Description) (list []*v1.PreviewCost) {
	currency, ok := strings.CutPrefix(d.Cost.Key, "cost.")
	if !ok {
		return nil
	}
	for _, arg := range d.Cost.Args {
		if n, err := strconv.ParseInt(arg.Value, 10, 64); err == nil && arg.Name == "n" {
			list = append(list, &v1.PreviewCost{Currency: currency, Amount: n})
		}
	}
	return list
}

func (v *visit) say(texts []rules.Text) (words []string) {
	for _, t := range texts {
		words = append(words, v.text(t))
	}
	return words
}

func (v *visit) text(t rules.Text) string {
	if t.Key == "" {
		return ""
	}
	return v.About.Catalogue.Format(v.lang, t)
}

// forecast puts a forecast into a message.
func (v *visit) forecast(f *rules.Forecast, policies rules.Policies) *v1.Forecast {
	out := &v1.Forecast{
		Kind: f.Kind, Title: v.text(f.Title), Spaces: f.Spaces, Method: v1.ForecastMethod(f.Method),
		Trials: uint64(max(0, f.Trials)),
		Others: others(f.Others, f.Method), Assumptions: v.say(f.Assumptions),
	}
	for _, o := range f.Outcomes {
		label := v.text(o.Label)
		if label == "" {
			label = strings.Join(v.say(o.Story), " ")
		}
		out.Outcomes = append(out.Outcomes,
			&v1.ForecastOutcome{Id: o.ID, Label: label, Chance: chance(o.Chance, f.Method)})
	}
	for _, d := range f.Distributions {
		out.Distributions = append(out.Distributions, v.distribution(d, f.Method))
	}
	for _, e := range f.Expectations {
		x := &v1.ForecastExpectation{
			Id: e.ID, Title: v.text(e.Title), Seat: v.About.SeatID(e.Seat), Unit: v.text(e.Unit), Value: e.Value,
			Fraction: fraction(e.Exact),
		}
		if f.Method == rules.MethodSampled {
			x.Low, x.High = &e.Low, &e.High
		}
		out.Expectations = append(out.Expectations, x)
	}
	for _, m := range f.Modifiers {
		out.Modifiers = append(out.Modifiers, &v1.ForecastModifier{
			Id: m.ID, Of: v.text(m.Of), Title: v.text(m.Title), Value: m.Value, Seat: v.About.SeatID(m.Seat),
			Pieces: m.Pieces,
		})
	}
	list := v.Ruleset.Policies()
	for _, id := range f.Policies {
		key := policies.Key(list, id)
		out.Policies = append(out.Policies,
			&v1.ForecastPolicy{Id: id, Value: policies.Value(id), Description: v.text(rules.Text{Key: key})})
	}
	return out
}

func (v *visit) distribution(d rules.Distribution, m rules.Method) *v1.ForecastDistribution {
	out := &v1.ForecastDistribution{Id: d.ID, Title: v.text(d.Title), Seat: v.About.SeatID(d.Seat),
		Others: others(d.Others, m)}
	for _, s := range d.Shares {
		share := &v1.ForecastShare{Label: v.text(s.Label), Counts: map[string]int32{}, Chance: chance(s.Chance, m)}
		for _, c := range s.Counts {
			share.Counts[c.ID] = int32(c.N)
		}
		out.Shares = append(out.Shares, share)
	}
	return out
}

// others is the chance of what is left out; nil if nothing is.
func others(l rules.Likelihood, m rules.Method) *v1.ForecastChance {
	if l.Value == 0 {
		return nil
	}
	return chance(l, m)
}

func chance(l rules.Likelihood, m rules.Method) *v1.ForecastChance {
	c := &v1.ForecastChance{Value: l.Value, Fraction: fraction(l.Exact)}
	if m == rules.MethodSampled {
		c.Low, c.High = &l.Low, &l.High
	}
	return c
}

func fraction(r *big.Rat) string {
	if r == nil {
		return ""
	}
	return r.RatString()
}
