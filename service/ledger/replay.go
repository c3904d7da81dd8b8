package ledger

import (
	"encoding/hex"
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// Setup is the game that a first record creates, before its first event. It fails if the document is not the one that
// was named, or the ruleset does not take it or the options.
func Setup(set rules.Ruleset, created *logv1.GameCreated, document []byte) (rules.Game, error) {
	about := set.About()
	if created.Ruleset != about.Name {
		return nil, fmt.Errorf("the game is %s, the ruleset %s", created.Ruleset, about.Name)
	}
	if d := ScenarioDigest(document); string(d[:]) != string(created.ScenarioDigest) {
		return nil,
			fmt.Errorf("the scenario document has digest %x, the game was created with %s",
				d, hex.EncodeToString(created.ScenarioDigest))
	}
	sc, faults := set.LoadScenario(document)
	if faults.Fatal() {
		return nil, fmt.Errorf("scenario %s: %w", created.Scenario, faults)
	}
	if sc.ScenarioID() != created.Scenario {
		return nil,
			fmt.Errorf("the scenario document is %s, the game was created with %s", sc.ScenarioID(), created.Scenario)
	}
	options, err := about.NewOptions(created.Options)
	if err != nil {
		return nil, err
	}
	return set.New(sc, options), nil
}

// FoldError says that an event cannot be folded into the position before it.
type FoldError struct {
	// Version of the record.
	Version uint64
	// Event is its place among the events of the record, from 0.
	Event int
	// Err says why; [ErrHidden] if it is redacted.
	Err error
}

func (e *FoldError) Error() string {
	return fmt.Sprintf("record %d: event %d does not fold: %v", e.Version, e.Event, e.Err)
}

// Unwrap gives the reason.
func (e *FoldError) Unwrap() error { return e.Err }

// Fold folds the ruleset's events of a record into a position; a record that is no place of the tree has none. Hidden
// ones, ones of another type and ones of a newer schema are errors, for the position would not be what it claims to be;
// it is then spoiled. The error is a *[FoldError].
func Fold(g rules.Game, r *Record) error { return FoldEach(g, r, func(*Leaf) {}) }

// FoldEach is Fold that calls a function with the leaf of each event of the ruleset, just before it is folded.
func FoldEach(g rules.Game, r *Record, next func(*Leaf)) error {
	created := r.Header().Kind == logv1.RecordKind_RECORD_KIND_CREATED
	if !created && r.Header().Kind != logv1.RecordKind_RECORD_KIND_COMMAND {
		return nil
	}
	about := g.Ruleset().About()
	event := typeOf(about.EventType)
	n := -1
	for l := range r.Events() {
		n++
		if created && n == 0 {
			continue // the GameCreated
		}
		var err error
		switch {
		case l.Redacted:
			err = ErrHidden
		case l.Type != event:
			err = fmt.Errorf("is a %s, expected a %s", l.Type, event)
		case l.Schema > about.SchemaVersion:
			err = fmt.Errorf("has schema %d, this program knows up to %d", l.Schema, about.SchemaVersion)
		default:
			next(l)
			err = fold(g, l.Data)
		}
		if err != nil {
			return &FoldError{Version: r.Version(), Event: n, Err: err}
		}
	}
	return nil
}

// fold keeps a ruleset's panic from taking down the program: stored bytes may come from anywhere.
func fold(g rules.Game, event []byte) (err error) {
	defer guard(&err)
	return g.Fold(event)
}

// Replayer folds the records of one line, in order, into a position.
type Replayer struct {
	game rules.Game
	at   uint64
}

// NewReplayer begins with a position after a version: [Setup] and 0, or a clone of an earlier position and its place.
// It changes the game that it is given.
func NewReplayer(game rules.Game, at uint64) *Replayer { return &Replayer{game: game, at: at} }

// Add folds the next record of the line. Records that are no place of the tree (table, undo, redo) are passed over. A
// record that was decided on another than the last one is refused.
func (p *Replayer) Add(r *Record) error { return p.AddEach(r, func(*Leaf) {}) }

// AddEach is Add that calls a function with the leaf of each event of the ruleset, just before it is folded.
func (p *Replayer) AddEach(r *Record, next func(*Leaf)) error {
	h := r.Header()
	if h.Kind != logv1.RecordKind_RECORD_KIND_CREATED && h.Kind != logv1.RecordKind_RECORD_KIND_COMMAND {
		return nil
	}
	if h.Parent != p.at {
		return fmt.Errorf("record %d was decided on %d, the replay is at %d", h.Version, h.Parent, p.at)
	}
	if err := FoldEach(p.game, r, next); err != nil {
		return err
	}
	p.at = h.Version
	return nil
}

// Game is the position after the records so far. The next Add changes it: clone it to keep it.
func (p *Replayer) Game() rules.Game { return p.game }

// At is the place that the position belongs to; 0 before the first record.
func (p *Replayer) At() uint64 { return p.at }
