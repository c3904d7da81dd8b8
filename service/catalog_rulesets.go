package service

import (
	"context"
	"encoding/hex"
	"strings"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/alphabet"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/ledger"
)

func (s *Service) ruleset(id string) (rules.Ruleset, error) {
	set, ok := s.registry.Find(id)
	if ok {
		return set, nil
	}
	var known []string
	for _, r := range s.registry.All() {
		known = append(known, r.About().Name)
	}
	list := strings.Join(known, ",")
	return nil, fault.New(fault.RulesetNotFound, "there is no ruleset %q, expected one of %s", id, list).
		With("ruleset", id, "known", list).Resource("ruleset", "rulesets/"+id)
}

func scenarioNotFound(ruleset, scenario string) error {
	scenario = clip(scenario)
	return fault.New(fault.ScenarioNotFound, "the ruleset %s comes with no scenario %q", ruleset, scenario).
		With("scenario", scenario, "ruleset", ruleset).Resource("scenario", "rulesets/"+ruleset+"/scenarios/"+scenario)
}

// ListRulesets lists the rulesets of this server.
func (s *catalogServer) ListRulesets(_ context.Context, req *v1.ListRulesetsRequest) (*v1.ListRulesetsResponse, error) {
	var sh shape
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	out := new(v1.ListRulesetsResponse)
	for _, set := range s.rulesets(lang) {
		out.Rulesets = append(out.Rulesets, describe(set, lang))
	}
	return out, nil
}

// rulesets are those of this server: by id, and in another language than English as its readers sort the titles.
func (s *Service) rulesets(lang rules.Lang) []rules.Ruleset {
	if documents.NativeOrder(lang) {
		return s.registry.All()
	}
	if kept, ok := s.titles.Load(lang); ok {
		return kept.([]rules.Ruleset)
	}
	all := s.registry.All()
	alphabet.Sort(string(lang), all, func(set rules.Ruleset) alphabet.Name {
		about := set.About()
		title := about.Title.In(lang)
		return alphabet.Name{Text: title, Reading: about.Readings.Of(title)}
	})
	s.titles.Store(lang, all)
	return all
}

// GetRuleset gives one ruleset.
func (s *catalogServer) GetRuleset(_ context.Context, req *v1.GetRulesetRequest) (*v1.GetRulesetResponse, error) {
	var sh shape
	id := sh.ruleset("name", req.GetName())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	return &v1.GetRulesetResponse{Ruleset: describe(set, lang)}, nil
}

func describe(set rules.Ruleset, lang rules.Lang) *v1.Ruleset {
	a := set.About()
	say := func(key string) string { return a.Catalogue.Format(lang, rules.Text{Key: key}) }
	out := &v1.Ruleset{
		Name: "rulesets/" + a.Name, Title: a.Title.In(lang), Description: a.Description.In(lang), Version: a.Version,
		Phases:      a.Phases,
		CommandType: string(a.CommandType.ProtoReflect().Descriptor().FullName()),
		EventType:   string(a.EventType.ProtoReflect().Descriptor().FullName()),
		HasSecrets:  set.HasSecrets(), CalculatesBattles: set.CalculatesBattles(),
	}
	for _, seat := range a.Seats {
		out.Seats = append(out.Seats,
			&v1.SeatInfo{Id: seat.ID, Title: say(seat.Key), Color: seat.Color, Side: seat.Side})
	}
	for _, o := range a.Options {
		out.Options = append(out.Options,
			&v1.OptionInfo{Id: o.ID, Description: say(o.Key), Rule: o.Rule, Values: o.Values})
	}
	for _, c := range a.Commands {
		out.Commands = append(out.Commands,
			&v1.CommandInfo{Id: c.ID, Note: c.Note, Offer: c.Offer, Generating: c.Generating})
	}
	if s := a.Standing; s.Kind != "" {
		out.StandingOrders = &v1.StandingOrdersInfo{Kind: s.Kind, Usual: s.Usual, None: s.None}
	}
	for _, p := range set.Policies() {
		info := &v1.PolicyInfo{Id: p.ID, Description: say(p.Key)}
		for _, value := range p.Values {
			info.Values = append(info.Values, &v1.PolicyValue{Value: value.Value, Description: say(value.Key)})
		}
		out.Policies = append(out.Policies, info)
	}
	return out
}

// ListScenarios lists the scenarios that come with a ruleset.
func (s *catalogServer) ListScenarios(
	_ context.Context, req *v1.ListScenariosRequest,
) (*v1.ListScenariosResponse, error) {
	var sh shape
	id := sh.ruleset("parent", req.GetParent())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	out := new(v1.ListScenariosResponse)
	for _, d := range set.ScenarioDocuments() {
		sc, err := s.ours(set, d)
		if err != nil {
			return nil, err
		}
		out.Scenarios = append(out.Scenarios, describeScenario(id, sc.Rules, s.scenarios.Shipped.Digest(set, d), lang))
	}
	return out, nil
}

