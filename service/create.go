package service

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// creation is a checked request to create a game.
type creation struct {
	request  uuid.UUID
	set      rules.Ruleset
	sc       rules.Scenario
	document []byte
	options  rules.Options
	dice     logv1.DiceKind
	title    string
	manual   []uint32
}

// CreateGame begins a game.
func (s *gameServer) CreateGame(ctx context.Context, req *v1.CreateGameRequest) (*v1.CreateGameResponse, error) {
	c, err := s.readCreation(req)
	if err != nil {
		return nil, err
	}
	id := gameID(c.request)
	note(ctx).game, note(ctx).request = id, blindID(c.request)
	err = s.createGame(ctx, id, c)
	var conflict *eventstore.ConflictError
	if err != nil && !errors.As(err, &conflict) {
		return nil, err
	}
	// Whoever stored it, this call or an earlier one, the answer is read from what is stored.
	l, done, err := s.game(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	m := l.current()
	token := ownerToken(m.meta.TokenSecret, c.request)
	if made, err := s.made(ctx, l, c); err != nil || !made || !same(hashOf(token), m.meta.OwnerTokenHash) {
		return nil, cmp.Or(err, reused(1))
	}
	note(ctx).version = m.version()
	return &v1.CreateGameResponse{Game: m.message(l, rules.Spectator, rules.English), OwnerToken: token}, nil
}

func (s *gameServer) readCreation(req *v1.CreateGameRequest) (*creation, error) {
	var sh shape
	c := &creation{dice: req.GetDice(), title: req.GetTitle(), manual: req.GetManualDice()}
	c.request = sh.secretRequest("request_id", req.GetRequestId())
	ruleset := sh.ruleset("ruleset", req.GetRuleset())
	sh.text("title", c.title, maxTitle)
	sh.dice("manual_dice", c.manual)
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
	case c.dice != logv1.DiceKind_DICE_KIND_COMMITTED && c.dice != logv1.DiceKind_DICE_KIND_MANUAL:
		sh.faults.Add("dice", "%d is no kind of dice", c.dice)
	}
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
	return c, c.readScenario(req)
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

func (c *creation) readScenario(req *v1.CreateGameRequest) error {
	if doc, ok := req.GetSource().(*v1.CreateGameRequest_ScenarioDocument); ok {
		c.document = doc.ScenarioDocument
	} else {
		for _, d := range c.set.ScenarioDocuments() {
			if d.ID == req.GetScenario() {
				c.document = d.Data
			}
		}
		if c.document == nil {
			return scenarioNotFound(c.set.About().Name, req.GetScenario())
		}
	}
	sc, faults := c.set.LoadScenario(c.document)
	if err := scenarioFaults("scenario_document", faults); err != nil {
		return err
	}
	c.sc = sc
	return nil
}

// scenarioFaults makes an error of the faults of a document, if any is more than a warning.
func scenarioFaults(field string, faults rules.Faults) error {
	if !faults.Fatal() {
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
func (s *Service) createGame(ctx context.Context, id string, c *creation) error {
	if _, err := s.store.Head(ctx, gameStream(id)); err == nil {
		return &eventstore.ConflictError{Stream: gameStream(id), Current: 1}
	}
	meta, err := s.newSecrets(c)
	if err != nil {
		return err
	}
	digest, err := s.scenarios.put(ctx, c.document)
	if err != nil {
		return err
	}
	s.scenarios.keep(scenarioKey{c.set.About().Name, digest}, c.sc)
	created := c.created(meta, digest)
	l, err := s.newLive(id, c.set, c.sc, created, meta)
	if err != nil {
		return err
	}
	m := l.zero(meta)
	drafts, err := c.first(l, m, meta)
	if err != nil {
		return err
	}
	return s.begin(ctx, l, m, drafts)
}

// begin appends a game's first records.
func (s *Service) begin(ctx context.Context, l *live, zero *moment, drafts []draft) error {
	l.time = s.clock().UTC()
	zero.updated = l.time
	m, entries, _, err := s.seal(l, zero, drafts)
	if err != nil {
		return err
	}
	l.time = m.updated
	meta, err := m.stored(l, drafts)
	if err != nil {
		return err
	}
	err = s.store.Append(context.WithoutCancel(ctx), eventstore.Append{Stream: gameStream(l.id), Entries: entries, Meta: meta})
	var conflict *eventstore.ConflictError
	if errors.As(err, &conflict) {
		return err
	}
	if err != nil {
		return fault.FromStore(err)
	}
	l.publish(m)
	s.games.add(l)
	return nil
}

// newSecrets draws what must stay private of a game.
func (s *Service) newSecrets(c *creation) (*logv1.GameMeta, error) {
	draw := func() ([]byte, error) {
		b := make([]byte, 32)
		_, err := io.ReadFull(s.entropy, b)
		return b, err
	}
	meta := &logv1.GameMeta{SeatTokenHashes: map[string][]byte{}}
	var err error
	if meta.SaltSecret, err = draw(); err != nil {
		return nil, err
	}
	if meta.TokenSecret, err = draw(); err != nil {
		return nil, err
	}
	if c.dice == logv1.DiceKind_DICE_KIND_COMMITTED {
		if meta.DiceSecret, err = draw(); err != nil {
			return nil, err
		}
	}
	hash := hashOf(ownerToken(meta.TokenSecret, c.request))
	meta.OwnerTokenHash = hash[:]
	return meta, nil
}

// created is the first event.
func (c *creation) created(meta *logv1.GameMeta, digest ledger.Hash) *logv1.GameCreated {
	about := c.set.About()
	salt := ledger.SaltSecret(meta.SaltSecret).Commitment()
	e := &logv1.GameCreated{
		Ruleset: about.Name, RulesVersion: about.Version, Scenario: c.sc.ScenarioID(), ScenarioDigest: digest[:],
		Options: c.options.Map(), Dice: c.dice, SaltCommitment: salt[:], Title: c.title,
	}
	if c.dice == logv1.DiceKind_DICE_KIND_COMMITTED {
		commitment := dice.Commitment(dice.Secret(meta.DiceSecret))
		e.DiceCommitment = commitment[:]
	}
	return e
}

// first sets the game up: the first record, and the release of secrets should set-up end the game.
func (c *creation) first(l *live, m *moment, meta *logv1.GameMeta) ([]draft, error) {
	game := l.base.Clone()
	src, err := l.dice(m, 1, c.manual)
	if err != nil {
		return nil, err
	}
	out, err := game.Start(src)
	if err == nil {
		err = allUsed(src)
	}
	if err != nil {
		if known := fault.Dice(l.about, err); known != nil {
			return nil, known
		}
		return nil, err
	}
	leaves, err := ledger.Created(l.about, l.created, out)
	if err != nil {
		return nil, err
	}
	drafts := []draft{{kind: logv1.RecordKind_RECORD_KIND_CREATED, leaves: leaves, revealed: out.Revealed, game: game}}
	if game.Ending() != nil {
		d, err := release(&moment{meta: meta})
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// made reports whether a game is the one that the request describes, as a retry must.
func (s *Service) made(ctx context.Context, l *live, c *creation) (bool, error) {
	digest := ledger.ScenarioDigest(c.document)
	g := l.created
	if g.Ruleset != c.set.About().Name || string(g.ScenarioDigest) != string(digest[:]) || g.Dice != c.dice ||
		g.Title != c.title || !maps.Equal(g.Options, c.options.Map()) {
		return false, nil
	}
	if len(c.manual) == 0 {
		return true, nil
	}
	r, err := s.record(ctx, l.id, 1)
	return err == nil && sameDice(r, c.manual), err
}

// dice is the source of a record's dice.
func (l *live) dice(m *moment, version uint64, manual []uint32) (dice.Source, error) {
	if l.created.Dice == logv1.DiceKind_DICE_KIND_MANUAL {
		return dice.NewManual(manual), nil
	}
	if len(manual) > 0 {
		return nil, diceUnexpected()
	}
	if len(m.meta.DiceSecret) != len(dice.Secret{}) {
		return nil, fault.New(fault.LogCorrupt, "game %s has lost its secrets", l.id).With("game", l.id)
	}
	return dice.NewCommitted(dice.Secret(m.meta.DiceSecret), m.table.entropies.List(), l.id, version)
}

// allUsed reports manual dice that were sent and not needed.
func allUsed(src dice.Source) error {
	if m, ok := src.(*dice.Manual); ok {
		return m.Done()
	}
	return nil
}
