package rulestest

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
)

// checkOutcome looks at the form of what a command caused.
func (m *match) checkOutcome(out *rules.Outcome) {
	rolls := 0
	for _, ev := range out.Events {
		if got, want := ev.Event.ProtoReflect().Descriptor().
			FullName(), m.about.EventType.ProtoReflect().Descriptor().FullName(); got != want {
			m.failf("an event is a %s, the ruleset says %s", got, want)
		}
		if ev.RollsBefore < rolls || ev.RollsBefore > len(out.Rolls) {
			m.failf("the event %s has %d rolls before it, expected %d to %d",
				MessageText(ev.Event), ev.RollsBefore, rolls, len(out.Rolls))
		}
		rolls = ev.RollsBefore
		m.checkAudience(ev.Audience, "event "+MessageText(ev.Event))
	}
	for _, r := range out.Rolls {
		m.checkAudience(r.Audience, "roll for "+r.Reason)
		if r.Value < 1 || r.Value > r.Sides || r.Reason == "" {
			m.failf("a roll of %d with %d sides for %q", r.Value, r.Sides, r.Reason)
		}
	}
}

func (m *match) checkAudience(a rules.Audience, of string) {
	if a != rules.Everyone && a&^(rules.Audience(m.about.AllSeats())|rules.AuditorOnly) != 0 {
		m.failf("the audience of the %s has seats that the ruleset does not have: %b", of, a)
	}
}

// encode is how events are stored.
func encode(message proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		panic(failure(fmt.Sprintf("%T cannot be encoded: %v", message, err)))
	}
	return data
}

// sameOutcome says where two outcomes differ; empty if nowhere.
func sameOutcome(a, b *rules.Outcome) string {
	if len(a.Events) != len(b.Events) || len(a.Rolls) != len(b.Rolls) || a.Revealed != b.Revealed {
		return fmt.Sprintf("%d events, %d rolls, revealed %v; then %d events, %d rolls, revealed %v",
			len(a.Events), len(a.Rolls), a.Revealed, len(b.Events), len(b.Rolls), b.Revealed)
	}
	for i := range a.Events {
		x, y := a.Events[i], b.Events[i]
		if x.Audience != y.Audience || x.RollsBefore != y.RollsBefore ||
			!bytes.Equal(encode(x.Event), encode(y.Event)) {
			return fmt.Sprintf("event %d: %s for %b, then %s for %b",
				i, MessageText(x.Event), x.Audience, MessageText(y.Event), y.Audience)
		}
	}
	for i := range a.Rolls {
		if a.Rolls[i] != b.Rolls[i] {
			return fmt.Sprintf("roll %d: %+v, then %+v", i, a.Rolls[i], b.Rolls[i])
		}
	}
	return ""
}
