package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/render"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// CreateGame begins a game.
func (s *gameServer) CreateGame(ctx context.Context, req *v1.CreateGameRequest) (*v1.CreateGameResponse, error) {
	c, err := s.readCreation(ctx, req)
	if err != nil {
		return nil, err
	}
	if c.owner, err = s.newOwner(ctx); err != nil {
		return nil, err
	}
	id := tokens.GameID(c.request)
	note(ctx).game, note(ctx).request = id, tokens.BlindID(c.request)
	err = s.createGame(ctx, id, c)
	var conflict *eventstore.ConflictError
	if err != nil && !errors.As(err, &conflict) {
		return nil, err
	}
	// Whoever stored it, this call or an earlier one, the answer is read from what is stored.
	l, done, err := s.games.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m := l.Current()
	if !ownedBy(m.Meta, c.owner) {
		return nil, live.Reused(1)
	}
	token := tokens.Owner(m.Meta.TokenSecret, c.request)
	if made, err := s.made(ctx, l, c); err != nil || !made ||
		!tokens.Same(tokens.HashOf(token), m.Meta.OwnerTokenHash) {
		return nil, cmp.Or(err, live.Reused(1))
	}
	note(ctx).version = m.Version()
	return &v1.CreateGameResponse{Game: render.Game(m, l, rules.Spectator, rules.English), OwnerToken: token}, nil
}

func (s *gameServer) readCreation(ctx context.Context, req *v1.CreateGameRequest) (*creation, error) {
	var sh shape
	c := &creation{dice: req.GetDice(), title: req.GetTitle(), manual: req.GetManualDice(),
		join: sh.joinPolicy("join_policy", req.GetJoinPolicy())}
	c.join = cmp.Or(c.join, logv1.JoinPolicy_JOIN_POLICY_OPEN)
	c.request = sh.secretRequest("request_id", req.GetRequestId())
	ruleset := sh.ruleset("ruleset", req.GetRuleset())
	sh.text("title", c.title, live.MaxTitle)
	sh.dice("manual_dice", c.manual)
	c.deadlines = sh.deadlines("deadlines", req.GetDeadlines(), c.dice == logv1.DiceKind_DICE_KIND_MANUAL)
	sh.size("scenario_document", len(req.GetScenarioDocument()), maxDocument)
	sh.id("scenario", req.GetScenario())
	if len(req.GetOptions()) > maxOptions {
		sh.faults.Add("options", "%d options, at most %d are allowed", len(req.GetOptions()), maxOptions)
	}
	switch {
	case req.GetSource() == nil:
		sh.faults.Add("source", "expected a scenario or a scenario_document")
	case c.dice == logv1.DiceKind_DICE_KIND_UNSPECIFIED:
		c.dice = logv1.DiceKind_DICE_KIND_COMMITTED
	case !throwsDice(c.dice) && c.dice != logv1.DiceKind_DICE_KIND_MANUAL:
		sh.faults.Add("dice", "%d is no kind of dice", c.dice)
	}
	c.mutual = sh.mutualDice("mutual_dice", req.GetMutualDice(), c.dice)
	if err := sh.err(); err != nil {
		return nil, err
	}
	if len(c.manual) > 0 && c.dice != logv1.DiceKind_DICE_KIND_MANUAL {
		return nil, diceUnexpected()
	}
	var err error
	if c.set, err = s.ruleset(ruleset); err != nil {
		return nil, err
	}
	if err = c.readOptions(req.GetOptions()); err != nil {
		return nil, err
	}
	return c, s.readScenario(ctx, c, req)
}

// readOptions checks each option by itself, so that all faults are told at once, each under its name.
func (c *creation) readOptions(given map[string]string) error {
	about := c.set.About()
	var faults fault.Violations
	for _, id := range slices.Sorted(maps.Keys(given)) {
		if _, err := about.NewOptions(map[string]string{id: given[id]}); err != nil {
			faults.Add("options."+clip(id), "%s", strings.TrimPrefix(err.Error(), "options: "))
		}
	}
	if err := faults.Err(fault.OptionInvalid); err != nil {
		return err
	}
	var err error
	c.options, err = about.NewOptions(given)
	return err
}

func (s *Service) readScenario(ctx context.Context, c *creation, req *v1.CreateGameRequest) (err error) {
	if doc, ok := req.GetSource().(*v1.CreateGameRequest_ScenarioDocument); ok {
		return s.readDocument(ctx, c, doc.ScenarioDocument)
	}
	for _, d := range c.set.ScenarioDocuments() {
		if d.ID == req.GetScenario() {
			c.document, c.given = d.Data, d.Data
			c.sc, err = s.ours(c.set, d)
			return err
		}
	}
	return scenarioNotFound(c.set.About().Name, req.GetScenario())
}

// readDocument loads a document that the caller sent. It reports faults by their places in the document as sent.
func (s *Service) readDocument(ctx context.Context, c *creation, given []byte) error {
	c.given = given
	var faults rules.Faults
	if err := s.scenarios.Loading(ctx, len(given), func() {
		c.document = s.scenarios.Shipped.Canonical(c.set, given)
		key := documents.KeyOf(c.set, ledger.ScenarioDigest(c.document))
		if bytes.Equal(given, c.document) {
			if l := s.scenarios.Find(key); l != nil && !l.Tolerated {
				c.sc = l
				return
			}
		}
		// The canonical form has lost some faults, such as a repeated field.
		var sc rules.Scenario
		if sc, faults = c.set.LoadScenario(given); !faults.Refused() {
			c.sc = s.scenarios.Keep(key, sc, len(c.document), s.scenarios.Shipped.Has(c.set, c.document), false)
		}
	}); err != nil {
		return err
	}
	return scenarioFaults("scenario_document", faults)
}

// scenarioFaults makes an error of the faults of a document, if any is more than a warning.
func scenarioFaults(field string, faults rules.Faults) error {
	if !faults.Refused() {
		return nil
	}
	const most = 200 // a document that is something else altogether has a fault in every line
	var v fault.Violations
	for _, f := range faults {
		switch {
		case f.Warning:
		case len(v) == most:
			v.Add(field, "%d faults in all", len(faults))
			return v.Err(fault.ScenarioInvalid)
		case f.Path == "":
			v.Add(field, "%s", f.What)
		default:
			v.Add(field+"."+f.Path, "%s", f.What)
		}
	}
	return v.Err(fault.ScenarioInvalid)
}
