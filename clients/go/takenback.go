package warledger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// ErrThrowTakenBack says that an undo took back a throw that a link of the seat went into, and that the player neither
// asked for the undo nor agreed to it with this client. Whoever has the seat's token can agree in the player's name,
// and throw again until the dice are better. So no link is revealed. If it was the player, with another program,
// [Game.AcceptUndo] goes on. The error is a [*ThrowTakenBackError].
var ErrThrowTakenBack = errors.New("a throw that the seat had a part in was taken back")

// ThrowTakenBackError says which throw was taken back without the player's consent.
type ThrowTakenBackError struct {
	Seat string
	// Undo is the version of the record that took it back, and Throw that of the newest command among those whose dice
	// were taken back.
	Undo, Throw uint64
}

func (e *ThrowTakenBackError) Error() string {
	return fmt.Sprintf("%v: record %d takes back the dice of record %d, and nobody agreed to that for %s from here; "+
		"if no other program of yours did, somebody throws again in your name",
		ErrThrowTakenBack, e.Undo, e.Throw, e.Seat)
}

func (e *ThrowTakenBackError) Unwrap() error { return ErrThrowTakenBack }

// isAlarm reports whether an error says that somebody may be choosing or foreseeing the dice.
func isAlarm(err error) bool {
	return errors.Is(err, ErrLogInconsistent) || errors.Is(err, ErrChainReplaced) || errors.Is(err, ErrThrowTakenBack)
}

// step is a record, as far as it concerns the line of play, dice, and who sits where.
type step struct {
	header *logv1.RecordHeader
	hash   string
	events []*logv1.TableEvent
}

func (p *proved) step() step { return step{p.header, hex.EncodeToString(p.hash[:]), p.events()} }

// moves reports whether the record moves the head along the line of play: an undo or a redo.
func (s step) moves() bool {
	kind := s.header.Kind
	return kind == logv1.RecordKind_RECORD_KIND_UNDO || kind == logv1.RecordKind_RECORD_KIND_REDO
}

// owes reports whether the record asks a seat for a link.
func (s step) owes(seat string) bool {
	if s.header == nil || s.header.Kind != logv1.RecordKind_RECORD_KIND_ASK {
		return false
	}
	for _, e := range s.events {
		for _, o := range e.GetDiceAsked().GetOwed() {
			if o.GetSeat() == seat {
				return true
			}
		}
	}
	return false
}

// undoAsked returns the question about an undo that the record asks; nil if it asks none.
func (s step) undoAsked() *logv1.UndoAsked {
	for _, e := range s.events {
		if e.GetUndoAsked() != nil {
			return e.GetUndoAsked()
		}
	}
	return nil
}

// steps holds the records of a part of the log, by version.
type steps map[uint64]step

func (l steps) add(p *proved) error {
	l[p.header.Version] = p.step()
	return nil
}

// line returns the commands from a version of the line of play back to an older one, latest first; false if the older
// one is not on that line.
func (l steps) line(from, to uint64) (commands []step, whole bool) {
	for v := from; v != to; {
		s, known := l[v]
		if !known || v < to || s.header.Parent >= v {
			return nil, false
		}
		commands, v = append(commands, s), s.header.Parent
	}
	return commands, true
}

// between returns the commands between the two ends of a move of the head, latest first.
func (l steps) between(h *logv1.RecordHeader) ([]step, error) {
	commands, whole := l.line(max(h.Parent, h.Head), min(h.Parent, h.Head))
	if undo := h.Kind == logv1.RecordKind_RECORD_KIND_UNDO; !whole || undo != (h.Head < h.Parent) {
		return nil, fmt.Errorf("%w: record %d moves the head from %d to %d, which are not on one line",
			ErrLogInconsistent, h.Version, h.Parent, h.Head)
	}
	return commands, nil
}

// newestThrow returns the first of the commands whose dice used a link of the seat that was asked for after a record; 0
// if none exists. It looks at asides too, because a dishonest server could mark a throw as an aside.
func (l steps) newestThrow(commands []step, seat string, since uint64) uint64 {
	for _, s := range commands {
		if asked := s.header.Asked; asked > since && l[asked].owes(seat) {
			return s.header.Version
		}
	}
	return 0
}

