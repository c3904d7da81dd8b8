package service_test

import (
	"bytes"
	"context"
	"errors"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

func TestUnknownThings(t *testing.T) {
	t.Parallel()
	h := open(t)
	nowhere := "games/" + strings.Repeat("a", 26)
	create := func(change func(*v1.CreateGameRequest)) error {
		req := &v1.CreateGameRequest{RequestId: id(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}}
		change(req)
		return second(h.games.CreateGame(as(), req))
	}
	for name, c := range map[string]struct {
		err    error
		reason fault.Reason
	}{
		"ruleset": {create(func(r *v1.CreateGameRequest) { r.Ruleset = "rulesets/chess" }),
			fault.RulesetNotFound},
		"scenario": {
			create(func(r *v1.CreateGameRequest) { r.Source = &v1.CreateGameRequest_Scenario{Scenario: "moon"} }),
			fault.ScenarioNotFound,
		},
		"catalog ruleset": {second(h.catalog.GetRuleset(as(), &v1.GetRulesetRequest{Name: "rulesets/chess"})),
			fault.RulesetNotFound},
		"catalog scenario": {
			second(h.catalog.GetScenario(as(), &v1.GetScenarioRequest{Name: "rulesets/toy/scenarios/moon"})),
			fault.ScenarioNotFound,
		},
		"rule": {second(h.catalog.GetRule(as(), &v1.GetRuleRequest{Parent: "rulesets/toy", Id: "TY 99"})),
			fault.RuleNotFound},
		"game":  {second(h.games.GetGame(as(), &v1.GetGameRequest{Name: nowhere})), fault.GameNotFound},
		"board": {second(h.games.GetBoard(as(), &v1.GetBoardRequest{Name: nowhere})), fault.GameNotFound},
		"seat": {second(h.games.TakeSeat(as(),
			&v1.TakeSeatRequest{Name: h.create().name, Seat: "green", RequestId: id()})), fault.SeatNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, c.err, codes.NotFound, c.reason)
			if info := detail[*errdetails.ResourceInfo](status.Convert(c.err)); info == nil || info.ResourceName == "" {
				t.Errorf("no ResourceInfo in %v", c.err)
			}
		})
	}
}

// violations are the fields that an error complains about.
func violations(err error) (fields []string) {
	for _, v := range detail[*errdetails.BadRequest](status.Convert(err)).GetFieldViolations() {
		fields = append(fields, v.Field)
	}
	return fields
}

func TestAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	_, err := h.games.CreateGame(as(), &v1.CreateGameRequest{
		RequestId: "7", Ruleset: "toy", Title: strings.Repeat("x", 201) + "\n", Dice: 9,
		ManualDice: make([]uint32, 1001),
		Source:     &v1.CreateGameRequest_Scenario{Scenario: strings.Repeat("y", 101)},
	})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	equal(t, "fields", violations(err),
		[]string{"request_id", "ruleset", "title", "title", "manual_dice", "scenario", "dice"})

	_, err = h.games.CreateGame(as(), &v1.CreateGameRequest{
		RequestId: id(), Ruleset: "rulesets/toy", Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		Options: map[string]string{"pursuit": "maybe", "length": "short", "fog": "true"},
	})
	wantError(t, err, codes.InvalidArgument, fault.OptionInvalid)
	equal(t, "fields", violations(err), []string{"options.fog", "options.pursuit"})

	_, err = h.games.SubmitCommand(as(), &v1.SubmitCommandRequest{Name: "x", LanguageCode: "zxx"})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	equal(t, "fields", violations(err), []string{"name", "command_id", "language_code", "form"})

	// Ids that anybody could guess open no tokens.
	_, err = h.games.CreateGame(as(), &v1.CreateGameRequest{
		RequestId: "6ba7b810-9dad-11d1-80b4-00c04fd430c8", Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
	})
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
}

func (h *host) document(scenario string) []byte {
	h.t.Helper()
	out, err := h.catalog.GetScenario(as(),
		&v1.GetScenarioRequest{Name: "rulesets/toy/scenarios/" + scenario, IncludeMap: true})
	must(h.t, err)
	if len(out.Map.GetSpaces()) == 0 {
		h.t.Error("the map is empty")
	}
	return out.Document
}

