package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/ledger"
)

const (
	committed = logv1.DiceKind_DICE_KIND_COMMITTED
	manual    = logv1.DiceKind_DICE_KIND_MANUAL
)

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestAuditOfAnHonestGameFindsNothing(t *testing.T) {
	t.Parallel()
	for _, stride := range []int{0, 1, 1000} {
		game := whole(t, committed)
		var commands, rolls uint64
		for _, r := range game.opened() {
			if k := r.Header().Kind; k == logv1.RecordKind_RECORD_KIND_CREATED ||
				k == logv1.RecordKind_RECORD_KIND_COMMAND {
				commands++
			}
			for range r.Rolls() {
				rolls++
			}
		}
		steps := 0
		sum, found := game.audit(game.records,
			ledger.AuditOptions{Stride: stride, Progress: func(records, total uint64) {
				if steps++; records != uint64(steps) || total != uint64(len(game.records)) {
					t.Errorf("progress %d of %d after %d records of %d", records, total, steps, len(game.records))
				}
			}})
		if len(found) > 0 {
			t.Errorf("found %v", found)
		}
		want := ledger.Summary{Game: "g-7", Records: uint64(len(game.records)), Rolls: rolls, Commands: commands,
			Head: game.tree.Head(), Ended: true, Hash: game.prev}
		if diff := cmp.Diff(want, sum); diff != "" {
			t.Error(diff)
		}
		if rolls < 5 || steps != len(game.records) {
			t.Errorf("a game of %d rolls, %d steps of progress: it proves little", rolls, steps)
		}
	}
}

// The head comes back to one place again and again; positions must not mix, whether they are kept or folded anew.
func TestAuditFollowsTheHeadToWhereItWasBefore(t *testing.T) {
	t.Parallel()
	for _, stride := range []int{0, 1, 3, 1000} {
		game := newTable(t, committed)
		game.begin()
		game.sit("red", "")
		game.sit("blue", "")
		game.play(6)
		first, second := game.tree.Line()[2], game.tree.Line()[4]
		for range 3 {
			game.move(second)
			game.play(3)
			game.move(first)
			game.play(4)
			game.move(first)
			game.play(2)
			second = game.tree.Head()
			game.play(5)
		}
		game.release()
		readings := 0
		src := func() iterSeq { readings++; return source(game.records)() }
		sum, err := ledger.Audit(t.Context(), src, registry(t, game.set), game.doc, ledger.AuditOptions{Stride: stride},
			func(f ledger.Finding) { t.Errorf("stride %d: %v", stride, f) })
		if err != nil || len(sum.Unchecked) > 0 {
			t.Errorf("%+v, %v", sum, err)
		}
		if readings != 2 {
			t.Errorf("with stride %d the log was read %d times, expected twice", stride, readings)
		}
	}
}

// Dice that are hidden keep their index: the ones behind them are computed as if they were seen.
func TestAuditComputesDiceBehindHiddenOnes(t *testing.T) {
	t.Parallel()
	for hidden, all := range map[int][]uint8{1: {6, 10}, 3: {6, 10, 20, 6, 100, 8}} { // every other one is hidden
		game := newTable(t, committed)
		rolled, err := dice.NewCommitted(game.secret, nil, game.game, 1)
		if err != nil {
			t.Fatal(err)
		}
		out := new(rules.Outcome)
		for i, sides := range all {
			v, _ := rolled.Roll(sides, "test")
			out.Rolls = append(out.Rolls,
				rules.Rolled{Sides: sides, Value: v, Reason: "test", Audience: rules.Audience(i % 2 * 2)})
		}
		leaves, err := ledger.Created(game.set.About(), game.created(), out)
		if err != nil {
			t.Fatal(err)
		}
		game.store(game.tree.Next(logv1.RecordKind_RECORD_KIND_CREATED), leaves)
		game.release()
		for i, r := range game.opened() {
			game.records[i] = r.Redact(rules.Spectator).Data()
		}
		sum, err := ledger.Audit(t.Context(), source(game.records), registry(t), game.doc, ledger.AuditOptions{},
			func(f ledger.Finding) { t.Error(f) })
		want := fmt.Sprintf("%d dice: hidden", hidden)
		if err != nil || int(sum.Rolls) != len(all)-hidden ||
			!strings.Contains(strings.Join(sum.Unchecked, ";"), want) {
			t.Errorf("%+v, %v, want %q", sum, err, want)
		}
	}
}

