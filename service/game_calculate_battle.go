package service

import (
	"context"
	"slices"
	"strconv"
	"time"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/tracing"
)

// maxEntered bounds the numbers, traits and losses of a side.
const maxEntered = 100

// CalculateBattle computes the odds of a battle. It reads the position as the viewer knows it, and nothing else.
func (s *gameServer) CalculateBattle(
	ctx context.Context, req *v1.CalculateBattleRequest,
) (*v1.CalculateBattleResponse, error) {
	id, lang, entry, err := readBattle(req)
	if err != nil {
		return nil, err
	}
	note(ctx).game = id
	see, done, err := s.look(ctx, v1.GameService_CalculateBattle_FullMethodName, id, req.GetViewer(), req.GetVersion(),
		lang)
	if err != nil {
		return nil, err
	}
	defer done()
	if !see.visit.Ruleset.CalculatesBattles() {
		return nil, fault.New(fault.NoCalculator, "the ruleset %s has no battle calculator",
			see.visit.About.Name).With("ruleset", see.visit.About.Name)
	}
	policies, err := see.visit.policies(req.GetPolicies())
	if err != nil {
		return nil, err
	}
	b, err := s.calculate(ctx, see, entry, policies)
	if err != nil {
		return nil, err
	}
	return &v1.CalculateBattleResponse{
		Version: see.shown, Form: see.visit.battleForm(b), Forecast: see.visit.forecast(&b.Forecast, policies),
	}, nil
}

// readBattle checks a request.
func readBattle(req *v1.CalculateBattleRequest) (id string, lang rules.Lang, e rules.BattleEntry, err error) {
	var sh shape
	id = sh.game("name", req.GetName())
	sh.id("viewer", req.GetViewer())
	sh.id("space", req.GetSpace())
	sh.id("kind", req.GetKind())
	lang = sh.language("language_code", req.GetLanguageCode())
	if len(req.GetPolicies()) > maxPolicies {
		sh.faults.Add("policies", "%d of them, at most %d are allowed", len(req.GetPolicies()), maxPolicies)
	}
	e = rules.BattleEntry{Space: req.GetSpace(), Kind: req.GetKind()}
	e.Attacker = sh.battleForce("attacker", req.GetAttacker())
	e.Defender = sh.battleForce("defender", req.GetDefender())
	return id, lang, e, sh.err()
}

// battleForce reads a side. Its numbers are in the order of their ids.
func (s *shape) battleForce(field string, f *v1.BattleForce) rules.BattleForce {
	out := rules.BattleForce{Party: f.GetParty(), Entered: f.GetEntered()}
	s.id(field+".party", f.GetParty())
	if n := len(f.GetNumbers()) + len(f.GetTraits()) + len(f.GetLosses()); n > maxEntered {
		s.faults.Add(field, "%d numbers, traits and losses, at most %d are allowed", n, maxEntered)
		return out
	}
	for id, n := range f.GetNumbers() {
		s.id(field+".numbers", id)
		out.Numbers = append(out.Numbers, rules.Count{ID: id, N: int(n)})
	}
	slices.SortFunc(out.Numbers, func(a, b rules.Count) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	for i, id := range f.GetTraits() {
		s.id(field+".traits["+strconv.Itoa(i)+"]", id)
	}
	for i, id := range f.GetLosses() {
		s.id(field+".losses["+strconv.Itoa(i)+"]", id)
	}
	out.Traits, out.Losses = f.GetTraits(), f.GetLosses()
	return out
}

// calculate computes the odds, as soon as fewer previews than the limit are under way.
func (s *Service) calculate(
	ctx context.Context, see *sight, e rules.BattleEntry, policies rules.Policies,
) (*rules.Battle, error) {
	select {
	case s.previews <- struct{}{}:
		defer func() { <-s.previews }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err // it waited too long
	}
	ctx, end := tracing.Span(ctx, "battle")
	begun := time.Now()
	b, faults := see.game.Battle(see.viewer, e, rules.Study{Policies: policies, Stop: ctx.Err})
	s.metrics.previewed(time.Since(begun))
	var sh shape
	for _, f := range faults {
		sh.faults.Add(f.Path, "%s", f.What)
	}
	err := sh.err()
	end(err)
	return b, err
}

// battleForm puts a battle into a message.
func (v *visit) battleForm(b *rules.Battle) *v1.BattleForm {
	return &v1.BattleForm{
		Space: b.Space, Kind: b.Kind, Kinds: v.battleChoices(b.Kinds),
		Attacker: v.battleSide(&b.Attacker), Defender: v.battleSide(&b.Defender),
	}
}

func (v *visit) battleChoices(list []rules.BattleChoice) (out []*v1.BattleChoice) {
	for _, c := range list {
		out = append(out, &v1.BattleChoice{Id: c.ID, Title: v.text(c.Title)})
	}
	return out
}

func (v *visit) battleSide(s *rules.BattleSide) *v1.BattleFormSide {
	out := &v1.BattleFormSide{Party: s.Party, Parties: v.battleChoices(s.Parties)}
	for _, n := range s.Numbers {
		out.Numbers = append(out.Numbers, &v1.BattleNumber{
			Id: n.ID, Title: v.text(n.Title), Value: int32(n.Value), There: int32(n.There), WithinReach: int32(n.Reach),
			Most: int32(n.Most), CanBeLost: n.Lost,
		})
	}
	for _, t := range s.Traits {
		out.Traits = append(out.Traits, &v1.BattleTrait{Id: t.ID, Title: v.text(t.Title), On: t.On})
	}
	return out
}
