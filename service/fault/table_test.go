package fault

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

var update = flag.Bool("update", false, "write docs/reference/errors.md anew")

func TestDocumentIsCurrent(t *testing.T) {
	t.Parallel()
	const page = "../../docs/reference/errors.md"
	if *update {
		if err := os.WriteFile(page, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(stored), Document()); diff != "" {
		t.Errorf("%s is not what the table says; run go test ./service/fault -update (-stored +table):\n%s", page, diff)
	}
}

func TestTableIsSound(t *testing.T) {
	t.Parallel()
	spelling := regexp.MustCompile(`^[A-Z][A-Z_]{1,62}$`)
	seen := map[Reason]bool{}
	for _, row := range Table() {
		if !spelling.MatchString(string(row.Reason)) || seen[row.Reason] {
			t.Errorf("%s is no reason, or there twice", row.Reason)
		}
		seen[row.Reason] = true
		if row.Sentence == "" || !slices.Contains(documented, row.Code) {
			t.Errorf("%s has no sentence or no place on the page", row.Reason)
		}
		e := New(row.Reason, "what was wrong with %d", 7).With("key", 1)
		st := e.GRPCStatus()
		info, ok := st.Details()[0].(*errdetails.ErrorInfo)
		if !ok || st.Code() != row.Code || info.Reason != string(row.Reason) || info.Domain != Domain ||
			info.Metadata["key"] != "1" {
			t.Errorf("%s: status %v with %v", row.Reason, st, info)
		}
		if slices.Contains(row.Details, retryInfo) != (retryOf(st) != nil) {
			t.Errorf("%s: RetryInfo does not agree with the table", row.Reason)
		}
	}
	for _, shared := range []rules.Reason{
		rules.ReasonNotYourDecision, rules.ReasonGameOver, rules.ReasonUnknownPiece, rules.ReasonUnknownSpace,
		rules.ReasonMalformed, rules.ReasonIllegal, rules.ReasonDice,
	} {
		if !seen[Reason(shared)] {
			t.Errorf("the reason %s of all rulesets is not in the table", shared)
		}
	}
}

func retryOf(st *status.Status) *errdetails.RetryInfo {
	for _, d := range st.Details() {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			return r
		}
	}
	return nil
}

func TestFromStore(t *testing.T) {
	t.Parallel()
	uncertain := fmt.Errorf("%w: %w", eventstore.ErrUncertain, eventstore.ErrFull)
	for _, c := range []struct {
		err  error
		want Reason
	}{
		{&eventstore.CorruptError{Stream: "games/x", Version: 3}, LogCorrupt},
		{&eventstore.InvalidError{What: "data", Problem: "too much"}, RecordTooLarge},
		{fmt.Errorf("disk: %w", eventstore.ErrFull), StoreFull},
		{eventstore.ErrReadOnly, StoreReadOnly},
		{eventstore.ErrClosed, ShuttingDown},
		{eventstore.ErrIO, StoreFailed},
		{uncertain, StoreFailed},
		{context.Canceled, Canceled},
		{context.DeadlineExceeded, DeadlinePassed},
		{errors.New("anything"), StoreFailed},
	} {
		if got := FromStore(c.err); got.Reason != c.want || !errors.Is(got, c.err) {
			t.Errorf("%v: %s, want %s", c.err, got.Reason, c.want)
		}
	}
	if got := FromStore(uncertain); got.Metadata["uncertain"] != "true" {
		t.Errorf("an append in doubt is %v", got.Metadata)
	}
}

func TestAtEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want codes.Code
	}{
		{nil, codes.OK},
		{New(GameOver, "over"), codes.FailedPrecondition},
		{fmt.Errorf("wrapped: %w", New(GameOver, "over")), codes.FailedPrecondition},
		{context.Canceled, codes.Canceled},
		{context.DeadlineExceeded, codes.DeadlineExceeded},
		{status.Error(codes.ResourceExhausted, "message too large"), codes.ResourceExhausted},
		{errors.New("secret words"), codes.Internal},
	} {
		st := status.Convert(AtEdge(c.err))
		if st.Code() != c.want || st.Message() == "secret words" {
			t.Errorf("%v became %v, want %s", c.err, st, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	about := &rules.About{
		Name:      "x",
		Catalogue: rules.MustCatalogue("no\tneeds {need}, {left} left\t{need}必要、残り{left}"),
		Rulebook: rules.MustRulebook("X 1.1\tPoints\tenforced\tPoints are spent.").
			MustJapanese("X 1.1\tポイント\tポイントを使う。", ""),
	}
	r := rules.Refuse("X 1.1", "no", "need", 2, "left", 1).About("u1", "u2").At("0101")
	r.Words = about.Catalogue.Format(rules.English, r.Text)
	st := Refused(about, r, rules.Japanese).GRPCStatus()
	if st.Code() != codes.FailedPrecondition || st.Message() != "needs 2, 1 left (X 1.1)" {
		t.Errorf("got %v", st)
	}
	info := st.Details()[0].(*errdetails.ErrorInfo)
	want := map[string]string{"ruleset": "x", "rule": "X 1.1", "need": "2", "left": "1", "pieces": "u1,u2",
		"spaces": "0101"}
	if diff := cmp.Diff(want, info.Metadata); diff != "" || info.Reason != "ILLEGAL_COMMAND" {
		t.Errorf("%s (-want +got):\n%s", info.Reason, diff)
	}
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.LocalizedMessage:
			if d.Locale != "ja" || d.Message != "2必要、残り1" {
				t.Errorf("localized: %v", d)
			}
		case *errdetails.Help:
			if d.Links[0].Description != "X 1.1 ポイント" {
				t.Errorf("help: %v", d)
			}
		case *errdetails.PreconditionFailure:
			if v := d.Violations[0]; v.Subject != "X 1.1" || v.Description != "needs 2, 1 left" {
				t.Errorf("precondition: %v", v)
			}
		}
	}
	if len(st.Details()) != 4 {
		t.Errorf("%d details, want 4", len(st.Details()))
	}
}

func TestDice(t *testing.T) {
	t.Parallel()
	about := &rules.About{Name: "x"}
	for _, err := range []error{
		&dice.NeedError{Index: 1, Sides: 6, Reason: "attack", Given: 1},
		&dice.ValueError{Index: 0, Value: 9, Sides: 6, Reason: "attack"},
		&dice.ExtraError{Given: 2, Used: 1},
	} {
		if e := Dice(about, fmt.Errorf("x: %w", err)); e == nil || e.Reason != DiceExpected ||
			e.Metadata["given"]+e.Metadata["value"] == "" {
			t.Errorf("%v became %v", err, e)
		}
	}
	if e := Dice(about, errors.New("other")); e != nil {
		t.Errorf("an error that is not of the dice became %v", e)
	}
}

// TestViolationsAreBounded: an error lists 250 faults of a request and says that there are more.
func TestViolationsAreBounded(t *testing.T) {
	t.Parallel()
	var v Violations
	for range 100_000 {
		v.Add("field", "is wrong")
	}
	if len(v) != 251 || v[250].Description != "there are more faults, which are not listed" {
		t.Errorf("%d violations, the last %q", len(v), v[len(v)-1].Description)
	}
}
