package rulestest

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// corrected is Outpost with a rule decided otherwise: scouts always find the plan.
type corrected struct{ toy.Referee }

func (r corrected) Play(x *rules.Exec[*toy.State, *toyv1.Event], seat rules.Seat, c toy.Command) {
	r.Referee.Play(x, seat, c)
	if c.Kind == toy.KindScout {
		x.Emit(&toyv1.Event{Event: &toyv1.Event_DrawOffered{DrawOffered: &toyv1.DrawOffered{Seat: "red"}}})
	}
}

// broken is Outpost with another fold: it takes two steps for one.
type broken struct{ toy.Referee }

func (r broken) Evolve(p *toy.State, e *toyv1.Event) error {
	if m := e.GetScored(); m != nil {
		e = proto.CloneOf(e)
		e.GetScored().Red++
	}
	return r.Referee.Evolve(p, e)
}

func TestGoldenLog(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	log, err := playGolden(set, set.ScenarioDocuments()[0], map[string]string{"pursuit": "true"},
		Config{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(log, []byte(": scout")) && !bytes.Contains(log, []byte(" scout\n")) {
		t.Fatal("nobody scouts in this game, so that this test proves nothing")
	}
	if notes, err := foldGolden(set, log); err != nil || len(notes) > 0 {
		t.Errorf("the same rules: %v, %v", notes, err)
	}
	notes, err := foldGolden(rules.Adapt(corrected{}), log)
	if err != nil || len(notes) == 0 || !strings.Contains(notes[0], "decide \"command") {
		t.Errorf("a corrected rule: %v, %v", notes, err)
	}
	if _, err := foldGolden(rules.Adapt(broken{}), log); err == nil ||
		!strings.Contains(err.Error(), "folds to another position") {
		t.Errorf("a broken fold: %v", err)
	}
	for _, old := range []string{"ruleset toy", "scenario ridge", "event ", "hash "} {
		damaged := bytes.Replace(log, []byte(old), []byte(old[:len(old)-1]+"x "), 1)
		if _, err := foldGolden(set, damaged); err == nil {
			t.Errorf("a log with a damaged %q was folded", old)
		}
	}
}

func TestMessageText(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]proto.Message{
		"moved unit:r1 from:0102 to:0203": &toyv1.Event{
			Event: &toyv1.Event_Moved{Moved: &toyv1.Moved{Unit: "r1", From: "0102", To: "0203"}},
		},
		"attack_ended": &toyv1.Event{Event: &toyv1.Event_AttackEnded{AttackEnded: &toyv1.AttackEnded{}}},
		"":             &toyv1.Event{},
		"roll:3 modifier:-1 result:ATTACK_RESULT_HIT": &toyv1.AttackRolled{Roll: 3, Modifier: -1, Result: 3},
		"roll:3 result:9": &toyv1.AttackRolled{Roll: 3, Result: 9},
		`winners:[red "the blue"] level:points`: &toyv1.GameEnded{Winners: []string{"red", "the blue"},
			Level: "points"},
		`id:x title:{en:"A title" ja:題} hexes:[{id:0101 outpost:true} {id:""}]`: nil,
	} {
		if m == nil {
			m = &toyv1.Scenario{Id: "x", Title: &toyv1.LocalText{En: "A title", Ja: "題"},
				Hexes: []*toyv1.ScenarioHex{{Id: "0101", Outpost: true}, {}}}
			want = strings.Replace(want, `{id:""}`, "{}", 1)
		}
		if got := MessageText(m); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLineDiff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"a\nb\nc", "a\nB\nc", "-b\n+B\n"},
		{"a\na", "a", "-a\n"},
		{"a", "a", ""},
		{"a\nb", "b\na", "the same lines in another order\n"},
	} {
		if got := lineDiff(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %q", c.a, c.b, got)
		}
	}
}

// Every value of every option comes up in few games.
func TestChoices(t *testing.T) {
	t.Parallel()
	a := &rules.About{Options: []rules.Option{
		rules.Flag("a", ""), rules.Flag("b", ""), {ID: "c", Values: []string{"1", "2", "3"}},
		rules.Flag("d", ""),
	}}
	seen := map[string]bool{}
	for _, choice := range choices(a, 3) {
		o, err := a.NewOptions(choice)
		if err != nil {
			t.Fatal(err)
		}
		for id, v := range o.Map() {
			seen[id+"="+v] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("seen: %v", sortedKeys(seen))
	}
	if got := choices(&rules.About{}, 3); len(got) != 1 {
		t.Errorf("without options: %v", got)
	}
}

// blind is Outpost with a mistake in the numbers for bots alone.
type blind struct{ toy.Referee }

func (r blind) Observe(known *toy.State, seat rules.Seat, planes, scalars []int16) {
	r.Referee.Observe(known, seat, planes, scalars)
	planes[len(planes)-1]++
}

func TestGoldenSightsShowNumbers(t *testing.T) {
	t.Parallel()
	set := toy.Ruleset()
	log, err := playGolden(set, set.ScenarioDocuments()[0], map[string]string{}, Config{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	want, err := goldenSights(set, log)
	if err != nil || strings.Count(want, "\n# ") < 3 || !strings.Contains(want, " view ") {
		t.Fatalf("%v, %s", err, want)
	}
	if again, err := goldenSights(set, log); err != nil || again != want {
		t.Errorf("%v: it differs from itself:\n%s", err, lineDiff(want, again))
	}
	got, err := goldenSights(rules.Adapt(blind{}), log)
	if diff := lineDiff(want, got); err != nil || !strings.Contains(diff, " plane ") {
		t.Errorf("%v, the difference: %q", err, diff)
	}
}