func TestAuditSaysWhatItCouldNotCheck(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	running := game.records[:len(game.records)-1]
	redacted := make([][]byte, len(game.records))
	for i, r := range game.opened() {
		redacted[i] = r.Redact(rules.Spectator).Data()
	}
	byHand := whole(t, manual)
	for _, c := range []struct {
		name    string
		game    *table
		records [][]byte
		o       ledger.AuditOptions
		want    string
	}{
		{"secret not released", game, running, ledger.AuditOptions{}, "dice: the secret is not released yet"},
		{"secret known to the server", game, running,
			ledger.AuditOptions{DiceSecret: &game.secret, SaltSecret: &game.salt}, ""},
		{"manual dice", byHand, byHand.records, ledger.AuditOptions{}, "dice: the players threw them"},
		{"redacted", game, redacted, ledger.AuditOptions{}, "commands: parts of their records are hidden"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sum, found := c.game.audit(c.records, c.o)
			if len(found) > 0 {
				t.Errorf("found %v", found)
			}
			if got := strings.Join(sum.Unchecked, "; "); (got == "") != (c.want == "") ||
				!strings.Contains(got, c.want) {
				t.Errorf("unchecked: %q, expected %q", got, c.want)
			}
		})
	}
}

func TestAuditWithoutTheRulesetChecksChainAndDice(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	sum, err := ledger.Audit(t.Context(), source(game.records), registry(t), game.doc, ledger.AuditOptions{}, nil)
	want := []string{`positions and commands from record 1 on: this program does not have the ruleset "toy"`}
	if err != nil || sum.Errors != 0 || sum.Rolls == 0 || sum.Commands != 0 || !slices.Equal(sum.Unchecked, want) {
		t.Errorf("summary %+v, error %v", sum, err)
	}
}

// otherVersion is a ruleset that says it has another version.
type otherVersion struct {
	rules.Ruleset
	version uint32
}

func (o otherVersion) About() *rules.About {
	a := *o.Ruleset.About()
	a.Version = o.version
	return &a
}

func TestAuditWithOtherRulesGivesNotices(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	forged := game.forge(func(log []parts) []parts {
		for i := range log {
			if log[i].header.Kind == logv1.RecordKind_RECORD_KIND_COMMAND {
				log[i].header.Revealed = !log[i].header.Revealed
				break
			}
		}
		recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.RulesVersion = 5 })
		return log
	})
	for _, c := range []struct {
		today uint32
		want  ledger.Severity
		words string
	}{
		{5, ledger.Error, "the rules say"},
		{6, ledger.Notice, "today's rules (version 6, the game has 5)"},
		{4, ledger.Notice, "this older program"},
	} {
		var found []ledger.Finding
		sum, err := ledger.Audit(t.Context(), source(forged), registry(t, otherVersion{game.set, c.today}), game.doc,
			ledger.AuditOptions{},
			func(f ledger.Finding) { found = append(found, f) })
		if err != nil || len(found) != 1 || found[0].Severity != c.want ||
			!strings.Contains(found[0].Message, c.words) {
			t.Errorf("today %d: found %v, error %v", c.today, found, err)
		}
		if sum.Errors+sum.Notices != 1 || (sum.Errors == 1) != (c.want == ledger.Error) {
			t.Errorf("today %d: %+v", c.today, sum)
		}
	}
}

// panicky is a ruleset that breaks down.
type panicky struct{ rules.Ruleset }

func (p panicky) New(rules.Scenario, rules.Options) rules.Game { panic("out of my depth") }

func TestAuditSurvivesARulesetThatPanics(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	var found []ledger.Finding
	_, err := ledger.Audit(t.Context(), source(game.records), registry(t, panicky{game.set}), game.doc,
		ledger.AuditOptions{},
		func(f ledger.Finding) { found = append(found, f) })
	if err != nil || len(found) != 1 || !strings.Contains(found[0].String(),
		"error: fold: record 1 cannot be set up: the ruleset gave up: out of my depth") {
		t.Errorf("found %v, error %v", found, err)
	}
}

func TestAuditEndsWithItsContextAndItsSource(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ledger.Audit(ctx, source(game.records), registry(t, game.set), game.doc, ledger.AuditOptions{},
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	broken := errors.New("broken disk")
	src := func(yield func([]byte, error) bool) { _ = yield(game.records[0], nil) && yield(nil, broken) }
	if _, err := ledger.Audit(t.Context(), func() iterSeq { return src }, registry(t, game.set), game.doc,
		ledger.AuditOptions{}, nil); !errors.Is(err, broken) {
		t.Errorf("broken source: %v", err)
	}
	later := game.forge(func(log []parts) []parts { log[len(log)-1].header.Time.Seconds++; return log })
	for name, second := range map[string][][]byte{"fewer": game.records[:3], "others": later} {
		calls := 0
		fickle := func() iterSeq {
			if calls++; calls > 1 {
				return source(second)()
			}
			return source(game.records)()
		}
		if _, err := ledger.Audit(t.Context(), fickle, registry(t, game.set), game.doc, ledger.AuditOptions{},
			nil); err == nil {
			t.Errorf("a source that gives %s the second time passes", name)
		}
	}
}

func TestAuditHoldsSecretsAgainstCommitments(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	running := game.records[:len(game.records)-1]
	_, found := game.audit(running,
		ledger.AuditOptions{DiceSecret: new(dice.Secret), SaltSecret: new(ledger.SaltSecret)})
	if len(found) != 2 || found[0].Check != ledger.CheckCommitment || found[1].Check != ledger.CheckCommitment {
		t.Errorf("found %v", found)
	}
}
