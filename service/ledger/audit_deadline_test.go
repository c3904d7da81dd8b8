package ledger_test

import (
	"strings"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

// TestAuditOfAgreedDeadlines: each answer to a proposal of deadlines comes from its own seat, but for the owner's own
// in the proposal itself. Whom the owner has put out is asked too, which older servers did not do.
func TestAuditOfAgreedDeadlines(t *testing.T) {
	t.Parallel()
	proposed := func(needed ...string) *logv1.TableEvent {
		return &logv1.TableEvent{
			Event: &logv1.TableEvent_DeadlinesProposed{DeadlinesProposed: &logv1.DeadlinesProposed{Needed: needed}},
		}
	}
	agrees := func(seat string, at uint64) *logv1.TableEvent {
		return &logv1.TableEvent{Event: &logv1.TableEvent_DeadlinesAnswered{
			DeadlinesAnswered: &logv1.DeadlinesAnswered{Seat: seat, Proposed: at, Agree: true},
		}}
	}
	changed := &logv1.TableEvent{Event: &logv1.TableEvent_DeadlinesChanged{DeadlinesChanged: &logv1.DeadlinesChanged{}}}
	both := func(t consenting) { t.sits("red", "Ann"); t.sits("blue", "Bob") }
	for _, c := range []struct {
		name string
		play func(t consenting)
		want string // the only finding; empty for none
	}{
		{"the owner's own and another", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.by("blue", agrees("blue", 4), changed)
		}, ""},
		{"several in the owner's proposal", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4), agrees("blue", 4), changed)
		}, "notice: clock: record 4 changes the deadlines; the owner agreed for blue, red: " +
			"in order only if one player held them"},
		{"an answer of another", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.by("red", agrees("blue", 4))
		}, `error: clock: record 5 answers for "blue" but was sent by "red"`},
		{"an answer of the server", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"))
			t.by("", agrees("blue", 4))
		}, `error: clock: record 5 answers for "blue" but was sent by ""`},
		{"one who was put out is not asked", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.by("", proposed("red"), agrees("red", 5), changed)
		}, "notice: clock: record 5 changes the deadlines without asking the player of " +
			"blue, whom the owner had put out"},
		{"one who was put out agrees", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.by("", proposed("red", "blue"), agrees("red", 5))
			t.by("blue", agrees("blue", 5), changed)
		}, ""},
		{"one who was put out is asked in vain", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.by("", proposed("red", "blue"), agrees("red", 5), changed)
		}, "error: clock: record 5 changes the deadlines to some that not all have agreed to"},
		{"one sits down meanwhile and agrees", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.joins("green", "Eve")
			t.by("blue", agrees("blue", 4))
			t.by("green", agrees("green", 4), changed)
		}, ""},
		{"one sits down meanwhile and is not asked", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.joins("green", "Eve")
			t.by("blue", agrees("blue", 4), changed)
		}, "error: clock: record 6 changes the deadlines to some that not all have agreed to"},
		{"a newcomer is not asked", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.comes("green", "Eve")
			t.by("blue", agrees("blue", 4), changed)
		}, ""},
		{"a newcomer has played and is not asked", func(t consenting) {
			t.sits("blue", "Bob")
			t.sits("green", "Eve")
			t.by("", proposed("blue", "green"), agrees("green", 4))
			t.comes("red", "Ann")
			t.play(1)
			t.by("blue", agrees("blue", 4), changed)
		}, "error: clock: record 7 changes the deadlines to some that not all have agreed to"},
		{"a newcomer has played and agrees", func(t consenting) {
			t.sits("blue", "Bob")
			t.sits("green", "Eve")
			t.by("", proposed("blue", "green"), agrees("green", 4))
			t.comes("red", "Ann")
			t.play(1)
			t.by("blue", agrees("blue", 4))
			t.by("red", agrees("red", 4), changed)
		}, ""},
		{"one sits down meanwhile and leaves last", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.joins("green", "Eve")
			t.by("blue", agrees("blue", 4))
			t.quits("green", false, changed)
		}, ""},
		{"one sits down meanwhile, as on an older server", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.sits("green", "Eve")
			t.by("blue", agrees("blue", 4))
		}, "error: clock: record 6 answers proposal 4, which does not wait for an answer"},
		{"one leaves meanwhile, as on an older server", func(t consenting) {
			both(t)
			t.by("", proposed("red", "blue"), agrees("red", 4))
			t.leaves("red", false)
			t.by("blue", agrees("blue", 4))
		}, "error: clock: record 6 answers proposal 4, which does not wait for an answer"},
		{"one who left is not asked", func(t consenting) {
			both(t)
			t.leaves("blue", false)
			t.by("", proposed("red"), agrees("red", 5), changed)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := consenting{newTable(t, logv1.DiceKind_DICE_KIND_COMMITTED)}
			g.set = trio{g.set}
			g.begin()
			c.play(g)
			var got []string
			_, found := g.audit(g.records, ledger.AuditOptions{})
			for _, f := range found {
				got = append(got, f.String())
			}
			if all := strings.Join(got, "\n"); all != c.want {
				t.Errorf("found\n%s\nwant\n%s", all, c.want)
			}
		})
	}
}