// ours loads a scenario that comes with a ruleset. The registry has loaded it before, so it is valid.
func (s *Service) ours(set rules.Ruleset, d rules.Document) (*documents.Loaded, error) {
	key := documents.KeyOf(set, s.scenarios.Shipped.Digest(set, d))
	if l := s.scenarios.Find(key); l != nil {
		return l, nil
	}
	sc, faults := set.LoadScenario(d.Data)
	if faults.Fatal() {
		return nil, scenarioFaults("document", faults)
	}
	return s.scenarios.Keep(key, sc, len(d.Data), true, false), nil
}

func describeScenario(ruleset string, sc rules.Scenario, digest ledger.Hash, lang rules.Lang) *v1.Scenario {
	out := &v1.Scenario{
		Name: "rulesets/" + ruleset + "/scenarios/" + sc.ScenarioID(), Title: sc.ScenarioTitle(lang),
		Description: sc.ScenarioAbout(lang), Digest: hex.EncodeToString(digest[:]),
	}
	if timed, ok := sc.(rules.Timed); ok {
		out.Turns = int32(timed.ScenarioTurns())
	}
	return out
}

// GetScenario gives a scenario's document and map.
func (s *catalogServer) GetScenario(ctx context.Context, req *v1.GetScenarioRequest) (*v1.GetScenarioResponse, error) {
	var sh shape
	id, scenario := sh.scenario("name", req.GetName())
	lang := sh.language("language_code", req.GetLanguageCode())
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	for _, d := range set.ScenarioDocuments() {
		if d.ID != scenario {
			continue
		}
		sc, err := s.ours(set, d)
		if err != nil {
			return nil, err
		}
		out := &v1.GetScenarioResponse{
			Scenario: describeScenario(id, sc.Rules, s.scenarios.Shipped.Digest(set, d), lang), Document: d.Data,
		}
		if req.GetIncludeMap() {
			s.admission.Charge(ctx, mapCost)
			out.Map = sc.Map(set, lang)
		}
		return out, nil
	}
	return nil, scenarioNotFound(id, scenario)
}

// ValidateScenario reports everything wrong with a document.
func (s *catalogServer) ValidateScenario(
	ctx context.Context, req *v1.ValidateScenarioRequest,
) (*v1.ValidateScenarioResponse, error) {
	var sh shape
	id := sh.ruleset("parent", req.GetParent())
	sh.size("document", len(req.GetDocument()), maxDocument)
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	var faults rules.Faults
	if err := s.scenarios.Loading(ctx,
		len(req.GetDocument()), func() { _, faults = set.LoadScenario(req.GetDocument()) }); err != nil {
		return nil, err
	}
	out := &v1.ValidateScenarioResponse{Playable: !faults.Refused()}
	for _, f := range faults {
		out.Faults = append(out.Faults, &v1.ScenarioFault{
			Path: strings.ToValidUTF8(f.Path, "\uFFFD"), Message: strings.ToValidUTF8(f.What, "\uFFFD"),
			Warning: f.Warning,
		})
	}
	return out, nil
}

// ListRules lists the paragraphs of a rulebook.
func (s *catalogServer) ListRules(_ context.Context, req *v1.ListRulesRequest) (*v1.ListRulesResponse, error) {
	var sh shape
	id, lang := sh.ruleset("parent", req.GetParent()), sh.language("language_code", req.GetLanguageCode())
	size := sh.page("page_size", req.GetPageSize(), 200, 1000)
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	at, err := pageStart(req.GetPageToken(), "rules", id)
	if err != nil {
		return nil, err
	}
	var first uint64
	book := set.About().Rulebook
	all := book.Paragraphs
	if at != "" && (!pageValues(at, &first) || first > uint64(len(all))) {
		return nil, fault.New(fault.PageTokenInvalid, "the page token does not belong to this rulebook")
	}
	page := all[first:min(first+uint64(size), uint64(len(all)))]
	out := new(v1.ListRulesResponse)
	for _, p := range page {
		p = book.In(lang, p)
		out.Rules = append(out.Rules, &v1.Rule{Id: p.ID, Title: p.Title, Kind: string(p.Kind), Summary: p.Summary})
	}
	if next := first + uint64(len(page)); next < uint64(len(all)) {
		out.NextPageToken = pageToken(pageNumbers(next), "rules", id)
	}
	return out, nil
}

// GetRule gives one paragraph.
func (s *catalogServer) GetRule(_ context.Context, req *v1.GetRuleRequest) (*v1.GetRuleResponse, error) {
	var sh shape
	id, lang := sh.ruleset("parent", req.GetParent()), sh.language("language_code", req.GetLanguageCode())
	sh.id("id", req.GetId())
	if err := sh.err(); err != nil {
		return nil, err
	}
	set, err := s.ruleset(id)
	if err != nil {
		return nil, err
	}
	p, ok := set.About().Rulebook.Find(req.GetId())
	if !ok {
		return nil, fault.New(fault.RuleNotFound, "the rulebook of %s has no paragraph %q", id, clip(req.GetId())).
			With("rule", clip(req.GetId()), "ruleset", id).Resource("rule", clip(req.GetId()))
	}
	p = set.About().Rulebook.In(lang, p)
	return &v1.GetRuleResponse{
		Rule: &v1.Rule{Id: p.ID, Title: p.Title, Kind: string(p.Kind), Summary: p.Summary, Text: p.Text},
	}, nil
}
