package service

import (
	"bytes"
	"cmp"
	"context"
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
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/ledger"
)

func (s *gameServer) readCreation(ctx context.Context, req *v1.CreateGameRequest) (*creation, error) {
	var sh shape
	c := &creation{dice: req.GetDice(), title: req.GetTitle(), manual: req.GetManualDice(), join: sh.joinPolicy("join_policy", req.GetJoinPolicy())}
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

func diceUnexpected() error {
	return fault.New(fault.DiceUnexpected, "the game throws its own dice: expected no manual_dice")
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

// createGame appends the first record of a game. The error is an eventstore.ConflictError if the game exists.
func (s *Service) createGame(ctx context.Context, id string, c *creation) (err error) {
	if _, err := s.store.Head(ctx, streams.Game(id)); err == nil {
		return &eventstore.ConflictError{Stream: streams.Game(id), Current: 1}
	}
	counted, err := s.roomForGame(ctx, c.owner)
	if err != nil {
		return err
	}
	defer func() { counted(err == nil) }()
	meta, err := s.newSecrets(c)
	if err != nil {
		return err
	}
	digest, err := s.scenarios.Put(ctx, c.document, s.admission.Store)
	if err != nil {
		return err
	}
	created := c.created(meta, digest)
	l, err := s.games.NewGame(id, c.set, c.sc, created, meta)
	if err != nil {
		return err
	}
	if created.Deadlines != nil || created.GetMutualDice().GetAnswerTime() != nil {
		if err := s.notices.KeepBook(ctx, id); err != nil {
			return err
		}
	}
	m := l.Zero(meta)
	drafts, err := c.first(l, m, meta)
	if err != nil {
		return err
	}
	return s.games.Create(ctx, l, m, drafts)
}