func TestScenarioOfOnesOwn(t *testing.T) {
	t.Parallel()
	h := open(t)
	own := bytes.ReplaceAll(h.document("ford"), []byte(`"id": "ford"`), []byte(`"id": "my-ford"`))
	g := h.seated(func(r *v1.CreateGameRequest) {
		r.Source = &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: own}
	})
	if s := g.game().Scenario; s != "my-ford" {
		t.Errorf("scenario %q", s)
	}
	g.play(2000, 4)
	wantSoundLog(t, g)

	faulty := bytes.ReplaceAll(own, []byte(`"hex": "0101"`), []byte(`"hex": "0999"`))
	faulty = bytes.ReplaceAll(faulty, []byte(`"turns": 3`), []byte(`"turns": 0`))
	_, err := h.games.CreateGame(as(), &v1.CreateGameRequest{
		RequestId: id(), Ruleset: "rulesets/toy",
		Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: faulty},
	})
	wantError(t, err, codes.InvalidArgument, fault.ScenarioInvalid)
	fields := violations(err)
	checked, err := h.catalog.ValidateScenario(as(),
		&v1.ValidateScenarioRequest{Parent: "rulesets/toy", Document: faulty})
	must(t, err)
	if checked.Playable || len(checked.Faults) != len(fields) || len(fields) < 2 ||
		!strings.HasPrefix(fields[0], "scenario_document.") {
		t.Errorf("faults %v, fields %v", checked, fields)
	}
	for _, doc := range [][]byte{nil, []byte("{"), []byte("null"), bytes.Repeat([]byte("["), 1<<20), own[:len(own)/2]} {
		_, err := h.games.CreateGame(as(), &v1.CreateGameRequest{
			RequestId: id(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: doc},
		})
		wantError(t, err, codes.InvalidArgument, fault.ScenarioInvalid)
	}
}

func TestOversized(t *testing.T) {
	t.Parallel()
	h := open(t)
	create := func(size int) error {
		return second(h.games.CreateGame(as(), &v1.CreateGameRequest{
			RequestId: id(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_ScenarioDocument{ScenarioDocument: make([]byte, size)},
		}))
	}
	wantError(t, create(4<<20), codes.InvalidArgument, fault.ScenarioInvalid)
	wantError(t, create(4<<20+1), codes.InvalidArgument, fault.ValidationFailed)
	if err := create(6 << 20); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("6 MiB: %v", err)
	}
	g := h.seated()
	wantError(t, second(g.games.SubmitCommand(as(g.red), g.command(strings.Repeat("x", 5000)))), codes.InvalidArgument,
		fault.ValidationFailed)
	taken := &v1.TakeSeatRequest{Name: g.name, Seat: "red", RequestId: id(), Entropy: make([]byte, 65),
		Holder: strings.Repeat("é", 81)}
	_, err := h.games.TakeSeat(as(), taken)
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	equal(t, "fields", violations(err), []string{"holder", "entropy"})
}

func TestPageTokens(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := redBegins(h)
	first, err := g.games.ListLegalActions(as(g.red), &v1.ListLegalActionsRequest{Name: g.name, PageSize: 3})
	must(t, err)
	whole := g.legal(g.red)
	var paged []string
	for page := first; ; {
		for _, a := range page.Actions {
			paged = append(paged, a.Command)
		}
		if page.NextPageToken == "" {
			break
		}
		page, err = g.games.ListLegalActions(as(g.red),
			&v1.ListLegalActionsRequest{Name: g.name, PageSize: 3, PageToken: page.NextPageToken})
		must(t, err)
	}
	var all []string
	for _, a := range whole.Actions {
		all = append(all, a.Command)
	}
	equal(t, "pages", paged, all)
	if int(whole.TotalSize) != len(all) || whole.Version != 5 {
		t.Errorf("total %d, version %d", whole.TotalSize, whole.Version)
	}
	other := &v1.ListLegalActionsRequest{Name: g.name, PageToken: first.NextPageToken, Kind: "move"}
	wantError(t, second(g.games.ListLegalActions(as(g.red), other)), codes.InvalidArgument, fault.PageTokenInvalid)
	g.do(g.red, "move r2 0304")
	other.Kind = ""
	wantError(t, second(g.games.ListLegalActions(as(g.red), other)), codes.Aborted, fault.VersionConflict)

	records, err := g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, PageSize: 1})
	must(t, err)
	for name, err := range map[string]error{
		"tree": second(g.games.ListRecords(as(),
			&v1.ListRecordsRequest{Name: g.name, WholeTree: true, PageToken: records.NextPageToken})),
		"noise": second(g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, PageToken: "!"})),
		"games": second(g.games.ListGames(as(), &v1.ListGamesRequest{PageToken: records.NextPageToken})),
		"rules": second(h.catalog.ListRules(as(),
			&v1.ListRulesRequest{Parent: "rulesets/toy", PageToken: records.NextPageToken})),
	} {
		t.Run(name, func(t *testing.T) { wantError(t, err, codes.InvalidArgument, fault.PageTokenInvalid) })
	}
}