// question returns the record whose question an undo by consent answers; false if none does. A question ends with a
// command, a move of the head, a request for dice, or a refusal. Asides do not end it.
func (l steps) question(undo *logv1.RecordHeader) (step, bool) {
	for v := undo.Version - 1; v > 0; v-- {
		s, known := l[v]
		if !known || s.header.Kind != logv1.RecordKind_RECORD_KIND_TABLE && !s.header.Aside {
			break
		}
		if s.undoAsked() != nil {
			return s, true
		}
		for _, e := range s.events {
			if a := e.GetUndoAnswered(); a != nil && !a.Agree {
				return step{}, false
			}
		}
	}
	return step{}, false
}

// judge checks the undos of a part of the log, in order, for one seat.
type judge struct {
	sitting
	kept *Chain
	log  steps
	// spared holds the questions that did not ask the player, who had left. An undo that follows from one of them asked
	// the player nothing, even if the player took the seat again meanwhile.
	spared map[uint64]bool
	// agreed holds the player's consents, each with the undo that used it up.
	agreed []Consent
	// unasked is the first undo since the player left that took back a throw of the player. It counts if the player did
	// not take the seat again with a chain from comeback.
	unasked error
}

func newJudge(game, seat string, kept *Chain, left bool, log steps) *judge {
	j := &judge{sitting: newSitting(game, seat, kept), kept: kept, log: log, agreed: slices.Clone(kept.Agreed),
		spared: make(map[uint64]bool)}
	j.left = left
	return j
}

// note follows who holds the seat, and which questions ask the player.
func (j *judge) note(s step) {
	if j.see(s) {
		j.unasked = nil
	}
	if q := s.undoAsked(); q != nil {
		j.spared[s.header.Version] = j.left && !slices.Contains(q.GetNeeded(), j.seat)
	}
}

// spares reports whether an undo follows from a question that did not ask the player.
func (j *judge) spares(undo *logv1.RecordHeader) bool {
	q, asked := j.log.question(undo)
	return asked && undo.CommandId == "" && q.undoAsked().GetTarget() == undo.Head && j.spared[q.header.Version]
}

// look processes the next record.
func (j *judge) look(s step) error {
	j.note(s)
	if s.header.Aside && s.header.Asked != 0 {
		return fmt.Errorf("%w: record %d is an aside and throws dice", ErrLogInconsistent, s.header.Version)
	}
	if !s.moves() {
		return nil
	}
	back, err := j.log.between(s.header)
	if err != nil || s.header.Kind != logv1.RecordKind_RECORD_KIND_UNDO {
		return err
	}
	throw := j.log.newestThrow(back, j.seat, j.kept.Since)
	if throw == 0 || j.consented(s, throw) || j.spares(s.header) {
		return nil
	}
	alarm := &ThrowTakenBackError{Seat: j.seat, Undo: s.header.Version, Throw: throw}
	if !j.left {
		return alarm
	}
	if j.unasked == nil {
		j.unasked = alarm
	}
	return nil
}

// consented reports whether the player agreed to an undo, knowing the newest throw that it takes back, and notes that
// the consent has served.
func (j *judge) consented(undo step, throw uint64) bool {
	for i, c := range j.agreed {
		if c.fits(j.log, undo, throw) {
			j.agreed[i].Undo = undo.header.Version
			return true
		}
	}
	return false
}

// Undos finds, in a whole log, the undos that took back throws of a seat without its player's consent in this client.
// It skips undos up to the last record that the chain knows. Those were checked before a link was revealed, and their
// consents are deleted.
type Undos struct{ judge *judge }

// NewUndos starts at the first record of a log.
func NewUndos(game, seat string, kept *Chain) *Undos {
	return &Undos{newJudge(game, seat, kept, kept.Left, make(steps))}
}

// Add processes the next record, with its hash and its table events. The error is a [*ThrowTakenBackError], or
// [ErrLogInconsistent] if the record moves the head to an impossible place or is an aside that throws dice.
func (u *Undos) Add(h *logv1.RecordHeader, hash []byte, events []*logv1.TableEvent) error {
	s := step{h, hex.EncodeToString(hash), events}
	u.judge.log[h.Version] = s
	if kept := u.judge.kept; h.Version <= kept.Version {
		if u.judge.note(s); h.Version == kept.Version {
			u.judge.left = kept.Left
		}
		return nil
	}
	return u.judge.look(s)
}
