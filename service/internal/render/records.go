package render

import (
	"context"
	"encoding/hex"

	"google.golang.org/protobuf/types/known/anypb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// Records shows records to one viewer, one after the other.
type Records struct {
	games  *live.Games
	l      *live.Game
	m      *live.Moment
	viewer rules.Viewer
	lang   rules.Lang
	proofs bool
	// replay follows the records that are shown: the notation of a command is that of the position it was decided on.
	replay *ledger.Replayer
	// Before, if not nil, is a moment whose head is known to be what the record was decided on.
	Before *live.Moment
}

// NewRecords shows the records of a game as they were seen at a moment.
func NewRecords(
	games *live.Games, l *live.Game, m *live.Moment, viewer rules.Viewer, lang rules.Lang, proofs bool,
) *Records {
	return &Records{games: games, l: l, m: m, viewer: viewer, lang: lang, proofs: proofs}
}

// Game is the id of the game.
func (w *Records) Game() string { return w.l.ID }

// Record is a record as the viewer may see it.
func (w *Records) Record(ctx context.Context, full *ledger.Record) (*v1.Record, error) {
	r := full.Redact(w.viewer)
	h, hash := r.Header(), r.Hash()
	out := &v1.Record{
		Version: h.Version, Parent: h.Parent, Head: h.Head, Time: h.Time, Seat: h.Seat, CommandId: h.CommandId,
		Kind:   h.Kind,
		Hidden: int32(r.Hidden()), Hash: hex.EncodeToString(hash[:]), DiceSource: h.DiceSource, Asked: h.Asked,
		Aside: h.Aside, Carries: h.Carries,
	}
	for i := range r.Leaves() {
		leaf := &r.Leaves()[i]
		if leaf.Redacted {
			continue
		}
		switch leaf.Kind {
		case logv1.LeafKind_LEAF_KIND_COMMAND:
			out.Command = packed(leaf)
		case logv1.LeafKind_LEAF_KIND_ROLL:
			roll := new(logv1.Roll)
			if err := leaf.Decode(roll); err != nil {
				return nil, live.Corrupt(w.l.ID, h.Version, err)
			}
			out.Rolls = append(out.Rolls, roll)
		}
	}
	if w.proofs {
		out.Proof = r.Message()
	}
	notation, stories, err := w.inPlace(ctx, full, out.Command != nil)
	out.Notation = notation
	for i := range r.Leaves() {
		if leaf := &r.Leaves()[i]; !leaf.Redacted && leaf.Kind == logv1.LeafKind_LEAF_KIND_EVENT {
			out.Events = append(out.Events, w.event(leaf, h.Seat, stories[i]))
		}
	}
	return out, err
}

// packed is a payload as it is stored, with its name: it need not be understood to be passed on.
func packed(leaf *ledger.Leaf) *anypb.Any {
	return &anypb.Any{TypeUrl: "type.googleapis.com/" + leaf.Type, Value: leaf.Data}
}

// event is an event of a record that a seat made. The story tells it, if there is one; otherwise the event does.
func (w *Records) event(leaf *ledger.Leaf, seat, story string) *v1.RecordEvent {
	e := &v1.RecordEvent{Event: packed(leaf)}
	if leaf.Audience != rules.Everyone {
		e.Audience = live.SeatIDs(w.l.About, rules.Seats(leaf.Audience)&w.l.About.AllSeats())
	}
	if table := new(logv1.TableEvent); leaf.Is(table) {
		if leaf.Decode(table) == nil {
			e.Narration = narrateTable(w.l, w.lang, table, seat)
		}
	} else if e.Narration = story; story == "" && leaf.Is(w.l.About.EventType) {
		e.Narration = w.l.Ruleset.Narrate(w.l.Scenario.Rules, w.lang, leaf.Data)
	}
	return e
}

// inPlace reads a record with the position in which it was decided. It returns the command in notation, if that is
// wanted, and what the events tell by the index of their leaf, if the ruleset tells more with the position.
func (w *Records) inPlace(ctx context.Context, r *ledger.Record, command bool) (string, map[int]string, error) {
	h := r.Header()
	recounts := h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND && w.l.Ruleset.Recounts()
	if !command && !recounts {
		return "", nil, nil
	}
	text, stories := "", map[int]string{}
	if w.Before != nil && w.Before.Head() == h.Parent {
		if command {
			text = w.spell(w.Before.Position, r)
		}
		if recounts {
			game := w.Before.Position.Clone()
			_ = ledger.FoldEach(game, r, w.recount(game, r, stories)) // what was read before stays good
		}
		return text, stories, nil
	}
	if w.replay == nil || w.replay.At() != h.Parent {
		game, err := w.games.PositionAt(ctx, w.l, w.m, h.Parent)
		if err != nil {
			return "", nil, err
		}
		w.replay = ledger.NewReplayer(game.Clone(), h.Parent)
	}
	game, each := w.replay.Game(), func(*ledger.Leaf) {}
	if command {
		text = w.spell(game, r)
	}
	if recounts {
		each = w.recount(game, r, stories)
	}
	if err := w.replay.AddEach(r, each); err != nil { // damaged, or of another program: what was read before stays good
		w.replay = nil
	}
	return text, stories, nil
}

// recount tells each event of a record with the position just before it.
func (w *Records) recount(game rules.Game, r *ledger.Record, stories map[int]string) func(*ledger.Leaf) {
	return func(leaf *ledger.Leaf) {
		for i := range r.Leaves() {
			if &r.Leaves()[i] == leaf {
				stories[i] = game.Recount(w.lang, leaf.Data)
			}
		}
	}
}

// spell writes the command of a record as the position spells it; empty if it cannot be read.
func (w *Records) spell(game rules.Game, r *ledger.Record) string {
	m := w.l.Ruleset.NewCommand()
	if err := r.Command().Decode(m); err != nil {
		return ""
	}
	c, err := game.DecodeCommand(m)
	if err != nil {
		return ""
	}
	return game.FormatCommand(c)
}

// Told is what a record tells the viewer in words.
func (w *Records) Told(ctx context.Context, full *ledger.Record) (sentences []string, err error) {
	r := full.Redact(w.viewer)
	_, stories, err := w.inPlace(ctx, full, false)
	for i := range r.Leaves() {
		if leaf := &r.Leaves()[i]; !leaf.Redacted && leaf.Kind == logv1.LeafKind_LEAF_KIND_EVENT {
			if text := w.event(leaf, r.Header().Seat, stories[i]).Narration; text != "" {
				sentences = append(sentences, text)
			}
		}
	}
	return sentences, err
}
