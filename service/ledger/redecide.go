package ledger

import (
	"bytes"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// difference is where the rules decide otherwise than a record says. what quotes no contents; detail does.
type difference struct{ what, detail string }

func differ(detail, format string, args ...any) *difference {
	return &difference{fmt.Sprintf(format, args...), detail}
}

// redecide decides a record again, on the position before it and with the dice that were recorded; nil if the same
// comes of it. The position stays as it is.
func redecide(pos rules.Game, r *Record) *difference {
	var rolls []dice.Roll
	for l := range r.Rolls() {
		roll, err := readRoll(l)
		if err != nil {
			return differ(err.Error(), "cannot use the dice")
		}
		rolls = append(rolls, roll)
	}
	script := dice.NewScript(rolls)
	out, d := play(pos, r, script)
	if d != nil {
		return d
	}
	if err := script.Done(); err != nil {
		return differ(err.Error(), "need fewer dice than were recorded")
	}
	if d := compareEvents(pos, r, out); d != nil {
		return d
	}
	if d := compareRolls(r, rolls, out); d != nil {
		return d
	}
	if out.Revealed != r.Header().Revealed {
		return differ("", "say that something hidden became known: %v; recorded was %v",
			out.Revealed, r.Header().Revealed)
	}
	return nil
}

// play carries out the command of a record, or what a new game does by itself.
func play(pos rules.Game, r *Record, script dice.Source) (out *rules.Outcome, d *difference) {
	var err error
	if r.Command() == nil {
		out, err = guarded(func() (*rules.Outcome, error) { return pos.Clone().Start(script) })
	} else {
		out, d, err = playCommand(pos, r, script)
	}
	var refusal *rules.Refusal
	var other *dice.ScriptError
	switch {
	case d != nil:
		return nil, d
	case errors.As(err, &other):
		return nil, differ(err.Error(), "need other dice than were recorded")
	case errors.As(err, &refusal):
		return nil, differ(err.Error(), "refuse the command: %s", refusal.Reason)
	case err != nil:
		return nil, differ(err.Error(), "cannot decide the command")
	}
	return out, nil
}

func playCommand(pos rules.Game, r *Record, script dice.Source) (out *rules.Outcome, d *difference, err error) {
	leaf, about := r.Command(), pos.Ruleset().About()
	seat := rules.NoSeat
	if id := r.Header().Seat; id != "" {
		var ok bool
		if seat, ok = about.SeatByID(id); !ok {
			return nil, differ("", "have no seat %q", id), nil
		}
	}
	m := pos.Ruleset().NewCommand()
	if leaf.Schema > about.SchemaVersion {
		return nil,
			differ("", "cannot read a command of schema %d, only up to %d", leaf.Schema, about.SchemaVersion), nil
	}
	if err := leaf.Decode(m); err != nil {
		return nil, differ(err.Error(), "cannot read the command"), nil
	}
	out, err = guarded(func() (*rules.Outcome, error) {
		c, err := pos.DecodeCommand(m)
		if err != nil {
			return nil, err
		}
		if a := pos.CommandAudience(seat, c); a != leaf.Audience {
			d = differ("", "show the command to %s; recorded was %s", seats(a), seats(leaf.Audience))
			return nil, nil
		}
		out := new(rules.Outcome)
		return out, pos.Clone().Apply(seat, c, script, out)
	})
	return out, d, err
}

func guarded(f func() (*rules.Outcome, error)) (out *rules.Outcome, err error) {
	defer guard(&err)
	return f()
}

// compareEvents compares events and how many dice fell before each.
func compareEvents(pos rules.Game, r *Record, out *rules.Outcome) *difference {
	rolls, n := 0, 0
	for i := range r.Leaves() {
		l := &r.Leaves()[i]
		switch l.Kind {
		case logv1.LeafKind_LEAF_KIND_ROLL:
			rolls++
		case logv1.LeafKind_LEAF_KIND_EVENT:
			if i == 0 {
				continue // the GameCreated of the first record; other records have a command there
			}
			if n >= len(out.Events) {
				return differ(storedText(pos, l), "give %d events; recorded are more", n)
			}
			if d := compareEvent(pos, l, &out.Events[n], n); d != nil {
				return d
			}
			if before := out.Events[n].RollsBefore; before != rolls {
				return differ("", "throw %d dice before event %d; recorded are %d", before, n, rolls)
			}
			n++
		}
	}
	if n < len(out.Events) {
		return differ(text(out.Events[n].Event), "give %d events; recorded are %d", len(out.Events), n)
	}
	return nil
}

func compareEvent(pos rules.Game, l *Leaf, e *rules.Emitted, n int) *difference {
	if l.Type != typeOf(e.Event) {
		return differ(text(e.Event), "give a %s as event %d; recorded is a %s", typeOf(e.Event), n, l.Type)
	}
	if l.Audience != e.Audience {
		return differ(text(e.Event), "show event %d to %s; recorded was %s", n, seats(e.Audience), seats(l.Audience))
	}
	if data, err := marshal(e.Event); err == nil && bytes.Equal(data, l.Data) {
		return nil
	}
	stored := pos.Ruleset().NewEvent()
	if err := l.Decode(stored); err != nil {
		return differ(err.Error(), "give an event %d that is recorded so that it cannot be read", n)
	}
	if !proto.Equal(stored, e.Event) {
		return differ("recorded: "+text(stored)+"; decided: "+text(e.Event),
			"give another event %d than was recorded", n)
	}
	return nil
}

// compareRolls compares what the script does not: audience and reason.
func compareRolls(r *Record, rolls []dice.Roll, out *rules.Outcome) *difference {
	if len(out.Rolls) != len(rolls) {
		return differ("", "throw %d dice; recorded are %d", len(out.Rolls), len(rolls))
	}
	n := 0
	for l := range r.Rolls() {
		want := out.Rolls[n]
		if want.Audience != l.Audience {
			return differ("", "show roll %d to %s; recorded was %s", n, seats(want.Audience), seats(l.Audience))
		}
		if want.Reason != rolls[n].Reason {
			return differ(fmt.Sprintf("recorded: %s; decided: %s", rolls[n].Reason, want.Reason),
				"throw roll %d for another reason than was recorded", n)
		}
		n++
	}
	return nil
}

func seats(a rules.Audience) string {
	switch a {
	case rules.Everyone:
		return "everyone"
	case rules.AuditorOnly:
		return "nobody"
	}
	if a&rules.AuditorOnly != 0 {
		return fmt.Sprintf("seats %b together", uint32(a&^rules.AuditorOnly))
	}
	return fmt.Sprintf("seats %b", uint32(a))
}

// maxDetail bounds a quotation, in bytes.
const maxDetail = 500

func storedText(pos rules.Game, l *Leaf) string {
	m := pos.Ruleset().NewEvent()
	if err := l.Decode(m); err != nil {
		return err.Error()
	}
	return text(m)
}

func text(m proto.Message) string {
	s := prototext.MarshalOptions{}.Format(m)
	if len(s) > maxDetail {
		s = s[:maxDetail] + "…"
	}
	return s
}