func TestListGames(t *testing.T) {
	t.Parallel()
	h := open(t)
	names := map[string]*table{}
	for range 7 {
		g := h.seated()
		names[g.name] = g
	}
	free, over := h.create(), h.seated()
	must(t, second(h.games.CloseGame(as(over.owner), &v1.CloseGameRequest{Name: over.name, RequestId: id()})))
	list := func(req *v1.ListGamesRequest) (found map[string]*v1.Game) {
		found = map[string]*v1.Game{}
		for req.PageSize = 2; ; {
			out, err := h.games.ListGames(as(), req)
			must(t, err)
			for _, g := range out.Games {
				found[g.Name] = g
			}
			if req.PageToken = out.NextPageToken; req.PageToken == "" {
				return found
			}
		}
	}
	if all := list(&v1.ListGamesRequest{}); len(all) != 9 || all[over.name].Ending.GetText() == "" {
		t.Errorf("%d games", len(all))
	}
	for _, size := range []int32{9, 50} {
		out, err := h.games.ListGames(as(), &v1.ListGamesRequest{PageSize: size})
		if must(t, err); len(out.Games) != 9 || out.NextPageToken != "" {
			t.Errorf("a page of %d that holds all games: %d games, next page %q",
				size, len(out.Games), out.NextPageToken)
		}
	}
	if open := list(&v1.ListGamesRequest{OpenSeatsOnly: true}); len(open) != 1 || open[free.name] == nil {
		t.Errorf("games with free seats: %v", open)
	}
	if running := list(&v1.ListGamesRequest{RunningOnly: true, Ruleset: "rulesets/toy"}); len(running) != 8 ||
		running[over.name] != nil {
		t.Errorf("%d running games", len(running))
	}
	if none := list(&v1.ListGamesRequest{Ruleset: "rulesets/chess"}); len(none) != 0 {
		t.Errorf("games of another ruleset: %v", none)
	}
	for name, g := range names {
		full, short := g.game(), list(&v1.ListGamesRequest{})[name]
		full.Options, full.Dice, full.DiceCommitment, full.ScenarioDigest, full.RulesVersion, full.DiceFormat = nil, 0,
			"", "", 0, 0
		equal(t, "a listed game", short, full)
		break
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	h := open(t)
	sets, err := h.catalog.ListRulesets(as(), &v1.ListRulesetsRequest{LanguageCode: "ja"})
	must(t, err)
	one, err := h.catalog.GetRuleset(as(), &v1.GetRulesetRequest{Name: "rulesets/toy", LanguageCode: "ja"})
	must(t, err)
	equal(t, "ruleset", one.Ruleset, sets.Rulesets[0])
	if one.Ruleset.Title != "前哨" || one.Ruleset.Seats[0].Title != "赤軍" ||
		one.Ruleset.CommandType != "warledger.toy.v1.Command" {
		t.Errorf("got %v", one.Ruleset)
	}
	scenarios, err := h.catalog.ListScenarios(as(), &v1.ListScenariosRequest{Parent: one.Ruleset.Name})
	must(t, err)
	for _, s := range scenarios.Scenarios {
		full, err := h.catalog.GetScenario(as(), &v1.GetScenarioRequest{Name: s.Name})
		must(t, err)
		equal(t, "scenario", full.Scenario, s)
		if want := map[string]int32{"ridge": 4, "ford": 3}[path.Base(s.Name)]; s.Turns != want {
			t.Errorf("%s takes %d turns, want %d", s.Name, s.Turns, want)
		}
	}
	var ids []string
	for token := ""; ; {
		page, err := h.catalog.ListRules(as(),
			&v1.ListRulesRequest{Parent: one.Ruleset.Name, PageSize: 5, PageToken: token})
		must(t, err)
		for _, r := range page.Rules {
			ids = append(ids, r.Id)
			rule, err := h.catalog.GetRule(as(), &v1.GetRuleRequest{Parent: one.Ruleset.Name, Id: r.Id})
			must(t, err)
			if rule.Rule.Title != r.Title {
				t.Errorf("got %v, want %v", rule, r)
			}
			ruleInJapanese(t, h, one.Ruleset.Name, r)
		}
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	if len(ids) != 23 || ids[0] != "TY 1.1" {
		t.Errorf("rules %v", ids)
	}
}

// ruleInJapanese looks at a rule of the toy in Japanese, alone and in the list.
func ruleInJapanese(t *testing.T, h *host, ruleset string, english *v1.Rule) {
	t.Helper()
	rule, err := h.catalog.GetRule(as(), &v1.GetRuleRequest{Parent: ruleset, Id: english.Id, LanguageCode: "ja-JP"})
	must(t, err)
	page, err := h.catalog.ListRules(as(), &v1.ListRulesRequest{Parent: ruleset, LanguageCode: "ja"})
	must(t, err)
	for _, r := range page.Rules {
		if r.Id == english.Id {
			equal(t, "rule", rule.Rule, r)
		}
	}
	if rule.Rule.Kind != english.Kind || rule.Rule.Title == english.Title || rule.Rule.Summary == english.Summary {
		t.Errorf("in Japanese %s is %v", english.Id, rule.Rule)
	}
}

// troubled is a store whose appends fail as a test wants.
type troubled struct {
	*memory.Store
	fail atomic.Pointer[trouble]
}

type trouble struct {
	err error
	// stored is true if the append is stored all the same.
	stored bool
}

func (s *troubled) Append(ctx context.Context, a eventstore.Append) error {
	t := s.fail.Swap(nil)
	if t == nil {
		return s.Store.Append(ctx, a)
	}
	if t.stored {
		if err := s.Store.Append(ctx, a); err != nil {
			return err
		}
	}
	return t.err
}

func TestTroubleWithTheStore(t *testing.T) {
	t.Parallel()
	doubt := errors.Join(eventstore.ErrUncertain, eventstore.ErrIO)
	for name, c := range map[string]struct {
		trouble trouble
		code    codes.Code
		reason  fault.Reason
	}{
		"full":              {trouble{err: eventstore.ErrFull}, codes.ResourceExhausted, fault.StoreFull},
		"read-only":         {trouble{err: eventstore.ErrReadOnly}, codes.Unavailable, fault.StoreReadOnly},
		"failing":           {trouble{err: eventstore.ErrIO}, codes.Unavailable, fault.StoreFailed},
		"in doubt":          {trouble{err: doubt}, codes.Unavailable, fault.StoreFailed},
		"in doubt, stored":  {trouble{err: doubt, stored: true}, codes.Unavailable, fault.StoreFailed},
		"closed for a time": {trouble{err: eventstore.ErrClosed}, codes.Unavailable, fault.ShuttingDown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &troubled{Store: memory.New()}
			t.Cleanup(func() { must(t, store.Close()) })
			g := redBegins(open(t, func(s *setting) { s.store = store }))
			w := g.watch(after(5))
			w.next()
			req := g.command("move r2 0304")
			store.fail.Store(&c.trouble)
			wantError(t, second(g.games.SubmitCommand(as(g.red), req)), c.code, c.reason)
			// The same request again is stored once, whatever became of the first.
			out, err := g.games.SubmitCommand(as(g.red), req)
			must(t, err)
			if out.Record.Version != 6 || g.game().Version != 6 || g.game().Head != 6 {
				t.Errorf("got %v", out)
			}
			if r := w.record(); r.Version != 6 {
				t.Errorf("the watcher got %v", r)
			}
			g.do(g.red, "end")
			if r := w.record(); r.Version != 7 {
				t.Errorf("the watcher got %v", r)
			}
		})
	}
}

// TestForeignWriter appends behind the service's back, as a second server on a shared log might.
func TestForeignWriter(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	a := redBegins(open(t, func(s *setting) { s.store = store }))
	b := *a
	b.host = open(t, func(s *setting) { s.store = store })
	b.game()
	for range 3 {
		a.do(a.red, "move r2 0304")
		must(t, second(a.undo(a.red, 0, false)))
		out := b.do(b.red, "move r1 0202")
		if out.Record.Parent != 5 && out.Record.Parent != 1 {
			t.Logf("decided on %d", out.Record.Parent)
		}
		must(t, second(b.undo(b.red, 0, false)))
	}
	if v := b.game().Version; v != 17 {
		t.Errorf("version %d, want 17", v)
	}
}

func TestDamagedLog(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	g := redBegins(open(t, func(s *setting) { s.store = store }))
	info, err := store.Head(t.Context(), g.name)
	must(t, err)
	must(t, store.Append(t.Context(), eventstore.Append{
		Stream: g.name, Expected: info.Version,
		Entries: []eventstore.Entry{{Prev: info.Hash, Hash: eventstore.Hash{1}, Data: []byte("noise")}},
	}))
	g.host = open(t, func(s *setting) { s.store = store })
	_, err = g.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})
	if meta := wantError(t, err, codes.DataLoss, fault.LogCorrupt); meta["version"] != "6" {
		t.Errorf("metadata %v", meta)
	}
	if _, err := g.games.ListGames(as(), &v1.ListGamesRequest{}); err != nil {
		t.Errorf("a damaged game hides the others: %v", err)
	}
	if g := g.create().game(); g.Dice != logv1.DiceKind_DICE_KIND_COMMITTED {
		t.Errorf("got %v", g)
	}
}
